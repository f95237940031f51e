"""The cases of text: a book of about 200 pages and a table of 20,000 rows; see README.md."""

import sys
from functools import partial
from pathlib import Path

import deck
from cases import Peers, Program, check_pdf
from processes import HERE, PNP

CARDS = {"book": (600, range(150, 260)), "table": (20_000, range(600, 1_800))}
"""By kind of document: cards and allowed pages; pnp makes 200 of the book."""

TEMPLATES = {
    "book": """\
{% for card in designs('card') %}
{% if loop.index0 % CHAPTER == 0 %}
# {{ card.title }}の巻

{% endif %}
## {{ card.title }}

{{ card.text }}{{ card.text }}

- {{ card.title }}を取る
- {{ card.title }}を置く

{% if loop.index % CHAPTER == 0 %}
| 番号 | 名 |
|--:|---|
{% for row in designs('card')[loop.index - CHAPTER:loop.index] %}
| {{ row.number }} | {{ row.title }} |
{% endfor %}

{% endif %}
{% endfor %}
""",
    "table": """\
# 札の表

| 番号 | 名 | 文 |
|--:|---|---|
{% for card in designs('card') %}
| {{ card.number }} | {{ card.title }} | {{ card.text[:30] }} |
{% endfor %}
""",
}


def prepare(kind: str, folder: Path, peers: Peers) -> list[Program]:
    """Write the cards in each program's form; return the programs that make the book or the table of them."""
    count, pages = CARDS[kind]
    project, cards, out = folder / kind, folder / f"{kind}.json", folder / f"{kind}-out"
    deck.write_project(project, count)
    deck.write_cards(cards, count)
    template = TEMPLATES[kind].replace("CHAPTER", str(deck.CHAPTER))
    (project / "templates/bench/rulebook.ja.md").write_text(template, encoding="utf-8")
    whole = deck.cards(count)
    check = partial(check_pdf, pages=pages, first=(whole[0].title, whole[0].text[:9]), last=(whole[-1].title,), reach=8)
    target = folder / f"{kind}-reportlab.pdf"
    floor = (sys.executable, str(HERE / "reportlab_book.py"), kind, str(cards), str(target))
    pnp = (*PNP, "--project", str(project), "rulebook", "--out", str(out))
    return [
        Program("ReportLab", floor, target, check),
        Program("pnp", pnp, out / "bench" / "rulebook.ja.pdf", check),
        peers.make_program("Typst", kind, cards, folder / f"{kind}-typst.pdf", check),
        peers.make_program("WeasyPrint", kind, cards, folder / f"{kind}-weasyprint.pdf", check),
    ]
