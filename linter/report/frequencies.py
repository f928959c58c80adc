"""How often simulated runs of a scenario ended in which way: after `predict`'s answer, as a table or JSON objects."""

from __future__ import annotations

from typing import Any, Final

from subdrift.linter.broker.simulation.run import Frequencies
from subdrift.linter.report.language import Language
from subdrift.linter.report.terminal import CELL_CHARS_MAX, Style, cells, safe, settled

MESSAGES_SHOWN_MAX: Final = 200
"""Lines about messages; what is left out is counted."""


def as_text(found: Frequencies, style: Style, language: Language) -> str:
    """Winners first, then messages, most frequent outcome of each first."""
    word = language.word
    last = found.first_seed + found.runs - 1
    head = word("predict.runs", runs=found.runs, first=found.first_seed, last=last)
    lines = [style.paint(head, "bold")]
    lines += _grid(
        [
            (
                _percent(one.runs, found.runs),
                word("predict.run-table"),
                one.phase,
                one.topic,
                one.expression or word("predict.not-in-table"),
            )
            for one in found.winners
        ]
    )
    lines += _grid(
        [
            (
                _percent(one.runs, found.runs),
                one.message,
                word(f"predict.fate.{one.fate.value}"),
                language.comma.join(one.members),
            )
            for one in found.messages[:MESSAGES_SHOWN_MAX]
        ]
    )
    if len(found.messages) > MESSAGES_SHOWN_MAX:
        lines.append(word("predict.more-outcomes", count=len(found.messages) - MESSAGES_SHOWN_MAX))
    return settled("\n".join(lines) + "\n")


def as_object(found: Frequencies) -> dict[str, Any]:
    """The value of `simulation` in the JSON answer."""
    return {
        "runs": found.runs,
        "first_seed": found.first_seed,
        "winners": [
            {"phase": one.phase, "topic": one.topic, "expression": one.expression, "runs": one.runs}
            for one in found.winners
        ],
        "messages": [
            {"message": one.message, "fate": one.fate.value, "members": list(one.members), "runs": one.runs}
            for one in found.messages
        ],
    }


def _percent(count: int, runs: int) -> str:
    return f"{100 * count / runs:5.1f} %"


def _grid(rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    clean = [[safe(cell, CELL_CHARS_MAX) for cell in row] for row in rows]
    widths = [max(cells(row[column]) for row in clean) for column in range(len(clean[0]))]
    return [
        "  "
        + "  ".join(
            cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in clean
    ]
