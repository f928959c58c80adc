"""What pydantic makes of values: `python -m tests.resolve.semantics.coercions` records it, where pydantic is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

RECORDED = Path(__file__).with_name("coercions.txt")
REFUSED = "refused"

HEAD = """
import datetime, decimal, enum, fractions, pathlib, typing
from pydantic import BaseModel
class C(enum.Enum): A = "a"
class S(str, enum.Enum): A = "a"
class I(enum.IntEnum): ONE = 1
class MyStr(str): pass
class MyInt(int): pass
class Plain: pass
"""
MODEL = """
class M(BaseModel):
    model_config = {{"arbitrary_types_allowed": True}}
    x: {type}
"""
MADE = """
try:
    made = "ok-" + str(M(x={value}).x)
except Exception:
    made = "refused"
"""
TYPES = (
    "int", "float", "str", "bool", "bytes", "list[int]", "tuple[int, ...]", "set[int]", "frozenset[int]", "dict[str, int]",
    "pathlib.Path", "C", "S", "I", "decimal.Decimal", "datetime.date", "datetime.timedelta", "int | str", "int | None",
    'typing.Literal["a", 1]', "Plain",
)  # fmt: skip
VALUES = (
    "None", "True", "0", "1", "2", "1.0", "1.5", "0.0", '"1"', '"01"', '"1_000"', '" 7 "', '"1.0"', '"1.5"', '"1e3"', '"inf"',
    '"nan"', '"x"', '""', '"true"', '"YES"', '" on"', '"2"', '"12345678901234567890"', 'b"1"', 'b"on"', "[]", "[1]", "(1,)",
    "{}", "{1}", "C.A", "S.A", "I.ONE", 'MyStr("m")', "MyInt(3)", "Plain()", 'decimal.Decimal("3")', 'decimal.Decimal("3.5")',
    "fractions.Fraction(1, 2)", "datetime.timedelta(1)", "datetime.date(2020, 1, 2)", 'pathlib.Path("p")', "frozenset({1})",
    '{"a": 1}', "(x for x in [1])", "range(2)", '{"a": 1}.keys()',
)  # fmt: skip


def recorded() -> Iterator[tuple[str, str, str]]:
    """Each type and value, with what comes out."""
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        kind, value, made = line.split("\t")
        yield kind, value, made


def main() -> None:
    """Writes what the pydantic that is installed does."""
    lines = []
    for kind in TYPES:
        for value in VALUES:
            names: dict[str, object] = {}
            exec(HEAD + MODEL.format(type=kind) + MADE.format(value=value), names)
            if " object at 0x" not in str(names["made"]):
                lines.append(f"{kind}\t{value}\t{names['made']}\n")
    RECORDED.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
