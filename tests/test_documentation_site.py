"""The documentation as a site: it builds without a warning, every link and anchor leads somewhere, and it asks nobody."""

import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import yaml
from conftest import ROOT

from generator.live.site import _collect_page
from generator.live.site import site as site_command


class Page(HTMLParser):
    """What a page has and names: ids, links, and what a browser loads with it."""

    def __init__(self, text: str):
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.headings = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes what a tag names."""
        given = dict(attrs)
        self.headings += tag == "h1"
        self.ids |= {name for name in (given.get("id"), given.get("name")) if name}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        loaded = given.get("src") or (given.get("href") if tag == "link" else None)
        if loaded:
            self.loaded.append(loaded)


def build(out: Path, **environment: str) -> Path:
    """Build the documentation as `make site-docs` does, with warnings as errors, into a folder; return it."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    known = os.environ | {"NO_MKDOCS_2_WARNING": "1"} | environment
    ran = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, env=known)
    assert ran.returncode == 0 and "WARNING" not in ran.stderr, ran.stderr
    return out


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of `make site-docs`."""
    return build(tmp_path_factory.mktemp("site"))


@pytest.mark.slow
def test_documentation_and_program_lead_to_each_other(tmp_path: Path) -> None:
    """`make pages` tells each half where the other is; so home pages lead to the start page, and it leads back."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    told = re.search(
        r"^pages: export TRY_IT = (\S+)\n.*\n.* --out docs-site/(\S+) --docs (\S+)$", makefile, re.MULTILINE
    )
    assert told
    out = build(tmp_path / "docs-site", TRY_IT=told[1])
    program = out / told[2]
    program.mkdir()
    for name, data in _collect_page(""):
        (program / name).write_bytes(data)
    found = 0
    for home in (out / "index.html", out / "ja/index.html"):
        page = Page(home.read_text(encoding="utf-8"))
        for link in [*page.links, *page.loaded]:
            if "/try/" in f"/{link}" or "edit.webp" in link:
                assert (home.parent / link).resolve().is_file(), link
                found += 1
    assert found == 4
    assert (program / told[3]).resolve() == out / "index.html"
    assert "about.docs" in (program / "start.js").read_text(encoding="utf-8")
    assert (out / "guides/edit.webp").stat().st_size < 300_000
    assert "table.md</a>" not in (out / "browser.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


@pytest.mark.slow
def test_every_document_is_a_page(site: Path, pages: dict[str, Page]) -> None:
    documents = {f"{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    japanese = {f"ja/{name}.html" for name in ("index", "commands", "faq", "table", "editor", "browser")}
    assert documents | {"index.html"} | japanese <= set(pages)
    assert all(page.headings == 1 for name, page in pages.items() if name != "404.html")
    assert "名前や枚数、ルールの数値" in (site / "ja/index.html").read_text(encoding="utf-8")


def test_every_link_and_anchor_leads_somewhere(site: Path, pages: dict[str, Page]) -> None:
    wrong = []
    for name, page in pages.items():
        if name == "404.html":
            continue  # stands for any address, and so speaks in absolute ones
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            goal = (site / name).parent / unquote(parts.path) if parts.path else site / name
            goal = (goal / "index.html" if goal.is_dir() else goal).resolve()
            there = goal.is_relative_to(site) and goal.is_file()
            anchor = unquote(parts.fragment)
            if not there or (anchor and anchor not in pages[goal.relative_to(site).as_posix()].ids | {"__codelineno"}):
                wrong.append(f"{name}: {link}")
    assert not wrong


def test_it_asks_nobody(site: Path, pages: dict[str, Page]) -> None:
    assert not [link for page in pages.values() for link in page.loaded if urlsplit(link).netloc]
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert not re.findall(r"url\(['\"]?(?:https?:)?//", styles)


def test_its_search_is_a_dialog_with_a_name(site: Path) -> None:
    for page, name in (("index.html", "Search"), ("404.html", "Search"), ("ja/index.html", "検索")):
        text = (site / page).read_text(encoding="utf-8")
        assert re.findall(r'role="dialog"(.*?)>', text) == [f' aria-label="{name}"']


def test_what_is_markdown_becomes_what_it_says(site: Path) -> None:
    """Blocks that name their file keep it as a title; lists right below a line are lists; no fence is left over."""
    assert '<span class="filename">look.yaml</span>' in (site / "fonts.html").read_text(encoding="utf-8")
    for path in site.glob("*.html"):
        shown = re.sub(r"<(pre|code|script)\b.*?</\1>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert "```" not in shown, path.name
        assert not re.findall(r"<p>[^<]*\n[-*] ", shown), path.name


def test_ci_builds_it() -> None:
    assert "make site-docs" in (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert "mkdocs build --strict" in (ROOT / "Makefile").read_text(encoding="utf-8")


def blocks(path: Path, kind: str) -> list[str]:
    fence = rf"^( *)```{kind}[^\n]*\n(.*?)^ *```$"
    return [found[2] for found in re.finditer(fence, path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)]


PAGES = sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_block_of_data_is_yaml(path: Path) -> None:
    for block in blocks(path, "yaml"):
        assert isinstance(yaml.safe_load(block), dict | list), block


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_block_of_settings_is_toml(path: Path) -> None:
    for block in blocks(path, "toml"):
        assert tomllib.loads(block), block


@pytest.mark.parametrize(("kind", "least"), [("yaml", 20), ("toml", 1)])
def test_blocks_are_seen(kind: str, least: int) -> None:
    assert sum(len(blocks(path, kind)) for path in PAGES) >= least


def test_the_documentation_does_not_take_the_folder_of_the_programs_site() -> None:
    """`make site-docs` empties its folder: `pnp site` writes into another by default."""
    told = next(
        line for line in (ROOT / "mkdocs.yml").read_text(encoding="utf-8").splitlines() if line.startswith("site_dir:")
    )
    given = {option.name: option.default for option in site_command.params}
    assert told.split()[1] != given["out"]
