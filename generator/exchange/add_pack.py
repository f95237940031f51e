"""The commands `add` and `icons`: install packs, give a kind a look, search the signs of icon packs."""

import json
import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from generator.base.errors import (
    InvalidInput,
    Place,
    Problem,
    ProblemsFound,
    did_you_mean,
    locate_fault,
    raise_problems,
)
from generator.base.files import Resources, is_file, is_folder, list_files, list_folder, read_file, write_in_folder
from generator.base.output_files import open_delivery
from generator.base.processes import find_program
from generator.commands.command_line import LINKS, say
from generator.commands.options import PROJECT, path_from_here, progress
from generator.commands.orders import load_games
from generator.exchange.foreign_project import ArchiveFiles
from generator.game.model import Game, Kind
from generator.game.packs import (
    LOCK_FILE,
    LOOK_FILE,
    MOST_BYTES,
    PACK_FILE,
    PACK_FOLDER,
    TOO_LARGE,
    LockedPack,
    Pack,
    PackFiles,
    PackLock,
    find_shared_files,
    format_lock,
    read_lock,
    read_pack,
)
from generator.game.preset_files import load_presets
from generator.game.project import Project, add_packs, find_bundled_root, find_project, find_resources
from generator.game.table_header import Header, fold_heading


@click.command()
@click.argument("source")
@click.option("--to", "kind", metavar="KIND", help="Kind of component that gets the look.")
@click.option("--game", metavar="GAME", help="Game of the kind (default: the only one that has it).")
@click.option("--match", "matches", multiple=True, metavar="WANT=FIELD",
              help="Field that the look shows as WANT; repeatable.")  # fmt: skip
@click.option("--replace", is_flag=True, help="Replace a pack, template or data file that differs.")
@PROJECT
@click.pass_obj
def add(obj: Path | None, /, **options: Any) -> None:
    """Add a pack of looks, icons or presets.

    SOURCE is a folder, a zip, git:ADDRESS, or the name of a pack that comes with pnp. pnp checks the licence and all
    checksums, copies the files to packs/ and locks them in packs/packs.lock. With --to, a look becomes the template of
    a kind.
    """
    if (options["game"] or options["matches"]) and not options["kind"]:
        raise click.UsageError("--game and --match say where a look goes; add --to KIND")
    links = click.get_current_context().meta.get(LINKS, False)
    project = find_project(Path.cwd(), options["project"] or obj, progress(), links=links, packs=False)
    asked = dict(match.split("=", 1) if "=" in match else (match, "") for match in options["matches"])
    with TemporaryDirectory() as room:
        found = open_source(options["source"], Path(room))
        for line in install_pack(project, found, options, asked):
            say(line)


def open_source(source: str, room: Path) -> PackFiles:
    """Return the pack in a folder, zip, `git:` address or the program; `room` is for unpacking. Raise ProblemsFound."""
    folder, address = Path(source), source.removeprefix("git:")
    shipped = find_bundled_root() / PACK_FOLDER
    if address != source:
        _unpack(_clone_repository(address, room / "clone"), source, room / "pack")
        folder = room / "pack"
    elif is_file(folder):
        with locate_fault(Place(folder.as_posix())):
            _unpack(read_file(folder, "saved pack"), folder.as_posix(), room)
        folder = room
    elif not is_folder(folder):
        folder = shipped / source
        known = [path.name for path in list_folder(shipped) if is_file(path / PACK_FILE)]
        if source not in known:
            what = f"'{source}' is no folder, no zip and no pack that comes with pnp"
            raise ProblemsFound([Problem(None, what, did_you_mean(source, known))])
    found = read_pack(folder, source)
    if found.pack.kind == "presets":
        load_presets(Resources((folder,), shown_from=folder))
    return found


