"""The client libraries as data: classes, factories, annotations, operations, constants, tokens."""
