"""What a translation must keep of its source: values of the data, icons, goals of links, names in braces."""

import re

from generator.templates.tag_places import jinja_tags

_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_NAME = re.compile(r"(?<![\w.|])(?<!\| )[A-Za-z_]\w*(?:\.\w+|\[\d+\])*")
_BRACES = re.compile(r"\{(@?[A-Za-z_][\w./*@-]*|place:[^{}|]+|callout:[^{}|]+|ring:[^{}|]+)\}")
_GOAL = re.compile(r"\]\((#[^()\s]+)\)")
_ROOTS = frozenset(
    ("rules", "switches", "words", "card", "game", "icons", "count", "name", "design", "example", "operations")
)
"""What the data give to a text. What a template names by itself is free: who says a thing otherwise may need others."""


def marks_of(text: str) -> frozenset[str]:
    """All that must be in a translation of the text too, as it is written there: `{wheat}`, `rules.hand`, `#goal`."""
    tags = list(jinja_tags(text))
    parts, found, done = [], set[str](), 0
    for begin, end in tags:
        parts.append(text[done:begin])
        done = end
        if not text.startswith("{#", begin):
            named = _NAME.findall(_QUOTED.sub(" ", text[begin + 2 : end - 2]))
            found |= {f"{{{{ {name} }}}}" for name in named if re.split(r"[.\[]", name)[0] in _ROOTS}
    outside = "".join([*parts, text[done:]])
    found |= {f"{{{name}}}" for name in _BRACES.findall(outside)}
    return frozenset(found | set(_GOAL.findall(outside)))
