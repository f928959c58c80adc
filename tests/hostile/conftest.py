"""What takes long runs in `make hostile` only, which sets SUBDRIFT_HOSTILE; the rest runs in `make test` too."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

COUNT = "count"


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Says what a test has counted, at the end of the run, whichever process it ran in."""
    return lambda text: record_property(COUNT, text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, text in report.user_properties:
            if name == COUNT:
                terminalreporter.write_line(str(text))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("SUBDRIFT_HOSTILE"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        items[:] = [item for item in items if item not in slow]
        config.hook.pytest_deselected(items=slow)
