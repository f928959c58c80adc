package cn.hutool.core.lang;

/** Made as an anonymous class, whose written type argument is what it stands for. */
public abstract class TypeReference<T> {}
