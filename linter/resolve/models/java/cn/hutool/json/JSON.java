package cn.hutool.json;

public interface JSON {}
