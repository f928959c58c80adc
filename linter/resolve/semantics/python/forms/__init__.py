"""What Python's forms of code mean, as functions of the language (`Python` has them as methods)."""
