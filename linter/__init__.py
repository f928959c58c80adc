"""Extraction, resolution, broker model, pipeline and reports."""

__version__ = "0.1.0"
