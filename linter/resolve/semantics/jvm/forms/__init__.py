"""What Java's forms of code mean, as functions of the language (`Java` has them as methods)."""
