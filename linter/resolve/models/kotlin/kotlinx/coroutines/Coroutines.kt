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

/** A scope that waits for what is launched in it; what it holds has a name that no code in it uses. */
class WaitingScope(val _waits: Waits, context: CoroutineContext?) : CoroutineScope(context)

/** `alone`: what fails in it ends nothing but itself. `code`: what it waits for goes on in. `until`: the moment at which that
 * code goes on, whatever the others have come to; null where it waits for all of them. `awaited`: whom it waits for then. */
class Waits(val alone: Boolean, val code: Any?, val around: Waits?) {
    var first: Job? = null
    private var last: Job? = null
    var until: Long? = null
    var awaited: Job? = null

    fun add(job: Job) {
        val before = last
        if (before == null) first = job else before.next = job
        last = job
    }

    fun drain(time: Long? = null, whom: Job? = null) {
        val before = until
        val beforeThat = awaited
        until = time
        awaited = whom
        startAll()
        until = before
        awaited = beforeThat
    }

    fun end(time: Long): Long {
        var found = time
        var job = first
        while (job != null) {
            if (job.ended > found) found = job.ended
            job = job.next
        }
        return found
    }

    private fun startAll() {
        var job = first
        while (job != null) {
            job.start()
            job = job.next
        }
    }
}

private var current: WaitingScope? = null

/** Milliseconds that the code running now has waited, and when a `withTimeout` around it ends. */
private var clock: Long = 0
private var deadline: Long? = null

/** How many locks the code that runs holds. */
private var locks = 0

fun runningJob(): Job? = innermost

fun holdsLocks(more: Int) {
    locks += more
}

/**
 * Begun and not ended; ended at a moment that the code which runs now has not come to. Each runs as a whole when its turn
 * comes: what two of them share and one of them changes behind a place where it waits is not known where it hangs on whose
 * turn came first.
 */
private var innermost: Job? = null
private var ahead: Job? = null

private fun goOn(time: Long) {
    clock = time
    var job = ahead
    while (job != null) {
        if (job.isAhead) loseWritten(job.code)
        job.isAhead = job.isAhead && job.ended > time
        job = job.further
    }
}

class TimeoutCancellationException(message: String) : CancellationException(message)

/** What happens while code waits, up to a moment or for something that another may do. Who waits for a lock that it holds waits on. */
fun letOthersRun(time: Long = clock) {
    if (locks == 0) current?._waits?.drain(time)
    var job = innermost
    while (job != null) {
        job.pauses(time)
        job = job.outer
    }
}

private fun millis(time: Any): Any = if (time is Duration) time.inWholeMilliseconds else time

object GlobalScope : CoroutineScope()

fun MainScope(): CoroutineScope = CoroutineScope()

/** `context`: what it was launched with. One of another parent, or of a scope that does not wait, fails alone. */
open class Job(
    private var body: (() -> Any?)? = null,
    private val scope: CoroutineScope? = null,
    private val context: CoroutineContext? = null,
    val code: Any? = null,
) : CoroutineContext() {
    private var since: Any? = null
    var next: Job? = null
    var further: Job? = null
    var outer: Job? = null
    private var inside: Waits? = null
    var isAhead = false
    var ended: Long = 0
    override val key: Any? get() = Job
    val waits: Boolean get() = body != null
    val isAmongOthers: Boolean get() = since != null

    companion object Key

    private fun fail(failure: Throwable) {
        if (failure is CancellationException) return
        if (scope is WaitingScope && !scope._waits.alone && context?.get(Job) == null) throw failure
        val all = context ?: scope?.coroutineContext
        val handler = context?.get(CoroutineExceptionHandler) ?: scope?.coroutineContext?.get(CoroutineExceptionHandler)
        if (all != null && handler is CoroutineExceptionHandler) handler.handleException(all, failure)
    }

    fun around(): CoroutineContext {
        val outside = scope?.coroutineContext?.parts ?: emptyList()
        return JoinedContext(outside + (context?.parts ?: emptyList()) + this)
    }

    private fun isIn(job: Job?): Boolean = job != null && (this === job || outer?.isIn(job) ?: false)

    fun pauses(time: Long) {
        var among = scope !is WaitingScope
        var stops = false
        var around = inside
        while (around != null) {
            var other = around.first
            while (other != null) {
                if (other.waits) {
                    mayWrite(code, other.code)
                    among = true
                }
                other = other.next
            }
            val until = around.until
            if (until != null && time >= until && !isIn(around.awaited)) {
                mayWrite(code, around.code)
                among = true
                stops = stops || mayCancel(around.code)
            }
            around = around.around
        }
        if (among && since == null) since = stateOf(code)
        if (stops && someValue()) throw CancellationException("cancelled")
    }

    fun start(): Boolean {
        val todo = body
        body = null
        if (todo != null) {
            val begun = clock
            outer = innermost
            inside = current?._waits
            innermost = this
            val failure = runCatching { todo() }.exceptionOrNull()
            innermost = outer
            ended = clock
            clock = begun
            if (since != null) {
                forgetSince(since)
                isAhead = true
                further = ahead
                ahead = this
            }
            if (failure != null) fail(failure)
        }
        return todo != null
    }

    fun join() {
        if (scope is WaitingScope) scope._waits.drain(clock, this)
        start()
        goOn(if (ended > clock) ended else clock)
    }

    /** What it has done is not known where it has come further than to this moment. */
    open fun cancel(cause: Any? = null) {
        body = null
    }

    fun cancelAndJoin() = cancel()

    fun complete(): Boolean = true
}

