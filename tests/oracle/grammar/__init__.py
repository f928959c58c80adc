"""The features. Importing this registers all of them."""

from tests.oracle.grammar import (
    java_bodies,
    java_shapes,
    java_tables,
    java_values,
    python_shapes,
    python_values,
    python_wraps,
)

__all__ = [
    "java_bodies",
    "java_shapes",
    "java_tables",
    "java_values",
    "python_shapes",
    "python_values",
    "python_wraps",
]
