"""The parser of `argparse` that programs' declared options are given to: it neither prints nor ends the process."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn


class RefusedError(Exception):
    """The arguments are not what the parser takes, or ask for its help: the status that the process ends with."""

    def __init__(self, status: int = 2) -> None:
        self.status = status


class Quiet(argparse.ArgumentParser):
    """Raises `RefusedError` where a program would end, and `ValueError` for options that exclude one another."""

    def error(self, message: str) -> NoReturn:
        raise RefusedError

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise RefusedError(status)

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        try:
            return super().add_argument(*args, **kwargs)
        except argparse.ArgumentError as error:
            raise ValueError(str(error)) from error

    def _print_message(self, message: str, file: Any = None) -> None:
        """Nothing is printed."""
