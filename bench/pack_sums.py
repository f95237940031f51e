"""Write the checksums of the packs that come with pnp into their pack.yaml (`make packs`)."""

import sys
from hashlib import sha256
from pathlib import Path

PACKS = Path(__file__).resolve().parent.parent / "packs"


def write_sums(home: Path) -> bool:
    """Write the list `files` of a pack anew. Return True if it has changed."""
    inner = (path.relative_to(home) for path in sorted(home.rglob("*")) if path.is_file())
    files = [path for path in inner if path.name != "pack.yaml" and "__pycache__" not in path.parts]
    sums = [f"  {path.as_posix()}: {sha256((home / path).read_bytes()).hexdigest()}" for path in files]
    lines = (home / "pack.yaml").read_text(encoding="utf-8").splitlines()
    at = lines.index("files:") + 1
    end = next((n for n in range(at, len(lines)) if not lines[n].startswith(" ")), len(lines))
    written = "\n".join([*lines[:at], *sums, *lines[end:], ""])
    changed = written != "\n".join([*lines, ""])
    (home / "pack.yaml").write_text(written, encoding="utf-8")
    return changed


if __name__ == "__main__":
    for pack in sorted(PACKS.glob("*/pack.yaml")):
        if write_sums(pack.parent):
            sys.stdout.write(f"{pack.parent.name}\n")
