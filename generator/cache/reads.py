"""Which files a game's pictures rest on: noted as they are read, and looked at again before a kept result is used."""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["template", "art", "picture", "font"]
PICTURED: tuple[Kind, ...] = ("art", "picture", "font")
"""What a picture rests on once its markup is known."""

File: TypeAlias = tuple[Kind, str]
"""What for, and by which name it was asked for: the name decides where it is found."""

Grounds: TypeAlias = Mapping[File, str]
"""By file the state in which it was read, empty where there was none of that name."""


class Reads:
    """What was read in this run. `mixed` says that a file changed meanwhile, so that nothing may be kept.

    `look` gives the state of a file now; each kind is told once by whoever reads such files.
    """

    def __init__(self) -> None:
        self.mixed = False
        self.look: dict[Kind, Callable[[str], str]] = {}
        self._noted: dict[File, str] = {}
        self._seen: dict[File, str] = {}

    def note(self, kind: Kind, name: str, state: str) -> None:
        """A file was read in this state."""
        if self._noted.setdefault((kind, name), state) != state:
            self.mixed = True

    def grounds(self, kinds: tuple[Kind, ...]) -> Grounds:
        """All files of these kinds that were read so far."""
        return {file: state for file, state in self._noted.items() if file[0] in kinds}

    def stand(self, grounds: Grounds) -> bool:
        """Whether every file is as it was; what rests on them then belongs to this run, and so do they."""
        if self.mixed or any(self._state(file) != state for file, state in grounds.items()):
            return False
        self._noted.update(grounds)
        return True

    def _state(self, file: File) -> str:
        if file in self._noted:
            return self._noted[file]
        if file not in self._seen:
            self._seen[file] = self.look[file[0]](file[1])
        return self._seen[file]
