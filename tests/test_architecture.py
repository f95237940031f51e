"""The packages of docs/source.md are those of the code, imports run one way, names and docstrings follow the house style.

Modules are nouns, functions start with a verb, predicates say so.
"""

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from conftest import LONG, ROOT

sys.path.insert(0, str(ROOT / "bench"))

import house

PACKAGE = ROOT / "generator"
FILES = sorted(path for path in PACKAGE.rglob("*.py") if "bundled" not in path.parts)

CONFINED = {
    "reportlab": ("drawing/templates/functions.py",),
    "uharfbuzz": ("text/", "drawing/pdf/"),
    "jinja2": ("drawing/templates/", "books/web_page.py"),
    "yaml": ("game/", "base/languages.py"),
    "openpyxl": ("game/workbooks.py",),
    "pypdfium2": ("drawing/pdf/page_images.py",),
    "click": ("commands/", "lab/commands/", "production/", "exchange/", "versions/", "live/"),
    "pyphen": ("text/line_breaks.py",),
    "resvg_py": ("drawing/svg/filters.py",),
    "pikepdf": ("production/",),
    "PIL": ("base/picture_files.py", "drawing/", "sheets/raster.py", "production/", "exchange/"),
    "markdown_it": ("books/rulebook/",),
    "numba": ("rules/engine/kernel.py",),
    "numpy": ("rules/engine/kernel.py", "lab/"),
    "scipy": ("lab/statistics.py", "lab/strengths.py"),
    "distributed": ("lab/",),
    "pygls": ("live/editor_server.py",),
    "lsprotocol": ("live/editor_server.py",),
}  # fmt: skip

MOST_FILES = 45
"""Files of a package."""
MOST_FILES_OF_LARGE_PACKAGES = {"drawing": 48, "rules": 54}
"""Until there is one SVG reader, and the rules of games are shorter."""
MOST_LINES_OF_A_FILE = 500
MOST_LINES = 114_552
"""Lines of generator/. This number may only go down, but for its debts. It was 109,700 before drawings became templates.
The reader of SVG, which art files and templates share since, has paid a part of it; its texts and effects must follow.
It was 110,840 before the lab had coverage, verdicts and strategies, which have 1,200 lines; 63 of them are not paid.
It was 110,903 before playtest sessions, figures of decks, sell sheets and the browser's files; these have 3,400 lines.
It was 113,759 before packs and rooms for several phones, which have 1,100.
It was 114,949 before the files of `pnp serve --edit`, packs from git and builds in two processes, which have 800."""


def layers() -> dict[str, int]:
    """Return the layer of each package, as docs/source.md states it."""
    section = (ROOT / "docs" / "source.md").read_text(encoding="utf-8").split("## Packages")[1].split("\n## ")[0]
    return {name: int(layer) for layer, name in re.findall(r"^\| (\d) \| `(\w+)` \|", section, re.MULTILINE)}


OPTIONAL_LAYER = 8


