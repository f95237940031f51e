"""The command `serve`: the page server, for this machine only, with a thread for each request.

It is read-only, unless `--edit` lets its own page change the project's files.
"""

import errno
import io
import os
import re
import secrets
import socket
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from threading import Lock, Thread
from typing import Any, ClassVar

import click

from generator.base.errors import Problem, ProblemsFound
from generator.base.files import no_progress
from generator.commands.command_line import say, say_text
from generator.commands.options import GAMES, PROJECT, open_project
from generator.commands.settings import cache_folder
from generator.drawing.templates.functions import list_qr_modules
from generator.live.file_watch import event_as_bytes
from generator.live.gallery import Gallery
from generator.live.project_files import ProjectFiles
from generator.live.room import Room
from generator.live.routes import FILE_POLICY, PageOrder, Reply, Routes, is_page, make_refusal, reply_or_explain
from generator.live.site_runtime import RUNTIME_FOLDER, load_editor

ADDRESS = "127.0.0.1"

NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Names of the server for browsers on this machine. A page that uses another name is foreign."""

BEAT = 15.0
"""Seconds between signs of life on a connection without news."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

MOST_LINES, LINES_EACH = 640, 100
"""Largest number of connections, each with its thread, and of one guest's in a room. Further ones get an error."""

MOST_STREAMS, STREAMS_EACH = 64, 6
"""Largest number of pages that listen for news on open connections, and of one guest's in a room."""

PANELS = "vscode-webview: vscode-file:"
"""Schemes that may also frame the page in a panel of Visual Studio Code. No web address begins like this."""

_NEWS, _ROOM_NEWS = "/events", b"event: room\n"
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nRetry-After: 1\r\nConnection: close\r\n\r\n"


@click.command()
@GAMES
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8013,
    show_default=True,
    help="Port on this computer; use 0 for any free port.",
)
@click.option("--open", "in_browser", is_flag=True, help="Open the page in the browser.")
@click.option("--in-panel", is_flag=True, help="Allow Visual Studio Code to show the page in a panel.")
@click.option(
    "--edit", "editable", is_flag=True, help="Let the page change the project's files; its address then has a secret."
)
@click.option("--table", metavar="GAME", help="Open a room: phones in your local network take seats of this game.")
@click.option("--players", type=click.IntRange(1, 99), help="Number of seats in the room (default: the fewest).")
@click.option("--seats", metavar="NAMES", help="Names of seats in the room, such as Anna,Ben.")
@click.option("--host", metavar="ADDRESS", help="Address or name of this computer for the room (default: all).")
@PROJECT
@click.pass_obj
def serve(
    obj: Path | None, /, port: int, in_browser: bool, in_panel: bool, editable: bool, table: str | None, **options: Any
) -> None:
    """Show the game in a browser and update it when you save.

    With --edit the page has the editor of the browser edition: it lists, shows, changes, renames and deletes the
    project's files, and moves elements of cards. Without --edit it never changes your files. Press Ctrl+C to stop.

    With --table each phone in your local network can take a seat of one game. Otherwise no data leaves this computer.
    """
    used = [f"--{name}" for name in ("players", "seats", "host") if options[name]]
    if not table and used:
        raise click.UsageError(f"{' and '.join(used)}: only with --table; name the game, as --table fortuna")
    if table and (editable or options["games"]):
        raise click.UsageError("--table shows one game and edits nothing; leave out --edit and other games")
    project, scripts = open_project(obj, options), dict[str, bytes]()
    if editable:
        project = project._replace(resources=project.resources.show_from(project.root.resolve()))
        folder = cache_folder() / RUNTIME_FOLDER
        loaded, lacking = load_editor(folder, folder, no_progress)
        scripts = {f"codemirror/{one.file}": one.text for one in loaded}
        if lacking:
            say(f"without CodeMirror, texts are edited in a plain field: {lacking}; `pnp site` downloads it")
    names = (table,) if table else options["games"]
    gallery = Gallery(project, names, trusted=options["trusted"], say=say)
    room = Room(gallery, table, options["players"], options["seats"]) if table else None
    host = (options["host"] or "0.0.0.0") if room else ADDRESS  # noqa: S104 - a room is for the whole local network
    how = {"in_panel": in_panel, "editable": editable, "scripts": scripts, "room": room, "host": host}
    with open_server(gallery, port, **how) as server:
        say(f"{server.url}  (Ctrl+C ends it)")
        if room:
            say(f"Guests: {room.guest_url}")
            say_text(draw_in_terminal(list_qr_modules(room.guest_url)))
        if in_browser:
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say()


