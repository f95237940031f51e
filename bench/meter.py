"""Run one command and print its wall seconds, CPU seconds and peak memory as JSON.

    python -I -S meter.py COMMAND ARGUMENT ...

A process of its own, because Linux counts the memory of the starting process to the started one: measured from the
bench itself, no command would seem smaller than the bench. CPU and memory include children that the command waited for.
"""

import json
import os
import sys
import time


def main() -> None:
    """Measure sys.argv[1:]; exit with the command's exit code."""
    silent = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begin = time.perf_counter()
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
    _, status, usage = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux KiB
    figures = {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak": usage.ru_maxrss / unit}
    sys.stdout.write(json.dumps(figures))
    sys.exit(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
