"""A headless Chromium, driven over WebDriver (https://www.w3.org/TR/webdriver2/) as far as the page's tests need it."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

TAB: Final = "\ue004"
SHIFT: Final = "\ue008"
ENTER: Final = "\ue007"
SPACE: Final = " "
CONTROL: Final = "\ue009"
ESCAPE: Final = "\ue00c"
DELETE: Final = "\ue017"

_WAIT_S: Final = 120
"""The longest the driver may take to begin or to answer, on a machine that is busy."""


def missing() -> str:
    """What a test in a browser lacks here, "" where it can run."""
    lacks = [one for one in ("chromedriver",) if not shutil.which(one)]
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        lacks.append("chromium")
    return " and ".join(lacks)


@dataclass(frozen=True, slots=True)
class Browser:
    """One window."""

    base: str

    def open(self, file: Path, anchor: str = "") -> None:
        self.visit(file.resolve().as_uri() + (f"#{anchor}" if anchor else ""))

    def visit(self, address: str) -> None:
        self._call("POST", "/url", {"url": address})

    def run(self, script: str, *arguments: object) -> Any:
        """The value a script returns in the page."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script: str, *arguments: object) -> None:
        """Until a script returns what is true; the page works for itself, so this takes a turn or two."""
        assert self.becomes(script, *arguments), f"never true: {script}"

    def becomes(self, script: str, *arguments: object, seconds: float = _WAIT_S) -> bool:
        """Whether a script returns what is true before the end of patience."""
        end = time.monotonic() + seconds
        while not self.run(script, *arguments):
            if time.monotonic() > end:
                return False
            time.sleep(0.02)
        return True

    def press(self, *keys: str) -> None:
        """Keys one after the other; a tuple's worth of text is typed."""
        self._keys([(kind, key) for key in keys for kind in ("keyDown", "keyUp")])

    def hold(self, *keys: str) -> None:
        """Keys that are held together."""
        self._keys([*(("keyDown", key) for key in keys), *(("keyUp", key) for key in reversed(keys))])

    def _keys(self, strokes: Sequence[tuple[str, str]]) -> None:
        actions = [{"type": kind, "value": key} for kind, key in strokes]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def click(self, script: str, *arguments: object) -> None:
        """A real click into the middle of the element that a script returns."""
        x, y = self.run(
            f"const at = (function () {{ {script} }}).apply(null, arguments).getBoundingClientRect();"
            "return [at.x + at.width / 2, at.y + at.height / 2].map(Math.round)",
            *arguments,
        )
        moves = [
            {"type": "pointerMove", "x": x, "y": y},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": moves}]})

    def emulate(self, media: str = "", **features: str) -> None:
        """Look as on paper (`media`), or with other preferences (`prefers_color_scheme="dark"`)."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self._devtools("Emulation.setEmulatedMedia", {"media": media, "features": listed})

    def resize(self, width: int, height: int) -> None:
        size: dict[str, object] = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._devtools("Emulation.setDeviceMetricsOverride", size)

    def screenshot(self, file: Path) -> None:
        file.write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def barriers(self, axe: str) -> list[str]:
        """What axe-core, given as a script, finds wrong with the page for those who use it otherwise than by eye."""
        self.run(axe)
        self.run("axe.run(document).then(found => { window.axed = found })")
        self.wait_for("return Boolean(window.axed)")
        assert self.run("return window.axed.passes.length") > 20
        script = "return window.axed.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).slice(0, 3).join(' '))"
        return list(self.run(script))

    def complaints(self) -> list[str]:
        """What the console says since it was last asked, errors and warnings."""
        found = self._call("POST", "/se/log", {"type": "browser"})
        return [one["message"] for one in found if one["level"] in ("WARNING", "SEVERE")]

    def _devtools(self, command: str, parameters: dict[str, object]) -> None:
        self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def _call(self, method: str, path: str, body: object = None) -> Any:
        return _request(method, self.base + path, body)


@contextmanager
def browser(folder: Path, arguments: Sequence[str] = ()) -> Iterator[Browser]:
    """A browser with a profile below that folder. Ends its own driver, and that its browser."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = open(folder / "chromedriver.log", "wb")  # noqa: SIM115 - lives as long as the driver
    with log, subprocess.Popen(["chromedriver", f"--port={port}"], stdout=log, stderr=log) as driver:
        try:
            base = f"http://127.0.0.1:{port}"
            _until_ready(base)
            options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
            options += [f"--user-data-dir={folder / 'profile'}", "--window-size=1200,900", *arguments]
            binary = shutil.which("chromium") or shutil.which("google-chrome")
            wanted = {
                "browserName": "chrome",
                "goog:chromeOptions": {"args": options, "binary": binary},
                "goog:loggingPrefs": {"browser": "ALL"},
            }
            session = _request("POST", f"{base}/session", {"capabilities": {"alwaysMatch": wanted}})
            base += f"/session/{session['sessionId']}"
            yield Browser(base)
            _request("DELETE", base)
        finally:
            driver.terminate()


def _until_ready(base: str) -> None:
    end = time.monotonic() + _WAIT_S
    while True:
        try:
            if _request("GET", f"{base}/status")["ready"]:
                return
        except OSError:
            assert time.monotonic() < end, "chromedriver did not begin"
        time.sleep(0.05)


def _request(method: str, url: str, body: object = None) -> Any:
    data = json.dumps(body).encode() if body is not None else b"{}" if method == "POST" else None
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=_WAIT_S) as answer:
            return json.loads(answer.read())["value"]
    except urllib.error.HTTPError as error:
        raise AssertionError(f"{method} {url}: {error.read().decode('utf-8', 'replace')[:2000]}") from error
