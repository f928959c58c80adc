package kotlin

fun Int.countOneBits(): Int = Integer.bitCount(this)

fun Int.countLeadingZeroBits(): Int = Integer.numberOfLeadingZeros(this)

fun Int.countTrailingZeroBits(): Int = Integer.numberOfTrailingZeros(this)

fun Int.takeHighestOneBit(): Int = Integer.highestOneBit(this)

fun Int.takeLowestOneBit(): Int = Integer.lowestOneBit(this)

fun Int.rotateLeft(bitCount: Int): Int = Integer.rotateLeft(this, bitCount)

fun Int.rotateRight(bitCount: Int): Int = Integer.rotateRight(this, bitCount)

fun Long.countOneBits(): Int = java.lang.Long.bitCount(this)

fun Int.floorDiv(other: Int): Int = java.lang.Math.floorDiv(this, other)

fun Long.floorDiv(other: Long): Long = java.lang.Math.floorDiv(this, other)
