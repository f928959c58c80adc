package kotlin.math

fun abs(value: Int): Int = if (value < 0) -value else value

fun abs(value: Double): Double = if (value <= 0.0) 0.0 - value else value

fun max(one: Double, other: Double): Double = java.lang.Math.max(one, other)

fun min(one: Double, other: Double): Double = java.lang.Math.min(one, other)

fun max(one: Int, other: Int): Int = if (one >= other) one else other

fun min(one: Int, other: Int): Int = if (one <= other) one else other

fun ceil(value: Double): Double = java.lang.Math.ceil(value)

fun floor(value: Double): Double = java.lang.Math.floor(value)

fun round(value: Double): Double = java.lang.Math.rint(value)

fun sqrt(value: Double): Double = java.lang.Math.sqrt(value)

fun Double.pow(exponent: Int): Double = java.lang.Math.pow(this, exponent.toDouble())

fun Double.roundToInt(): Int = java.lang.Math.round(this).toInt()

fun Double.roundToLong(): Long = java.lang.Math.round(this)

const val PI: Double = 3.141592653589793

val Int.absoluteValue: Int get() = abs(this)

val Double.absoluteValue: Double get() = abs(this)

val Int.sign: Int get() = if (this < 0) -1 else if (this > 0) 1 else 0

fun truncate(value: Double): Double = if (value < 0.0) ceil(value) else floor(value)
