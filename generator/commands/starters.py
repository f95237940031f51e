"""The starters of new projects: their folders, and copies of them with name and languages filled in."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from generator.base.extensions import find_additions
from generator.base.files import Resources, list_files, read_file, write_in_folder
from generator.commands.guide import read_guide_for
from generator.commands.schema import NAME, schema_text
from generator.game.json_schema import read_game_schema
from generator.game.project import find_bundled_root
from generator.game.yaml_edits import remove_table_languages, remove_yaml_languages


class Starter(NamedTuple):
    """A starter: what it is, the folders that it is composed of (the last file of a name takes precedence) and guides.

    The guides are those that its comments mention. They are copied, because installed programs have no docs.
    """

    about: str
    folders: tuple[str, ...]
    guides: tuple[str, ...]


_ROWS = read_file(Path(__file__).with_name("starters.csv"), "own").decode().splitlines()
STARTERS: Mapping[str, Starter] = {
    name: Starter(about, tuple(folders.split()), tuple([f"{guide}.md" for guide in guides.split()]))
    for name, folders, guides, about in (row.split(",", 3) for row in _ROWS)
}
LAYOUT = "layout"
"""The files that all layouts share. An import adds the rest."""

LANGUAGES = {"ja": "Japanese", "en": "English"}
"""Languages of the starters in the order of `languages`, with the names used in their READMEs."""

GAME_PLACEHOLDER = "game"
"""Folder name in a starter's data/ and templates/ that stands for the game's name."""

COMPILED = "__pycache__"
"""Folder that pip leaves beside the starters' programs when it installs the wheel."""


def project_title(name: str) -> str:
    """Return a title made from a project's name: `night-market_2` becomes Night Market 2."""
    return " ".join(word.capitalize() for word in re.split(r"[-_]+", name) if word)


def copy_starter(target: Path, name: str, starter: str, langs: tuple[str, ...]) -> None:
    """Copy the starter's files, with the name and the title filled in."""
    added, known = find_additions("starters", tuple(STARTERS)).entries.get(starter), STARTERS.get(starter)
    copy_files(target, name, [added.find_folder()] if added else known.folders if known else (starter,), langs)
    copy_guides(target, (known or STARTERS["blank"]).guides)


def copy_files(target: Path, name: str, folders: Iterable[str | Path], langs: tuple[str, ...]) -> None:
    """Copy the files of folders laid out like a project, or of bundled starters, with name and languages filled in."""
    for folder in folders:
        source = find_bundled_root() / "starters" / folder  # a path as such stays itself
        for path in list_files(source):
            is_for_others = any(f".{lang}." in path.name for lang in LANGUAGES if lang not in langs)
            if COMPILED not in path.parts and not is_for_others:  # `rulebook.ja.md` is for one language
                parts = [name if part == GAME_PLACEHOLDER else part for part in path.relative_to(source).parts]
                write_in_folder(target, "/".join(parts), _fill_placeholders(path, name, langs))


def copy_guides(target: Path, guides: tuple[str, ...]) -> None:
    """Copy guides into the project's docs/."""
    for guide in guides:
        write_in_folder(target / "docs", guide, read_guide_for(guide.removesuffix(".md"), guides).encode())


def write_game_schema(target: Path, name: str) -> None:
    """Write the schema for editors beside the data."""
    data = target / "data" / name
    schema = read_game_schema(data, Resources((target, find_bundled_root()), shown_from=target))
    write_in_folder(data, NAME, schema_text(schema).encode())


def _set_languages(text: str, langs: tuple[str, ...]) -> str:
    """Return the text unchanged for several languages.

    For one language, set its `languages:` line and add a comment on how to add another.
    """
    if len(langs) > 1:
        return text
    first, second = langs[0], next(lang for lang in LANGUAGES if lang not in langs)
    comment = f"for another as well: [{first}, {second}], and each text as {{{first}: ..., {second}: ...}}"
    return re.sub(r"(?m)^languages: .*$", f"{f'languages: [{first}]':<33}# {comment}", text)


def _fill_placeholders(source: Path, name: str, langs: tuple[str, ...]) -> bytes:
    """Return a starter's file. In texts, the name and title replace their placeholders."""
    data = read_file(source, "own")
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
