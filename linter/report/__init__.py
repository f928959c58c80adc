"""What a run found -> characters for people and machines. No report decides anything."""
