"""Spring Cloud Stream: what a binder does with a binding (`versions`), what its keys say (`keys`), the consumers that
bindings are (`inputs`), and the topics of those that send (`outputs`).
"""
