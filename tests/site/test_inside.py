"""What a site is made of and what its worker asks of the program, without a browser."""

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import jinja2
import pytest
from conftest import ROOT
from tests_support import TinyProject, quick

from generator.base.cache import RecentValues
from generator.base.errors import ProblemsFound
from generator.base.extensions import GROUP, OWN
from generator.commands.settings import NO_CACHE
from generator.commands.starters import read_starter
from generator.drawing.templates import sandbox
from generator.game.packs import STARTERS
from generator.live import browser_bridge, site_runtime
from generator.live.browser_bridge import Inside, begin_project, unpack_project
from generator.live.game_show import Show
from generator.live.routes import PAGE
from generator.live.site import collect_program_files, collect_starter_files, make_tar, split_program
from generator.live.site_runtime import PACKAGES, RUNTIME, WHEELS, Pinned, load_runtime, make_scripts


@pytest.fixture
def inside(tiny: TinyProject, monkeypatch: pytest.MonkeyPatch) -> Inside:
    """The tiny project at work; where the process stands and what it was told is put back afterwards."""
    monkeypatch.chdir(tiny.root)
    for name in (NO_CACHE, "PYTHON_CPU_COUNT"):
        monkeypatch.setenv(name, "1")
    return Inside(str(tiny.root))


def asked(inside: Inside, *question: Any) -> Any:
    """The answer to a question of the page's workbench."""
    answer = inside.ask(json.dumps(question))
    assert answer is not None, question
    return json.loads(answer)


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


def test_the_page_can_move_an_element(inside: Inside, tiny: TinyProject) -> None:
    told = json.loads(inside.answer("/boxes/tiny/en/card%2Fone/front.json")[-1])
    (file, state), box = *told["files"].items(), told["boxes"][0]
    order = {
        **{name: box[name] for name in ("file", "line", "column")},
        "digest": state["digest"],
        "values": {"x": ["-3", 2]},
    }
    assert "undo" in json.loads(inside.carry_out("edit", json.dumps(order)))
    assert '<rect x="2" y="-3"' in (tiny.root / file).read_text("utf-8")


def test_a_note_of_the_page_is_a_file_of_the_project(inside: Inside, tiny: TinyProject) -> None:
    """It is in the zip that the reader saves; a wrong note is explained."""
    note = {"game": "tiny", "about": "card/one", "text": "Too strong.", "author": "Mika", "players": 2}
    file = json.loads(inside.carry_out("note", json.dumps(note)))
    assert file in inside.list_paths() and "Too strong." in (tiny.root / file).read_text(encoding="utf-8")
    assert file in zipfile.ZipFile(io.BytesIO(inside.archive("project"))).namelist()
    wrong = json.loads(inside.carry_out("note", json.dumps({**note, "about": "card/three"})))
    assert "there is no card, heading or entry 'card/three'" in wrong["problems"][0]


@pytest.mark.slow
def test_the_program_begins_without_pdfium() -> None:
    """A site keeps the memory of the program as it begins, in which no compiled library may have come in later."""
    script = "import sys, generator.live.browser_bridge; print('pypdfium2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "False\n"


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_files_are_looked_at_when_they_may_have_changed(inside: Inside, tiny: TinyProject) -> None:
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
    assert set(asked(inside, "files")) <= set(files)
    assert "data/tiny/game.yaml" in asked(inside, "files")


def test_changes_go_out_as_they_come_in(inside: Inside) -> None:
    """A link packs its archive itself: here nothing is packed, and the order is always the same."""
    files = {"templates/tiny/b.svg": b"b" * 500, "data/tiny/a.yaml": b"a" * 500}
    made = inside.pack_files(files)

    assert unpack_project(made) == files
    assert made.count(b"a" * 500) == 1, "it is packed"
    assert made == inside.pack_files(dict(reversed(files.items())))


