"""Builds with what earlier runs have made: byte for byte those without, after whatever edits."""

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import kept_project as kp
import pytest
import yaml
from conftest import ROOT, Pnp
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from shipped_games import GAMES
from tests_support import change_value, examples, iter_values, quick

from generator.base.cache import RecentValues, Store
from generator.books.page import book_pages as pages
from generator.books.rulebook import book_files, read_book
from generator.checks import validation_games
from generator.checks.check_report import Check
from generator.commands import rulebook as rulebooks
from generator.commands import validate as validating
from generator.commands.build import BuildOrder
from generator.commands.orders import carry_out
from generator.commands.print_sheets import PrintLook
from generator.commands.sheets import SheetsOrder
from generator.drawing.templates import sandbox
from generator.game.game_cache import GameCache, ReadLog
from generator.game.load_game import load_game
from generator.game.model import Game
from generator.game.project import find_project
from generator.play import batch
from generator.play.batch import GamePlan

STATES: dict[str, tuple[str, ...]] = {
    kp.GAME: ("Nothing.", "Something.", "Nothing {sun}."),
    kp.CARD: ('y="45" width="5"/>', 'y="45" width="6"/>', 'y="45" width="6">'),
    kp.FRAME: ("#f0e8d8", "#f0e8d9", "blau"),
    kp.STAR: ("M50 5", "M50 6"),
    kp.COMMON_FLAG: ('height="5"', 'height="6"'),
    kp.BOOK: ("and maybe", "and perhaps", "and {maybe}"),
}
"""For each text file what may stand at one place in it: the last of three is a mistake."""

MORE: dict[str, tuple[str, ...]] = {
    "hand": ("hand: 3", "hand: 4"),
    "colour": ("#2040a0", "#2040a1"),
    "count": ("count: 2", "count: 3"),
    "remark": ("title: Small", "# remark\ntitle: Small"),
    "credit": ("credit: Somebody", "credit: Somebody else"),
    "icon": ("Star, colour: red", "Star, colour: blue"),
    "title": ("title: Small", "title: Little"),
}
"""The same for places of the data."""


def state(game: kp.KeptProject, choice: dict[str, int]) -> None:
    """Bring the whole project into a state."""
    for name, text in kp.FILES.items():
        written = text.replace(STATES[name][0], STATES[name][choice[name]]) if name in STATES else text
        if name == kp.GAME:
            for place, (old, *new) in MORE.items():
                written = written.replace(old, (old, *new)[choice[place]])
        game.write(name, written)
    game.write(kp.PICTURE, kp.dot((40, 90)[choice["picture"]]))
    game.write(kp.FONT, kp.font(("SourceSans3_400Regular.ttf", "SourceSans3_700Bold.ttf")[choice["font"]]))
    own = game.root / kp.FLAG
    if choice["own flag"]:
        game.write(kp.FLAG, kp.FILES[kp.COMMON_FLAG].replace("red", "blue"))
    else:
        own.unlink(missing_ok=True)


PLACES = {**{name: len(texts) for name, texts in (STATES | MORE).items()}, **dict.fromkeys(("picture", "font", "own flag"), 2)}  # fmt: skip
EDITS = st.lists(
    st.sampled_from(sorted(PLACES)).flatmap(lambda name: st.tuples(st.just(name), st.integers(0, PLACES[name] - 1))),
    min_size=2,
    max_size=6,
)


