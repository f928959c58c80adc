package kotlin.sequences

/** A sequence without a bound: what ends it is computed at once, what does not is kept for each element. */
class GeneratedSequence<T>(private val first: () -> T?, private val following: (T) -> T?, private val stages: List<(Any) -> List<Any>>) {
    /** Elements until `enough` says that there are. */
    private fun until(enough: (List<T>) -> Boolean): List<T> {
        val result = mutableListOf<T>()
        var current = first()
        while (current != null) {
            var made: List<Any> = listOf(current)
            for (stage in stages) made = made.flatMap(stage)
            for (one in made) {
                result.add(one)
                if (enough(result)) return result
            }
            current = following(current)
        }
        return result
    }

    private fun with(stage: (Any) -> List<Any>): GeneratedSequence<T> = GeneratedSequence(first, following, stages + listOf(stage))

    fun <R> map(transform: (T) -> R): GeneratedSequence<R> = with { listOf(transform(it)) }

    fun <R> mapNotNull(transform: (T) -> R?): GeneratedSequence<R> = with { listOfNotNull(transform(it)) }

    fun filter(predicate: (T) -> Boolean): GeneratedSequence<T> = with { if (predicate(it)) listOf(it) else listOf() }

    fun onEach(action: (T) -> Unit): GeneratedSequence<T> = with {
        action(it)
        listOf(it)
    }

    fun toList(): List<T> = until { false }

    fun take(n: Int): List<T> = if (n == 0) listOf() else until { it.size == n }

    fun takeWhile(predicate: (T) -> Boolean): List<T> {
        val found = until { !predicate(it.last()) }
        return if (found.isEmpty() || predicate(found.last())) found else found.dropLast(1)
    }

    fun first(): T = until { true }.first()

    fun firstOrNull(): T? = until { true }.firstOrNull()

    fun first(predicate: (T) -> Boolean): T = until { predicate(it.last()) }.last()

    fun firstOrNull(predicate: (T) -> Boolean): T? = until { predicate(it.last()) }.lastOrNull(predicate)

    fun find(predicate: (T) -> Boolean): T? = firstOrNull(predicate)

    fun last(): T = toList().last()

    fun count(): Int = toList().size

    fun joinToString(separator: String = ", "): String = toList().joinToString(separator)

    fun forEach(action: (T) -> Unit) = toList().forEach(action)

    fun elementAt(index: Int): T = take(index + 1).last()
}

fun <T> generateSequence(seed: T?, nextFunction: (T) -> T?): GeneratedSequence<T> =
    GeneratedSequence({ seed }, nextFunction, listOf())

fun <T> generateSequence(nextFunction: () -> T?): GeneratedSequence<T> =
    GeneratedSequence(nextFunction, { nextFunction() }, listOf())
