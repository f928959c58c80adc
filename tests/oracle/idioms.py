"""Programs by hand in idioms of their languages, in the format of `written.py`: `written/LANGUAGE_NAME.txt` for each draw.

`KOTLIN_LIB=FOLDER JAVA_LIB=FOLDER PYTHON_LIB=FOLDER python -m tests.oracle.idioms NAME` runs those of one draw and records
their truth (needs a JDK 17). `KOTLIN_LIB` is as `kotlin.py` says. `JAVA_LIB` and `PYTHON_LIB` hold the libraries that the
programs use, the real ones: jars (`mvn dependency:copy-dependencies`), packages (`pip install --target`). `LIBRARIES` names
them. What falls short of the truth is listed in `edge.toml`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.oracle import kotlin, store, truth, written
from tests.oracle.program import Language, Program

DRAWS: Final = (
    "idioms",
    "services",
    "bindings",
    "applications",
    "tools",
    "backends",
    "platforms",
    "gateways",
    "daemons",
    "shops",
    "stalls",
    "workers",
    "hubs",
    "agents",
    "depots",
    "plants",
    "yards",
    "ports",
    "docks",
    "quarries",
    "kitchens",
    "mills",
    "orchards",
    "foundries",
    "bakeries",
    "forges",
    "looms",
    "barns",
    "mews",
    "wharves",
    "turns",
    "lofts",
    "cellars",
    "cottages",
    "manors",
    "abbeys",
    "lodges",
    "hostels",
    "priories",
    "granaries",
    "taverns",
    "utilities",
    "weirs",
    "sluices",
    "harbors",
    "marinas",
    "ateliers",
    "arcades",
    "terraces",
    "cisterns",
    "vineyards",
    "estuaries",
    "lagoons",
    "crofts",
    "inns",
    "chapels",
    "meadows",
    "aqueducts",
    "canals",
)
LIBRARIES: Final = {
    "java": (
        "com.fasterxml.jackson.core:jackson-databind:2.17.1",
        "com.fasterxml.jackson.dataformat:jackson-dataformat-yaml:2.17.1",
        "com.google.code.gson:gson:2.11.0",
        "com.typesafe:config:1.4.3",
        "com.google.inject:guice:5.1.0",
        "info.picocli:picocli:4.7.6",
        "com.beust:jcommander:1.82",
        "commons-cli:commons-cli:1.8.0",
        "org.apache.commons:commons-configuration2:2.10.1",
        "commons-beanutils:commons-beanutils:1.9.4",
        "com.google.guava:guava:32.1.3-jre",
        "com.google.guava:failureaccess:1.0.1",
        "org.apache.commons:commons-lang3:3.14.0",
        "cn.hutool:hutool-all:5.8.25",
        "com.alibaba:fastjson:1.2.83",
        "com.alibaba.fastjson2:fastjson2:2.0.51",
        "org.apache.commons:commons-collections4:4.4",
        "commons-collections:commons-collections:3.2.2",
    ),
    "python": (
        "apscheduler",
        "attrs",
        "blinker",
        "cachetools",
        "cattrs",
        "click",
        "dynaconf",
        "environs",
        "fastapi",
        "pydantic-settings",
        "pyyaml",
        "typer",
        "dependency-injector",
        "django",
        "flask",
        "injector",
        "loguru",
        "marshmallow",
        "more-itertools",
        "omegaconf",
        "pluggy",
        "python-dotenv",
        "structlog",
        "tenacity",
    ),
}


def recorded(draw: str) -> Path:
    """Where the programs of a draw are, with their truth."""
    return written.RECORDED.with_name(f"{draw}.jsonl.gz")


def programs(draw: str) -> Iterator[Program]:
    """The programs of a draw, without their truth."""
    languages: tuple[Language, ...] = ("java", "python")
    for language in languages:
        if (written.SOURCES / f"{language}_{draw}.txt").is_file():
            yield from written.whole(language, f"{language}_{draw}.txt")
    of_kotlin = kotlin.WRITTEN.with_name(f"kotlin_{draw}.txt")
    yield from kotlin.programs(of_kotlin) if of_kotlin.is_file() else ()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.idioms", description=__doc__)
    parser.add_argument("draw", choices=DRAWS)
    draw = parser.parse_args().draw
    given = list(programs(draw))
    jars = sorted(map(str, Path(os.environ.get("JAVA_LIB", "none")).glob("*.jar")))
    packages = os.environ.get("PYTHON_LIB", "")
    made = truth.record([one for one in given if one.language != "kotlin"], 1, jars, packages)
    of_kotlin = [program for program in given if program.language == "kotlin"]
    made += kotlin.record(of_kotlin, Path(os.environ["KOTLIN_LIB"])) if of_kotlin else []
    for program in made:
        if program.error:
            print(f"{program.name}: {program.error}", file=sys.stderr)
    store.save(recorded(draw), made)
    return int(any(program.error for program in made))


if __name__ == "__main__":
    sys.exit(main())
