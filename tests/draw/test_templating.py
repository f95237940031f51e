"""Templates: found in two folders, rendered in a sandbox, every mistake told with the template's file and line."""

import itertools
import re
from pathlib import Path
from typing import Any, cast

import pytest
import zxingcpp
from PIL import Image, ImageDraw

from generator.base.errors import Place, ProblemsFound
from generator.base.files import Resources
from generator.drawing.templates import functions
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.template_values import ValueReader, View

ASKED = Place("data/tale/deck.yaml", 2)


def templates(root: Path, **files: str) -> Templates:
    """The templates of game `tale`; a name like `common__x` is common/x.svg, others are the game's own."""
    (root / "templates" / "tale").mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = root / "templates" / f"{name.replace('__', '/') if '__' in name else f'tale/{name}'}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Templates("tale", Resources((root,), shown_from=root))


def variables(made: Templates, **values: Any) -> dict[str, Any]:
    """What the templates may speak of: a card with some fields, and these values."""
    reader = ValueReader("en", made.expand_text, lambda _path: ASKED, "card")
    reader.variables = {**made.functions, **values}
    card = View({"number": 6, "title": "A < B", "items": "none", "note": None, "cost": {"gold": 1}}, reader)
    reader.variables["card"] = card
    return reader.variables


def rendered(root: Path, text: str, **files: str) -> str:
    made = templates(root, card=text, **files)
    return made.render_face("card.svg", variables(made), lambda: ASKED).markup


def complaint(root: Path, text: str, **files: str) -> str:
    with pytest.raises(ProblemsFound) as caught:
        rendered(root, text, **files)
    return str(caught.value)


def test_values_are_escaped(tmp_path: Path) -> None:
    assert rendered(tmp_path, "{{ card.title }}") == "A &lt; B"


@pytest.mark.parametrize(
    "text",
    [
        "<svg a='{{ card.title }}'>\n<g>{{card.number}}{{ card.items }}</g>\n\n<!-- <a> -->\n{{ card.note }}<b/> }} %} #}</svg>\n\n",
        "<svg>\n<![CDATA[ <x> {{ card.title }}]]><g id='a'/>{ { {{  card.number  }}</svg>",
        "<svg/>",
    ],
)
def test_a_template_of_fields_is_filled_in_as_jinja_would(tmp_path: Path, text: str) -> None:
    made, other = templates(tmp_path, card=text), templates(tmp_path)
    asked = ("card.svg", variables(made), lambda: ASKED)
    found, wanted = made.render_face(*asked), other.jinja.render_face(*asked)
    assert "jinja" not in made.__dict__
    assert found == wanted
    assert list(map(type, found.pieces)) == list(map(type, wanted.pieces))


def test_fields_come_before_methods(tmp_path: Path) -> None:
    assert rendered(tmp_path, "{{ card.items }} {{ card['number'] }} {{ card.cost.gold }}") == "none 6 1"
    assert (
        rendered(tmp_path, "{% for name, value in card.cost | items %}{{ name }}={{ value }}{% endfor %}") == "gold=1"
    )


def test_numbers_and_nothing_print_as_on_a_card(tmp_path: Path) -> None:
    """Whole results lose their `.0`, sums their noise; a field without a value prints nothing."""
    assert rendered(
        tmp_path, "{{ card.number / 2 }}|{{ 0.1 * card.number }}|{{ card.note }}|{{ 0 - card.number / 1e9 }}"
    ) == ("3|0.6||0")


