"""The report of sessions: notes by card and chapter, changes since, readings, questions, people beside bots."""

import re
from pathlib import Path

import pytest
from conftest import Pnp
from session_project import SEATS, SESSION, TRUST, SessionProject
from tests_support import enter

from generator.versions.sessions import format_session

GAME = "data/higher/game.yaml"
OLD = SESSION.replace("draft: 3", "draft: 2").replace("none", "old")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pnp: Pnp) -> SessionProject:
    """A game with a record of draft 2, `old`, and one of draft 3, `new`, in which the 7 became an 8 and the 9 is gone."""
    found: SessionProject = enter(SessionProject(tmp_path), monkeypatch)
    found.change(GAME, "draft: 3", "draft: 2")
    pnp("record", "old", TRUST, code=0)
    found.change(GAME, "draft: 2", "draft: 3")
    found.change(GAME, "{id: c7, count: 1, strength: 7}", "{id: c7, count: 1, strength: 70}")
    found.change(GAME, "      - {id: c19, count: 1, strength: 19}\n", "")
    pnp("record", "new", TRUST, code=0)
    return found


def report(pnp: Pnp, *more: str) -> list[str]:
    return pnp("session", "report", "higher", "--lang", "en", "--games", "0", TRUST, *more, code=0).out.splitlines()


def part(lines: list[str], heading: str) -> list[str]:
    """The lines of a chapter without their indentation."""
    at = lines.index(f"{heading}:") + 1
    rest = [*lines[at:], ""]
    return [line.strip() for line in rest[: rest.index("")]]


def test_notes_whose_card_has_changed_are_offered_as_done(project: SessionProject, pnp: Pnp) -> None:
    notes = ("{text: Too weak, about: c7}", "{text: Fine, about: c3}", "{text: Boring, about: c19}")
    closed = "{text: Old news, about: c7, status: done}"
    project.write_session("2026-11-01-1", "\n  - ".join(("notes:", *notes, closed)) + "\n", OLD)
    project.write_session("2026-11-09-1", "notes: [{text: Good, about: c7}]\n", SESSION.replace("none", "new"))
    lines = report(pnp)
    assert part(lines, "Perhaps done")[1:] == [
        "the 70 (card/c7) – looks different",
        "“Too weak” 2026-11-01-1 · Draft 2 · sessions/higher/2026-11-01-1.yaml:7",
        "card/c19 – is gone",
        "“Boring” 2026-11-01-1 · Draft 2 · sessions/higher/2026-11-01-1.yaml:9",
    ]
    cards = part(lines, "Notes by card")
    assert cards[cards.index("the 70 (card/c7)") :][1:3] == ["before → after", "“Too weak” 2026-11-01-1 · Draft 2"]  # fmt: skip
    assert cards[cards.index("the 3 (card/c3)") + 1] == "unchanged"
    assert not any("Old news" in line for line in lines)
    assert any("Old news" in line for line in report(pnp, "--draft", "2"))


def test_notes_about_the_rulebook_notice_its_changes(project: SessionProject, pnp: Pnp) -> None:
    """Changes of a chapter in any language, and of an E-entry, since the note was taken."""
    day = ("--date", "2026-11-09", "--seat", "A:1", "--seat", "B:2")
    pnp(
        "session",
        "add",
        "higher",
        *day,
        "--note",
        "play=Long",
        "--note",
        "terms=Dry",
        "--note",
        "E1=Odd",
        TRUST,
        code=0,
    )
    assert "Perhaps done:" not in report(pnp)
    project.change("templates/higher/rulebook.en.md", "Play a card", "Now play a card")
    project.change("data/higher/glossary.yaml", "reading: {ja: 先に出した人が取る。", "reading: {ja: 先の人が取る。")
    assert part(report(pnp), "Perhaps done")[1::2] == ["How to play – has changed", "E1 – has changed"]


def test_chapters_come_in_the_order_of_the_book(project: SessionProject, pnp: Pnp) -> None:
    notes = "notes: [{text: b, about: terms}, {text: a, about: How to play}, {text: c}, {text: d, about: 遊び方}]\n"
    project.write_session("2026-11-09-1", notes)
    lines = report(pnp)
    assert part(lines, "Notes by chapter") == ["How to play", "“a” 2026-11-09-1", "“d” 2026-11-09-1", "Terms", "“b” 2026-11-09-1"]  # fmt: skip
    assert part(lines, "Other notes") == ["“c” 2026-11-09-1"]


