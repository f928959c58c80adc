"""What Python's standard library does to values: functions by full name, methods and calls of its objects."""
