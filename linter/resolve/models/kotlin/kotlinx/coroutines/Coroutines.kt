package kotlinx.coroutines

/** What `launch` and `async` make in a scope that waits runs when the code around it waits; elsewhere at once. */
open class CoroutineContext {
    operator fun plus(other: CoroutineContext): CoroutineContext = this
}

class CoroutineName(val name: String) : CoroutineContext()

object Dispatchers {
    val Default = CoroutineContext()
    val IO = CoroutineContext()
    val Main = CoroutineContext()
    val Unconfined = CoroutineContext()
}

enum class CoroutineStart { DEFAULT, LAZY, ATOMIC, UNDISPATCHED }

open class CoroutineScope(val coroutineContext: CoroutineContext? = null)

class WaitingScope : CoroutineScope(null) {
    private val waiting = ArrayDeque<Job>()

    fun add(job: Job) {
        waiting.addLast(job)
    }

    fun drain() {
        while (waiting.isNotEmpty()) waiting.removeFirst().start()
    }
}

object GlobalScope : CoroutineScope()

fun MainScope(): CoroutineScope = CoroutineScope()

open class Job(private var body: (() -> Unit)? = null, private val scope: CoroutineScope? = null) : CoroutineContext() {
    fun start(): Boolean {
        val todo = body
        body = null
        if (todo != null) todo()
        return todo != null
    }

    fun join() {
        if (scope is WaitingScope) scope.drain()
        start()
    }

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
    return outer.begin(Job({ block(outer) }, outer), start)
}

class Asynchronous<T>(private val block: () -> T, private val scope: CoroutineScope?) : Job(null, scope) {
    private val result by lazy { block() }

    fun await(): T {
        if (scope is WaitingScope) scope.drain()
        return result
    }

    fun getCompleted(): T = result
}

fun <T> CoroutineScope.async(
    context: CoroutineContext? = null,
    start: CoroutineStart = CoroutineStart.DEFAULT,
    block: CoroutineScope.() -> T,
): Asynchronous<T> {
    val outer = this
    val made = Asynchronous({ block(outer) }, outer)
    if (start != CoroutineStart.LAZY) outer.begin(Job({ made.getCompleted() }, outer), start)
    return made
}

private fun <T> waiting(block: CoroutineScope.() -> T): T {
    val scope = WaitingScope()
    val result = block(scope)
    scope.drain()
    return result
}

fun <T> runBlocking(context: CoroutineContext? = null, block: CoroutineScope.() -> T): T = waiting(block)

fun <T> coroutineScope(block: CoroutineScope.() -> T): T = waiting(block)

fun <T> supervisorScope(block: CoroutineScope.() -> T): T = waiting(block)

fun <T> withContext(context: CoroutineContext?, block: CoroutineScope.() -> T): T = waiting(block)

fun <T> withTimeout(timeMillis: Any, block: CoroutineScope.() -> T): T = waiting(block)

fun <T> withTimeoutOrNull(timeMillis: Any, block: CoroutineScope.() -> T): T? = waiting(block)

fun delay(timeMillis: Any) {}

fun yield() {}

fun CoroutineScope.cancel(cause: Any? = null) {}

fun <T> Collection<Asynchronous<T>>.awaitAll(): List<T> = map { it.await() }

fun <T> awaitAll(vararg deferreds: Asynchronous<T>): List<T> = deferreds.map { it.await() }

fun Collection<Job>.joinAll() = forEach { it.join() }

fun joinAll(vararg jobs: Job) = jobs.forEach { it.join() }