def test_functions_for_drawing(tmp_path: Path) -> None:
    """Angles are degrees, 0 up and clockwise for polar; quarters are exact."""
    assert rendered(
        tmp_path, "{{ sin(90) }} {{ cos(90) }} {{ polar(10, 90) }} {{ sqrt(16) }} {{ round(2.348, 2) }}"
    ) == ("1 0 10 0 4 2.35")
    assert rendered(tmp_path, "{{ [3, 1, 2] | max }}{{ min(4, card.number) }}{{ 2.5 | round(0) }}") == "342"


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        ("qr('https://example.org/rules?card=7', 20)", "QRCode", "https://example.org/rules?card=7"),
        ("qr('風の丘', 12)", "QRCode", "風の丘"),
        ("qr(card.number, 8)", "QRCode", "6"),
        ("ean13('490123456789', 31.35, 10)", "EAN13", "4901234567894"),
        ("ean13('4901234567894', 37.29, 10)", "EAN13", "4901234567894"),
        ("code128('Wind-07 b', 45, 8)", "Code128", "Wind-07 b"),
        ("code128('0123456789', 40, 8)", "Code128", "0123456789"),
    ],
)
def test_codes_say_what_they_are_given(tmp_path: Path, call: str, kind: str, said: str) -> None:
    path = rendered(tmp_path, f"{{{{ {call} }}}}")
    picture = Image.new("L", (1200, 600), 255)
    pen = ImageDraw.Draw(picture)
    for x, y, right, bottom in re.findall(r"M (\S+) (\S+) H (\S+) V (\S+) H \1 Z", path):
        left, top, end, foot = (100 + 20 * float(value) for value in (x, y, right, bottom))
        pen.rectangle((round(left), round(top), round(end) - 1, round(foot) - 1), fill=0)
    [found] = zxingcpp.read_barcodes(picture)
    assert (str(found.format).replace("-", "").replace(" ", ""), found.text) == (kind, said)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("qr('', 20)", "qr takes a text of 1 to 300 characters, not of 0"),
        ("qr('x' * 301, 20)", "qr takes a text of 1 to 300 characters, not of 301"),
        ("qr('https://example.org/', 6)", "a QR code of 25 x 25 modules in 6 mm has modules of 0.24 mm; it needs 7.55 mm or a shorter text"),
        ("ean13('49012', 30, 10)", "ean13 takes twelve or thirteen digits, not '49012'"),
        ("ean13('4901234567890', 30, 10)", "the last digit of the EAN 4901234567890 must be 4; one of its digits is wrong"),
        ("ean13('490123456789', 20, 10)", "a code of 95 modules in 20 mm has modules of 0.21 mm; it needs 23.8 mm or a shorter text"),
        ("code128('凧', 30, 10)", "code128 takes 1 to 40 letters, digits and signs of ASCII, not '凧'"),
    ],
)  # fmt: skip
def test_codes_that_nobody_could_read_are_told(tmp_path: Path, call: str, told: str) -> None:
    with pytest.raises(ProblemsFound) as found:
        rendered(tmp_path, f"{{{{ {call} }}}}")
    assert [problem.what for problem in found.value.problems] == [told]


def test_templates_of_the_game_come_before_common_ones(tmp_path: Path) -> None:
    """A bare name means the game's file, then the common one; either folder can be named outright."""
    made = (
        '{% include "part.svg" %}{% include "common/part.svg" %}{% include "only.svg" %}{% include "tale/part.svg" %}'
    )
    assert rendered(tmp_path, made, part="own ", common__part="common ", common__only="only ") == "own common only own "


def test_start_tags_carry_file_line_and_column(tmp_path: Path) -> None:
    """Through loops, macros, includes, raw blocks and multi-line tags each tag knows the place it was written at."""
    text = (
        '{% import "lib.svg" as lib %}\n<svg>\n{% for i in range(2) %}\n<rect x="{{ i }}"\n  y="1"/>\n{% endfor %}\n'
        '{% raw %}<g>{{ "<no>" }}</g>{% endraw %}\n{# <no> #}\n{{ "<no>" }}{% include "part.svg" %}\n{{ lib.box() }}\n'
        "<a{% if true %} b='1'{% endif %}/><{{ 'c' }}/><d{{ 'e' }}/>\n</svg>"
    )
    made = templates(tmp_path, card=text, part="\n<circle/>", lib="{% macro box() %}\n\n<ellipse/>{% endmacro %}")
    face = made.render_face("card.svg", variables(made), lambda: ASKED)
    tags = {}
    for piece in face.markup.split("<")[1:]:
        name, _, rest = piece.partition(" _at=")
        if rest:
            tags.setdefault(name, []).append(str(made.locate_stamp(face, rest.split('"')[1])))
    own = "templates/tale/card.svg"
    assert tags == {
        "svg": [f"{own}:2:1"],
        "rect": [f"{own}:4:1", f"{own}:4:1"],
        "g": [f"{own}:7:10"],
        "no": [f"{own}:7:17"],
        "circle": ["templates/tale/part.svg:2:1"],
        "ellipse": ["templates/tale/lib.svg:3:1"],
        "a": [f"{own}:11:1"],
    }
    assert '<g _at="92:7:10">{{ "<no' in face.markup
    assert "<c/><de/>" in face.markup


