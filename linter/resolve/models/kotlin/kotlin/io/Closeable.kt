package kotlin.io

inline fun <T, R> T.use(block: (T) -> R): R {
    try {
        return block(this)
    } finally {
        if (this != null) this.close()
    }
}
