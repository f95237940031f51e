"""Files of sessions: what is read, what is refused and where, and that what is written is read again."""

from pathlib import Path

import pytest
from conftest import Pnp
from hypothesis import given
from hypothesis import strategies as st
from session_project import SEATS, SESSION, TRUST, SessionProject
from tests_support import enter, examples

from generator.base.errors import ProblemsFound
from generator.game.data_reader import parse_yaml
from generator.game.source import Source
from generator.versions.sessions import Session, SessionGame, SessionNote, SessionSeat, format_session, read_session


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionProject:
    found: SessionProject = enter(SessionProject(tmp_path), monkeypatch)
    return found


def faults(project: SessionProject) -> list[str]:
    with pytest.raises(ProblemsFound) as found:
        project.read()
    return [str(one) for one in found.value.problems]


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Co", "Cn"]), min_size=1, max_size=12)
NOTES = st.builds(SessionNote, WORDS, st.sampled_from(["card/c7", "E1", "play", ""]), WORDS)


@pytest.fixture(scope="module")
def of(tmp_path_factory: pytest.TempPathFactory) -> SessionGame:
    return SessionProject(tmp_path_factory.mktemp("written")).open_game()


@examples(60)
@given(
    st.lists(NOTES, max_size=3),
    st.tuples(WORDS, WORDS),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.dictionaries(st.just("E1"), WORDS | st.booleans() | st.integers(-9, 9)),
)
def test_what_is_written_is_read_again(
    of: SessionGame, notes: list[SessionNote], names: tuple[str, str], score: float, readings: dict[str, object]
) -> None:
    """Any words, in any writing system, with any sign that a spreadsheet may hold."""
    seats = tuple(SessionSeat(name, rank, score) for rank, name in enumerate(names, 1))
    half = (2,)
    made = Session("2026-11-01-1", "3", 2, "none", 45, seats, readings=readings, seed="1/2", moves=(3, 0), half=half,
                   options={"late": readings.get("E1", 1)}, turns=7, notes=tuple(notes))  # fmt: skip
    first = read_session(made.name, Source("x", parse_yaml(format_session(made, of), "x")), of)
    text = format_session(first, of)
    again = read_session(made.name, Source("x", parse_yaml(text, "x")), of)
    assert format_session(again, of) == text
    assert [one.text for one in again.notes] == [one.text for one in notes]
    assert (again.seats, again.readings, again.moves, again.half) == (seats, readings, (3, 0), half)
    assert again.options == made.options


def test_all_problems_of_all_files_have_their_places(project: SessionProject) -> None:
    project.write_session("2026-11-24-1", "minutes: soon\nreadigs: {E1: last}\nnotes:\n  - {txt: hello}\n")
    project.write_session("2026-11-25-1", "readings: {E9: last}\nnotes:\n  - {text: x, about: c77}\n")
    project.write_session("yesterday")
    project.write_session("2026-02-30-1")
    assert faults(project) == [
        "2026-02-30-1.yaml: '2026-02-30-1.yaml' is not the name of a session; "
        "name it by its day and a number, such as 2026-11-24-1.yaml",
        "2026-11-24-1.yaml:6:10: minutes must be a whole number, not 'soon'; write digits only",
        "2026-11-24-1.yaml:7:1: unknown field 'readigs'; did you mean 'readings'?",
        "2026-11-24-1.yaml:9:6: unknown field 'txt' in entry 1 of notes; did you mean 'text'?",
        "2026-11-25-1.yaml:6:16: there is no entry 'E9'; did you mean 'E1'?",
        "2026-11-25-1.yaml:8:22: there is no card, heading or entry 'c77', neither now nor in a record; "
        "did you mean 'c7'?",
        "yesterday.yaml: 'yesterday.yaml' is not the name of a session; "
        "name it by its day and a number, such as 2026-11-24-1.yaml",
    ]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("draft: 3", "draft: 4", "the draft 4"),
        ("record: none", "record: frist", "no record 'frist'; did you mean 'first'"),
        ("record: none", "record: first\nminutes: 0", "minutes is 0, but must be at least 1"),
        ("players: 2", "players: 3", "2 seats for 3 players"),
        ("players: 2", "players: 5", "higher is not for 5 players; it is for 2 to 4"),
        ("place: 1", "place: 3", "place 3 of 2 players"),
        ("place: 1", "place: 2", "nobody has place 1"),
        ("place: 1", "place: 0", "must be at least 1"),
        (SEATS, f"{SEATS}\nhalf: [3]", "there is no seat 3"),
        (SEATS, f"{SEATS}\nnotes: [{{text: x, about: move 4}}]", "6:26: there is no move 4: the session has 0 moves"),
        (
            SEATS,
            f"{SEATS}\nmoves: [1]\nnotes: [{{text: x, about: move 0}}]",
            "there is no move 0: the session has 1 moves",
        ),
    ],
)
def test_what_contradicts_the_game_is_refused(
    project: SessionProject, pnp: Pnp, old: str, new: str, fault: str
) -> None:
    pnp("record", "first", TRUST, code=0)
    project.write_session("2026-11-24-1")
    project.read()
    text = SESSION.replace("record: none", "record: first") if fault == "the draft 4" else SESSION
    project.write_session("2026-11-24-1", text=text.replace(old, new))
    wanted = "the record first has draft 3, not 4" if fault == "the draft 4" else fault
    assert any(wanted in one for one in faults(project)), faults(project)


