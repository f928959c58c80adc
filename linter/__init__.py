"""Extraction, resolution, broker model, pipeline and reports of subdrift."""
