package kotlinx.coroutines.sync

class Mutex(locked: Boolean = false) {
    fun lock(owner: Any? = null) {}

    fun unlock(owner: Any? = null) {}

    fun <T> withLock(owner: Any? = null, action: () -> T): T = action()
}

class Semaphore(permits: Int, acquiredPermits: Int = 0) {
    fun acquire() {}

    fun release() {}

    fun <T> withPermit(action: () -> T): T = action()
}
