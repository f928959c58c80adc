package kotlinx.coroutines.channels

import kotlin.sequences.GeneratedSequence
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.letOthersRun
import kotlinx.coroutines.runningJob

private class Sent(val element: Any?) {
    var next: Sent? = null
}

/** What is sent waits in a queue; who finds none lets the others run first. Where that brings nothing nobody knows more.
 * `mixed`: who of several senders comes first is not known. */
class Channel<T>(capacity: Int = 0, onBufferOverflow: Any? = null) : ReceiveChannel<T>, SendChannel<T> {
    private var first: Sent? = null
    private var last: Sent? = null
    private var closed = false
    private var sender: Job? = null
    private var mixed = false

    fun send(element: T) {
        val sent = Sent(element)
        val by = runningJob()
        val among = (by?.isAmongOthers ?: false) || (sender?.isAmongOthers ?: false)
        if (last != null && sender !== by && among) mixed = true
        sender = by
        val before = last
        if (before == null || first == null) first = sent else before.next = sent
        last = sent
    }

    fun trySend(element: T) = send(element)

    fun close(cause: Throwable? = null): Boolean {
        closed = true
        return true
    }

    fun hasNext(): Boolean {
        if (first == null && !closed) letOthersRun()
        return if (first == null && !closed) someValue() else first != null
    }

    fun next(): T {
        val sent = first
        if (sent == null) return someValue()
        first = sent.next
        return if (mixed) someValue() else sent.element
    }

    fun receive(): T {
        if (first == null) letOthersRun()
        return next()
    }

    operator fun iterator(): Channel<T> = this

    fun consumeEach(action: (T) -> Unit) {
        for (one in this) action(one)
    }

    fun consumeAsFlow(): GeneratedSequence<T> = receiveAsFlow()

    fun receiveAsFlow(): GeneratedSequence<T> {
        val all = this
        return GeneratedSequence { visit ->
            var more = true
            while (more && all.hasNext()) more = visit(all.next())
        }
    }
}

fun <T> CoroutineScope.produce(
    context: Any? = null,
    capacity: Int = 0,
    block: Channel<T>.() -> Unit,
): Channel<T> {
    val channel = Channel<T>(capacity)
    launch {
        block(channel)
        channel.close()
    }
    return channel
}
