"""The command line from outside: exit codes, streams, configuration, and that no input ever shows a traceback."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

import jsonschema  # type: ignore[import-untyped]
import pytest

from subdrift import linter
from subdrift.linter import cli

ROOT = Path(__file__).parent.parent.parent
SHOP = ROOT / "fixtures" / "orgs" / "shop"

LISTENER = """package x;
import org.apache.rocketmq.spring.annotation.RocketMQMessageListener;
import org.apache.rocketmq.spring.core.RocketMQListener;
import org.springframework.stereotype.Component;
{comment}
@RocketMQMessageListener(consumerGroup = "{group}", topic = "T", selectorExpression = "{tags}")
@Component
class {name} implements RocketMQListener<String> {{ public void onMessage(String m) {{}} }}
"""


NOT_OURS = ("NO_COLOR", "FORCE_COLOR", "PRE_COMMIT")


class Ran:
    """What one run of the command gave."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in out + err


def run(
    *arguments: str | Path, cwd: Path | None = None, env: Mapping[str, str] = MappingProxyType({})
) -> Ran:
    """The command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with patch.dict(os.environ, env), chdir(cwd or Path.cwd()), redirect_stdout(out), redirect_stderr(err):
        for name in set(NOT_OURS) - set(env):
            os.environ.pop(name, None)
        code = cli.run([str(one) for one in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


def start(*arguments: str | Path, env: Mapping[str, str] = MappingProxyType({})) -> Ran:
    """The command in a process of its own, for what the process itself has a part in."""
    environment = {k: v for k, v in os.environ.items() if k not in NOT_OURS} | {
        "PYTHONPATH": str(ROOT),
        **env,
    }
    command = [sys.executable, "-m", "subdrift", *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=600, check=False)
    return Ran(done.returncode, *(part.decode("utf-8", "replace") for part in (done.stdout, done.stderr)))


def listener(root: Path, name: str, tags: str, comment: str = "", group: str = "g") -> Path:
    path = root / f"{name}.java"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(LISTENER.format(name=name, tags=tags, comment=comment, group=group), encoding="utf-8")
    return path


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """A repository with two listeners that disagree."""
    root = tmp_path / "torn"
    listener(root, "A", "a")
    listener(root, "B", "b")
    (root / ".subdrift.toml").write_text("")
    return root


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    root = tmp_path / "whole"
    listener(root, "A", "a")
    (root / ".subdrift.toml").write_text("")
    return root


# -- exit codes and streams ---------------------------------------------------------------------------------------


def test_a_disagreement_exits_with_one_and_is_told_on_stdout(torn: Path) -> None:
    done = start("check", torn)
    assert done.code == 1
    assert "error[divergent-tags] group g · topic T" in done.out
    assert "B.java:" in done.out
    assert done.err == ""


def test_agreement_exits_with_zero(whole: Path) -> None:
    done = start("check", whole)
    assert (done.code, done.err) == (0, "")
    assert done.out == "1 group consistent (1 consumer, 1 file; 0 blind spots).\n"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--fail-on", "error"), 1),
        (("--fail-on", "note"), 1),
        (("--fail-on", "never"), 0),
        (("--exit-zero",), 0),
        (("--config", "fail-on = 'never'"), 0),
        (("--config", "fail-on = 'never'", "--fail-on", "error"), 1),
    ],
)
def test_the_threshold_decides(torn: Path, options: tuple[str, ...], code: int) -> None:
    assert run("check", torn, *options).code == code


def test_strict_counts_what_could_not_be_analysed(whole: Path) -> None:
    (whole / "big.java").write_bytes(b" " * ((2 << 20) + 1))
    assert run("check", whole).code == 0
    assert run("check", whole, "--strict").code == 1
    assert run("check", whole, "--strict", "--no-strict").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "no/such/path"), "subdrift: no/such/path: No such file or directory"),
        (("check", "--org", "no/such"), "subdrift: no/such: No such file or directory"),
        (("check", ".", "--org", "."), "subdrift: give either PATHs or --org DIR, not both"),
        (("check", "--output", "sarif"), "--output takes FORMAT=FILE"),
        (("check", "--output", "xml=a.xml"), "--output takes FORMAT=FILE"),
        (("check", "--config", "nope.toml"), "subdrift: nope.toml: No such file or directory"),
        (("check", "--config", "asume.queues = 1"), "`asume` is not a setting; did you mean `assume`?"),
        (("check", "--fail-on", "fatal"), "Invalid value for '--fail-on'"),
        (("check", "--nope"), "No such option"),
        (("chek",), "Did you mean 'check'?"),
        (("explain", "divergent-tag"), "did you mean `divergent-tags`?"),
        (("explain", "divergent-tags", "--lang", "fr"), "Invalid value for '--lang'"),
        (("predict",), "examples: O-000"),
        (("predict", "gone.toml"), "subdrift: gone.toml: No such file or directory"),
        (("predict", "--example", "O-999"), "there is no example 'O-999'"),
    ],
)
def test_what_cannot_be_done_exits_with_two_and_says_why(
    whole: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = run(*arguments, cwd=whole)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_a_mistake_in_the_configuration_is_named_with_its_line(whole: Path) -> None:
    (whole / ".subdrift.toml").write_text("# settings\nfail_onn = 'error'\n")
    done = run("check", whole)
    assert done.code == 2
    assert ".subdrift.toml:2: `fail_onn` is not a setting; did you mean `fail-on`?" in done.err
    assert run("check", whole, "--isolated").code == 0


def test_two_repositories_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("x/same", "y/same"):
        listener(tmp_path / name, "A", "a")
        (tmp_path / name / ".subdrift.toml").write_text("")
    done = run("check", tmp_path / "x/same", tmp_path / "y/same")
    assert done.code == 2
    assert str(tmp_path / "x/same") in done.err
    assert str(tmp_path / "y/same") in done.err


def test_a_run_that_looked_at_nothing_says_so(tmp_path: Path) -> None:
    done = run("check", tmp_path)
    assert (done.code, done.out) == (0, "No consumers found in 0 files.\n")
    assert "no supported file found" in done.err
    (tmp_path / "A.java").write_text("class A {}")
    done = run("check", tmp_path)
    assert done.code == 0
    assert "no RocketMQ consumer found in 1 file of" in done.err


def test_a_bug_is_a_sentence_and_never_zero_or_one(
    whole: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(arguments: list[str]) -> int:
        raise KeyError("oops\x1b[2J")

    monkeypatch.setattr(cli, "_dispatch", broken)
    assert cli.run(["check", str(whole)]) == 2
    captured = capsys.readouterr()
    assert "internal error: KeyError" in captured.err
    assert "Please report it" in captured.err
    assert "\x1b" not in captured.err
    assert captured.out == ""


def test_an_interrupt_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(arguments: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_dispatch", interrupted)
    assert cli.run(["check"]) == 130
    assert capsys.readouterr().err == "subdrift: interrupted\n"


def test_a_real_interrupt_ends_with_130(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, time\n"
        "from subdrift.linter import pipeline\n"
        "import subdrift.linter.cli.job as job\n"
        "job.analyse = lambda *a, **k: (os.kill(os.getpid(), signal.SIGINT), time.sleep(30))\n"
        "from subdrift.linter.cli import main\n"
        "sys.argv = ['subdrift', 'check']\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.returncode in (130, -signal.SIGINT)
    assert b"Traceback" not in done.stderr


SIGNALLED = {
    "while the first module of ours is imported": """
