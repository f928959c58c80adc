package kotlin.ranges

interface ClosedRange<T : Comparable<T>> {
    val start: T
    val endInclusive: T

    operator fun contains(value: T): Boolean = value >= start && value <= endInclusive

    fun isEmpty(): Boolean = start > endInclusive
}

interface OpenEndRange<T : Comparable<T>> {
    val start: T
    val endExclusive: T

    operator fun contains(value: T): Boolean = value >= start && value < endExclusive

    fun isEmpty(): Boolean = start >= endExclusive
}

fun Int.coerceAtLeast(minimumValue: Int): Int = if (this < minimumValue) minimumValue else this

fun Int.coerceAtMost(maximumValue: Int): Int = if (this > maximumValue) maximumValue else this

fun Int.coerceIn(minimumValue: Int, maximumValue: Int): Int {
    require(minimumValue <= maximumValue) { "Cannot coerce value to an empty range: maximum $maximumValue is less than minimum $minimumValue." }
    return coerceAtLeast(minimumValue).coerceAtMost(maximumValue)
}

fun Long.coerceAtLeast(minimumValue: Long): Long = if (this < minimumValue) minimumValue else this

fun Long.coerceAtMost(maximumValue: Long): Long = if (this > maximumValue) maximumValue else this

fun Long.coerceIn(minimumValue: Long, maximumValue: Long): Long {
    require(minimumValue <= maximumValue) { "Cannot coerce value to an empty range: maximum $maximumValue is less than minimum $minimumValue." }
    return coerceAtLeast(minimumValue).coerceAtMost(maximumValue)
}

fun Double.coerceAtLeast(minimumValue: Double): Double = if (this < minimumValue) minimumValue else this

fun Double.coerceAtMost(maximumValue: Double): Double = if (this > maximumValue) maximumValue else this

fun Double.coerceIn(minimumValue: Double, maximumValue: Double): Double {
    require(minimumValue <= maximumValue) { "Cannot coerce value to an empty range: maximum $maximumValue is less than minimum $minimumValue." }
    return coerceAtLeast(minimumValue).coerceAtMost(maximumValue)
}

fun <T : Comparable<T>> T.coerceIn(range: ClosedRange<T>): T =
    if (this < range.start) range.start else if (this > range.endInclusive) range.endInclusive else this

class ComparableRange<T : Comparable<T>>(override val start: T, override val endInclusive: T) : ClosedRange<T> {
    override fun toString(): String = "$start..$endInclusive"
}

operator fun <T : Comparable<T>> T.rangeTo(that: T): ClosedRange<T> = ComparableRange(this, that)

fun <T : Comparable<T>> T.coerceIn(minimumValue: T, maximumValue: T): T = coerceAtLeast(minimumValue).coerceAtMost(maximumValue)

fun <T : Comparable<T>> T.coerceAtLeast(minimumValue: T): T = if (this < minimumValue) minimumValue else this

fun <T : Comparable<T>> T.coerceAtMost(maximumValue: T): T = if (this > maximumValue) maximumValue else this

fun IntRange(start: Int, endInclusive: Int): IntRange = start..endInclusive

fun LongRange(start: Long, endInclusive: Long): LongRange = start..endInclusive
