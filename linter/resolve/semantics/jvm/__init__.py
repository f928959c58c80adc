"""Java and Kotlin as execution needs them: names, objects, operators; the library is in the modules beside."""

from linter.resolve.semantics.jvm.java import Java
from linter.resolve.semantics.jvm.kotlin import Kotlin

__all__ = ["Java", "Kotlin"]