def test_a_draft_is_the_present_one_or_of_a_record(project: SessionProject, pnp: Pnp) -> None:
    project.write_session("2026-11-24-1", text=SESSION.replace("record: none\n", ""))
    pnp("record", "first", TRUST, code=0)
    assert project.read()[0].record == "first"
    project.change("data/higher/game.yaml", "draft: 3", "draft: 4")
    assert project.read()[0].record == "first"
    (project.root / "records/higher/first.json").unlink()
    known = "2026-11-24-1.yaml:2:8: draft 3 is neither the present one nor that of a record; known: 4; or write `record: none`"
    assert faults(project) == [known]


def test_a_card_is_one_of_now_or_of_a_record_by_id_or_name(project: SessionProject, pnp: Pnp) -> None:
    """A removed card keeps its notes. A name that two cards have is ambiguous."""
    pnp("record", "first", TRUST, code=0)
    project.change("data/higher/game.yaml", "      - {id: c7, count: 1, strength: 7}\n", "")
    for number, about in enumerate(("c7", "card/c7", "C7"), 1):
        project.write_session(f"2026-11-24-{number}", f"notes: [{{text: x, about: {about}}}]\n")
    assert [one.notes[0].target for one in project.read()] == ["card/c7"] * 3
    project.change("data/higher/game.yaml", "strength: 16}", "strength: 15}")
    project.write_session("2026-11-24-1", "notes: [{text: x, about: the 15}]\n")
    assert faults(project) == ["2026-11-24-1.yaml:6:26: 'the 15' is the name of 2 things; write card/c15 or card/c16"]


def test_a_former_name_leads_to_the_card(project: SessionProject, pnp: Pnp) -> None:
    """A player who saw the last draft calls a card by its name there. A name that another card has now is that card's."""
    fields = "fields: {strength: integer"
    project.change("data/higher/game.yaml", fields, f"{fields}, title: {{type: words, optional: true}}")
    project.change("data/higher/game.yaml", "strength: 7}", "strength: 7, title: {ja: 塔, en: Tower}}")
    pnp("record", "first", TRUST, code=0)
    project.change("data/higher/game.yaml", "en: Tower}", "en: Keep}")
    project.write_session("2026-11-24-1", "notes: [{text: x, about: tower}]\n")
    assert project.read()[0].notes[0].target == "card/c7"
    project.change("data/higher/game.yaml", "strength: 8}", "strength: 8, title: {ja: 砦, en: Tower}}")
    assert project.read()[0].notes[0].target == "card/c8"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("When? We asked twice.", True),
        ("いつ？だれも知らない。", True),
        ("Who?", True),
        ("Too long.", False),
        ("See ab.c/?d=1", False),
    ],
)
def test_a_question_may_stand_anywhere_in_a_note(text: str, asks: bool) -> None:
    assert SessionNote(text).is_question is asks


def test_a_kind_stands_for_its_only_design(project: SessionProject) -> None:
    """A board or an aid is called by its kind. A kind of several designs is ambiguous, and five of them are named."""
    project.change(
        "data/higher/game.yaml",
        "components:\n",
        """components:
  board:
    name: {ja: ボード, en: Table board}
    size: [63, 88]
    front: card
    fields: {strength: {type: integer}}
    designs:
      - {id: one, count: 1, strength: 1}
""",
    )
    project.write_session("2026-11-24-1", "notes: [{text: x, about: table board}, {text: y, about: ボード}]\n")
    assert [one.target for one in project.read()[0].notes] == ["board/one"] * 2
    kind = project.open_game().game.kinds["card"]
    project.write_session("2026-11-24-1", f"notes: [{{text: x, about: {kind.name['en']}}}]\n")
    named = " or ".join(design.id for design in kind.designs[:5])
    assert faults(project)[0].endswith(f"is the name of {len(kind.designs)} things; write {named} ...")