fun SupervisorJob(parent: Job? = null): Job = Job()

private fun CoroutineScope.begin(job: Job, start: CoroutineStart): Job {
    if (start == CoroutineStart.LAZY) return job
    if (this is WaitingScope && start == CoroutineStart.DEFAULT) this._waits.add(job) else job.start()
    return job
}

fun CoroutineScope.launch(
    context: CoroutineContext? = null,
    start: CoroutineStart = CoroutineStart.DEFAULT,
    block: CoroutineScope.() -> Unit,
): Job {
    val outer = this
    return outer.begin(Job({ block(outer) }, outer, context, codeOf(block)), start)
}

open class Deferred<T>(private val block: () -> T, private val around: CoroutineScope?) : Job(null, around) {
    var task: Job? = null
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
        if (around is WaitingScope) around._waits.drain(clock, task)
        val found = settled()
        val end = task?.ended
        goOn(if (end != null && end > clock) end else clock)
        return found.getOrThrow()
    }

    fun getCompleted(): T = settled().getOrThrow()

    override fun cancel(cause: Any? = null) {
        task?.cancel()
    }
}

class CompletableDeferred<T>(value: T? = null) : Deferred<T>({ value }, null) {
    private var given: T? = value
    private var isGiven = value != null

    fun complete(value: T): Boolean {
        val first = !isGiven
        if (first) given = value
        isGiven = true
        return first
    }

    override fun await(): T {
        if (!isGiven) letOthersRun()
        return if (isGiven) given else someValue()
    }
}

fun <T> CoroutineScope.async(
    context: CoroutineContext? = null,
    start: CoroutineStart = CoroutineStart.DEFAULT,
    block: CoroutineScope.() -> T,
): Deferred<T> {
    val outer = this
    val made = Deferred({ block(outer) }, outer)
    val task = Job({ made.getCompleted() }, outer, null, codeOf(block))
    made.task = task
    if (start != CoroutineStart.LAZY) outer.begin(task, start)
    return made
}

private fun <T> waiting(alone: Boolean, context: CoroutineContext?, block: CoroutineScope.() -> T): T {
    val around = current?.coroutineContext
    val own = if (around == null || context == null) context ?: around else around + context
    val scope = WaitingScope(Waits(alone, codeOf(block), current?._waits), own)
    val before = current
    current = scope
    try {
        val result = block(scope)
        scope._waits.drain()
        goOn(scope._waits.end(clock))
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
    val time = millis(timeMillis)
    val wake = if (time is Number) clock + time else clock
    letOthersRun(wake)
    goOn(wake)
    if (time is Number) {
        val end = deadline
        if (end != null && clock >= end) {
            clock = end
            throw TimeoutCancellationException("Timed out")
        }
    }
}

fun currentCoroutineContext(): CoroutineContext = innermost?.around() ?: current?.coroutineContext ?: CoroutineContext()

fun CoroutineScope.ensureActive() {}

fun CoroutineContext.ensureActive() {}

fun yield() = letOthersRun()

fun CoroutineScope.cancel(cause: Any? = null) {}

fun <T> Collection<Deferred<T>>.awaitAll(): List<T> {
    current?._waits?.drain()
    return map { it.await() }
}

fun <T> awaitAll(vararg deferreds: Deferred<T>): List<T> = deferreds.toList().awaitAll()

fun Collection<Job>.joinAll() {
    current?._waits?.drain()
    forEach { it.join() }
}

fun joinAll(vararg jobs: Job) = jobs.toList().joinAll()
