"""The last net below every command: what nobody foresaw ends in a sentence, a report to send, and an exit code."""

import errno
import os
import platform
import sys
import traceback
from pathlib import Path
from types import TracebackType

from generator import __version__
from generator.cli.output import say

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SOFTWARE_FAULT = 70
"""The exit code that systems have for a fault of the program itself."""

_PACKAGE = Path(__file__).parent.parent


FEWEST_FILES = 64
"""So many files must be allowed open at once: with fewer, libraries and helping processes fail one by one, or wait."""


def too_few_files() -> str:
    """What to say where the system allows too few open files, after the limit was raised as far as it may be."""
    if resource is None:
        return ""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY or allowed >= FEWEST_FILES:
        return ""
    if most == resource.RLIM_INFINITY or most >= FEWEST_FILES:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FEWEST_FILES, most))
        return ""
    what = f"only {most} files may be open at once, and {FEWEST_FILES} are needed"
    return f"{what}; raise the limit (ulimit -n 256)"


def exit_code_of(error: BaseException) -> int:
    """Say what ended the command, where that was no problem of the user's files; its exit code."""
    if isinstance(error, MemoryError):
        _say("there is not enough memory for this; close other programs, or make less at once")
        return 1
    if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
        _say("too many files are open; raise the limit (ulimit -n 1024), or close other programs")
        return 1
    if isinstance(error, OSError) and _while_saying(error.__traceback__):
        return _unsaid(error)
    if isinstance(error, ValueError) and sys.stdout.closed and _while_saying(error.__traceback__):
        _say("somebody has closed the output before all was said: rules run with --trust-rules must leave it open")
        return 1
    report = _report(error)
    _say(f"a fault of the program itself: {_short(error)}; {report}")
    return SOFTWARE_FAULT


def _say(sentence: str) -> None:
    try:
        say(sentence, err=True)
    except (OSError, ValueError):
        _let_go()


def _while_saying(trace: TracebackType | None) -> bool:
    """Whether an error arose while something was printed."""
    return any(frame.f_globals.get("__name__") == "click.utils" for frame, _ in traceback.walk_tb(trace))


def _unsaid(error: OSError) -> int:
    """What is printed can't be taken; a reader that has heard enough and left is nothing to speak of."""
    _let_go()
    if error.errno != errno.EPIPE:
        _say(f"the output can't be written: {error.strerror or error}; look where it goes")
    return 1


def _let_go() -> None:
    """Forget what still waits to be printed: at the exit it would fail once more."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _short(error: BaseException) -> str:
    """The error in a line, with the innermost line of this program that it passed."""
    ours = [at for at in traceback.extract_tb(error.__traceback__) if Path(at.filename).is_relative_to(_PACKAGE)]
    where = f" ({Path(ours[-1].filename).relative_to(_PACKAGE).as_posix()}:{ours[-1].lineno})" if ours else ""
    words = " ".join(str(error).split())
    shown = words if len(words) <= 200 else f"{words[:200]}..."
    return f"{type(error).__name__}{': ' if shown else ''}{shown}{where}"


def _report(error: BaseException) -> str:
    """Write down what whoever mends it must know; where that lies, in words."""
    import shlex
    import tempfile

    command = shlex.join(["pnp", *sys.argv[1:]])
    versions = f"pnp {__version__}, Python {platform.python_version()}, {platform.platform()}"
    text = f"{versions}\n{command}\n\n{''.join(traceback.format_exception(error))}"
    try:
        # Nobody else has to know whose machine this is.
        text = text.replace(str(Path.cwd()), ".").replace(str(Path.home()), "~")
    except (OSError, RuntimeError):
        text = f"{text}\n"
    try:
        number, name = tempfile.mkstemp(prefix="pnp-fault-", suffix=".txt")
        with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except OSError:
        return "no report could be written; please tell us the command"
    return f"the report lies in {name}, please send it"
