"""Extraction, resolution, broker model, pipeline and reports. Part of subdrift."""

__version__ = "0.1.0"