def test_questions_of_several_people_are_gaps(project: SessionProject, pnp: Pnp) -> None:
    """Two people about one thing, or one person on two evenings; not one who asks twice, and no remarks."""
    asked = "{text: Who starts?, about: play, author: A}, {text: Why？, about: c3, author: A}, {text: How?, about: c3, author: A}"
    project.write_session("2026-11-08-1", f"notes: [{asked}]\n")
    project.write_session(
        "2026-11-09-1", "notes: [{text: And who ends?, about: play, author: A}, {text: Nice, about: c3}]\n"
    )
    assert part(report(pnp), "Where people ask")[1:] == [
        "How to play ×2", "“Who starts?” A · 2026-11-08-1", "“And who ends?” A · 2026-11-09-1",
    ]  # fmt: skip


def test_readings_are_counted_beside_ours(project: SessionProject, pnp: Pnp) -> None:
    for number, value in enumerate(("last", "last", "first"), 1):
        project.write_session(f"2026-11-09-{number}", f"readings: {{E1: {value}}}\n")
    assert part(report(pnp), "How people read unclear rules") == [
        "E   Our reading                  At these tables", "E1  The first to play takes it.  last ×2, first ×1",
    ]  # fmt: skip


def test_few_games_are_called_few_and_counted(project: SessionProject, pnp: Pnp) -> None:
    for number in range(1, 5):
        project.write_session(f"2026-11-09-{number}", f"minutes: {20 + number}\n")
    lines = report(pnp)
    assert lines[2].startswith("Only 4 games of people: fewer than 5 say little.")
    assert part(lines, "How it was played")[:5] == [
        "2 players               People, draft 3", "Minutes                 22 ±2 (4)",
        "Best score              9 (4)", "Best minus worst score  5 (4)", "First seat wins         4 / 4",
    ]  # fmt: skip
    project.write_session("2026-11-09-5")
    assert not report(pnp)[2].startswith("Only")
    assert "100 (48 … 100) % (5)" in "\n".join(report(pnp))


def test_people_are_beside_bots_unless_a_bot_sat_with_them(project: SessionProject, pnp: Pnp) -> None:
    """A difference is named only if the intervals of enough games of people and of bots have nothing in common."""
    for number in range(1, 6):
        scores = SEATS.replace("score: 9", f"score: {30 + number}")
        assert number == 1 or "differ by more" not in "\n".join(report(pnp, "--games", "40", "--bot", "random"))
        project.write_session(f"2026-11-09-{number}", text=SESSION.replace(SEATS, scores))
    project.write_session("2026-11-09-6", text=SESSION.replace("{name: B,", "{bot: greedy,"))
    lines = report(pnp, "--games", "40", "--bot", "random")
    figures = part(lines, "How it was played")
    assert figures[0].split("  ")[-1].strip() == "Bots: random players"
    assert "People and bots differ by more than chance explains: Best score (2 players), Best minus worst score (2 players)." in figures  # fmt: skip
    assert "1 session had bots at the table and is not counted among people." in figures
    assert "(5)" in figures[1] and "(40)" in figures[1]
    assert "Bots" not in "\n".join(report(pnp, "--games", "0"))
    assert "unknown bot" in pnp("session", "report", "higher", "--bot", "gredy", TRUST, code=2).err


@pytest.mark.slow
@pytest.mark.parametrize(("form", "begins"), [("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")])
def test_pages_have_the_pictures(project: SessionProject, pnp: Pnp, form: str, begins: bytes) -> None:
    project.write_session("2026-11-01-1", "notes: [{text: Too weak, about: c7}, {text: Why, about: c7}]\n", OLD)
    for lang in ("en", "ja"):
        out = pnp("session", "report", "higher", "--format", form, "--lang", lang, TRUST, "--games", "0", code=0).out
        assert out == f"output/higher/sessions.{lang}.{form}\n"
        data = (project.root / out.strip()).read_bytes()
        assert data.startswith(begins)
        assert form == "pdf" or (b"Too weak" in data and data.count(b"<svg") + data.count(b"<img") >= 1)
    again = pnp("session", "report", "higher", "--format", form, "--lang", "ja", TRUST, "--games", "0", code=0).out
    assert (project.root / again.strip()).read_bytes() == data


