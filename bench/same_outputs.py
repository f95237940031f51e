"""Hold what two checkouts make against each other, byte for byte: files, what commands say, exit codes.

    python bench/same_outputs.py OLD NEW [--python FILE] [--quick] [--keep FOLDER]

OLD and NEW are checkouts of the project, each with its own data and templates. Every command of `commands()` runs in
both; what differs is listed, and the exit code is 1 where anything does. OLD may be a folder that `--keep` has filled,
so that one state is made once and compared often. `--quick` leaves out what takes more than a few seconds.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from pathlib import Path

GAMES = ("fortuna", "journey18", "journey8", "wayfaring", "xanadu")
STARTERS = ("cards", "board", "csv")
PRESETS = ("digital", "drivethrucards", "makeplayingcards", "manindo", "mb-print")

SAID = "said.txt"
"""What a command said, with its exit code."""

Command = tuple[str, tuple[str, ...], bool]
"""Its folder's name, its arguments, whether it is quick. `{out}` and `{project}` stand for folders."""


def commands() -> Iterator[Command]:
    """Every command that makes or says something, for all games that ship and the starters."""
    for game in GAMES:
        yield from _of_game(game)
    for game in ("fortuna", "xanadu"):
        for preset in PRESETS:
            yield f"{game}-shop-{preset}", ("shop", game, "--preset", preset, "--lang", "ja", "--out", "{out}"), False
    yield "play", ("play", "fortuna", "--bots-only", "--transcript", "--seed", "7"), True
    for game in GAMES:
        play = ("play", game, "--bots-only", "--bot", "random", "--transcript", "--seed", "3", "--lang", "ja")
        yield f"{game}-play", play, True
    yield "presets", ("presets",), True
    yield "help", ("--help",), True
    for name in ("sheets", "shop", "changed", "diff", "validate", "play", "serve", "preflight", "new"):
        yield f"help-{name}", (name, "--help"), True
    yield "unknown", ("sheets", "fortunna", "--out", "{out}"), True
    yield "calibrate", ("calibrate", "--out", "{out}/calibration.pdf"), True
    for starter in STARTERS:
        yield f"new-{starter}", ("new", "mine", "--from", starter), True
        for command in ("build", "validate", "shop", "diff"):
            more = {"shop": ("--preset", "digital"), "diff": ("mine", "mine")}.get(command, ())
            there = ("--project", "{made}/new-" + starter + "/mine", command, *more)
            yield (
                f"new-{starter}-{command}",
                (*there, "--out", "{out}") if command in ("build", "shop") else there,
                True,
            )


def _of_game(game: str) -> Iterator[Command]:
    out = ("--out", "{out}")
    yield f"{game}-sheets", ("sheets", game, *out), True
    yield f"{game}-build", ("build", game, *out), False
    yield f"{game}-list", ("list", game), True
    yield f"{game}-validate", ("validate", game, "--games", "0"), True
    yield f"{game}-validate-json", ("validate", game, "--format", "json", "--games", "2"), False
    yield f"{game}-both", ("sheets", game, "--lang", "ja+en", *out), True
    odd = ("--paper", "A3", "--backs", "fold", "--gap", "3mm", "--prototype", "--numbers", "--show", "guides")
    yield f"{game}-odd", ("sheets", game, "--lang", "en", *odd, *out), True
    yield f"{game}-poor", ("sheets", game, "--lang", "ja", "--low-ink", "--grey", "--backs", "none", *out), True
    yield f"{game}-rulebook-a4", ("rulebook", game, "--page", "a4", *out), False
    yield f"{game}-images", ("images", game, "--lang", "ja", "--dpi", "60", *out), True
    yield f"{game}-proof", ("proof", game, "--lang", "en", *out), False
    yield f"{game}-boxes", ("boxes", game, "--lang", "en", *out), True
    yield f"{game}-dielines", ("dielines", game, "--lang", "en", *out), True
    yield f"{game}-dxf", ("dielines", game, "--lang", "en", "--format", "dxf", *out), True
    yield f"{game}-csv", ("export", "csv", game, *out), True
    yield f"{game}-tts", ("export", "tts", game, "--lang", "ja", "--dpi", "60", "--no-rulebook", *out), True
    yield f"{game}-pcio", ("export", "pcio", game, "--lang", "ja", *out), False
    yield f"{game}-changed", ("changed", game, "--since", "{records}", "--lang", "ja", *out), False
    yield f"{game}-diff-json", ("diff", "{records}", game, "--format", "json", "--all"), False
    yield f"{game}-diff-html", ("diff", "{records}", game, "--format", "html", "--lang", "ja", *out), False
    yield f"{game}-diff-pdf", ("diff", "{records}", game, "--format", "pdf", "--lang", "en", *out), False
    yield (
        f"{game}-preflight",
        ("preflight", "{made}/" + f"{game}-sheets/{game}/sheets.ja.pdf", "--no-ghostscript"),
        False,
    )


