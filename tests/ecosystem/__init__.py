"""Scores extraction and resolution on real repositories: `python -m tests.ecosystem CHECKOUTS [NAME …]`."""
