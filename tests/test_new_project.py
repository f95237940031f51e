"""`pnp new` makes a project that builds at once, under any name that works everywhere, and never touches what is there."""

import json
import re
import shutil
from itertools import product
from pathlib import Path

import pytest
from conftest import ROOT, Pnp
from hypothesis import example, given
from hypothesis import strategies as st
from tests_support import files_below, quick

from generator.base.errors import ProblemsFound
from generator.commands.new import PAGE, new_project
from generator.commands.new import new as command
from generator.commands.starters import project_title, read_starter
from generator.game.load_game import load_game
from generator.game.packs import LAYOUTS, STARTERS
from generator.game.project import find_project

GAMES = ("board", "cards", "csv", "tricks")
"""The starters that are whole games, with rules, checks and a rulebook; the others are pieces alone."""

TAKEN = "choose another name, or move it"
LETTERS = "is not a valid project name; use the letters a-z, digits, - and _, as in"
FOLDER = "is the name of a folder that every project contains; choose another, as"
BUNDLED = "is the name of a game that comes with pnp, whose templates would replace missing ones; choose another, as"


@pytest.fixture(params=sorted(STARTERS))
def project(request: pytest.FixtureRequest, room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project new from each starter; the current folder is its own."""
    made = pnp("new", "windy-hill_2", "--from", request.param)
    assert (made.code, made.err) == (0, "")
    for line in made.out.split("\n\n")[0].splitlines():
        assert (room / line).is_file(), "each file that was made is named"
    monkeypatch.chdir(room / "windy-hill_2")
    return room / "windy-hill_2"


@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize("project", quick(sorted(STARTERS), "cards", "blank"), indirect=True)
def test_a_new_project_builds_and_validates_at_once(project: Path, pnp: Pnp) -> None:
    """Sheets, check lists, rulebooks and report in both languages come without one problem, finding or open question."""
    built, validated = pnp("build"), pnp("validate", "--strict", "--format", "json")

    assert built.code == 0 and re.fullmatch(r"validation: \d+ checks passed\n", built.err)
    made = {Path(line).name for line in built.out.splitlines()}
    whole = (project / "templates/windy-hill_2/rulebook.en.md").exists()
    books = ("rulebook", "rulebook-booklet") if whole else ()
    for lang in ("ja", "en"):
        assert {f"{part}.{lang}.pdf" for part in ("sheets", "components", *books)} <= made
        assert (f"rulebook.{lang}.html" in made) == whole
    assert validated.code == 0
    checks = json.loads(validated.out)["games"][0]["checks"]
    assert len(checks) > (20 if whole else 3), "a report of nothing says nothing"
    assert {check["status"] for check in checks} == {"pass"}


@pytest.mark.slow
@pytest.mark.usefixtures("keeping")
@pytest.mark.parametrize(
    ("starter", "lang"), quick(product(sorted(STARTERS), ("ja", "en")), ("cards", "en"), ("blank", "ja"))
)
def test_a_project_of_one_language(starter: str, lang: str, room: Path, pnp: Pnp) -> None:
    """With `--lang` a project builds in that language at once, and nothing of it is left to be translated or taken out."""
    assert pnp("new", "alone", "--from", starter, "--lang", lang).code == 0
    root = room / "alone"

    built = pnp("--project", str(root), "build", "--out", str(root / "output"))
    validated = pnp("--project", str(root), "validate", "--strict")

    assert (built.code, validated.code) == (0, 0)
    for ran in (built, validated):
        assert re.fullmatch(r"validation: \d+ checks passed\n", ran.err)
    other = {"ja": "en", "en": "ja"}[lang]
    assert not [path for path in root.rglob("*") if f".{other}." in path.name]
    game = load_game(root / "data/alone", find_project(root).resources)
    assert game.languages == (lang,)
    for words in (game.credit, game.licence) if starter in GAMES else ():
        assert bool(re.search("[\u3040-\u30ff]", words[lang])) == (lang == "ja"), "whose it is can be read, too"
    for path in [*root.glob("data/*/*.yaml"), *root.glob("data/*/*.csv")]:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        assert lang == "ja" or not re.search("[\u3040-\u9fff]", "\n".join(lines)), path
    assert pnp("new", "both", "--from", starter).code == 0
    for path in root.glob("data/*/*.yaml"):
        assert _comments(path) == _comments(room / "both/data/both" / path.name), "each comment stays"
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert {"ja": "Japanese", "en": "English"}[other] not in readme
    assert f"sheets.{lang}.pdf" in readme


def _comments(path: Path) -> list[str]:
    """The lines of a file that are comments, whatever the project is called."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [re.sub(r"\b(alone|both)\b", "NAME", line) for line in lines if line.lstrip().startswith("#")]


def test_what_pip_compiled_stays_behind(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("packs", "docs"):
        shutil.copytree(ROOT / folder, room / "installed" / folder)
    compiled = room / "installed/packs/cards/starter/data/game/__pycache__/rules.cpython-311.pyc"
    compiled.parent.mkdir(exist_ok=True)
    compiled.write_bytes(b"\xa7\r\r\n")
    monkeypatch.setattr("generator.commands.starters.find_bundled_root", lambda: room / "installed")
    made = new_project(room, "windy", "cards")
    assert {path.suffix for path in made} == {"", ".json", ".md", ".py", ".svg", ".yaml"}


def test_a_new_project_bears_its_name(project: Path) -> None:
    game = load_game(project / "data/windy-hill_2", find_project(project).resources)
    assert (game.id, game.title["en"], game.title["ja"]) == ("windy-hill_2", "Windy Hill 2", "Windy Hill 2")
    files = [path for path in project.rglob("*") if path.is_file()]
    assert len(files) > 10
    for path in files:
        assert "game" not in path.relative_to(project).with_suffix("").parts[:2]
        assert not re.search(rb"@\w+@|TODO|FIXME|XXX|[Ll]orem ipsum", path.read_bytes()) or path.suffix in (".jpg", ".png"), path  # fmt: skip


def test_a_new_project_explains_itself(project: Path) -> None:
    readme = (project / "README.md").read_text(encoding="utf-8")
    for path in sorted([*project.glob("data/*/*.yaml"), *project.glob("templates/*/*.svg")]):
        opening = path.read_text(encoding="utf-8").splitlines()[:3]
        assert any(line.startswith(("# ", "{# ")) and "$schema" not in line for line in opening), path
    for path in project.glob("data/*/*"):
        assert path.name in readme or path.suffix == ".json", path


def test_links_of_copied_guides_lead_to_files(project: Path) -> None:
    copied = sorted((project / "docs").iterdir())
    assert copied
    for path in copied:
        text = re.sub(r"(?s)```.*?```", "", path.read_text(encoding="utf-8"))
        links = re.findall(r"\]\(((?!http)[^)#\s]+\.(?:md|png))", text)
        assert [link for link in links if not (project / "docs" / link).is_file()] == []


def test_the_schema_is_up_to_date(project: Path, pnp: Pnp) -> None:
    assert pnp("schema", "--check").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("starter", quick(GAMES, "cards"))
def test_both_sides_of_each_switch_build(starter: str, room: Path, pnp: Pnp) -> None:
    """The comment says `try both`: the rulebook and every face have words for the other choice, too."""
    root = room / "trial"
    assert pnp("new", "trial", "--from", starter).code == 0
    path = root / "data/trial/readings.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("value: true") == 1
    before = _sentences(pnp, root)
    path.write_text(text.replace("value: true", "value: false"), encoding="utf-8")
    after = _sentences(pnp, root)
    assert before - after, "a sentence for the first choice"
    assert after - before, "a sentence for the other choice"


def _sentences(pnp: Pnp, root: Path) -> set[str]:
    """What the rulebook says, paragraph by paragraph, without the imprint: its hash changes with any file."""
    ran = pnp("--project", str(root), "rulebook", "--out", str(root / "out"), "--lang", "en")
    assert (ran.code, ran.err) == (0, "")
    lines = (root / "out/trial/rulebook.en.html").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line.startswith(("<p>", "<li>")) and "Draft 1 ·" not in line}


@pytest.fixture(params=["cards", "tricks"])
def played(request: pytest.FixtureRequest, room: Path, pnp: Pnp) -> Path:
    """A card game with its rules switched on, as the comment in game.yaml says."""
    assert pnp("new", "windy", "--from", request.param).code == 0
    path = room / "windy/data/windy/game.yaml"
    text = path.read_text(encoding="utf-8")
    assert text.count("\n# rules_module: rules.py\n") == 1
    path.write_text(text.replace("# rules_module", "rules_module"), encoding="utf-8")
    return room / "windy"


@pytest.mark.slow
def test_the_rules_play(played: Path, pnp: Pnp) -> None:
    ran = pnp("--project", str(played), "validate", "--trust-rules", "--games", "20", "--strict", "--format", "json")
    checks = {check["id"]: check["status"] for check in json.loads(ran.out)["games"][0]["checks"]}
    assert {name for name in checks if name.startswith("play.")} == {*(f"play.{players}" for players in (2, 3, 4)), "play.repeats"}  # fmt: skip
    assert sum(name.startswith("example.") for name in checks) == 4
    assert set(checks.values()) == {"pass"}
    assert ran.code == 0


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("My Game", f"'My Game' {LETTERS} 'my-game'"),
        ("../away", f"'../away' {LETTERS} 'away'"),
        ("a/b", f"'a/b' {LETTERS} 'a-b'"),
        ("_hidden", f"'_hidden' {LETTERS} 'hidden'"),
        ("遊び", f"'遊び' {LETTERS} 'my-game'"),
        ("", f"'' {LETTERS} 'my-game'"),
        ("game\n", f"'game\\n' {LETTERS} 'game'"),
        ("x" * 61, "the name has 61 letters; use at most 60; the title may be longer"),
        ("nul", "'nul' is the name of a device on Windows; choose another, as 'nul-game'"),
        ("com7", "'com7' is the name of a device on Windows; choose another, as 'com7-game'"),
        ("data", f"'data' {FOLDER} 'data-game'"),
        ("common", f"'common' {FOLDER} 'common-game'"),
        ("fortuna", f"'fortuna' {BUNDLED} 'my-fortuna'"),
    ],
)
def test_names_that_cannot_be(name: str, says: str, room: Path, pnp: Pnp) -> None:
    """A name that fails on some system, in some command, or meets another game is refused with a better one."""
    ran = pnp("new", name)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{says}\n"
    assert list(room.iterdir()) == []


