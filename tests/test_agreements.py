"""What must not change an answer: the cache, the order of files, unrelated files, the place on disk, the workers."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from subdrift.linter import stages, workers
from subdrift.linter.model import wire
from subdrift.linter.model.facts import FileFacts
from subdrift.linter.pipeline import Options, Policy, Result, analyse
from subdrift.linter.resolve.modules import Deployable
from subdrift.linter.sources.checkout import Repository, discover
from subdrift.linter.store import cache as store
from subdrift.linter.store.cache import Cache
from subdrift.rules import ALL
from tests.edits import differences, said
from tests.test_cases import FOUND

ORGS = Path(__file__).parents[1] / "fixtures" / "orgs"
EDITS_MAX = 12
NAMES = sorted(path.name for path in ORGS.iterdir() if path.is_dir())


def check(org: Path, cache: Cache | None = None, options: Options | None = None) -> Result:
    return analyse(discover([], str(org)), ALL, options=options, cache=cache)


@pytest.fixture(scope="module", params=NAMES)
def org(request: pytest.FixtureRequest) -> Path:
    name: str = request.param
    return ORGS / name


def test_sample_organisations_hold_consumers(org: Path) -> None:
    assert check(org).consumers


def test_a_warm_cache_gives_the_same_answer_and_is_hit(org: Path, tmp_path: Path) -> None:
    plain = check(org)
    with Cache(str(tmp_path), "v") as cold:
        first = check(org, cold)
    with Cache(str(tmp_path), "v") as warm:
        second = check(org, warm, Options(material=True))
        assert warm.hits > 0
        assert warm.misses == 0
    with Cache(str(tmp_path), "v") as warm:
        third = check(org, warm)
        assert (warm.hits, warm.misses) == (0, 0), "what all files come to is kept, none is asked for"
    assert third.material is None
    for found in (first, second, third):
        assert said(found) == said(plain)


def test_facts_are_used_now_and_then_though_all_they_come_to_is_kept(
    org: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Cache(str(tmp_path), "v") as cold:
        check(org, cold)
    later = store._today() + store.TOUCH_DAYS
    monkeypatch.setattr(store, "_today", lambda: later)
    for hit in (True, False):
        with Cache(str(tmp_path), "v") as warm:
            check(org, warm)
            assert (warm.hits > 0) == hit


def test_the_place_on_disk_changes_nothing(org: Path, tmp_path: Path) -> None:
    moved = tmp_path / "订单 and blanks" / org.name
    shutil.copytree(org, moved)
    assert said(check(moved)) == said(check(org))


def test_an_unrelated_file_changes_nothing(org: Path, tmp_path: Path) -> None:
    copy = tmp_path / org.name
    shutil.copytree(org, copy)
    before = check(copy)
    repo = next(path for path in sorted(copy.iterdir()) if path.is_dir() and path.name[0] != ".")
    (repo / "Unrelated.java").write_text('class Unrelated { static final String TOPIC = "x"; }\n')
    (repo / "unrelated.py").write_text("TOPIC = 'x'\n")
    after = check(copy)
    assert said(replace(after, files=before.files)) == said(before)
    assert after.files == before.files + 2


def test_the_order_of_files_changes_nothing(org: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forward = check(org)
    plain = Repository.listing

    def backward(self: Repository) -> object:
        listing = plain(self)
        return replace(listing, paths=tuple(reversed(listing.paths)))

    monkeypatch.setattr(Repository, "listing", backward)
    assert said(check(org)) == said(forward)


def test_processes_give_the_answer_of_one(org: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = check(org, options=Options(workers=1))
    monkeypatch.setattr(workers, "POOL_BYTES_MIN", 0)
    assert said(check(org, options=Options(workers=2))) == said(alone)


def test_facts_survive_their_wire_text(org: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[FileFacts] = []
    plain = workers.read_all

    def noting(jobs: list[workers.Job], count: int) -> list[FileFacts | None]:
        found = plain(jobs, count)
        met.extend(one for one in found if one is not None)
        return found

    monkeypatch.setattr(workers, "read_all", noting)
    result = check(org)
    assert any(facts.sites for facts in met)
    for facts in met:
        assert wire.loads(FileFacts, wire.dumps(facts)) == facts
    for consumer in result.consumers:
        assert wire.loads(type(consumer), wire.dumps(consumer)) == consumer
    for verdict in result.verdicts:
        assert wire.loads(type(verdict), wire.dumps(verdict)) == verdict


def test_a_damaged_wire_text_is_refused() -> None:
    for text in ("", "{}", "[]", '["java"]', "[1,2", '["x"' + ',""' * 30 + "]"):
        with pytest.raises(wire.WireError):
            wire.loads(FileFacts, text)


def test_groups_are_made_once_for_each_namespace_and_name(org: Path) -> None:
    keys = [(g.cluster, g.namespace, g.name) for g in stages.groups(check(org).consumers)]
    assert keys == sorted(set(keys))


def test_what_is_kept_of_a_run_takes_the_clusters_of_the_settings_at_hand(org: Path, tmp_path: Path) -> None:
    policy = Policy(cluster_of=lambda address: f"cluster of {address}")
    plain = analyse(discover([], str(org)), ALL, policy)
    for one in (None, policy):
        with Cache(str(tmp_path), "v") as cache:
            found = analyse(discover([], str(org)), ALL, one, cache=cache)
    assert found.rounds == 0
    assert said(found) == said(plain)


def test_a_kept_demand_is_used_for_the_very_same_bytes_only(org: Path, tmp_path: Path) -> None:
    """Each file in turn is changed or removed under a warm cache; the answer is that of a run without one."""
    copy = tmp_path / org.name
    shutil.copytree(org, copy)
    store = str(tmp_path / "cache")
    with Cache(store, "v") as cache:
        cold = check(copy, cache)
    with Cache(store, "v") as cache:
        warm = check(copy, cache)
    assert said(warm) == said(cold)
    assert (cold.rounds > 0, warm.rounds) == (True, 0)
    files = [path for path in sorted(copy.rglob("*")) if path.is_file() and ".git" not in path.parts]
    for index, path in enumerate(files[:: max(1, len(files) // EDITS_MAX)]):
        content = path.read_bytes()
        if index % 3 == 0:
            path.unlink()
        elif index % 3 == 1:
            path.write_bytes(content.replace(b'"', b'"x', 1))
        else:
            path.write_bytes(content + b"\n")
        with Cache(store, "v") as cache:
            edited = check(copy, cache)
        assert said(edited) == said(check(copy)), path
        path.write_bytes(content)


def test_what_a_round_carries_over_is_what_it_would_come_to(
    org: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carried = said(check(org))
    monkeypatch.setattr(stages.Known, "_carried", lambda known, deployable: None)
    assert said(check(org)) == carried


def services(folder: Path) -> None:
    """Six services: half of them subscribe in place, half through others of their files, of which a second round reads one."""
    client = "import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;\n"
    for number in range(6):
        home = folder / f"service-{number}"
        inside = home / f"src/main/java/com/s{number}"
        inside.mkdir(parents=True)
        (home / "pom.xml").write_text(
            f"<project><groupId>com.acme</groupId><artifactId>s{number}</artifactId></project>"
        )
        made = "new DefaultMQPushConsumer" if number % 2 else "Consumers.of"
        sources = {
            "Program": f"{client}class Program {{ public static void main(String[] args) throws Exception {{\n"
            f'  DefaultMQPushConsumer c = {made}("g{number}"); c.subscribe("t", "a"); c.start(); }} }}\n'
        }
        if number % 2 == 0:
            sources |= {
                "Consumers": f"{client}class Consumers {{\n"
                f'  static DefaultMQPushConsumer of(String g) {{ return Built.with(g + "-{number}"); }} }}\n',
                "Built": f"import static com.s{number}.Names.*;\n{client}class Built {{\n"
                "  static DefaultMQPushConsumer with(String g) { return new DefaultMQPushConsumer(g + END); } }\n",
                "Names": 'class Names { static final String END = "-end"; }\n',
            }
        for name, text in sources.items():
            (inside / f"{name}.java").write_text(f"package com.s{number};\n{text}")


def counting(monkeypatch: pytest.MonkeyPatch, name_of: Callable[[Deployable], str]) -> list[str]:
    """The names of the deployables that are consumed from now on."""
    consumed: list[str] = []
    consume = stages.Known._consumed

    def counted(known: stages.Known, one: Deployable, cluster_of: Callable[[str], str]) -> object:
        consumed.append(name_of(one))
        return consume(known, one, cluster_of)

    monkeypatch.setattr(stages.Known, "_consumed", counted)
    return consumed


def test_a_repository_of_an_organisation_costs_what_it_and_what_touches_it_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services(tmp_path)
    consumed = counting(monkeypatch, lambda one: one.key.repo)
    result = check(tmp_path)
    assert {repo for repo, times in Counter(consumed).items() if times == 1} == {
        "service-1",
        "service-3",
        "service-5",
    }
    assert sorted(one.group.text or "" for one in result.consumers) == [
        "g0-0-end",
        "g1",
        "g2-2-end",
        "g3",
        "g4-4-end",
        "g5",
    ]
    monkeypatch.setattr(stages.Known, "_carried", lambda known, one: None)
    assert said(check(tmp_path)) == said(result)


def test_an_edit_costs_the_deployables_that_it_touches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree, store = tmp_path / "org", str(tmp_path / "cache")
    services(tree)
    consumed = counting(monkeypatch, lambda one: one.key.repo)
    with Cache(store, "v") as cache:
        check(tree, cache)
    for name, written, instead, groups in (
        ("Names", '"-end"', '"-END"', ["g0-0-END", "g1"]),
        ("Names", "class Names", "\n\nclass Names", ["g0-0-END", "g1"]),
        ("Program", '"g0"', '"gX"', ["g1", "g2-2-end"]),
    ):
        path = tree / "service-0/src/main/java/com/s0" / f"{name}.java"
        path.write_text(path.read_text().replace(written, instead))
        consumed.clear()
        with Cache(store, "v") as cache:
            edited = check(tree, cache)
        assert set(consumed) == {"service-0"}, name
        assert said(edited) == said(check(tree))
        assert sorted(one.group.text or "" for one in edited.consumers)[:2] == groups


def test_an_edit_of_settings_costs_the_deployables_that_may_read_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    org, store = tmp_path / "org", str(tmp_path / "cache")
    tree = org / "shop"
    pom = "<project><groupId>com.shop</groupId><artifactId>{}</artifactId><version>1</version>{}</project>"
    one = "<groupId>com.shop</groupId><artifactId>one</artifactId><version>1</version>"
    taken = f"<dependencies><dependency>{one}</dependency></dependencies>"
    for name, more in (("one", ""), ("two", taken), ("three", "")):
        code = tree / name / "src/main/java/com/shop"
        code.mkdir(parents=True)
        (tree / name / "pom.xml").write_text(pom.format(name, more))
        (code / f"App{name.title()}.java").write_text(
            "package com.shop;\nimport org.springframework.boot.SpringApplication;\n"
            "import org.springframework.boot.autoconfigure.SpringBootApplication;\n"
            f"@SpringBootApplication class App{name.title()} {{\n"
            f"  public static void main(String[] a) {{ SpringApplication.run(App{name.title()}.class, a); }} }}\n"
        )
        (code / f"Listens{name.title()}.java").write_text(
            "package com.shop;\nimport org.apache.rocketmq.spring.annotation.RocketMQMessageListener;\n"
            "import org.apache.rocketmq.spring.core.RocketMQListener;\n"
            "import org.springframework.stereotype.Component;\n"
            f'@Component @RocketMQMessageListener(topic = "${{topic:none}}", consumerGroup = "g-{name}")\n'
            f"class Listens{name.title()} implements RocketMQListener<String> {{ public void onMessage(String m) {{ }} }}\n"
        )
        resources = tree / name / "src/main/resources"
        resources.mkdir()
        (resources / "application.yml").write_text(f"topic: t-{name}\n")
    (tree / "pom.xml").write_text(
        pom.format(
            "all",
            "<packaging>pom</packaging><modules><module>one</module><module>two</module><module>three</module></modules>",
        )
    )
    consumed = counting(monkeypatch, lambda one: one.key.folder)
    with Cache(store, "v") as cache:
        check(org, cache)
    for name, readers in (("three", {"three"}), ("one", {"two"}), ("two", {"two"})):
        path = tree / name / "src/main/resources/application.yml"
        path.write_text(path.read_text().replace("t-", "t-new-"))
        consumed.clear()
        with Cache(store, "v") as cache:
            edited = check(org, cache)
        assert set(consumed) == readers, name
        assert said(edited) == said(check(org))
    topics = {each.topic.text for one in edited.consumers for each in one.subscriptions}
    assert topics == {"t-new-two", "t-new-three"}  # of two files of one name the nearest is read


READ_FROM_AFAR = sorted(
    name for name in FOUND if name.startswith(("config/centre-copies", "config/deployment"))
)
"""Cases whose settings stand in other modules than those that read them."""


@pytest.mark.parametrize("name", READ_FROM_AFAR)
def test_settings_that_are_read_from_afar_are_read_again(name: str, tmp_path: Path) -> None:
    tree, store = tmp_path / "org" / "case", str(tmp_path / "cache")
    for path, text in FOUND[name].files.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    with Cache(store, "v") as cache:
        check(tree.parent, cache)
    for path, text in FOUND[name].files.items():
        if path.endswith((".yml", ".yaml", ".properties")):
            (tree / path).write_text(re.sub(r"(?m)([:=]\s*)([^\s:=]+)$", r"\1x\2", text))
            with Cache(store, "v") as cache:
                assert said(check(tree.parent, cache)) == said(check(tree.parent)), path


def test_random_edits_come_to_what_a_cold_run_comes_to(org: Path, tmp_path: Path) -> None:
    tree = tmp_path / org.name
    shutil.copytree(org, tree)
    assert list(differences(tree, tmp_path / "cache", edits=3, seed=7)) == []
