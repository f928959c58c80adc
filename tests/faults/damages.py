"""What can happen to a file: it is gone, shorter, longer, empty, other bits, or the content of another one."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

ONE_FILE: Final = ("gone", "shorter", "longer", "empty", "a bit", "zeros")


def damage(files: Sequence[Path], chance: random.Random) -> str:
    """Something happens to one of some files, or to two; what it was."""
    file = chance.choice(files)
    kind = chance.choice((*ONE_FILE, "swapped", "copied"))
    other = chance.choice(files)
    file.chmod(0o644)
    if kind == "swapped" and other != file:
        kept = file.with_name(f"{file.name}.kept")
        os.rename(file, kept)
        os.rename(other, file)
        os.rename(kept, other)
    elif kind == "copied" and other != file:
        shutil.copyfile(other, file)
    else:
        kind = kind if kind in ONE_FILE else "a bit"
        if kind == "gone":
            file.unlink()
        else:
            file.write_bytes(_CHANGES[kind](file.read_bytes(), chance))
    return f"{kind}: {file.name}"


def _flipped(content: bytes, chance: random.Random) -> bytes:
    if not content:
        return b"\0"
    found = bytearray(content)
    found[chance.randrange(len(found))] ^= 1 << chance.randrange(8)
    return bytes(found)


def _zeroed(content: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(content) + 1)
    return content[:start] + bytes(len(content) - start)


_CHANGES: Final[dict[str, Callable[[bytes, random.Random], bytes]]] = {
    "shorter": lambda content, chance: content[: chance.randrange(len(content) + 1)],
    "longer": lambda content, chance: content + chance.randbytes(chance.randrange(1, 5_000)),
    "empty": lambda content, chance: b"",
    "a bit": _flipped,
    "zeros": _zeroed,
}
