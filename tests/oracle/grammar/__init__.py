"""The features. Importing this registers all of them."""

from importlib import import_module
from pathlib import Path

for _path in sorted(Path(__file__).parent.glob("*.py")):
    if _path.stem != "__init__":
        import_module(f"{__name__}.{_path.stem}")
