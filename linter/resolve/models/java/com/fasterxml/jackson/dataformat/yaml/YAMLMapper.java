package com.fasterxml.jackson.dataformat.yaml;

import com.fasterxml.jackson.databind.ObjectMapper;

public class YAMLMapper extends ObjectMapper {
    public YAMLMapper() {
        super(new YAMLFactory());
    }
}
