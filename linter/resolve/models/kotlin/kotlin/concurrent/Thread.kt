package kotlin.concurrent

fun thread(
    start: Boolean = true,
    isDaemon: Boolean = false,
    contextClassLoader: Any? = null,
    name: String? = null,
    priority: Int = -1,
    block: () -> Unit,
): Thread {
    val made = Thread(block)
    if (start) made.start()
    return made
}
