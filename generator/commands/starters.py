"""The starters of new projects: their folders, and copies of them with name and languages filled in."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from generator.base.errors import Problem, ProblemsFound
from generator.base.files import Resources, write_in_folder
from generator.commands.guide import copy_guides
from generator.commands.schema import NAME, read_game_schema, schema_text
from generator.game.packs import LAYOUT, PACK_FILE, PACK_FOLDER, STARTERS, read_pack, read_pack_file
from generator.game.project import find_bundled_root, find_resources
from generator.game.yaml_edits import remove_table_languages, remove_yaml_languages

LANGUAGES = {"ja": "Japanese", "en": "English"}
"""Languages of the starters in the order of `languages`, with the names used in their READMEs."""

GAME_PLACEHOLDER = "game"
"""Folder name in a starter's data/ and templates/ that stands for the game's name."""


def project_title(name: str) -> str:
    """Return a title made from a project's name: `night-market_2` becomes Night Market 2."""
    return " ".join(word.capitalize() for word in re.split(r"[-_]+", name) if word)


def find_starter(name: str) -> Path:
    """Return the folder of a pack that comes with pnp or is installed in the project here, or the name as a path."""
    if name in (*STARTERS, LAYOUT):
        return find_bundled_root() / PACK_FOLDER / name
    return next((root for root in find_resources(Path.cwd(), None).roots if root.name == name), Path(name))


def describe_starters() -> Mapping[str, str]:
    """Return what each starter that comes with pnp is, by name."""
    return {name: read_pack_file(find_starter(name) / PACK_FILE).title for name in STARTERS}


def read_starter(name: str) -> tuple[dict[str, bytes], tuple[str, ...]]:
    """Return the files and the guides of a starter with those of its base, whose files it replaces.

    Raise ProblemsFound if there is no such starter, or with all its faults.
    """
    pack, source, contents = read_pack(home := find_starter(name), home.as_posix())
    if pack.kind != "starter":
        raise ProblemsFound([Problem(source.place("kind"), f"this pack holds {pack.kind}", "name a starter's pack")])
    files, guides = read_starter(pack.base) if pack.base else ({}, ())
    files |= {path.removeprefix("starter/"): data for path, data in contents.items() if path.startswith("starter/")}
    return files, (*guides, *(f"{guide}.md" for guide in pack.guides))


def copy_starter(target: Path, name: str, starter: str, langs: tuple[str, ...]) -> None:
    """Copy a starter's files into a project for a game `name` in `langs`, and the guides that its comments mention."""
    files, guides = read_starter(starter)
    copy_files(target, name, files, langs)
    copy_guides(target, guides)


def copy_files(target: Path, name: str, files: Mapping[str, bytes], langs: tuple[str, ...]) -> None:
    """Write a starter's files (by path) with the game's name filled in, but none for languages not in `langs`."""
    for path, data in files.items():
        inner = PurePosixPath(path)
        if not any(f".{lang}." in inner.name for lang in LANGUAGES if lang not in langs):  # `rulebook.ja.md`
            parts = [name if part == GAME_PLACEHOLDER else part for part in inner.parts]
            write_in_folder(target, "/".join(parts), _fill_placeholders(inner, data, name, langs))


def write_game_schema(target: Path, name: str) -> None:
    """Write the schema for editors beside the data."""
    data = target / "data" / name
    schema = read_game_schema(data, Resources((target, find_bundled_root()), shown_from=target))
    write_in_folder(data, NAME, schema_text(schema).encode())


def _set_languages(text: str, langs: tuple[str, ...]) -> str:
    """Return a game.yaml with only the language `langs`, and a comment on adding others; unchanged for several."""
    if len(langs) > 1:
        return text
    first, second = langs[0], next(lang for lang in LANGUAGES if lang not in langs)
    comment = f"to add a language: [{first}, {second}], and each text as {{{first}: ..., {second}: ...}}"
    return re.sub(r"(?m)^languages: .*$", f"{f'languages: [{first}]':<33}# {comment}", text)


def _fill_placeholders(source: PurePosixPath, data: bytes, name: str, langs: tuple[str, ...]) -> bytes:
    """Return a starter's file. In texts, `name` and its title replace placeholders, and other languages are removed."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:  # a spreadsheet, a picture
        return data
    text = text.replace("@name@", name).replace("@title@", project_title(name))
    text = text.replace("@lang@", langs[-1]).replace("@languages@", " and ".join(LANGUAGES[lang] for lang in langs))
    if source.suffix == ".yaml":
        text = remove_yaml_languages(_set_languages(text, langs), LANGUAGES, langs)
    elif source.suffix == ".csv":
        text = remove_table_languages(text, LANGUAGES, langs)
    return text.encode("utf-8")
