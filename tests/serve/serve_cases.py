"""A gallery of a tiny project at work: its server, a plain client, and edits as an editor makes them."""

import gc
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests_support import TinyProject

from generator.game.project import find_project
from generator.live.gallery import Gallery
from generator.live.room import Room
from generator.live.serve import PageServer, open_server

PATIENCE = 20.0


class Client:
    """Asks a server, over a socket of its own each time; one that lets the page write, by the secret of its address."""

    def __init__(self, server: PageServer):
        self.server = server
        self.home = f"/{server.key}" if server.key else ""

    def get(self, target: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        """The answer with its body, as it came: nothing is followed or put in order."""
        line = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        line.putrequest(method, self.home + target, skip_host="Host" in named, skip_accept_encoding=True)
        for name, value in named.items():
            line.putheader(name, value)
        line.endheaders()
        answer = line.getresponse()
        body = answer.read()
        line.close()
        return answer, body

    def json(self, target: str) -> Any:
        answer, body = self.get(target)
        assert answer.status == 200, (target, answer.status)
        return json.loads(body)

    def raw(self, sent: bytes) -> bytes:
        """Everything that comes back for these bytes, until the server closes the line."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=PATIENCE) as line:
            line.sendall(sent)
            line.shutdown(socket.SHUT_WR)
            parts = []
            while part := line.recv(65536):
                parts.append(part)
        return b"".join(parts)

    def version(self, design: str, face: str = "front", lang: str = "en", game: str = "tiny") -> dict[str, Any]:
        faces = self.json(f"/faces/{game}?face={quote(f'{lang}:{face}:{design}')}")["faces"]
        assert len(faces) == 1
        return dict(faces[0])


def asking(client: Client, target: str, *more: str) -> bytes:
    return "\r\n".join([f"GET {target} HTTP/1.1", f"Host: 127.0.0.1:{client.server.port}", *more, "", ""]).encode()


def opened(client: Client, target: str = "") -> socket.socket:
    """A line to the server, on which an address has been asked for, or nothing yet."""
    line = socket.create_connection(("127.0.0.1", client.server.port), timeout=PATIENCE)
    if target:
        line.sendall(asking(client, target))
    return line


class IdleGallery(Gallery):
    """A gallery that only answers."""

    def run(self) -> None:
        """Do nothing in the background."""


@contextmanager
def served(project: Path, *names: str, editable: bool = False, seats: str = "", ahead: bool = True) -> Iterator[Client]:
    """A server of that project, on a port of its own; with `seats` a room of its one game.

    Unless `ahead`, nothing is drawn that nobody has asked for, and changed files are not noticed.
    """
    gc.freeze()  # the gallery clears away after itself, and would look through all that other tests keep
    try:
        gallery = (Gallery if ahead else IdleGallery)(find_project(project, project), names)
        room = Room(gallery, names[0], seats=seats) if seats else None
        with open_server(gallery, 0, editable=editable, room=room) as server:
            thread = threading.Thread(target=server.serve_forever, args=(0.002,), daemon=True)
            thread.start()
            try:
                yield Client(server)
            finally:
                server.shutdown()
                thread.join()
    finally:
        gc.unfreeze()


def news(client: Client) -> Iterator[tuple[str, Any]]:
    """Events as they come, from the greeting on."""
    line = http.client.HTTPConnection("127.0.0.1", client.server.port, timeout=PATIENCE)
    line.request("GET", f"{client.home}/events")
    answer = line.getresponse()
    name = ""
    try:
        while True:
            row = answer.readline().decode()
            if not row:
                return
            if row.startswith("event: "):
                name = row[7:].strip()
            elif row.startswith("data: "):
                yield name, json.loads(row[6:])
    finally:
        line.close()


def save(path: Path, text: str) -> None:
    """Save as careful editors do: a new file takes the old one's place."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def expect_soon(ask: Callable[[], Any], what: str | Callable[[], str] = "") -> Any:
    """The first true answer. `what` describes it in the error; a function describes how things stand then."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = ask()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited in vain for {what() if callable(what) else what or ask}")


def data_file(tiny: TinyProject) -> Path:
    return tiny.root / "data" / "tiny" / "game.yaml"
