package kotlin.sequences

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.launch

/** Thrown out of code that hands over elements when nobody wants more of them. */
class Enough : Throwable()

/** A sequence or flow: `elements` hands each element to a function, until that says false, each time anew. */
class GeneratedSequence<T>(private val elements: (visit: (T) -> Boolean) -> Unit) : Sequence<T>, Flow<T> {
    fun <R> map(transform: (T) -> R): GeneratedSequence<R> =
        GeneratedSequence { visit -> elements { visit(transform(it)) } }

    fun <R> mapNotNull(transform: (T) -> R?): GeneratedSequence<R> = map(transform).filterNotNull()

    fun <R> mapIndexed(transform: (Int, T) -> R): GeneratedSequence<R> = withIndex().map { (index, one) -> transform(index, one) }

    fun <R> mapIndexedNotNull(transform: (Int, T) -> R?): GeneratedSequence<R> = mapIndexed(transform).filterNotNull()

    fun filterIndexed(predicate: (Int, T) -> Boolean): GeneratedSequence<T> =
        withIndex().filter { (index, one) -> predicate(index, one) }.map { it.value }

    fun distinctBy(selector: (T) -> Any?): GeneratedSequence<T> = GeneratedSequence { visit ->
        val seen = mutableSetOf<Any?>()
        elements { if (seen.add(selector(it))) visit(it) else true }
    }

    fun onEachIndexed(action: (Int, T) -> Unit): GeneratedSequence<T> = mapIndexed { index, one ->
        action(index, one)
        one
    }

    fun <R> runningFold(initial: R, operation: (R, T) -> R): GeneratedSequence<R> = GeneratedSequence { visit ->
        var accumulator = initial
        if (visit(initial)) elements {
            accumulator = operation(accumulator, it)
            visit(accumulator)
        }
    }

    fun <R> zipWithNext(transform: (T, T) -> R = { a, b -> Pair(a, b) }): GeneratedSequence<R> = GeneratedSequence { visit ->
        var before: T? = null
        var first = true
        elements {
            val more = if (first) true else visit(transform(before, it))
            first = false
            before = it
            more
        }
    }

    fun filter(predicate: (T) -> Boolean): GeneratedSequence<T> =
        GeneratedSequence { visit -> elements { if (predicate(it)) visit(it) else true } }

    fun filterNot(predicate: (T) -> Boolean): GeneratedSequence<T> = filter { !predicate(it) }

    fun filterNotNull(): GeneratedSequence<T> = filter { it != null }

    fun <R> flatMap(transform: (T) -> Iterable<R>): GeneratedSequence<R> = map(transform).flatten()

    fun flatten(): GeneratedSequence<Any> = GeneratedSequence { visit ->
        elements { inner ->
            var more = true
            for (one in inner) if (more) more = visit(one)
            more
        }
    }

    fun onEach(action: (T) -> Unit): GeneratedSequence<T> = map {
        action(it)
        it
    }

    fun take(n: Int): GeneratedSequence<T> = GeneratedSequence { visit ->
        var left = n
        if (n > 0) elements {
            left--
            visit(it) && left > 0
        }
    }

    fun takeWhile(predicate: (T) -> Boolean): GeneratedSequence<T> =
        GeneratedSequence { visit -> elements { if (predicate(it)) visit(it) else false } }

    fun drop(n: Int): GeneratedSequence<T> = GeneratedSequence { visit ->
        var left = n
        elements { if (left-- > 0) true else visit(it) }
    }

    fun dropWhile(predicate: (T) -> Boolean): GeneratedSequence<T> = GeneratedSequence { visit ->
        var dropping = true
        elements {
            if (dropping) dropping = predicate(it)
            if (dropping) true else visit(it)
        }
    }

    fun withIndex(): GeneratedSequence<IndexedValue<T>> = GeneratedSequence { visit ->
        var index = 0
        elements { visit(IndexedValue(index++, it)) }
    }

    fun distinct(): GeneratedSequence<T> = GeneratedSequence { visit ->
        val seen = mutableSetOf<T>()
        elements { if (seen.add(it)) visit(it) else true }
    }

    fun chunked(size: Int, transform: (List<T>) -> Any = { it }): GeneratedSequence<Any> = GeneratedSequence { visit ->
        var chunk = mutableListOf<T>()
        var more = true
        elements {
            chunk.add(it)
            if (chunk.size == size) {
                more = visit(transform(chunk))
                chunk = mutableListOf()
            }
            more
        }
        if (more && chunk.size > 0) visit(transform(chunk))
    }

    operator fun plus(other: Any): GeneratedSequence<T> = GeneratedSequence { visit ->
        var more = true
        elements {
            more = visit(it)
            more
        }
        if (other is Iterable<*> || other is Sequence<*>) {
            for (one in other) if (more) more = visit(one)
        } else if (more) visit(other)
    }

