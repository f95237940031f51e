"""Answers of form services, our own form and saved games become sessions."""

from datetime import date, timedelta, timezone
from pathlib import Path

import pypdfium2
import pytest
from conftest import Pnp
from session_project import TRUST, SessionProject
from shipped_games import SWEPT, workshop
from tests_support import enter

from generator.base.errors import InvalidInput
from generator.commands.feedback_form import make_feedback_form
from generator.versions.session import parse_evening, parse_zone

TOKYO = timezone(timedelta(hours=9))
HEAD = "Timestamp,Draft,Your name,Seat,Place,Score,Minutes,Card or rule,Comment,E1\n"
ROWS = (
    "2026/11/24 9:58:11 PM GMT+9,3,Dan,1,1,25,40,the 7,Broken.,first\n"
    "2026/11/24 9:59:40 PM GMT+9,3,Emi,2,2,18,45,E1,Who is first?,last\n"
    "2026/11/25 12:10:02 AM GMT+9,3,Fumi,3,3,7,30,,,first\n"
)
STORED = (
    'format: 1\ndraft: "3"\nplayers: 3\nrecord: none\nminutes: 40\nseats:\n'
    "  - {name: Dan, place: 1, score: 25}\n  - {name: Emi, place: 2, score: 18}\n  - {name: Fumi, place: 3, score: 7}\n"
    "readings: {E1: first}\nnotes:\n"
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionProject:
    found: SessionProject = enter(SessionProject(tmp_path), monkeypatch)
    return found


def stored(project: SessionProject, name: str = "2026-11-24-1") -> str:
    return (project.root / f"sessions/higher/{name}.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-11-24", 24), ("2026/11/24", 24), ("2026年11月24日", 24), ("２０２６／１１／２４", 24), ("24.11.2026", 24),
        ("11/24/2026 19:30:05", 24), ("24/11/2026 19:30", 24), ("2026/11/24 午後 7:30:05 GMT+9", 24),
        ("2026/11/25 午前 1:30:05 GMT+9", 24), ("2026-11-24T23:59:00+09:00", 24), ("2026-11-25 04:59", 24),
        ("2026-11-25 05:00", 25), ("2026-11-25 12:10 AM", 24), ("2026-11-24 12:10 PM", 24), ("46350", 24),
        ("46350.8125", 24), ("46351.1", 24), ("46351", 25), ("2026-11-24T15:30:00Z", 24),
    ],
)  # fmt: skip
def test_a_date_means_the_evening_of_the_players(text: str, day: int) -> None:
    """After midnight it is still the same evening; days of Excel count from 1899-12-30."""
    assert parse_evening(text, None, None)[0] == date(2026, 11, day)


def test_a_time_zone_moves_a_stamp_and_nothing_else() -> None:
    assert parse_evening("2026-11-24T20:30:00Z", TOKYO, None)[0] == date(2026, 11, 25)
    assert parse_evening("2026-11-24T15:30:00Z", TOKYO, None)[0] == date(2026, 11, 24)
    assert parse_evening("2026-11-24 20:30", TOKYO, None)[0] == date(2026, 11, 24)
    zones = {
        text: parse_zone(text) for text in ("+09:00", "10:30Z", "10:30 GMT-0330", "UTC+9", "10:30", "2026-11-24 1")
    }
    assert [one and one.utcoffset(None) for one in zones.values()] == [
        timedelta(hours=9), timedelta(0), -timedelta(hours=3, minutes=30), timedelta(hours=9), None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-13-01", "2026-02-30", "31.02.2026", "2026-11-24 25:00", "2026-11-24 10:00+99"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a day"):
        parse_evening(text, None, None)


def test_a_day_that_can_be_a_month_needs_another_row(project: SessionProject, pnp: Pnp) -> None:
    """5/6 is two days, unless another answer of the table shows which number is the month."""
    project.write("a.csv", "Date,Name\n05/06/2026,A\n")
    ran = pnp("session", "import", "higher", "a.csv", TRUST, code=1)
    assert ran.said == ["a.csv:2:1: '05/06/2026' can be two days; write it as year-month-day, such as 2026-11-24"]
    project.write("a.csv", "Date,Name\n05/06/2026,A\n05/06/2026,B\n05/25/2026,A\n05/25/2026,B\n")
    assert pnp("session", "import", "higher", "a.csv", TRUST, code=0).out.split() == [
        "sessions/higher/2026-05-06-1.yaml", "sessions/higher/2026-05-25-1.yaml",
    ]  # fmt: skip


