"""RocketMQ version -> class path of the Java host compiled against it, by Maven (network once, later its own cache)."""

import subprocess
from pathlib import Path

JAVA_SOURCES = Path(__file__).resolve().parent / "java"
MAVEN_LIMIT_S = 900


class BuildError(Exception):
    """Maven is missing, took too long or failed; the text says which."""


def class_path(module: str, version: str, folder: Path) -> str:
    """Compiles `module` (a folder of `java`) against one RocketMQ version below `folder`, unless it lies there already."""
    output = folder / f"{module}-{version}"
    dependencies = output / "dependencies.txt"
    own = output / "classes"
    if not _is_current(dependencies, module):
        _compile(module, version, output, dependencies)
    return ":".join(([str(own)] if own.exists() else []) + [dependencies.read_text().strip()])


def _is_current(dependencies: Path, module: str) -> bool:
    sources = [one for one in (JAVA_SOURCES / module).rglob("*") if one.is_file()]
    newest = max(one.stat().st_mtime for one in sources)
    return dependencies.exists() and dependencies.stat().st_mtime > newest


def _compile(module: str, version: str, output: Path, dependencies: Path) -> None:
    command = ["mvn", "-q", "-B", "-f", str(JAVA_SOURCES / module / "pom.xml")]
    command += [f"-Drocketmq.version={version}", f"-Doutput={output}", "compile"]
    command += ["dependency:build-classpath", f"-Dmdep.outputFile={dependencies}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MAVEN_LIMIT_S, check=False)
    except FileNotFoundError:
        raise BuildError("mvn is not installed") from None
    except subprocess.TimeoutExpired:
        raise BuildError(f"Maven did not end within {MAVEN_LIMIT_S} s for {module} {version}") from None
    if done.returncode != 0:
        raise BuildError(f"Maven failed for {module} {version}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
