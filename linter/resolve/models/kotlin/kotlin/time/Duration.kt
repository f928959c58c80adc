package kotlin.time

enum class DurationUnit(val nanos: Long, val short: String) {
    NANOSECONDS(1L, "ns"),
    MICROSECONDS(1000L, "us"),
    MILLISECONDS(1000000L, "ms"),
    SECONDS(1000000000L, "s"),
    MINUTES(60000000000L, "m"),
    HOURS(3600000000000L, "h"),
    DAYS(86400000000000L, "d"),
}

class Duration(private val nanos: Long) : Comparable<Duration> {
    val inWholeNanoseconds: Long get() = nanos
    val inWholeMicroseconds: Long get() = nanos / 1000L
    val inWholeMilliseconds: Long get() = nanos / 1000000L
    val inWholeSeconds: Long get() = nanos / 1000000000L
    val inWholeMinutes: Long get() = nanos / 60000000000L
    val inWholeHours: Long get() = nanos / 3600000000000L
    val inWholeDays: Long get() = nanos / 86400000000000L
    val absoluteValue: Duration get() = if (nanos < 0L) Duration(-nanos) else this

    operator fun plus(other: Duration) = Duration(nanos + other.inWholeNanoseconds)

    operator fun minus(other: Duration) = Duration(nanos - other.inWholeNanoseconds)

    operator fun times(scale: Int) = Duration(nanos * scale.toLong())

    operator fun times(scale: Double) = Duration((nanos.toDouble() * scale).toLong())

    operator fun div(scale: Int) = Duration(nanos / scale.toLong())

    operator fun div(other: Duration): Double = nanos.toDouble() / other.inWholeNanoseconds.toDouble()

    operator fun unaryMinus() = Duration(-nanos)

    override fun compareTo(other: Duration): Int = nanos.compareTo(other.inWholeNanoseconds)

    override fun equals(other: Any?): Boolean = other is Duration && other.inWholeNanoseconds == nanos

    override fun hashCode(): Int = nanos.hashCode()

    fun isNegative(): Boolean = nanos < 0L

    fun isPositive(): Boolean = nanos > 0L

    fun isFinite(): Boolean = true

    fun isInfinite(): Boolean = false

    fun toDouble(unit: DurationUnit): Double = nanos.toDouble() / unit.nanos.toDouble()

    fun toLong(unit: DurationUnit): Long = nanos / unit.nanos

    fun toInt(unit: DurationUnit): Int = (nanos / unit.nanos).toInt()

    fun <T> toComponents(action: (Long, Int, Int) -> T): T =
        action(inWholeMinutes, (inWholeSeconds % 60L).toInt(), (nanos % 1000000000L).toInt())

    fun <T> toComponents(action: (Long, Int, Int, Int) -> T): T =
        action(inWholeHours, (inWholeMinutes % 60L).toInt(), (inWholeSeconds % 60L).toInt(), (nanos % 1000000000L).toInt())

    override fun toString(): String {
        if (nanos == 0L) return "0s"
        if (nanos < 0L) {
            val shown = absoluteValue.toString()
            return if (' ' in shown) "-($shown)" else "-$shown"
        }
        val rest = nanos % 1000000000L
        val parts = listOf(inWholeDays, inWholeHours % 24L, inWholeMinutes % 60L)
        val seconds = inWholeSeconds % 60L
        val first = parts.indexOfFirst { it != 0L }
        if (first < 0 && seconds == 0L) {
            if (rest >= 1000000L) return fractional(rest / 1000000L, rest % 1000000L, 6) + "ms"
            return if (rest >= 1000L) fractional(rest / 1000L, rest % 1000L, 3) + "us" else "${rest}ns"
        }
        val shown = mutableListOf<String>()
        val ends = seconds != 0L || rest != 0L
        val last = if (ends) 2 else parts.indexOfLast { it != 0L }
        if (first >= 0) for (index in first..last) shown.add("${parts[index]}${"dhm"[index]}")
        if (ends) shown.add(fractional(seconds, rest, 9) + "s")
        return shown.joinToString(" ")
    }

    private fun fractional(whole: Long, part: Long, digits: Int): String {
        if (part == 0L) return "$whole"
        val shown = part.toString().padStart(digits, '0').trimEnd('0')
        return "$whole." + if (shown.length < 3) shown else shown.padEnd((shown.length + 2) / 3 * 3, '0')
    }

    companion object {
        val ZERO = Duration(0L)

        val Int.nanoseconds: Duration get() = Duration(this.toLong())
        val Int.microseconds: Duration get() = Duration(this.toLong() * 1000L)
        val Int.milliseconds: Duration get() = Duration(this.toLong() * 1000000L)
        val Int.seconds: Duration get() = Duration(this.toLong() * 1000000000L)
        val Int.minutes: Duration get() = Duration(this.toLong() * 60000000000L)
        val Int.hours: Duration get() = Duration(this.toLong() * 3600000000000L)
        val Int.days: Duration get() = Duration(this.toLong() * 86400000000000L)

        val Long.milliseconds: Duration get() = Duration(this * 1000000L)
        val Long.seconds: Duration get() = Duration(this * 1000000000L)
        val Long.minutes: Duration get() = Duration(this * 60000000000L)
        val Long.hours: Duration get() = Duration(this * 3600000000000L)
        val Long.days: Duration get() = Duration(this * 86400000000000L)

        val Double.milliseconds: Duration get() = Duration((this * 1000000.0).toLong())
        val Double.seconds: Duration get() = Duration((this * 1000000000.0).toLong())
        val Double.minutes: Duration get() = Duration((this * 60000000000.0).toLong())
        val Double.hours: Duration get() = Duration((this * 3600000000000.0).toLong())
        val Double.days: Duration get() = Duration((this * 86400000000000.0).toLong())
    }
}

fun Int.toDuration(unit: DurationUnit): Duration = Duration(this.toLong() * unit.nanos)

fun Long.toDuration(unit: DurationUnit): Duration = Duration(this * unit.nanos)

fun Duration.toJavaDuration(): java.time.Duration = java.time.Duration.ofNanos(inWholeNanoseconds)

fun java.time.Duration.toKotlinDuration(): Duration = Duration(toNanos())
