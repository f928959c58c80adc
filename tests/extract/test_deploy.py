"""Deployment files: which variables are set visibly, and which come from outside."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract.deploy import read_file
from subdrift.linter.model.languages import language_of
from tests.extract.files import COMPOSE, DOCKERFILE, assert_sound, mutations


def rows(name: str, text: str) -> list[tuple[str, str | None]]:
    facts = read_file(name, text.encode())
    assert facts is not None
    return [(entry.variable, entry.text) for entry in facts.environment]


def test_compose_lists_and_maps() -> None:
    assert rows("docker-compose.yml", COMPOSE) == [
        ("MQ_GROUP", "orders"),
        ("MQ_TOPIC", "t"),
        ("MQ_SECRET", None),
    ]
    text = (
        "services:\n  a:\n    environment:\n      A: x\n      B: ${B}\n      C: $$x\n      D:\n      E: 1\n"
    )
    assert rows("compose.yaml", text) == [("A", "x"), ("B", None), ("C", "$x"), ("D", None), ("E", "1")]


def test_compose_merges_its_anchors() -> None:
    text = "x-env: &e\n  A: x\nservices:\n  a:\n    environment:\n      <<: *e\n      B: y\n"
    assert rows("compose.yml", text) == [("A", "x"), ("B", "y")]


def test_kubernetes_containers_and_config_maps() -> None:
    text = """\
apiVersion: apps/v1
kind: Deployment
spec:
  template:
    spec:
      containers:
        - name: a
          env:
            - name: MQ_GROUP
              value: "orders"
            - name: MQ_SECRET
              valueFrom:
                secretKeyRef: {name: s, key: k}
            - {name: EMPTY, value: ""}
---
apiVersion: v1
kind: ConfigMap
data:
  MQ_TOPIC: t
  application.yml: "a: 1"
"""
    found = rows("deployment.yaml", text)
    assert found[:4] == [("MQ_GROUP", "orders"), ("MQ_SECRET", None), ("EMPTY", ""), ("MQ_TOPIC", "t")]


def test_helm_values_name_their_environment() -> None:
    facts = read_file(
        "values-prod.yaml",
        b"env:\n  MQ_GROUP: orders\nextraEnv:\n  - name: A\n    value: b\nother:\n  env: prod\n",
    )
    assert facts is not None
    assert [(e.variable, e.text, e.environment) for e in facts.environment] == [
        ("MQ_GROUP", "orders", "prod"),
        ("A", "b", "prod"),
    ]


def test_a_template_is_set_from_outside() -> None:
    text = "apiVersion: apps/v1\nspec:\n  env:\n    - name: A\n      value: '{{ .Values.a }}'\n"
    assert rows("deployment.yaml", text) == [("A", None)]


def test_an_env_section_of_something_else_sets_nothing() -> None:
    assert rows("values.yaml", "env:\n  name: prod\n  region: eu\n") == []


def test_env_files() -> None:
    text = "# c\nA=x\nexport B='y $z'\nC=\"q\" # c\nD=${X:-d}-e\nE=$X\nF=a b # c\nnot a line\n"
    assert rows(".env", text) == [
        ("A", "x"),
        ("B", "y $z"),
        ("C", "q"),
        ("D", "d-e"),
        ("E", None),
        ("F", "a b"),
    ]
    facts = read_file(".env.prod", b"A=x\n")
    assert facts is not None
    assert facts.environment[0].environment == "prod"


def test_dockerfiles_replace_what_they_know() -> None:
    assert rows("Dockerfile", DOCKERFILE) == [("MQ_GROUP", "orders-dev"), ("MQ_TOPIC", "t")]
    text = "ARG A\nENV B $A\nENV C=${A:-c} \\\n    # no\n    D=d\nENV E a b c\nRUN ENV=x\n"
    assert rows("Dockerfile", text) == [("B", None), ("C", "c"), ("D", "d"), ("E", "a b c")]


def test_names_and_folders_tell_a_deployment_file() -> None:
    for path in ("Dockerfile", "a/docker-compose.dev.yml", ".env", "chart/values-prod.yaml", "k8s/app.yaml"):
        assert language_of(path) == "deploy", path
    for path in ("application.yml", "values/topics.yml", "src/env.py"):
        assert language_of(path) != "deploy", path


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        mutations(COMPOSE).map(lambda content: ("compose.yml", content)),
        mutations(DOCKERFILE).map(lambda content: ("Dockerfile", content)),
        st.tuples(st.sampled_from([".env", "Dockerfile", "values.yaml"]), st.binary(max_size=100)),
        st.tuples(
            st.sampled_from([".env", "Dockerfile", "values.yaml"]),
            st.text("ENVAB=${}:-\\\n '\"#", max_size=60).map(str.encode),
        ),
    )
)
def test_any_bytes_give_facts_with_sound_places(case: tuple[str, bytes]) -> None:
    assert_sound(read_file(*case))


def test_truncations_sometimes_find_variables() -> None:
    counts = [len(rows("compose.yml", COMPOSE[:end])) for end in range(len(COMPOSE))]
    assert 0 in counts
    assert max(counts) == 3
