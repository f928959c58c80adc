package com.alibaba.fastjson;

/** Made as an anonymous class, whose written type argument is what it stands for. */
public class TypeReference<T> {
    public Object getType() {
        return this;
    }
}
