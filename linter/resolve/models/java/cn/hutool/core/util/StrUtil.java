package cn.hutool.core.util;

import cn.hutool.core.text.CharSequenceUtil;
import cn.hutool.core.text.StrPool;

public class StrUtil extends CharSequenceUtil implements StrPool {
}
