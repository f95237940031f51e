"""Registers the commands of the versions package with the program."""

from generator.base.extensions import Entry, Extension

EXTENSION = Extension(
    commands={
        "diff": Entry("generator.versions.diff:diff", "Compare two versions of a game", "Check"),
        "record": Entry("generator.versions.record:record", "Save a snapshot of the game as you print it", "Print"),
        "changed": Entry(
            "generator.versions.changes:print_changed", "Print only the cards changed since a snapshot", "Print"
        ),
        "session": Entry("generator.versions.session:session", "Store and report playtest sessions", "Play"),
    },
    build_steps={"record": Entry("generator.versions.record:RECORD_STEP")},
    note_keepers={"sessions": Entry("generator.versions.session:keep_note")},
    blocks={"sessions": Entry("generator.versions.session_report:make_session_block")},
)
