"""Mistakes in the syntax of templates in plain words: what Jinja says of them is meant for programmers."""

import re
from typing import NamedTuple

from generator.errors import nearest

_BEGINS = re.compile(r"\{[{%#]")
_ENDS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_BLOCK = re.compile(r"\{%[-+]?\s*(\w+)([^%]*)%\}")
_BLOCKS = ("if", "for", "macro", "call", "filter", "set", "block", "raw")
_TAGS = frozenset(
    ["elif", "else", "from", "import", "include", *_BLOCKS, *(f"end{name}" for name in _BLOCKS)],
)
_INNERMOST = re.compile(r"innermost block that needs to be closed is '(\w+)'")
_UNKNOWN = re.compile(r"Encountered unknown tag '(\w+)'")
_SIGN = re.compile(r"unexpected char (?P<quote>['\"])(?P<sign>.+)(?P=quote) at")
_BRACKET = re.compile(r"unexpected '(?:.+)', expected '([)\]}])'")
_EXPECTED = re.compile(r"expected token '(?P<wanted>[^']+)', got '(?P<got>.+)'")
_UNEXPECTED = re.compile(r"unexpected '(?P<got>.+)'")
_OPENING = {")": "(", "]": "[", "}": "{"}
_INSTEAD = {
    **dict.fromkeys("“”„", 'write a straight quote (") instead'),
    **dict.fromkeys("‘’", "write a straight quote (') instead"),
    "?": "write {{ this if condition else that }}",
    "&": "write `and`",
    "!": "write `not`, or != for unequal",
    "$": "write the name without it",
}


class SyntaxFault(NamedTuple):
    """What is wrong, what to do, and the line of it; column 0 if it is not known."""

    what: str
    hint: str
    line: int
    column: int = 0


def explain_syntax(message: str, source: str, line: int) -> SyntaxFault:
    """Return the fault of which Jinja has this message for a line of a template's source."""
    innermost, unknown = _INNERMOST.search(message), _UNKNOWN.match(message)
    if unknown:
        return _unknown_tag(unknown[1], innermost[1] if innermost else "", source, line)
    if innermost:
        return _never_closed(innermost[1], source, line)
    if message.startswith("Missing end of raw"):
        return _never_closed("raw", source, line)
    begin = _open_tag(source, line)
    if begin >= 0:
        sign = source[begin : begin + 2]
        row, column = _spot(source, begin)
        return SyntaxFault(f"the `{sign}` is never closed", f"write `{_ENDS[sign]}` where it ends", row, column)
    return SyntaxFault(*_within_tag(message), line)


def _spot(source: str, at: int) -> tuple[int, int]:
    return source.count("\n", 0, at) + 1, at - source.rfind("\n", 0, at)


def _open_tag(source: str, line: int) -> int:
    """Return where the first tag of a line, or the last one before it, begins that is never closed; -1 if all are."""
    start, end = _line_span(source, line)
    tags = [begin.start() for begin in _BEGINS.finditer(source, 0, end)]
    before = [at for at in tags if at < start][-1:]
    for at in [*before, *(at for at in tags if at >= start)]:
        closed = source.find(_ENDS[source[at : at + 2]], at + 2)
        after = _BEGINS.search(source, at + 2)
        if closed < 0 or (after is not None and after.start() < closed):
            return at
    return -1


def _line_span(source: str, line: int) -> tuple[int, int]:
    """Return where a line begins, and where it ends."""
    start = 0
    for _ in range(line - 1):
        start = source.find("\n", start) + 1
    end = source.find("\n", start)
    return start, end if end >= 0 else len(source)


def _open_blocks(source: str, line: int) -> list[tuple[str, int]]:
    """Return the blocks that are open at the end of a line, outermost first, with the places where they begin."""
    found: list[tuple[str, int]] = []
    for tag in _BLOCK.finditer(source):
        name, rest = tag.groups()
        if source.count("\n", 0, tag.start()) >= line:
            break
        if name in _BLOCKS and not (name == "set" and "=" in rest):
            found.append((name, tag.start()))
        elif found and name == f"end{found[-1][0]}":
            found.pop()
    return found


def _never_closed(name: str, source: str, line: int) -> SyntaxFault:
    begin = next((at for block, at in reversed(_open_blocks(source, line)) if block == name), -1)
    spot = _spot(source, begin) if begin >= 0 else (line, 0)
    return SyntaxFault(f"the `{{% {name} %}}` is never closed", f"write {{% end{name} %}} where it ends", *spot)


def _unknown_tag(name: str, innermost: str, source: str, line: int) -> SyntaxFault:
    """The fault of a tag that does not exist, or not there."""
    tag = f"`{{% {name} %}}`"
    if name not in _TAGS:
        near = nearest(name, _TAGS)
        hint = f"did you mean '{near}'?" if near else "write text outside of {% %}"
        return SyntaxFault(f"there is no tag '{name}'", hint, line)
    if innermost:
        begin = next((at for block, at in reversed(_open_blocks(source, line)) if block == innermost), -1)
        where = f" of line {_spot(source, begin)[0]}" if begin >= 0 else ""
        what = f"{tag} comes before the `{{% {innermost} %}}`{where} is closed"
        return SyntaxFault(what, f"write {{% end{innermost} %}} before it", line)
    wanted = name.removeprefix("end") if name.startswith("end") else "if"
    return SyntaxFault(f"{tag} belongs to nothing", f"remove it, or write {{% {wanted} ... %}} before it", line)


def _within_tag(message: str) -> tuple[str, str]:
    """Return what is wrong inside of a tag, and what to do."""
    if found := _SIGN.match(message):
        if found["sign"] in "'\"":
            return "a quote is not closed in this tag", f"write a second {found['sign']} where the text ends"
        return f"the sign '{found['sign']}' has no meaning here", _INSTEAD.get(found["sign"], "remove it")
    if found := _BRACKET.match(message):
        return f"a `{_OPENING[found[1]]}` is not closed in this tag", f"write `{found[1]}` where it ends"
    found = _EXPECTED.match(message)
    if found and found["got"] == "=":
        return "a single = does not compare", "write =="
    if found and found["wanted"].startswith("end of"):
        if found["got"].startswith("end of"):
            return "the tag ends with the wrong bracket", "write {{ ... }} or {% ... %}"
        return f"'{found['got']}' can't follow the value before it", "put a dot, an operator or a comma between them"
    if found and not found["got"].startswith("end of"):
        return f"'{found['got']}' is in the place of `{found['wanted']}`", f"write `{found['wanted']}`"
    if "end of print statement" in message or "end of statement block" in message:
        return "a value is missing before the end of this tag", "write it, or remove the tag"
    if found := _UNEXPECTED.match(message):
        return f"'{found['got']}' is not expected here", "check the brackets and operators of this tag"
    plain = message.rstrip(".")
    return f"this tag can't be read ({plain[:1].lower()}{plain[1:]})", "check its names, brackets and operators"
