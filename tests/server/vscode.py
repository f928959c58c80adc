"""The extension of `editors/vscode` in VS Code itself, before a headless Chromium; `make validate` runs it.

The package `code-server` of npm holds VS Code's own server and workbench, built. They are run as they are, without the
part that code-server puts around them, and without the native modules that are built at installation: what these do (its
log files, its terminals) is not looked at.
"""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from tests.adopt.scratch import LISTENER
from tests.report.browser import CONTROL, DELETE, ENTER, ESCAPE, Browser, browser, missing

ROOT: Final = Path(__file__).parents[2]
CODE: Final = "code-server@4.100.3"
VSCE: Final = "@vscode/vsce@4.1.0"
SERVER: Final = ("node", "out/server-main.js", "--accept-server-license-terms", "--telemetry-level", "off")
NODE: Final = "v20."
"""What that release of VS Code runs on."""

WAIT_S: Final = 120
CLICKS_MAX: Final = 10
CLICK_S: Final = 10
MENDED: Final = "SHIPPED"
LENS: Final = "g: 2 members, 1 repository"


def lacking() -> str:
    """What VS Code lacks here, "" where it can run."""
    if lacks := missing():
        return lacks
    if not shutil.which("node"):
        return "node"
    ran = subprocess.run(("node", "--version"), capture_output=True, text=True, check=True)
    return "" if ran.stdout.startswith(NODE) else f"node {NODE}x"


def complaints(folder: Path) -> list[str]:
    """What the extension does otherwise than it should, in a project with two listeners of one group that disagree."""
    folder.mkdir()
    code, project, data = _code(folder), _project(folder), _settings(folder)
    extensions = _extension(folder, code)
    with _serving(code, extensions, data) as port, browser(folder, ["--no-proxy-server"]) as window:
        file = f"vscode-remote://127.0.0.1:{port}{project / 'A.java'}"
        opened = {"folder": str(project), "payload": json.dumps([["openFile", file]])}
        window.visit(f"http://127.0.0.1:{port}/?{urlencode(opened)}")
        return list(_story(window))


def _story(window: Browser) -> Iterator[str]:
    """As a developer would: see the problem, follow the code lens to the other member, mend the tags."""
    lens = "return [...document.querySelectorAll('.codelens-decoration a')].find(e => e.textContent === arguments[0])"
    squiggles = "return document.querySelectorAll('.squiggly-error').length"
    for what, script in (("code lens", lens), ("problem", squiggles)):
        if not window.becomes(script, LENS):
            yield f"no {what} is shown"
            return
    listed = "return [...document.querySelectorAll('.reference-zone-widget .monaco-list-row')].length >= 2"
    for _ in range(CLICKS_MAX):  # the editor may still move the line while it is clicked at
        window.becomes(lens, LENS)
        window.click(lens, LENS)
        if window.becomes(listed, seconds=CLICK_S):
            break
    else:
        yield "the code lens does not show the members"
    window.press(ESCAPE)
    window.run(
        "document.querySelector('.monaco-editor .native-edit-context, .monaco-editor textarea').focus()"
    )
    line, column = _place(LISTENER.format(name="A", tags="PAID", group="g", topic="T"), "PAID")
    window.hold(CONTROL, "g")
    window.press(*f"{line}:{column}", ENTER)
    window.press(*[DELETE] * len("PAID"), *MENDED)
    if not window.becomes(f"return !(() => {{ {squiggles} }})()"):
        yield "the problem stays after it was mended"


def _place(text: str, part: str) -> tuple[int, int]:
    """Line and column where a part begins, from 1."""
    before = text[: text.index(part)].split("\n")
    return len(before), len(before[-1]) + 1


def _install(folder: Path, *packages: str) -> None:
    """The given packages, or those that the folder's own package.json asks for; nothing of theirs is run."""
    options = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=dev")
    subprocess.run(("npm", "install", *options, "--prefix", str(folder), *packages), check=True, cwd=folder)


def _code(folder: Path) -> Path:
    made = folder / "code"
    made.mkdir()
    _install(made, CODE)
    inner = made / "node_modules" / "code-server" / "lib" / "vscode"
    _install(inner)
    (inner / "node_modules.asar").symlink_to("node_modules")  # as its own installation does
    return inner


def _extension(folder: Path, code: Path) -> Path:
    """Packed and installed as docs/editor.md says."""
    made = folder / "extension"
    shutil.copytree(ROOT / "editors" / "vscode", made)
    _install(made)
    page = (ROOT / "docs" / "editor.md").read_text(encoding="utf-8")
    (options,) = re.findall(r"^\$ npx @vscode/vsce (package .*)$", page, re.MULTILINE)
    packing = ("npx", "--yes", VSCE, *options.split())
    subprocess.run(packing, cwd=made, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    (packed,) = made.glob("*.vsix")
    extensions = folder / "extensions"
    where = ("--server-data-dir", str(folder / "installing"), "--extensions-dir", str(extensions))
    install = (*SERVER, *where, "--install-extension", str(packed))
    subprocess.run(install, cwd=code, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return extensions


def _project(folder: Path) -> Path:
    project = folder / "project"
    project.mkdir()
    (project / ".subdrift.toml").write_text('repository = "shop"\n', encoding="utf-8")
    for name, tags in (("A", "PAID"), ("B", MENDED)):
        text = LISTENER.format(name=name, tags=tags, group="g", topic="T")
        (project / f"{name}.java").write_text(text, encoding="utf-8")
    return project


def _settings(folder: Path) -> Path:
    command = folder / "subdrift"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m subdrift "$@"\n', encoding="utf-8"
    )
    command.chmod(0o755)
    settings = folder / "served" / "data" / "Machine" / "settings.json"
    settings.parent.mkdir(parents=True)
    said = {"subdrift.command": str(command), "subdrift.arguments": ["--no-cache"]}
    settings.write_text(json.dumps(said), encoding="utf-8")
    return folder / "served"


@contextmanager
def _serving(code: Path, extensions: Path, data: Path) -> Iterator[int]:
    """VS Code's server at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    where = (
        "--server-data-dir",
        str(data),
        "--extensions-dir",
        str(extensions),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    )
    command = (*SERVER, *where, "--without-connection-token", "--disable-workspace-trust")
    said = data / "log.txt"
    with said.open("wb") as log, subprocess.Popen(command, cwd=code, stdout=log, stderr=log) as server:
        try:
            end = time.monotonic() + WAIT_S
            while b"Extension host agent listening" not in said.read_bytes():
                assert time.monotonic() < end, "VS Code's server did not begin"
                time.sleep(0.05)
            yield port
        finally:
            server.terminate()
