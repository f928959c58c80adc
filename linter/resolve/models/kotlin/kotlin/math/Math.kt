package kotlin.math

fun abs(value: Int): Int = if (value < 0) -value else value

fun max(one: Int, other: Int): Int = if (one >= other) one else other

fun min(one: Int, other: Int): Int = if (one <= other) one else other

fun ceil(value: Double): Double = java.lang.Math.ceil(value)

fun floor(value: Double): Double = java.lang.Math.floor(value)

fun round(value: Double): Double = java.lang.Math.rint(value)

fun sqrt(value: Double): Double = java.lang.Math.sqrt(value)

fun Double.pow(exponent: Int): Double = java.lang.Math.pow(this, exponent.toDouble())

fun Double.roundToInt(): Int = java.lang.Math.round(this).toInt()

fun Double.roundToLong(): Long = java.lang.Math.round(this)
