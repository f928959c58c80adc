"""The vocabulary every other package speaks; stands on the standard library alone."""
