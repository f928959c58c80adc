package kotlinx.coroutines.flow

import kotlin.sequences.GeneratedSequence
import kotlin.sequences.SequenceScope
import kotlin.sequences.sequence

fun <T> flow(block: SequenceScope<T>.() -> Unit): GeneratedSequence<T> = sequence(block)

fun <T> channelFlow(block: SequenceScope<T>.() -> Unit): GeneratedSequence<T> = sequence(block)

fun <T> flowOf(vararg elements: T): GeneratedSequence<T> = sequence { yieldAll(elements) }

fun <T> emptyFlow(): GeneratedSequence<T> = sequence { }

fun <T> Iterable<T>.asFlow(): GeneratedSequence<T> {
    val all = this
    return sequence { yieldAll(all) }
}

/** Hands on what a flow gives before it fails; gives what it fails with. */
private fun <T> GeneratedSequence<T>.attempt(scope: SequenceScope<T>): Throwable? {
    val seen = mutableListOf<T>()
    val failure = runCatching { forEach { seen.add(it) } }.exceptionOrNull()
    scope.yieldAll(seen)
    return failure
}

fun <T> GeneratedSequence<T>.retryWhen(predicate: SequenceScope<T>.(Throwable, Long) -> Boolean): GeneratedSequence<T> {
    val upstream = this
    return sequence {
        var attempt = 0
        while (true) {
            val failure = upstream.attempt(this) ?: break
            if (!predicate(failure, attempt)) throw failure
            attempt++
        }
    }
}

fun <T> GeneratedSequence<T>.retry(
    retries: Long = 9223372036854775807,
    predicate: (Throwable) -> Boolean = { true },
): GeneratedSequence<T> = retryWhen { cause, attempt -> attempt < retries && predicate(cause) }

/** What is collected of it without an end is not followed. */
class MutableStateFlow<T>(var value: T) {
    fun emit(next: T) {
        value = next
    }

    fun tryEmit(next: T): Boolean {
        value = next
        return true
    }

    fun compareAndSet(expect: T, next: T): Boolean {
        val same = value == expect
        if (same) value = next
        return same
    }

    fun asStateFlow() = this

    fun first(): T = value
}

fun <T> MutableStateFlow<T>.update(function: (T) -> T) {
    value = function(value)
}

fun <T> MutableStateFlow<T>.updateAndGet(function: (T) -> T): T {
    value = function(value)
    return value
}

fun <T> MutableStateFlow<T>.getAndUpdate(function: (T) -> T): T {
    val before = value
    value = function(before)
    return before
}
