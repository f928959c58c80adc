package kotlin.concurrent

import java.util.concurrent.locks.Lock
import java.util.concurrent.locks.ReentrantReadWriteLock

fun <T> Lock.withLock(action: () -> T): T = action()

fun <T> ReentrantReadWriteLock.read(action: () -> T): T = action()

fun <T> ReentrantReadWriteLock.write(action: () -> T): T = action()
