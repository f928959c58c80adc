package kotlin.text

/** `parts`: the text of a match, where it begins, and its groups. */
class MatchResult(private val parts: List<Any>) {
    val value: String get() = parts[0]
    val range: IntRange get() = parts[1]..(parts[1] + value.length - 1)
    val groupValues: List<String> get() = listOf(value) + parts.drop(2)
    val groups: List<MatchGroup> get() = groupValues.map { MatchGroup(it) }
    val destructured: List<String> get() = parts.drop(2)
}

class MatchGroup(val value: String)

class Regex(val pattern: String, private val options: Any? = null) {
    /** The stretches of a text that match, and in lists of one what is between them. */
    private fun pieces(input: CharSequence): List<List<Any>> = if (options == null) piecesOf(pattern, input.toString()) else optional(options)

    private fun all(input: CharSequence): List<MatchResult> = pieces(input).filter { it.size > 1 }.map { MatchResult(it) }

    fun find(input: CharSequence): MatchResult? = all(input).firstOrNull()

    fun findAll(input: CharSequence): Sequence<MatchResult> = all(input)

    fun matchEntire(input: CharSequence): MatchResult? = Regex("^(?:" + pattern + ")$", options).find(input)

    fun matches(input: CharSequence): Boolean = matchEntire(input) != null

    fun containsMatchIn(input: CharSequence): Boolean = all(input).isNotEmpty()

    fun replace(input: CharSequence, transform: (MatchResult) -> CharSequence): String =
        pieces(input).joinToString("") { if (it.size > 1) transform(MatchResult(it)) else it[0] }

    fun replace(input: CharSequence, replacement: String): String =
        if ('$' in replacement || '\\' in replacement) input.toString().replaceAll(pattern, replacement) else replace(input) { replacement }

    fun split(input: CharSequence, limit: Int = 0): List<String> =
        if (limit == 0) pieces(input).fold(listOf("")) { parts, piece ->
            if (piece.size > 1) parts + "" else parts.dropLast(1) + (parts.last() + piece[0])
        } else input.toString().split(toPattern(), limit)

    override fun toString(): String = pattern
}

fun String.toRegex(option: Any? = null): Regex = Regex(this, option)

fun String.replace(regex: Regex, by: Any): String = regex.replace(this, by)

fun String.split(regex: Regex, limit: Int = 0): List<String> = regex.split(this, limit)

fun String.matches(regex: Regex): Boolean = regex.matches(this)

operator fun String.contains(regex: Regex): Boolean = regex.containsMatchIn(this)
