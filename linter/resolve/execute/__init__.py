"""Forward execution under guards: entries, the interpreter, the heap, and what a program asks for that was not there."""
