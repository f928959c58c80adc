package kotlinx.coroutines

import kotlin.time.Duration

/** What `launch` and `async` make in a scope that waits runs when the code around it waits; elsewhere at once. */
open class CoroutineContext {
    open val key: Any? = null
    open val parts: List<CoroutineContext> get() = listOf(this)

    operator fun plus(other: CoroutineContext): CoroutineContext = JoinedContext(parts + other.parts)

    operator fun get(key: Any?): CoroutineContext? = parts.lastOrNull { it.key != null && it.key == key }
}

class JoinedContext(override val parts: List<CoroutineContext>) : CoroutineContext()

class CoroutineName(val name: String) : CoroutineContext() {
    override val key: Any? get() = CoroutineName

    companion object Key
}

class CoroutineExceptionHandler(val handler: (CoroutineContext, Throwable) -> Unit) : CoroutineContext() {
    override val key: Any? get() = CoroutineExceptionHandler

    fun handleException(context: CoroutineContext, exception: Throwable) = handler(context, exception)

    companion object Key
}

object Dispatchers {
    val Default = CoroutineContext()
    val IO = CoroutineContext()
    val Main = CoroutineContext()
    val Unconfined = CoroutineContext()
}

object NonCancellable : CoroutineContext()

enum class CoroutineStart { DEFAULT, LAZY, ATOMIC, UNDISPATCHED }

open class CoroutineScope(val coroutineContext: CoroutineContext? = null)

/** `alone`: what fails in it ends nothing but itself. */
class WaitingScope(val alone: Boolean, context: CoroutineContext? = null) : CoroutineScope(context) {
    private val jobs = mutableListOf<Job>()

    fun add(job: Job) {
        jobs.add(job)
    }

    fun drain() {
        val known = jobs.toList()
        for (job in known) job.start()
        if (jobs.size > known.size) drain()
    }
}

private var current: WaitingScope? = null

/** Milliseconds that the code running now has waited, and when a `withTimeout` around it ends. */
private var clock: Long = 0
private var deadline: Long? = null

class TimeoutCancellationException(message: String) : CancellationException(message)

/** What happens while code waits. */
fun letOthersRun() {
    current?.drain()
}

private fun millis(time: Any): Any = if (time is Duration) time.inWholeMilliseconds else time

object GlobalScope : CoroutineScope()

fun MainScope(): CoroutineScope = CoroutineScope()

/** `context`: what it was launched with. One of another parent, or of a scope that does not wait, fails alone. */
open class Job(
    private var body: (() -> Any?)? = null,
    private val scope: CoroutineScope? = null,
    private val context: CoroutineContext? = null,
) : CoroutineContext() {
    private var ended: Long = 0
    private var ran: (() -> Any?)? = null
    override val key: Any? get() = Job

    companion object Key

    private fun fail(failure: Throwable) {
        if (failure is CancellationException) return
        if (scope is WaitingScope && !scope.alone && context?.get(Job) == null) throw failure
        val all = context ?: scope?.coroutineContext
        val handler = context?.get(CoroutineExceptionHandler) ?: scope?.coroutineContext?.get(CoroutineExceptionHandler)
        if (all != null && handler is CoroutineExceptionHandler) handler.handleException(all, failure)
    }

    fun start(): Boolean {
        val todo = body
        body = null
        ran = todo ?: ran
        if (todo != null) {
            val begun = clock
            val failure = runCatching { todo() }.exceptionOrNull()
            ended = clock
            clock = begun
            if (failure != null) fail(failure)
        }
        return todo != null
    }

    fun join() {
        if (scope is WaitingScope) scope.drain()
        start()
        if (ended > clock) clock = ended
    }

    /** One that has run further than to this moment would not have come so far: nobody knows where it stopped. */
    fun cancel(cause: Any? = null) {
        body = null
        val told = ran
        if (told != null && ended > clock) stoppedBefore(told)
    }

    fun cancelAndJoin() = cancel()

    fun complete(): Boolean = true
}

