"""Which tests `make quick` runs for what was changed."""

from __future__ import annotations

from tests.quick import ALWAYS, CASES, OF_RULES, ROOT, chosen


def test_a_room_has_its_tests_a_case_its_area_and_a_test_itself() -> None:
    assert chosen(["linter/registry/reader.py"]) == (tuple(sorted((*ALWAYS, "tests/registry"))), ())
    assert chosen(["linter/files.py"])[0] == tuple(sorted((*ALWAYS, "tests/test_files.py")))
    assert chosen(["linter/clients/x.py", "rules/sides.py"])[0] == tuple(sorted((*ALWAYS, *OF_RULES, CASES)))
    assert chosen(["linter/clients/x.py", "rules/sides.py"])[1] == ()  # of all cases
    assert chosen(["fixtures/cases/java/enums.md"]) == (ALWAYS, ("java",))
    assert chosen(["rules/sides.py"])[1] == ("rules",)
    assert "tests/test_quick.py" in chosen(["tests/test_quick.py", "tests/gone/test_gone.py"])[0]


def test_nothing_is_named_that_is_not_there() -> None:
    rooms = [f"linter/{path.name}/x.py" for path in (ROOT / "linter").iterdir() if path.is_dir()]
    assert all((ROOT / one).exists() for one in chosen([*rooms, "rules/x.py", "README.md"])[0])