def draw_in_terminal(modules: list[list[bool]]) -> str:
    """Return a QR code as text, two rows in a line. Light modules are drawn: most terminals are dark."""
    margin = [False] * (len(modules) + 4)
    rows = [margin, margin, *([False, False, *row, False, False] for row in modules), margin, margin]
    signs = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    pairs = zip(rows[::2], [*rows[1::2], *[[True] * len(margin)] * (len(rows) % 2)], strict=True)
    return "".join("".join(map(signs.__getitem__, zip(*pair, strict=True))) + "\n" for pair in pairs)


class _PageRequest(BaseHTTPRequestHandler):
    """One connection with one or more requests."""

    protocol_version = "HTTP/1.1"
    timeout = 60
    disable_nagle_algorithm = True  # otherwise the end of a reply waits for the browser to acknowledge its start
    server: "PageServer"

    def do_GET(self) -> None:
        """Answer, or refuse a request that is not allowed."""
        target, key = self.server.routes.open_target(self.path)
        refusal = self._find_refusal(target)
        if self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers:
            self.close_connection = True  # the request's body is not read
        if refusal is not None:
            self._send_reply(make_refusal(refusal))
        elif target.partition("?")[0] == _NEWS:
            self._send_news(key)
        else:
            try:
                reply = self.server.routes.answer(target, self._has_left, key, self.client_address[0])
            except Exception:
                self._send_reply(make_refusal(HTTPStatus.INTERNAL_SERVER_ERROR))
                raise
            self._send_reply(reply)

    do_HEAD = do_GET  # noqa: N815 - the library's name

    def do_POST(self) -> None:
        """Carry out an order of this server's own page, if there are orders at all."""
        routes = self.server.routes
        target, key = routes.open_target(self.path)
        order = PageOrder(self.command, target, key, self.client_address[0], self._read_precondition())
        accepted = routes.find_order(order)
        if accepted is None:
            self._not_allowed()
            return
        self.close_connection = True
        # A browser lets no page of another origin send these types and methods, or hide its origin.
        origin = f"http://{self.headers.get('Host', '').strip()}"
        own = self._find_refusal("") is None and self.headers.get_all("Origin", []) == [origin]
        length = self.headers.get("Content-Length", "0" if accepted.most == 0 else "")
        typed = not accepted.most or self.headers.get("Content-Type") == accepted.type
        if not (own and typed and re.fullmatch("[0-9]{1,9}", length)):
            self._send_reply(make_refusal(HTTPStatus.FORBIDDEN))
        elif int(length) > accepted.most:
            self._send_reply(make_refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE))
        else:
            body = self.rfile.read(int(length))
            if len(body) == int(length):  # else the page has gone in the middle
                self._send_reply(reply_or_explain(lambda: accepted.carry_out(body)))

    do_PUT = do_DELETE = do_POST  # noqa: N815

    def _read_precondition(self) -> str | None:
        """Return the hash of the file that the page knows, '' if it knows that there is none, or None."""
        if self.headers.get_all("If-None-Match", []) == ["*"]:
            return ""
        found = re.fullmatch('"([0-9a-f]{64})"', self.headers.get("If-Match", ""))
        return found[1] if found else None

    def __getattr__(self, name: str) -> Callable[[], None]:
        """Refuse any other method, known or unknown."""
        if not name.startswith("do_"):
            raise AttributeError(name)
        return self._not_allowed

    def _not_allowed(self) -> None:
        self.close_connection = True
        self._send_reply(make_refusal(HTTPStatus.METHOD_NOT_ALLOWED), Allow="GET, HEAD")

    def _find_refusal(self, target: str) -> HTTPStatus | None:
        """Return the status that refuses this request, or None."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or not self.server.is_own_name(hosts[0].strip().lower()):
            return HTTPStatus.FORBIDDEN
        # Browsers state the origin of a request: another page must not make this machine work.
        site, mode = self.headers.get("Sec-Fetch-Site", "none"), self.headers.get("Sec-Fetch-Mode", "")
        if site not in ("none", "same-origin") and not (mode == "navigate" and is_page(target)):
            return HTTPStatus.FORBIDDEN
        return None

    def _has_left(self) -> bool:
        """Return True if the browser has closed the connection."""
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            self.connection.settimeout(self.timeout)

    def _send_reply(self, reply: Reply, **more: str) -> None:
        self._begin_reply(reply.status, reply.type, reply.policy, reply.cache)
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in more.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        line, self.wfile = self.wfile, io.BytesIO()
        try:
            self.end_headers()
            headers = self.wfile.getvalue()
        finally:
            self.wfile = line
        line.write(headers + (b"" if self.command == "HEAD" else reply.body))

    def _begin_reply(self, status: HTTPStatus, kind: str, policy: str, cache: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", self.server.frame_policy(policy))
        self.send_header("Cache-Control", cache)
        for name, value in HEADERS.items():
            self.send_header(name, value)

    def _send_news(self, key: str) -> None:
        """Send the stream of events until the page is closed or the server ends."""
        self.close_connection = True
        room, peer = self.server.room, self.client_address[0]
        guest = room.name_guest(key, peer) if room else peer
        if not self.server.streams.take(guest):
            self._send_reply(make_refusal(HTTPStatus.SERVICE_UNAVAILABLE))
            return
        try:
            self._stream_events()
        finally:
            self.server.streams.leave(guest)

    def _stream_events(self) -> None:
        with self.server.gallery.feed.open_listener() as listener:
            self._begin_reply(HTTPStatus.OK, "text/event-stream; charset=utf-8", FILE_POLICY, "no-store")
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command == "HEAD":
                return
            # For events before it listened, the page compares.
            self.wfile.write(event_as_bytes("hello", {"games": self.server.gallery.list_games()}))
            for event in listener.iter_events(BEAT):
                # In a room the faces that others' screens ask for would tell what they hold.
                if self.server.room is None or not event.startswith(b"event:") or event.startswith(_ROOM_NEWS):
                    self.wfile.write(event)

    def handle(self) -> None:
        """Answer requests. A browser that goes away or is silent for too long ends this without an error."""
        with suppress(ConnectionError, TimeoutError):
            super().handle()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:  # noqa: ARG002
        """Refuse a request that the library can't read, with its status code. Close the connection."""
        self.close_connection = True
        self._send_reply(make_refusal(HTTPStatus(code)))

    def version_string(self) -> str:
        """Return the server's name without versions, which strangers need not know."""
        return "pnp"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Log nothing: a line for each picture would hide what matters."""


class Places:
    """Limits the places (such as connections) in use: `most` in sum, `each` by one name (such as an address)."""

    def __init__(self, most: int, each: int):
        self._lock, self._most, self._each = Lock(), most, each
        self._held = Counter[str]()

    def take(self, name: str) -> bool:
        """Take a place if one is left for this name."""
        with self._lock:
            free = self._held.total() < self._most and self._held[name] < self._each
            self._held[name] += free
            return free

    def leave(self, name: str) -> None:
        """Give a place back."""
        with self._lock:
            self._held[name] -= 1
            self._held += Counter()  # forget names without a place


class PageServer(ThreadingHTTPServer):
    """Serves a gallery's page on this machine. Port 0 takes a free one. Raises ProblemsFound if the port fails."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 1024
    allow_reuse_address = os.name != "nt"  # on Windows it would share the port with another program
    address_family: ClassVar[socket.AddressFamily] = socket.AF_INET  # type: ignore[misc]

    def __init__(
        self,
        gallery: Gallery,
        port: int,
        *,
        in_panel: bool = False,
        editable: bool = False,
        scripts: Mapping[str, bytes] | None = None,
        room: Room | None = None,
        host: str = ADDRESS,
    ):
        self.gallery, self.room, self._in_panel = gallery, room, in_panel
        files, self.key = (ProjectFiles(gallery), secrets.token_urlsafe(16)) if editable else (None, "")
        self.routes = Routes(gallery, files=files, key=self.key, scripts=scripts, room=room)
        self._lines = Places(MOST_LINES, LINES_EACH if room else MOST_LINES)
        self.streams = Places(MOST_STREAMS, STREAMS_EACH if room else MOST_STREAMS)
        try:
            super().__init__((host, port), _PageRequest)
        except OSError as error:
            raise ProblemsFound([_explain_port(error, port, host)]) from error
        self.port = int(self.server_address[1])
        names = [*NAMES, host.lower()] if room else NAMES
        bare = names if self.port == 80 else ()  # browsers omit that port
        self.hosts = frozenset([*(f"{name}:{self.port}" for name in names), *bare])
        if room is not None:
            room.address = f"http://{find_local_address() if host == '0.0.0.0' else host}:{self.port}/"  # noqa: S104

    @property
    def url(self) -> str:
        """Return the address of the page, with a secret if it may write; of a room, that of the large screen."""
        return self.room.host_url if self.room else f"http://{ADDRESS}:{self.port}/{self.key}{'/' * bool(self.key)}"

    def is_own_name(self, host: str) -> bool:
        """Return True if the Host header may name this server: one of `hosts`, or an IPv4 address if there is a room.

        An IPv4 address is safe, because no other site's name can be made to lead to it.
        """
        name, _, port = host.partition(":")
        return host in self.hosts or (
            self.room is not None
            and (port or "80") == str(self.port)
            and re.fullmatch(r"[0-9]+(\.[0-9]+){3}", name) is not None
        )

    def verify_request(self, request: Any, client_address: Any) -> bool:  # noqa: ARG002 - the library's parameters
        """Return True to answer an address: in the local network, or any without a room (only this machine asks)."""
        return self.room is None or ip_address(client_address[0]).is_private

    def frame_policy(self, policy: str) -> str:
        """Return a content security policy that, with --in-panel, also lets an editor's panel frame the page."""
        if not self._in_panel:
            return policy
        rest, ancestors, who = policy.partition("frame-ancestors ")
        others = "" if who == "'none'" else f"{who} "
        return f"{rest}{ancestors}{others}{PANELS}"

    def server_bind(self) -> None:
        """Bind without looking up this machine's name."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, int(self.allow_reuse_address))
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = ADDRESS, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Start a thread for a connection. Close it, if possible with a refusal, when no thread is left."""
        if self._lines.take(client_address[0]):
            try:
                super().process_request(request, client_address)
            except RuntimeError:  # the system can't start another thread
                self._lines.leave(client_address[0])
                self.shutdown_request(request)
            return
        with suppress(OSError):
            request.sendall(_FULL)
        self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer one connection, then free its place."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._lines.leave(client_address[0])

    def service_actions(self) -> None:
        """End the server after an error of the program in the background, instead of showing old pictures."""
        if self.gallery.failure is not None:
            raise self.gallery.failure


@contextmanager
def open_server(gallery: Gallery, port: int, **how: Any) -> Iterator[PageServer]:
    """Yield a PageServer (`how`: its further arguments). A thread watches its games and draws ahead until the end."""
    with PageServer(gallery, port, **how) as server:
        thread = Thread(target=gallery.run, name="gallery", daemon=True)
        thread.start()
        try:
            yield server
        finally:
            gallery.stop()
            thread.join()


def find_local_address() -> str:
    """Return this computer's address in the local network; without a network, the one for itself."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
        return str(probe.getsockname()[0])
    return ADDRESS


def _explain_port(error: OSError, port: int, host: str) -> Problem:
    if error.errno == errno.EADDRNOTAVAIL or isinstance(error, socket.gaierror):
        what = f"this computer has no address {host}: {error.strerror or error}"
        return Problem(None, what, "leave out --host, or write an IPv4 address of this computer")
    free = "choose another with --port, or any free one with --port 0"
    if error.errno == errno.EADDRINUSE:
        return Problem(None, f"the port {port} is in use, perhaps by another `pnp serve`", f"stop that one, or {free}")
    return Problem(None, f"the port {port} is not available: {error.strerror or error}", free)
