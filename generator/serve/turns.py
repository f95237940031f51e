"""Who may draw: one at a time, and what somebody waits for before what is done ahead."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Turns:
    """Hands out turns at a workshop, which draws for one at a time. A turn must not be asked for within a turn."""

    def __init__(self) -> None:
        self._change = Condition()
        self._taken = False
        self._waiting = 0

    @contextmanager
    def asked(self) -> Iterator[None]:
        """A turn for what somebody waits for."""
        with self._change:
            self._waiting += 1
            try:
                self._change.wait_for(lambda: not self._taken)
            finally:
                self._waiting -= 1
            self._taken = True
        yield from self._given_back()

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """A turn for work that is done ahead: it comes when nobody waits."""
        with self._change:
            self._change.wait_for(lambda: not self._taken and not self._waiting)
            self._taken = True
        yield from self._given_back()

    def _given_back(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._change:
                self._taken = False
                self._change.notify_all()