def offered(inside: Inside, before: str, after: str = "") -> tuple[set[str], str]:
    """What may be written where a text is cut in two: the names, and what they would stand in place of."""
    found = asked(inside, "offers", "data/tiny/game.yaml", before + after, len(before), ["en-GB", "en"])
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
    japanese, english = (asked(inside, "hint", path, text, at_key, [lang])["said"] for lang in ("ja-JP", "en"))
    assert asked(inside, "hint", path, text, at_card, ["en"])["face"] == "en:front:card/one"
    assert "**components**" in english
    assert "**components**" in japanese
    assert japanese != english


def test_files_that_no_game_reads_are_asked_for_in_vain(inside: Inside) -> None:
    assert asked(inside, "offers", "data/nobody/game.yaml", "a", 1, []) == {"names": [], "start": 0, "end": 0}
    assert asked(inside, "hint", "fonts/x.txt", "a", 1, []) == {"said": "", "face": ""}


@pytest.mark.parametrize("starter", quick(sorted(STARTERS), "cards", "csv", "dice"))
def test_a_project_begins_from_a_starter(inside: Inside, tmp_path: Path, starter: str) -> None:
    """Its files come as they would be stored, and can be opened: nothing is written into the project at work."""
    before = asked(inside, "files")
    files = begin_project("mine", starter)

    assert {path.split("/")[0] for path in files} <= {"data", "templates", "fonts", "presets", "profiles"}
    assert {"data", "templates"} <= {path.split("/")[0] for path in files}
    assert asked(inside, "files") == before
    for path, data in files.items():
        target = tmp_path / "opened" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    body = Inside(str(tmp_path / "opened")).answer("/games.json")[-1]
    assert [(game["id"], game["problems"]) for game in json.loads(body)["games"]] == [("mine", 0)]


def test_a_project_without_a_proper_name_does_not_begin(inside: Inside) -> None:
    with pytest.raises(ProblemsFound, match="name"):
        begin_project("My Game!", "cards")


def zipped(files: Mapping[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as made:
        for name, data in files.items():
            made.writestr(name, data)
    return out.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(ProblemsFound) as found:
        unpack_project(data)
    return str(found.value)


def test_a_folder_in_the_zip_is_no_matter() -> None:
    files = {"data/tiny/game.yaml": b"a", "templates/tiny/card.svg": b"b"}
    more = {"README.md": b"-", "output/x.pdf": b"-", "data/.git/config": b"-", ".git/data/x": b"-"}
    assert unpack_project(zipped(files | more)) == files
    assert unpack_project(zipped({f"my games/{name}": data for name, data in (files | more).items()})) == files


def test_names_never_lead_out() -> None:
    files = {"data/tiny/game.yaml": b"a"}
    wild = {"data/../../etc/x": b"-", "/data/tiny/y.yaml": b"-", "data/..\\x.yaml": b"-", "../data/z.yaml": b"-"}
    assert unpack_project(zipped(files | wild)) == files


def test_a_bomb_ends_at_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_bridge, "MOST_BYTES", 3 * 1024 * 1024)
    bomb = zipped({"data/a.yaml": bytes(2 * 1024 * 1024), "data/b.yaml": bytes(2 * 1024 * 1024)})
    assert len(bomb) < 10_000, "the test must have a bomb"
    assert "unpacks to more than 3 MiB; remove files" in refusal(bomb)


def test_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_bridge, "MOST_FILES", 2)
    assert "3 files, more than 2" in refusal(zipped({f"data/{name}.yaml": b"" for name in "abc"}))


def test_what_is_no_project() -> None:
    whole = zipped({"data/tiny/game.yaml": bytes(range(256)) * 40})
    spoilt = bytearray(whole)
    spoilt[49:52] = b"\xff" * 3  # behind the first name: what is packed begins with a kind that there is not
    assert "not a readable zip archive" in refusal(b"anything")
    assert "not a readable zip archive (Error -3" in refusal(bytes(spoilt))
    assert "it contains no data/" in refusal(zipped({"cards/game.yaml": b"x"}))


