"""Kotlin's standard library on abstract values: names that Java has too, and what only native code can say of the rest.

Functions that need no native code are programs in Kotlin, in `resolve/models/kotlin`.
"""
