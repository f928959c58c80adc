"""Java and Kotlin as execution needs them: names, objects, operators; the library is in the modules beside."""

from subdrift.linter.resolve.semantics.jvm.java import Java

__all__ = ["Java"]
