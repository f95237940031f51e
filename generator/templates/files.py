"""The files that templates are: `templates/<game>/<name>`, then `templates/common/<name>`; nothing else is read."""

from generator.cache.reads import Reads
from generator.cache.store import digest
from generator.errors import ProblemsFound
from generator.model.resources import Resources
from generator.templates.markup_files import read_markup


class TemplateFiles:
    """Reads the templates of one game, and notes in `reads` which of them, whether they are there or not."""

    def __init__(self, game: str, resources: Resources, reads: Reads | None = None):
        self._game, self._resources, self._reads = game, resources, reads
        if reads is not None:
            reads.look["template"] = self._state

    def read(self, template: str) -> tuple[str, str] | None:
        """The text and the file of a template; None without one. ProblemsFound when it can't be read."""
        try:
            found = self._found(template)
        except ProblemsFound:
            self._note(template, "")
            raise
        self._note(template, _state(*found) if found else "")
        return found

    def names(self) -> list[str]:
        """What a template may call for, as it would write it."""
        own, common = f"{self._game}/", "common/"
        known = self._resources.names("templates", ".svg")
        return [name.removeprefix(own) for name in known if name.startswith((own, common))]

    def leads_out(self, template: str) -> bool:
        """Whether a link of this name is there, but leads out of the folder."""
        return any(self._resources.leaves_root("templates", f"{home}/{template}") for home in (self._game, "common"))

    def _found(self, template: str) -> tuple[str, str] | None:
        parts = template.replace("\\", "/").split("/")
        if ".." not in parts and not template.startswith("/"):
            direct = parts[0] in ("common", self._game) and len(parts) > 1
            for name in [template] if direct else [f"{self._game}/{template}", f"common/{template}"]:
                path = self._resources.find("templates", name)
                if path is not None:
                    return read_markup(path, shown := self._resources.shown(path)), shown
        return None

    def _note(self, template: str, state: str) -> None:
        if self._reads is not None:
            self._reads.note("template", template, state)

    def _state(self, template: str) -> str:
        try:
            found = self._found(template)
        except ProblemsFound:
            return ""
        return _state(*found) if found else ""


def _state(text: str, file: str) -> str:
    return f"{digest(text.encode())} {file}"
