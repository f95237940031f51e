"""What the versions package adds to the program."""

from generator.base.extensions import Entry, Extension

_HOME = "generator.versions.commands"
EXTENSION = Extension(
    commands={
        "diff": Entry(f"{_HOME}:diff", "Compare two versions of a game", "Check"),
        "record": Entry(f"{_HOME}:record", "Save a snapshot of the game as you print it", "Print"),
        "changed": Entry(f"{_HOME}:print_changed", "Print only the cards changed since a snapshot", "Print"),
    },
    build_steps={"record": Entry(f"{_HOME}:RECORD_STEP")},
)
