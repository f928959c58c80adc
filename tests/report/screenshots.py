"""`python -m tests.report.screenshots`: the pictures of the page in docs/, from the sample organisation `shop`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from subdrift.linter import cli
from tests.report.browser import browser, missing

ROOT = Path(__file__).parent.parent.parent
WIDTH, HEIGHT = 1160, 900


def main() -> int:
    lacks = missing()
    if lacks:
        print(f"no {lacks} on this machine")
        return 2
    with (
        tempfile.TemporaryDirectory() as temporary,
        browser(Path(temporary), ["--hide-scrollbars"]) as window,
    ):
        for lang in ("en", "zh"):
            file = Path(temporary) / f"{lang}.html"
            where = ("--org", str(ROOT / "fixtures" / "orgs" / "shop"), "--no-cache", "--quiet")
            cli.run(["check", *where, "--exit-zero", "--lang", lang, f"--output=html={file}"])
            window.open(file)
            window.resize(WIDTH, HEIGHT)
            for scheme in ("light", "dark"):
                window.emulate(prefers_color_scheme=scheme)
                window.screenshot(ROOT / "docs" / f"page-{lang}-{scheme}.png")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
