package kotlin.properties

interface ReadOnlyProperty<T, V> {
    operator fun getValue(thisRef: T, property: Any?): V
}

interface ReadWriteProperty<T, V> : ReadOnlyProperty<T, V> {
    operator fun setValue(thisRef: T, property: Any?, value: V)
}

fun interface PropertyDelegateProvider<T, D> {
    operator fun provideDelegate(thisRef: T, property: Any?): D
}

abstract class ObservableProperty<V>(private var value: V) : ReadWriteProperty<Any?, V> {
    protected open fun beforeChange(property: Any?, oldValue: V, newValue: V): Boolean = true

    protected open fun afterChange(property: Any?, oldValue: V, newValue: V) {}

    override fun getValue(thisRef: Any?, property: Any?): V = value

    override fun setValue(thisRef: Any?, property: Any?, value: V) {
        val oldValue = this.value
        if (!beforeChange(property, oldValue, value)) return
        this.value = value
        afterChange(property, oldValue, value)
    }
}

class Observed<V>(initialValue: V, private val onChange: (Any?, V, V) -> Unit) : ObservableProperty<V>(initialValue) {
    override fun afterChange(property: Any?, oldValue: V, newValue: V) = onChange(property, oldValue, newValue)
}

class Vetoed<V>(initialValue: V, private val onChange: (Any?, V, V) -> Boolean) : ObservableProperty<V>(initialValue) {
    override fun beforeChange(property: Any?, oldValue: V, newValue: V) = onChange(property, oldValue, newValue)
}

class SetLater<V> : ReadWriteProperty<Any?, V> {
    private var value: V? = null

    override fun getValue(thisRef: Any?, property: Any?): V {
        if (value == null) throw IllegalStateException("Property should be initialized before get.")
        return value
    }

    override fun setValue(thisRef: Any?, property: Any?, value: V) {
        this.value = value
    }
}

object Delegates {
    fun <V> notNull(): ReadWriteProperty<Any?, V> = SetLater()
    fun <V> observable(initialValue: V, onChange: (Any?, V, V) -> Unit): ReadWriteProperty<Any?, V> = Observed(initialValue, onChange)
    fun <V> vetoable(initialValue: V, onChange: (Any?, V, V) -> Boolean): ReadWriteProperty<Any?, V> = Vetoed(initialValue, onChange)
}
