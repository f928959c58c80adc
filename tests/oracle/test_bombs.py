"""A sample of `python -m tests.oracle.bombs`, and that a bomb which bursts is told."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from tests.oracle import bombs
from tests.oracle.program import Files


def test_no_library_function_takes_long_or_much_whatever_it_is_given() -> None:
    every = list(bombs.bombs(seed=5, of_each=2))
    assert len(every) >= 1_000
    given = [*every[::80], *every[-60::3]]
    done = list(bombs.burst(given))
    assert [one.index for one in done] == list(range(len(given)))
    assert not [(given[one.index].called, one.error) for one in done if one.error]


def _last(given: Sequence[str], monkeypatch: pytest.MonkeyPatch, blow: object) -> list[str]:
    monkeypatch.setattr(bombs, "told", blow)
    monkeypatch.setattr(bombs, "CPU_SECONDS_MAX", 1)
    found = bombs.burst([bombs.Bomb(name, {name: ""}) for name in given])
    return [one.error.split(":")[0] for one in found]


def test_what_takes_long_or_much_or_dies_is_told_and_the_next_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def blow(files: Files) -> bool:
        match next(iter(files)):
            case "long":
                begin = time.process_time()
                while time.process_time() < begin + 20:
                    pass
            case "much":
                return bool("x" * (2 << 30))
            case "dies":
                raise SystemExit(3)
            case "fails":
                raise ValueError("no")
            case "silent":
                return False
        return True

    given = ["long", "fine", "much", "dies", "fails", "silent", "fine"]
    assert _last(given, monkeypatch, blow) == ["time", "", "memory", "killed", "ended", "silent", ""]
