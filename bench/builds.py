"""The cases of `pnp build`: first, again and after one edit, each in a copy of the games; see README.md."""

import shutil
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pypdfium2
from cases import Peers, Program, check_pdf
from processes import PNP, ROOT, time_process

COPIED = ("data", "templates", "records")

FIRST = 8
"""The number of the first run: as a rule it differs from the one in the file, and can be built."""

CARD = "reel/6-wheat"


@dataclass(frozen=True, slots=True)
class Edit:
    """One place in a file of the project. `old` becomes `new`, in which {} is the run's number, so that each differs.

    The PDF `shown` of the game then contains `words` with the same number.
    """

    file: str
    old: str
    new: str
    shown: str
    words: str


EDITS = {
    "journey18, a word edited": Edit(
        "data/journey18/components.yaml",
        'en: "Put any discarded card',
        'en: "Put any {} card',
        "sheets.en.pdf",
        "any{}card",
    ),
    "xanadu, a word edited": Edit(
        "data/xanadu/requests.yaml", "en: Plain Shelf Boards", "en: Plain Shelf {}", "sheets.en.pdf", "PlainShelf{}"
    ),
    "fortuna, a card edited": Edit(
        "data/fortuna/components.yaml", "en: Discard area}", "en: Discards {}}}", "components.en.pdf", "Discards{}"
    ),
    "fortuna, a template edited": Edit(
        "templates/fortuna/reel.svg",
        "</svg>",
        '<text x="20" y="44" font-family="body" font-size="6pt">edit {}</text></svg>',
        "sheets.en.pdf",
        "edit{}",
    ),
    "fortuna, a rule edited": Edit(
        "data/fortuna/rules.yaml", "one_card_discard: 1 ", "one_card_discard: {} ", "rulebook.en.pdf", "discard{}cards"
    ),
}
"""By case; the case's first word is the game."""


@dataclass(slots=True)
class Build:
    """A build of some games, or of all, in a folder that the builds of a run share."""

    folder: Path
    games: tuple[str, ...] = ()
    edit: Edit | None = None
    empty: bool = False
    number: int = field(default=FIRST, init=False)

    def prepare(self, turn: int) -> None:
        """Restore the project, and the cache after a build of all games unless this one begins without; edit."""
        cache, kept = self.folder / "cache", self.folder / "kept"
        if not self.empty and not kept.exists():
            if not cache.exists():
                _restore_project(self.folder)
                time_process(_make_command(self.folder, ()), cache)
            cache.rename(kept)  # it is the one of the build of all games, which is the first case
        _restore_project(self.folder)
        shutil.rmtree(cache, ignore_errors=True)
        if not self.empty:
            shutil.copytree(kept, cache)
        self.number = FIRST + turn
        if self.edit:
            path = self.folder / "project" / self.edit.file
            text = path.read_text(encoding="utf-8")
            if text.count(self.edit.old) != 1:
                raise SystemExit(f"'{self.edit.old}' occurs {text.count(self.edit.old)} times in {self.edit.file}")
            path.write_text(text.replace(self.edit.old, self.edit.new.format(self.number)), encoding="utf-8")

    def check(self, out: Path) -> str:
        """Return the number of PDFs and their pages; stop unless all games have theirs, with the edited words."""
        for game in self.games or sorted(path.name for path in (ROOT / "data").iterdir() if path.is_dir()):
            for name in ("sheets.en.pdf", "rulebook.en.pdf"):
                check_pdf(out / game / name, range(1, 1_000), (), ())
        if self.edit:
            words = self.edit.words.format(self.number)
            with pypdfium2.PdfDocument(out / self.games[0] / self.edit.shown) as document:
                texts = ("".join(page.get_textpage().get_text_bounded().split()) for page in document)
                if not any(words in text for text in texts):
                    raise SystemExit(f"{out / self.games[0] / self.edit.shown} does not show '{words}'")
        found, pages = list(out.rglob("*.pdf")), 0
        for path in found:
            with pypdfium2.PdfDocument(path) as document:
                pages += len(document)
        return f"{len(found)} PDF, {pages:,} pages"


def _restore_project(folder: Path) -> None:
    for name in ("project", "out"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / "project" / name)


def _make_command(folder: Path, games: tuple[str, ...]) -> tuple[str, ...]:
    return (*PNP, "--project", str(folder / "project"), "build", *games, "--out", str(folder / "out"))


def prepare(games: tuple[str, ...], edited: str, empty: bool, folder: Path, _peers: Peers) -> list[Program]:
    """Return the build of these games after an edit of `EDITS`."""
    build = Build(folder, games, EDITS.get(edited), empty)
    command = _make_command(folder, games)
    return [Program("pnp", command, folder / "out", build.check, build.prepare, folder / "cache")]


def prepare_card(folder: Path, _peers: Peers) -> list[Program]:
    """Return the sheet of one card of fortuna, without a cache."""
    command = (*PNP, "sheets", "fortuna", "--only", CARD, "--copies", "1", "--lang", "en", "--backs", "none")
    check = partial(check_pdf, pages=range(1, 2), first=("6",), last=("Wheat",))
    return [Program("pnp", (*command, "--out", str(folder)), folder / "fortuna" / "selection.en.pdf", check)]
