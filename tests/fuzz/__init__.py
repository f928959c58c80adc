"""Mutations of every kind of input (`make fuzz`): nothing raises, nothing takes longer than its size allows."""
