package kotlin.text

/** What native code does not have of texts: mostly what lists have, over the characters. */
fun <R> CharSequence.zip(other: CharSequence, transform: (Char, Char) -> R = { a, b -> Pair(a, b) }): List<R> =
    toList().zip(other.toList(), transform)

fun <R> CharSequence.zipWithNext(transform: (Char, Char) -> R = { a, b -> Pair(a, b) }): List<R> = toList().zipWithNext(transform)

fun CharSequence.windowed(size: Int, step: Int = 1, partialWindows: Boolean = false, transform: (String) -> Any = { it }): List<Any> =
    toList().windowed(size, step, partialWindows) { transform(it.joinToString("")) }

fun CharSequence.chunkedSequence(size: Int): List<String> = chunked(size)

fun <K, V> CharSequence.associate(transform: (Char) -> Pair<K, V>): Map<K, V> = toList().associate(transform)

fun <K> CharSequence.groupingBy(keySelector: (Char) -> K): Grouping<Char, K> = toList().groupingBy(keySelector)

fun CharSequence.withIndex(): List<Any> = toList().withIndex()

fun CharSequence.indexOfFirst(predicate: (Char) -> Boolean): Int = toList().indexOfFirst(predicate)

fun CharSequence.indexOfLast(predicate: (Char) -> Boolean): Int = toList().indexOfLast(predicate)

fun CharSequence.maxOrNull(): Char? = toList().maxOrNull()

fun CharSequence.minOrNull(): Char? = toList().minOrNull()

fun CharSequence.filterIndexed(predicate: (Int, Char) -> Boolean): String = toList().filterIndexed(predicate).joinToString("")

fun CharSequence.singleOrNull(): Char? = if (length == 1) get(0) else null

fun CharSequence.elementAt(index: Int): Char = get(index)

fun CharSequence.getOrNull(index: Int): Char? = if (index >= 0 && index < length) get(index) else null

fun CharSequence.elementAtOrNull(index: Int): Char? = getOrNull(index)

fun CharSequence.getOrElse(index: Int, defaultValue: (Int) -> Char): Char = getOrNull(index) ?: defaultValue(index)

fun String.trimStart(predicate: (Char) -> Boolean): String = dropWhile(predicate)

fun String.trimEnd(predicate: (Char) -> Boolean): String = dropLastWhile(predicate)

fun String.trim(predicate: (Char) -> Boolean): String = dropWhile(predicate).dropLastWhile(predicate)

fun String.takeLastWhile(predicate: (Char) -> Boolean): String = toList().takeLastWhile(predicate).joinToString("")

fun String.dropLastWhile(predicate: (Char) -> Boolean): String = toList().dropLastWhile(predicate).joinToString("")

fun String.slice(indices: Iterable<Int>): String = toList().slice(indices).joinToString("")

fun String.removeRange(startIndex: Int, endIndex: Int): String = substring(0, startIndex) + substring(endIndex)

fun String.replaceRange(startIndex: Int, endIndex: Int, replacement: CharSequence): String =
    substring(0, startIndex) + replacement + substring(endIndex)

fun String.replaceBefore(delimiter: String, replacement: String): String =
    if (delimiter in this) replacement + delimiter + substringAfter(delimiter) else this

fun String.replaceAfter(delimiter: String, replacement: String): String =
    if (delimiter in this) substringBefore(delimiter) + delimiter + replacement else this

fun String.replaceBeforeLast(delimiter: String, replacement: String): String =
    if (delimiter in this) replacement + delimiter + substringAfterLast(delimiter) else this

fun String.replaceAfterLast(delimiter: String, replacement: String): String =
    if (delimiter in this) substringBeforeLast(delimiter) + delimiter + replacement else this

inline fun buildString(capacity: Int = 16, builderAction: StringBuilder.() -> Unit): String =
    StringBuilder().apply(builderAction).toString()

fun String.toInt(radix: Int): Int = java.lang.Integer.parseInt(this, radix)

fun String.toLong(radix: Int): Long = java.lang.Long.parseLong(this, radix)

