package cn.hutool.core.collection;

public class CollectionUtil extends CollUtil {}