fun SupervisorJob(parent: Job? = null): Job = Job()

private fun CoroutineScope.begin(job: Job, start: CoroutineStart): Job {
    if (start == CoroutineStart.LAZY) return job
    if (this is WaitingScope && start == CoroutineStart.DEFAULT) this.add(job) else job.start()
    return job
}

fun CoroutineScope.launch(
    context: CoroutineContext? = null,
    start: CoroutineStart = CoroutineStart.DEFAULT,
    block: CoroutineScope.() -> Unit,
): Job {
    val outer = this
    return outer.begin(Job({ block(outer) }, outer, context), start)
}

open class Deferred<T>(private val block: () -> T, private val around: CoroutineScope?) : Job(null, around) {
    private var outcome: Result<T>? = null

    fun settled(): Result<T> {
        var found = outcome
        if (found == null) {
            found = runCatching { block() }
            outcome = found
        }
        return found
    }

    open fun await(): T {
        if (around is WaitingScope) around.drain()
        return settled().getOrThrow()
    }

    fun getCompleted(): T = settled().getOrThrow()
}

class CompletableDeferred<T>(value: T? = null) : Deferred<T>({ value }, null) {
    private var given: T? = value

    fun complete(value: T): Boolean {
        given = value
        return true
    }

    override fun await(): T {
        if (given == null) letOthersRun()
        return given ?: completedLater()
    }
}

fun <T> CoroutineScope.async(
    context: CoroutineContext? = null,
    start: CoroutineStart = CoroutineStart.DEFAULT,
    block: CoroutineScope.() -> T,
): Deferred<T> {
    val outer = this
    val made = Deferred({ block(outer) }, outer)
    if (start != CoroutineStart.LAZY) outer.begin(Job({ made.getCompleted() }, outer), start)
    return made
}

private fun <T> waiting(alone: Boolean, context: CoroutineContext?, block: CoroutineScope.() -> T): T {
    val around = current?.coroutineContext
    val scope = WaitingScope(alone, if (around == null || context == null) context ?: around else around + context)
    val before = current
    current = scope
    try {
        val result = block(scope)
        scope.drain()
        return result
    } finally {
        current = before
    }
}

fun <T> runBlocking(context: CoroutineContext? = null, block: CoroutineScope.() -> T): T = waiting(false, context, block)

fun <T> coroutineScope(block: CoroutineScope.() -> T): T = waiting(false, null, block)

fun <T> supervisorScope(block: CoroutineScope.() -> T): T = waiting(true, null, block)

fun <T> withContext(context: CoroutineContext?, block: CoroutineScope.() -> T): T = waiting(false, context, block)

fun <T> withTimeout(timeMillis: Any, block: CoroutineScope.() -> T): T {
    val outer = deadline
    val time = millis(timeMillis)
    if (time is Number && (outer == null || clock + time < outer)) deadline = clock + time
    try {
        return waiting(false, null, block)
    } finally {
        deadline = outer
    }
}

fun <T> withTimeoutOrNull(timeMillis: Any, block: CoroutineScope.() -> T): T? = try {
    inTime(withTimeout(timeMillis, block))
} catch (e: TimeoutCancellationException) {
    null
}

fun delay(timeMillis: Any) {
    letOthersRun()
    val time = millis(timeMillis)
    if (time is Number) {
        clock += time
        val end = deadline
        if (end != null && clock >= end) {
            clock = end
            throw TimeoutCancellationException("Timed out")
        }
    }
}

fun yield() = letOthersRun()

fun CoroutineScope.cancel(cause: Any? = null) {}

fun <T> Collection<Deferred<T>>.awaitAll(): List<T> = map { it.await() }

fun <T> awaitAll(vararg deferreds: Deferred<T>): List<T> = deferreds.map { it.await() }

fun Collection<Job>.joinAll() = forEach { it.join() }

fun joinAll(vararg jobs: Job) = jobs.forEach { it.join() }
