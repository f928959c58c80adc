package kotlin.collections

data class IndexedValue<T>(val index: Int, val value: T)

inline fun <E> buildList(capacity: Int = 10, builderAction: MutableList<E>.() -> Unit): List<E> =
    mutableListOf<E>().apply(builderAction)

inline fun <E> buildSet(capacity: Int = 10, builderAction: MutableSet<E>.() -> Unit): Set<E> =
    mutableSetOf<E>().apply(builderAction)

inline fun <K, V> buildMap(capacity: Int = 10, builderAction: MutableMap<K, V>.() -> Unit): Map<K, V> =
    mutableMapOf<K, V>().apply(builderAction)

/** What native code does not have, over its lists, sets, maps and arrays. */
fun <T> Iterable<T>.filterNot(predicate: (T) -> Boolean): List<T> = filter { !predicate(it) }

fun <T, R> Iterable<T>.mapNotNull(transform: (T) -> R?): List<R> = map(transform).filterNotNull()

fun <T> Iterable<T>.joinToString(
    separator: CharSequence = ", ",
    prefix: CharSequence = "",
    postfix: CharSequence = "",
    limit: Int = -1,
    truncated: CharSequence = "...",
    transform: (T) -> Any? = { it },
): String {
    val all = toList()
    val shown = if (limit < 0 || all.size <= limit) all.map(transform) else all.take(limit).map(transform).plusElement(truncated)
    val joined = java.lang.String.join(separator, shown)
    return if (prefix == "" && postfix == "") joined else "$prefix$joined$postfix"
}

fun <T> MutableList<T>.removeFirstOrNull(): T? = if (isEmpty()) null else removeFirst()

fun <T> MutableList<T>.removeLastOrNull(): T? = if (isEmpty()) null else removeLast()

fun <T> Iterable<T>.toSortedSet(): Set<T> = java.util.TreeSet(this)

fun <T> Iterable<T>.toSortedSet(comparator: Comparator<T>): Set<T> {
    val result = java.util.TreeSet(comparator)
    result.addAll(this)
    return result
}

fun <T> Iterable<T>.partition(predicate: (T) -> Boolean): Pair<List<T>, List<T>> {
    val (first, second) = Pair(mutableListOf<T>(), mutableListOf<T>())
    for (element in this) if (predicate(element)) first.add(element) else second.add(element)
    return Pair(first, second)
}

fun <T> Iterable<T>.forEachIndexed(action: (Int, T) -> Unit) {
    var index = 0
    for (element in this) action(index++, element)
}

fun <T, R> Iterable<T>.mapIndexed(transform: (Int, T) -> R): List<R> {
    var index = 0
    return map { transform(index++, it) }
}

fun <T> Iterable<T>.withIndex(): List<IndexedValue<T>> = mapIndexed { index, element -> IndexedValue(index, element) }

fun <T, R, V> Iterable<T>.zip(other: Iterable<R>, transform: (T, R) -> V = { a, b -> Pair(a, b) }): List<V> {
    val others = other.toList()
    return take(others.size).mapIndexed { index, element -> transform(element, others[index]) }
}

fun <T> Iterable<Iterable<T>>.flatten(): List<T> = flatMap { it }

fun <T, K> Iterable<T>.distinctBy(selector: (T) -> K): List<T> {
    val seen = mutableSetOf<K>()
    return filter { seen.add(selector(it)) }
}

fun <T, K, V> Iterable<T>.associate(transform: (T) -> Pair<K, V>): Map<K, V> = associateTo(linkedMapOf<K, V>(), transform)

fun <K, V> Iterable<Pair<K, V>>.toMap(): Map<K, V> = associate { it }

fun <K, V, M : MutableMap<K, V>> Iterable<Pair<K, V>>.toMap(destination: M): M = associateTo(destination) { it }

fun <K, V, M : MutableMap<K, V>> Map<K, V>.toMap(destination: M): M = destination.apply { putAll(this@toMap) }

fun <T, V> Iterable<T>.associateWith(valueSelector: (T) -> V): Map<T, V> = associateWithTo(linkedMapOf<T, V>(), valueSelector)

fun <T, K> Iterable<T>.associateBy(keySelector: (T) -> K): Map<K, T> = associateByTo(linkedMapOf<K, T>(), keySelector)

fun <T, K, V> Iterable<T>.associateBy(keySelector: (T) -> K, valueTransform: (T) -> V): Map<K, V> =
    associate { Pair(keySelector(it), valueTransform(it)) }

