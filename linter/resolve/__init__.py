"""Facts of many files -> consumers: places, modules, definitions, configuration, evaluation."""
