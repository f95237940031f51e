"""Bad inputs of every kind, as many as are asked for, the same for the same seed.

A kind is a function that changes the files of a good game by chance, and says with which commands to try them. What it
writes is what careless or hostile people write: halves of files, values of another kind, huge and odd numbers, names
that are none, loops without end, files that are not what their name says.
"""

import json
import re
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from random import Random

from hostile_base import font, picture, workbook

TRUSTED = "--trust-rules"
BUILD = ("build", "--no-cache", TRUSTED)
SHEETS = ("sheets", "--no-cache")
VALIDATE = ("validate", "--games", "0", TRUSTED)


@dataclass(frozen=True)
class Link:
    """A link instead of a file."""

    to: str


@dataclass(frozen=True)
class Sparse:
    """A file of so many bytes with nothing in them."""

    size: int


@dataclass(frozen=True)
class Pipe:
    """A named pipe that nobody writes to."""


Content = bytes | Link | Sparse | Pipe | None


@dataclass(frozen=True)
class Case:
    """What is changed in the good game, by file (None: taken away), and the commands to try.

    `lined` says that the input has lines, so that each problem must name one.
    """

    area: str
    name: str
    files: Mapping[str, Content]
    commands: Sequence[tuple[str, ...]] = (BUILD,)
    lined: bool = False


DATA = "data/lanterns"
ART = "templates/lanterns"

