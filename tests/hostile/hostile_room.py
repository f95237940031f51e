"""Where bad inputs are tried: a copy of a good game for each, and what must be true afterwards."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hostile_base import base
from hostile_inputs import Case, Content, Link, Pipe, Sparse
from hostile_runner import Outcome, Runner

_LARGE = 1 << 24
"""Bytes of a file that is not read as a whole."""

MADE = ("saved.json", "records/lanterns/one.json")
"""What the program itself wrote of the good game, for others to forge."""

_PLACE = re.compile(r"^(?:  )?[^\s:][^:\n]*(:\d+(:\d+)?: |: '\w+' is missing;)")
"""A problem stands at a line; what is missing stands nowhere, and is missed in the file."""


@dataclass(frozen=True)
class Finding:
    """What a bad input brought about that it must not."""

    number: int
    case: Case
    words: tuple[str, ...]
    fault: str
    outcome: Outcome

    def __str__(self) -> str:
        said = self.outcome.said if "traceback" in self.fault else self.outcome.said[:600]
        return f"case {self.number}, {self.case.area}, {self.case.name!r}: pnp {' '.join(self.words)}: {self.fault}\n{said}"


class Room:
    """A folder with the good game, built, in which each case is tried on a copy of its own."""

    def __init__(self, folder: Path, runner: Runner):
        self.folder, self._runner = folder, runner
        self._good, self._tried = folder / "good", folder / "tried"
        _write(self._good, base())
        for words in (
            ("build", "--no-cache", "--trust-rules"),
            ("validate", "--games", "0", "--strict", "--trust-rules"),
            ("record", "one"),
        ):
            made = runner.run(self._good, *words)
            assert made.code == 0, made.said
        played = [sys.executable, "-m", "generator", "play", "lanterns", "--trust-rules", "--save", "saved.json"]
        subprocess.run(played, cwd=self._good, input="1\ns\nq\n", text=True, check=True, capture_output=True)
        self.files = base() | {name: (self._good / name).read_bytes() for name in MADE}

    def codes(self, case: Case) -> list[int]:
        self._begin(case)
        return [self._runner.run(self._tried, *words).code for words in case.commands]

    def tried(self, number: int, case: Case) -> list[Finding]:
        """What is wrong after the commands of a case; nothing where all is as it must be."""
        self._begin(case)
        outside = _contents(self.folder, but=(self._good, self._tried))
        found = []
        for words in case.commands:
            outputs = _contents(self._tried / "output")
            outcome = self._runner.run(self._tried, *words)
            fault = outcome.fault or self._lost(case, outcome, outputs) or _unplaced(case, outcome)
            if not fault and _contents(self.folder, but=(self._good, self._tried)) != outside:
                fault = "writes outside of the project"
            if fault:
                found.append(Finding(number, case, words, fault, outcome))
        return found

    def _begin(self, case: Case) -> None:
        """A copy of the good game, changed as the case says."""
        shutil.rmtree(self._tried, ignore_errors=True)
        shutil.copytree(self._good, self._tried, copy_function=os.link)
        _write(self._tried, case.files)

    def _lost(self, case: Case, outcome: Outcome, outputs: Mapping[str, bytes]) -> str:
        """What a command that failed changed in the outputs that there were."""
        if any(name.startswith("output") for name in case.files):
            return ""
        now = _contents(self._tried / "output")
        parts = [name for name in now if name.endswith((".part", ".new"))]
        if parts:
            return f"leaves {parts[0]}"
        if outcome.code and {name: now.get(name) for name in outputs} != outputs:
            return "changes the last good files though it failed"
        return ""


def _unplaced(case: Case, outcome: Outcome) -> str:
    """A problem of an input with lines that names none."""
    if not case.lined or outcome.code != 1:
        return ""
    lines = [line for line in outcome.said.splitlines() if line]
    return "" if any(_PLACE.match(line) for line in lines) else "no problem names a line"


def _write(root: Path, files: Mapping[str, Content]) -> None:
    for name, content in files.items():
        path = root / name
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)
        if content is None:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.to)
        elif isinstance(content, Pipe):
            os.mkfifo(path)
        elif isinstance(content, Sparse):
            with path.open("wb") as file:
                file.truncate(content.size)
        else:
            path.write_bytes(content)


def _contents(folder: Path, but: tuple[Path, ...] = ()) -> dict[str, bytes | tuple[int, int]]:
    """Every plain file below a folder, without what lies in some of them and behind links: one may lead to `/`.

    Of a large one, such as a sparse file of gigabytes, size and time stand for what is in it.
    """
    found: dict[str, bytes | tuple[int, int]] = {}
    if folder.is_symlink():
        return found
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if Path(root, name) not in but]
        for name in names:
            path = Path(root, name)
            if path.is_file() and not path.is_symlink() and path.name != "said":
                state = path.stat()
                large = state.st_size > _LARGE
                content = (state.st_size, state.st_mtime_ns) if large else path.read_bytes()
                found[str(path.relative_to(folder))] = content
    return found
