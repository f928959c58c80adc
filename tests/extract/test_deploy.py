"""Deployment files: which variables are set visibly, and which come from outside."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from subdrift.linter.extract.deploy import read_file
from subdrift.linter.model.commands import CHARS_MAX, expanded, filled_in, interpolated
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


def test_a_start_script_fills_in_what_it_sets_before_it_starts() -> None:
    text = """\
#!/bin/bash
GROUP=g-${TAIL}
TAIL=late
if [ -n "$DEBUG" ]; then
  TOPIC=debug
fi
export MODE=live
nohup java $OPTS -Dq.group=$GROUP -Dq.topic=$TOPIC -jar app.jar "$@" &
"""
    facts = read_file("start.sh", text.encode())
    assert facts is not None
    assert [(entry.variable, entry.text) for entry in facts.environment] == [("MODE", "live")]
    words = facts.launches[0].words
    assert words[:4] == ("sh", "-c", "java", "$OPTS")
    assert words[4:6] == ("-Dq.group=g-${TAIL}", "-Dq.topic=$(…)")


def test_units_and_supervisor_say_what_their_programs_are_told() -> None:
    unit = '[Service]\nEnvironment="A=x y" B=z\nExecStart=/usr/bin/java -jar a.jar\n'
    assert rows("a.service", unit) == [("A", "x y"), ("B", "z")]
    text = "[program:a]\ncommand=java -jar a.jar\nenvironment=A=\"1\",B='2'\n[program:b]\ncommand=java -jar b.jar\n"
    facts = read_file("supervisord.conf", text.encode())
    assert facts is not None
    assert [(e.variable, e.text, e.process) for e in facts.environment] == [("A", "1", "a"), ("B", "2", "a")]
    assert [one.process for one in facts.launches] == ["a", "b"]


def test_texts_that_grow_when_variables_are_filled_in_have_a_bound() -> None:
    known = {"A": "x" * 100_000}
    assert interpolated("$A" * 1_000, known) is None
    assert len(filled_in("$A" * 1_000, known)) < 3 * CHARS_MAX
    assert sum(map(len, expanded(["sh", "-c", *["$A"] * 1_000], known))) <= CHARS_MAX
    for text in ("Environment=" + "a" * 200_000, "[program:a]\n" * 20_000, "${a-" * 50_000):
        for name in ("a.service", "supervisord.conf", "start.sh", ".env", "compose.yml"):
            read_file(name, f"{text}\nExecStart=java -jar a.jar\n".encode())
