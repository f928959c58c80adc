package java.lang;

public class InheritableThreadLocal<T> extends ThreadLocal<T> {}
