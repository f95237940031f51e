"""What a site's worker asks of the program, without a browser: the page's answers, commands, files, in one thread."""

import io
import json
import os
import zipfile
from pathlib import Path

import jinja2
import pytest
from tests_support import TinyProject

from generator.base.cache import RecentValues
from generator.base.errors import ProblemsFound
from generator.commands.settings import NO_CACHE
from generator.drawing.templates import sandbox
from generator.live.browser_bridge import Inside, unpack_project
from generator.live.game_show import Show


@pytest.fixture
def inside(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> Inside:
    """The tiny project at work; where the process stands and what it was told is put back afterwards."""
    monkeypatch.chdir(tiny.root)
    for name in (NO_CACHE, "PYTHON_CPU_COUNT"):
        monkeypatch.setenv(name, "1")
    return Inside(str(tiny.root))


def version(inside: Inside) -> str:
    body = inside.answer("/faces/tiny?face=en:front:card/one")[-1]
    return str(json.loads(body)["faces"][0]["version"])


def test_the_page_is_answered_as_by_its_server(inside: Inside) -> None:
    status, kind, policy, cache, body = inside.answer("/games.json")
    assert (status, kind, cache) == (200, "application/json; charset=utf-8", "no-store")
    assert "default-src 'none'" in policy
    assert [game["id"] for game in json.loads(body)["games"]] == ["tiny"]
    assert inside.answer("/nowhere")[0] == 404
    assert inside.hello().startswith(b"event: hello\ndata: ")


def test_a_change_is_drawn_and_told(inside: Inside, tiny: TinyProject) -> None:
    before = version(inside)
    while inside.work():
        pass
    inside.news()
    data = tiny.root / "data" / "tiny" / "game.yaml"
    data.write_text(data.read_text(encoding="utf-8").replace("title: One", "title: Uno"), encoding="utf-8")
    while inside.work():
        pass

    assert version(inside) != before
    told = b"".join(inside.news())
    assert b"event: faces\n" in told
    assert b"event: game\n" in told
    assert inside.news() == []


def test_what_was_laid_anew_is_not_read_again(
    inside: Inside, tiny: TinyProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Taken up in another machine: its folders hold the same files with other stamps; only what changes then is news."""
    while inside.work():
        pass
    inside.news()
    for path in sorted(tiny.root.rglob("*.yaml")):
        data = path.read_bytes()
        path.unlink()
        path.write_bytes(data)
        os.utime(path, (9e8, 9e8))
    monkeypatch.chdir("/")
    inside.resume()
    while inside.work():
        pass

    assert Path.cwd() == tiny.root
    assert inside.news() == []
    data = tiny.root / "data" / "tiny" / "game.yaml"
    data.write_text(data.read_text(encoding="utf-8").replace("title: One", "title: Uno"), encoding="utf-8")
    while inside.work():
        pass
    assert b"event: faces\n" in b"".join(inside.news())


def test_files_are_looked_at_when_they_may_have_changed(inside: Inside, tiny: TinyProject) -> None:
    """Drawing goes on without a look at them; who writes says so, and what is new is read at once."""
    while inside.work():
        pass
    inside.news()
    data = tiny.root / "data" / "tiny" / "game.yaml"
    data.write_text(data.read_text(encoding="utf-8").replace("title: One", "title: Uno"), encoding="utf-8")
    assert not inside.work(False)
    assert inside.news() == []
    inside.work(True)
    assert b"event: faces\n" in b"".join(inside.news())


def test_what_is_prepared_is_compiled_and_not_drawn(inside: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_COMPILED", RecentValues(500))
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Show, "get_picture", lambda *_asked: pytest.fail("a face was drawn"))
        inside.prepare()
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *_asked: pytest.fail("a template was compiled"))
    assert version(inside)


def test_a_command_is_run_and_heard(inside: Inside) -> None:
    """What it says comes piece by piece; what it made can be read; what the last one made is gone."""
    said: list[str] = []
    assert inside.command('["sheets"]', said.append) == 0
    assert inside.list_output() == ["output/tiny/sheets.en.pdf"]
    assert "output/tiny/sheets.en.pdf" in "".join(said)
    with zipfile.ZipFile(io.BytesIO(inside.archive("made"))) as archive:
        assert archive.namelist() == inside.list_output()
    said.clear()
    assert inside.command('["sheets", "huge"]', said.append) == 1
    assert "unknown game 'huge'" in "".join(said)
    assert inside.list_output() == []
    assert inside.command('["sheets", "--wrong"]', said.append) == 2


@pytest.mark.parametrize("name", ["shop", "preflight", "lab", "pull", "serve", "site"])
def test_what_can_not_be_had_is_named(inside: Inside, name: str) -> None:
    said: list[str] = []
    assert inside.command(json.dumps([name]), said.append) == 1
    assert f"`pnp {name}` " in "".join(said)
    assert "install the program to use it" in "".join(said)


def test_a_project_goes_out_as_it_comes_in(inside: Inside, tiny: TinyProject) -> None:
    files = unpack_project(inside.archive("project"))
    assert files["data/tiny/game.yaml"] == Path(tiny.root, "data/tiny/game.yaml").read_bytes()
    assert inside.archive("project") == inside.archive("project")
    assert set(inside.files()) <= set(files)
    assert "data/tiny/game.yaml" in inside.files()


def test_changes_go_out_as_they_come_in(inside: Inside) -> None:
    """A link packs its archive itself: here nothing is packed, and the order is always the same."""
    files = {"templates/tiny/b.svg": b"b" * 500, "data/tiny/a.yaml": b"a" * 500}
    made = inside.pack_files(files)

    assert unpack_project(made) == files
    assert made.count(b"a" * 500) == 1, "it is packed"
    assert made == inside.pack_files(dict(reversed(files.items())))


def offered(inside: Inside, before: str, after: str = "") -> tuple[set[str], str]:
    """What may be written where a text is cut in two: the names, and what they would stand in place of."""
    found = json.loads(inside.offers("data/tiny/game.yaml", before + after, len(before), ["en-GB", "en"]))
    assert found["end"] == len(before)
    return {one["name"] for one in found["names"]}, (before + after)[found["start"] : found["end"]]


def test_an_editor_asks_what_may_be_written(inside: Inside, tiny: TinyProject) -> None:
    """The same names as a language server offers, for a text as it is typed; places are counted in characters."""
    text = Path(tiny.root, "data/tiny/game.yaml").read_text(encoding="utf-8").replace("Somebody", "\U0001f3b2 𠮷")
    before, after = text.split("star}", 1)
    names, word = offered(inside, f"{before}st", f"}}{after}")
    assert (names, word) == ({"star"}, "st")
    assert offered(inside, before, f"}}{after}") == ({"star"}, "")
    names, word = offered(inside, f"{text}pal")
    assert word == "pal"
    assert {"rules", "setup"} & names
    assert "palette" not in names, "it is there already"


def test_an_editor_asks_what_a_thing_is(inside: Inside, tiny: TinyProject) -> None:
    path, text = "data/tiny/game.yaml", Path(tiny.root, "data/tiny/game.yaml").read_text(encoding="utf-8")
    at_card, at_key = text.index("title: One") + 1, text.index("components") + 1
    japanese, english = (json.loads(inside.hint(path, text, at_key, [lang]))["said"] for lang in ("ja-JP", "en"))
    assert json.loads(inside.hint(path, text, at_card, ["en"]))["face"] == "en:front:card/one"
    assert "**components**" in english
    assert "**components**" in japanese
    assert japanese != english


def test_files_that_no_game_reads_are_asked_for_in_vain(inside: Inside) -> None:
    assert json.loads(inside.offers("data/nobody/game.yaml", "a", 1, [])) == {"names": [], "start": 0, "end": 0}
    assert json.loads(inside.hint("fonts/x.txt", "a", 1, [])) == {"said": "", "face": ""}


@pytest.mark.parametrize("starter", ["cards", "csv", "dice"])
def test_a_project_begins_from_a_starter(inside: Inside, tmp_path: Path, starter: str) -> None:
    """Its files come as they would be stored, and can be opened: nothing is written into the project at work."""
    before = inside.files()
    assert starter in json.loads(inside.starters())
    files = inside.begin_project("mine", starter)

    assert {path.split("/")[0] for path in files} <= {"data", "templates", "fonts", "presets", "profiles"}
    assert {"data", "templates"} <= {path.split("/")[0] for path in files}
    assert inside.files() == before
    for path, data in files.items():
        target = tmp_path / "opened" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    body = Inside(str(tmp_path / "opened")).answer("/games.json")[-1]
    assert [(game["id"], game["problems"]) for game in json.loads(body)["games"]] == [("mine", 0)]


def test_a_project_without_a_proper_name_does_not_begin(inside: Inside) -> None:
    with pytest.raises(ProblemsFound, match="name"):
        inside.begin_project("My Game!", "cards")
