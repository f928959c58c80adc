"""The language a file is read as, by its name alone."""

from __future__ import annotations

import re
from functools import lru_cache

_SUFFIXES = {
    "java": "java",
    "kt": "kotlin",
    "kts": "kotlin",
    "py": "python",
    "yml": "config",
    "yaml": "config",
    "properties": "config",
    "json": "config",
    "toml": "config",
    "ini": "config",
    "cfg": "config",
    "conf": "config",
    "sh": "config",
    "xml": "xml",
}

_BUILD_NAMES = ("pom.xml", "pyproject.toml", "setup.cfg", "setup.py", "pipfile", "libs.versions.toml")
_DEPLOYMENT = re.compile(
    r"(?:docker-)?compose(?:[._-].*)?|values(?:[._-].*)?"
    r"|.*(?:deployment|configmap|statefulset|daemonset|cronjob|k8s|kubernetes).*|(?:.*[-_.])?deploy(?:[-_.].*)?"
)
_LAUNCHER = re.compile(
    r"procfile|.+\.service|supervisord?.*\.(?:conf|ini)|(?:[\w.-]+[-_.])?(?:start|run|entrypoint|boot|deploy)[\w.-]*\.sh"
)
_DEPLOYMENT_FOLDERS = frozenset({"k8s", "kubernetes", "helm", "charts", "kustomize", "manifests"})
_REQUIREMENTS = re.compile(r"(?:[\w-]+-)?requirements?(?:[-_.][\w.-]+)?\.(?:txt|in)")

_OTHER = {
    "scala": "Scala",
    "groovy": "Groovy",
    "go": "Go",
    "cs": "C#",
    "cpp": "C++",
    "cc": "C++",
    "rs": "Rust",
    "js": "JavaScript",
    "mjs": "JavaScript",
    "ts": "TypeScript",
    "php": "PHP",
    "clj": "Clojure",
    "jsp": "JSP",
}

PATHS_MAX = 65_536
"""Paths whose language is kept; every stage asks for it again."""

_FACTORIES = ("spring.factories", "org.springframework.boot.autoconfigure.AutoConfiguration.imports")
"""Files of `META-INF` that name classes Spring Boot loads by itself."""


def base_name(path: str) -> str:
    return path.rpartition("/")[2]


def is_build_file(name: str) -> bool:
    """Whether a file of this name tells how modules are built."""
    lowered = name.lower()
    return lowered in _BUILD_NAMES or lowered.endswith((".gradle", ".gradle.kts")) or is_requirements(name)


def is_factories(name: str) -> bool:
    """Whether a file of this name lists the auto-configurations of a module."""
    return name in _FACTORIES


def is_requirements(name: str) -> bool:
    return _REQUIREMENTS.fullmatch(name.lower()) is not None


def is_dockerfile(name: str) -> bool:
    lowered = name.lower()
    return lowered == "dockerfile" or lowered.startswith("dockerfile.") or lowered.endswith(".dockerfile")


def is_launcher(name: str) -> bool:
    """Whether a file of this name starts programs: a Procfile, a unit of systemd, supervisor's programs, a start script."""
    return _LAUNCHER.fullmatch(name.lower()) is not None


def is_builder(name: str) -> bool:
    """Whether a file of this name may build images: a shell script, a Makefile, a pipeline of Jenkins."""
    return name.endswith(".sh") or name in ("Makefile", "Jenkinsfile")


def is_env_file(name: str) -> bool:
    lowered = name.lower()
    return lowered == ".env" or lowered.startswith(".env.") or lowered.endswith(".env")


def is_deployment(path: str) -> bool:
    """Whether a YAML file of this path may set environment variables: compose, Kubernetes, Helm values."""
    folders, _, name = path.lower().rpartition("/")
    stem, _, suffix = name.rpartition(".")
    if suffix not in ("yml", "yaml"):
        return False
    return _DEPLOYMENT.fullmatch(stem) is not None or not _DEPLOYMENT_FOLDERS.isdisjoint(folders.split("/"))


@lru_cache(maxsize=PATHS_MAX)
def language_of(path: str) -> str | None:
    """The language a file is read as, by its name alone; None for what is not read."""
    name = base_name(path)
    if (
        name.endswith(".java") and name[0] not in "dD."
    ):  # most files of most trees; the rest is not asked of them
        return "java"
    if is_build_file(name):
        return "build"
    if is_factories(name) or "META-INF/services/" in path:
        return "config"
    if name == "CODEOWNERS":
        return "owners"
    if is_dockerfile(name) or is_env_file(name) or is_launcher(name) or is_deployment(path):
        return "deploy"
    if "." not in name:  # `spring.config.import: classpath:mq[.yaml]` names one
        return "config" if "resources/" in path or is_builder(name) else None
    return _SUFFIXES.get(name.rpartition(".")[2].lower())


def other_language(path: str) -> str | None:
    """The name of a language RocketMQ clients exist for and which is not read, by file name."""
    return _OTHER.get(base_name(path).rpartition(".")[2].lower())
