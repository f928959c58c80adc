"""Source text -> `ir.Unit`, a package per language. What is here knows syntax, and nothing of RocketMQ."""
