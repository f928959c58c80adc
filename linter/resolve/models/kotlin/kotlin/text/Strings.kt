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
