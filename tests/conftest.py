"""What all tests share: golden files behind one flag, tools that may be missing, and a tiny project to break."""

import contextlib
import gc
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tables_project import TablesProject
from tests_support import TinyProject, enter

from generator.commands import command_line
from generator.game.model import Game
from generator.play import game_loop
from generator.rules.registry import kernel_folder

pytest_plugins = ["bench_scripts"]
"""Not a second conftest: `from conftest import` would find whichever came first."""
if find_spec("generator.live"):  # tests/test_core_alone.py runs without the optional packages
    pytest_plugins += ["page_fixtures", "site_fixtures", "script_fixtures"]

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parent.parent
Tool = Callable[[str], str]

# What tests and their processes run is compiled once, whatever this user's Python does with compiled modules.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# No test is timed: a busy machine takes many times as long, and nothing is wrong with that. Nor does a result depend on
# luck: `steady` and `thorough` try the same examples each time, `thorough` four times as many: it is what `make
# release-check` asks of every property. `--hypothesis-profile=explore` looks for new ones (CONTRIBUTING.md).
for profile, tried in (("steady", 25), ("thorough", 100)):
    settings.register_profile(
        profile,
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=tried,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.register_profile(
    "explore", deadline=None, max_examples=1000, print_blob=True, suppress_health_check=list(HealthCheck)
)
settings.load_profile("steady")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files instead of comparing with them")


def pytest_configure() -> None:
    """No test looks at what builds of this user's have kept, nor keeps anything there, nor at this user's git."""
    os.environ["PNP_NO_CACHE"] = "1"
    # Git as it comes: without this user's settings, and without the repository that a hook of git's runs the tests for.
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX"):
        os.environ.pop(name, None)
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    # Games that tests share stay to the end; to look through them for garbage again and again takes a tenth of the time.
    gc.set_threshold(50_000, 20, 20)


LONG = {
    "test_accessible_screens", "test_architecture", "test_arrange", "test_bad_inputs", "test_bench", "test_boxes",
    "test_build", "test_cached_build", "test_cards", "test_commands", "test_core_alone", "test_delivery",
    "test_diff_command", "test_diff_planted", "test_documented_pages", "test_effects", "test_every_check_list",
    "test_every_rulebook", "test_everything_on_the_table", "test_extensions", "test_face_folder", "test_face_reads",
    "test_figures", "test_golden", "test_high_contrast", "test_import", "test_lab_command", "test_language_server",
    "test_makeup", "test_observation", "test_packing", "test_pages", "test_pcio", "test_preflight_files",
    "test_preflight_ours", "test_quick_start", "test_readers", "test_references", "test_reused_faces", "test_room",
    "test_same_bytes", "test_same_bytes_of_games", "test_sample_of_play", "test_script_types", "test_session_figures",
    "test_session_report", "test_settings", "test_showcase", "test_site_carried", "test_site_grid",
    "test_site_in_a_browser", "test_site_in_firefox", "test_site_kept_safe", "test_site_parts_in_a_browser",
    "test_site_pictures", "test_site_room", "test_site_strangers", "test_site_table", "test_skill",
    "test_strange_files", "test_table", "test_table_answers", "test_translate", "test_tts", "test_tutorial",
    "test_verdicts", "test_volumes", "test_xanadu_data",
}  # fmt: skip
"""Files of few tests that take long: quick ones 1.5 seconds or more together. Begun last, one would leave cores idle."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files with most to do come first. What browsers and veraPDF say and what only a release asks for is slow."""
    number = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path.stem not in LONG, -number[item.path]))
    for item in items:
        if {"browser", "verapdf"} & set(getattr(item, "fixturenames", ())) or item.get_closest_marker("release"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Hold a text against tests/golden/<name>; an absent file fails too, so that no comparison passes on nothing."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        assert text, f"nothing to compare with {name}"
        assert path.is_file(), f"{path} is missing: run pytest --update-golden and read what it wrote"
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session")
def tool() -> Tool:
    """The path of a program; without it the test is skipped on a user's machine, and fails in CI."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            if os.environ.get("CI"):
                pytest.fail(f"{name} is not installed; .ci/run should have installed it")
            pytest.skip(f"{name} is not installed")
        return path

    return find


@pytest.fixture
def verapdf() -> Callable[..., None]:
    """Hold PDF files against a standard (`2b`, `ua1`) with veraPDF; what fails is said with clause and place."""
    script = ROOT / ".ci" / "verapdf"
    there = os.name == "posix" and script.is_file() and not subprocess.run([script, "--there"], check=False).returncode
    if not there and not os.environ.get("CI"):
        pytest.skip("veraPDF is not put together; .ci/verapdf --prepare does it")

    def hold(standard: str, *files: Path) -> None:
        assert files, "nothing to hold against the standard"
        said = subprocess.run([script, standard, *files], check=False, capture_output=True, text=True)
        assert said.returncode == 0, said.stdout + said.stderr
        assert said.stdout.count("PASS ") == len(files)

    return hold


@pytest.fixture(scope="session")
def kernels() -> str:
    """A folder for the compiled rules of games that ship: they are compiled once for all tests, and anew when they change.

    What is there stays for the next run (`make clean` removes it), for to compile all takes longer than to play.
    """
    compiled = [Path(game_loop.__file__)]
    with contextlib.suppress(ImportError):
        from generator.lab import win_search

        compiled.append(Path(win_search.__file__))
    folder = kernel_folder(ROOT / ".pytest_cache" / "kernels", *compiled)
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


@pytest.fixture
def keeping(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Commands keep what they draw in the returned folder, one for the whole run: a large game is drawn once for all."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kept-by-commands"
    monkeypatch.setenv("PNP_CACHE", str(folder))
    monkeypatch.setenv("PNP_NO_CACHE", "")
    return folder


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TinyProject:
    """A tiny project in an empty folder, which is the current one."""
    return enter(TinyProject(tmp_path / "project"), monkeypatch)


@dataclass(frozen=True)
class Ran:
    """What a command left: exit code and what it said."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> list[str]:
        return self.err.splitlines()


Pnp = Callable[..., Ran]


@pytest.fixture
def pnp(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Pnp:
    """The command `pnp`, run in this process as a shell would run it; with `code` it must end so."""

    def command(*arguments: str, code: int | None = None) -> Ran:
        monkeypatch.setattr("sys.argv", ["pnp", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            command_line.main()
        said = capsys.readouterr()
        ran = Ran(int(stopped.value.code or 0), said.out, said.err)
        assert code in (None, ran.code), ran.err
        return ran

    return command


@pytest.fixture
def recorded(tiny: TinyProject, pnp: Pnp) -> TinyProject:
    """The tiny project with a record of it as it is, `first`."""
    assert pnp("record", "first").code == 0
    return tiny


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def shipped(pnp: Pnp, tmp_path: Path) -> Pnp:
    """The command on the games that ship, which writes below the test's own folder."""
    return lambda *words, code=None: pnp("--project", str(ROOT), *words, "--out", str(tmp_path), code=code)


@pytest.fixture(scope="module")
def game(request: pytest.FixtureRequest) -> Game:
    """The game that a file of tests/games is named after, as its data folder describes it."""
    from shipped_games import workshop

    return workshop(request.module.__name__.split("_")[1]).game


@pytest.fixture
def kites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TablesProject:
    """The game in an empty folder, which is the current one."""
    return enter(TablesProject(tmp_path / "project"), monkeypatch)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A small game with rules and a rulebook, in the current folder; some files of tests have another project."""
    from rulebook_project import BookProject

    return enter(BookProject(tmp_path / "project"), monkeypatch)
