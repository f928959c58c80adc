"""Finds RocketMQ consumer groups whose members disagree, in source code, and says which messages would be lost.

`linter`, `rules` and `spark_jobs` are the folders of the repository's root, linked here: everything is installed under this
one name, and no other distribution's files can be met or overwritten.
"""

from subdrift.linter import __version__

__all__ = ["__version__"]
