package kotlinx.coroutines.sync

import kotlinx.coroutines.holdsLocks

/** Who finds it taken waits for code that has not gone on yet: nobody knows what that leaves behind. */
class Mutex(locked: Boolean = false) {
    private var held = locked

    val isLocked: Boolean get() = held

    fun lock(owner: Any? = null) {
        if (held) unlockedLater()
        held = true
    }

    fun tryLock(owner: Any? = null): Boolean {
        val free = !held
        held = true
        return free
    }

    fun unlock(owner: Any? = null) {
        held = false
    }

    fun <T> withLock(owner: Any? = null, action: () -> T): T {
        if (held) return unlockedLater(action)
        held = true
        holdsLocks(1)
        try {
            return action()
        } finally {
            holdsLocks(-1)
            held = false
        }
    }
}

class Semaphore(permits: Int, acquiredPermits: Int = 0) {
    private var left = permits - acquiredPermits

    val availablePermits: Int get() = left

    fun acquire() {
        if (left <= 0) unlockedLater()
        left--
    }

    fun tryAcquire(): Boolean {
        if (left <= 0) return false
        left--
        return true
    }

    fun release() {
        left++
    }

    fun <T> withPermit(action: () -> T): T {
        if (left <= 0) return unlockedLater(action)
        left--
        try {
            return action()
        } finally {
            left++
        }
    }
}
