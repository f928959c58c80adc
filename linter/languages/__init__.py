"""Source text of each language -> `linter.model.ir`. Knows nothing of RocketMQ."""
