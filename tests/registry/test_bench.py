"""The registry that the bench measures is one, and shows what only a registry can."""

from __future__ import annotations

from pathlib import Path

from subdrift.linter.registry.reader import Registry
from tests.bench.registry import REPOSITORIES, generate
from tests.registry.kit import against


def test_the_generated_registry_shows_one_disagreement_among_thousands_of_strangers(tmp_path: Path) -> None:
    file = tmp_path / "registry.db"
    repository = generate(tmp_path / "org", file, tmp_path / "small.db", subscriptions=200)

    with Registry(str(file)) as registry:
        assert len(registry.repositories) == REPOSITORIES + 13
        assert registry.meta["consumers"] == str(200 + 12)
    for registry_file in (file, tmp_path / "small.db"):
        found = against(repository, registry_file)
        assert [one.rule for one in found.findings] == ["divergent-tags"]
        assert len(found.consumers) == 4
