"""Extraction, resolution, broker model, pipeline and reports of subdrift."""

__version__ = "0.1.0"
