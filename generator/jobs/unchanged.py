"""A game's files as an earlier run made them, where nothing that they rest on has changed since."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from generator.delivery import Delivery
from generator.draw.workshop import Workshop


def unless_kept(
    workshop: Workshop, files: Delivery, out: Path, key: tuple[Any, ...] | None, make: Callable[[], tuple[Any, ...]]
) -> tuple[Any, ...]:
    """Write what `make` writes below `out` to a delivery of this game's own, and answer as it does.

    `key` is all that it rests on beside the game's data, the program and files that the workshop reads; None where
    there is more, and all is made.
    """
    kept = workshop.kept
    if kept is None or key is None:
        return make()
    known = kept.get("files", kept.game, key)
    if known is not None:
        contents, answer = known
        for name, data in contents:
            files.write(out / name, partial(_put, data))
        return tuple(answer)
    answer = make()
    if not workshop.problems:  # what is missing has not been noted
        contents = [(path.relative_to(out).as_posix(), data) for path, data in files.contents()]
        kept.put("files", (contents, tuple(answer)), kept.game, key)
    return answer


def _put(data: bytes, out: BinaryIO) -> None:
    out.write(data)