fun <T, K> Iterable<T>.groupBy(keySelector: (T) -> K): Map<K, List<T>> = groupBy(keySelector, { it })

fun <T, K, V> Iterable<T>.groupBy(keySelector: (T) -> K, valueTransform: (T) -> V): Map<K, List<V>> {
    val result = linkedMapOf<K, MutableList<V>>()
    for (element in this) result.getOrPut(keySelector(element)) { mutableListOf() }.add(valueTransform(element))
    return result
}

fun <T, R> Iterable<T>.fold(initial: R, operation: (R, T) -> R): R {
    var accumulator = initial
    for (element in this) accumulator = operation(accumulator, element)
    return accumulator
}

fun <T> Iterable<T>.reduce(operation: (T, T) -> T): T {
    if (none()) throw UnsupportedOperationException("Empty collection can't be reduced.")
    return drop(1).fold(first(), operation)
}

fun <T> Iterable<T>.sumOf(selector: (T) -> Int): Int = fold(0) { sum, element -> sum + selector(element) }

fun <T> Iterable<T>.count(predicate: (T) -> Boolean): Int = filter(predicate).size

fun <T> Iterable<T>.elementAtOrNull(index: Int): T? = getOrElse(index) { null }

fun <T> List<T>.getOrNull(index: Int): T? = if (index >= 0 && index < size) get(index) else null

fun <T> Iterable<T>.getOrElse(index: Int, defaultValue: (Int) -> T): T =
    if (index >= 0 && index < count()) elementAt(index) else defaultValue(index)

fun <T> Iterable<T>.sorted(): List<T> = sortedWith(naturalOrder())

fun <T> Iterable<T>.sortedDescending(): List<T> = sortedWith(reverseOrder())

fun <T> Iterable<T>.sortedBy(selector: (T) -> Any?): List<T> = sortedWith(compareBy(selector))

fun <T> Iterable<T>.sortedByDescending(selector: (T) -> Any?): List<T> = sortedWith(compareByDescending(selector))

fun <T> Iterable<T>.minOrNull(): T? = sorted().firstOrNull()

fun <T> Iterable<T>.maxOrNull(): T? = sortedDescending().firstOrNull()

fun <T> Iterable<T>.min(): T = sorted().first()

fun <T> Iterable<T>.max(): T = sortedDescending().first()

fun <T> Iterable<T>.minByOrNull(selector: (T) -> Any): T? = sortedBy(selector).firstOrNull()

fun <T> Iterable<T>.maxByOrNull(selector: (T) -> Any): T? = sortedByDescending(selector).firstOrNull()

fun <T> Iterable<T>.minBy(selector: (T) -> Any): T = sortedBy(selector).first()

fun <T> Iterable<T>.maxBy(selector: (T) -> Any): T = sortedByDescending(selector).first()

fun <T> List<T>.dropLast(n: Int): List<T> = take((size - n).coerceAtLeast(0))

fun <T> List<T>.takeLast(n: Int): List<T> = drop((size - n).coerceAtLeast(0))

fun <T> Iterable<T>.chunked(size: Int, transform: (List<T>) -> Any = { it }): List<Any> = windowed(size, size, true, transform)

fun <T> Collection<T>.ifEmpty(defaultValue: () -> Collection<T>): Collection<T> = if (isEmpty()) defaultValue() else this

fun <T, R> Iterable<T>.runningFold(initial: R, operation: (R, T) -> R): List<R> {
    val result = mutableListOf(initial)
    var accumulator = initial
    for (element in this) {
        accumulator = operation(accumulator, element)
        result.add(accumulator)
    }
    return result
}

fun <T, R> Iterable<T>.scan(initial: R, operation: (R, T) -> R): List<R> = runningFold(initial, operation)

fun <T, R> Iterable<T>.foldIndexed(initial: R, operation: (Int, R, T) -> R): R {
    var accumulator = initial
    var index = 0
    for (element in this) accumulator = operation(index++, accumulator, element)
    return accumulator
}

fun <T> Iterable<T>.reduceOrNull(operation: (T, T) -> T): T? = if (none()) null else reduce(operation)

fun <T, R> List<T>.foldRight(initial: R, operation: (T, R) -> R): R {
    var accumulator = initial
    for (element in this.reversed()) accumulator = operation(element, accumulator)
    return accumulator
}

