"""The rooms of docs/source.md are the rooms of the code, and imports run one way."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator"
FILES = sorted(PACKAGE.rglob("*.py"))

CONFINED = {
    "reportlab": ("templates/codes.py",),
    "uharfbuzz": ("text/fonts.py", "writers/cid_font.py", "text/font_tables.py", "text/marks/variable.py"),
    "jinja2": ("templates/templating.py", "templates/limits.py"),
    "yaml": ("load/", "model/phrases.py"),
    "openpyxl": ("load/tables/xlsx_rows.py",),
    "pypdfium2": ("writers/png.py",),
    "click": ("cli/",),
    "pyphen": ("text/hyphens.py",),
    "pikepdf": ("printshop/", "athome/"),
    "PIL": ("svg/", "writers/", "faces/", "printshop/", "athome/", "export/"),
    "markdown_it": ("rulebook/markdown.py",),
    "numba": ("games/engine/kernel.py",),
    "numpy": ("games/engine/kernel.py", "lab/"),
    "scipy": ("lab/statistics/",),
    "distributed": ("lab/executors.py",),
    "pygls": ("editor/server.py",),
    "lsprotocol": ("editor/server.py",),
}


MOST_OF_A_FOLDER = 25


def rooms() -> dict[str, set[str]]:
    """Room -> rooms that it may import, as docs/source.md states it."""
    section = (ROOT / "docs" / "source.md").read_text(encoding="utf-8").split("## Rooms")[1].split("\n## ")[0]
    allowed: dict[str, set[str]] = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 3 or not cells[0].startswith("`"):
            continue
        names = re.findall(r"`(\w+)`", cells[0])
        reach = (
            set(allowed) if cells[2] == "all of the above" else {n for n in re.split(r"[,\s]+", cells[2]) if n != "-"}
        )
        allowed |= {name: reach | set(names) for name in names}
    return allowed


def room_of(path: Path) -> str:
    """The room that a file belongs to."""
    part = path.relative_to(PACKAGE).parts[0]
    return part.removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    """What a file says, read once for all tests."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Every part of what a file says."""
    return tuple(ast.walk(tree_of(path)))


def shown(path: Path) -> str:
    """A file as docs/source.md names it."""
    return path.relative_to(PACKAGE).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, in functions too."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_source_page_names_every_room() -> None:
    """A newcomer finds each room there, and none that does not exist."""
    found = {room_of(path) for path in FILES} - {"__init__", "__main__"}

    assert len(FILES) > 30, "the test must see the code"
    assert found == set(rooms())


def test_imports_run_one_way() -> None:
    """A room imports only what the page allows it, so there can be no cycle between rooms."""
    allowed = rooms()
    offenders = []
    for path in FILES:
        room = room_of(path)
        if room in ("__init__", "__main__"):
            continue
        wanted = {name.split(".")[1] for name in imports(path) if name.startswith("generator.") and name.count(".")}
        offenders += [f"{shown(path)} imports {name}" for name in sorted(wanted - {"__version__"} - allowed[room])]

    assert not offenders, "\n".join(offenders)


def test_libraries_stay_in_their_room() -> None:
    """Each library is used in one place, so that it can be replaced there."""
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

    assert {name for name in found if not name.startswith("serve/")} == {"commands/pull/fetching.py"}


def test_no_folder_is_a_heap() -> None:
    """A folder has so many files that one can read their names: at most 25."""
    folders = Counter(path.parent for path in FILES)

    assert len(folders) > 20, "the test must see the code"
    assert not {shown(folder): files for folder, files in folders.items() if files > MOST_OF_A_FOLDER}


def test_no_cycles_between_modules() -> None:
    """Module imports form no circle, inside a room either."""
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
    """Who knows one game finds the rules of the others: docs/games.md names the files that all have, and each topic."""
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    common = set(re.findall(r"^\| `(\w+\.py)` \|", page, re.MULTILINE)) | {"__init__.py"}
    topics = set(re.findall(r"^\| (\w+) \| `(\w+\.py)` \|", page, re.MULTILINE))
    games = [
        folder.parent for folder in sorted((PACKAGE / "games").glob("*/state.py")) if folder.parent.name != "engine"
    ]
    found = {(game.name, path.name) for game in games for path in game.glob("*.py")}

    assert len(common) > 10, "the test must see the table"
    assert {(game, name) for game, name in found if name not in common} == topics


