"""A small game with rules and a rulebook, and sessions of it that tests write, import and report."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "rulebook"))

from rulebook_project import BookProject

from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.rules.registry import load_rules
from generator.versions.sessions import Session, SessionGame, SessionSeat, read_sessions

TRUST = "--trust-rules"
SEATS = "seats: [{name: A, place: 1, score: 9}, {name: B, place: 2, score: 4}]"
SESSION = f"format: 1\ndraft: 3\nplayers: 2\nrecord: none\n{SEATS}\n"


class SessionProject(BookProject):
    """The game `higher` with sessions."""

    def write_session(self, name: str, more: str = "", text: str = SESSION) -> None:
        self.write(f"sessions/higher/{name}.yaml", text + more)

    def open_game(self) -> SessionGame:
        game, workshop = self.workshop()
        return SessionGame(workshop, RulebookPlay(game, lambda: load_rules(game, self.root / "data" / "higher")))

    def read(self) -> tuple[Session, ...]:
        """All sessions; ProblemsFound."""
        return read_sessions(self.open_game(), lambda path: path.name)


def played(scores: tuple[float, ...], ranks: tuple[int, ...], **more: object) -> Session:
    """A session with these results."""
    seats = tuple(SessionSeat(f"P{n}", rank, score) for n, (rank, score) in enumerate(zip(ranks, scores, strict=True)))
    return Session("2026-11-01-1", "3", len(scores), seats=seats, **more)  # type: ignore[arg-type]
