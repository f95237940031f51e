"""Installed packages add to the program by entry points, and a broken one stops only what it adds."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
GAME = "fortuna"

Run = Callable[..., subprocess.CompletedProcess[str]]


def install(home: Path, package: str, points: str, **modules: str) -> None:
    """Write an installed package by hand: its modules and its metadata, as pip leaves them."""
    info = home / f"{package.replace('-', '_')}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[pnp.extensions]\n{points}\n", encoding="utf-8")
    for name, text in modules.items():
        (home / f"{name}.py").write_text(text, encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder of installed packages."""
    return tmp_path / "site"


@pytest.fixture
def run(home: Path, tmp_path: Path) -> Run:
    """Return a function that runs the command line beside the packages, in a project with one game."""
    for name in ("data", "templates"):
        shutil.copytree(ROOT / name / GAME, tmp_path / name / GAME)

    def call(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "generator", *words],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(home), **variables},
        )

    return call


def example(language: str) -> str:
    """Return a code block of docs/extending.md."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found[1]


@pytest.mark.slow
def test_the_example_of_the_page_adds_a_command_a_check_and_an_export(run: Run, home: Path, tmp_path: Path) -> None:
    """The package of docs/extending.md is at most 50 lines long, and all that it adds works from the command line."""
    point = example("toml").split('[project.entry-points."pnp.extensions"]\n')[1].replace('"', "")
    install(home, "pnp-sleeves", point, pnp_sleeves=example("python"))

    assert len(example("python").splitlines()) <= 50
    assert len(PAGE.split()) <= 500
    assert "  sleeves          Count the sleeves for a game\n" in run("--help").stdout.split("\nPrint:\n")[1]
    assert run("sleeves", GAME).stdout == "86\n"
    assert "sleeves  The number of sleeves to buy" in run("export", "--help").stdout
    assert run("export", "sleeves", GAME).stdout == f"output/{GAME}/sleeves.txt\n"
    assert (tmp_path / "output" / GAME / "sleeves.txt").read_text(encoding="utf-8") == "86"
    report = run("validate", GAME, "--games", "0", "--format", "json")
    assert report.returncode == 0
    assert '"id": "sleeves.reel"' in report.stdout
    assert "reel: packs of 50 leave 22 sleeves" in report.stdout


@pytest.mark.slow
def test_a_package_that_cannot_be_imported_stops_only_what_it_adds(run: Run, home: Path) -> None:
    install(home, "pnp-broken", "broken = missing_module:EXTENSION")
    fault = (
        "the package pnp-broken can't be used: No module named 'missing_module'; update it, or uninstall it with pip"
    )

    unknown = run("hello")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert unknown.stderr.splitlines() == [
        fault,
        "there is no 'hello' among the commands; it may be in a package that can't be used",
        "2 problems",
    ]
    helped = run("--help")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert fault in " ".join(helped.stdout.split("\nProblems:\n")[1].split())
    assert "\nExperiment:\n  lab " in helped.stdout
    for words in (["list", GAME], ["presets"], ["export", "csv", GAME], ["new", "mine"]):
        done = run(*words)
        assert (done.returncode, "pnp-broken" in done.stderr) == (0, False), done.stderr
    assert fault in run("import", ".", "other", "--as", "unknown").stderr
    checked = run("validate", GAME, "--games", "0")
    assert checked.returncode == 0
    assert "the package pnp-broken can't be used: No module named 'missing_module'" in checked.stdout


FAULTY = """
from generator.base.extensions import Entry, Extension
import click
EXTENSION = Extension(
    commands={
        "gone": Entry("faulty:gone"), "plain": Entry("faulty:check"), "crash": Entry("faulty:crash"),
        "sheets": Entry("faulty:crash"), "lab": Entry("faulty:crash"),
    },
    checks={"wrong": Entry("faulty:check"), "gone": Entry("faulty:gone")},
    exports={"csv": Entry("faulty:crash"), "late": Entry("no_such_module:late")},
)

def check(game, context):
    return [1 / 0]

@click.command()
def crash():
    {}["key"]