def make(checkout: Path, into: Path, python: Path | None, *, quick: bool) -> None:
    """Run all commands with a checkout's program, each into a folder of its own."""
    with tempfile.TemporaryDirectory() as room:
        project = Path(room, "project")
        project.mkdir()
        for name in ("data", "templates", "fonts"):
            shutil.copytree(checkout / name, project / name, symlinks=True)
        program = python or checkout / ".venv" / "bin" / "python"
        run = partial(_run, checkout, project, into, str(program))
        chosen = [command for command in commands() if command[2] or not quick]
        early = [one for one in chosen if not any("{made}" in argument for argument in one[1])]
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(run, early))
            list(pool.map(run, (one for one in chosen if one not in early)))


def _run(checkout: Path, project: Path, into: Path, program: str, command: Command) -> None:
    name, arguments, _ = command
    out = into / name
    out.mkdir(parents=True, exist_ok=True)
    game = name.split("-")[0]
    before = "journey8" if game == "journey18" else "journey18"
    filled = [argument.format(out=out, made=into, records=before, project=project) for argument in arguments]
    own = () if "--project" in filled or filled[0] in ("new", "--help") else ("--project", str(project))
    environment = {**os.environ, "PYTHONPATH": str(checkout), "PNP_NO_CACHE": "1", "COLUMNS": "100", "TZ": "UTC"}
    done = subprocess.run(
        [program, "-m", "generator", *own, *filled],
        cwd=out if filled[0] == "new" else project,
        env=environment,
        capture_output=True,
        check=False,
    )
    places = ((str(into), "MADE"), (str(project), "PROJECT"), (str(checkout), "CHECKOUT"))
    said = (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace")
    for path, word in places:
        said = said.replace(path, word)
        for listing in out.rglob("tts/*.json"):  # it names pictures by their places on this machine
            listing.write_bytes(listing.read_bytes().replace(path.encode(), word.encode()))
    said = re.sub(r"\r[^\n]*", "", re.sub(r"\b\d+(\.\d+)? (s|seconds)\b", "SOME s", said))
    (out / SAID).write_text(f"{said}\nexit code {done.returncode}\n", encoding="utf-8")


def differences(old: Path, new: Path) -> Iterator[str]:
    """What differs between two folders that `make` has filled."""
    ours, theirs = _files(new), _files(old)
    for name in sorted(ours.keys() | theirs.keys()):
        if name not in theirs:
            yield f"only new: {name}"
        elif name not in ours:
            yield f"only old: {name}"
        elif ours[name] != theirs[name]:
            yield f"differs: {name}"


def _files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def main() -> int:
    """Compare two checkouts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--python", type=Path, help="the interpreter for both, else each checkout's .venv")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", type=Path, help="where OLD's outputs stay, for the next comparison")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        made = []
        for side, checkout in (("old", asked.old), ("new", asked.new)):
            if (checkout / "generator").is_dir():
                folder = (asked.keep if side == "old" and asked.keep else Path(room, side)).absolute()
                make(checkout.absolute(), folder, asked.python, quick=asked.quick)
            else:
                folder = checkout.absolute()
            made.append(folder)
        found = list(differences(*made))
        for line in found:
            print(line)
        print(f"{len(_files(made[1]))} files of {len(list(commands()))} commands, {len(found)} differ")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
