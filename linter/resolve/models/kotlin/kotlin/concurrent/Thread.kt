package kotlin.concurrent

fun thread(
    start: Boolean = true,
    isDaemon: Boolean = false,
    contextClassLoader: Any? = null,
    name: String? = null,
    priority: Int = -1,
    block: () -> Unit,
): Thread {
    val made = if (name == null) Thread(block) else Thread(block, name)
    if (start) made.start()
    return made
}
