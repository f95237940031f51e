"""A headless Chromium, driven over its DevTools protocol, or a Firefox over WebDriver BiDi: as far as tests need them."""

import base64
import http.client
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 30.0
"""Seconds that a test waits for what must come; it goes on as soon as it has come."""

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-port=0", "--remote-allow-origins=*",
    "--disable-features=WebRtcHideLocalIpsWithMdns",  # names of this machine for itself may not be found in a sandbox
)  # fmt: skip


class _Refused(AssertionError):
    """The browser did not do what it was asked for; `leaving`: because the page was on its way to another."""

    def __init__(self, method: str, error: dict[str, Any]):
        super().__init__(method, error)
        self.leaving = any(word in error["message"] for word in ("navigated", "context"))


class Tab:
    """One page of the browser. `requests` are the addresses that it asked for, `complaints` what its console said."""

    def __init__(self, line: ClientConnection):
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._line = line
        self._count = 0
        self._world: dict[str, int] = {}
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility", "DOM"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer."""
        self._count += 1
        self._line.send(json.dumps({"id": self._count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._line.recv(timeout=PATIENCE))
            if message.get("id") == self._count:
                if "error" in message:
                    raise _Refused(method, message if "message" in message else message["error"])
                return dict(message["result"])
            self._note(message)

    def run(self, script: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, **self._world)
        assert "exceptionDetails" not in result, (script, result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, script: str, what: str = "") -> Any:
        """The value of an expression as soon as it is true."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                value = self.run(script)
            except _Refused as refused:
                if not refused.leaving:
                    raise
                value = None
            if value:
                return value
            time.sleep(0.03)
        raise AssertionError(f"waited in vain for {what or script}; {self.complaints}")

    def enter(self, selector: str = "") -> None:
        """Run scripts in the page's frame of this selector from now on; without one, in the page again."""
        self._world = {}
        if selector:
            found = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
            node = self.call("DOM.describeNode", objectId=found["result"]["objectId"])["node"]
            world = self.call("Page.createIsolatedWorld", frameId=node["frameId"])
            self._world = {"contextId": world["executionContextId"]}

    def open(self, address: str) -> None:
        """Go to an address and wait until the game's designs are there."""
        self.call("Page.navigate", url=address)
        self.wait("document.querySelectorAll('.design').length > 0 && document.querySelector('.state.live') !== null")

    def press(self, key: str, code: str = "", text: str = "") -> None:
        """Press and release a key."""
        written = text or (key if len(key) == 1 else "")
        numbers = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37, "ArrowDown": 40, "ArrowUp": 38}  # fmt: skip
        number = numbers.get(key, ord(key.upper()) if len(key) == 1 else 0)
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": number}
        if key == "Enter":
            written = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", text=written, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def shot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)

    def tree(self) -> list[tuple[str, str]]:
        """Role and name of everything that a screen reader meets."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        return [
            (node["role"]["value"], node.get("name", {}).get("value", ""))
            for node in nodes
            if not node.get("ignored") and "role" in node
        ]

    def _note(self, message: dict[str, Any]) -> None:
        method, said = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(said["exceptionDetails"].get("exception", said)))
        elif method == "Log.entryAdded" and said["entry"]["level"] == "error":
            self.complaints.append(f"{said['entry']['text']} {said['entry'].get('url', '')}")


class FirefoxTab(Tab):
    """A page of Firefox."""

    def __init__(self, line: ClientConnection):
        self.requests, self.complaints = [], []
        self._line, self._count = line, 0
        self.call("session.new", capabilities={})
        self._context = self.call("browsingContext.create", type="tab")["context"]
        self.call("browsingContext.activate", context=self._context)  # keys go to the tab in front
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def run(self, script: str) -> Any:
        """The value of a script; a promise is waited for."""
        where = {"context": self._context}
        done = self.call("script.evaluate", expression=script, target=where, awaitPromise=True, userActivation=True)
        assert done["type"] == "success", (script, done["exceptionDetails"])
        return _plain(done["result"])

    def go(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self._context, url=address, wait="none")

    def act(self, kind: str, *actions: dict[str, Any]) -> None:
        """Use the mouse (`pointer`) or the keyboard (`key`)."""
        self.call(
            "input.performActions", context=self._context, actions=[{"type": kind, "id": kind, "actions": actions}]
        )

    def type(self, text: str) -> None:
        self.act("key", *({"type": sort, "value": key} for key in text for sort in ("keyDown", "keyUp")))

    def click(self, place: tuple[int, int]) -> None:
        self.drag(place, place)

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        ways = [{"type": "pointerMove", "x": x, "y": y, "duration": 100} for x, y in (start, end)]
        self.act("pointer", ways[0], {"type": "pointerDown", "button": 0}, ways[1], {"type": "pointerUp", "button": 0})

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        assert not dark
        self.call("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def _note(self, message: dict[str, Any]) -> None:
        method, said = message.get("method"), message.get("params", {})
        if method == "network.beforeRequestSent":
            self.requests.append(said["request"]["url"])
        elif method == "log.entryAdded" and said["level"] == "error":
            self.complaints.append(f"{said['text']} {said.get('stackTrace', '')}")


def _plain(value: dict[str, Any]) -> Any:
    """A value of a page as WebDriver tells it."""
    match value:
        case {"type": "array", "value": list(parts)}:
            return [_plain(part) for part in parts]
        case {"type": "object", "value": list(pairs)}:
            return {name: _plain(part) for name, part in pairs}
    return value.get("value")


@contextmanager
def chromium(program: str, folder: Path) -> Iterator[Callable[[], Tab]]:
    """A browser of its own in `folder`; what is given opens a tab."""
    command = [program, *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"]
    with ExitStack() as lines, _started(command, folder) as find:

        def read_port() -> str:
            file = folder / "profile" / "DevToolsActivePort"
            text = file.read_text(encoding="utf-8") if file.is_file() else ""
            return text.split("\n")[0] if text.count("\n") else ""

        port = int(find(read_port))

        def tab() -> Tab:
            asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            asking.request("PUT", "/json/new?about:blank")
            address = json.load(asking.getresponse())["webSocketDebuggerUrl"]
            asking.close()
            return Tab(lines.enter_context(connect(address, max_size=None, ping_interval=None)))

        yield tab


@contextmanager
def firefox(program: str, folder: Path) -> Iterator[FirefoxTab]:
    """A tab of a Firefox of its own in `folder`."""
    (folder / "profile").mkdir()
    command = [
        program, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(folder / "profile"),
    ]  # fmt: skip
    with _started(command, folder) as find:

        def read_address() -> str:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", (folder / "log").read_text(encoding="utf-8"))
            return found[1] if found else ""

        with connect(f"{find(read_address)}/session", max_size=None, ping_interval=None) as line:
            yield FirefoxTab(line)


@contextmanager
def _started(command: list[str], folder: Path) -> Iterator[Callable[[Callable[[], str]], str]]:
    """A browser at work in `folder`; what is given waits until the browser tells how to talk to it."""
    with (folder / "log").open("wb") as log:
        # A group of its own: it is many processes, and all of them write into the folder until they have ended.
        environment = {**os.environ, "HOME": str(folder)}
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)

    def find(read: Callable[[], str]) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and process.poll() is None:
            if found := read():
                return found
            time.sleep(0.05)
        said = (folder / "log").read_text(encoding="utf-8", errors="replace")
        raise AssertionError(f"the browser did not start: {said[-2000:]}")

    try:
        yield find
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    until = time.monotonic() + PATIENCE
    while _is_group_alive(process.pid) and time.monotonic() < until:
        time.sleep(0.02)


def _is_group_alive(group: int) -> bool:
    """Whether a process of a group still runs.

    A dead one stays in its group until its new parent, the first process of the machine, asks for it: some take half a
    minute. So where the system tells how processes are (/proc), the dead are not counted.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, 0)
        files = list(Path("/proc").glob("[0-9]*/stat"))
        return not files or any(_is_member_alive(file, group) for file in files)
    return False


def _is_member_alive(file: Path, group: int) -> bool:
    """Whether a process, by its /proc/*/stat, is of a group and not dead."""
    with suppress(OSError):
        state, _, its_group = file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[:3]
        return int(its_group) == group and state != "Z"
    return False
