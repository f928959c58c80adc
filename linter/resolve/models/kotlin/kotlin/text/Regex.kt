package kotlin.text

import java.util.regex.Matcher
import java.util.regex.Pattern

enum class RegexOption(val value: Int) {
    IGNORE_CASE(2), MULTILINE(8), LITERAL(16), UNIX_LINES(1), COMMENTS(4), DOT_MATCHES_ALL(32), CANON_EQ(128)
}

data class MatchGroup(val value: String, val range: IntRange)

class MatchGroupCollection(private val matcher: Matcher, private val all: List<MatchGroup?>) : Collection<MatchGroup?> by all {
    operator fun get(index: Int): MatchGroup? = all[index]

    operator fun get(name: String): MatchGroup? = all[matcher.number(name)]
}

class MatchResult(private val all: List<Matcher>, private val place: Int) {
    private val matcher: Matcher get() = all[place]
    val value: String get() = matcher.group()
    val range: IntRange get() = matcher.start() until matcher.end()
    val groups: MatchGroupCollection get() = MatchGroupCollection(matcher, (0..matcher.groupCount()).map { number ->
        matcher.group(number)?.let { MatchGroup(it, matcher.start(number) until matcher.end(number)) }
    })
    val groupValues: List<String> get() = (0..matcher.groupCount()).map { matcher.group(it) ?: "" }
    val destructured: List<String> get() = groupValues.drop(1)

    fun next(): MatchResult? = if (place < all.size - 1) MatchResult(all, place + 1) else null
}

class Regex(val pattern: String, private val given: Any? = null) {
    val options: Set<RegexOption> get() = if (given == null) emptySet() else if (given is RegexOption) setOf(given) else given

    fun toPattern(): Pattern = Pattern.compile(pattern, options.fold(0) { flags, each -> flags + each.value })

    private fun all(input: CharSequence, start: Int): List<MatchResult> {
        val found = toPattern().matcher(input).since(start)
        return found.indices.map { MatchResult(found, it) }
    }

    fun find(input: CharSequence, startIndex: Int = 0): MatchResult? = all(input, startIndex).firstOrNull()

    fun findAll(input: CharSequence, startIndex: Int = 0): Sequence<MatchResult> = all(input, startIndex).asSequence()

    fun matchEntire(input: CharSequence): MatchResult? {
        val matcher = toPattern().matcher(input)
        return if (matcher.matches()) MatchResult(listOf(matcher), 0) else null
    }

    infix fun matches(input: CharSequence): Boolean = toPattern().matcher(input).matches()

    fun containsMatchIn(input: CharSequence): Boolean = all(input, 0).isNotEmpty()

    fun replace(input: CharSequence, transform: (MatchResult) -> CharSequence): String {
        val ends = all(input, 0)
        return ends.foldIndexed("") { place, made, match ->
            made + input.substring(if (place == 0) 0 else ends[place - 1].range.last + 1, match.range.first) + transform(match)
        } + input.substring(if (ends.isEmpty()) 0 else ends.last().range.last + 1)
    }

    fun replace(input: CharSequence, replacement: String): String = toPattern().matcher(input).replaceAll(replacement)

    fun replaceFirst(input: CharSequence, replacement: String): String = toPattern().matcher(input).replaceFirst(replacement)

    fun split(input: CharSequence, limit: Int = 0): List<String> {
        val found = all(input, 0).let { if (limit > 0) it.take(limit - 1) else it }
        val starts = listOf(0) + found.map { it.range.last + 1 }
        val ends = found.map { it.range.first } + input.length
        return starts.zip(ends) { start, end -> input.substring(start, end) }
    }

    fun splitToSequence(input: CharSequence, limit: Int = 0): Sequence<String> = split(input, limit).asSequence()

    override fun toString(): String = pattern

    companion object {
        fun escape(literal: String): String = Pattern.quote(literal)

        fun fromLiteral(literal: String): Regex = Regex(literal, RegexOption.LITERAL)

        fun escapeReplacement(literal: String): String = Matcher.quoteReplacement(literal)
    }
}

fun String.toRegex(option: Any? = null): Regex = Regex(this, option)

fun String.toPattern(flags: Int = 0): Pattern = Pattern.compile(this, flags)

fun String.replace(regex: Regex, by: Any): String = regex.replace(this, by)

fun String.replaceFirst(regex: Regex, replacement: String): String = regex.replaceFirst(this, replacement)

fun String.split(regex: Regex, limit: Int = 0): List<String> = regex.split(this, limit)

infix fun String.matches(regex: Regex): Boolean = regex.matches(this)

operator fun String.contains(regex: Regex): Boolean = regex.containsMatchIn(this)
