"""A game's files as an earlier run made them, where nothing that they rest on has changed since."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from generator.cache.held import fits
from generator.delivery import Delivery
from generator.faces.workshop import Workshop

Answer = TypeVar("Answer", bound=tuple[Any, ...])

_FILES = tuple[list[tuple[str, bytes]], Any]
"""Names and bytes of files, and the answer."""

_PLAIN = re.compile(r"[a-z]+(-[a-z]+)*(\.[A-Za-z0-9+-]+)?\.(pdf|html|txt)")
"""How the program calls a file of a game; a kept value with another name is not its own, and might lead elsewhere."""


def unless_kept(
    workshop: Workshop,
    files: Delivery,
    out: Path,
    key: tuple[Any, ...] | None,
    make: Callable[[], Answer],
    answer: type[Answer],
) -> Answer:
    """Write what `make` writes below `out` to a delivery of this game's own, and answer as it does.

    `key` is all that it rests on beside the game's data, the program and files that the workshop reads; None where
    there is more, and all is made. `answer` is the named tuple that `make` answers with.
    """
    kept = workshop.kept
    if kept is None or key is None:
        return make()
    folder = workshop.game.id
    known: Any = kept.get("files", _FILES, kept.game, key)
    contents, told = known or ([], ())
    if fits(told, answer) and all(_PLAIN.fullmatch(name) for name, _ in contents):
        for name, data in contents:
            files.put(out / folder / name, data)
        return answer(*told)
    made = make()
    if not workshop.problems:  # what is missing has not been noted
        contents = [(path.relative_to(out / folder).as_posix(), data) for path, data in files.contents()]
        kept.put("files", (contents, tuple(made)), kept.game, key)
    return made
