"""Registers the commands of the exchange package with the program."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from generator.base.extensions import Entry, Extension
from generator.base.files import list_files

if TYPE_CHECKING:
    from generator.game.project import Project  # not for `pnp --help`, which reads all extensions

_PROJECT, _READERS = "generator.exchange.foreign_project", "generator.exchange.project_readers"
EXTENSION = Extension(
    commands={
        "add": Entry("generator.exchange.add_pack:add", "Add a pack of looks, icons or presets", "Start"),
        "icons": Entry("generator.exchange.add_pack:icons", "Search the icons of packs by name and tag", "Start"),
        "import": Entry("generator.exchange.import_project:import_", "Convert a project of another program", "Start"),
        "layout": Entry("generator.exchange.layout:layout", "Edit templates in a drawing program", "Edit"),
        "translate": Entry(
            "generator.exchange.translate:translate", "Export texts for translators and import translations", "Share"
        ),
        "read-aloud": Entry(
            "generator.exchange.read_aloud:read_aloud", "Write every piece as text for screen readers", "Share"
        ),
        "pull": Entry(
            "generator.exchange.pull_tables:pull", "Download the tables that a game reads from the web", "Edit"
        ),
    },
    exports={
        "tts": Entry("generator.exchange.tabletop_simulator:tts", "A saved object for Tabletop Simulator"),
        "pcio": Entry("generator.exchange.playing_cards:pcio", "A room for PlayingCards.io"),
        "cgs": Entry("generator.exchange.card_simulator:cgs", "An archive that Card Game Simulator imports"),
        "vassal": Entry("generator.exchange.vassal:vassal", "A module that Vassal opens"),
        "images": Entry(
            "generator.exchange.face_folder:images", "A picture of every face, for Tabletopia, Screentop and the like"
        ),
        "csv": Entry("generator.exchange.csv_tables:csv_", "Tables of the components, for spreadsheets"),
    },
    importers={
        "magic-set-editor": Entry(f"{_READERS}:MAGIC_SET_EDITOR"),
        "cardmaker": Entry(f"{_READERS}:CARDMAKER"),
        "squib": Entry("generator.exchange.squib:SQUIB"),
        "nandeck": Entry("generator.exchange.nandeck:NANDECK"),
        "component-studio": Entry(f"{_PROJECT}:COMPONENT_STUDIO"),
        "tables": Entry(f"{_PROJECT}:TABLE_FOLDER"),
    },
    notes={"stale-books": Entry("generator.exchange.extension:note_stale_books")},
)


def note_stale_books(project: "Project", games: tuple[str, ...], languages: tuple[str, ...]) -> Iterable[str]:
    """Return a note for each translated book in these languages (none: no notes) whose original has changed."""
    if languages and any(path.suffix == ".po" for path in list_files(project.root / "data", links=True)):
        from generator.exchange.translate_game import find_stale_books  # few projects have translations

        return find_stale_books(project, games, languages)
    return ()