def test_every_module_says_what_it_is_for() -> None:
    """A module begins with its contract."""
    offenders = [shown(path) for path in FILES if not ast.get_docstring(tree_of(path))]

    assert not offenders, "\n".join(offenders)


def test_files_stay_small() -> None:
    """A file has at most 400 lines."""
    lengths = {shown(path): path.read_text(encoding="utf-8").count("\n") for path in FILES}
    offenders = [f"{name}: {length} lines" for name, length in lengths.items() if length > 400]

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


def test_only_the_command_line_prints_and_exits() -> None:
    """Everything but the room `cli` can be used as a library."""
    forbidden = ("print", "sys.exit", "exit", "quit", "os._exit", "breakpoint")
    offenders = [
        f"{shown(path)}:{node.lineno} {ast.unparse(node.func)}"
        for path in FILES
        if room_of(path) != "cli"
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in forbidden
    ]

    assert not offenders, "\n".join(offenders)


def test_the_command_line_prints_in_one_place() -> None:
    """Every printed text passes the escapes of cli/output.py."""
    offenders = [
        f"{shown(path)}:{node.lineno} {ast.unparse(node)}"
        for path in FILES
        if shown(path) not in ("cli/output.py", "__main__.py")
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute)
        and re.fullmatch(
            r"click\.(echo|secho|echo_via_pager|prompt|confirm)|sys\.(stdout|stderr)\.write", ast.unparse(node)
        )
    ]

    assert not offenders, "\n".join(offenders)


OPENERS = {"read_bytes", "read_text", "open", "fdopen", "getOpenProfile", "load_workbook", "copyfile"}
OPEN_THEMSELVES = {
    "files.py": "the one place that opens inputs",
    "delivery.py": "writes, and reads what it has just written",
    "cache/store.py": "writes what is kept, and sums up what it has just written",
    "cli/net.py": "writes a report",
    "archives.py": "opens what is in memory, within bounds of its own",
    "site/archive.py": "unpacks what is in memory, within bounds of its own",
    "commands/begin/new.py": "copies what comes with the program",
    "commands/pull/fetching.py": "asks another computer, within bounds of its own",
    "commands/preflight.py": "opens the device that swallows what is said",
}


def test_inputs_are_opened_in_one_place() -> None:
    """Every file that is read passes the bounds of files.py: nothing else opens a path."""
    elsewhere = (
        "printshop/preflight",
        "printshop/pdfx",
        "printshop/foreign_pdf.py",
        "commands/preflight",
        *OPEN_THEMSELVES,
    )
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
    "files.py": "the one place that lists folders, and writes below them",
    "delivery.py": "moves finished files to their places, and looks for what dead deliveries have left",
    "cache/store.py": "has a folder of its own, which it alone writes",
    "load/project.py": "looks for links that lead out",
    "commands/settings/trust.py": "hashes code wherever links lead, as Python would import it from there",
    "intake/files.py": "asks of each name whether it can be used, and of each file whether it lies in the folder",
    "serve/watch.py": "looks when files were changed, and reads none",
}


def test_folders_are_listed_and_written_in_one_place() -> None:
    """Names and links of others lead nowhere else: what lists a folder or writes below one goes through files.py."""
    offenders = [
        f"{shown(path)}:{node.lineno} {ast.unparse(node.func)}"
        for path in FILES
        if not shown(path).startswith(tuple(LEAD_THEMSELVES))
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and re.fullmatch(f"{WRITERS}|{WALKERS}", ast.unparse(node.func))
    ]

    assert not offenders, "\n".join(offenders)


def test_a_class_name_means_one_thing() -> None:
    """Outside the games, which share their roles and so their names, a public class is called as no other is."""
    homes: dict[str, list[str]] = {}
    for path in FILES:
        if room_of(path) != "games":
            for node in tree_of(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes.setdefault(node.name, []).append(shown(path))

    assert len(homes) > 300, "the test must see the classes"
    assert not {name: found for name, found in homes.items() if len(found) > 1}
