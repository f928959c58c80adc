"""Random sequences of calls on mutable types of libraries, run in a real JVM and a real CPython, and replayed."""