fun <T, R> Iterable<T>.mapIndexedNotNull(transform: (Int, T) -> R?): List<R> {
    val result = mutableListOf<R>()
    forEachIndexed { index, element ->
        val made = transform(index, element)
        if (made != null) result.add(made)
    }
    return result
}

fun <T> Iterable<T>.filterIndexed(predicate: (Int, T) -> Boolean): List<T> {
    val result = mutableListOf<T>()
    forEachIndexed { index, element -> if (predicate(index, element)) result.add(element) }
    return result
}

fun <T, R> Iterable<T>.flatMapIndexed(transform: (Int, T) -> Iterable<R>): List<R> {
    val result = mutableListOf<R>()
    forEachIndexed { index, element -> result.addAll(transform(index, element)) }
    return result
}

fun <T> Iterable<T>.onEachIndexed(action: (Int, T) -> Unit): Iterable<T> {
    forEachIndexed(action)
    return this
}

fun <A, B> Iterable<Pair<A, B>>.unzip(): Pair<List<A>, List<B>> {
    val firsts = mutableListOf<A>()
    val seconds = mutableListOf<B>()
    for ((first, second) in this) {
        firsts.add(first)
        seconds.add(second)
    }
    return Pair(firsts, seconds)
}

fun <T, R> Iterable<T>.zipWithNext(transform: (T, T) -> R = { a, b -> Pair(a, b) }): List<R> {
    val result = mutableListOf<R>()
    val all = toList()
    for (index in 1 until all.size) result.add(transform(all[index - 1], all[index]))
    return result
}

fun <T> Iterable<T>.windowed(
    size: Int,
    step: Int = 1,
    partialWindows: Boolean = false,
    transform: (List<T>) -> Any = { it },
): List<Any> {
    val result = mutableListOf<Any>()
    val all = toList()
    for (start in 0 until all.size step step) {
        if (start + size <= all.size || partialWindows) result.add(transform(all.drop(start).take(size)))
    }
    return result
}

fun <T> Iterable<T>.minOf(selector: (T) -> Any): Any = map(selector).min()

fun <T> Iterable<T>.maxOf(selector: (T) -> Any): Any = map(selector).max()

fun <T> Iterable<T>.minOfOrNull(selector: (T) -> Any): Any? = map(selector).minOrNull()

fun <T> Iterable<T>.maxOfOrNull(selector: (T) -> Any): Any? = map(selector).maxOrNull()

fun <T> Iterable<T>.maxWith(comparator: Comparator<T>): T = reduce { most, one -> if (comparator.compare(most, one) < 0) one else most }

fun <T> Iterable<T>.minWith(comparator: Comparator<T>): T = sortedWith(comparator).first()

fun <T> Iterable<T>.indexOfFirst(predicate: (T) -> Boolean): Int {
    var index = 0
    for (element in this) {
        if (predicate(element)) return index
        index++
    }
    return -1
}

fun <T> Iterable<T>.indexOfLast(predicate: (T) -> Boolean): Int {
    var last = -1
    forEachIndexed { index, element -> if (predicate(element)) last = index }
    return last
}

fun <T> List<T>.takeLastWhile(predicate: (T) -> Boolean): List<T> = reversed().takeWhile(predicate).reversed()

fun <T> List<T>.dropLastWhile(predicate: (T) -> Boolean): List<T> = reversed().dropWhile(predicate).reversed()

fun <T> List<T>.slice(indices: Iterable<Int>): List<T> = indices.map { this[it] }

fun <T> Iterable<T>.union(other: Iterable<T>): Set<T> = (toList() + other).toSet()

fun <T> Iterable<T>.intersect(other: Iterable<T>): Set<T> = filter { it in other }.toSet()

fun <T> Iterable<T>.subtract(other: Iterable<T>): Set<T> = filter { it !in other }.toSet()

fun <T> Iterable<T>.firstNotNullOf(transform: (T) -> Any?): Any =
    firstNotNullOfOrNull(transform) ?: throw NoSuchElementException()

/** `?:` for each: what a variable of the environment gives where it is set has the next one as its default. */
fun <T> Iterable<T>.firstNotNullOfOrNull(transform: (T) -> Any?): Any? {
    val all = toList()
    return if (all.isEmpty()) null else transform(all.first()) ?: all.drop(1).firstNotNullOfOrNull(transform)
}

