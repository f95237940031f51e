"""Text templates: every line knows its place, tags alone on a line leave none, and no text is lost."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.base.errors import ProblemsFound
from generator.base.files import Resources
from generator.drawing.templates.game_templates import Templates
from generator.drawing.templates.renderer import RenderedText

FORMS = {
    "text": "w{n}", "blank": "", "comment": "{{# a word #}}", "two comments": "  {{# one #}}{{# two #}}  ",
    "long comment": "{{# first\nsecond #}}", "set": "{{% set x = {n} %}}", "marked": "w{n} {{# why #}}",
    "value": "{{{{ 'v' }}}} w{n}", "if": "{{% if true %}}w{n}{{% endif %}}",
    "if not": "{{% if false %}}never{{% endif %}}", "tag then text": "{{% set y = 1 %}} w{n}",
    "loop": "{{% for i in [1, 2] %}}w{n} {{% endfor %}}", "lines": "{{{{ 'w{n}\\n\\nmore' }}}}",
    "kept": "{{% set z %}}a{{% endset %}}{{{{ z == 'a' }}}} w{n}", "anchor": "# w{n} {{#here-{n}}}",
}  # fmt: skip


def rendered(source: str, folder: Path) -> RenderedText:
    """What a template of this text gives."""
    path = folder / "templates" / "game" / "text.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
    templates = Templates("game", Resources((folder,), shown_from=folder))
    return templates.jinja.render_text("text.md", dict(templates.functions))


@pytest.mark.slow
@given(st.lists(st.sampled_from(sorted(FORMS)), min_size=1, max_size=14))
def test_every_line_has_its_place(tmp_path_factory: object, kinds: list[str]) -> None:
    folder = tmp_path_factory.mktemp("text")  # type: ignore[attr-defined]
    source, words = "", []
    for kind in kinds:
        number = source.count("\n") + 1
        form = FORMS[kind].format(n=number)
        source += f"{form}\n"
        words += [number] if f"w{number}" in form else []
    written = rendered(source, folder)
    lines = written.text.split("\n")

    assert len(lines) == len(written.places)
    found = [
        (int(word[1:]), place)
        for line, place in zip(lines, written.places, strict=True)
        for word in dict.fromkeys(line.split())
        if word.startswith("w")
    ]
    assert [number for number, _ in found] == words
    assert [place.line for _, place in found] == words
    assert {place.file for place in written.places} == {"templates/game/text.md"}
    # Only what is blank in the template, or in a value, is blank in the text.
    blank = sum(kind in ("blank", "lines") for kind in kinds)
    assert sum(not line.strip() for line in lines) in (blank, blank + 1)  # behind the last line's end there is nothing
    assert "True" in written.text or "kept" not in kinds


def test_a_tag_takes_its_line_only_where_it_is_alone(tmp_path: Path) -> None:
    source = (
        "a {# x #}\n\nb{% if true %} c{% endif %}\n\n{% for n in [1, 2] %}\n| {{ n }} |\n{% endfor %}\n{# y #}\nd\n"
    )
    assert rendered(source, tmp_path).text == "a \n\nb c\n\n| 1 |\n| 2 |\nd\n"


def test_a_minus_still_trims(tmp_path: Path) -> None:
    """`-%}` takes the space after it along, as everywhere in Jinja."""
    assert rendered("a {% if true -%}\n  b\n{%- endif %}\nc\n", tmp_path).text == "a b\nc\n"


@pytest.mark.parametrize("text", ["a\n\U000f000099:99\U000f0001x", "a\n{{ '\\U000f000099:1\\U000f0001' }}", "a\n{{ marked }}"])  # fmt: skip
def test_a_forged_place_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "templates/game").mkdir(parents=True)
    (tmp_path / "templates/game/text.md").write_text(text, encoding="utf-8")
    templates = Templates("game", Resources((tmp_path,), tmp_path))
    with pytest.raises(ProblemsFound, match=r"^templates/game/text\.md:2: the (character U\+F0000|text) has ") as found:
        templates.jinja.render_text("text.md", {**templates.functions, "marked": "\U000f000099:99\U000f0001"})
    assert len(found.value.problems) == 1
