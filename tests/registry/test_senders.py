"""Who sends what, in a registry: a repository sees who reads what it sends, and what its change takes away from them."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from subdrift.linter.model.consumer import Consumer
from subdrift.linter.model.topics import Map, Topic
from subdrift.linter.registry import blocks, seal
from tests.adopt.scratch import subdrift
from tests.registry.kit import committed, copied, mapped, mapped_against, published, repositories_of
from tests.registry.test_agreement import edit

SHOP = """package shop;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.springframework.stereotype.Service;
@Service class Shop {{
  private final RocketMQTemplate template;
  Shop(RocketMQTemplate template) {{ this.template = template; }}
  void send(String body, String any) {{
    {}
  }}
}}
"""
READER = """from rocketmq.client import PushConsumer

consumer = PushConsumer("{name}-cg")
consumer.subscribe("ORDER", print, "{tags}")
consumer.start()
"""
SETTINGS = 'repository = "{name}"\n[senders]\ncheck = true\n'


def sends(*destinations: str) -> str:
    return SHOP.format("\n    ".join(f"template.syncSend({one}, body);" for one in destinations))


@pytest.fixture
def org(tmp_path: Path) -> Path:
    """`shop` sends three tags, `stock` reads two of them, `mail` one."""
    org = tmp_path / "org"
    for name in ("shop", "stock", "mail"):
        (org / name).mkdir(parents=True)
        (org / name / ".subdrift.toml").write_text(SETTINGS.format(name=name))
    (org / ".subdrift.toml").write_text("[senders]\ncheck = true\n")
    (org / "shop/Shop.java").write_text(sends('"ORDER:PAID"', '"ORDER:SHIPPED"', '"ORDER:LOST"'))
    (org / "stock/stock.py").write_text(READER.format(name="stock", tags="PAID || SHIPPED"))
    (org / "mail/mail.py").write_text(READER.format(name="mail", tags="SHIPPED"))
    return org


@pytest.fixture
def file(org: Path, tmp_path: Path) -> Path:
    done = subdrift("check", "--org", org, "--no-cache", "--registry-out", tmp_path / "registry.db")
    assert done.code == 0, done.err
    return tmp_path / "registry.db"


def check(repository: Path, file: Path, *more: str) -> tuple[str, list[str]]:
    """What a check says at the end, and its warnings and notes."""
    said = subdrift("check", repository, "--against", file, "--no-cache", "--output-format", "concise", *more)
    *lines, last = said.out.splitlines()
    return last, lines


BREAKS = {
    "nothing has changed": ('"ORDER:PAID"', '"ORDER:SHIPPED"', '"ORDER:LOST"'),
    "a tag that nobody reads is gone": ('"ORDER:PAID"', '"ORDER:SHIPPED"'),
    "warning: `SHIPPED` of topic `ORDER`": ('"ORDER:PAID"', '"ORDER:LOST"'),
    "warning: `PAID` and `SHIPPED` of topic `ORDER`": ('"OTHER:PAID"',),
    "the tag of a send is not known": ('"ORDER:PAID"', '"ORDER:" + any', '"ORDER:LOST"'),
    "note: `SHIPPED` of topic `ORDER`": ('"ORDER:PAID"', '"ORDER:LOST"', "any"),
}


@pytest.mark.parametrize("told", BREAKS)
def test_a_sender_that_stops_sending_what_others_read_is_told(told: str, org: Path, file: Path) -> None:
    (org / "shop/Shop.java").write_text(sends(*BREAKS[told]))

    _, lines = check(org / "shop", file)

    level, colon, rest = told.partition(": ")
    broken = [line for line in lines if "[breaks-readers]" in line]
    assert len(broken) == bool(colon), lines
    assert all(f"{level}[breaks-readers] {rest}: sent here" in line for line in broken), lines


def test_a_send_elsewhere_whose_topic_is_not_known_may_be_the_one(org: Path, tmp_path: Path) -> None:
    (org / "mail/Any.java").write_text(sends("any"))
    file = published(org, tmp_path / "open.db")
    (org / "shop/Shop.java").write_text(sends('"ORDER:PAID"', '"ORDER:LOST"'))

    (line,) = [line for line in check(org / "shop", file)[1] if "breaks-readers" in line]

    assert "note[breaks-readers]" in line


def test_a_reader_that_stops_reading_what_others_send_is_told(org: Path, file: Path) -> None:
    (org / "mail/mail.py").unlink()
    (org / "mail/README.md").write_text("gone")
    assert not [line for line in check(org / "mail", file)[1] if "breaks-readers" in line]  # stock reads it

    (org / "stock/stock.py").write_text(READER.format(name="stock", tags="SHIPPED"))
    _, lines = check(org / "stock", file)
    (line,) = [line for line in lines if "breaks-readers" in line]
    assert "`PAID` of topic `ORDER`: read here by `stock-cg`" in line


def test_a_file_that_cannot_be_read_has_not_stopped_sending(org: Path, file: Path) -> None:
    committed(org / "shop")
    (org / "shop/Shop.java").unlink()  # git knows it, and it is not there

    _, lines = check(org / "shop", file)

    assert not [line for line in lines if "breaks-readers" in line]
    assert [line for line in lines if "unreadable-file" in line]


def test_the_last_line_says_who_reads_what_is_sent_here(org: Path, file: Path) -> None:
    assert "what is sent here is read by 2 groups of 2 other repositories" in check(org / "shop", file)[0]
    assert "what is sent here" not in check(org / "mail", file)[0]
    assert "另有 2 个仓库的 2 个消费者组读取此处发送的消息" in check(org / "shop", file, "--lang", "zh")[0]


def test_topics_shows_the_map_around_a_repository(org: Path, file: Path) -> None:
    said = subdrift("topics", org / "shop", "--against", file, "--no-cache").out
    assert "SHIPPED -> mail-cg, stock-cg" in said
    assert "LOST -> nobody" in said


def test_a_registry_without_senders_says_so_and_claims_nothing(org: Path, tmp_path: Path) -> None:
    (org / ".subdrift.toml").unlink()
    file = published(org, tmp_path / "without.db")
    (org / "shop/Shop.java").unlink()
    said = subdrift("check", org / "stock", "--against", file, "--no-cache")
    assert "published without [senders] check" in said.err
    assert "nobody" not in said.out


@pytest.mark.parametrize(
    "change",
    ["UPDATE topics SET senders = ?", "UPDATE topics SET readers = ?", "UPDATE repositories SET topics = ?"],
)
def test_numbers_and_names_that_lead_nowhere_are_refused(change: str, org: Path, file: Path) -> None:
    database = sqlite3.connect(file)
    database.execute(change, (blocks.pack([99] if "topics SET" in change else [7]),))
    database.commit()
    database.close()
    seal.put(str(file))

    said = subdrift("check", org / "stock", "--against", file, "--no-cache")

    assert said.code == 2
    assert "damaged" in said.err


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", ["../senders", "shared-listener"], ids=["senders", "shared-listener"])
def test_a_repository_sees_the_map_of_the_whole_organisation_around_it(
    name: str, seed: int, tmp_path: Path
) -> None:
    chance = random.Random(f"{name} {seed} senders")
    org = copied(name, tmp_path / "org")
    file = published(org, tmp_path / "registry.db", senders=True)
    repository = chance.choice(repositories_of(org))
    edits = [edit(repository, chance) for _ in range(seed)]

    expected, found = mapped(org), mapped_against(repository, file)

    own = {one.name for one in found.topics if any(_is_of(each, repository.name) for each in members(one))}
    assert own == {
        one.name for one in expected.topics if any(_is_of(each, repository.name) for each in members(one))
    }
    assert rows(found, own) == rows(expected, own), edits
    assert edits or not any(
        one.name in own and one not in found.before for one in _of(found, repository.name)
    )


def members(topic: Topic) -> list[Consumer]:
    return [*(one.sender for one in topic.sent), *(one.reader for one in topic.read)]


def _is_of(one: Consumer, repo: str) -> bool:
    return one.at.origin.repo == repo or one.deployable.partition(":")[0] == repo


def _of(found: Map, repo: str) -> list[Topic]:
    return [one for one in found.topics if all(_is_of(each, repo) for each in members(one))]


def rows(found: Map, names: set[str]) -> list[object]:
    return [
        (
            topic.namespace,
            topic.name,
            sorted({(one.message.at, one.tag or "") for one in topic.sent}),
            sorted(
                {
                    (one.group, one.subscription.at, one.subscription.expression.text or "")
                    for one in topic.read
                }
            ),
        )
        for topic in found.topics
        if topic.name in names
    ]