class Finder:
    def find_spec(self, name, path, target=None):
        if name == "subdrift.linter.cli.output":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGTERM)
sys.meta_path.insert(0, Finder())
""",
    "where the interpreter wraps what is raised": """
from subdrift.linter import cli
def wrapped(arguments):
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(30)
    except BaseException as error:
        raise RuntimeError("Error calling __set_name__") from error
cli._dispatch = wrapped
""",
}


@pytest.mark.parametrize("moment", SIGNALLED)
def test_a_signal_at_an_awkward_moment_is_told_as_any(moment: str, tmp_path: Path) -> None:
    script = (
        f"import os, signal, sys, time\n{SIGNALLED[moment]}\n"
        "from subdrift.linter.cli import main\nsys.argv = ['subdrift', 'check']\nmain()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 143
    assert done.stderr in (b"subdrift: interrupted\n", b"")  # a slow machine ends it before it has said so


def test_a_closed_pipe_is_no_error(torn: Path) -> None:
    for n in range(300):
        listener(torn, f"C{n}", "c", group=f"g{n}")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f'"{sys.executable}" -m subdrift list --output-format jsonl "{torn}" | head -c 1'
    done = subprocess.run(command, shell=True, env=environment, capture_output=True, check=False, timeout=600)
    assert done.stderr == b""


def test_output_no_terminal_encoding_can_stop(torn: Path) -> None:
    listener(torn, "订单", "一 || 二")
    done = start("check", torn, "--all-places", env={"PYTHONIOENCODING": "ascii"})
    assert done.code == 1
    assert "\\u8ba2\\u5355.java" in done.out
    assert " - topic T" in done.out


# -- what is looked at --------------------------------------------------------------------------------------------


def test_a_path_narrows_the_report_but_not_what_is_read(torn: Path) -> None:
    listener(torn / "other", "C", "a")
    done = run("check", torn / "A.java", "--output-format", "concise")
    assert done.code == 1
    assert "divergent-tags" in done.out
    (torn / "empty").mkdir()
    done = run("check", torn / "empty", "--output-format", "concise")
    assert done.code == 0
    assert "divergent-tags" not in done.out


def test_the_default_path_is_here(torn: Path) -> None:
    assert run("check", cwd=torn).code == 1


def test_an_organisation_is_compared_across_its_folders(tmp_path: Path) -> None:
    listener(tmp_path / "one", "A", "a")
    listener(tmp_path / "two", "B", "b")
    assert run("check", "--org", tmp_path).code == 1
    assert run("check", tmp_path / "one").code == 0


def test_the_organisation_s_own_file_is_the_run_s(tmp_path: Path) -> None:
    listener(tmp_path / "one", "A", "a")
    listener(tmp_path / "two", "B", "b")
    (tmp_path / ".subdrift.toml").write_text("fail-on = 'never'\n[assume]\nqueues = 16\n")
    done = run("check", "--org", tmp_path)
    assert done.code == 0
    assert "16 queues" in done.out


def test_excluded_files_take_no_part(torn: Path) -> None:
    (torn / ".subdrift.toml").write_text("exclude = ['B.java']\n")
    assert run("check", torn).code == 0


def test_untracked_files_take_no_part_in_a_hook(torn: Path) -> None:
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run([*git, "init", "-q"], cwd=torn, check=True)
    subprocess.run([*git, "add", "A.java", ".subdrift.toml"], cwd=torn, check=True)
    assert run("check", torn).code == 1
    assert run("check", torn, env={"PRE_COMMIT": "1"}).code == 0
    assert run("check", torn, "--no-untracked").code == 0
    assert run("check", torn, "--untracked", env={"PRE_COMMIT": "1"}).code == 1


# -- suppressions -------------------------------------------------------------------------------------------------


def test_a_suppression_silences_its_own_repository_and_is_counted(torn: Path) -> None:
    listener(torn, "B", "b", "// subdrift: ignore[divergent-tags] two versions run side by side")
    done = run("check", torn)
    assert done.code == 0
    assert done.out == "Only suppressed findings (1).\n"
    done = run("check", torn, "--show-suppressed")
    assert done.code == 0
    assert "Suppressed: two versions run side by side" in done.out


def test_an_organisation_shows_what_one_side_has_suppressed(tmp_path: Path) -> None:
    comment = "// subdrift: ignore[divergent-tags] {}"
    listener(tmp_path / "one", "A", "a", comment.format("ours"))
    listener(tmp_path / "two", "B", "b")
    done = run("check", "--org", tmp_path)
    assert done.code == 1
    assert "Suppressed on one side: ours (one)" in done.out
    listener(tmp_path / "two", "B", "b", comment.format("theirs"))
    assert run("check", "--org", tmp_path).code == 0


# -- formats ------------------------------------------------------------------------------------------------------


def test_several_reports_in_one_run(torn: Path, tmp_path: Path) -> None:
    files = {kind: tmp_path / f"report.{kind}" for kind in ("json", "sarif", "text", "concise", "github")}
    outputs = [part for kind, file in files.items() for part in ("--output", f"{kind}={file}")]
    done = run("check", torn, "--output-format", "concise", *outputs)
    assert done.code == 1
    assert done.out.startswith("A.java:6:1: error[divergent-tags] ")
    assert json.loads(files["json"].read_text())["findings"][0]["rule"] == "divergent-tags"
    assert json.loads(files["sarif"].read_text())["runs"][0]["results"][0]["ruleId"] == "divergent-tags"
    assert files["github"].read_text().startswith("::error file=A.java,line=6")
    assert files["concise"].read_text() == done.out


def test_a_report_that_cannot_be_written_is_an_error(torn: Path) -> None:
    done = start("check", torn, "--output", "json=/no/such/folder/x.json")
    assert done.code == 2
    assert "the report could not be written" in done.err


def test_the_summary_page_of_a_workflow_is_written(torn: Path, tmp_path: Path) -> None:
    page = tmp_path / "summary.md"
    run("check", torn, "--output-format", "github", env={"GITHUB_STEP_SUMMARY": str(page)})
    assert "| error | `divergent-tags` | g | T |" in page.read_text()


def schema(name: str) -> object:
    return json.loads((ROOT / "linter" / "report" / "schemas" / f"{name}.schema.json").read_text())


def test_json_of_a_real_run_keeps_its_schema() -> None:
    done = run("check", "--org", SHOP, "--no-cache", "--output-format", "json")
    jsonschema.Draft202012Validator(schema("check")).validate(json.loads(done.out))


def test_rows_of_a_real_run_keep_their_schema() -> None:
    done = run("list", "--org", SHOP, "--no-cache", "--output-format", "jsonl")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert len(rows) > 10
    for row in rows:
        jsonschema.Draft202012Validator(schema("list")).validate(row)
        assert not any("${" in (row[name] or "") for name in ("group", "topic", "expression"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_rule_can_be_explained(lang: str) -> None:
    names = [line.split()[0] for line in run("explain").out.splitlines()]
    assert "divergent-tags" in names
    assert "unresolved-value" in names
    done = run("explain", "divergent-tags", "--lang", lang)
    assert done.code == 0
    assert "divergent-tags" in done.out


def test_an_example_is_predicted_as_text_and_as_json() -> None:
    assert "lost" in run("predict", "--example", "O-000").out
    done = run("predict", "--example", "O-000", "--output-format", "json", "--simulate", "3")
    document = json.loads(done.out)
    jsonschema.Draft202012Validator(schema("predict")).validate(document)
    assert document["simulation"]["runs"] == 3


# -- the cache ----------------------------------------------------------------------------------------------------


def test_what_was_read_is_kept_beside_the_repository_until_cleaned(torn: Path) -> None:
    first = run("check", torn)
    folder = torn / ".subdrift_cache"
    assert (folder / linter.__version__ / "facts.db").is_file()
    assert run("check", torn).out == first.out
    listener(torn, "B", "a")
    assert run("check", torn).code == 0
    assert run("clean", torn).out == f"removed {folder}\n"
    assert not folder.exists()
    assert run("clean", torn).out == "nothing to remove\n"


def test_nothing_is_kept_without_a_cache_or_for_a_lone_file(torn: Path, tmp_path: Path) -> None:
    run("check", torn, "--no-cache")
    assert not (torn / ".subdrift_cache").exists()
    lone = listener(tmp_path / "plain", "A", "a")
    assert run("check", lone).code == 0
    assert sorted(one.name for one in lone.parent.iterdir()) == ["A.java"]


def test_the_cache_lies_where_the_option_or_the_environment_says(torn: Path, tmp_path: Path) -> None:
    run("check", torn, "--cache-dir", tmp_path / "option")
    run("check", torn, env={"SUBDRIFT_CACHE_DIR": str(tmp_path / "environment")})
    assert (tmp_path / "option" / "CACHEDIR.TAG").is_file()
    assert (tmp_path / "environment" / "CACHEDIR.TAG").is_file()
    assert not (torn / ".subdrift_cache").exists()


def test_a_cache_that_cannot_be_used_is_said_and_changes_nothing(torn: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("check", torn, "--cache-dir", tmp_path / "file")
    assert done.code == 1
    assert "the cache was not used" in done.err


# -- starting up --------------------------------------------------------------------------------------------------


def test_the_version_is_that_of_the_distribution() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert linter.__version__ == project["version"]
    assert run("--version").out == run("-V").out == f"subdrift {linter.__version__}\n"
    assert run("--version", "check").out == f"subdrift {linter.__version__}\n"


def test_help_reads_well() -> None:
    text = run("--help").out
    for command in ("check", "list", "unresolved", "predict", "explain", "clean"):
        assert f"\n  {command} " in text
    assert run("check", "-h").out == run("check", "--help").out
    assert run().code == 2


HEAVY = {
    "rich",
    "jinja2",
    "libcst",
    "yaml",
    "tree_sitter",
    "pyspark",
    "pyarrow",
    "multiprocessing",
    "concurrent",
    "pydantic",
    "typer",
    "subdrift.linter.resolve.semantics.jvm.library",
    "subdrift.linter.resolve.semantics.python.library",
}

STARTS = [
    (("--version",), HEAVY | {"subdrift.linter.cli.app", "subdrift.linter.pipeline", "dataclasses", "json"}),
    (("--help",), HEAVY - {"typer"} | {"subdrift.linter.pipeline"}),
    (("check", "{empty}"), HEAVY),
    (
        ("check", "{java}", "--no-cache"),
        HEAVY - {"tree_sitter"}
        | {"sqlite3", "tomllib", "subdrift.linter.broker.closed_form", "subdrift.linter.broker.selector"},
    ),
    (
        ("check", "{python}", "--no-cache"),
        HEAVY
        - {
            "tree_sitter",
            "subdrift.linter.resolve.semantics.jvm.library",
            "subdrift.linter.resolve.semantics.python.library",
        }
        | {"sqlite3", "tree_sitter_java", "tree_sitter_kotlin", "subdrift.linter.languages.python.repair"},
    ),
]


@pytest.mark.parametrize(("arguments", "forbidden"), STARTS)
def test_a_run_imports_only_what_it_needs(
    arguments: tuple[str, ...], forbidden: set[str], tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    java = listener(tmp_path / "java", "A", "a")
    python = tmp_path / "app.py"
    python.write_text('from rocketmq.client import PushConsumer\nPushConsumer("g").subscribe("t", print)\n')
    shown = [part.format(empty=tmp_path / "empty", java=java, python=python) for part in arguments]
    script = (
        "import sys, atexit\n"
        "atexit.register(lambda: sys.stderr.write('modules:' + ' '.join(sys.modules)))\n"
        "from subdrift.linter.cli import main\n"
        f"sys.argv = ['subdrift', *{shown!r}]\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import site; site.main()\n" + script],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    modules = set(done.stderr.partition("modules:")[2].split())
    assert "subdrift.linter.cli" in modules
    assert sorted(modules & forbidden) == []
