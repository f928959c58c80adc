"""Who owns the files of a repository that can be read: by CODEOWNERS, line by line as its hosts read it, and where no
line speaks by `spec.owner` of a `catalog-info.yaml` at the root."""

from __future__ import annotations

from subdrift.linter.sources.tree import Tree
from subdrift.linter.stages.ownership import CATALOG_FILE, Owners, find, owners_in


def owners_of(tree: Tree) -> Owners:
    """The owners a repository names."""
    return owners_in(*texts_of(tree))


def texts_of(tree: Tree) -> tuple[bytes, bytes]:
    """The files that name owners, CODEOWNERS and the catalogue; empty where there is none."""
    there = set(tree.files())
    found = (tree.read(name) if name in there else b"" for name in (find(there), CATALOG_FILE))
    listed, catalogue = (content if isinstance(content, bytes) else b"" for content in found)
    return listed, catalogue