fun String.toIntOrNull(radix: Int): Int? =
    try {
        java.lang.Integer.parseInt(this, radix)
    } catch (e: NumberFormatException) {
        null
    }

fun String.toLongOrNull(radix: Int): Long? =
    try {
        java.lang.Long.parseLong(this, radix)
    } catch (e: NumberFormatException) {
        null
    }

fun String.toBooleanStrictOrNull(): Boolean? = if (this == "true") true else if (this == "false") false else null

fun Char.isLowerCase(): Boolean = isLetter() && !isUpperCase()

fun Char.titlecaseChar(): Char = uppercaseChar()

fun Char.isWhitespace(): Boolean = toString().isBlank()

fun Char.digitToInt(): Int = toString().toInt()

fun String.replaceFirstChar(transform: (Char) -> Any): String = if (isEmpty()) this else "${transform(first())}${drop(1)}"

fun String.reader(): java.io.StringReader = java.io.StringReader(this)

fun String.toBooleanStrict(): Boolean =
    toBooleanStrictOrNull() ?: throw IllegalArgumentException("The string doesn't represent a boolean value: $this")

fun String.removeRange(range: IntRange): String = removeRange(range.first, range.last + 1)

fun String.replaceRange(range: IntRange, replacement: CharSequence): String = replaceRange(range.first, range.last + 1, replacement)

fun String.replaceAfter(delimiter: String, replacement: String, missingDelimiterValue: String): String =
    if (delimiter in this) replaceAfter(delimiter, replacement) else missingDelimiterValue

fun String.replaceBefore(delimiter: String, replacement: String, missingDelimiterValue: String): String =
    if (delimiter in this) replaceBefore(delimiter, replacement) else missingDelimiterValue

fun String.replaceIndent(newIndent: String = ""): String = trimIndent().lines().joinToString("\n") { if (it.isBlank()) it else newIndent + it }

fun CharSequence.chunked(size: Int, transform: (CharSequence) -> Any): List<Any> = chunked(size).map(transform)

fun CharSequence.indexOfAny(characters: Iterable<Any>, startIndex: Int = 0): Int =
    characters.map { indexOf(it, startIndex) }.filter { it >= 0 }.minOrNull() ?: -1

fun CharSequence.commonPrefixWith(other: CharSequence, ignoreCase: Boolean): String {
    var length = 0
    while (length < this.length && length < other.length && this[length].equals(other[length], ignoreCase)) length++
    return take(length)
}

fun CharSequence.commonSuffixWith(other: CharSequence, ignoreCase: Boolean = false): String =
    reversed().commonPrefixWith(other.reversed(), ignoreCase).reversed()

fun <R> CharSequence.runningFold(initial: R, operation: (R, Char) -> R): List<R> = toList().runningFold(initial, operation)

fun <R> CharSequence.scan(initial: R, operation: (R, Char) -> R): List<R> = toList().runningFold(initial, operation)

fun CharSequence.toMutableList(): MutableList<Char> = toList().toMutableList()

fun <R> CharSequence.firstNotNullOfOrNull(transform: (Char) -> R?): R? = toList().firstNotNullOfOrNull(transform)

fun String?.toBoolean(): Boolean = this != null && this.lowercase() == "true"

fun CharArray.concatToString(): String = joinToString("")

fun Char.digitToIntOrNull(): Int? = if (isDigit()) digitToInt() else null

fun Char.digitToInt(radix: Int): Int = toString().toInt(radix)

fun Int.digitToChar(): Char {
    require(this >= 0 && this < 10) { "Int $this is not a decimal digit" }
    return toString()[0]
}

fun Int.digitToChar(radix: Int): Char {
    require(this >= 0 && this < radix) { "Digit $this does not represent a valid digit in radix $radix" }
    return toString(radix).uppercase()[0]
}

fun StringBuilder.deleteRange(startIndex: Int, endIndex: Int): StringBuilder = delete(startIndex, endIndex)

fun StringBuilder.setRange(startIndex: Int, endIndex: Int, value: String): StringBuilder = replace(startIndex, endIndex, value)

fun StringBuilder.deleteAt(index: Int): StringBuilder = deleteCharAt(index)
