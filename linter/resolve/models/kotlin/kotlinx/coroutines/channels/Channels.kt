package kotlinx.coroutines.channels

import kotlin.sequences.GeneratedSequence
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.letOthersRun

/** What is sent waits in a queue; who finds none lets the others run first. Where that brings nothing nobody knows more. */
class Channel<T>(capacity: Int = 0, onBufferOverflow: Any? = null) : ReceiveChannel<T>, SendChannel<T> {
    private val queue = ArrayDeque<T>()
    private var closed = false

    fun send(element: T) {
        queue.addLast(element)
    }

    fun trySend(element: T) = send(element)

    fun close(cause: Throwable? = null): Boolean {
        closed = true
        return true
    }

    fun hasNext(): Boolean {
        if (queue.isEmpty()) letOthersRun()
        return if (queue.isEmpty() && !closed) sentLater() else queue.isNotEmpty()
    }

    fun next(): T = if (queue.isEmpty()) sentLater() else queue.removeFirst()

    fun receive(): T {
        if (queue.isEmpty()) letOthersRun()
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
