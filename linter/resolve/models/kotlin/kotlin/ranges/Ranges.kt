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

fun <T : Comparable<T>> T.coerceIn(range: ClosedRange<T>): T =
    if (this < range.start) range.start else if (this > range.endInclusive) range.endInclusive else this

class ComparableRange<T : Comparable<T>>(override val start: T, override val endInclusive: T) : ClosedRange<T> {
    override fun toString(): String = "$start..$endInclusive"
}

operator fun <T : Comparable<T>> T.rangeTo(that: T): ClosedRange<T> = ComparableRange(this, that)