def _clone_repository(address: str, clone: Path) -> bytes:
    """Return a commit of a git repository as a zip: its newest, or that of a branch or tag (`ADDRESS#NAME`).

    Nothing of the repository runs, because nothing is checked out. Raise ProblemsFound with git's message.
    """
    where, _, name = address.partition("#")
    git = find_program("git")
    if git is None:
        raise ProblemsFound([Problem(None, "git is not installed, or not found", "install git, or give a zip")])
    branch = [f"--branch={name}"] if name else []
    kept = os.environ | {"GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": "file:git:https:ssh"}
    for words in (
        ["clone", "--quiet", "--bare", "--depth=1", *branch, "--", where, str(clone)],
        [f"--git-dir={clone}", "archive", "--format=zip", "HEAD"],
    ):
        done = subprocess.run([git, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False, env=kept)  # noqa: S603
        if done.returncode != 0:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
            what = f"git can't read {where}: {said[-1]}"
            raise ProblemsFound([Problem(None, what, "check the address, the name after # and the network")])
    return done.stdout


def _unpack(data: bytes, shown: str, room: Path) -> None:
    """Unpack a zip into an empty folder. Raise ProblemsFound for links, doubled or unsafe names and too large files."""
    left = MOST_BYTES
    with locate_fault(Place(shown)):
        files = ArchiveFiles(data, shown)
        raise_problems(
            Problem(Place(f"{shown}/{name}"), str(unfit), unfit.hint) for name, unfit in files.refused.items()
        )
        tops = {name.partition("/")[0] for name in files.names}
        inner = f"{min(tops)}/" if len(tops) == 1 and PACK_FILE not in files.names else ""
        for name in files.names:
            content = files.read(name, "picture")
            left -= len(content)
            if left < 0:
                raise InvalidInput(*TOO_LARGE)
            write_in_folder(room, name.removeprefix(inner), content)


def install_pack(
    project: Project, found: PackFiles, options: Mapping[str, Any], asked: Mapping[str, str]
) -> Iterator[str]:
    """Copy a pack into the project and its lock file; give a kind its look, with fields `asked`. Yield lines to say.

    Raise ProblemsFound, before anything is written, for files that differ, unless the option `replace` is set.
    """
    pack, root = found.pack, project.root
    home = root / PACK_FOLDER / pack.name
    wanted = {home / name: data for name, data in found.contents.items()}
    if options["kind"] and pack.kind != "look":
        raise ProblemsFound([Problem(None, f"the pack '{pack.name}' holds {pack.kind}, not a look", "leave --to out")])
    lock, _ = read_lock(root)
    looks, lines = dict(lock.looks), [f"note: `pnp add {options['source']} --to KIND` gives a kind this look"]
    if options["kind"]:
        game, kind = _find_kind(project, options["kind"], options["game"])
        files, notes = write_look(found, game, kind, asked)
        wanted |= {root / path: text.encode() for path, text in files.items()}
        looks[f"{game.id}/{kind.id}"] = pack.name
        lines = [f"note: {note}" for note in notes]
    old = [path for path in list_files(home, links=True) if path not in wanted]
    differing = [path for path, data in wanted.items() if is_file(path) and read_file(path, "picture") != data]
    foreign = "this file is not part of the pack", "move it out of the pack's folder, or delete it"
    faults = [(path, foreign) for path in ([home] if home.is_symlink() else old)]
    if not options["replace"]:
        faults += [(path, ("this file exists already and differs", "move it, or add --replace")) for path in differing]
    if faults:
        raise ProblemsFound([Problem(Place(project.resources.display_path(path)), *fault) for path, fault in faults])
    others = list[Pack]()
    for name in lock.packs.keys() - {pack.name}:
        with suppress(ProblemsFound):  # reported at the end
            others.append(read_pack(home.parent / name, name).pack)
    raise_problems(find_shared_files([*others, pack]))
    source = options["source"]  # a path in the lock is one from the project, which others may have elsewhere
    source = Path(os.path.relpath(source, root)).as_posix() if Path(source).exists() else source
    entry = LockedPack(pack.version, found.digest, source)
    wanted[root / PACK_FOLDER / LOCK_FILE] = format_lock(PackLock({**lock.packs, pack.name: entry}, looks))
    with open_delivery() as delivery:
        for path, data in wanted.items():
            if not is_file(path) or read_file(path, "picture") != data:
                delivery.put(path, data, at_home=True)
        for path in delivery.hand_over():
            yield path_from_here(path)
    add_packs(project)
    yield from lines if pack.kind == "look" else ()
    if "-NC-" in pack.licence:
        yield f"warning: {pack.licence}: you may not sell what you print with it"


def _find_kind(project: Project, name: str, wanted: str | None) -> tuple[Game, Kind]:
    """Return the kind `name` that gets a look, and its game, `wanted` or the only one. Else raise ProblemsFound."""
    games, problems = load_games(project, (wanted,) if wanted else ())
    raise_problems(problems)
    having = [game for game in games if name in game.kinds]
    if not having:
        known = {kind for game in games for kind in game.kinds}
        raise ProblemsFound([Problem(None, f"no game has the component kind '{name}'", did_you_mean(name, known))])
    if len(having) > 1:
        what = f"several games have the kind '{name}': {', '.join(game.id for game in having)}"
        raise ProblemsFound([Problem(None, what, f"add --game {having[0].id}")])
    return having[0], having[0].kinds[name]


_ICONS = re.compile(r"templates/common/icons/(.+)\.(?:svg|png)")


@click.command()
@click.argument("word", required=False, default="")
@PROJECT
@click.pass_obj
def icons(obj: Path | None, /, **options: Any) -> None:
    """Search the icons of packs by name and tag.

    Without WORD, pnp lists all icons of the installed packs and of those that come with pnp.
    """
    homes = [root for root in find_resources(Path.cwd(), options["project"] or obj).roots if is_file(root / PACK_FILE)]
    installed = {home.name for home in homes}
    shipped = [path for path in list_folder(find_bundled_root() / PACK_FOLDER) if path.name not in installed]
    lines = [line for home in (*homes, *shipped) for line in _iter_icons(home, options["word"], installed)]
    if not lines:
        raise ProblemsFound([Problem(None, f"no icon is called '{options['word']}'", "`pnp icons` lists all")])
    for line in lines:
        say(line)


def _iter_icons(home: Path, word: str, installed: set[str]) -> Iterator[str]:
    """Yield a line for each icon of the pack in `home` whose name or tags contain the word, and how to add the pack."""
    pack = read_pack(home, home.name).pack
    names = [found[1] for path in pack.files if pack.kind == "icons" and (found := _ICONS.fullmatch(path))]
    for name in names:
        tags = (pack.tags or {}).get(name, [])
        if any(fold_heading(word) in fold_heading(text) for text in (name, *tags)):
            more = "" if home.name in installed else f" (pnp add {pack.name})"
            yield f"{name:<16}{', '.join(tags):<48}{pack.name}{more}"


_FITTING: Mapping[str, tuple[str, ...]] = {
    "words": ("words", "text", "choice"), "text": ("words", "text", "choice"), "integer": ("integer", "number"),
}  # fmt: skip
"""The types of fields that fit each type that a look asks for. Others need the same type."""


def write_look(found: PackFiles, game: Game, kind: Kind, asked: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return the files that give a kind the look, by path in the project, and notes for the user.

    `asked` names the field for single values. Raise ProblemsFound for each required value that no field fits.
    """
    pack = found.pack
    fields, notes, problems = _match_fields(found, game, kind, asked)
    raise_problems(problems)
    template = f"templates/{game.id}/{kind.front}.svg"
    wants = pack.wants or {}
    if empty := [f"{want} ({spec.type})" for want, spec in wants.items() if want not in fields]:
        what = f"{kind.id} has no fields for {', '.join(empty)}; these places stay empty"
        notes.append(f"{what}; add fields and run the command again, or write `--match {empty[0].split()[0]}=FIELD`")
    hidden = [name for name in kind.fields if name not in fields.values()]
    if hidden:
        notes.append(f"not on the card: {', '.join(hidden)}; add them to {template}")
    lines = [f"{{# The look {pack.label}, {pack.licence}. It is yours now: change what you like. #}}"]
    values = {want: f"card.{fields[want]}" if want in fields else "none" for want in wants}
    lines += (f"{{% set {want} = {value} %}}" for want, value in values.items())
    text = found.contents[LOOK_FILE].decode("utf-8-sig")
    made = {template: "\n".join([*lines, text])}
    if pack.palette or pack.fonts:
        made[f"data/{game.id}/look-{pack.name}.yaml"] = "\n".join([*_iter_data(found, game), ""])
    return made, notes


def _match_fields(
    found: PackFiles, game: Game, kind: Kind, asked: Mapping[str, str]
) -> tuple[dict[str, str], list[str], list[Problem]]:
    """Return the field for each value of a look, as `asked` or by name or type; notes on wrong types; problems."""
    wants = found.pack.wants or {}
    header = Header(wants, ("",), found.pack.columns or {})
    headings = game.places["components"].value[kind.id].get("columns") or {}
    names = {name: name for name in kind.fields}
    names |= {heading: str(name).partition(".")[0] for heading, name in headings.items()}
    fields, notes, problems = dict[str, str](), list[str](), list[Problem]()
    for want, name in asked.items():
        if want not in wants or name not in kind.fields:
            wrong, known = (want, wants) if want not in wants else (name, kind.fields)
            of = "the look" if known is wants else kind.id
            problems.append(Problem(None, f"--match {want}={name}: {of} has no '{wrong}'", did_you_mean(wrong, known)))
    for heading, name in [*((want, name) for want, name in asked.items()), *names.items()]:
        want = heading if asked.get(heading) == name else (header.find_key(heading) or ("",))[0]
        if want not in wants or want in fields or name not in kind.fields or name in fields.values():
            continue
        wanted = wants[want].type
        if kind.fields[name].type in _FITTING.get(wanted, (wanted,)):
            fields[want] = name
        else:
            other = f"the look shows '{want}' as {wanted}"
            notes.append(f"'{name}' is of type {kind.fields[name].type}, but {other}")
    for want, spec in wants.items():
        free = [name for name, one in kind.fields.items() if one.type == spec.type and name not in fields.values()]
        if want not in fields and spec.type in ("picture", "icon") and len(free) == 1:
            fields[want] = free[0]  # the only one of a kind is meant, whatever its name is
        elif want not in fields and not spec.optional:
            what = f"the look '{found.pack.name}' needs '{want}' ({spec.type}), and no field of '{kind.id}' fits"
            hint = f"write `--match {want}=FIELD` (fields: {', '.join(kind.fields) or 'none'}), or add a column"
            problems.append(Problem(kind.place, what, hint))
    return fields, notes, problems


def _iter_data(found: PackFiles, game: Game) -> Iterator[str]:
    """Yield the lines of the data file with the look's colours and fonts, in the languages of the game."""
    pack, fonts = found.pack, found.source.value.get("fonts") or {}
    yield f"# Colours and fonts of the look {pack.label}."
    yield from ["palette:", *(f"  {name}: {json.dumps(colour)}" for name, colour in (pack.palette or {}).items())]
    own: Any = next(iter(game.places["fonts"].value.values()))
    yield from ["fonts:"] if fonts else []
    for name, family in dict[str, Any](fonts).items():
        yield f"  {name}:"
        for lang in game.languages:
            yield f"    {lang}: {json.dumps(family.get(lang, own.get(lang)), ensure_ascii=False)}"