ODD_VALUES = (
    *("''", "' '", "~", "true", "no", "[]", "{}", "[[]]", "[a, [b]]", "{a: b}", "{a: {b: [c]}}", "-1", "0", "-0.0", "1e5"),
    *("1e400", "-1e999", ".inf", "-.inf", ".nan", "0x1F", "0o17", "1_000", "99999999999999999999", "0.0000001", "1:20"),
    *("2026-01-31", "０１", "²", "'\\ud800'", '"\\ud800"', '"\\0"', '"\\e[31m"', "'{'", "'{0}'", "'{x.y}'", "'{x:>999999999}'",),
    *("'{{'", "'{% for x in y %}'", "'{{ 1/0 }}'", "'{{ rules }}'", "'[[light'", "'[[nothing]]'", "'{@card/none}'", "'{star'",),
    *("'**'", "'{漢|'", "!!python/object:os.system x", "!!binary aGVq", "&a [*a]", "*none", "<<", "? x", "- - -", "|", ">\n  x",),
    *("../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "C:\\x", "con", "a" * 300, "é" * 200, "\u202e", "\u200b", "🏮"),
)  # fmt: skip

DEEP = ("[" * 400 + "]" * 400, "{a: " * 300 + "1" + "}" * 300, "- " * 400 + "x")


def _text(files: Mapping[str, bytes], name: str) -> str:
    return files[name].decode()


def _broken(pick: Random, text: str) -> str:
    """A text with one careless mistake in it."""
    lines = text.splitlines(keepends=True)
    at = pick.randrange(len(lines))
    way = pick.randrange(9)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(at, lines[pick.randrange(len(lines))])
    elif way == 2:
        other = pick.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif way == 3:
        cut = pick.randrange(len(lines[at]) + 1)
        lines[at] = lines[at][:cut] + pick.choice("\"'{}[]:,&*!|>%@`#<>\t\x07\ufeff\u2028") + lines[at][cut:]
    elif way == 4:
        return "".join(lines)[: pick.randrange(len(text))]
    elif way == 5:
        lines[at] = lines[at].replace("  ", "\t", 1)
    elif way == 6:
        lines[at] = lines[at][: pick.randrange(len(lines[at]) + 1)].rstrip("\n") + "\n"
    elif way == 7:
        words = re.findall(r"\w+", lines[at])
        if words:
            lines[at] = lines[at].replace(pick.choice(words), pick.choice(["x", "0", "Ünïcode", "", "-"]), 1)
    else:
        lines[at] *= 2
    return "".join(lines)


def _valued(pick: Random, text: str, odd: Sequence[str]) -> str:
    """A text in which one value after a colon is an odd one."""
    places = list(re.finditer(r"(?<=: )[^{\[\n,}\]]+|(?<=: )\[[^\]\n]*\]|(?<=: )\{[^}\n]*\}", text))
    found = pick.choice(places)
    return text[: found.start()] + pick.choice(odd) + text[found.end() :]


def _spoilt(pick: Random, data: bytes) -> bytes:
    """Bytes as a broken download, a wrong copy or a bad disk leaves them."""
    way = pick.randrange(6)
    if way == 0:
        return data[: pick.randrange(len(data))]
    if way == 1:
        return b""
    changed = bytearray(data)
    if way in {2, 3}:
        for _ in range(pick.choice([1, 3, 30])):
            changed[pick.randrange(len(changed))] = pick.randrange(256)
    elif way == 4:
        start = pick.randrange(len(changed))
        changed[start : start + pick.randrange(1, 200)] = bytes(pick.randrange(1, 200))
    else:
        start = pick.randrange(len(changed))
        changed[start:start] = bytes(pick.randrange(256) for _ in range(pick.randrange(1, 100)))
    return bytes(changed)


def yaml(pick: Random, files: Mapping[str, bytes]) -> Case:
    name = pick.choice([f"{DATA}/{part}.yaml" for part in ("game", "components", "rest", "play", "look")])
    return Case("yaml", name, {name: _broken(pick, _text(files, name)).encode()}, lined=True)


def yaml_values(pick: Random, files: Mapping[str, bytes]) -> Case:
    name = pick.choice([f"{DATA}/{part}.yaml" for part in ("game", "components", "components", "rest", "play", "look")])
    changed = _valued(pick, _text(files, name), ODD_VALUES)
    return Case("yaml special", name, {name: changed.encode("utf-8", "surrogatepass")}, (BUILD, VALIDATE))


def yaml_files(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Files that are no data at all, or more than anybody writes."""
    name = f"{DATA}/{pick.choice(['game', 'components', 'rest'])}.yaml"
    whole = files[name]
    bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
        for before, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    ways: list[Content] = [
        None,
        b"",
        b"\0" * 400,
        whole.decode().encode("utf-16"),
        whole + b"\xff\xfe\xfa",
        whole + bomb.encode(),
        whole + f"\nrules: {pick.choice(DEEP)}\n".encode(),
        whole + b"\n" + b"#" * (5 << 20),
        whole + f"\nwords:\n  w: {'x' * 500_000}\n".encode(),
        whole + "".join(f"\nw{n}: {n}" for n in range(5_000)).encode(),
        Sparse(3 << 30),
        Pipe(),
        Link("/dev/zero"),
        Link("/etc/passwd"),
        Link(name.rpartition("/")[2]),
        whole + b"\n---\nformat: 1\n",
        whole.replace(b"\n", b"\r"),
    ]
    return Case("yaml special", f"{name} way", {name: pick.choice(ways)}, (BUILD,))


SCHEMAS = (
    *("tags: nope", "tags: {type: list, of: nope}", "tags: {type: list, of: list}", "tags: {type: list, of: {type: list}}"),
    *("tags: {type: integer, min: 5, max: 1}", "tags: {type: choice}", "tags: {type: choice, choices: []}", "tags: [icon]"),
    *("tags: {type: choice, choices: [a, a]}", "tags: {type: integer, min: nope}", "tags: {}", "tags: ~", "tags: 3", "'': text"),
    *("id: text", "count: integer", "'a b': text", "tags: {type: words, min: 1}", "tags: {type: effects, of: x}", "ta.gs: text"),
    *("tags: {type: integer, optional: maybe}", "tags: {type: text, choices: [x]}", "__class__: text", "tags: {type: icon, x: 1}"),
)  # fmt: skip

KIND_KEYS = (
    *("size: [0.0000001, 0.0000001]", "size: [40, 0.001]", "size: 0.1", "size: [400000, 5]", "size: [-1, 2]", "size: nope"),
    *("size: [40]", "size: [40, 60, 5]", "size: [.nan, 5]", "size: [1e308, 1e308]", "corner: 400", "corner: -1", "safe: 99"),
    *("bleed: 0", "bleed: -2", "bleed: 500", "form: nope", "form: token", "form: board", "form: cube", "shape: hexagon"),
    *("outline: 'M0 0 L5 5 Z'", "outline: 'M" + "0 0 L1 1 " * 400 + "'", "outline: nope", "back: nope", "back: ~", "front: ~"),
    *("front: ../../etc/passwd", "front: " + "a" * 5000, "count: 99999999", "stated: 0", "stated: -4", "called: '{'"),
    *("called: '{nope}'", "called: '{0}'", "called: '{title.__class__}'", "called: '{strength:>999999999}'", "called: '{strength!r}'"),
    *("called: '{title[0]}'", "called: {xx: y}", "name: ''", "name: [x]", "pile: card.port", "foot: 3", "two_faced: maybe"),
    *("spaces: {deck: 1}", "spaces: nope", "option: nope", "order: nope", "fields: nope", "fields: []", "designs: nope.csv"),
    *("designs: ../../../etc/passwd", "designs: []", "designs: 5", "designs: [5, x, [y]]", "designs: [{id: [a]}]", "kind: x"),
    *("designs: {csv: lamps.csv}", "designs: [{id: x, count: 5000000}]", "designs: [{id: x, count: -5}]", "designs: [{id: '²'}]"),
)  # fmt: skip


def schema(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Kinds and fields that contradict themselves."""
    name = f"{DATA}/components.yaml"
    text = _text(files, name)
    if pick.random() < 0.4:
        text = text.replace("      strength: {type", f"      {pick.choice(SCHEMAS)}\n      strength: {{type", 1)
    else:
        key = pick.choice(KIND_KEYS)
        kind = pick.choice(["card", "lamp", "coin"])
        block = re.search(rf"(?m)^  {kind}:\n((?:    .*\n)+)", text)
        assert block
        kept = "".join(
            line for line in block[1].splitlines(keepends=True) if not line.startswith(f"    {key.split(':')[0]}:")
        )
        text = text[: block.start(1)] + f"    {key}\n" + kept + text[block.end(1) :]
    commands = pick.choice([(BUILD,), (BUILD, ("schema",)), (SHEETS,), (("list",), VALIDATE)])
    return Case("schema", "kind or field", {name: text.encode("utf-8", "surrogatepass")}, commands)


GAME_KEYS = (
    *("date: 0000-00-00", "date: 2026-13-45", "date: ２０２６-01-01", "date: x", "title: ' '", "title: {xx: y}", "draft: ''"),
    *("languages: []", "languages: [en, en]", "languages: [x y]", "languages: ['../x']", "languages: en", "languages: [zz-ZZ-ZZ]"),
    *("players: {fewest: 5, most: 2}", "players: 0", "players: {fewest: 0, most: 999999}", "format: 2", "format: one"),
    *("provisional: ['²']", "provisional: [nope.nope]", "provisional: [[x]]", "credit: ' '", "licence: []", "minutes: -5"),
    *("rules_module: ../x.py", "rules_module: nope.py", "rules_module: ~", "sub: {a: b}", "age: old", "icons: {a b: {name: x}}"),
    *("told_apart: [[star]]", "told_apart: nope", "told_apart: [[star, none]]", "icons: {star: {name: Star, colour: none}}"),
    *("setup: [{take: 99999999999, from: card}]", "setup: [{take: 1, from: none}]", "setup: nope", "operations: {x: {}}"),
    *("palette: {ink: '#000000'}", "palette: {red: red}", "palette: {red: '#12'}", "palette: {'a b': '#000000'}", "palette: []"),
    *("fonts: {body: {en: {regular: [none.ttf]}}}", "fonts: {body: {en: {regular: []}}}", "fonts: nope", "fonts: {body: {}}"),
    *("fonts: {body: {en: {regular: [../../etc/passwd]}}}", "zones: {deck: '{'}", "moves: {play: '{card.__class__}'}"),
    *("moves: {play: '{card:>99999999999}'}", "moves: {play: '{0}'}", "zones: {hand: '{n!r:>9999999999}'}", "zones: {deck: []}"),
    *("glossary: {x: {}}", "glossary: {x: {term: y, says: '[[nope]]'}}", "readings: [{id: E1}]", "readings: nope", "checks: [{}]"),
    *("readings: [{id: E9, passage: p, problem: q, reading: r, switch: s, value: 3, choices: [1, 2]}]", "examples: [{}]", "rules: []"),
)  # fmt: skip


def sections(pick: Random, files: Mapping[str, bytes]) -> Case:
    """A section of the game that can't be meant so."""
    key = pick.choice(GAME_KEYS)
    name = key.split(":")[0]
    changed: dict[str, Content] = {}
    for file in [f"{DATA}/{part}.yaml" for part in ("game", "components", "rest", "play", "look")]:
        text = _text(files, file)
        found = re.search(rf"(?m)^{re.escape(name)}:.*\n((?:[ -].*\n)*)", text)
        if found:
            changed[file] = (text[: found.start()] + key + "\n" + text[found.end() :]).encode("utf-8", "surrogatepass")
    if not changed:
        changed[f"{DATA}/game.yaml"] = (_text(files, f"{DATA}/game.yaml") + key + "\n").encode("utf-8", "surrogatepass")
    return Case("schema", key, changed, pick.choice([(BUILD,), (BUILD, VALIDATE), (("schema",), BUILD)]))


ATOMS = (
    *("1", "0", "-1", "1.5", "1e400", "10**400", "'x'", "'x'*99999999", "'x'*100000", "[1]*99999999", "[1]*100000", "{}", "[]", "none"),
    *("rules", "rules.hand", "rules.none", "game", "game.switches", "players", "count('card')", "count('none')", "count()", "count(1)"),
    *("designs('card')", "designs(5)", "icons", "words", "words.aim", "card", "second", "range(9)", "range(10**9)", "range(-5)", "''"),
    *("'\\ud800'", "'\\x00'", "'%s'", "'{}'", "lipsum()", "cycler(1)", "namespace(a=1)", "dict(a=1)", "joiner(',')", "self", "loop"),
    *("''.__class__", "''['__class__']", "rules.__init__.__globals__", "count.__globals__", "self._TemplateReference__context"),
    *("config", "request", "()", "(1,)", "'a,b'.split(',')", "'x'.ljust(99999999)", "'x'.center(10**9)", "'x'.zfill(10**9)"),
    *("'{:>999999999}'.format(1)", "'%999999999d' % 1", "'%*d' % (999999999, 1)", "(2).__pow__(9)", "2**2**30", "9**9**9", "1/0", "1//0"),
    *("'x'.replace('x', 'y'*100000)", "'x'.join(['y'*100000]*100000)", "(1).bit_length()", "'x'.encode()", "'9'*5000|int", "[[]]|sum"),
)  # fmt: skip

FILTERS = (
    *("list", "map('upper')|list", "map('list')|list", "map('replace', 'x', 'yy')|list", "sum(start=[])", "sum", "join", "join('x'*9999)"),
    *("sort", "batch(2)|list", "batch(10**9, 'x')|list", "slice(99999)|list", "groupby('x')", "string", "string|string", "length", "first"),
    *("last", "min", "max", "abs", "int", "float", "round(2000)", "upper", "title", "indent(10**8)", "wordwrap(1)", "truncate(-5)", "tojson"),
    *("pprint", "urlize", "xmlattr", "safe", "escape", "striptags", "random", "unique|list", "reverse|list", "dictsort", "items|list"),
    *("select|list", "selectattr('a')|list", "attr('__class__')", "map(attribute='__class__')|list", "default('x')", "format(1)", "center(10**9)"),
    *("replace('', 'x'*999)", "nope", "filesizeformat", "wordcount", "trim", "map('format', 1)|list", "reject|list", "urlencode", "e", "d"),
)  # fmt: skip

OPERATORS = (
    " + ", " - ", " * ", " / ", " // ", " % ", " ** ", " ~ ", " and ", " or ", " in ", " is ", " == ", " < ", ", ", "|",
    ".", " if ",
)  # fmt: skip


def _expression(pick: Random, deep: int = 2) -> str:
    """An expression as somebody might write who wants to know what happens."""
    way = pick.random()
    if deep == 0 or way < 0.25:
        return pick.choice(ATOMS)
    if way < 0.65:
        return f"({_expression(pick, deep - 1)})|{pick.choice(FILTERS)}"
    if way < 0.9:
        return f"{_expression(pick, deep - 1)}{pick.choice(OPERATORS)}{_expression(pick, deep - 1)}"
    return f"[{_expression(pick, deep - 1)}, {_expression(pick, deep - 1)}]"


def expression(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Checks whose expressions are wrong, odd, endless or hostile."""
    name = f"{DATA}/rest.yaml"
    said = json.dumps(_expression(pick, 3))
    old = pick.choice(["\"count('card')\"", '"20"'])
    return Case("expression", said, {name: _text(files, name).replace(old, said).encode()}, (VALIDATE,), lined=True)


BLOCKS = (
    *("{% for x in 'x'*100000 %}{% for y in 'x'*100000 %}{% endfor %}{% endfor %}", "{% for x in [1]*100000 %}{{ x }}{% endfor %}"),
    "{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}{% endfor %}{% endfor %}{% endfor %}",
    *("{% macro f(n) %}{% if n %}{{ f(n-1) }}{{ f(n-1) }}{% endif %}{% endmacro %}{{ f(40) }}", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
    *("{% for x in [1,2] recursive %}{% if loop.depth < 40 %}{{ loop([1,2]) }}{% endif %}{% endfor %}", "{% include 'card.svg' %}"),
    *("{% set ns = namespace(s='x') %}{% for i in range(60) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}", "{% include 'none.svg' %}"),
    *("{% set ns = namespace(s=[]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s|string }}", "{% extends 'card.svg' %}"),
    *("{% include '../../data/lanterns/game.yaml' %}", "{% include '/etc/passwd' %}", "{% include 'x'*5000 %}", "{% import 'none.svg' as n %}"),
    *("{% from 'card.svg' import nope %}", "{% block a %}{% endblock %}{% block a %}{% endblock %}", "{% raw %}", "{% if %}", "{% endfor %}"),
    *("{% set x = x %}{{ x.y.z }}", '{{ \'<rect x="1" _at="99:1:1"/>\' }}', '{% autoescape false %}{{ \'<rect _at="a:b" bad="x"/>\' }}{% endautoescape %}'),
    *('{% autoescape false %}{{ \'<rect _at="99:1:1" bad="x"/>\' }}{% endautoescape %}', "{{ '\\U000f000099:99\\U000f0001' }}", "{{ '\\ud800' }}"),
    *("{% call(x) nope() %}{% endcall %}", "{% filter upper %}{% endfilter %}", "{% with a=1 %}{% endwith %}", "{% trans %}x{% endtrans %}", "{{",),
    *("{% set a = [1] %}{% for i in range(40) %}{% set a = a + a %}{% endfor %}", "{{ [].append }}", "{{ {}.update({1: 2}) }}", "{% do 1 %}"),
    *("{% for k, v in {'a': 1} %}{% endfor %}", "{{ ('x'*10000)|list|map('list')|list|length }}", "{% for x in rules.values() %}{{ x }}{% endfor %}"),
)  # fmt: skip


def jinja(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Templates and texts with statements that are wrong, odd, endless or hostile."""
    piece = pick.choice(BLOCKS) if pick.random() < 0.5 else "{{ " + _expression(pick) + " }}"
    where = pick.randrange(4)
    if where == 0:
        name = f"{DATA}/components.yaml"
        text = _text(files, name).replace("title: One", f"title: {json.dumps(piece)}")
        return Case("jinja", piece, {name: text.encode()}, (SHEETS,))
    if where == 1:
        name = f"{DATA}/rest.yaml"
        text = _text(files, name).replace('"Hold {{ rules.hand }} lights."', json.dumps(piece))
        card = _text(files, f"{ART}/card.svg").replace("{{ card.title }}", "{{ words.aim }}")
        return Case("jinja", piece, {name: text.encode(), f"{ART}/card.svg": card.encode()}, (SHEETS,))
    name = f"{ART}/{pick.choice(['card', 'back', 'coin'])}.svg"
    text = _text(files, name)
    at = pick.choice([found.start() for found in re.finditer("(?m)^  <", text)])
    changed = text[:at] + piece + "\n" + text[at:]
    return Case("jinja", piece, {name: changed.encode("utf-8", "surrogatepass")}, (SHEETS,), lined=True)


MARKUP = (
    *('<?xml version="1.0" encoding="nope"?>', '<!DOCTYPE x [<!ENTITY a "b">]>', '<!DOCTYPE x SYSTEM "file:///etc/passwd">', "<![CDATA[x]]>"),
    *('<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "&a;">]>', "&nbsp;", "&a;", "&#0;", "&#xD800;", "<!-- -- -->", "<?php x ?>", "]]>", "<", "&"),
    *('<xi:include href="/etc/passwd"/>', '<x:y xmlns:x="u"/>', "<a:b/>", '<rect x="1" x="2"/>', "<rect", "</rect>", "<g>" * 3000, "<svg>" * 50),
)  # fmt: skip


def xml(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Markup that is not well-formed, or reaches for what it should not."""
    name = f"{ART}/{pick.choice(['card.svg', 'art/hill.svg', 'icons/star.svg', 'lamp.svg'])}"
    text = _text(files, name)
    if pick.random() < 0.5:
        changed = _broken(pick, text)
    else:
        at = pick.choice([0, len(text), text.index(">") + 1, *(found.start() for found in re.finditer("<", text))])
        changed = text[:at] + pick.choice(MARKUP) + text[at:]
    return Case("xml", name, {name: changed.encode("utf-8", "surrogatepass")}, (pick.choice([SHEETS, BUILD]),))


ELEMENTS = (
    *('<use href="#a" id="a"/>', '<g id="a"><use href="#a"/></g>', '<use href="icon:none"/>', '<use href="art/none.svg" width="5" height="5"/>'),
    *('<image href="art/none.png" width="5" height="5"/>', '<image href="http://example.com/x.png" width="5" height="5"/>', '<image href="/etc/passwd"/>'),
    *('<image href="data:image/png;base64,AAAA" width="5" height="5"/>', '<image href="../../../etc/passwd" width="5" height="5"/>', "<script>x</script>"),
    *("<foreignObject/>", "<style>rect{fill:url(http://example.com)}</style>", "<animate/>", '<a href="javascript:x"/>', '<filter id="f"><feFlood/></filter>'),
    *('<clipPath id="c"><rect width="1" height="1"/></clipPath>', '<rect width="5" height="5" clip-path="url(#none)"/>', '<text x="1" y="1">x</text>'),
    *('<path d="M0 0 ' + "A 1 1 0 0 1 5 5 A 2 2 0 0 1 0 0 " * 15_000 + '"/>', '<path d="M0 0' + " L1 1" * 100_000 + '"/>', '<polygon points="' + "1,1 " * 50_000 + '"/>'),
    *("".join(f'<g id="g{n}"><use href="#g{n - 1}"/></g>' for n in range(3000)), "<g>" * 200 + "</g>" * 200, '<symbol id="s"/><use href="#s"/>'),
    "<defs>" + "".join(f'<g id="l{n}"><use href="#l{n - 1}"/><use href="#l{n - 1}"/></g>' for n in range(1, 40)) + '</defs><use href="#l39"/>',
    *('<linearGradient id="q" href="#q"/><rect width="5" height="5" fill="url(#q)"/>', '<rect width="1e308" height="1e308"/>', "<title>x</title>"),
    *('<rect x="1" y="1" width="5" height="5" transform="scale(0)"/>', '<rect width="5" height="5" transform="scale(1e300) scale(1e300)"/>', "<nope/>"),
)  # fmt: skip

NUMBERS = (
    *("", " ", "nope", "-5", "0", "1e308", "1e-308", "1e999", "nan", "inf", "５", "1,5", "5px", "5%", "5mm", "10em", "1 2", "--1", ".", "+", "1e", "0x10"),
    *("{{ 1e308*10 }}", "{{ none }}", "9" * 400, "url(#none)", "url(http://example.com)", "expression(x)", "#12", "#1234567", "rgb(1,2)", "nocolour"),
    *("M0 0 L", "M 5", "Q", "M0 0 A 0 0 0 2 2 1 1", "M0 0 Z Z Z", "rotate(", "rotate(x)", "matrix(1 2 3)", "translate(1e400)", "skewX(90)", "x" * 9999),
)  # fmt: skip


def svg(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Elements that reach nowhere, into themselves, outside, or on and on."""
    name = f"{ART}/{pick.choice(['card.svg', 'art/hill.svg', 'icons/star.svg'])}"
    text = _text(files, name)
    at = text.rindex("</svg>")
    return Case(
        "svg",
        name,
        {name: (text[:at] + pick.choice(ELEMENTS) + text[at:]).encode()},
        (pick.choice([SHEETS, BUILD]),),
        lined=True,
    )


def svg_value(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Attributes that are missing, unknown, or have values that nobody can mean."""
    name = f"{ART}/{pick.choice(['card.svg', 'art/hill.svg', 'icons/moon.svg', 'back.svg', 'lamp.svg'])}"
    text = _text(files, name)
    found = pick.choice(list(re.finditer(r'([\w-]+)="([^"]*)"', text)))
    way = pick.random()
    if way < 0.15:
        new = ""
    elif way < 0.3:
        attribute = pick.choice(
            [
                "onload", "style", "class", "data-holds", "data-role", "id", "filter", "mask", "href", "clip-path",
                "opacity",
            ]
        )  # fmt: skip
        new = f'{found[0]} {attribute}="{pick.choice(NUMBERS)}"'
    else:
        new = f'{found[1]}="{pick.choice(NUMBERS)}"'
    changed = text[: found.start()] + new + text[found.end() :]
    return Case(
        "svg value", f"{name} {new[:40]}", {name: changed.encode()}, (pick.choice([SHEETS, SHEETS, BUILD]),), lined=True
    )


FENCES = (
    *("```legend\nof: [[a]]\n```\n", "```legend\nof: none\n```\n", "```figure\nshow: nope\nof: [card/one]\n```\n", "```figure\nof: [card/none]\n```\n"),
    *("```figure\nshow: row\nof: []\n```\n", "```figure\nshow: row\nof: [card/one]\nheight: 99999\n```\n", "```figure\nshow: row\nof: {a: b}\n```\n"),
    *("```nope\n```\n", "```figure\n[\n```\n", "```figure\nshow: row\nof: [card/one]\nheight: nope\nalt: x\n```\n", "```example X9\n```\n", "```example\n```\n"),
    *("[x](#none)\n", "[x](http://example.com)\n", "[x](javascript:x)\n", "![x](x.png)\n", "<script>x</script>\n", "[[none]]\n", "{none}\n", "{@card/none}\n"),
    *("# a {#aim}\n", "#" * 9 + " deep\n", "> " * 60 + "x\n", "- " * 60 + "x\n", "| a |\n|---|\n| b | c | d |\n", "| a\n|--\n", "*" * 5000 + "\n", "[" * 3000 + "\n",),
    *("x" * 20_000 + "\n", "12 cards\n", "three cards\n", "{漢字|かんじ\n", "\U000f000099:99\U000f0001x\n", "{{ rules.none }}\n", "{% for %}\n", "# \n", "{#\n",),
    *("{% for a in range(9999) %}\n\n## x\n\ny\n\n{% endfor %}\n", "{{ 'x ' * 400000 }}\n", "\u05d0\u05d1\n", "\u0645\u0631\n", "| a |\n|---|\n" + "| b |\n" * 3000),
)  # fmt: skip


def rulebook(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Rulebooks with blocks, links and marks that lead nowhere."""
    name = f"{ART}/rulebook.en.md"
    text = _text(files, name)
    way = pick.random()
    if way < 0.3:
        changed = _broken(pick, text)
    elif way < 0.8:
        lines = text.splitlines(keepends=True)
        at = pick.choice([n for n, line in enumerate(lines) if line == "\n"])
        changed = "".join(lines[: at + 1]) + pick.choice(FENCES) + "\n" + "".join(lines[at + 1 :])
    else:
        changed = text + "\n{{ " + _expression(pick) + " }}\n"
    return Case("rulebook", "book", {name: changed.encode("utf-8", "surrogatepass")}, (("rulebook",),))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


@cache
def _empty(size: int) -> bytes:
    """So many bytes of nothing, compressed: many inputs are as large, and each size is compressed once."""
    return zlib.compress(bytes(size))


@cache
def _strokes(number: int) -> bytes:
    """So many operators of a page, compressed once as well."""
    return zlib.compress(b"0 0 m " * number)


def _png(pick: Random) -> bytes:
    """A PNG that is right up to its sums, and wrong in what it says."""
    size = pick.choice([(1, 1), (0, 0), (60_000, 60_000), (20_000, 20_000), (2**31 - 1, 1), (140, 100)])
    head = struct.pack(
        ">IIBBBBB", *size, pick.choice([1, 8, 16, 3]), pick.choice([0, 2, 3, 4, 6, 5]), 0, 0, pick.choice([0, 1, 2])
    )
    data = _empty(pick.choice([0, 100, 42_100, 5_000_000]))
    odd = [
        _chunk(b"tRNS", b"\0"),
        _chunk(b"gAMA", b"\0"),
        _chunk(b"pHYs", b"\0" * 3),
        _chunk(b"PLTE", b"\0" * pick.choice([0, 1, 768, 5000])),
        _chunk(b"zTXt", b"x\0\0" + _empty(80_000_000)),
        _chunk(b"iCCP", b"x\0\0" + _empty(40_000_000)),
        _chunk(b"acTL", b"\0\0"),
        _chunk(b"iTXt", b"x"),
        b"",
        b"",
    ]
    end = pick.choice([_chunk(b"IEND", b""), b"", b"\0" * 50])
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", head)
        + pick.choice(odd)
        + _chunk(b"IDAT", data[: pick.choice([len(data), 5, 0])])
        + end
    )


def pictures(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Pictures that are cut off, spoilt, of another form than their name, or far too large."""
    name = f"{ART}/art/{pick.choice(['photo.png', 'photo.jpg'])}"
    way = pick.random()
    content: Content
    if way < 0.4:
        content = _spoilt(pick, files[name])
    elif way < 0.65:
        content = _png(pick)
    elif way < 0.85:
        form = pick.choice(["GIF", "BMP", "TIFF", "WEBP", "PPM", "PNG", "JPEG", "ICO", "PDF"])
        content = picture(form, mode="RGB")
        content = _spoilt(pick, content) if pick.random() < 0.5 else content
    else:
        content = pick.choice(
            [None, Sparse(3 << 30), Pipe(), Link("/dev/zero"), Link("photo.gone"), b"<svg/>", b"%PDF-1.7", b"GIF89a"]
        )
    commands = pick.choice(
        [(BUILD,), (("images",),), (("shop", "--preset", "manindo"),), (("export", "pcio"),), (VALIDATE,)]
    )
    return Case("picture", name, {name: content}, commands)


def fonts(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Fonts with torn, missing and lying tables."""
    whole = bytearray(font())
    number = struct.unpack(">H", whole[4:6])[0]
    tables = {bytes(whole[12 + 16 * n : 16 + 16 * n]): 12 + 16 * n for n in range(number)}
    way = pick.random()
    content: Content
    if way < 0.3:
        content = _spoilt(pick, bytes(whole))
    elif way < 0.85:
        entry = tables[pick.choice(list(tables))]
        start, length = struct.unpack(">II", whole[entry + 8 : entry + 16])
        torn = pick.randrange(5)
        if torn == 0:
            whole[entry : entry + 4] = b"XXXX"
        elif torn == 1:
            whole[entry + 8 : entry + 12] = struct.pack(">I", len(whole) + 5)
        elif torn == 2:
            whole[entry + 12 : entry + 16] = struct.pack(">I", pick.choice([0, 1, 2**31, length * 50]))
        elif torn == 3:
            for at in range(start, start + length):
                whole[at] = pick.randrange(256) if pick.random() < 0.3 else whole[at]
        else:
            whole[start : start + length] = bytes(length)
        content = bytes(whole)
    else:
        content = pick.choice(
            [
                None,
                b"",
                b"OTTO" + bytes(99),
                b"ttcf" + bytes(99),
                Sparse(2 << 30),
                Pipe(),
                Link("/dev/zero"),
                b"wOF2" + bytes(99),
            ]
        )
    return Case("font", "own.ttf", {"fonts/own.ttf": content}, (pick.choice([BUILD, SHEETS]),))


CELLS = (
    "", " ", "x", "-1", "9" * 30, "1e5", "=1+1", "'", '"', '""', "a\nb", "a;b", "²", "０", "\0", "\ud800", "{{ 1/0 }}",
    "{star", "[[x]]", "../x", "true", "x" * 40_000,
)  # fmt: skip


def tables(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Tables with ragged rows, odd cells, wrong heads and foreign encodings."""
    name = f"{DATA}/lamps.csv"
    text = _text(files, name)
    way = pick.randrange(10)
    if way < 3:
        changed = _broken(pick, text).encode("utf-8", "surrogatepass")
    elif way < 6:
        rows = [line.split(",") for line in text.splitlines()]
        row = pick.choice(rows)
        row[pick.randrange(len(row))] = pick.choice(CELLS)
        changed = "\n".join(",".join(row) for row in rows).encode("utf-8", "surrogatepass")
    elif way == 6:
        changed = text.encode(pick.choice(["utf-16", "utf-32", "cp500", "utf-7"]))
    elif way == 7:
        changed = _spoilt(pick, text.encode())
    elif way == 8:
        rows = "".join(f"l{n},1,Lamp {n},low\n" for n in range(pick.choice([3000, 300])))
        changed = (
            text
            + pick.choice(
                [rows, ",".join(["x"] * 20_000) + "\n", '"' + "x" * 200_000, rows.replace("low", "{@card/n}")]
            )
        ).encode()
    else:
        changed = text.replace(
            "id,count",
            pick.choice(["id,id", ",", "count,title", "id,count,nope", "ID,Count", "id;count", "sep=,\nid,count"]),
        ).encode()
    return Case("table", "lamps.csv", {name: changed}, (pick.choice([BUILD, SHEETS, ("list",)]),))


@cache
def _wide_workbook() -> bytes:
    return workbook({"Lamps": {f"{column}{row}": "x" * 30_000 for column in "ABCD" for row in range(1, 900)}})


def workbooks(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Workbooks that are torn, huge when unpacked, or say odd things."""
    cells = {"A1": "id", "B1": "count", "C1": "title", "D1": "light", "A2": "hall", "B2": "2", "C2": "Hall lamp", "D2": "low"}  # fmt: skip
    extra = ""
    way = pick.randrange(6)
    if way == 0:
        cells[pick.choice(list(cells))] = pick.choice([cell for cell in CELLS if cell.isprintable()]).replace("&", "")
    elif way == 1:
        extra = pick.choice(
            [
                '<row r="99999999999"><c r="A99999999999"/></row>',
                '<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>',
                '<row r="-1"/>', '<row r="x"/>', '<row r="3"><c r="A3"><f>1+1</f></c></row>',
                '<row r="3"><c r="A3" t="e"><v>#REF!</v></c></row>', '<row r="3"><c r="A3" t="s"><v>99</v></c></row>',
                '<row r="3"><c r="ZZZZZ3" t="n"><v>1</v></c></row>', '<row r="3"><c r="A3" t="n"><v>nope</v></c></row>',
                "<row>" * 9,
            ]
        )  # fmt: skip
    book = workbook({"Lamps": cells, "More": {"A1": "x"}}, extra=extra)
    content: Content = book
    if way == 2:
        content = _spoilt(pick, book)
    elif way == 3:
        content = pick.choice([b"PK\3\4", b"", Sparse(3 << 30), Pipe(), b"\xd0\xcf\x11\xe0" + bytes(600), None])
    elif way == 4:
        content = _wide_workbook()
    sheet = pick.choice(["lamps.xlsx", "lamps.xlsx#Lamps", "lamps.xlsx#none"])
    kinds = _text(files, f"{DATA}/components.yaml").replace("designs: lamps.csv", f"designs: {json.dumps(sheet)}")
    return Case(
        "workbook",
        sheet,
        {f"{DATA}/lamps.xlsx": content, f"{DATA}/components.yaml": kinds.encode()},
        (pick.choice([BUILD, ("list",)]),),
    )


def links(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Links, pipes and devices where files and folders belong; names that are no names."""
    name = pick.choice(
        [*files, "data/lanterns", "templates/lanterns", "templates", "fonts", "records", "output", "output/lanterns"]
    )
    target = pick.choice(
        [
            "/etc", "/etc/passwd", "/dev/zero", "/dev/null", "/", "..", ".", "none", "/proc/self/mem", "/dev/stdin",
            "../../../..",
        ]
    )  # fmt: skip
    changed: dict[str, Content] = {inside: None for inside in files if inside.startswith(f"{name}/")}
    changed[name] = pick.choice([Link(target), Link(target), Pipe(), None])
    commands = pick.choice([(BUILD,), (BUILD, ("list",)), (("record", "one"),), (("rulebook",),), (("export", "csv"),)])
    return Case("link", f"{name} -> {changed[name]}", changed, commands)


def modules(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Rules that fail in all the ways in which a program can, run because the reader trusts them."""
    text = _text(files, f"{DATA}/rules.py")
    lines = pick.choice(
        [
            "raise ValueError('x')", "raise SystemExit(3)", "raise KeyboardInterrupt", "raise GeneratorExit",
            "import sys; sys.stdout.close()", "def (", "import none_such", "RULES = 5", "RULES = None", "del RULES",
            "CHECKS = 5", "CHECKS = {'x': 5}", "1/0", "x = [0] * 10**12", "raise MemoryError", "raise RecursionError",
            "def f(): f()\nf()",
            "import dataclasses; RULES = dataclasses.replace(RULES, legal=lambda s, f, moves: 0)",
            "import dataclasses; RULES = dataclasses.replace(RULES, legal=lambda s, f, moves: 99999)",
            "import dataclasses; RULES = dataclasses.replace(RULES, legal=None)",
            "import dataclasses; RULES = dataclasses.replace(RULES, box=lambda *a: None)",
            "import dataclasses; RULES = dataclasses.replace(RULES, state=lambda b: {})",
            "import dataclasses; RULES = dataclasses.replace(RULES, zones=lambda *a: 5)",
            "import dataclasses; RULES = dataclasses.replace(RULES, say=lambda *a: None)",
            "import dataclasses; RULES = dataclasses.replace(RULES, write=lambda *a: 5)",
            "import dataclasses; RULES = dataclasses.replace(RULES, score=lambda *a: 'x')",
        ]
    )  # fmt: skip
    changed = text + "\n" + lines + "\n" if pick.random() < 0.8 else _broken(pick, text)
    command = pick.choice(
        [
            ("validate", TRUSTED, "--games", "2"),
            ("play", "lanterns", TRUSTED, "--bots-only"),
            ("build", TRUSTED, "--no-cache"),
        ]
    )
    return Case("module", lines, {f"{DATA}/rules.py": changed.encode()}, (command,))


FORGED = (None, -1, 0, 99, 10**30, 1.5, "", "x", [], [5], {}, {"x": 5}, True, "x" * 5000, [[[]]], "1/2", "../x", "²")


def saved_games(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Saved games that were forged, cut off or never were any."""
    game = json.loads(files["saved.json"])
    game.pop("digest")
    for _ in range(pick.choice([0, 1, 1, 2])):
        key = pick.choice(list(game))
        if pick.random() < 0.3:
            del game[key]
        else:
            game[key] = pick.choice(FORGED)
        if not game:
            break
    if pick.random() < 0.8:  # anybody can make the sum that a saved game ends with
        game["digest"] = sha256(json.dumps(game, sort_keys=True).encode()).hexdigest()[:16]
    said = json.dumps(game, indent=1)
    content: Content = said.encode()
    way = pick.random()
    if way < 0.2:
        content = _spoilt(pick, said.encode())
    elif way < 0.35:
        content = pick.choice(
            [
                b"[" * 100_000,
                b'{"a":' * 100_000,
                b"null", b"[]", b"5", b'"x"',
                Sparse(3 << 30),
                Pipe(),
                Link("/dev/zero"),
                b"\xff\xfe", b"NaN",
            ]
        )  # fmt: skip
    command = ("play", "lanterns", TRUSTED, "--resume", "saved.json")
    return Case("saved game", said[:60], {"saved.json": content}, (command,))


def records(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Records that were forged, torn, or are named oddly."""
    record: dict[str, object] = json.loads(files["records/lanterns/one.json"])
    target: dict[str, object] = record
    for _ in range(pick.randrange(4)):
        key = pick.choice(list(target))
        inner = target[key]
        if not isinstance(inner, dict) or not inner or pick.random() < 0.4:
            break
        target = inner
    key = pick.choice(list(target))
    if pick.random() < 0.3:
        del target[key]
    else:
        target[key] = pick.choice(FORGED)
    said = json.dumps(record).encode()
    content: Content = said
    way = pick.random()
    if way < 0.2:
        content = _spoilt(pick, said)
    elif way < 0.3:
        content = pick.choice([b"[" * 100_000, b"null", Sparse(3 << 30), Pipe(), Link("/dev/zero"), None])
    name = pick.choice(["one", "one", "one", "²", "a" * 200, "con", "-x"])
    shown = pick.choice(["one", name, "git:HEAD", "git:--help", "../x", "", "a" * 5000, "git:", "none"])
    commands = pick.choice(
        [
            (("changed",),),
            (("changed", "--since", shown),),
            (("diff", "--", shown),),
            (("record", name),),
            (("changed", "--until", shown),),
        ]
    )
    return Case("record", f"{name} {shown[:20]}", {f"records/lanterns/{name}.json": content}, commands)


PRESET = """\
kind: shop
title: My shop
upload: pdf
standard: pdfx1a
colour: cmyk
bleed: 3
safe: 3
dpi: 300
marks: none
source: {all: "my own figures"}
"""


def presets(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Presets of print shops, papers and stock that contradict themselves."""
    text = PRESET if pick.random() < 0.7 else "kind: paper\ntitle: My paper\npaper: [210, 297]\nmargin: 5\n"
    text = _valued(pick, text, ODD_VALUES) if pick.random() < 0.7 else _broken(pick, text)
    command = pick.choice(
        [("shop", "--preset", "mine"), ("sheets", "--paper", "mine"), ("presets",), ("sheets", "--stock", "mine")]
    )
    return Case("preset", text[:60], {"presets/mine.yaml": text.encode("utf-8", "surrogatepass")}, (command,))


def profiles(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Colour profiles that are none."""
    head = bytearray(128)
    head[36:40] = b"acsp"
    head[12:20] = pick.choice([b"prtrCMYK", b"mntrRGB ", b"prtrGRAY", b"xxxxxxxx"])
    body = bytes(pick.randrange(256) for _ in range(400))
    whole = bytes(head) + struct.pack(">I", pick.choice([0, 1, 5, 2**31])) + body
    content = pick.choice(
        [
            whole,
            whole[:50],
            b"",
            Sparse(3 << 30),
            Pipe(),
            Link("/dev/zero"),
            b"x" * 5000,
            None,
            struct.pack(">I", len(whole)) + whole[4:],
        ]
    )
    return Case("profile", "p.icc", {"p.icc": content}, (("shop", "--preset", "mb-print", "--profile", "p.icc"),))


WORDS = (
    *("--paper", "--margin", "--gap", "--lang", "--only", "--copies", "--backs", "--out", "--show", "--dpi", "--preset", "--games", "--seed", "--players"),
    *("--page", "--stock", "--printer", "--since", "--until", "--format", "--project", "--seat", "--bot", "--option", "--save", "--resume", "--profile"),
)  # fmt: skip

ODD_WORDS = (
    *("", " ", "-", "--", "nope", "-1", "0", "1e400", "nan", "inf", "99999999999", "５mm", "5 mm", "5in", "A4", "a4", "../x", "/dev/null/x", "/", "\ud800"),
    *("x" * 5000, "ja+en", "en+en", "+", "*", "[", "card/*", "100x100", "0x0", "1x1", "99999x99999", "{}", "git:HEAD", "1/1", "1/99999999999999999999",),
)  # fmt: skip


def commands(pick: Random, files: Mapping[str, bytes]) -> Case:
    """Commands with odd words."""
    command = pick.choice(
        [
            "build", "sheets", "validate", "rulebook", "images", "shop", "changed", "diff", "play", "list", "proof",
            "boxes", "dielines", "calibrate", "export", "new", "record", "presets", "schema", "preflight",
        ]
    )  # fmt: skip
    words = [command]
    for _ in range(pick.choice([1, 1, 2, 3])):
        words += [pick.choice(WORDS), pick.choice(ODD_WORDS)] if pick.random() < 0.7 else [pick.choice(ODD_WORDS)]
    told = tuple(
        word.encode("utf-8", "surrogateescape").decode("utf-8", "replace").replace("\0", "")
        for word in words
        if "\ud800" not in word
    )
    return Case("command", " ".join(told)[:80], {}, (told,))


def _pdf(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010d} 00000 n \n".encode() for place in places)
    return bytes(out) + b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, trailer, start)  # fmt: skip


STREAMS = (
    *(b"q " * 100_000, b"1 0 0 RG 0.1 w 0 0 m 50 50 l S", b"/X Do", b"/X Do " * 5000, b"BT /F 12 Tf (x) Tj ET", b"BI /W 1 /H 1 ID x EI", b"0 0 5"),
    *(b"1e400 0 0 1 0 0 cm", b"nan 0 m", b"[" * 5000, b"(" * 5000, b"<</A" * 3000, b"\xff" * 500, b"/\xb1\xb2 gs", b"0 0 m " * 200_000, b"Q Q Q Q",),
)  # fmt: skip

VALUES = (
    b"null", b"5", b"-1", b"[]", b"<<>>", b"(x)", b"/X", b"true", b"[0 0 99999999 99999999]", b"[0 0 0 0]",
    b"[nan 0 1 1]", b"1 0 R", b"99 0 R", b"[1 0 R]", b"2147483648",
)  # fmt: skip


def pdfs(pick: Random, files: Mapping[str, bytes]) -> Case:
    """PDF files of other programs that are torn, twisted into themselves, or far too large inside."""
    content = pick.choice(STREAMS)
    squeeze = pick.choice(
        [
            b"", b"/Filter/FlateDecode", b"/Filter[/FlateDecode/FlateDecode]", b"/Filter/JBIG2Decode",
            b"/Filter/LZWDecode", b"/Filter/Nope", b"/Filter/RunLengthDecode",
        ]
    )  # fmt: skip
    data = content
    if b"Flate" in squeeze:
        if pick.random() < 0.5:
            data = zlib.compress(content)
        else:
            data = _strokes(30_000_000) if pick.random() < 0.1 else _empty(50_000_000)
        if squeeze.count(b"Flate") == 2:
            data = zlib.compress(data)
    keys = {
        b"/MediaBox": b"[0 0 200 200]",
        b"/TrimBox": b"[9 9 191 191]",
        b"/Contents": b"4 0 R",
        b"/Resources": b"<</XObject<</X 5 0 R>>/Font<</F 6 0 R>>>>",
    }
    keys |= {b"/Rotate": b"0"}
    if pick.random() < 0.6:
        keys[pick.choice([*keys, b"/Parent", b"/Annots", b"/Group", b"/UserUnit", b"/BleedBox"])] = pick.choice(VALUES)
    page = b"<</Type/Page/Parent 2 0 R" + b"".join(key + b" " + value for key, value in keys.items()) + b">>"
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>/Length 5>>\nstream\n/X Do\nendstream"
    image = b"<</Type/XObject/Subtype/Image/Width %s/Height %s/ColorSpace/DeviceRGB/BitsPerComponent 8/Length 3>>\nstream\nabc\nendstream"
    shown = (
        form
        if pick.random() < 0.5
        else image % (pick.choice([b"1", b"99999", b"-1", b"/X"]), pick.choice([b"1", b"99999"]))
    )
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R%s]/Count %s>>" % (pick.choice([b"", b" 2 0 R", b" 3 0 R"]), pick.choice([b"1", b"-1", b"99999999"])),
        page,
        b"<<%s/Length %d>>\nstream\n" % (squeeze, len(data)) + data + b"\nendstream",
        shown,
        pick.choice([b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", b"<</Type/Font/Subtype/Type0/DescendantFonts[6 0 R]>>", b"5", b"<</Type/Font/Subtype/Type3>>"]),
    ]  # fmt: skip
    whole: Content = _pdf(objects)
    way = pick.random()
    if way < 0.3:
        assert isinstance(whole, bytes)
        whole = _spoilt(pick, whole)
    elif way < 0.36:
        whole = pick.choice([Sparse(3 << 30), Pipe(), Link("/dev/zero"), None, b"", b"%PDF-1.7"])
    preset: tuple[str, ...] = pick.choice([(), ("--preset", "digital"), ("--preset", "offset-jp")])
    return Case("pdf", "f.pdf", {"f.pdf": whole}, (("preflight", "f.pdf", *preset),))


KINDS: Sequence[tuple[Callable[[Random, Mapping[str, bytes]], Case], int]] = (
    *((yaml, 9), (yaml_values, 8), (yaml_files, 3), (schema, 8), (sections, 8), (expression, 8), (modules, 3), (jinja, 11), (xml, 5)),
    *((svg, 5), (svg_value, 9), (rulebook, 8), (pictures, 6), (fonts, 6), (tables, 5), (workbooks, 4), (links, 4), (saved_games, 5)),
    *((records, 6), (presets, 5), (profiles, 2), (commands, 7), (pdfs, 8)),
)  # fmt: skip


@dataclass
class Inputs:
    """The bad inputs of one seed and of some kinds that spoil these files of a good game."""

    seed: int
    files: Mapping[str, bytes]
    kinds: Sequence[tuple[Callable[[Random, Mapping[str, bytes]], Case], int]] = KINDS

    def case(self, number: int) -> Case:
        """The input of this number: the same for the same seed, whatever else is asked for."""
        pick = Random(f"{self.seed}/{number}")
        (kind,) = pick.choices([kind for kind, _ in self.kinds], [weight for _, weight in self.kinds])
        return kind(pick, self.files)