def package_of(path: Path) -> str:
    """Return the package that a file belongs to, an empty name for those at the top."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


def shown(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, in functions too."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_source_page_names_every_package() -> None:
    assert len(FILES) > 30, "the test must see the code"
    assert {package_of(path) for path in FILES} - {""} == set(layers())


def test_imports_run_one_way() -> None:
    layer = layers()
    offenders = []
    for path in FILES:
        own = package_of(path)
        if own:
            wanted = {name.split(".")[1] for name in imports(path) if name.startswith("generator.") and name.count(".")}
            offenders += [
                f"{shown(path)} imports {name}"
                for name in sorted(wanted - {"__version__", own})
                if layer.get(name, OPTIONAL_LAYER) >= layer[own]
            ]

    assert not offenders, "\n".join(offenders)


def test_the_core_names_no_optional_package() -> None:
    optional = [name for name, layer in layers().items() if layer == OPTIONAL_LAYER]
    named = re.compile(rf"generator[./]({'|'.join(optional)})\b")
    core = [path for path in FILES if package_of(path) not in optional]

    assert len(optional) == 5
    assert len(core) > 200, "the test must see the code"
    assert [shown(path) for path in core if named.search(path.read_text(encoding="utf-8"))] == []


def test_libraries_stay_in_their_packages() -> None:
    offenders = [
        f"{shown(path)} imports {name}"
        for path in FILES
        for name in imports(path)
        if not shown(path).startswith(CONFINED.get(name.split(".")[0], ("",)))
    ]
    assert not offenders, "\n".join(offenders)


ON_THE_NET = ("urllib.request", "http", "socket", "ssl", "ftplib", "smtplib", "asyncio", "xmlrpc")
"""What opens connections to other computers, or lets them in."""


def test_one_module_asks_other_computers() -> None:
    """`pnp pull` alone reaches the network, and `pnp serve` answers to this computer; a build never does either."""
    found = {
        shown(path)
        for path in FILES
        for name in imports(path)
        if name in ON_THE_NET or name.startswith(tuple(f"{module}." for module in ON_THE_NET))
    }
    assert {name for name in found if not name.startswith("live/")} == {"exchange/pull_tables.py"}


def test_packages_stay_small() -> None:
    """A package has at most 45 files, in at most two levels of folders."""
    files = Counter(package_of(path) for path in FILES)
    assert not {name: n for name, n in files.items() if n > MOST_FILES_OF_LARGE_PACKAGES.get(name, MOST_FILES)}
    assert not [shown(path) for path in FILES if len(path.relative_to(PACKAGE).parts) > 3]


def test_the_program_only_shrinks() -> None:
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in FILES)
    assert MOST_LINES - 1_500 < lines <= MOST_LINES, f"{lines} lines: remove some, or lower MOST_LINES"


def test_no_cycles_between_modules() -> None:
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in FILES}
    graph = {name: {wanted for wanted in imports(path) if wanted in names} for name, path in names.items()}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, " -> ".join((*trail, name))
        if name in done:
            return
        for wanted in sorted(graph[name] - {name}):
            visit(wanted, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())

    assert sum(map(len, graph.values())) > 50, "the test must see imports"


def test_games_have_the_files_of_their_page() -> None:
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    common = set(re.findall(r"^\| `(\w+\.py)` \|", page, re.MULTILINE)) | {"__init__.py"}
    topics = set(re.findall(r"^\| (\w+) \| `(\w+\.py)` \|", page, re.MULTILINE))
    games = [folder.parent for folder in sorted((PACKAGE / "rules").glob("*/state.py"))]
    found = {(game.name, path.name) for game in games for path in game.glob("*.py")}
    assert len(common) > 4, "the test must see the table"
    assert {(game, name) for game, name in found if name not in common} == topics


def test_every_module_says_what_it_is_for() -> None:
    offenders = [shown(path) for path in FILES if not ast.get_docstring(tree_of(path))]
    assert not offenders, "\n".join(offenders)


def test_files_stay_small() -> None:
    """A file has at most 500 lines."""
    lengths = {shown(path): path.read_text(encoding="utf-8").count("\n") for path in FILES}
    offenders = [f"{name}: {length} lines" for name, length in lengths.items() if length > MOST_LINES_OF_A_FILE]
    assert not offenders, "\n".join(offenders)


def test_functions_stay_small() -> None:
    """A function has at most 60 lines."""
    lengths = {
        f"{shown(path)}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    offenders = [f"{name}: {length} lines" for name, length in lengths.items() if length > 60]
    assert len(lengths) > 1000, "the test must see functions"
    assert not offenders, "\n".join(offenders)


def calls_outside(places: Iterable[str], pattern: str) -> Iterator[str]:
    """Calls of functions of such names in other places than these."""
    for path in FILES:
        if not shown(path).startswith(tuple(places)):
            for node in nodes_of(path):
                if isinstance(node, ast.Call) and re.fullmatch(pattern, ast.unparse(node.func)):
                    yield f"{shown(path)}:{node.lineno} {ast.unparse(node.func)}"


def test_only_the_command_line_prints_and_exits() -> None:
    forbidden = ("print", "sys.exit", "exit", "quit", "os._exit", "breakpoint")
    offenders = list(calls_outside(CONFINED["click"], "|".join(map(re.escape, forbidden))))
    assert not offenders, "\n".join(offenders)


def test_the_command_line_prints_in_one_place() -> None:
    offenders = [
        f"{shown(path)}:{node.lineno} {ast.unparse(node)}"
        for path in FILES
        if shown(path) not in ("commands/command_line.py", "__main__.py")
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute)
        and re.fullmatch(
            r"click\.(echo|secho|echo_via_pager|prompt|confirm)|sys\.(stdout|stderr)\.write", ast.unparse(node)
        )
    ]
    assert not offenders, "\n".join(offenders)


OPENERS = {"read_bytes", "read_text", "open", "fdopen", "getOpenProfile", "load_workbook", "copyfile"}
OPEN_THEMSELVES = {
    "base/files.py": "the one place that opens inputs",
    "base/output_files.py": "writes, and reads what it has just written",
    "base/extensions.py": "reads what installed packages declare",
    "base/cache.py": "writes what is kept, and sums up what it has just written",
    "commands/command_line.py": "writes a report",
    "base/archives.py": "opens what is in memory, within bounds of its own",
    "live/browser_bridge.py": "unpacks what is in memory, within bounds of its own",
    "commands/new.py": "copies what comes with the program",
    "exchange/pull_tables.py": "asks another computer, within bounds of its own",
}


def test_inputs_are_opened_in_one_place() -> None:
    """Every file that is read passes the bounds of files.py: nothing else opens a path."""
    elsewhere = ("production/preflight/", *OPEN_THEMSELVES)
    offenders = [
        f"{shown(path)}:{node.lineno} {ast.unparse(node)}"
        for path in FILES
        if not path.relative_to(PACKAGE).as_posix().startswith(elsewhere)
        for node in nodes_of(path)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] in OPENERS
        and not re.match(r"(pikepdf|webbrowser)\.|Image\.open\(out\)|.*io\.BytesIO", ast.unparse(node))
    ]
    assert not offenders, "\n".join(offenders)


WRITERS = r"(?:.*\.)?(?:write_bytes|write_text|extractall|symlink_to|link_to)|shutil\.(?!which|rmtree)\w+|os\.(?:link|symlink)"
WALKERS = r"(?:.*\.)?(?:rglob|glob|iterdir)|os\.(?:walk|fwalk|scandir|listdir)|scandir|listdir"
LEAD_THEMSELVES = {
    "base/files.py": "the one place that lists folders, and writes below them",
    "base/output_files.py": "moves finished files to their places, and looks for what dead deliveries have left",
    "base/cache.py": "has a folder of its own, which it alone writes",
    "game/project.py": "looks for links that lead out",
    "commands/settings.py": "hashes code wherever links lead, as Python would import it from there",
    "exchange/foreign_project.py": "asks of each name whether it can be used, and of each file whether it lies in the folder",
    "live/file_watch.py": "looks when files were changed, and reads none",
}


def test_folders_are_listed_and_written_in_one_place() -> None:
    """Names and links of others lead nowhere else: what lists a folder or writes below one goes through files.py."""
    offenders = list(calls_outside(LEAD_THEMSELVES, f"{WRITERS}|{WALKERS}"))
    assert not offenders, "\n".join(offenders)


def test_a_class_name_means_one_thing() -> None:
    homes: dict[str, list[str]] = {}
    for path in FILES:
        if package_of(path) != "rules":
            for node in tree_of(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(shown(path))
    assert len(homes) > 300, "the test must see the classes"
    assert not {name: found for name, found in homes.items() if len(found) > 1}


def test_long_files_of_tests_exist() -> None:
    assert {path.stem for path in (ROOT / "tests").rglob("test_*.py")} >= LONG


# Names.


SHARED_NAMES = 13
"""Modules outside games that share their name: `extension` of the optional packages, and a command with its topic."""
PREPOSITIONS = "about above along at below beside beyond by for from in into of on over to under with"
ADJECTIVES = frozenset(["beyond", "cjk", "cmyk", "clear", "empty", "full", "open", "over", "reading", "straight"])
"""Properties that are true or false and have the name of an adjective, as in `result.empty`."""
NO_VERBS = """a all an any anything as at by each every everything for from how if in it items its itself no nobody none of
on one say so some such that the their these they this those two what when where whether which who whoever
with words"""
"""First words of docstrings that don't start with a verb."""


