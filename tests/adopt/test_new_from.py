"""`--new-from`: what a change creates is reported whichever file it shows in; what was there is counted."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from subdrift.linter.cli import job as checkouts
from subdrift.linter.pipeline import Sight
from tests.adopt.scratch import Scratch, environment, subdrift


@pytest.fixture
def scratch(tmp_path: Path) -> Scratch:
    """Two consumers that agree and two that do not, committed."""
    scratch = Scratch(tmp_path / "work")
    scratch.listener("A", "a", folder="one/")
    scratch.listener("B", "a", folder="two/")
    scratch.listener("Old1", "x", group="old-g")
    scratch.listener("Old2", "y", group="old-g")
    scratch.commit()
    return scratch


def test_nothing_is_new_without_a_change_and_the_old_is_counted(scratch: Scratch) -> None:
    ran = subdrift("check", scratch.root, "--new-from", "HEAD")
    assert ran.code == 0
    assert ran.out.startswith("Nothing new since HEAD (")
    assert "(1 old)." in ran.out
    assert scratch.check().code == 1


def test_a_change_is_new_although_its_other_side_is_untouched(scratch: Scratch) -> None:
    scratch.listener("B", "b", folder="two/")
    ran = scratch.check("--new-from", "HEAD")
    assert (ran.code, ran.rules) == (1, ["divergent-tags"])
    assert [place["path"] for place in ran.json["findings"][0]["places"]] == ["two/B.java", "one/A.java"]


def test_moved_lines_and_files_are_not_new(scratch: Scratch) -> None:
    scratch.listener("C", "a|b", group="other")
    scratch.commit()
    old = (scratch.root / "Old1.java").read_text()
    scratch.write("Old1.java", "\n\n" + old)
    (scratch.root / "deep").mkdir()
    scratch.git("mv", "Old2.java", "deep/Old2.java")
    scratch.git("mv", "C.java", "deep/D.java")
    scratch.write("deep/D.java", (scratch.root / "deep/D.java").read_text().replace("class C", "class D"))
    ran = scratch.check("--new-from", "HEAD")
    assert (ran.code, ran.rules) == (0, [])


def test_a_second_equal_mistake_is_new(scratch: Scratch) -> None:
    scratch.listener("C", "a|b", group="other")
    scratch.commit()
    scratch.listener("D", "a|b", group="other")
    assert scratch.check("--new-from", "HEAD").rules == ["wrong-tag-separator"]


def test_a_deleted_file_can_create_a_finding(scratch: Scratch) -> None:
    scratch.write("src/main/resources/application.yml", "mq:\n  tags: a\n")
    scratch.listener("A", "${mq.tags:b}", folder="src/main/java/")
    (scratch.root / "one/A.java").unlink()
    scratch.write("pom.xml", "<project><groupId>x</groupId><artifactId>y</artifactId></project>")
    (scratch.root / "two/B.java").unlink()
    scratch.listener("B", "a", folder="src/main/java/")
    scratch.commit()
    assert scratch.check("--new-from", "HEAD").code == 0
    scratch.git("rm", "-q", "src/main/resources/application.yml")
    ran = scratch.check("--new-from", "HEAD")
    assert (ran.code, ran.rules) == (1, ["divergent-tags"])


def test_an_edited_disagreement_is_new_and_a_lifted_suppression_too(scratch: Scratch) -> None:
    scratch.listener("Old2", "z", group="old-g")
    assert scratch.check("--new-from", "HEAD").rules == ["divergent-tags"]
    scratch.git("checkout", "-q", ".")
    for name in ("Old1", "Old2"):
        path = scratch.root / f"{name}.java"
        text = path.read_text().replace("@Rocket", "// subdrift: ignore[divergent-tags] for now\n@Rocket", 1)
        path.write_text(text)
    scratch.commit()
    assert scratch.check("--new-from", "HEAD~1").code == 0
    scratch.git("checkout", "-q", "HEAD~1", "--", ".")
    assert scratch.check("--new-from", "HEAD").rules == ["divergent-tags"]


def test_an_answer_that_shows_a_disagreement_is_a_change(scratch: Scratch) -> None:
    scratch.listener("B", "${mq.tags}", folder="two/")
    scratch.commit()
    assert scratch.check("--new-from", "HEAD").code == 0
    scratch.write(".subdrift.toml", '[values]\n"mq.tags" = "b"\n')
    assert scratch.check("--new-from", "HEAD").rules == ["divergent-tags"]


def test_partially_staged_files_are_judged_as_staged(scratch: Scratch) -> None:
    scratch.listener("B", "b", folder="two/")
    assert scratch.check("--new-from", "HEAD", "--staged").code == 0
    scratch.git("add", ".")
    scratch.listener("B", "a", folder="two/")
    ran = scratch.check("--new-from", "HEAD", "--staged")
    assert (ran.code, ran.rules) == (1, ["divergent-tags"])
    assert scratch.check("--new-from", "HEAD").code == 0


def test_a_file_that_is_not_known_to_git_takes_no_part_in_what_is_staged(scratch: Scratch) -> None:
    scratch.listener("C", "c", folder="three/")
    assert scratch.check("--new-from", "HEAD", "--staged").code == 0
    assert scratch.check("--new-from", "HEAD").rules == ["divergent-tags"]


def test_a_commit_in_progress_is_judged_by_its_own_index(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch.listener("B", "b", folder="two/")
    scratch.write("hook.txt", "")
    index = scratch.root / ".git" / "next-index-1.lock"
    os.link(scratch.root / ".git" / "index", index)
    index.unlink()
    index.write_bytes((scratch.root / ".git" / "index").read_bytes())
    command = environment() | {"GIT_INDEX_FILE": str(index)}
    os.spawnvpe(os.P_WAIT, "git", ["git", "-C", str(scratch.root), "add", "two/B.java"], command)
    assert scratch.check("--new-from", "HEAD", "--staged").code == 0
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    assert scratch.check("--new-from", "HEAD", "--staged").rules == ["divergent-tags"]
    monkeypatch.setenv("GIT_INDEX_FILE", "/somewhere/else/index")
    assert scratch.check("--new-from", "HEAD", "--staged").code == 0


def test_the_first_commit_is_compared_with_nothing(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "fresh")
    scratch.listener("A", "a")
    scratch.listener("B", "b")
    scratch.git("add", ".")
    assert scratch.check("--new-from", "HEAD", "--staged").rules == ["divergent-tags"]


def test_a_branch_is_compared_where_it_began(scratch: Scratch) -> None:
    scratch.git("checkout", "-q", "-b", "topic")
    scratch.listener("C", "a", folder="three/")
    scratch.commit()
    scratch.git("checkout", "-q", "main")
    scratch.listener("A", "b", folder="one/")
    scratch.listener("B", "b", folder="two/")
    scratch.commit()
    scratch.git("checkout", "-q", "topic")
    assert scratch.check("--new-from-merge-base", "main").code == 0
    scratch.git("merge", "-q", "main")
    ran = subdrift("check", scratch.root, "--new-from-merge-base", "main")
    assert ran.code == 1
    assert "1 new error since the merge base with main" in ran.out


def test_a_shallow_clone_says_what_is_missing(scratch: Scratch, tmp_path: Path) -> None:
    first = scratch.git("rev-parse", "HEAD")
    scratch.listener("B", "b", folder="two/")
    scratch.commit()
    clone = tmp_path / "clone"
    scratch.git("clone", "-q", "--depth", "1", f"file://{scratch.root}", str(clone))
    ran = subdrift("check", clone, "--new-from", first)
    assert ran.code == 2
    assert "shallow clone" in ran.err
    assert "fetch-depth: 0" in ran.err


def test_a_clone_without_contents_says_how_to_fetch_them(scratch: Scratch, tmp_path: Path) -> None:
    first = scratch.git("rev-parse", "HEAD")
    scratch.listener("B", "b", folder="two/")
    scratch.commit()
    scratch.git("config", "uploadpack.allowFilter", "true")
    clone = tmp_path / "clone"
    scratch.git("clone", "-q", "--filter=blob:none", f"file://{scratch.root}", str(clone))
    ran = subdrift("check", clone, "--new-from", first)
    assert ran.code == 2
    assert "two/B.java as it was in " in ran.err
    diff = f"git diff {first[:9]}"
    assert f"(`--filter`); `{diff}` fetches what is missing" in ran.err
    scratch.git("-C", str(clone), *diff.split()[1:])
    assert subdrift("check", clone, "--new-from", first, "--no-cache").code == 1


def test_a_folder_without_git_or_an_unknown_revision_cannot_be_compared(
    scratch: Scratch, tmp_path: Path
) -> None:
    assert "does not know the revision 'nope'" in scratch.check("--new-from", "nope").err
    bare = tmp_path / "bare"
    bare.mkdir()
    ran = subdrift("check", bare, "--new-from", "HEAD", "--no-cache")
    assert (ran.code, "is not a git work tree" in ran.err) == (2, True)
    assert subdrift("check", bare, "--staged", "--no-cache").code == 2
    assert scratch.check("--new-from", "--output=x").code == 2
    assert scratch.check("--new-from", "HEAD", "--new-from-merge-base", "main").code == 2


def test_a_repository_below_the_top_of_a_work_tree_is_compared_by_itself(tmp_path: Path) -> None:
    scratch = Scratch(tmp_path / "mono")
    scratch.write("inner/.subdrift.toml", "")
    scratch.listener("A", "a", folder="inner/a/")
    scratch.listener("B", "a", folder="inner/b/")
    scratch.commit()
    scratch.listener("B", "b", folder="inner/b/")
    ran = subdrift(
        "check", tmp_path / "mono" / "inner", "--new-from", "HEAD", "--output-format", "json", "--no-cache"
    )
    assert ran.rules == ["divergent-tags"]
    assert ran.json["findings"][0]["places"][0]["path"] == "b/B.java"


def test_sarif_points_at_the_text_that_a_change_has_made_differ(scratch: Scratch) -> None:
    scratch.listener("B", "${mq.tags}", folder="two/")
    scratch.write("src/main/resources/application.yml", "mq:\n  tags: a\n")
    scratch.commit()
    scratch.write("src/main/resources/application.yml", "mq:\n  tags: b\n")
    report = json.loads(scratch.check("--new-from", "HEAD", "--output-format", "sarif").out)
    (result,) = report["runs"][0]["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "src/main/resources/application.yml"
    assert location["physicalLocation"]["region"] == {
        "startLine": 2,
        "startColumn": 3,
        "endLine": 2,
        "endColumn": 10,
    }


def test_a_mistake_that_comes_to_another_topic_is_new(scratch: Scratch) -> None:
    scratch.listener("Star", "a || *", group="star-g", topic="T1")
    scratch.commit()
    assert scratch.check("--new-from", "HEAD").rules == []
    scratch.listener("Star", "a || *", group="star-g", topic="T2")
    assert scratch.check("--new-from", "HEAD").rules == ["star-in-list"]


PLAIN = "package x;\nclass Plain { int a() { return 1; } }\n"
TAGS = 'package x;\nclass Tags { static final String T = "y"; }\n'
NAMED = """package x;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
class Named {
  void start(String tags) throws Exception {
    DefaultMQPushConsumer consumer = new DefaultMQPushConsumer("named-g");
    consumer.subscribe("t", tags);
    consumer.start();
  }
}
"""
CALLS = "package x;\nclass Calls { void go(Named named) throws Exception { named.start(%s); } }\n"

EDITS: dict[str, tuple[dict[str, str], int]] = {
    "a file that nobody asks for": ({"Plain.java": PLAIN.replace("1", "2")}, 1),
    "what becomes a consumer": ({"Plain.java": NAMED.replace("Named", "Plain")}, 2),
    "what was a consumer": ({"one/A.java": PLAIN.replace("Plain", "A")}, 2),
    "all that was wrong is gone": ({"Old2.java": PLAIN.replace("Plain", "Old2")}, 1),
    "what starts an application": ({"Plain.java": PLAIN.replace("int a(", "public static void main(")}, 2),
    "what begins to call": ({"Plain.java": CALLS.replace("Calls", "Plain") % '"p"'}, 2),
    "what called": ({"Calls.java": PLAIN.replace("Plain", "Calls")}, 2),
    "a constant that is used": ({"Tags.java": TAGS.replace('"y"', '"z"')}, 2),
    "a setting": ({"src/main/resources/application.yml": "a: 2\n"}, 2),
    "a file that comes": ({"More.java": PLAIN.replace("Plain", "More")}, 2),
    "text that is not read": ({"README.md": "read me"}, 1),
}


@pytest.mark.parametrize("name", EDITS)
def test_the_base_is_looked_at_where_a_change_may_matter_to_it(
    name: str, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs are counted; and what is new does not hang on their number."""
    changes, runs = EDITS[name]
    before = {
        "Plain.java": PLAIN,
        "Tags.java": TAGS,
        "Named.java": NAMED,
        "Calls.java": CALLS % "Tags.T",
        "src/main/resources/application.yml": "a: 1\n",
        "README.md": "",
    }
    for path, text in before.items():
        scratch.write(path, text)
    scratch.commit()
    for path, text in changes.items():
        scratch.write(path, text)
    done: list[object] = []
    analysed = checkouts.analysed

    def counted(job: Any, trees: Any, inputs: Any, *more: Any, **named: Any) -> Any:
        done.extend(() if inputs.sends else (trees,))  # who sends what is asked for beside
        return analysed(job, trees, inputs, *more, **named)

    monkeypatch.setattr(checkouts, "analysed", counted)
    skipping = scratch.check("--new-from", "HEAD", "--no-cache")
    assert len(done) == runs
    monkeypatch.setattr(Sight, "passes_over", lambda *_: False)
    assert scratch.check("--new-from", "HEAD", "--no-cache").out == skipping.out