fun <K, V, R> Map<K, V>.firstNotNullOfOrNull(transform: (Any) -> R?): R? = entries.toList().firstNotNullOfOrNull(transform)

fun <T> MutableList<T>.sortBy(selector: (T) -> Any?) {
    val ordered = sortedBy(selector)
    clear()
    addAll(ordered)
}

fun <T> MutableList<T>.sortByDescending(selector: (T) -> Any?) {
    val ordered = sortedByDescending(selector)
    clear()
    addAll(ordered)
}

fun <T> MutableList<T>.sortWith(comparator: Comparator<T>) {
    val ordered = sortedWith(comparator)
    clear()
    addAll(ordered)
}

fun <T> MutableList<T>.reverse() {
    val ordered = reversed()
    clear()
    addAll(ordered)
}

private fun <T> List<T>.placeBy(first: Int, end: Int, comparison: (T) -> Int): Int {
    var low = first
    var high = end - 1
    while (low <= high) {
        val middle = (low + high) / 2
        val found = comparison(get(middle))
        if (found < 0) low = middle + 1 else if (found > 0) high = middle - 1 else return middle
    }
    return -(low + 1)
}

fun <T> List<T>.binarySearch(comparison: (T) -> Int): Int = placeBy(0, size, comparison)

fun <T> List<T>.binarySearch(element: T): Int = this.binarySearch(element, naturalOrder())

fun <T> List<T>.binarySearch(element: T, comparator: Comparator<T>): Int = placeBy(0, size) { comparator.compare(it, element) }

fun <T, K> List<T>.binarySearchBy(key: K?, fromIndex: Int = 0, toIndex: Int = size, selector: (T) -> K?): Int =
    placeBy(fromIndex, toIndex) { compareValues(selector(it), key) }

class Grouping<T, K>(private val elements: Iterable<T>, private val key: (T) -> K) {
    fun <R> aggregate(operation: (K, R?, T, Boolean) -> R): Map<K, R> {
        val made = linkedMapOf<K, R>()
        for (element in elements) {
            val own = key(element)
            made[own] = operation(own, made[own], element, own !in made)
        }
        return made
    }

    fun eachCount(): Map<K, Int> = elements.groupBy(key).mapValues { it.value.size }

    fun <R> fold(initialValue: R, operation: (R, T) -> R): Map<K, R> =
        elements.groupBy(key).mapValues { it.value.fold(initialValue, operation) }

    fun reduce(operation: (K, T, T) -> T): Map<K, T> =
        elements.groupBy(key).mapValues { (k, all) -> all.reduce { a, b -> operation(k, a, b) } }
}

fun <T, K> Iterable<T>.groupingBy(keySelector: (T) -> K): Grouping<T, K> = Grouping(this, keySelector)

fun <T, R> Iterable<T>.mapTo(destination: MutableCollection<R>, transform: (T) -> R): MutableCollection<R> {
    for (element in this) destination.add(transform(element))
    return destination
}

fun <T, R> Iterable<T>.mapIndexedTo(destination: MutableCollection<R>, transform: (Int, T) -> R): MutableCollection<R> {
    forEachIndexed { index, element -> destination.add(transform(index, element)) }
    return destination
}

fun <T, R> Iterable<T>.mapNotNullTo(destination: MutableCollection<R>, transform: (T) -> R?): MutableCollection<R> {
    destination.addAll(mapNotNull(transform))
    return destination
}

fun <T, R> Iterable<T>.flatMapTo(destination: MutableCollection<R>, transform: (T) -> Iterable<R>): MutableCollection<R> {
    for (element in this) destination.addAll(transform(element))
    return destination
}

fun <T> Iterable<T>.filterTo(destination: MutableCollection<T>, predicate: (T) -> Boolean): MutableCollection<T> {
    for (element in this) if (predicate(element)) destination.add(element)
    return destination
}

fun <T> Iterable<T>.filterNotTo(destination: MutableCollection<T>, predicate: (T) -> Boolean): MutableCollection<T> =
    filterTo(destination) { !predicate(it) }

fun <T> Iterable<T>.filterNotNullTo(destination: MutableCollection<T>): MutableCollection<T> = filterTo(destination) { it != null }

fun <T, K, V> Iterable<T>.associateTo(destination: MutableMap<K, V>, transform: (T) -> Pair<K, V>): MutableMap<K, V> {
    for (element in this) {
        val (key, value) = transform(element)
        destination.put(key, value)
    }
    return destination
}