def test_a_heading_on_facing_pages_is_a_subject(project: SessionProject) -> None:
    for lang in ("ja", "en"):
        project.body("# First {#first}\n\n```spread\n```\n# Second {#second}\n\nWords.\n\n```end\n```\n", lang=lang)
    project.write_session("2026-11-24-1", "notes: [{text: x, about: Second}]\n")
    assert project.read()[0].notes[0].target == "second"


def test_a_subject_that_is_gone_stays_if_pnp_has_seen_it(project: SessionProject) -> None:
    project.write_session(
        "2026-11-24-1", "notes: [{text: x, about: E7, seen: abc}, {text: y, about: cards, seen: abc}]\n"
    )
    assert [(one.kind, one.target) for one in project.read()[0].notes] == [("reading", "E7"), ("heading", "cards")]


def test_add_stores_what_its_options_say(project: SessionProject, pnp: Pnp) -> None:
    told = (
        "--date", "2026-11-24", "--minutes", "30", "--seat", "Mika:1:34.5", "--seat", "Ken:2", "--reading", "E1=last",
    )  # fmt: skip
    notes = ("--note", "7の札=強すぎる", "--note", "How to play=Who = first?", "--note", "fine", "--author", "Mika")
    assert pnp("session", "add", "higher", TRUST, *told, *notes, code=0).out == "sessions/higher/2026-11-24-1.yaml\n"
    text = (project.root / "sessions/higher/2026-11-24-1.yaml").read_text(encoding="utf-8")
    assert text.startswith(
        'format: 1\ndraft: "3"\nplayers: 2\nrecord: none\nminutes: 30\nseats:\n'
        "  - {name: Mika, place: 1, score: 34.5}\n  - {name: Ken, place: 2}\nreadings: {E1: last}\nnotes:\n"
        '  - {text: "強すぎる", about: card/c7, author: Mika, seen: '
    )
    assert [one.target for one in project.read()[0].notes] == ["card/c7", "play", ""]
    assert [one.text for one in project.read()[0].notes] == ["強すぎる", "Who = first?", "fine"]
    assert pnp("session", "add", "higher", TRUST, *told, code=0).out == "sessions/higher/2026-11-24-2.yaml\n"


def test_add_refuses_what_is_wrong_and_writes_nothing(project: SessionProject, pnp: Pnp) -> None:
    ran = pnp("session", "add", "higher", TRUST, "--date", "2026-11-24", "--seat", "A:3", "--note", "c77=x", code=1)
    assert {
        "there is no card, heading or entry 'c77', neither now nor in a record; did you mean 'c7'?",
        "higher is not for 1 players; it is for 2 to 4",
    } < {*ran.said}
    assert pnp("session", "add", "higher", TRUST, "--seat", "A:1", code=2).said[-1].endswith("--date 2026-11-24")
    assert not (project.root / "sessions").exists()


def test_a_seat_is_name_place_and_score(project: SessionProject, pnp: Pnp) -> None:
    """Names may have colons, digits may be wide, and zero is a score; what is no number is refused."""
    seats = ("--seat", "Dr: Who:１:0", "--seat", "Ken::-3.5")
    pnp("session", "add", "higher", TRUST, "--date", "2026-11-24", *seats, code=0)
    assert project.read()[0].seats == (SessionSeat("Dr: Who", 1, 0.0), SessionSeat("Ken", None, -3.5))
    wrong = ("--seat", "A:first:34", "--seat", "B:2:many")
    assert pnp("session", "add", "higher", TRUST, "--date", "2026-11-24", *wrong, code=1).said[:2] == [
        "place in entry 1 of seats must be a whole number, not 'first'; write digits only",
        "score in entry 2 of seats must be a number, not 'many'; write digits, with a point for decimals",
    ]


def test_add_asks_without_options(project: SessionProject, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["2026-11-24", "3", "30", "2", "Mika", "1", "34", "Ken", "2", "20", "Mika", "Too strong", "c7", ""])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _text: next(answers))
    pnp("session", "add", "higher", TRUST, code=0)
    (made,) = project.read()
    assert (made.minutes, [seat.score for seat in made.seats], made.notes[0].target) == (30, [34.0, 20.0], "card/c7")
    assert next(answers, "all") == "all"


def test_list_names_winners_and_counts_open_notes(project: SessionProject, pnp: Pnp) -> None:
    project.write_session("2026-11-24-10", "notes: [{text: x}, {text: y, status: done}]\n")
    project.write_session("2026-11-24-2", "minutes: 45\n")
    assert pnp("session", "list", "higher", TRUST, code=0).out.splitlines() == [
        "session        draft  record  players  minutes  winner  notes  open",
        "2026-11-24-2   3      none    2        45       A       0      0",
        "2026-11-24-10  3      none    2                 A       2      1",
    ]
