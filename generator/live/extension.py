"""Registers the commands of the live package with the program."""

from generator.base.extensions import Entry, Extension

EXTENSION = Extension(
    commands={
        "site": Entry("generator.live.site:site", "Build a website that runs the program in the browser", "Share"),
        "serve": Entry("generator.live.serve:serve", "Show the game in a browser and update it when you save", "Edit"),
        "language-server": Entry(
            "generator.live.language_server:language_server",
            "Connect a text editor: errors, previews, completion",
            "Edit",
        ),
    }
)