fun <T, K> Iterable<T>.associateByTo(destination: MutableMap<K, T>, keySelector: (T) -> K): MutableMap<K, T> {
    for (element in this) destination.put(keySelector(element), element)
    return destination
}

fun <K, V> Iterable<K>.associateWithTo(destination: MutableMap<K, V>, valueSelector: (K) -> V): MutableMap<K, V> {
    for (element in this) destination.put(element, valueSelector(element))
    return destination
}

fun <T, K> Iterable<T>.groupByTo(destination: MutableMap<K, MutableList<T>>, keySelector: (T) -> K): MutableMap<K, MutableList<T>> {
    for (element in this) destination.getOrPut(keySelector(element)) { mutableListOf() }.add(element)
    return destination
}

fun <T> Iterable<T>.reduceIndexed(operation: (Int, T, T) -> T): T {
    val all = toList()
    var accumulator = all.first()
    for (index in 1 until all.size) accumulator = operation(index, accumulator, all[index])
    return accumulator
}

fun <T> Iterable<T>.runningReduce(operation: (T, T) -> T): List<T> {
    val all = toList()
    return if (all.isEmpty()) all else all.drop(1).runningFold(all.first(), operation)
}

fun <T> List<T>.reduceRight(operation: (T, T) -> T): T = dropLast(1).foldRight(last(), operation)

fun <T, R> List<T>.foldRightIndexed(initial: R, operation: (Int, T, R) -> R): R {
    var accumulator = initial
    for (index in indices.reversed()) accumulator = operation(index, this[index], accumulator)
    return accumulator
}

fun <T> Iterable<T>.maxWithOrNull(comparator: Comparator<T>): T? = if (none()) null else maxWith(comparator)

fun <T> Iterable<T>.minWithOrNull(comparator: Comparator<T>): T? = sortedWith(comparator).firstOrNull()

fun <T> List<T>.elementAtOrElse(index: Int, defaultValue: (Int) -> T): T = getOrElse(index, defaultValue)

fun <T> Iterable<T>.plusElement(element: T): List<T> {
    val result = toMutableList()
    result.add(element)
    return result
}

fun <K, V, R> Map<K, V>.mapValues(transform: (Map.Entry<K, V>) -> R): Map<K, R> =
    entries.associateTo(linkedMapOf()) { Pair(it.key, transform(it)) }

fun <K, V, R> Map<K, V>.mapKeys(transform: (Map.Entry<K, V>) -> R): Map<R, V> =
    entries.associateTo(linkedMapOf()) { Pair(transform(it), it.value) }

fun <K, V> Map<K, V>.filter(predicate: (Map.Entry<K, V>) -> Boolean): Map<K, V> {
    val result = linkedMapOf<K, V>()
    for (entry in entries) if (predicate(entry)) result.put(entry.key, entry.value)
    return result
}

fun <K, V> Map<K, V>.filterNot(predicate: (Map.Entry<K, V>) -> Boolean): Map<K, V> = filter { !predicate(it) }

fun <K, V> Map<K, V>.filterKeys(predicate: (K) -> Boolean): Map<K, V> = filter { predicate(it.key) }

fun <K, V> Map<K, V>.filterValues(predicate: (V) -> Boolean): Map<K, V> = filter { predicate(it.value) }

fun <K, V, R> Map<K, V>.mapTo(destination: MutableCollection<R>, transform: (Any) -> R): MutableCollection<R> =
    entries.toList().mapTo(destination, transform)

fun <T> Iterable<T>.average(): Double = if (none()) 0.0 / 0.0 else sum().toDouble() / count()

fun <T> Array<T>.contentToString(): String = joinToString(prefix = "[", postfix = "]")

fun <T> Array<T>.sortedArray(): Array<T> = sorted().toTypedArray()

fun <T> Array<T>.contentEquals(other: Array<T>): Boolean = toList() == other.toList()

fun <T> setOfNotNull(vararg elements: T?): Set<T> = elements.filterNotNull().toSet()

fun <T, A> Iterable<T>.joinTo(
    buffer: A,
    separator: CharSequence = ", ",
    prefix: CharSequence = "",
    postfix: CharSequence = "",
    limit: Int = -1,
    truncated: CharSequence = "...",
    transform: (T) -> Any? = { it },
): A {
    buffer.append(joinToString(separator, prefix, postfix, limit, truncated, transform))
    return buffer
}

