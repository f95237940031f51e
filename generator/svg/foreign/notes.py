"""What is told of one drawing: what comes out otherwise than it was drawn, or not at all; each thing once."""

_MOST = 10


class Notes:
    """Gathers what is to be said of a file; each sentence once, at the first line that it is true of."""

    def __init__(self, file: str):
        self._file = file
        self._said: dict[str, str] = {}
        self._missed = 0

    def add(self, at: str, what: str) -> None:
        """Say this of the element at a stamp (`line:column`)."""
        if what not in self._said:
            self._said[what] = at

    def told(self) -> tuple[str, ...]:
        """One line for each thing, ten at most, in the order of the file."""
        lines = sorted(self._said.items(), key=lambda said: [int(part) for part in said[1].split(":") if part])
        shown = [f"{self._file}:{at}: {what}" if at else f"{self._file}: {what}" for what, at in lines[:_MOST]]
        if len(lines) > _MOST:
            shown[-1] = f"{shown[-1]}; and {len(lines) - _MOST} more of this file"
        return tuple(shown)