    fun asSequence(): GeneratedSequence<T> = this

    fun toList(): List<T> {
        val result = mutableListOf<T>()
        elements {
            result.add(it)
            true
        }
        return result
    }

    operator fun iterator(): Iterator<T> = toList().iterator()

    fun forEach(action: (T) -> Unit) = elements {
        action(it)
        true
    }

    fun firstOrNull(predicate: (T) -> Boolean = { true }): T? {
        var found: T? = null
        elements {
            val fits = predicate(it)
            if (fits) found = it
            !fits
        }
        return found
    }

    fun first(predicate: (T) -> Boolean = { true }): T =
        firstOrNull(predicate) ?: throw NoSuchElementException("Sequence contains no element matching the predicate.")

    fun find(predicate: (T) -> Boolean): T? = firstOrNull(predicate)

    fun any(predicate: (T) -> Boolean = { true }): Boolean {
        var found = false
        elements {
            found = predicate(it)
            !found
        }
        return found
    }

    fun none(predicate: (T) -> Boolean = { true }): Boolean = !any(predicate)

    operator fun contains(element: T): Boolean = any { it == element }

    fun elementAt(index: Int): T = drop(index).first()

    fun collect(action: (T) -> Unit = {}) = forEach(action)

    fun collectLatest(action: (T) -> Unit) = forEach(action)

    fun collectIndexed(action: (Int, T) -> Unit) = withIndex().forEach { (index, one) -> action(index, one) }

    fun launchIn(scope: CoroutineScope) = scope.launch { collect() }

    fun <R> flatMapConcat(transform: (T) -> Any): GeneratedSequence<R> = flatMap(transform)

    fun <R> transform(block: SequenceScope<R>.(T) -> Unit): GeneratedSequence<R> = GeneratedSequence { visit ->
        elements {
            var more = true
            block(SequenceScope({ made ->
                more = visit(made)
                more
            }), it)
            more
        }
    }

    fun <R> fold(initial: R, operation: (R, T) -> R): R = toList().fold(initial, operation)

    fun flowOn(context: Any?): GeneratedSequence<T> = this

    fun buffer(capacity: Int = 0): GeneratedSequence<T> = this

    fun onStart(action: SequenceScope<T>.() -> Unit): GeneratedSequence<T> = GeneratedSequence { visit ->
        action(SequenceScope(visit))
        elements(visit)
    }

    fun onCompletion(action: SequenceScope<T>.(Throwable?) -> Unit): GeneratedSequence<T> = GeneratedSequence { visit ->
        var failed: Throwable? = null
        try {
            elements(visit)
        } catch (e: Exception) {
            failed = e
        }
        try {
            action(SequenceScope(visit), failed)
        } catch (enough: Enough) {
        }
        if (failed != null) throw failed
    }

    fun catch(action: SequenceScope<T>.(Throwable) -> Unit): GeneratedSequence<T> = GeneratedSequence { visit ->
        try {
            elements(visit)
        } catch (e: Exception) {
            var ended = false
            try {
                action(SequenceScope(visit), e)
            } catch (enough: Enough) {
                ended = true
            }
        }
    }
}

/** What `sequence { … }` and `flow { … }` run on. */
class SequenceScope<T>(private val visit: (T) -> Boolean) {
    fun yield(value: T) {
        if (!visit(value)) throw Enough()
    }

    fun yieldAll(elements: Any) {
        for (one in elements) this.yield(one)
    }

    fun emit(value: T) = this.yield(value)

    fun emitAll(elements: Any) = this.yieldAll(elements)

    fun send(value: T) = this.yield(value)

    fun trySend(value: T) = this.yield(value)
}

/** What `asSequence()` of a list is where functions on its elements do more than give a value: each runs when its element comes. */
fun <T> drawnFrom(items: Iterable<T>): GeneratedSequence<T> = GeneratedSequence { visit ->
    var more = true
    for (one in items) if (more) more = visit(one)
}

fun <T> sequence(block: SequenceScope<T>.() -> Unit): GeneratedSequence<T> = GeneratedSequence { visit ->
    var ended = false
    try {
        block(SequenceScope(visit))
    } catch (e: Enough) {
        ended = true
    }
}

fun <T> iterator(block: SequenceScope<T>.() -> Unit): Iterator<T> = sequence(block).iterator()

fun <T> generateSequence(seed: Any?, nextFunction: (T) -> T?): GeneratedSequence<T> = GeneratedSequence { visit ->
    var current = if (seed is Function<*>) seed() else seed
    while (current != null && visit(current)) current = nextFunction(current)
}

fun <T> generateSequence(nextFunction: () -> T?): GeneratedSequence<T> = GeneratedSequence { visit ->
    var current = nextFunction()
    while (current != null && visit(current)) current = nextFunction()
}
