package com.alibaba.fastjson2;

/** Made as an anonymous class, whose written type argument is what it stands for. */
public class TypeReference<T> {
    public Object getType() {
        return this;
    }
}
