"""The comparison as one self-contained web page."""

import base64
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path

from generator.base.files import read_file
from generator.base.languages import phrase
from generator.drawing.svg_writer import write_policy
from generator.versions.compare_games import FacePair, find_pairs, png_of
from generator.versions.differences import (
    ENTRY_SORTS,
    Difference,
    DifferenceEntry,
    ValueChange,
    alike_words,
    book_name,
    entry_name,
    format_piece_counts,
    format_sides,
    group_changed_looks,
    mark_name,
    mark_words,
    shorten_runs,
    state_name,
    summarise,
    value_label,
    value_runs,
)
from generator.versions.game_version import Version
from generator.versions.sentences import SentenceChange, TextPart, word_runs

_SIGNS = {"added": "+", "removed": "−", "renamed": "=", "changed": "~", "moved": "↕"}


def difference_html(comparison: Difference, since: Version, until: Version, lang: str) -> str:
    """Return the page in a language."""
    titles = comparison.until.title
    title = f"{titles.get(lang) or next(iter(titles.values()))} – {phrase('diff', lang)}"
    since_name = state_name(comparison.since, comparison.until, lang)
    span = f"{since_name} → {state_name(comparison.until, comparison.since, lang)}"
    counted = format_piece_counts(comparison, lang)
    sections = [
        *_group_sections(comparison, lang),
        *_picture_section(comparison, since, until, lang),
        *_book_sections(comparison, lang),
        *_note_section(comparison, lang),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="{escape(lang)}">\n<head>\n<meta charset="utf-8">\n'
        f"{write_policy()}\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n'
        f"<style>\n{_read_style()}</style>\n</head>\n<body>\n<header>\n<h1>{escape(title)}</h1>\n"
        f'<p class="quiet">{escape(span)}</p>\n'
        f"{f'<p>{escape(counted)}</p>' if counted else ''}{_summary_html(comparison, lang)}"
        f"</header>\n<main>\n{''.join(sections)}</main>\n</body>\n</html>\n"
    )


def _summary_html(comparison: Difference, lang: str) -> str:
    if comparison.is_empty:
        return f"<p>{escape(phrase('diff_same', lang))}</p>\n"
    anchors = [*comparison.groups, *("-".join(book) for book, changes in comparison.books.items() if changes)]
    rows = "".join(
        f'<tr><th scope="row"><a href="#{anchor}">{escape(what)}</a></th><td>{escape(much)}</td></tr>\n'
        for anchor, (what, much) in zip(anchors, summarise(comparison, lang), strict=True)
    )
    return f"<table>\n{rows}</table>\n"


def _section_html(anchor: str, words: str, body: str) -> str:
    return (
        f'<section aria-labelledby="{anchor}">\n<h2 id="{anchor}">{escape(words.capitalize())}</h2>\n{body}</section>\n'
    )


def _group_sections(comparison: Difference, lang: str) -> Iterator[str]:
    for group, entries in comparison.groups.items():
        alike, others = group_changed_looks(entries)
        ordered = sorted(others, key=lambda entry: ENTRY_SORTS.index(entry.sort))
        lines = [_entry_html(group, entry, lang) for entry in ordered]
        lines += [
            _line_html("changed", escape(alike_words(kind, looks, same, lang))) for (kind, looks), same in alike.items()
        ]
        yield _section_html(group, phrase(f"diff_{group}", lang), _list_html(lines))


def _list_html(lines: Iterable[str]) -> str:
    return f"<ul>\n{''.join(lines)}</ul>\n"


def _line_html(sort: str, body: str) -> str:
    return f'<li><span class="sign">{_SIGNS.get(sort, "·")}</span> {body}</li>\n'


def _entry_html(group: str, entry: DifferenceEntry, lang: str) -> str:
    name = entry_name(entry, lang)
    was = f"<del>{escape(entry.was)}</del> " if entry.was else ""
    said = f"{was}<code>{escape(entry.id)}</code>{f' {escape(name)}' if name else ''}"
    if entry.counts and entry.sort in ("added", "removed"):
        said += f" ×{max(entry.counts)}"
    if len(entry.values) == 1 and not entry.looks and not value_label(entry.values[0], lang):
        return _line_html(entry.sort, f"{said}: {_value_html(group, entry.values[0], lang)}")
    rows = [f"{escape(value_label(value, lang))}: {_value_html(group, value, lang)}" for value in entry.values]
    if entry.looks:
        rows.append(escape(phrase("diff_looks", lang, faces=format_sides(entry.looks, lang))))
    return _line_html(entry.sort, said + (_list_html(f"<li>{row}</li>\n" for row in rows) if rows else ""))


