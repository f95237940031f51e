"""The few words that the program itself prints on paper, by language; English where a language has none of its own."""

_PHRASES: dict[str, dict[str, str]] = {
    "draft": {"ja": "草案{draft}", "en": "draft {draft}"},
    "sheet": {"ja": "シート {sheet}/{of}", "en": "sheet {sheet} of {of}"},
    "front": {"ja": "表", "en": "front"},
    "back": {"ja": "裏", "en": "back"},
    "fold_note": {
        "ja": "印刷面を外にして折り、白い面を貼り合わせてから切る",
        "en": "fold with the print outside, glue the blank sides, then cut",
    },
    "sheets": {"ja": "印刷用シート", "en": "print sheets"},
}


def phrase(name: str, lang: str, **values: object) -> str:
    """One of the phrases with its values filled in."""
    forms = _PHRASES[name]
    return forms.get(lang, forms["en"]).format(**values)
