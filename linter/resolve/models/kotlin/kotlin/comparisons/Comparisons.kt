package kotlin.comparisons

fun <T> compareValues(a: T?, b: T?): Int =
    if (a == null && b == null) 0 else if (a == null) -1 else if (b == null) 1 else a.compareTo(b)

fun <T> compareValuesBy(a: T, b: T, vararg selectors: (T) -> Any?): Int {
    for (selector in selectors) {
        val found = compareValues(selector(a), selector(b))
        if (found != 0) return found
    }
    return 0
}

fun <T> compareBy(vararg selectors: (T) -> Any?): Comparator<T> = Comparator { a, b -> compareValuesBy(a, b, *selectors) }

fun <T, K> compareBy(comparator: Comparator<K>, selector: (T) -> K): Comparator<T> =
    Comparator { a, b -> comparator.compare(selector(a), selector(b)) }

fun <T, K> compareByDescending(comparator: Comparator<K>, selector: (T) -> K): Comparator<T> =
    Comparator { a, b -> comparator.compare(selector(b), selector(a)) }

fun <T> nullsFirst(comparator: Comparator<T> = naturalOrder()): Comparator<T?> =
    Comparator { a, b -> if (a == null && b == null) 0 else if (a == null) -1 else if (b == null) 1 else comparator.compare(a, b) }

fun <T> nullsLast(comparator: Comparator<T> = naturalOrder()): Comparator<T?> =
    Comparator { a, b -> if (a == null && b == null) 0 else if (a == null) 1 else if (b == null) -1 else comparator.compare(a, b) }

fun <T> compareByDescending(selector: (T) -> Any?): Comparator<T> =
    Comparator { a, b -> compareValues(selector(b), selector(a)) }

fun <T> naturalOrder(): Comparator<T> = Comparator { a, b -> compareValues(a, b) }

fun <T> reverseOrder(): Comparator<T> = Comparator { a, b -> compareValues(b, a) }

fun <T> Comparator<T>.then(other: Comparator<T>): Comparator<T> {
    val first = this
    return Comparator { a, b ->
        val found = first.compare(a, b)
        if (found != 0) found else other.compare(a, b)
    }
}

fun <T> Comparator<T>.thenBy(selector: (T) -> Any?): Comparator<T> = then(compareBy(selector))

fun <T, K> Comparator<T>.thenBy(comparator: Comparator<K>, selector: (T) -> K): Comparator<T> = then(compareBy(comparator, selector))

fun <T, K> Comparator<T>.thenByDescending(comparator: Comparator<K>, selector: (T) -> K): Comparator<T> =
    then(compareByDescending(comparator, selector))

fun <T> Comparator<T>.thenDescending(other: Comparator<T>): Comparator<T> = then(other.reversed())

fun <T> Comparator<T>.thenByDescending(selector: (T) -> Any?): Comparator<T> = then(compareByDescending(selector))

fun <T> Comparator<T>.thenComparing(other: Comparator<T>): Comparator<T> = then(other)

fun <T> Comparator<T>.reversed(): Comparator<T> {
    val first = this
    return Comparator { a, b -> first.compare(b, a) }
}

fun <T> maxOf(a: T, b: T): T = if (compareValues(a, b) >= 0) a else b

fun <T> minOf(a: T, b: T): T = if (compareValues(a, b) <= 0) a else b

fun <T> maxOf(a: T, b: T, c: T): T = maxOf(a, maxOf(b, c))

fun <T> maxOf(a: T, b: T, comparator: Comparator<T>): T = if (comparator.compare(a, b) >= 0) a else b

fun <T> minOf(a: T, b: T, comparator: Comparator<T>): T = if (comparator.compare(a, b) <= 0) a else b

fun <T> maxOf(a: T, vararg other: T): T = other.fold(a) { most, one -> maxOf(most, one) }

fun <T> minOf(a: T, vararg other: T): T = other.fold(a) { least, one -> minOf(least, one) }

fun <T> minOf(a: T, b: T, c: T): T = minOf(a, minOf(b, c))