"""


@pytest.mark.slow
def test_a_faulty_object_is_one_line_that_names_its_package(run: Run, home: Path) -> None:
    """An object that is missing, of another type or that fails ends its own command with 1, never with a traceback."""
    install(home, "pnp-faulty", "x = faulty:EXTENSION", faulty=FAULTY)
    uninstall = "; update it, or uninstall it with pip\n"
    said = {
        "gone": f"the package pnp-faulty adds 'gone', which can't be used: module 'faulty' has no attribute 'gone'{uninstall}",
        "plain": f"the package pnp-faulty adds 'plain', which can't be used: faulty:check is of type function, not Command{uninstall}",
        "export late": f"the package pnp-faulty adds 'late', which can't be used: No module named 'no_such_module'{uninstall}",
    }
    for words, line in said.items():
        done = run(*words.split())
        assert (done.returncode, done.stdout, done.stderr) == (1, "", line)
    crashed = run("crash")
    assert crashed.returncode == 1
    assert re.fullmatch(
        r"the package pnp-faulty failed: KeyError: 'key'; tell its authors; the report is in .*\n", crashed.stderr
    )
    assert run("sheets", GAME, "--lang", "en", "--only", "reel/1-goddess", "--paper", "A4").returncode == 0


@pytest.mark.slow
def test_a_faulty_check_fails_under_its_name(run: Run, home: Path) -> None:
    install(home, "pnp-faulty", "x = faulty:EXTENSION", faulty=FAULTY)
    done = run("validate", GAME, "--games", "0", "--format", "json")
    (game,) = json.loads(done.stdout)["games"]
    failed = {check["id"]: check["sentence"] for check in game["checks"] if check["status"] == "fail"}

    assert done.returncode == 1
    assert len(game["checks"]) > 20
    assert failed == {
        "wrong": "the package pnp-faulty adds 'wrong', which failed: ZeroDivisionError: division by zero",
        "gone": "the package pnp-faulty adds 'gone', which can't be used: module 'faulty' has no attribute 'gone'",
    }


@pytest.mark.slow
def test_names_of_the_program_cannot_be_replaced(run: Run, home: Path) -> None:
    install(home, "pnp-faulty", "x = faulty:EXTENSION", faulty=FAULTY)

    assert run("lab", "--help").stdout.startswith("Usage: python -m generator lab ")
    assert run("sheets", "--help").stdout.startswith("Usage: python -m generator sheets ")
    shown = " ".join(run("--help").stdout.split("\nProblems:\n")[1].split())
    for name in ("sheets", "lab"):
        assert f"the package pnp-faulty adds '{name}', which exists already among the commands" in shown
    assert "adds 'csv', which exists already among the exports" in " ".join(run("export", "--help").stdout.split())


def test_a_name_of_two_packages_is_refused(run: Run, home: Path) -> None:
    text = (
        "import click\nfrom generator.base.extensions import Entry, Extension\n"
        "EXTENSION = Extension(commands={'hello': Entry('%s:hello')})\n@click.command()\ndef hello(): click.echo('hi')\n"
    )
    install(home, "pnp-one", "x = one:EXTENSION", one=text % "one")
    assert run("hello").stdout == "hi\n"
    install(home, "pnp-two", "x = two:EXTENSION", two=text % "two")
    done = run("hello")

    assert done.returncode == 1
    assert done.stderr == "'hello' is added by two packages, pnp-one and pnp-two; uninstall one of them\n"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("EXTENSION = {}", "wrong:EXTENSION is of type dict, not Extension"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def", "SyntaxError: invalid syntax (wrong.py, line 1)"),
        (
            "from generator.base.extensions import Extension\nEXTENSION = Extension(commands={'a': 'b'})",
            "commands: 'a' needs an Entry('module:object')",
        ),
        (
            "from generator.base.extensions import Entry, Extension\n"
            "EXTENSION = Extension(commands={'a': Entry('b:c', None)})",
            "commands: 'a' needs an Entry('module:object')",
        ),
        ("from generator.base.extensions import Extension\nEXTENSION = Extension(comands={})", "comands"),
    ],
)
def test_a_wrong_declaration_is_one_line(run: Run, home: Path, text: str, fault: str) -> None:
    install(home, "pnp-wrong", "x = wrong:EXTENSION", wrong=text)
    done = run("hello")

    assert done.returncode == 1
    assert "the package pnp-wrong can't be used: " in done.stderr
    assert fault in done.stderr
    assert len(done.stderr.splitlines()) == 3


def test_damaged_metadata_of_another_package_is_ignored(run: Run, home: Path) -> None:
    install(home, "other", "x = other:EXTENSION")
    (home / "other-1.0.dist-info" / "entry_points.txt").write_text(
        "[console_scripts]\nno equals sign", encoding="utf-8"
    )

    assert "Problems" not in run("--help").stdout


def test_no_project_can_add_an_extension(run: Run, tmp_path: Path) -> None:
    install(tmp_path, "pnp-evil", "x = evil:EXTENSION", evil="raise SystemExit('evil')")

    assert "evil" not in run("--help").stdout
    assert run("hello").returncode == 2


OTHERS = """
import click
from generator.base.extensions import Entry, Extension
EXTENSION = Extension(
    importers={"cards-txt": Entry("others:CARDS")},
    build_steps={"tally": Entry("others:TALLY")},
    notes={"thanks": Entry("others:thank")},
)

