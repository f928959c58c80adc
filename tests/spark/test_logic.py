"""The scan's own logic, without Spark: manifests, shares, rows across batches."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from subdrift import rules
from subdrift.linter.model import wire
from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.pipeline import analyse
from subdrift.linter.settings import Settings
from subdrift.linter.sources.checkout import discover
from subdrift.linter.stages.membership import group_key
from subdrift.linter.workers import Job, read_all
from subdrift.spark_jobs import work
from subdrift.spark_jobs.inputs import ScanError, Setup, Source, manifest_sources, opened, org_sources
from subdrift.spark_jobs.meeting import Plan, Side, differing, met
from subdrift.spark_jobs.plan import balanced
from subdrift.spark_jobs.records import Record, hashed, hashes, lines
from subdrift.spark_jobs.rows import key_text
from subdrift.spark_jobs.steps import Idle
from subdrift.spark_jobs.storage import told
from subdrift.spark_jobs.tables import clean
from tests.adopt.scratch import LISTENER, environment
from tests.registry.kit import committed

PYTHON = 'from rocketmq.client import PushConsumer\nPushConsumer("g").subscribe("t", print, "a")\n'


def test_a_manifest_path_is_taken_from_the_manifest_s_folder(tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    file.write_text('{"repo": "a", "path": "x/../y"}\n\n{"repo": "b", "path": "/z", "head": "main"}\n')
    assert manifest_sources(str(file)) == (Source("a", str(tmp_path / "y")), Source("b", "/z", "main"))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nothing", "is not JSON"),
        ("[" * 100_000, "m.jsonl:1: is nested deeper than 64 levels"),
        ('{"repo": ' + "9" * 5_000 + "}", "has a number of more than 400 digits"),
        ('{"repo": "a", "path": "a\\u0000b"}', "`path` holds what no name"),
        ('{"repo": "a\\ud800", "path": "x"}', "`repo` holds what no name"),
        ("[]", "must be an object"),
        ('{"repo": "a"}', "`path` must be a text"),
        ('{"repo": "", "path": "x"}', "`repo` must be a text"),
        ('{"repo": "a", "path": "x", "haed": "1"}', "unknown key `haed`"),
        ('{"repo": "a", "path": "x", "head": "--upload-pack=x"}', "must name a commit"),
        ('{"repo": "a", "path": "x"}\n{"repo": "a", "path": "y"}', "two repositories are called 'a'"),
        (
            '{"repo": "a", "path": "https://git.example.org/a.git"}',
            "m.jsonl:1: `path` is an address on a network",
        ),
        ('{"repo": "a", "path": "git@git.example.org:a.git"}', "git clone --mirror"),
    ],
)
def test_a_manifest_that_cannot_be_used_says_why(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    file.write_text(line)
    with pytest.raises(ScanError, match=message):
        manifest_sources(str(file))


def test_a_manifest_is_a_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ScanError, match="is a named pipe"):
        manifest_sources(str(tmp_path / "pipe"))


def test_a_missing_manifest_or_organisation_is_said(tmp_path: Path) -> None:
    with pytest.raises(ScanError, match="No such file"):
        manifest_sources(str(tmp_path / "none"))
    with pytest.raises(ScanError, match="No such file"):
        org_sources(str(tmp_path / "none"))


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        (
            "ClassNotFoundException",
            "Class org.apache.hadoop.fs.s3a.S3AFileSystem not found",
            "no file system for s3a://",
        ),
        ("UnsupportedFileSystemException", 'No FileSystem for scheme "s3a"', "--packages"),
        (
            "UnknownHostException",
            "nowhere.invalid",
            "cannot be reached (UnknownHostException: nowhere.invalid)",
        ),
        (
            "ConnectException",
            "Connection refused",
            "cannot be reached (ConnectException: Connection refused)",
        ),
        (
            "AccessControlException",
            "Permission denied: user=a",
            "AccessControlException: Permission denied: user=a",
        ),
    ],
)
def test_what_keeps_spark_from_a_folder_is_told_by_its_first_cause(kind: str, text: str, said: str) -> None:
    assert said in told(kind, text, "s3a")


def test_a_bare_repository_needs_no_head(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "main.py").write_text(PYTHON)
    committed(folder)
    bare = ("git", "clone", "-q", "--bare", str(folder), str(tmp_path / "one.git"))
    subprocess.run(bare, env=environment(), check=True)

    with opened(Source("", str(tmp_path / "one.git")), Setup()) as repository:
        assert repository.listing().paths == ("main.py",)
        assert repository.content("main.py") == PYTHON.encode()


def test_shares_are_balanced_largest_first() -> None:
    shares = balanced({"a": 10, "b": 6, "c": 5, "d": 1}, 2)
    loads = [sum(w for k, w in {"a": 10, "b": 6, "c": 5, "d": 1}.items() if shares[k] == s) for s in (0, 1)]
    assert sorted(loads) == [11, 11]
    assert set(balanced({"a": 1}, 8).values()) == {0}
    assert balanced({}, 4) == {}


def test_rows_survive_lines_and_a_repository_has_one_with_a_blob_for_each_use() -> None:
    rows = [
        (kind, f"r\t{n // 700} 中\n", "p", n, None if n % 2 else "text")
        for n in range(2_000)
        for kind in ("file", "owners")
    ]
    records = [Record.of(line) for line in lines("read-1", rows)]
    assert [(one.step, one.repo, sorted(one.blobs)) for one in records] == [
        ("read-1", f"r\t{n} 中\n", ["facts", "owners"]) for n in range(3)
    ]
    assert [row for one in records for row in one.rows("facts")] == rows[::2]
    assert [row for one in records for row in one.rows("owners", "none")] == rows[1::2]


def test_a_large_text_closes_its_record_and_what_a_file_is_found_under_goes_with_it() -> None:
    file = ("file", "r", "p", 0, "x" * (5 << 20))
    records = [
        Record.of(line) for line in lines("read", [file, ("index", "r", "p", 0, "file", b"1", b"")] * 4)
    ]
    assert [(len(one.rows("facts")), len(one.rows("index"))) for one in records] == [(2, 2), (2, 2)]


def test_what_others_hold_is_met_and_what_a_share_had_is_not_lacking() -> None:
    """`a` and `b` are in one share, `c` in another; `b` and `c` hold what `a` asks for, and itself."""

    def side(asks: bool, repo: str, *keys: str) -> tuple[int, Side]:
        return 0, Side(asks, repo, hashed(keys))

    (one, other) = hashes(hashed(["k"]))[0], hashes(hashed(["l"]))[0]
    places = {"a": (0,), "b": (0,), "c": (1,)}
    plan = Plan({"a": 0, "b": 0, "c": 1}, places, {})

    def found(*sides: tuple[int, Side], plan: Plan = plan) -> list[tuple[str, set[int], bool]]:
        return [(each.repo, set(hashes(each.packed)), each.lacks) for each in met(sides, plan)]

    asks = side(True, "a", "k", "l")
    assert found(asks, side(False, "a", "k")) == []
    assert found(asks, side(False, "b", "k")) == [("a", {one}, False)]
    assert found(side(False, "b", "k"), asks, side(False, "c", "k", "l")) == [("a", {one, other}, True)]
    lent = Plan(plan.shares, places, {one: frozenset({0})})
    assert found(asks, side(False, "c", "k"), plan=lent) == [("a", {one}, False)]
    assert found(asks, side(False, "c", "l"), plan=lent) == [("a", {other}, True)]


def test_files_that_came_went_or_have_other_facts_differ_and_no_others() -> None:
    def row(path: str, mark: bytes, *keys: str) -> tuple[object, ...]:
        return "index", "r", path, 0, "file", mark, hashed(keys)

    then = [row("same", b"1", "a"), row("gone", b"1", "b"), row("other", b"1", "c", "d"), row("none", b"")]
    now = [row("same", b"1", "a"), row("new", b"1", "e"), row("other", b"2", "d", "f")]
    ((repo, packed),) = differing([*((0, (True, one)) for one in then), *((0, (False, one)) for one in now)])
    assert repo == "r"
    assert set(hashes(packed)) == set(hashes(hashed("bcdef")))
    assert not list(differing([(0, (True, then[0])), (0, (False, now[0]))]))


def test_text_no_column_can_hold_is_escaped() -> None:
    assert key_text("a\ud800") == "a\\ud800"
    assert clean({"a": ["\ud800", ("b\udfff", 1)]}) == {"a": ["\\ud800", ("b\\udfff", 1)]}


def listed(root: Path, setup: Setup) -> list[tuple[object, ...]]:
    return list(work.survey_repositories([(Source("r", str(root)).dumps(),)], setup))


def test_a_large_repository_is_cut_into_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "PART_FILES", 2)
    for name in ("a.py", "b.py", "c.py"):
        (tmp_path / name).write_text(PYTHON)
    parts = [row for row in listed(tmp_path, Setup()) if row[0] == "part"]
    assert [row[3:] for row in parts] == [(0, "a.py\0b.py"), (1, "c.py")]
    read = list(work.read_candidates(parts, Setup()))
    assert [row[2] for row in read if row[0] == "file"] == ["a.py", "b.py", "c.py"]


def test_a_second_try_reads_each_file_in_a_process_to_lose_with_the_same_facts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(PYTHON)
    parts = [row for row in listed(tmp_path, Setup()) if row[0] == "part"]
    by_whom = ("worker", "spent")  # who read it and how long that took
    plain = [row for row in work.read_candidates(parts, Setup()) if row[0] not in by_whom]
    alone = [row for row in work.read_candidates(parts, Setup(), alone=True) if row[0] not in by_whom]
    assert plain == alone
    facts = [row[4] for row in plain if row[0] == "file"]
    unit = wire.loads(FileFacts, str(facts[0])).unit
    assert unit is not None
    assert ("PushConsumer", 1) in unit.calls


def test_a_repository_that_cannot_be_opened_is_one_diagnostic(tmp_path: Path) -> None:
    rows = listed(tmp_path / "none", Setup())
    assert [(row[0], row[1], row[2] == ".") for row in rows] == [
        ("repository", "r", False),
        ("listing-diagnostic", "r", True),
        ("worker", "", False),
    ]
    assert json.loads(str(rows[0][2]))[1] == str(tmp_path / "none")


def test_a_broken_configuration_ends_the_scan(tmp_path: Path) -> None:
    (tmp_path / ".subdrift.toml").write_text("colour = 1\n")
    assert [row[0] for row in listed(tmp_path, Setup())] == ["fatal", "worker"]
    assert "fatal" not in {row[0] for row in listed(tmp_path, Setup(isolated=True))}


MAIN = b"""package com.acme;
import com.acme.names.Names;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class Main {
  public static void main(String[] args) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("g");
    consumer.subscribe(Names.TOPIC, "*");
    consumer.start();
  }
}
"""
NAMES = b'package com.acme.names;\npublic class Names { public static final String TOPIC = "ORDERS"; }\n'


def facts(turn: int, repo: str, path: str, content: bytes) -> tuple[object, ...]:
    """A row of a file as consuming takes it."""
    (found,) = read_all([Job(path, content)], 1)
    assert found is not None
    return 0, turn, "file", repo, path, 0, wire.dumps(found)


def structure(*repos: str) -> work.Structure:
    """That of repositories without build files."""
    return work.Structure.of((), repos)


def of_kind(rows: Iterable[tuple[object, ...]], kind: str) -> list[tuple[object, ...]]:
    return [row for row in rows if row[0] == kind]


def test_a_share_says_what_it_looked_up_and_what_is_lent_to_it_answers() -> None:
    main = facts(work.OWN, "a", "Main.java", MAIN)
    names = facts(work.LENT, "b", "Names.java", NAMES)

    alone = list(work.consume([main], structure("a", "b"), Settings()))
    lent = list(work.consume([main, names], structure("a", "b"), Settings()))

    ((asks,),) = [[json.loads(str(row[6])) for row in of_kind(alone, "asks")]]
    assert "type:com.acme.names.Names" in asks
    assert "com.acme.names.Names" in {row[5] for row in of_kind(alone, "type")}
    assert "com.acme.names.Names" not in {row[5] for row in of_kind(lent, "type")}
    topics = [
        [
            one.topic.text
            for row in of_kind(rows, "consumer")
            for one in wire.loads(Consumer, str(row[6])).subscriptions
        ]
        for rows in (alone, lent)
    ]
    assert topics == [[None], ["ORDERS"]]
    # what is lent has its deployables, suppressions and problems in a share of its own
    assert {row[1] for row in lent} == {"a"}


def test_shares_are_consumed_each_with_rows_of_its_own() -> None:
    first = facts(work.OWN, "a", "Main.java", MAIN)
    second = (1, *facts(work.OWN, "c", "Main.java", MAIN)[1:])
    found = list(work.consume([first, second], structure("a", "c"), Settings()))
    assert [row[1] for row in of_kind(found, "consumer")] == ["a", "c"]
    assert [row[5:] for row in of_kind(found, "held")] == [("a", "1"), ("c", "1")]


def test_a_group_whose_name_nobody_knows_is_judged_and_not_counted(tmp_path: Path) -> None:
    for name, group in (("A", "${absent.group}"), ("B", "known")):
        text = LISTENER.format(group=group, topic="t", tags="a", name=name)
        (tmp_path / f"{name}.java").write_text(text)
    consumers = analyse(discover([str(tmp_path)]), rules.ALL).consumers
    given = (
        ("spot", "consumer", *map(key_text, group_key(one) or ()), key_text(one.id), wire.dumps(one))
        for one in sorted(consumers, key=lambda one: group_key(one) or ())
    )
    found = [row for row in work.judge(given, Settings()) if row[0] == "verdict"]
    assert len(consumers) == 2
    assert [row[3] for row in found] == [key_text("known")]


def test_work_that_no_executor_takes_up_is_noticed_and_work_that_goes_on_is_not() -> None:
    idle = Idle()
    seen = [
        idle.seen(stages, now)
        for now, stages in (
            (0.0, []),
            (10.0, [(1, 0, 0)]),
            (50.0, [(1, 0, 0)]),
            (75.0, [(1, 0, 0)]),
            (80.0, [(1, 2, 0)]),
            (90.0, [(1, 0, 2)]),
            (155.0, [(1, 0, 2)]),
            (160.0, [(2, 0, 0)]),
            (165.0, []),
        )
    ]
    assert seen == [0.0, 0.0, 40.0, 65.0, 0.0, 0.0, 65.0, 0.0, 0.0]
