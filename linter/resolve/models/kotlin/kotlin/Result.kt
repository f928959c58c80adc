package kotlin

/** What `runCatching` gives: a value, or the exception in its place. */
class Result<T> private constructor(private val value: T?, private val error: Throwable?) {
    companion object {
        fun <T> success(value: T): Result<T> = Result(value, null)
        fun <T> failure(exception: Throwable): Result<T> = Result(null, exception)
    }

    val isSuccess: Boolean get() = error == null
    val isFailure: Boolean get() = error != null

    fun getOrNull(): T? = if (error == null) value else null

    fun exceptionOrNull(): Throwable? = error

    fun getOrThrow(): T {
        if (error != null) throw error
        return value
    }

    fun getOrDefault(defaultValue: T): T = if (error == null) value else defaultValue

    inline fun getOrElse(onFailure: (Throwable) -> T): T = if (error == null) value else onFailure(error)

    inline fun <R> fold(onSuccess: (T) -> R, onFailure: (Throwable) -> R): R =
        if (error == null) onSuccess(value) else onFailure(error)

    inline fun <R> map(transform: (T) -> R): Result<R> = if (error == null) success(transform(value)) else failure(error)

    inline fun <R> mapCatching(transform: (T) -> R): Result<R> =
        if (error == null) runCatching { transform(value) } else failure(error)

    inline fun recover(transform: (Throwable) -> T): Result<T> = if (error == null) this else success(transform(error))

    inline fun recoverCatching(transform: (Throwable) -> T): Result<T> =
        if (error == null) this else runCatching { transform(error) }

    inline fun onSuccess(action: (T) -> Unit): Result<T> {
        if (error == null) action(value)
        return this
    }

    inline fun onFailure(action: (Throwable) -> Unit): Result<T> {
        if (error != null) action(error)
        return this
    }
}

inline fun <R> runCatching(block: () -> R): Result<R> =
    try {
        Result.success(block())
    } catch (e: Throwable) {
        Result.failure(e)
    }

inline fun <T, R> T.runCatching(block: T.() -> R): Result<R> =
    try {
        Result.success(block(this))
    } catch (e: Throwable) {
        Result.failure(e)
    }
