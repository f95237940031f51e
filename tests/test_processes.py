"""Processes that help end with the one that they help."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HELPED = """
import os, sys, time
from pathlib import Path
from generator.base.processes import start_helpers

def begin(folder):
    (Path(folder) / str(os.getpid())).touch()

def work(_n):
    time.sleep(0.05)

if __name__ == "__main__":
    with start_helpers(2, begin, sys.argv[1]) as pool:
        list(pool.map(work, range(4)))
        print("ready", flush=True)
        time.sleep(600)
"""


def alive(process: int) -> bool:
    """Whether there is such a process that still does something."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no list of processes")
def test_helpers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    """Killed without a chance to say goodbye, a process leaves none of its helpers behind, and none of their locks."""
    script = tmp_path / "helped.py"
    script.write_text(HELPED)
    (tmp_path / "there").mkdir()
    with subprocess.Popen([sys.executable, script, str(tmp_path / "there")], stdout=subprocess.PIPE) as helped:
        assert helped.stdout is not None
        assert helped.stdout.readline() == b"ready\n"
        helpers = [int(path.name) for path in (tmp_path / "there").iterdir()]
        assert helpers
        assert all(map(alive, helpers))
        os.kill(helped.pid, signal.SIGKILL)
        patience = time.monotonic() + 60
        while any(map(alive, helpers)) and time.monotonic() < patience:
            time.sleep(0.05)

    assert not [helper for helper in helpers if alive(helper)]


def test_helping_processes_import_nothing_from_the_current_folder(tmp_path: Path) -> None:
    for module in ("multiprocessing", "pickle"):
        (tmp_path / f"{module}.py").write_text("open('ran', 'w').close()\n", encoding="utf-8")
    script = tmp_path / "bin" / "script.py"
    script.parent.mkdir()
    script.write_text(
        "import multiprocessing\nfrom generator.base.processes import start_helpers\n"
        "if __name__ == '__main__':\n    multiprocessing.set_start_method('spawn')\n"
        "    with start_helpers(1, print) as pool:\n        print(pool.submit(abs, -3).result())\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert not (tmp_path / "ran").exists()
    assert done.stdout.split() == ["3"], done.stderr
