"""The glossary at hand while a rulebook is read: which entry a marked word means, and which entries were used."""

from collections.abc import Iterator

from generator.errors import Problem, did_you_mean
from generator.model.game import Game, GlossaryEntry


class Terms:
    """Finds entries by id or by their term in one language, and remembers which were asked for."""

    def __init__(self, game: Game, lang: str):
        self._entries, self._lang = game.glossary, lang
        self._by_term = {entry.term[lang].casefold(): entry for entry in game.glossary.values()}
        self._used: set[str] = set()

    def find(self, name: str, within: str = "") -> GlossaryEntry | None:
        """The entry that a mark names; `within` is the entry whose meaning bears it: no term explains itself."""
        entry = self._entries.get(name) or self._by_term.get(name.casefold())
        if entry is not None and entry.id != within:
            self._used.add(entry.id)
        return entry

    def hint(self, name: str) -> str:
        """What may have been meant by a mark without an entry."""
        known = [*self._entries, *(entry.term[self._lang] for entry in self._entries.values())]
        return did_you_mean(name, known) if known else "write the section `glossary:`"

    def unused(self, file: str) -> Iterator[Problem]:
        """Entries that no text marks; `file` is the rulebook's."""
        for entry in self._entries.values():
            if entry.id not in self._used:
                what = f"the term '{entry.term[self._lang]}' is marked nowhere in {file}"
                yield Problem(entry.place, what, f"write [[{entry.id}]] where it is used, or remove it")
