"""Settings inside ConfigMaps, and whose process a variable is set for."""

from __future__ import annotations

from subdrift.linter.extract import read
from subdrift.linter.model.facts import ConfigEntry, EnvEntry

MANIFEST = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
data:
  LEVEL: debug
  application-prod.yaml: |
    mq:
      group: g
    ---
    spring.config.activate.on-profile: eu
    mq.group: g-eu
  bootstrap.properties: |
    mq.topic=t
  application-quoted.yml: "mq: {tag: a}"
  application-broken.yml: |
    mq: [
  other.yaml: |
    mq.group: not a Spring file
---
kind: Deployment
apiVersion: apps/v1
data:
  application.yml: |
    mq.group: no ConfigMap
"""


def _inner(text: str) -> list[ConfigEntry]:
    facts = read("k8s/shop.yaml", text.encode())
    assert facts is not None
    return [entry for entry in facts.config if entry.file]


def test_the_files_of_a_config_map_are_read_with_their_names_and_profiles() -> None:
    found = [(e.file, e.key, e.text, e.profiles) for e in _inner(MANIFEST) if e.key.startswith("mq")]
    assert found == [
        ("application-prod.yaml", "mq.group", "g", ()),
        ("application-prod.yaml", "mq.group", "g-eu", ("eu",)),
        ("bootstrap.properties", "mq.topic", "t", ()),
        ("application-quoted.yml", "mq.tag", "a", ()),
    ]


def test_a_key_of_a_block_stands_where_it_is_written() -> None:
    lines = MANIFEST.split("\n")
    for entry in _inner(MANIFEST):
        if entry.file == "application-quoted.yml":
            continue
        written = lines[entry.at.line - 1][entry.at.column - 1 :]
        assert written.startswith(entry.key.rpartition(".")[2] if entry.text == "g" else entry.key)


def test_the_files_of_a_config_map_are_no_variables() -> None:
    facts = read("k8s/shop.yaml", MANIFEST.encode())
    assert facts is not None
    assert [entry.variable for entry in facts.environment] == ["LEVEL"]


def _variables(path: str, text: str) -> list[EnvEntry]:
    facts = read(path, text.encode())
    assert facts is not None
    return list(facts.environment)


def test_a_compose_variable_belongs_to_its_service() -> None:
    text = "services:\n  orders:\n    environment: {G: o}\n  bills:\n    environment:\n      - G=b\n"
    assert [(e.process, e.text) for e in _variables("docker-compose.yml", text)] == [
        ("orders", "o"),
        ("bills", "b"),
    ]


def test_a_kubernetes_variable_belongs_to_its_container() -> None:
    text = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  template:
    spec:
      containers:
        - {name: orders, image: i, env: [{name: G, value: o}]}
        - {name: bills, image: i, env: [{name: G, value: b}]}
"""
    assert [(e.process, e.text) for e in _variables("k8s/d.yaml", text)] == [("orders", "o"), ("bills", "b")]