@example("Data")
@example("Fortuna!")
@example("Long " * 20)
@given(st.text(max_size=70))
def test_a_refusal_names_a_better_name(name: str) -> None:
    nowhere = Path("/nonexistent/folder")
    try:
        new_project(nowhere, name, "cards")
    except ProblemsFound as found:
        (problem,) = found.problems
        proposed = re.search(r"as (?:in )?'([^']*)'$", problem.hint)
        if proposed:
            with pytest.raises(ProblemsFound, match="the project can't be made"):
                new_project(nowhere, proposed[1], "cards")


@pytest.mark.parametrize("kind", ["file", "link to a folder", "dangling link"])
def test_nothing_is_overwritten(kind: str, room: Path, pnp: Pnp) -> None:
    there = room / "mine"
    if kind == "file":
        there.write_text("keep me")
    elif kind == "link to a folder":
        there.symlink_to(ROOT)
    else:
        there.symlink_to(room / "nowhere")

    ran = pnp("new", "mine")

    assert (ran.code, ran.err) == (1, f"mine: a file or folder of this name exists already; {TAKEN}\n")
    assert [path.name for path in room.iterdir()] == ["mine"]
    assert kind != "file" or there.read_text() == "keep me"


@pytest.mark.parametrize("name", ["mine", "."])
def test_a_project_begins_beside_files_that_are_there(
    name: str, room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = room / "mine"
    (there / ".git").mkdir(parents=True)
    (there / "art").mkdir()
    (there / "data").mkdir()
    own = {".git/config": b"x", "art/cat.png": b"\x89PNG", "data/cards.csv": b"id\n"}
    for path, data in own.items():
        (there / path).write_bytes(data)
    if name == ".":
        monkeypatch.chdir(there)

    ran = pnp("new", name, "--from", "blank")

    assert (ran.code, ran.err) == (0, "")
    assert {path: data for path, data in files_below(there).items() if path in own} == own
    assert (there / "data/mine/game.yaml").is_file()
    assert not set(ran.out.splitlines()) & {path if name == "." else f"mine/{path}" for path in own}
    assert ("cd mine" in ran.out) == (name != ".")
    assert not list(there.glob(".mine-*"))
    assert pnp("--project", str(there), "build", "--out", str(room / "out")).code == 0


def test_a_folders_name_becomes_one_that_can_be(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    """`pnp new .` in a folder called in letters that no game can have takes the nearest name; with none it says so."""
    for folder in ("My Game", "遊び"):
        (room / folder).mkdir()
    monkeypatch.chdir(room / "My Game")
    assert pnp("new", ".", "--from", "blank").code == 0
    assert (room / "My Game/data/my-game/game.yaml").is_file()
    monkeypatch.chdir(room / "遊び")
    ran = pnp("new", ".", "--from", "blank")
    assert (ran.code, ran.err) == (2, f"'遊び' {LETTERS} 'my-game'\n")


def test_every_file_in_the_way_is_told(room: Path, pnp: Pnp) -> None:
    there = room / "mine"
    (there / "data/mine").mkdir(parents=True)
    (there / "README.md").write_text("my own")
    (there / "data/mine/game.yaml").write_text("format: 1")
    (there / "templates").symlink_to(room)
    (there / "docs").write_text("a file")
    before = files_below(there)

    ran = pnp("new", "mine", "--from", "blank", code=1)

    hint = "move it, or choose a new folder"
    file = "this exists already, but the project needs a file of that name"
    folder = "the project needs a folder here, but a file is in its place"
    assert sorted(ran.err.splitlines()) == [
        "4 problems", f"mine/README.md: {file}; {hint}", f"mine/data/mine/game.yaml: {file}; {hint}",
        f"mine/docs: {folder}; {hint}", f"mine/templates: {folder}; {hint}",
    ]  # fmt: skip
    assert files_below(there) == before
    assert sorted(path.name for path in there.iterdir()) == ["README.md", "data", "docs", "templates"]


def test_half_a_project_is_taken_back(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    (room / "mine").mkdir()
    (room / "mine/cat.png").write_bytes(b"mine")
    move, moved = Path.rename, []

    def failing(path: Path, target: Path) -> Path:
        moved.append(path)
        if len(moved) == 4:
            raise OSError(5, "Input/output error")
        return move(path, target)

    monkeypatch.setattr(Path, "rename", failing)

    ran = pnp("new", "mine", "--from", "blank")

    assert (ran.code, len(moved)) == (1, 4)
    assert "the project can't be made: Input/output error" in ran.err
    assert [path.name for path in (room / "mine").iterdir()] == ["cat.png"]


@pytest.mark.parametrize("starter", sorted(LAYOUTS))
def test_each_layout_shows_how_a_picture_gets_on_a_card(starter: str, room: Path) -> None:
    new_project(room, "mine", starter)
    pictures = [path.name for path in (room / "mine/templates/mine/pictures").iterdir()]
    data = (room / "mine/data/mine/components.yaml").read_text(encoding="utf-8")
    assert pictures
    assert all(f"picture: {name}" in data for name in pictures)
    templates = [path.read_text(encoding="utf-8") for path in (room / "mine/templates/mine").glob("*.svg")]
    assert any('<image href="pictures/{{ card.picture }}"' in text for text in templates)


@pytest.mark.slow  # draws all starters
def test_the_gallery_shows_every_starter(room: Path, pnp: Pnp) -> None:
    """One page that needs no other file, with a name, a line and pictures of each; made again, it is the same."""
    ran = pnp("new", "--from", "gallery")
    page = (room / PAGE).read_text(encoding="utf-8")

    assert (ran.code, ran.err) == (0, "")
    for name in STARTERS:
        section = page.split(f"<h2>{name}</h2>")[1].split("</section>")[0]
        assert f"pnp new my-game --from {name}" in section
        assert section.count('src="data:image/png;base64,iVBOR') >= 1
        assert any(line.split()[:1] == [name] for line in ran.out.splitlines())
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    assert pnp("new", "--from", "gallery", "--lang", "en").code == 0
    assert (room / PAGE).read_text(encoding="utf-8") == page
    assert [path.name for path in room.iterdir()] == [PAGE]


def test_the_gallery_writes_over_no_page_of_yours(room: Path, pnp: Pnp) -> None:
    (room / PAGE).write_text("<h1>mine</h1>")
    ran = pnp("new", "--from", "gallery")
    what = "this exists already, but is not a gallery from pnp; move it, or change to another folder"
    assert (ran.code, ran.err) == (1, f"{PAGE}: {what}\n")
    assert (room / PAGE).read_text() == "<h1>mine</h1>"


@pytest.mark.parametrize(
    ("given", "code", "says"),
    [
        (("d.svg",), 1, "d.svg: no text or object of the drawing changes from card to card; write {{ card.title }} into a text"),
        (("e.svg",), 1, "e.svg:1:52: the `{{` is never closed; write `}}` where it ends"),
        (("f.svg",), 1, "f.svg:1:55: the markup is not well-formed: <text> of line 1 is still open; write </text> before this"),
        (("none.svg",), 1, "none.svg: the file can't be read: No such file or directory"),
        ((), 2, "Missing argument 'FILE'. Write: pnp new p --from drawing FILE.svg"),
    ],
)  # fmt: skip
def test_a_drawing_that_makes_no_project(given: tuple[str, ...], code: int, says: str, room: Path, pnp: Pnp) -> None:
    for name, words in (("d", "x</text>"), ("e", "{{ card.x</text>"), ("f", "x")):
        markup = f"<svg width='63mm' height='88mm'><text id='t' y='9'>{words}</svg>"
        Path(f"{name}.svg").write_text(markup, encoding="utf-8")
    ran = pnp("new", "p", "--from", "drawing", *given)
    assert ran.code == code
    assert says in ran.out + ran.err
    assert not Path("p").exists()


def test_a_project_needs_a_name(room: Path, pnp: Pnp) -> None:
    assert "Missing argument 'NAME'" in pnp("new", code=2).err
    assert list(room.iterdir()) == []


def test_whose_a_game_is_may_be_left_out(room: Path, pnp: Pnp) -> None:
    """Without date, credit and licence a rulebook's imprint is the draft and the hash, and nothing is printed twice empty."""
    new_project(room, "mine", "blank", ("en",))
    root = room / "mine"
    (root / "templates/mine/rulebook.en.md").write_text("# Rules {#rules}\n\nTake a card.\n", encoding="utf-8")
    ran = pnp("--project", str(root), "build", "--out", str(room / "out"), "--quiet")
    assert (ran.code, ran.err) == (0, "")
    book = (room / "out/mine/rulebook.en.html").read_text(encoding="utf-8")
    assert re.search(r"Draft 1 · [0-9a-f]+", book)
    game = load_game(root / "data/mine", find_project(root).resources)
    assert (game.date, game.credit["en"], game.licence["en"]) == ("", "", "")


def test_a_failure_leaves_nothing_behind(room: Path, pnp: Pnp, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("generator.commands.starters.read_game_schema", full)
    ran = pnp("new", "mine")
    assert (ran.code, ran.err) == (1, "mine: the project can't be made: No space left on device; choose a folder that you may write to\n")  # fmt: skip
    assert list(room.iterdir()) == []


def test_the_same_name_gives_the_same_bytes(room: Path) -> None:
    made = [
        {
            path.relative_to(room / there): path.read_bytes()
            for path in new_project(_folder(room / there), "twin", "board")
        }
        for there in ("one", "two")
    ]
    assert made[0] == made[1]
    assert len(made[0]) > 15


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_the_table_is_the_same_deck(room: Path) -> None:
    decks = []
    for starter in ("cards", "csv"):
        (room / starter).mkdir()
        new_project(room / starter, "windy", starter)
        root = room / starter / "windy"
        kinds = load_game(root / "data/windy", find_project(root).resources).kinds.values()
        decks.append([(one.id, one.count, dict(one.fields)) for kind in kinds for one in kind.designs])
    assert decks[0] == decks[1]
    assert len(decks[0]) == 21
    assert "kites.csv" in (room / "csv/windy/data/windy/components.yaml").read_text(encoding="utf-8")


def test_titles_come_from_names() -> None:
    assert [project_title(name) for name in ("a", "night-market_2", "x--y_")] == ["A", "Night Market 2", "X Y"]


def test_every_starter_can_be_asked_for() -> None:
    (option,) = [one for one in command.params if one.name == "starter"]
    assert list(option.type.choices) == [*STARTERS, "drawing", "gallery"]
    assert all((ROOT / "docs" / guide).is_file() for starter in STARTERS for guide in read_starter(starter)[1])
    assert {path.parent.name for path in ROOT.glob("packs/*/starter")} == {*STARTERS, "layout"}