fun <T> Array<T>.copyOf(): Array<T> = java.util.Arrays.copyOf(this, this.size)

fun <T> Array<T>.copyOf(newSize: Int): Array<T> = java.util.Arrays.copyOf(this, newSize)

fun <T> Array<T>.copyOfRange(fromIndex: Int, toIndex: Int): Array<T> = java.util.Arrays.copyOfRange(this, fromIndex, toIndex)

fun <T> Array<T>.contentHashCode(): Int = java.util.Arrays.hashCode(this)

fun <T> Array<T>.sortDescending() {
    sort()
    reverse()
}

fun <T> Array<T>.reverse() {
    var low = 0
    var high = size - 1
    while (low < high) {
        val held = this[low]
        this[low] = this[high]
        this[high] = held
        low++
        high--
    }
}

fun <T, K> Grouping<T, K>.eachCountTo(destination: MutableMap<K, Int>): MutableMap<K, Int> {
    for ((key, count) in eachCount()) destination[key] = (destination[key] ?: 0) + count
    return destination
}

fun <T, R> Iterable<T>.maxOfWith(comparator: Comparator<R>, selector: (T) -> R): R = map(selector).maxWith(comparator)

fun <T, R> Iterable<T>.minOfWith(comparator: Comparator<R>, selector: (T) -> R): R = map(selector).minWith(comparator)

fun <T> Iterable<T>.minusElement(element: T): List<T> = minus(element)

fun <T> List<T>.reduceRightOrNull(operation: (T, T) -> T): T? = if (isEmpty()) null else reduceRight(operation)

fun <T> Iterable<T>.reduceIndexedOrNull(operation: (Int, T, T) -> T): T? = if (none()) null else reduceIndexed(operation)

fun <T> Iterable<T>.requireNoNulls(): Iterable<T> {
    for (element in this) if (element == null) throw IllegalArgumentException("null element found in $this.")
    return this
}

fun <T, R> Iterable<T>.runningFoldIndexed(initial: R, operation: (Int, R, T) -> R): List<R> {
    var index = 0
    return runningFold(initial) { accumulator, element -> operation(index++, accumulator, element) }
}

fun <T, R> Iterable<T>.scanIndexed(initial: R, operation: (Int, R, T) -> R): List<R> = runningFoldIndexed(initial, operation)

fun <T> Iterable<T>.runningReduceIndexed(operation: (Int, T, T) -> T): List<T> {
    val all = toList()
    return if (all.isEmpty()) all else all.drop(1).runningFoldIndexed(all.first()) { index, a, b -> operation(index + 1, a, b) }
}

fun <T> Array<T>.sliceArray(indices: Iterable<Int>): Array<T> = slice(indices).toTypedArray()

fun <T> Array<T>.reversedArray(): Array<T> = reversed().toTypedArray()

fun <T> Array<T>.fill(element: T, fromIndex: Int = 0, toIndex: Int = size) {
    for (index in fromIndex until toIndex) this[index] = element
}

fun <T> MutableList<T>.fill(value: T) {
    for (index in 0 until size) this[index] = value
}

fun <T> MutableList<T>.sortDescending() {
    val ordered = sortedDescending()
    clear()
    addAll(ordered)
}

fun <T> Iterable<T>.sumBy(selector: (T) -> Int): Int = sumOf(selector)

fun <K, V> Map<K, V>.ifEmpty(defaultValue: () -> Map<K, V>): Map<K, V> = if (isEmpty()) defaultValue() else this

fun <K, V, M : MutableMap<K, V>> Map<K, V>.filterTo(destination: M, predicate: (Map.Entry<K, V>) -> Boolean): M =
    destination.apply { putAll(this@filterTo.filter(predicate)) }

fun <K, V, R, M : MutableMap<K, R>> Map<K, V>.mapValuesTo(destination: M, transform: (Map.Entry<K, V>) -> R): M =
    destination.apply { putAll(this@mapValuesTo.mapValues(transform)) }

fun <K, V, R, M : MutableMap<R, V>> Map<K, V>.mapKeysTo(destination: M, transform: (Map.Entry<K, V>) -> R): M =
    destination.apply { putAll(this@mapKeysTo.mapKeys(transform)) }

fun <T> Array<T>.contentDeepToString(): String = map { if (it is Array<*>) it.contentDeepToString() else it }.toString()