@cache
def find_names() -> house.Names:
    """Return what is said of the program's names."""
    return house.Names({path: tree_of(path) for path in FILES})


def public_functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the public functions and methods with their places."""
    for path in FILES:
        bodies = [tree_of(path).body, *(node.body for node in nodes_of(path) if isinstance(node, ast.ClassDef))]
        for node in (node for body in bodies for node in body):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}", node


def test_no_module_or_function_is_named_by_a_participle() -> None:
    """Functions are named after what they do (`keep_places`, not `kept`), modules after what they hold."""
    places = find_names().places

    assert places["function named by a participle"] == []
    assert places["module named by a participle"] == []


FUNCTION = re.compile(r"\b(?:function\*? |const (?=\w+ = (?:async )?(?:\([^()]*\)|\w+) =>))(\w+)")
"""Matches the name of a function in a script."""


def test_no_function_of_a_script_is_named_by_a_participle_or_a_preposition() -> None:
    """The page's and a site's scripts follow the same rule: `listStored`, not `stored`; `findTowards`, not `towards`."""
    wrong = set()
    for path in sorted((ROOT / "generator" / "live").rglob("*.*js")):
        for name in FUNCTION.findall(path.read_text(encoding="utf-8")):
            if name in PREPOSITIONS.split() or (name.islower() and house.is_participle(name) and name not in VERBS):
                wrong.add(f"{path.name}: {name}")
    assert wrong == set()


def test_modules_are_named_by_nouns() -> None:
    """No module's name is a preposition, or a bare gerund but for a trade's word such as `packing`."""
    stems = {path.stem for path in FILES}

    assert stems & set(PREPOSITIONS.split()) == set()
    assert {stem for stem in stems if stem.endswith("ing") and "_" not in stem} <= {"packing"}


def test_modules_outside_games_have_their_own_names() -> None:
    assert find_names().shared <= SHARED_NAMES


def test_predicates_say_that_they_are_predicates() -> None:
    """What returns True or False reads as a statement: `is_empty`, `has_text`, `fits_column`."""
    wrong = []
    for place, node in public_functions():
        if house.is_game(ROOT / place.partition(":")[0]):
            continue
        if not (ast.get_docstring(node) or "").startswith(("Return True if", "True if")):
            continue
        first = house.name_words(node.name)[0]
        if not first.endswith("s") and first not in ("can", "are", "was", "on") and node.name not in ADJECTIVES:
            wrong.append(place)
    assert wrong == []


def test_docstrings_of_functions_begin_with_a_verb() -> None:
    wrong = []
    for place, node in public_functions():
        is_property = any("property" in ast.unparse(mark) for mark in node.decorator_list)
        words = (ast.get_docstring(node) or "Return").split()
        first = words[0].strip(".,:;`'").lower()
        if not is_property and (first in NO_VERBS.split() or (house.is_participle(first) and first not in VERBS)):
            wrong.append(f"{place}: {' '.join(words[:8])}")
    assert wrong == []


VERBS = frozenset({"feed", "embed", "seed", "reseed", "need", "read", "set", "put"})
"""Verbs that look like participles."""


def test_docstrings_name_exceptions_that_exist() -> None:
    used = {
        getattr(node, "id", getattr(node, "attr", getattr(node, "name", "")))
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.Name | ast.Attribute | ast.ClassDef | ast.alias)
    }
    named = {
        (str(path), name)
        for path in FILES
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module)
        for name in re.findall(r"\b[Rr]aises? ([A-Z]\w+)", ast.get_docstring(node) or "")
    }
    assert [(path, name) for path, name in sorted(named) if name not in used and not hasattr(builtins, name)] == []
