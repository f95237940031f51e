"""A project as git keeps it at some revision, read into a folder of its own; the user's files are never touched."""

import os
import re
import subprocess
from pathlib import Path

from generator.errors import Problem, ProblemsFound
from generator.files import write_below
from generator.programs import program_path

PREFIX = "git:"
"""What the name of a revision begins with, where names of records and games may stand too."""

FOLDERS = ("data", "templates", "fonts")
"""All that the faces of a game are made of."""

_NO_PROGRAMS = tuple(
    word
    for setting in ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "protocol.allow=never")
    for word in ("-c", setting)
)
"""The repository may be a stranger's, and so are its settings: what they have git run is turned off."""

_ALONE = {
    "LC_ALL": "C",  # git's refusals are told apart by their words
    "GIT_ALLOW_PROTOCOL": "none",  # a partial clone fetches what it lacks, by any program that its settings name
    "GIT_NO_LAZY_FETCH": "1",  # the same again: older versions of git know only the one above
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",  # nothing in the repository is touched
    "NoDefaultCurrentDirectoryInExePath": "1",  # nor does git look for programs in the folder, as Windows would
}

_MOST_SECONDS = 120

_COMMIT = re.compile(r"[0-9a-f]{40,64}")

_FILE = "100"
"""How git's mode of a plain file begins; links (120000) and repositories within (160000) are left alone."""


def revision(root: Path, text: str) -> tuple[str, str]:
    """The commit and the game (or nothing) that `v1`, `HEAD~3` or `v1/fortuna` means in the project at `root`.

    ProblemsFound where git, the repository or the revision is missing.
    """
    _git(root, "rev-parse", "--git-dir")
    commit = _commit(root, text)
    if commit:
        return commit, ""
    before, _, game = text.rpartition("/")  # a branch may have a stroke in its name, so the whole was tried first
    commit = _commit(root, before)
    if commit:
        return commit, game
    what = f"{PREFIX}{text}: git knows no such revision"
    raise ProblemsFound([Problem(None, what, "name a commit, a tag or a branch; `git log --oneline` lists commits")])


def read_revision(root: Path, commit: str, folder: Path) -> None:
    """Write what the commit has of data, templates and fonts of the project at `root` into an empty folder."""
    listed = _git(root, "ls-tree", "-r", "-z", commit, "--", *FOLDERS).decode("utf-8", "surrogateescape")
    entries = [entry.partition("\t") for entry in listed.split("\0") if entry]
    wanted = [(about.split()[2], name) for about, _, name in entries if about.startswith(_FILE)]
    if not wanted:
        what = f"the project has no data at the revision {commit[:12]}"
        raise ProblemsFound([Problem(None, what, "name a later one")])
    blobs = _git(root, "cat-file", "--batch", said="".join(f"{blob}\n" for blob, _ in wanted).encode())
    at = 0
    for blob, name in wanted:
        start = blobs.index(b"\n", at) + 1
        said = blobs[at : start - 1].split()
        if said[-1] == b"missing":
            what = f"git has lost the file {name} of the revision {commit[:12]} ({blob})"
            raise ProblemsFound([Problem(None, what, "`git fsck` says more")])
        size = int(said[2])
        write_below(folder, name, blobs[start : start + size])
        at = start + size + 1


def _commit(root: Path, text: str) -> str:
    """The full name of a commit; empty where there is none, or where the text would be an option."""
    if not text or text.startswith("-") or "\0" in text:
        return ""
    said = _run_git(root, "rev-parse", "--verify", "--quiet", f"{text}^{{commit}}").stdout.decode().strip()
    return said if _COMMIT.fullmatch(said) else ""  # of a range git says where it begins and ends


def _git(root: Path, *words: str, said: bytes = b"") -> bytes:
    """What git answers; ProblemsFound with its own words where it refuses."""
    done = _run_git(root, *words, said=said)
    if done.returncode == 0:
        return done.stdout
    told = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
    if "not a git repository" in told[0]:
        what, hint = "the project is not in a git repository", "compare with a record: `pnp record NAME` makes one"
    else:
        what, hint = f"git can't read the project's history: {told[0]}", "mend it, or compare with a record"
    raise ProblemsFound([Problem(None, what, hint)])


def _run_git(root: Path, *words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    git = program_path("git")
    if git is None:
        hint = "install git, or compare with a record: `pnp record NAME` makes one"
        raise ProblemsFound([Problem(None, "git is not installed, or not found", hint)])
    try:
        return subprocess.run(  # noqa: S603 - git with words of ours; a revision never begins with a dash
            [git, "--no-pager", *_NO_PROGRAMS, *words],
            cwd=root,
            input=said,
            capture_output=True,
            check=False,
            timeout=_MOST_SECONDS,
            env={**os.environ, **_ALONE},
        )
    except subprocess.TimeoutExpired:
        what = f"git did not answer within {_MOST_SECONDS} s"
        raise ProblemsFound([Problem(None, what, "`git fsck` says more; or compare with a record")]) from None
    except (OSError, ValueError) as error:  # ValueError: a character that no argument can hold
        raise ProblemsFound([Problem(None, f"git can't be run: {error}", "compare with a record")]) from None
