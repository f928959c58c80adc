"""What languages, their libraries and frameworks mean to execution."""