CARD = "templates/tale/card.svg"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ card.numbr }}", f"{CARD}:1: card has no field 'numbr'; did you mean 'number'?"),
        ("{{ card.cost.glod }}", f"{CARD}:1: card.cost has no field 'glod'; did you mean 'gold'?"),
        ("\n{{ crad.number }}", f"{CARD}:2: 'crad' is not known here; did you mean 'card'?"),
        ("\n\n{{ card.title | uper }}", f"{CARD}:3: there is no filter 'uper'; did you mean 'upper'?"),
        ("{% if card is evn %}{% endif %}", f"{CARD}:1: there is no test 'evn'; did you mean 'even'?"),
        ("\n{% if %}", f"{CARD}:2: a value is missing before the end of this tag; write it, or remove the tag"),
        ("{{ card.title.foo }}", f"{CARD}:1: a text has no 'foo'"),
        ("{{ card.number.foo }}", f"{CARD}:1: a number has no 'foo'"),
        ("{{ card }}", f"{CARD}:1: card contains several values, not one text; name one of them"),
        ("{{ card.cost | list }}", f"{CARD}:1: a list is not a text; join it with | join(', ')"),
        ("\n{{ 1 / (card.number - 6) }}", f"{CARD}:2: a division by zero"),
        ("{{ card.title - 1 }}", f"{CARD}:1: values of the wrong kind: unsupported operand type(s) for -: 'str' and 'int'"),
        ('{% include "pat.svg" %}', f"{CARD}:1: there is no template 'pat.svg' in templates/tale or templates/common; did you mean 'part'?"),
        ('{% include "../other/x.svg" %}', (f"{CARD}:1: there is no template '../other/x.svg' in templates/tale or templates/common;" " known: bad, broken, card, lib, part")),
        ('\n{% include "bad.svg" %}', "templates/tale/bad.svg:3: a value is missing before the end of this tag"),
        ('\n{% include "broken.svg" %}', "templates/tale/broken.svg:2: 'foo' is not known here"),
        ('{% import "lib.svg" as lib %}{{ lib.show() }}', "templates/tale/lib.svg:2: 'card' is not known in an imported file; import it 'with context'"),
        ("{% macro m() %}{{ m() }}{% endmacro %}\n{{ m() }}", f"{CARD}:1: the template is nested too deeply or calls itself without end"),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, message: str) -> None:
    told = complaint(
        tmp_path,
        text,
        part="",
        bad="<g>\n\n{% if 1 + %}{% endif %}",
        broken="<g>\n{{ foo }}",
        lib="{% macro show() %}\n{{ card.number }}{% endmacro %}",
    )
    assert told == message if "known: " in message or message.endswith("?") else told.startswith(message)