def _value_html(group: str, value: ValueChange, lang: str) -> str:
    if group == "marks":
        return f"{escape(mark_name(value.old, lang))} → {escape(mark_name(value.new, lang))}"
    runs = value_runs(value, lang)
    parts = [mark_html([run], value.lang) for run in runs]
    said = "".join(parts) if any(run.sort == "same" for run in runs) else " → ".join(parts)
    mark = mark_words(value, lang)
    return f"{said} ({escape(mark)})" if mark else said


def mark_html(runs: Sequence[TextPart], lang: str = "") -> str:
    """Return the text with differences as `<del>` and `<ins>`, and with its language."""
    spoken = f' lang="{escape(lang)}"' if lang else ""
    tags = {"same": "span", "old": "del", "new": "ins"}
    return "".join(f"<{tags[run.sort]}{spoken}>{escape(run.text)}</{tags[run.sort]}>" for run in runs)


def _book_sections(comparison: Difference, lang: str) -> Iterator[str]:
    for book, changes in comparison.books.items():
        if not changes:
            continue
        body, heading, lines = "", "", list[str]()
        for change in changes:
            if change.heading != heading:
                body += _list_html(lines) if lines else ""
                heading, lines = change.heading, []
                body += f'<h3 lang="{escape(book[1])}">{escape(heading)}</h3>\n' if heading else ""
            lines.append(_line_html(change.sort, _sentence_html(change, book[1])))
        yield _section_html("-".join(book), book_name(book, lang), body + _list_html(lines))


def _sentence_html(change: SentenceChange, lang: str) -> str:
    if change.sort == "changed" and change.old and change.new:
        return mark_html(shorten_runs(word_runs(change.old.text, change.new.text)), lang)
    sentence = change.new or change.old
    sort = {"added": "new", "removed": "old"}.get(change.sort, "same")
    return mark_html([TextPart(sort, sentence.text)] if sentence else [], lang)  # type: ignore[arg-type]


def _picture_section(found: Difference, since: Version, until: Version, lang: str) -> Iterator[str]:
    shown = find_pairs(found, since, until, lang)
    if shown:
        words = f"{phrase('diff_before', lang)} → {phrase('diff_after', lang)}"
        body = "".join(_pair_html(pair, since, until, lang) for pair in shown)
        yield _section_html("pictures", words, f'<div class="pairs">\n{body}</div>\n')


def _pair_html(pair: FacePair, since: Version, until: Version, lang: str) -> str:
    name, face = entry_name(pair.entry, lang) or pair.entry.id, phrase(pair.face, lang)
    images = [
        _image_html(png_of(one, design, pair.face, lang), f"{name}, {face}, {phrase(when, lang)}", lang)
        for one, design, when in ((since, pair.old_id, "diff_before"), (until, pair.entry.id, "diff_after"))
    ]
    more = f" +{len(pair.also)}" if pair.also else ""
    caption = f'{escape(name)} <span class="quiet">{escape(pair.entry.id)} {escape(face)}{more}</span>'
    return f"<figure><div>{'<span>→</span>'.join(images)}</div><figcaption>{caption}</figcaption></figure>\n"


def _image_html(png: bytes | None, alt: str, lang: str) -> str:
    if png is None:
        return f'<span class="quiet">{escape(phrase("changes_no_picture", lang))}</span>'
    return f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}" alt="{escape(alt)}">'


def _note_section(found: Difference, lang: str) -> Iterator[str]:
    if found.not_compared:
        lines = [_line_html("", escape(note.to_sentence(lang))) for note in found.not_compared]
        yield _section_html("not-compared", phrase("diff_not_compared", lang), _list_html(lines))


@cache
def _read_style() -> str:
    return read_file(Path(__file__).with_name("difference.css"), "own").decode()