def test_a_file_that_is_a_folder_as_well() -> None:
    both = {"data/tiny": b"a", "data/tiny/game.yaml": b"b"}
    assert "data/tiny is both a file and a folder" in refusal(zipped(both))
    assert "data/tiny is both a file and a folder" in refusal(zipped(dict(reversed(both.items()))))


def test_a_part_of_a_project_needs_no_data() -> None:
    files = {"templates/tiny/card.svg": b"b"}
    assert unpack_project(zipped(files | {"templates/../../etc/x": b"-"}), part=True) == files


def test_a_packed_folder_is_the_same_each_time() -> None:
    """Neither the order nor the hour shows, and what went in comes out, long names too."""
    files = {"generator/a.py": b"a" * 1000, "x" * 90 + "/" + "y" * 90: b"", "b": bytes(513)}
    made = make_tar(files)
    assert made == make_tar(dict(reversed(files.items())))
    with tarfile.open(fileobj=io.BytesIO(made)) as archive:
        assert {one.name: archive.extractfile(one).read() for one in archive} == files  # type: ignore[union-attr]


def test_a_project_begins_from_a_drawing() -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="63mm" height="88mm"><text x="5" y="20">{{ card.title }}</text></svg>'
    files = begin_project("mine", "drawing", drawing)
    assert {"data/mine/cards.csv", "templates/mine/card.svg"} <= set(files)


def test_modules_come_in_the_form_that_is_needed() -> None:
    """Loaded modules go as sources, others compiled, rules also as sources, and rare files into archives of their own."""
    program = {"a/run.py": b"1", "a/rest.py": b"2", "generator/rules/x/rules.py": b"3", "a/data.yaml": b"4",
               "pyphen/dictionaries/hyph_de.dic": b"5"}  # fmt: skip
    compiled = {
        f"{path.rpartition('/')[0]}/__pycache__/{path.rpartition('/')[2][:-3]}.cpython-314.pyc": b"c"
        for path in program
        if path.endswith(".py")
    }
    parts = split_program(program, compiled, ["a/run.py"])
    assert {name: sorted(files) for name, files in parts.items()} == {
        "program": ["a/data.yaml"],
        "modules": ["a/rest.pyc", "generator/rules/x/__pycache__/rules.cpython-314.pyc"],
        "sources": ["a/run.py", "generator/rules/x/rules.py"],
        "hyphens": ["pyphen/dictionaries/hyph_de.dic"],
    }
    assert set(split_program(program, {}, [])["program"]) == {path for path in program if "hyph" not in path}


def test_a_site_finds_the_optional_packages(tmp_path: Path) -> None:
    """The program of a site has the metadata by which commands such as `pnp changed` are found."""
    for path, data in collect_program_files():
        if ".dist-info/" in path:
            (tmp_path / path).parent.mkdir(exist_ok=True)
            (tmp_path / path).write_bytes(data)
    (found,) = distributions(path=[str(tmp_path)])

    assert found.name == OWN
    assert {point.name for point in found.entry_points.select(group=GROUP)} == {
        *("exchange", "lab", "live", "production", "versions")
    }


def test_a_folder_without_the_runtime_is_told(tmp_path: Path) -> None:
    (tmp_path / WHEELS[0].file).write_bytes(b"another")
    with pytest.raises(ProblemsFound) as found:
        load_runtime(tmp_path, tmp_path, print)
    said = str(found.value)
    assert f"{RUNTIME.file}: the file can't be read" in said
    assert f"{WHEELS[0].file}: the file has the wrong content (sha256); delete it" in said
    assert f"{WHEELS[1].file}: the file can't be read" in said