STEPS = "too many loop steps and macro calls; the limit for one face is 100,000"
PIECES = "lists and pieces of text of more than 2,000,000 values together"
WRITTEN = "texts of more than 30,000,000 characters together"
DOUBLED = "{{% set ns = namespace(s=(1,)) %}}{{% for i in range(50) %}}{{% set ns.s = {} %}}{{% endfor %}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{{ card.__class__ }}", "card has no field '__class__'"),
        ('{{ "".__class__ }}', "templates cannot use '.__class__' here"),
        ("{{ card.title.format(1) }}", "templates cannot use '.format' here"),
        ('{{ "x".ljust(99999999) }}', "templates cannot use '.ljust' here"),
        ('{{ [1]["index"] }}', "templates cannot use '.index' here"),
        ("{{ (1).to_bytes(999999999) }}", "templates cannot use '.to_bytes' here"),
        ('{{ "a" * 300000000 }}', "repeating up to more than 100,000 entries"),
        ("{{ 300000000 * [1] }}", "repeating up to more than 100,000 entries"),
        ("{{ 2 ** 99999 }}", "the power is too large"),
        ('{{ "%0999999999d" % 1 }}', "'%' does not format texts here; put values together with '~'"),
        ('{{ "%0999999999f" % 1.5 }}', "'%' does not format texts here; put values together with '~'"),
        ('{{ "%d" | format(1) }}', "there is no filter 'format'"),
        ('{{ "a" | center(99999999) }}', "there is no filter 'center'"),
        ('{{ "a" | indent(99999999) }}', "there is no filter 'indent'"),
        ("{{ 1 | round(999999999) }}", "round takes 0 to 9 decimals"),
        ("{% for i in range(100001) %}{% endfor %}", "the range is too long; the limit for one face is 100,000 steps"),
        ("{% for i in range(0, 10 ** 30) %}{% endfor %}", "the range is too long; the limit for one face is 100,000 steps"),
        (
            "{% for i in range(1000) %}{% for j in range(1000) %}{% endfor %}{% endfor %}",
            "too many loop steps and macro calls; the limit for one face is 100,000",
        ),
        ("{% set s = 'x' * 100000 %}{% for a in s %}{% for b in s %}{% endfor %}{% endfor %}", STEPS),
        ("{% set s = [1] * 100000 %}{% for a in s %}{% for b in s %}{% endfor %}{% endfor %}", STEPS),
        ("{% set s = range(999) | list %}{% for a in s %}{% for b in s | map('abs') %}{% endfor %}{% endfor %}", STEPS),
        ("{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(40) }}", STEPS),
        ("{% for x in [1, 2] recursive %}{% if loop.depth < 40 %}{{ loop([1, 2]) }}{% endif %}{% endfor %}", STEPS),
        ("{% for k in range(99999) %}{% include 'none.svg' ignore missing %}{% endfor %}", STEPS),
        (f"{DOUBLED.format('[ns.s, ns.s]')}{{{{ ns.s | string }}}}", PIECES),
        (f"{DOUBLED.format('(ns.s, ns.s)')}{{{{ {{ns.s: 1}} }}}}", PIECES),
        (f"{DOUBLED.format('{1: ns.s, 2: ns.s}')}{{{{ ns.s | string }}}}", PIECES),
        ("{{ ([[1] * 1000] * 100000) | sum(start=[]) | length }}", PIECES),
        ("{% for i in range(90000) %}" + "{{ i }}" * 1000 + "{% endfor %}", PIECES),
        *(
            (f"{{{{ (['x' * 90000] * 90000) | {filters} | list }}}}", WRITTEN)
            for filters in ("map('upper')", "map('list')", "map('replace', 'x', 'yy')", "map('sort')", "sort", "unique")
        ),
        ("{% set s = '<' * 99999 %}{% for i in range(99) %}{{ s }}" + "{{ s }}" * 9 + "{% endfor %}", WRITTEN),
        ("{{ 'a'" + "|replace('a', 'aaaaaaaaaa')" * 30 + " }}", WRITTEN),
        ("{% set s = 'x' * 90000 %}{% for i in range(99) %}" + "{% set t = s.split() %}" * 9 + "{% endfor %}", WRITTEN),
        ("{{ 'f' * 5 ~ '' }}{{ ('f' * 90000) | int(0, 16) }}", "the number has too many digits"),
        *(
            (f"{{{{ {number} }}}}", "the number is too large or not a number")
            for number in ("1e308 * 10", "1e400", "'inf' | float", "'nan' | float", "1e308 / 1e-300")
        ),
        *(
            (text, "the text has an incomplete")
            for text in ("{{ '\\ud800' }}", "{% set x = '\\ud800' %}{{ x }}", "{{ ('a' ~ '\\udfff') | upper }}")
        ),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "the template is nested too deeply"),
        ("{{" * 3000, "the template is nested too deeply"),
        ("{{ cycler(1) }}", "'cycler' is not known here"),
        ("{{ lipsum(99999) }}", "'lipsum' is not known here"),
        (
            '{% set ns = namespace(x="aaaaaaaaaa") %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}',
            "a text of more than 2,000,000 characters",
        ),
        (
            '{% set ns = namespace(x="aaaaaaaaaa") %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}',
            "adding up to more than 2,000,000 entries",
        ),
        (
            "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
            "adding up to more than 100,000 entries",
        ),
        (
            '{% set ns = namespace(x="aaaaaaaaaa") %}{% for i in range(60) %}' "{% set y %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = y %}{% endfor %}",
            "a text of more than 2,000,000 characters",
        ),
        (
            "{% set ns = namespace(x=2) %}{% for i in range(60) %}{% set ns.x = ns.x * ns.x %}{% endfor %}",
            "the product is too large",
        ),
        ('{{ ("a" * 90000) | replace("a", "b" * 90000) }}', "a text of more than 2,000,000 characters"),
        ('{{ (("a" * 90000) ~ "") | list | join("b" * 90000) }}', "a text of more than 2,000,000 characters"),
        ("{{ sqrt(-1) }}", "sqrt takes no negative number"),
    ],
)  # fmt: skip
def test_the_sandbox_has_no_holes(tmp_path: Path, text: str, message: str) -> None:
    """Nothing in a template reaches Python or takes time and memory without bound; it is refused in words."""
    told = complaint(tmp_path, text)
    assert re.sub(f"^{re.escape(CARD)}(:1)?: ", "", told).startswith(message)