JAPANESE = (
    "得点,メモ,席,お名前,所要時間,対象,順位,タイムスタンプ,E1,草案\n"
    "25,Broken.,1,Dan,40,7の札,1,2026/11/24 午後 9:58:11 GMT+9,first,3\n"
    "18,Who is first?,2,Emi,45,E1,2,2026/11/24 午後 9:59:40 GMT+9,last,3\n"
    "7,,3,Fumi,30,,3,2026/11/25 午前 0:10:02 GMT+9,first,3\n"
)
SERIAL = "".join(
    f"{row.partition(',')[2].rstrip()},{day}\n"
    for row, day in zip((HEAD, *ROWS.splitlines()), ("Date", "46350", "46350.9", "46351.02"), strict=True)
)


@pytest.mark.parametrize(
    "table",
    [
        HEAD + ROWS, (HEAD + ROWS).replace("\n", "\r\n"), "\ufeff" + HEAD + ROWS, JAPANESE, SERIAL,
        (HEAD + ROWS).replace(",", ";"), HEAD + "".join(reversed(ROWS.splitlines(keepends=True))),
        HEAD.upper() + ROWS, (HEAD + ROWS).replace("Comment", "ご意見"),
    ],
    ids=["plain", "crlf", "bom", "japanese in another order", "excel", "semicolons", "rows", "case", "two languages"],
)  # fmt: skip
def test_answers_become_the_same_session(project: SessionProject, pnp: Pnp, table: str) -> None:
    project.write("answers.csv", table)
    pnp("session", "import", "higher", "answers.csv", TRUST, code=0)
    text = stored(project)
    assert text.startswith(STORED)
    notes = [line.partition(", seen:")[0] for line in text.splitlines() if "text:" in line]
    assert sorted(notes) == [
        '  - {text: "Broken.", about: card/c7, author: Dan',
        '  - {text: "Who is first?", about: E1, author: Emi',
        "  - {text: last, about: E1, author: Emi",
    ]


def test_without_seats_the_order_of_play_is_not_known(project: SessionProject, pnp: Pnp) -> None:
    project.write("a.csv", "Date,Name,Place,Players\n2026-11-24,A,1,3\n2026-11-24,B,2,3\n")
    pnp("session", "import", "higher", "a.csv", TRUST, code=0)
    (made,) = project.read()
    assert (made.ordered, [seat.name for seat in made.seats]) == (False, ["A", "B", ""])


def test_tables_of_one_evening_are_told_apart_by_their_number(project: SessionProject, pnp: Pnp) -> None:
    project.write("a.csv", "Date,Table,Name\n2026-11-24,1,A\n2026-11-24,2,B\n2026-11-24,2,C\n2026-11-24,1,D\n")
    pnp("session", "import", "higher", "a.csv", TRUST, code=0)
    assert [[seat.name for seat in one.seats] for one in project.read()] == [["A", "D"], ["B", "C"]]


def test_all_problems_have_their_cells(project: SessionProject, pnp: Pnp) -> None:
    rows = ("soon,A,1,9,,", "2026-11-24,B,first,9,c77,x", "2026-11-24,C,2,many,,", "2026-11-25,D,1,2,c7,")
    project.write("a.csv", "Date,Name,Place,Score,About,Note\n" + "\n".join(rows) + "\n")
    assert pnp("session", "import", "higher", "a.csv", TRUST, code=1).said[:-1] == [
        "a.csv:2:1: 'soon' is not a day; write it as year-month-day, such as 2026-11-24",
        "a.csv:3:3: place in entry 1 of seats must be a whole number, not 'first'; write digits only",
        "a.csv:4:4: score in entry 2 of seats must be a number, not 'many'; write digits, with a point for decimals",
        "a.csv:5:1: higher is not for 1 players; it is for 2 to 4",
        "a.csv:5:5: there is no note about 'c7'; write it, or clear this cell",
    ]
    assert not (project.root / "sessions").exists()


def test_wrong_drafts_and_zones_are_refused(project: SessionProject, pnp: Pnp) -> None:
    project.write("a.csv", "Date,Name,Draft\n2026-11-24T10:00Z,A,4\n2026-11-24T10:00+09:00,B,3\n")
    assert pnp("session", "import", "higher", "a.csv", TRUST, code=1).said == [
        "a.csv:3:1: the answers are in different time zones; name the players' zone, such as --zone +09:00"
    ]
    said = pnp("session", "import", "higher", "a.csv", TRUST, "--zone", "+09:00", code=1).said
    assert said == [
        "a.csv:2:3: draft 4 is neither the present one nor that of a record; known: 3; or write `record: none`",
        "a.csv:3:3: the answers differ: draft is 4 and 3; correct one, or number the tables",
        "2 problems",
    ]
    assert (
        pnp("session", "import", "higher", "a.csv", TRUST, "--zone", "Tokyo", code=2)
        .said[-1]
        .endswith("such as +09:00")
    )


