"""What the site makes of the documents: README as its tour, Japanese parts as pages of their own, named code blocks.

A hook of MkDocs (mkdocs.yml). No text stands here: all that it says stands in README, CONTRIBUTING, CHANGELOG, docs/.
"""

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parent.parent.parent

GIVEN = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
"""Page -> the document at the top of the checkout that it is made of."""

IN_JAPANESE = {
    "index.md": "案内", "commands.md": "コマンド", "faq.md": "よくある質問",
    "table.md": "テーブル", "editor.md": "エディター", "browser.md": "ブラウザー版",
}  # fmt: skip
"""Pages whose document has a part in Japanese, and what that part's page is called."""

TRIAL = {
    "index.md": ("", "Try it here", "A card's name changes in the file, and the card follows"),
    "ja/index.md": ("../", "ここで試す", "ファイルで名前を変えると、カードも変わる"),
}
"""Home pages: the way up, the words of the button that leads to the program, and what the moving picture shows."""

_JAPANESE = re.compile(r"^## 日本語\n", re.MULTILINE)
_NAMED = re.compile(r"^( *)(`{3,})(\w+) (\S+)$", re.MULTILINE)
_LINK = re.compile(r"(\]\()([^)\s]+)(\))")
_OUTWARD = re.compile(r"(?<!!)\[[^\]]+\]\(\.\./([^)\s]+)\)")
"""A link to what is no document: the site names the file as it lies in the checkout."""
_NAMELESS = re.compile(r"\[([\w-]+\.md)\]\(")
"""A link that shows the name of a document: the site shows its title."""
_BROKEN = re.compile(r"(?<=[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef])\n(?=[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef])")
"""The end of a line between two Japanese characters, which would be shown as a space."""
_AFTER_A_LINE = re.compile(r"^((?! *(?:[-*+]|\d+\.) |#|\||>|\s*$).+)\n(?=(?:[-*]|1\.) )", re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages that are made of other documents."""
    texts = {page: (ROOT / name).read_text(encoding="utf-8") for page, name in GIVEN.items()}
    for page, name in IN_JAPANESE.items():
        text = texts.get(page) or (ROOT / "docs" / page).read_text(encoding="utf-8")
        part = _JAPANESE.split(text, maxsplit=1)[1]
        part = re.split(r"^## ", part, maxsplit=1, flags=re.MULTILINE)[0]
        part = _relinked(_BROKEN.sub("", part), f"ja/{page}")
        files.append(File.generated(config, f"ja/{page}", content=f"# {name}\n\n{part}"))
    for page, text in texts.items():
        files.append(File.generated(config, page, content=_relinked(text, page)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:  # noqa: ARG001 - as MkDocs calls it
    """A page's text as MkDocs reads it: its Japanese part is a link, a code block's file its title."""
    source = page.file.src_uri
    if source in IN_JAPANESE and _JAPANESE.search(markdown):
        before, after = _JAPANESE.split(markdown, maxsplit=1)
        later = re.search(r"^## ", after, re.MULTILINE)
        markdown = f"{before}## 日本語\n\n[日本語の説明](ja/{source})\n\n{after[later.start() :] if later else ''}"
    if "TRY_IT" in os.environ and source in TRIAL:
        up, words, seen = TRIAL[source]
        button = f'<a class="md-button md-button--primary" href="{up}{os.environ["TRY_IT"]}index.html">{words}</a>\n\n'
        button += f'<img src="{up}guides/edit.webp" width="1200" height="560" alt="{seen}">'
        markdown = re.sub(r"^(# .*\n)", rf"\1\n{button}\n", markdown, count=1)
    titled = _NAMELESS.sub(lambda found: f"[{_title(found[1], source)}](", markdown)
    return _outside_code(_OUTWARD.sub(r"`\1`", titled))


def _title(name: str, source: str) -> str:
    """Return the title of a document, in Japanese where a Japanese page names one that is there in Japanese."""
    if source.startswith("ja/") and name in IN_JAPANESE:
        return IN_JAPANESE[name]
    return (ROOT / "docs" / name).read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ").strip()


def on_post_page(output: str, page: Any, config: Any) -> str:  # noqa: ARG001 - as MkDocs calls it
    """Mark Japanese pages as Japanese, for fonts and screen readers, and give their search a name."""
    if page.file.src_uri.startswith("ja/"):
        return _search_named(output, "検索").replace('<html lang="en"', '<html lang="ja"', 1)
    return _search_named(output, "Search")


def on_post_template(output: str, template_name: str, config: Any) -> str:  # noqa: ARG001 - as MkDocs calls it
    """Give the search of the page for unknown addresses a name."""
    return _search_named(output, "Search")


def _search_named(html: str, name: str) -> str:
    """Return a page whose search dialog has a name, which the theme does not give."""
    return html.replace('role="dialog"', f'role="dialog" aria-label="{name}"', 1)


def _outside_code(markdown: str) -> str:
    """Names of files after a fence as titles; a blank line before a list, which CommonMark needs none for."""
    parts = re.split(r"(^(`{3,}).*?^\2`*$\n?)", markdown, flags=re.MULTILINE | re.DOTALL)
    out = []
    for number, part in enumerate(parts):
        if number % 3 == 0:
            out.append(_AFTER_A_LINE.sub(r"\1\n\n", part))
        elif number % 3 == 1:
            out.append(_NAMED.sub(_titled, part, count=1))
    return "".join(out)


def _titled(found: re.Match[str]) -> str:
    indent, fence, kind, name = found.groups()
    return f'{indent}{fence}{ {"svg": "xml"}.get(kind, kind if kind in ("yaml", "csv") else "text") } title="{name}"'


def _relinked(text: str, page: str) -> str:
    """Links of a document at the top of the checkout, or of a part, as they are from the page that it becomes."""
    up = "../" if page.startswith("ja/") else ""

    def link(found: re.Match[str]) -> str:
        goal = found[2]
        if goal.startswith(("http:", "https:")):
            return found[0]
        goal = goal.removeprefix("docs/")
        name, _, anchor = goal.partition("#")
        for given, source in GIVEN.items():
            name = given if name == source else name
        if anchor == "日本語":
            return f"{found[1]}{up}ja/{name or page.removeprefix('ja/')}{found[3]}"
        if not name and up:  # of the whole document
            name = page.removeprefix("ja/")
        return f"{found[1]}{up if name else ''}{name}{'#' + anchor if anchor else ''}{found[3]}"

    return _LINK.sub(link, text)