def test_wrong_wishes_are_answered(project: SessionProject, pnp: Pnp) -> None:
    assert pnp("session", "report", "higher", TRUST, code=1).said == ["higher has no sessions; store one: `pnp session add higher`"]  # fmt: skip
    project.write_session("2026-11-09-1")
    assert pnp("session", "report", "higher", "--draft", "4", TRUST, code=1).said == ["no session played draft 4; known: 3"]  # fmt: skip
    assert "fr" in pnp("session", "report", "higher", "--lang", "fr", TRUST, code=1).err


NOTES = "# Notes {#notes}\n\n```sessions\n```\n"


@pytest.mark.slow
def test_the_designers_notes_have_a_page_of_it(project: SessionProject, pnp: Pnp) -> None:
    for lang in ("en", "ja"):
        project.write(f"templates/higher/notes.{lang}.md", NOTES)
    project.write_session("2026-11-09-1", "minutes: 30\nreadings: {E1: last}\nnotes: [{text: hm, about: play}]\n")
    pnp("rulebook", "higher", TRUST, code=0)
    text = (project.root / "output/higher/notes.en.html").read_text(encoding="utf-8")
    assert all(words in text for words in ("1 session, 2 players, 1 note (1 open)", "How it was played", "last ×1"))
    project.write_session("2026-11-09-1", "minutes: never\n")
    ran = pnp("rulebook", "higher", TRUST, code=1)
    assert ran.said[0].startswith("sessions/higher/2026-11-09-1.yaml:6:10: minutes must be a whole number")
    assert "sessions/higher/2026-11-09-1.yaml:6:10" in pnp("validate", "higher", TRUST, code=1).out
    project.write("templates/higher/rulebook.en.md", "# How to play {#play}\n\n```sessions\n```\n")
    assert "unknown block 'sessions'" in pnp("rulebook", "higher", TRUST, code=1).err


@pytest.mark.slow
def test_notes_without_sessions_have_no_such_page(project: SessionProject, pnp: Pnp) -> None:
    for lang in ("en", "ja"):
        project.write(f"templates/higher/notes.{lang}.md", NOTES)
    pnp("rulebook", "higher", TRUST, code=0)
    assert "How it was played" not in (project.root / "output/higher/notes.en.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_note_about_a_move_has_its_sentence(project: SessionProject, pnp: Pnp) -> None:
    """By the present rules in the language of the report; later as pnp has stored it; else there is the number alone."""
    pnp("play", "higher", "--bots-only", "--save", "game.json", "--seed", "3/1", TRUST, code=0)
    pnp("session", "import", "higher", "game.json", "--date", "2026-11-24", TRUST, code=0)
    file = project.root / "sessions/higher/2026-11-24-1.yaml"
    played = file.read_text(encoding="utf-8")
    file.write_text(played + "notes: [{text: Why?, about: move 2}]\n", encoding="utf-8")
    project.write_session(
        "2026-11-25-1", f"{played[played.index('seed') :]}notes: [{{text: Why?, about: 手2, seen: ' ?'}}]\n"
    )
    notes = part(report(pnp), "Other notes")
    assert [line.partition(":")[0] for line in notes] == ["Move 2 (player 2", "Move 2 (B"], notes
    assert "play the 17): “Why?”" in notes[0]
    assert "Where people ask:" not in report(pnp), "two moves, not one that is asked about twice"
    assert (
        "2手目（プレイヤー2: " in pnp("session", "report", "higher", "--games", "0", "--lang", "ja", TRUST, code=0).out
    )
    of = project.open_game()
    made = format_session(project.read()[0], of)
    assert re.search(r'about: "move 2", seen: "プレイヤー2: .*17', made), made
    file.write_text(made, encoding="utf-8")
    moves = next(line for line in made.splitlines() if line.startswith("moves"))
    file.write_text(made.replace(moves, "moves: [999999, 999999]"), encoding="utf-8")
    assert part(report(pnp), "Other notes")[0].startswith("Move 2 (プレイヤー2: "), "as it was stored"
    file.write_text(
        played.replace(moves, "moves: [999999, 999999]") + "notes: [{text: Why?, about: move 2}]\n", encoding="utf-8"
    )
    assert part(report(pnp), "Other notes")[0].startswith("Move 2: “Why?”")