@given(EDITS)
@examples(8)
def test_any_edits_give_the_files_of_a_clean_build(edits: list[tuple[str, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        game, store = kp.KeptProject(Path(folder, "project")), Store(Path(folder, "kept"), code=Path(folder, "code"))
        choice = dict.fromkeys(PLACES, 0)
        for name, which in [("remark", 0), *edits]:
            choice[name] = which
            state(game, choice)
            clean = game.build(Path(folder, "out"), None)
            assert game.build(Path(folder, "out"), store) == clean, (name, which)
            assert clean[0] or clean[1]


ALL_VALUES = list(iter_values(yaml.safe_load(kp.FILES[kp.GAME])))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", quick(zip(ALL_VALUES, strict=True), (("rules", "hand"),)), ids=lambda path: ".".join(map(str, path))
)
def test_any_value_of_the_data_gives_the_files_of_a_clean_build(
    game: kp.KeptProject, tmp_path: Path, path: Any
) -> None:
    """Also where the other value is a mistake: then the problems are the same. A second build finds all of it kept."""
    store = Store(tmp_path / "kept")
    game.build(tmp_path / "out", store)
    game.write(kp.GAME, change_value(kp.FILES[kp.GAME], path))
    clean = game.build(tmp_path / "out", None)
    assert game.build(tmp_path / "out", store) == clean
    assert game.build(tmp_path / "out", store) == clean


@pytest.fixture
def game(tmp_path: Path) -> kp.KeptProject:
    return kp.KeptProject(tmp_path / "project")


@pytest.fixture
def books(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many rulebooks were read, and how many were set."""
    done = {"read": 0, "set": 0}

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            done[name] += 1
            return function(*args, **options)

        return call

    monkeypatch.setattr(book_files, "read_book", counted("read", read_book.read_book))
    monkeypatch.setattr(book_files, "typeset_and_proofread", counted("set", pages.typeset_and_proofread))
    return done


CHANGES: dict[str, tuple[str, str, str, dict[str, int]]] = {
    "nothing": (kp.GAME, "title: Small", "title: Small", {"read": 0, "set": 0}),
    "another card": (kp.GAME, "Nothing.", "Something.", {"read": 1, "set": 0}),
    "a number in it": (kp.GAME, "hand: 3", "hand: 4", {"read": 1, "set": 1}),
    "a card that it shows": (kp.GAME, "name: Two", "name: Deux", {"read": 1, "set": 1}),
    "its text": (kp.BOOK, "and maybe", "and perhaps", {"read": 1, "set": 1}),
    "an icon": (kp.STAR, "M50 5", "M50 6", {"read": 1, "set": 1}),
    "a colour": (kp.GAME, "#c02020", "#c02021", {"read": 1, "set": 1}),
    "an icon's colour": (kp.GAME, "Star, colour: red", "Star, colour: blue", {"read": 1, "set": 1}),
    "who made it": (kp.GAME, "credit: Somebody", "credit: Some body", {"read": 1, "set": 1}),
}


@pytest.mark.parametrize("name", quick(CHANGES, "nothing", "another card", "a number in it", "its text"))
def test_a_book_is_made_again_when_it_has_changed(
    game: kp.KeptProject, tmp_path: Path, books: dict[str, int], name: str
) -> None:
    """An unchanged game's rulebook isn't read; one that reads the same isn't set; every other is, as without a store."""
    store = Store(tmp_path / "kept")
    game.build(tmp_path / "out", store, processes=1)
    file, old, new, wanted = CHANGES[name]
    game.change(file, old, new)
    before = dict(books)
    made = game.build(tmp_path / "out", store, processes=1)
    assert {key: books[key] - before[key] for key in books} == wanted
    assert made == game.build(tmp_path / "out", None)


def test_an_unchanged_build_makes_nothing(
    game: kp.KeptProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second build of an unchanged game lays out, checks and writes nothing again; one in another folder neither."""
    store = Store(tmp_path / "kept")
    first = game.build(tmp_path / "out", store)
    monkeypatch.setattr(BuildOrder, "make", None)
    assert game.build(tmp_path / "out", store) == first
    assert game.build(tmp_path / "elsewhere", store) == first


def test_what_was_missing_is_looked_for(game: kp.KeptProject, tmp_path: Path) -> None:
    """A rulebook that is written after a build is made in the next one; taken away, it is gone again."""
    store, text = Store(tmp_path / "kept"), kp.FILES[kp.BOOK]
    (game.root / kp.BOOK).unlink()
    without = game.build(tmp_path / "out", store)
    game.write(kp.BOOK, text)
    with_book = game.build(tmp_path / "out", store)
    (game.root / kp.BOOK).unlink()
    assert with_book[0].keys() - without[0].keys() == {"rulebook.en.pdf", "rulebook-booklet.en.pdf", "rulebook.en.html"}  # fmt: skip
    assert game.build(tmp_path / "out", store) == without


@pytest.mark.slow
def test_another_order_is_another_build(game: kp.KeptProject, tmp_path: Path) -> None:
    """What is asked for counts: a gap, a selection, copies, a look of their own are never served with other sheets."""
    store = Store(tmp_path / "kept")
    usual = SheetsOrder((), tmp_path / "out")
    orders = [
        usual,
        replace(usual, sheets=replace(usual.sheets, gap=2.0)),
        replace(usual, sheets=replace(usual.sheets, backs="none")),
        replace(usual, only=("card/one",)),
        replace(usual, copies=3),
        replace(usual, look=PrintLook(prototype=True)),
    ]

    def sheets(order: SheetsOrder, store: Store | None) -> bytes:
        made = carry_out(find_project(game.root)._replace(store=store), (), order, lambda _doing: None)
        return made.files[0].read_bytes()

    clean = [sheets(order, None) for order in orders]
    assert len(set(clean)) == len(orders)
    for _ in range(2):
        assert [sheets(order, store) for order in orders] == clean


@pytest.mark.slow
def test_games_are_played_again_when_rules_or_numbers_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games between bots rest on what the rules read: a new date has none played, a new number all, more games the rest."""
    project = find_project(ROOT)
    played: list[int] = []
    true = batch.run_plan

    def counted(plan: GamePlan, opener: Any, processes: int, tallies: dict[Any, Any]) -> Any:
        played.append(sum(unit.games for unit in batch.split_plan(plan, tallies)))
        return true(plan, opener, processes, tallies)

    monkeypatch.setattr(validation_games, "run_plan", counted)
    game = load_game(project.find_folder("journey8"), project.resources)
    longer = replace(game, sections={**game.sections, "rules": {**game.sections["rules"], "run": 3}})
    store = Store(tmp_path / "kept")

    def check(now: Game, games: int, store: Store | None) -> tuple[Check, ...]:
        kept_here = GameCache(store, "here", now, ReadLog()) if store is not None else None
        asked = validation_games.ValidationPlay(games=games, processes=1)
        return validation_games.add_game_checks(
            now, project.find_folder("journey8"), project.root, asked, (), kept_here
        )

    runs = ((game, 20), (game, 20), (replace(game, date="2020-02-02"), 20), (game, 40), (longer, 20), (game, 20))
    found = [check(now, games, store) for now, games in runs]
    assert played == [66, 0, 0, 66, 66, 0]
    assert found[3] == check(game, 40, None)
    assert found[0] == found[1] == found[2] == found[5] == check(game, 20, None)


@pytest.mark.slow
def test_validate_reads_only_books_that_build_has_not_made(
    game: kp.KeptProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, read = Store(tmp_path / "kept"), list[str]()

    def counted(workshop: Any, lang: str, *rest: Any) -> Any:
        read.append(lang)
        return read_book.read_book(workshop, lang, *rest)

    def validated(store: Store | None) -> tuple[validating.ValidationResult, int]:
        read.clear()
        asked = validation_games.ValidationPlay(games=0, processes=1)
        project = find_project(game.root)._replace(store=store)
        return validating.validate_games(project, (), "text", False, asked), len(read)

    monkeypatch.setattr(rulebooks, "read_book", counted)
    clean = validated(None)
    game.build(tmp_path / "out", store)
    assert clean[1] == 1 and validated(store) == (clean[0], 0)

    for odd in ("3", True, -1, 1.5, None):
        (kept_number,) = store.folder.glob(f"{book_files.CHECKED}-*")
        store.put(kept_number.name, (store.get(kept_number.name)[0], odd))  # type: ignore[index]
        assert validated(store) == clean
    for checks in store.folder.glob("checks-*"):
        store.put(checks.name, (store.get(checks.name)[0], ()))  # type: ignore[index]
    assert validated(store) == (clean[0], 0)

    game.change(kp.BOOK, "and maybe", "and [perhaps](#nowhere)")
    assert validated(store)[0].failed
    game.change(kp.BOOK, "[perhaps](#nowhere)", "perhaps")
    assert [validated(store)[1] for _ in range(2)] == [1, 0]
    assert validated(store)[0] == validated(None)[0]


@pytest.mark.slow
def test_templates_are_compiled_once(game: kp.KeptProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later run takes their code from the folder for code, also for other data; a changed template is compiled."""
    compiled, generate = list[str](), Environment._generate

    def count(environment: Environment, source: Any, name: str | None, *rest: Any, **more: Any) -> str:
        compiled.append(str(name))
        return generate(environment, source, name, *rest, **more)

    def build(store: Store | None) -> tuple[dict[str, bytes], list[str]]:
        compiled.clear()
        monkeypatch.setattr(sandbox, "_COMPILED", RecentValues(500))  # as in a new process
        return game.build(tmp_path / "out", store)

    monkeypatch.setattr(Environment, "_generate", count)
    store = Store(tmp_path / "kept", code=tmp_path / "code")
    build(store)
    assert compiled
    for file, old, new, least in ((kp.GAME, "Small", "Smaller", 0), (kp.CARD, "<svg", "<!-- new --><svg", 1)):
        game.change(file, old, new)
        clean = build(None)
        assert build(store) == clean and len(compiled) == least
        assert build(store) == clean and not compiled


@pytest.mark.slow
def test_no_cache_keeps_nothing_and_looks_at_nothing(
    game: kp.KeptProject, tmp_path: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--no-cache`, and PNP_NO_CACHE, leave the folder of PNP_CACHE alone; without them it is filled and used."""
    folder = tmp_path / "kept"
    monkeypatch.setenv("PNP_CACHE", str(folder))
    monkeypatch.chdir(game.root)
    assert pnp("build").code == 0  # the tests' own environment says PNP_NO_CACHE=1
    monkeypatch.setenv("PNP_NO_CACHE", "")
    for command in (("build",), ("sheets",), ("rulebook",), ("validate",)):
        assert pnp(*command, "--no-cache").code == 0
    assert not folder.exists()
    clean = {path.name: path.read_bytes() for path in (game.root / "output").rglob("*") if path.is_file()}
    for _ in range(2):
        assert pnp("build").code == 0
        assert any(folder.iterdir())
        assert {path.name: path.read_bytes() for path in (game.root / "output").rglob("*") if path.is_file()} == clean
    assert len(clean) == 6


@pytest.mark.slow  # three builds; those of the small project above show the same
@pytest.mark.parametrize("name", quick(GAMES, "fortuna", rest="release"))
def test_every_game_comes_out_the_same_cold_and_warm(
    room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder, out = room / "kept", room / "output"
    monkeypatch.setenv("PNP_CACHE", str(folder))
    monkeypatch.setenv("PNP_NO_CACHE", "")

    def built() -> dict[str, bytes]:
        assert pnp("--project", str(ROOT), "build", name).code == 0
        return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}

    cold = built()
    assert len(cold) == 17
    assert built() == cold
    for path in folder.iterdir():
        if path.name.startswith(("files-", "rulebook-", "sketches-")):  # then all is laid out again, of kept faces
            path.unlink()
    assert built() == cold
