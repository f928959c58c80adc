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
