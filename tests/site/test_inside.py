"""What a site's worker asks of the program, without a browser: the page's answers, commands, files, in one thread."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from tests_support import TinyProject

from generator.cli.inside import Inside
from generator.cli.stored import NO_CACHE
from generator.site.archive import unpack_project


@pytest.fixture
def inside(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> Inside:
    """The tiny project at work; where the process stands and what it was told is put back afterwards."""
    monkeypatch.chdir(tiny.root)
    for name in (NO_CACHE, "PYTHON_CPU_COUNT"):
        monkeypatch.setenv(name, "1")
    return Inside(str(tiny.root))


def version(inside: Inside) -> str:
    """Which picture of a card there is now."""
    body = inside.answer("/faces/tiny?face=en:front:card/one")[-1]
    return str(json.loads(body)["faces"][0]["version"])


def test_the_page_is_answered_as_by_its_server(inside: Inside) -> None:
    """Status, type, policy, how long it keeps, content."""
    status, kind, policy, cache, body = inside.answer("/games.json")

    assert (status, kind, cache) == (200, "application/json; charset=utf-8", "no-store")
    assert "default-src 'none'" in policy
    assert [game["id"] for game in json.loads(body)["games"]] == ["tiny"]
    assert inside.answer("/nowhere")[0] == 404
    assert inside.hello().startswith(b"event: hello\ndata: ")


def test_a_change_is_drawn_and_told(inside: Inside, tiny: TinyProject) -> None:
    """Without threads: work is done when it is asked for, and news are there afterwards."""
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


def test_a_command_is_run_and_heard(inside: Inside) -> None:
    """What it says comes piece by piece; what it made can be read; what the last one made is gone."""
    said: list[str] = []

    assert inside.command('["sheets"]', said.append) == 0
    assert inside.made() == ["output/tiny/sheets.en.pdf"]
    assert "output/tiny/sheets.en.pdf" in "".join(said)
    with zipfile.ZipFile(io.BytesIO(inside.archive("made"))) as archive:
        assert archive.namelist() == inside.made()
    said.clear()
    assert inside.command('["sheets", "huge"]', said.append) == 1
    assert "unknown game 'huge'" in "".join(said)
    assert inside.made() == []
    assert inside.command('["sheets", "--wrong"]', said.append) == 2


@pytest.mark.parametrize("name", ["shop", "preflight", "lab", "pull", "serve", "site"])
def test_what_can_not_be_had_is_named(inside: Inside, name: str) -> None:
    """And why; nothing is begun."""
    said: list[str] = []

    assert inside.command(json.dumps([name]), said.append) == 1
    assert f"`pnp {name}` " in "".join(said)
    assert "install the program for it" in "".join(said)


def test_a_project_goes_out_as_it_comes_in(inside: Inside, tiny: TinyProject) -> None:
    """The zip of a project opens as the same files, and twice the same bytes."""
    files = unpack_project(inside.archive("project"))

    assert files["data/tiny/game.yaml"] == Path(tiny.root, "data/tiny/game.yaml").read_bytes()
    assert inside.archive("project") == inside.archive("project")
    assert set(inside.files()) <= set(files)
    assert "data/tiny/game.yaml" in inside.files()