def __getattr__(name):
    if name == "CARDS":
        from generator.exchange.foreign_project import Program, add_deck
        knows = lambda files: bool(files.find_by_suffix(".cards"))
        return Program("Cards", knows, lambda files, found: add_deck(files, found, files.find_by_suffix(".csv")[0]))
    if name == "TALLY":
        from generator.commands.build import BuildStep
        option = click.Option(["--tally"], is_flag=True)
        return BuildStep((option,), lambda options, project: options["tally"] and click.echo("tally"), lambda *_: ())
    raise AttributeError(name)

def thank(project, games, languages):
    return [f"thanks for {games[0]}"]
"""


@pytest.mark.slow
def test_importers_build_steps_and_notes_are_found(run: Run, home: Path, tmp_path: Path) -> None:
    install(home, "pnp-others", "x = others:EXTENSION", others=OTHERS)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "a.cards").write_text("", encoding="utf-8")
    (tmp_path / "foreign" / "cards.csv").write_text("name,cost\nOne,1\nTwo,2\n", encoding="utf-8")
    imported = run("import", "foreign", "made")
    assert imported.returncode == 0, imported.stderr
    assert "Read as: Cards." in (tmp_path / "made" / "IMPORT.md").read_text(encoding="utf-8")
    built = run("build", GAME, "--lang", "en", "--only", "reel/1-goddess", "--tally")
    assert built.returncode == 0, built.stderr
    assert "tally\n" in built.stdout
    assert f"note: thanks for {GAME}\n" in built.stderr


COUNTED = """
from generator.base.extensions import Entry, Extension
from generator.checks.check_report import Check
EXTENSION = Extension(checks={"counted": Entry("counted:check")})

def check(game, context):
    return [Check("ids", "count", "pass", "SENTENCE")]
"""


@pytest.mark.slow
def test_results_of_added_checks_are_not_cached(run: Run, home: Path, tmp_path: Path) -> None:
    """Their code may change at any time. An id is put below the check's name, so that it differs from the program's."""
    sentences = []
    cache = {"PNP_NO_CACHE": "", "PNP_CACHE": str(tmp_path / "cache")}
    (tmp_path / "cache").mkdir(mode=0o700)
    for sentence in ("first", "second one"):
        shutil.rmtree(home, ignore_errors=True)
        install(home, "pnp-counted", "x = counted:EXTENSION", counted=COUNTED.replace("SENTENCE", sentence))
        report = run("validate", GAME, "--games", "0", "--format", "json", **cache)
        (game,) = json.loads(report.stdout)["games"]
        sentences += [check["sentence"] for check in game["checks"] if check["id"] == "counted.ids"]

    assert sentences == ["first", "second one"]


def test_completion_offers_commands_of_packages_and_skips_broken_ones(run: Run, home: Path) -> None:
    install(home, "pnp-faulty", "x = faulty:EXTENSION", faulty=FAULTY)
    asked = {"_PYTHON _M GENERATOR_COMPLETE": "bash_complete", "COMP_CWORD": "1"}

    assert run(**asked, COMP_WORDS="pnp cr").stdout.split() == ["plain,crash"]
    assert run(**asked, COMP_WORDS="pnp g").stdout.split() == ["plain,guide"]
