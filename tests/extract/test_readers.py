"""Settings files that real readers refuse or read oddly, held against recordings of the readers themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from subdrift.linter.extract import read

RECORDED = Path(__file__).parent.parent.parent / "fixtures" / "readers" / "recorded.jsonl"
CASES = [json.loads(line) for line in RECORDED.read_text(encoding="utf-8").splitlines()]

NOT_FOLLOWED = {
    b'a: "\\/"\n': "LibYAML knows this escape of YAML 1.2",
    b"a: !x b\n": "tags have no effect",
    b"a: !!java.lang.String b\n": "tags have no effect",
    "a: b\x85c\n".encode(): "LibYAML takes the rest for another line of the text",
    "a: \u2028b\n".encode(): "LibYAML takes the rest for another line of the text",
    b"a: @b@\n": "Maven's placeholder, which the build replaces",
    b'a: "\\ud83d\\ude00"\n': "LibYAML refuses halves of pairs",
    b'a: "\\ud83d"\n': "LibYAML refuses halves of pairs",
    b"a=\\ud83d\n": "half a pair is no text",
    "a=\u4e2d\n".encode(): "read as UTF-8, as people mean it, where Java reads Latin-1",
    b"\xef\xbb\xbfa=b\n": "read without the mark, as people mean it",
    "a=b\n".encode("utf-16"): "read as UTF-16, as people mean it",
}
TYPED = {b"a: 017\n", b"a: 1_000\n", b"a: yes\n", b"a: 1:30\n", b"a: 2020-01-01\n", b"a: .inf\n", b"a:b\n"}
"""What stands in the file is kept as text; types are the business of whoever reads the key."""


@pytest.mark.parametrize("case", CASES, ids=lambda one: repr(bytes.fromhex(one["bytes"]))[2:-1])
def test_a_file_is_read_as_its_application_reads_it(case: dict[str, Any]) -> None:
    content = bytes.fromhex(case["bytes"])
    facts = read("settings." + {"yaml": "yml"}.get(case["reader"], case["reader"]), content)
    assert facts is not None
    refused = [one for one in facts.problems if one.name == "parse-error"]
    found = {entry.key: entry.text for entry in facts.config}
    if content in NOT_FOLLOWED:
        assert bool(refused) != (case["values"] is None) or found != case["values"], (
            "followed now: strike it out"
        )
        return
    assert bool(refused) == (case["values"] is None), (facts.problems, case["refused"])
    if not refused and content not in TYPED:
        assert found == {key: text.rstrip("\n") if case["reader"] == "yaml" else text
                         for key, text in case["values"].items()} or found == case["values"]  # fmt: skip
    elif refused:
        assert not facts.config