def test_unusual_headings_are_named_on_the_command_line(project: SessionProject, pnp: Pnp) -> None:
    project.write("a.csv", "Date,Name,Shoe size,What went wrong\n2026-11-24,A,41,x\n2026-11-24,B,42,\n")
    ran = pnp("session", "import", "higher", "a.csv", TRUST, code=1)
    assert ran.said == [
        "a.csv:1:3: the columns 'Shoe size' and 'What went wrong' are not fields; "
        "--column HEADING FIELD says what a heading means, --ignore HEADING leaves it out"
    ]
    more = ("--column", "What went wrong", "note", "--ignore", "Shoe size")
    pnp("session", "import", "higher", "a.csv", TRUST, *more, code=0)
    assert [one.text for one in project.read()[0].notes] == ["x"]


def test_an_evening_is_imported_once(project: SessionProject, pnp: Pnp) -> None:
    """A service's table grows. What the designer wrote into a session stays, unless they want it replaced."""
    project.write("answers.csv", HEAD + ROWS)
    pnp("session", "import", "higher", "answers.csv", TRUST, code=0)
    project.write(
        "sessions/higher/2026-11-24-1.yaml", stored(project).replace("about: E1,", "about: E1, status: done,")
    )
    more = ROWS.replace("11/24", "11/27").replace("11/25", "11/28")
    project.write("answers.csv", HEAD + ROWS + more)
    ran = pnp("session", "import", "higher", "answers.csv", TRUST, code=0)
    assert ran.out.split() == ["sessions/higher/2026-11-27-1.yaml"]
    assert ran.said == ["2026-11-24-1 exists already and is kept; --replace reads it again"]
    assert "status: done" in stored(project)
    pnp("session", "import", "higher", "answers.csv", TRUST, "--replace", code=0)
    assert "status: done" not in stored(project)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_our_own_form_is_a_page_and_a_row_for_each_seat(project: SessionProject, pnp: Pnp, lang: str) -> None:
    pnp("sheets", "higher", "--feedback", "--url", "https://example.org/f", "--lang", lang, TRUST, code=0)
    folder = project.root / "output/higher"
    document = pypdfium2.PdfDocument(folder / f"feedback.{lang}.pdf")
    assert len(document) == 4
    words = document[0].get_textpage().get_text_range().replace(" ", "" if lang == "ja" else " ")
    assert {"en": "Draft 3", "ja": "草案3"}[lang] in words and {"en": "the 7", "ja": "7の札"}[lang] in words
    assert [round(side) for side in document[0].get_size()] == [420, 595]
    table = (folder / f"feedback.{lang}.csv").read_text(encoding="utf-8-sig").splitlines()
    filled = [f"2026-11-24{row}" for row in table[1:]]
    project.write("filled.csv", "\r\n".join([table[0], *filled]))
    pnp("session", "import", "higher", "filled.csv", TRUST, code=0)
    (made,) = project.read()
    assert (made.draft, made.players, made.ordered) == ("3", 4, True)
    assert pnp("sheets", "higher", "--url", "https://example.org", TRUST, code=2).said[-1].endswith("add --feedback")


@pytest.mark.parametrize("name", SWEPT)
def test_a_form_has_room_for_the_names_of_a_game(name: str) -> None:
    """However many cards a game has, each seat has one page; a kind with too many is named without them."""
    of = workshop(name)
    for lang in of.game.languages:
        assert len(make_feedback_form(of, lang, "ink", "").pages) == of.game.players.most


def test_a_saved_game_must_be_over_and_of_this_draft(project: SessionProject, pnp: Pnp) -> None:
    pnp("play", "higher", "--bots-only", "--save", "game.json", "--seed", "3/1", TRUST, code=0)
    assert "add --date" in pnp("session", "import", "higher", "game.json", TRUST, code=2).err
    pnp("session", "import", "higher", "game.json", "--date", "2026-11-24", TRUST, code=0)
    (made,) = project.read()
    assert (made.seed, made.turns, len(made.moves), [seat.bot for seat in made.seats]) == ("3/1", 6, 6, ["greedy"] * 2)
    project.change("data/higher/game.yaml", "draft: 3", "draft: 4")
    ran = pnp("session", "import", "higher", "game.json", "--date", "2026-11-24", TRUST, code=1)
    assert "the saved game uses draft 3, but the data is now draft 4" in ran.err
