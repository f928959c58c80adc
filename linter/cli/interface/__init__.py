"""The commands as typer shows and parses them; what they do lies beside this package, and is imported when it is done."""
