"""Measure how large and how readable the code is, as a table of metrics with their limits.

    python bench/house.py [-v]

Run it in the project's folder. It reads generator/ and tests/, and runs `pnp sheets` and `pnp validate` once to count
calls. With -v it also lists each place that breaks a naming rule.
"""

import ast
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator"

IRREGULAR = frozenset(
    re.findall(
        r"\w+",
        "told said shown made kept held seen drawn found asked lent known given written taken laid sent meant left "
        "chosen begun done gone worn led met sought bought brought built thrown torn grown hidden broken spoken "
        "understood wound bound driven fallen forgotten lost paid sold stood struck stuck swept taught thought won",
    )
)
NO_PARTICIPLES = {
    "need",
    "speed",
    "seed",
    "feed",
    "embed",
    "shed",
    "bed",
    "breed",
    "bleed",
    "indeed",
    "hundred",
    "weed",
}

TRACE = """
import sys
deepest = depth = first = 0
ran = set()
def profile(frame, event, _value):
    global deepest, depth, first
    name = frame.f_globals.get("__name__", "")
    if not name.startswith("generator"):
        parses = name == "jinja2.environment" and frame.f_code.co_name in ("_parse", "parse")
        if not first and event == "call" and parses:
            first = depth
    elif event == "call":
        depth += 1
        deepest = max(deepest, depth)
        if frame.f_code.co_name != "<module>":
            ran.add(name)
    elif event == "return":
        depth -= 1
sys.argv = ["pnp", *ARGUMENTS]
from generator.commands.command_line import main
sys.setprofile(profile)
try:
    main()
except SystemExit:
    pass
sys.setprofile(None)
print("TRACE", first, deepest, len(ran))
"""


def name_words(name: str) -> list[str]:
    """Return the words of a snake_case name."""
    return [word for word in name.strip("_").split("_") if word]


def is_participle(word: str) -> bool:
    """Return whether a word is a past participle."""
    return word in IRREGULAR or (word.endswith("ed") and len(word) > 3 and word not in NO_PARTICIPLES)


def code_files() -> list[Path]:
    """Return the Python files of the program."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "bundled" not in path.parts)


def count_lines(folder: str) -> int:
    """Return the lines of Python below a folder."""
    return sum(
        len(path.read_text(encoding="utf-8").splitlines())
        for path in (ROOT / folder).rglob("*.py")
        if "bundled" not in path.parts
    )


def module_name(path: Path) -> str:
    """Return the dotted name of a file of the program."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported_modules(tree: ast.Module, modules: set[str]) -> Iterator[str]:
    """Yield the program's modules that a file imports, inside functions too."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("generator"):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in modules else str(node.module)


class Names:
    """Counts of names that break the rules, with their places."""

    def __init__(self, trees: dict[Path, ast.Module]) -> None:
        self.functions = self.one_word = 0
        self.places: dict[str, list[str]] = defaultdict(list)
        stems = Counter(path.stem for path in trees if path.name != "__init__.py" and not is_game(path))
        self.shared = sum(count for count in stems.values() if count > 1)
        for path, tree in trees.items():
            shown = path.relative_to(ROOT).as_posix()
            command = path.stem if f"def {path.stem}(obj" in path.read_text(encoding="utf-8") else ""  # a user's word
            if not command and any(map(is_participle, name_words(path.stem))):
                self.places["module named by a participle"].append(shown)
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("__"):
                    self.functions += 1
                    words = name_words(node.name)
                    self.one_word += len(words) == 1
                    if len(words) == 1 and is_participle(words[0]) and node.name != command:
                        self.places["function named by a participle"].append(f"{shown}:{node.lineno} {node.name}")


def is_game(path: Path) -> bool:
    """Return whether a file belongs to one of the games, whose modules share their names."""
    return bool({"games", "rules"} & set(path.parts))


def small_functions(trees: dict[Path, ast.Module]) -> list[str]:
    """Return the private functions of at most 8 lines that their module calls once."""
    found: list[str] = []
    for path, tree in trees.items():
        used = Counter(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
        used.update(node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
        found += [
            f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
            and re.match("_[^_]", node.name)
            and (node.end_lineno or 0) - node.lineno < 8
            and used[node.name] == 1
        ]
    return found


def layers() -> int:
    """Return the number of layers: the longest chain of imports between packages."""
    packages: dict[str, set[str]] = defaultdict(set)
    for path in code_files():
        if path.parent == PACKAGE:
            continue
        own = path.relative_to(PACKAGE).parts[0]
        for module in re.findall(r"^ *from generator\.(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            if module != own:
                packages[own].add(module)
    known: dict[str, int] = {}

    def height(package: str, above: frozenset[str] = frozenset()) -> int:
        if package not in known:
            below = [height(one, above | {package}) for one in packages[package] if one not in above]
            known[package] = 1 + max(below, default=0)
        return known[package]

    return max(map(height, list(packages)))


def trace_command(*arguments: str) -> tuple[int, int, int]:
    """Run a command; return frames to the first template parse, the deepest call and the modules that ran."""
    code = TRACE.replace("ARGUMENTS", repr(arguments))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    first, deepest, modules = ran.stdout.rsplit("TRACE ", 1)[1].split()
    return int(first), int(deepest), int(modules)


def main() -> None:
    """Print the table."""
    files = code_files()
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    modules = {module_name(path) for path in files}
    importers: dict[str, set[str]] = defaultdict(set)
    for path, tree in trees.items():
        for module in imported_modules(tree, modules):
            importers[module].add(module_name(path))
    names = Names(trees)
    sizes = [len(path.read_text(encoding="utf-8").splitlines()) for path in files]
    packages = {path.relative_to(PACKAGE).parts[0] for path in files if path.parent != PACKAGE}
    small = small_functions(trees)
    first, deepest, one_card = trace_command(
        "--project", ".", "sheets", "fortuna", "--lang", "en", "--only", "reel/6-wheat", "--copies", "1", "--no-cache",
        "--out", "output/.house",
    )  # fmt: skip
    _, _, validate = trace_command("--project", ".", "validate", "fortuna", "--no-cache")
    subprocess.run(["rm", "-rf", str(ROOT / "output" / ".house")], check=True)
    rows = [
        ("lines of Python in generator/", count_lines("generator"), 97_000),
        ("lines of Python in tests/", count_lines("tests"), 70_000),
        ("files", len(files), 330),
        ("packages", len(packages), 15),
        ("layers", layers(), 8),
        ("median lines per file (at least)", int(median(sizes)), 220),
        ("files with one importer", sum(len(who) == 1 for who in importers.values()), 50),
        ("one-word function names, percent", round(100 * names.one_word / names.functions), 30),
        ("bare participles among functions", len(names.places["function named by a participle"]), 5),
        ("participles among modules", len(names.places["module named by a participle"]), 0),
        ("module names used twice outside games", names.shared, 20),
        ("private functions of up to 8 lines called once", len(small), 400),
        ("frames to the first template parse", first, 8),
        ("call depth", deepest, 40),
        ("modules run for one card", one_card, 60),
        ("modules run for validate", validate, 100),
    ]
    print(f"{'metric':<48} {'now':>9} {'limit':>9}")
    for title, value, limit in rows:
        print(f"{title:<48} {value:>9,} {limit:>9,}")
    if "-v" in sys.argv:
        for kind, places in [*names.places.items(), ("small function called once", small)]:
            print(f"\n{kind}\n" + "\n".join(places))


if __name__ == "__main__":
    main()
