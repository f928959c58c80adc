"""What Python's names, classes, operators, builtins and standard library mean to execution."""
