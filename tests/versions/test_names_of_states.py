"""Records and states by their names over many drafts: games renamed and deleted, names that are taken, one of several."""

from pathlib import Path

import pytest
from box_states import committed, told
from conftest import Pnp, Tool
from tests_support import TinyProject

GAME = "data/tiny/game.yaml"
FIRST = "records/tiny/first.json"


def rename(root: Path, old: str, new: str) -> None:
    """Give a game another name, as a designer does: its folders of data and templates."""
    for folder in ("data", "templates"):
        (root / folder / old).rename(root / folder / new)


def copied(tiny: TinyProject, name: str) -> None:
    """A second game, the same but for its name."""
    for folder in ("data", "templates"):
        for path in sorted((tiny.root / folder / "tiny").rglob("*")):
            if path.is_file():
                inner = path.relative_to(tiny.root / folder / "tiny").as_posix()
                tiny.write(f"{folder}/{name}/{inner}", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("replace", [(), ("--replace",)])
def test_names_that_differ_in_capitals_alone(recorded: TinyProject, pnp: Pnp, replace: tuple[str, ...]) -> None:
    """Two records that would be one file on other systems are not made."""
    assert pnp("record", "First", *replace).said == [
        f"{FIRST}: 'First' would be the same file on Windows and macOS; choose another name"
    ]
    assert sorted(path.name for path in (recorded.root / "records/tiny").iterdir()) == ["first", "first.json"]


@pytest.mark.parametrize("replace", [(), ("--replace",)])
@pytest.mark.parametrize(
    ("place", "folder", "said"),
    [
        (FIRST, True, "a folder stands where the record belongs"),
        ("records/tiny/first", False, "a file stands where records belong"),
        ("records/tiny", False, "a file stands where records belong"),
        ("records", False, "a file stands where records belong"),
    ],
)
def test_what_is_no_record_stays(
    tiny: TinyProject, pnp: Pnp, place: str, folder: bool, said: str, replace: tuple[str, ...]
) -> None:
    """What stands in a record's place and is none is told before anything is made, and is left alone."""
    path = tiny.root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir() if folder else path.write_text("mine", encoding="utf-8")
    before = sorted((tiny.root / "records").rglob("*"))
    assert pnp("record", "first", *replace).said == [f"{place}: {said}; move it away"]
    assert sorted((tiny.root / "records").rglob("*")) == before


def test_records_of_a_game_that_is_gone_are_told(recorded: TinyProject, pnp: Pnp) -> None:
    """A game was renamed, its records were not: every command that looks for them says where they are."""
    rename(recorded.root, "tiny", "large")
    gone = "records/tiny has records of a game that is gone; if the game was renamed, rename this folder too"

    assert pnp("changed").said == [
        f"large has no record; {gone}; "
        "make a record with `pnp record NAME`, or name what to compare with: --since git:REV"
    ]
    for words in (("diff", "first"), ("changed", "--since", "first")):
        assert pnp(*words).said == [
            "records/tiny: 'first' is a record of tiny, which is no game of this project; "
            "if the game has another name now, give it to this folder"
        ]
    assert pnp("record", "second").code == 0
    assert pnp("changed").err == f"note: {gone}\n"
    assert pnp("changed", "large").err == ""


def test_a_record_moved_with_its_game_says_how_to_go_on(recorded: TinyProject, pnp: Pnp) -> None:
    """A record in another game's folder is refused; where the game was renamed, what the problem advises works."""
    for folder in ("data", "templates", "records"):
        (recorded.root / folder / "tiny").rename(recorded.root / folder / "large")
    assert pnp("changed").said == [
        "records/large/first.json:1:1: it is a record of tiny, not of large; "
        'move it back to records/tiny/; or, if tiny is called large now, write "game": "large" in it'
    ]
    recorded.change("records/large/first.json", '"game": "tiny"', '"game": "large"')
    assert pnp("changed").out == "large since first (en): nothing has changed\n"


def test_a_name_that_nothing_has_is_told_once(tiny: TinyProject, pnp: Pnp) -> None:
    """Several games, one misspelt name: one problem."""
    copied(tiny, "twin")
    assert pnp("record", "first").code == 0
    for option in ("--since", "--until"):
        assert pnp("changed", option, "frist").said == [
            "records: 'frist' is no record, no game, no project's folder and no revision (git:REV); did you mean 'first'?"
        ]


def test_a_state_of_one_game_is_compared_with_that_game(tiny: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """`git:REV/game` chooses the game; a state of one game is never held against all the others."""
    tool("git")
    copied(tiny, "twin")
    committed(tiny.root, "first")
    rename(tiny.root, "twin", "large")

    assert pnp("changed", "--since", "git:HEAD/tiny").out == "tiny since git:HEAD (en): nothing has changed\n"
    for text in ("git:HEAD/twin", "tiny"):
        assert pnp("changed", "--since", text).said == [
            f"'{text}' contains one game, but this project has several: large, tiny; name the game to compare"
        ]
    assert pnp("changed", "large", "--since", "git:HEAD/twin").out.endswith(": nothing has changed\n")


def test_a_renamed_game_is_compared_with_what_it_was(tiny: TinyProject, pnp: Pnp, tool: Tool) -> None:
    """`pnp diff git:REV` after the only game was renamed compares the two, without being told."""
    tool("git")
    committed(tiny.root, "first")
    rename(tiny.root, "tiny", "large")
    tiny.change("data/large/game.yaml", "value: 2}", "value: 7}")
    for text in ("git:HEAD", "git:HEAD/tiny"):
        assert "card/two" in pnp("diff", text, code=0).out


def test_languages_between_two_records(tiny: TinyProject, pnp: Pnp) -> None:
    """`--lang` holds between records too: another language that both have is not told."""
    tiny.change(GAME, "languages: [en]", "languages: [ja, en]")
    tiny.change(GAME, "body: {en:", "body: {ja: {regular: [BIZUDPGothic_400Regular.ttf]}, en:")
    text = (tiny.root / GAME).read_text(encoding="utf-8")
    for key, name in (("title", "Tiny"), ("name", "Star"), ("name", "Card"), ("title", "One"), ("title", "Two")):
        text = text.replace(f"{key}: {name}", f"{key}: {{ja: 日本, en: {name}}}")
    tiny.write(GAME, text)
    assert pnp("record", "first").code == 0
    tiny.write(GAME, text.replace("value: 2}", "value: 7}"))
    assert pnp("record", "second").code == 0
    between = ("changed", "--since", "first", "--until", "second", "--format", "json")

    assert list(told(pnp(*between, "--lang", "ja").out)["languages"]) == ["ja"]
    assert list(told(pnp(*between).out)["languages"]) == ["ja", "en"]


def test_a_folder_that_lacks_the_game(tiny: TinyProject, pnp: Pnp, tmp_path: Path) -> None:
    """Another project without a game is like a revision without it: said for all, a problem for one that is named."""
    other = TinyProject(tmp_path / "other")
    rename(other.root, "tiny", "large")
    copied(tiny, "large")
    folder = str(other.root)
    ran = pnp("changed", "--since", folder)
    assert (ran.code, ran.out) == (0, f"large since {folder} (en): nothing has changed\n")
    assert ran.err == f"note: there is no game 'tiny' in {folder}\n"
    assert pnp("changed", "tiny", "--since", folder).said == [f"there is no game 'tiny' in {folder}; known: large"]


def test_a_game_that_is_misspelt(recorded: TinyProject, pnp: Pnp) -> None:
    """`--game` with a name that no game has: the problem is the game, not the record; a language likewise."""
    assert pnp("diff", "first", "--game", "tinny").said == ["data: unknown game 'tinny'; did you mean 'tiny'?"]
    assert pnp("changed", "--lang", "fr").said == [
        "--lang fr: first does not have it; known: en",
        "--lang fr: tiny as it is does not have it; known: en",
        "2 problems",
    ]