def test_a_registry_that_can_not_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_runtime, "find_program", lambda *_names: None)
    with pytest.raises(
        ProblemsFound, match=r"npm, which gets pyodide.* is not installed; install Node.js, or .*--runtime"
    ):
        load_runtime(None, tmp_path, lambda _doing: None)
    monkeypatch.setattr(site_runtime, "find_program", lambda *_names: "/bin/false")
    with pytest.raises(ProblemsFound, match=r"can't be downloaded: ; check your connection"):
        load_runtime(None, tmp_path, lambda _doing: None)
    assert list(tmp_path.iterdir()) == []


def test_what_projects_begin_from_is_whole() -> None:
    files = dict(collect_starter_files())
    assert {path.split("/")[1] for path in files if path.startswith("packs/")} == {*STARTERS, "layout"}
    assert {f"docs/{name}" for starter in STARTERS for name in read_starter(starter)[1]} <= set(files)
    assert not [path for path in files if "__pycache__" in path]


def package(name: str, script: str) -> tuple[Pinned, bytes]:
    """A package of npm's with this script, and what pins it."""
    said = {"exports": {"import": "./dist/index.js", "require": "./dist/index.cjs"}, "license": "MIT"}
    files = {"package.json": json.dumps(said), "dist/index.js": script, "LICENSE": "Anybody may."}
    data = make_tar({f"package/{path}": text.encode() for path, text in files.items()})
    return Pinned(f"{name}.tgz", hashlib.sha256(data).hexdigest(), name, "1.0"), data


def test_packages_become_scripts_that_ask_for_each_other() -> None:
    """By their files in one folder; a text that only looks like an import stays, and nobody outside is asked."""
    first = package(
        "@house/door", "import { a } from 'crel';\nexport { b } from \"crel\";\nlet c = \" from 'crel'\";\n"
    )
    door, crel = make_scripts(dict([first, package("crel", "export const a = 1, b = 2;\n")]))
    assert (door.file, crel.file) == ("house-door.js", "crel.js")
    asked = "import { a } from './crel.js';\nexport { b } from \"./crel.js\";\nlet c = \" from 'crel'\";\n"
    assert door.text.decode() == asked
    assert (door.licence, door.terms) == ("MIT", b"Anybody may.")
    with pytest.raises(LookupError):
        make_scripts(dict([first]))


def test_without_the_editors_packages_there_is_a_plain_field(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_runtime, "PARTS", ("pyodide-lock.json",))
    monkeypatch.setattr(site_runtime, "FURTHER", ())
    monkeypatch.setattr(site_runtime, "WHEELS", ())
    monkeypatch.setattr(site_runtime, "DECODERS", {})
    data = make_tar({"package/pyodide-lock.json": b'{"packages": {}}'})
    pinned = RUNTIME._replace(sha256=hashlib.sha256(data).hexdigest())
    monkeypatch.setattr(site_runtime, "RUNTIME", pinned)
    (tmp_path / pinned.file).write_bytes(data)

    named = load_runtime(tmp_path, tmp_path, print)
    assert named.editor == ()
    assert f"has no {PACKAGES[0].file} and {len(PACKAGES) - 1} more" in named.lacking
    monkeypatch.setattr(site_runtime, "find_program", lambda *_names: None)
    fetched = load_runtime(None, tmp_path, print)
    assert fetched.editor == ()
    assert "npm, which gets codemirror-" in fetched.lacking
    monkeypatch.setattr(site_runtime, "PACKAGES", PACKAGES[:1])
    (tmp_path / PACKAGES[0].file).write_bytes(b"another")
    with pytest.raises(ProblemsFound, match=r"codemirror-.*: the file has the wrong content \(sha256\)"):
        load_runtime(tmp_path, tmp_path, print)


def test_the_live_page_may_stand_anywhere() -> None:
    addresses = {
        f"{path.name}: {found}"
        for path in PAGE.iterdir()
        for found in re.findall(
            r"""(?:href|src)="(/[^"]*)|["'`](/[a-z][^"'`]*)["'`]""", path.read_text(encoding="utf-8")
        )
    }
    assert len(list(PAGE.iterdir())) > 5, "the test must see the page"
    assert not addresses
