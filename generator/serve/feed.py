"""News for the pages that are open: each listener gets every event in order, as a server-sent event."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, Full, Queue
from threading import Lock
from typing import Any

ROOM = 500
"""Events that wait for a listener at most: one that falls behind further is let go, and asks anew."""

BEAT = b": still here\n\n"
"""Sent when there is no news, so that a listener that has gone is noticed."""


class Listener:
    """One open page's queue of events."""

    def __init__(self) -> None:
        self._queue: Queue[bytes | None] = Queue(ROOM)

    def put(self, event: bytes) -> bool:
        """Whether there was room for it."""
        try:
            self._queue.put_nowait(event)
        except Full:
            return False
        return True

    def close(self) -> None:
        """End the stream, what waits in it included."""
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        self._queue.put(None)

    def take(self) -> Iterator[bytes]:
        """The events that wait, without waiting for more."""
        with suppress(Empty):
            while (event := self._queue.get_nowait()) is not None:
                yield event

    def stream(self, beat: float) -> Iterator[bytes]:
        """Events as they come, a sign of life every `beat` seconds; ends when the listener is let go."""
        while True:
            try:
                event = self._queue.get(timeout=beat)
            except Empty:
                yield BEAT
                continue
            if event is None:
                return
            yield event


class Feed:
    """Tells every listener what happens."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._listeners: list[Listener] = []
        self._closed = False

    @contextmanager
    def listening(self) -> Iterator[Listener]:
        """A listener for as long as a page is open."""
        listener = Listener()
        with self._lock:
            self._listeners.append(listener)
            if self._closed:
                listener.close()
        try:
            yield listener
        finally:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

    def tell(self, name: str, data: Any) -> None:
        """Send an event to all."""
        event = event_as_bytes(name, data)
        with self._lock:
            slow = [listener for listener in self._listeners if not listener.put(event)]
            for listener in slow:
                listener.close()
                self._listeners.remove(listener)

    def close(self) -> None:
        """End every stream, and those that begin from now on."""
        with self._lock:
            self._closed = True
            for listener in self._listeners:
                listener.close()


def event_as_bytes(name: str, data: Any) -> bytes:
    """An event as it goes over the line; JSON has no line ends, which would end it."""
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()
