"""Tables for the tests of the lab, and workers that are lost on purpose."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.lab.chunks import Cell, Chunk, Setup, play
from generator.lab.measures import Sums


def table(players: int) -> Cell:
    return Cell(players, ("random",) * players)


def lost_once(setup: Setup, key: str, chunk: Chunk) -> dict[str, Sums]:
    """Plays a chunk; the process that first gets the second one is killed over it."""
    mark = Path(os.environ["LAB_TEST_MARK"])
    if chunk.first and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play(setup, key, chunk)


def lost_always(setup: Setup, key: str, chunk: Chunk) -> dict[str, Sums]:
    if chunk.first:
        os.kill(os.getpid(), signal.SIGKILL)
    return play(setup, key, chunk)


def no_game(*_: object) -> Iterator[tuple[int, int]]:
    """In place of playing: fails as soon as a game would be played."""
    pytest.fail("a game was played")
    yield 0, 0
