package kotlin

typealias Comparator<T> = java.util.Comparator<T>

inline fun require(value: Boolean, lazyMessage: () -> Any = { "Failed requirement." }) {
    if (!value) throw IllegalArgumentException(lazyMessage().toString())
}

inline fun check(value: Boolean, lazyMessage: () -> Any = { "Check failed." }) {
    if (!value) throw IllegalStateException(lazyMessage().toString())
}

inline fun <T> requireNotNull(value: T?, lazyMessage: () -> Any = { "Required value was null." }): T {
    if (value == null) throw IllegalArgumentException(lazyMessage().toString())
    return value
}

inline fun <T> checkNotNull(value: T?, lazyMessage: () -> Any = { "Required value was null." }): T {
    if (value == null) throw IllegalStateException(lazyMessage().toString())
    return value
}

fun error(message: Any): Nothing = throw IllegalStateException(message.toString())

fun TODO(reason: String = ""): Nothing = throw NotImplementedError("An operation is not implemented: " + reason)

operator fun Int.inc(): Int = this + 1

operator fun Int.dec(): Int = this - 1

operator fun Long.inc(): Long = this + 1

operator fun Long.dec(): Long = this - 1
