package kotlin

import java.math.BigDecimal

fun String.toBigDecimal(): BigDecimal = BigDecimal(this)

fun Int.toBigDecimal(): BigDecimal = BigDecimal.valueOf(toLong())

fun Long.toBigDecimal(): BigDecimal = BigDecimal.valueOf(this)