def test_the_message_for_a_method_names_its_filter(tmp_path: Path) -> None:
    assert complaint(tmp_path, '{{ "a,b".replace(",", "") }}') == (
        f"{CARD}:1: templates cannot use '.replace' here; write ' | replace'"
    )


def test_a_missing_face_template_is_told_where_it_is_named(tmp_path: Path) -> None:
    made = templates(tmp_path, card="")
    with pytest.raises(ProblemsFound) as caught:
        made.render_face("crad.svg", variables(made), lambda: ASKED)
    assert str(caught.value) == (
        "data/tale/deck.yaml:2: there is no template 'crad.svg' in templates/tale or templates/common;"
        " did you mean 'card'?"
    )


def test_a_template_that_is_no_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are told, with the file."""
    made = templates(tmp_path)
    (tmp_path / "templates/tale/card.svg").write_bytes(b"<svg>\xff")
    with pytest.raises(ProblemsFound) as caught:
        made.render_face("card.svg", variables(made), lambda: ASKED)
    assert str(caught.value) == f"{CARD}:1:6: byte 0xFF is not UTF-8; save the file as UTF-8"


def test_places_do_not_depend_on_line_ends(tmp_path: Path) -> None:
    for newline in ("\n", "\r\n", "\r"):
        made = templates(tmp_path)
        text = f"\ufeff<svg>{newline}{{# x{newline} #}}猫 <g/>{newline}</svg>{newline}"
        (tmp_path / "templates/tale/card.svg").write_bytes(text.encode())
        markup = made.render_face("card.svg", variables(made), lambda: ASKED).markup
        assert markup == '<svg _at="92:1:1">\n猫 <g _at="92:3:6"/>\n</svg>'


def test_whether_the_card_matters(tmp_path: Path) -> None:
    made = templates(tmp_path, back="{{ lang }}", front='{% include "part.svg" %}', part="{{ card.number }}")
    back = made.render_face("back.svg", variables(made, lang="en"), lambda: ASKED)
    assert (back.markup, *back[1:]) == ("en", "templates/tale/back.svg", False, False)
    front = made.render_face("front.svg", variables(made), lambda: ASKED)
    assert (front.markup, *front[1:]) == ("6", "templates/tale/front.svg", True, False)


def test_whether_a_second_language_matters(tmp_path: Path) -> None:
    """A template speaks two languages when it asks for `second`, if only for whether there is one."""
    made = templates(tmp_path, card='x{% include "part.svg" %}', part="{% if second is defined %}{% endif %}")
    assert made.render_face("card.svg", variables(made), lambda: ASKED).bilingual


def test_imported_macros_give_the_same_for_equal_arguments_only(tmp_path: Path) -> None:
    """Remembered results keep 1, 1.0, true and texts apart, and never outlive a counting namespace."""
    lib = "{% macro show(a) %}[{{ a ~ '' }}]{% endmacro %}"
    text = (
        '{% import "lib.svg" as lib %}{{ lib.show(1) }}{{ lib.show(1.0) }}{{ lib.show(true) }}{{ lib.show("1") }}'
        "{{ lib.show(1) }}{{ lib.show(a=2) }}{{ lib.show(a=3) }}"
    )
    assert rendered(tmp_path, text, lib=lib) == "[1][1.0][True][1][1][2][3]"
    counting = "{% set ns = namespace(n=0) %}{% macro next() %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{% endmacro %}"
    calls = '{% import "lib.svg" as lib %}{{ lib.next() }}{{ lib.next() }}'
    assert rendered(tmp_path, calls, lib=counting) == "12"


def test_texts_of_the_data_are_filled_in(tmp_path: Path) -> None:
    """`{{ ... }}` in a text of the data takes its values; these are not escaped, for they are no markup yet."""
    made = templates(tmp_path)
    assert made.expand_text("{{ card.title }}: {{ 2 + card.number }}", variables(made), ASKED) == "A < B: 8"
    with pytest.raises(ProblemsFound) as caught:
        made.expand_text("draw {{ card.numbr }}", variables(made), ASKED)
    assert str(caught.value) == (
        "data/tale/deck.yaml:2: in the text 'draw {{ card.numbr }}': card has no field 'numbr'; did you mean 'number'?"
    )


def test_braces_of_a_text_that_hold_no_value_have_a_way_out(tmp_path: Path) -> None:
    made = templates(tmp_path)
    with pytest.raises(ProblemsFound, match=r"write `}}` where it ends, or write \\{\\{ for braces in the text"):
        made.expand_text("Draw {{ 2 cards.", variables(made), ASKED)
    with pytest.raises(ProblemsFound, match=r"block 'a' defined twice; write \\{\\{ for braces in the text"):
        made.expand_text("{% block a %}{% endblock %}{% block a %}{% endblock %}", variables(made), ASKED)


def test_expressions_of_the_data_are_computed(tmp_path: Path) -> None:
    made = templates(tmp_path)
    assert made.jinja.compute_value("[1, 2, 3] | sum * 2", {}) == 12
    with pytest.raises(ValueError, match=r"'cards' is not known here; did you mean 'card'\?"):
        made.jinja.compute_value("cards + 1", {"card": 1})


def test_errors_of_ours_stay_errors(tmp_path: Path) -> None:
    made = templates(tmp_path, card="{{ card.number }}")
    names = {**made.functions, "card": View({"number": "{{ 6 }}"}, cast("ValueReader", None))}
    with pytest.raises(AttributeError):
        made.render_face("card.svg", names, lambda: ASKED)


def test_time_is_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = itertools.count(step=5)
    monkeypatch.setattr(functions, "_thread_time", lambda: next(seconds))
    long = "{% for i in range(3000) %}{% endfor %}x"
    made = templates(tmp_path, card=long)
    said = []
    for _ in range(2):
        with pytest.raises(ProblemsFound) as found:
            made.render_face("card.svg", variables(made), lambda: ASKED)
        said.append(str(found.value))
    assert said == [f"{CARD}:1: it takes longer than {allowed} seconds" for allowed in (8, 4)]


@pytest.mark.parametrize("stamp", ["99:1:1", "0:1", "a:b:c", "0:99999999999999999999:1", "-"])
def test_a_forged_place_leads_nowhere(tmp_path: Path, stamp: str) -> None:
    made = templates(tmp_path, card=f"{{% autoescape false %}}{{{{ '<rect _at=\"{stamp}\"/>' }}}}{{% endautoescape %}}")
    face = made.render_face("card.svg", variables(made), lambda: ASKED)
    assert f'_at="{stamp}"' in face.markup
    assert made.locate_stamp(face, stamp).file == CARD
