"""Results of one game that are kept from run to run, each with the files on which it rests."""

from functools import cached_property
from typing import Any

from generator.cache.held import fits
from generator.cache.reads import PICTURED, File, Kind, Reads
from generator.cache.store import Store, fingerprint, program
from generator.model.game import Game

EVERYTHING: tuple[Kind, ...] = ("template", *PICTURED)


class Kept:
    """The kept results of a game in a project; `project` tells projects apart, whose files may have the same names.

    A result is used again only if its key is equal and every file that was read for it is as it was.
    """

    def __init__(self, store: Store, project: str, game: Game, reads: Reads):
        self._store, self._project, self._game = store, project, game
        self.reads = reads

    @cached_property
    def game(self) -> str:
        """The content of all the game's data with their places, as 32 hex digits."""
        return fingerprint(self._game)

    def get(self, what: str, shape: Any, *key: Any) -> Any | None:
        """The result `what` for that key; None where it is not kept, no longer holds or is not of that shape."""
        entry: Any = self._store.get(self._name(what, key))
        if not fits(entry, tuple[dict[File, str], Any]) or not fits(entry[1], shape):  # only a forged one
            return None
        return entry[1] if self.reads.stand(entry[0]) else None

    def put(self, what: str, value: Any, *key: Any, rests_on: tuple[Kind, ...] = EVERYTHING) -> None:
        """Keep a result that rests on files of these kinds, all of those that were read so far."""
        if not self.reads.mixed:
            self._store.put(self._name(what, key), (self.reads.grounds(rests_on), value))

    def _name(self, what: str, key: tuple[Any, ...]) -> str:
        return f"{what}-{fingerprint((program(), self._project, self._game.id, what, key))}"
