"""The words of the page: each is there in English and Japanese, and each is used."""

import json
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from conftest import ROOT

PAGES = ROOT / "generator" / "live"
FILES = [*PAGES.glob("page/*.js"), *PAGES.glob("site_page/*.js"), PAGES / "page" / "index.html"]
TABLE = ("play", "arrange")
"""Beginnings of the names of files that have words of their own."""


LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`')
SENTENCE = re.compile(r"^[A-Z][a-z]+(?: |…|$)|[…\w’']+ [a-z]{2,} [a-z]{2,}(?:[ .,:;…]|$)")
"""Matches what a reader would read: a word with a capital, or three words in a row."""

SILENT = {"Escape", "Home", "End", "Enter", "Files", "Make", "Project", "English", "Deutsch", "as it was"}
"""Names of keys, panes and languages, and how the program started (tests ask for it)."""


def iter_sentences(script: str) -> Iterator[str]:
    """Yield the texts of a script that look as if a reader would see them."""
    code = re.sub(
        r"/\*.*?\*/|(?<![:\"'`\\])//[^\n]*|^\s*console\.\w+\(.*?$", "", script, flags=re.DOTALL | re.MULTILINE
    )
    for found in LITERAL.finditer(code):
        text = re.sub(r"\$\{[^{}]*\}", "…", found[1] if found[1] is not None else found[2])
        if SENTENCE.search(text) and "var(--" not in text and text not in SILENT:
            yield text


def test_untranslated_texts_are_found() -> None:
    script = (
        'say("Add files…"); say(`${n} rows pasted here`); say(w("added")); // no Text\nmake("p", { class: "soft" });'
    )
    assert list(iter_sentences(script)) == ["Add files…", "… rows pasted here"]


def test_scripts_have_no_text_outside_the_words() -> None:
    texts = {
        f"{path.name}: {text}"
        for path in FILES
        if path.suffix == ".js" and not path.stem.startswith((*TABLE, "words"))
        for text in iter_sentences(path.read_text(encoding="utf-8"))
    }
    assert texts == set()


def read_words(tool: Callable[[str], str], tmp_path: Path) -> dict[str, list[str]]:
    """Return the words of words.js, read by node."""
    text = (PAGES / "page" / "words.js").read_text(encoding="utf-8").replace('import { prefs } from "./state.js";', "")
    script = tmp_path / "words.mjs"
    script.write_text(f"{text}\nconsole.log(JSON.stringify(WORDS));", encoding="utf-8")
    said = subprocess.run([tool("node"), str(script)], capture_output=True, check=True, timeout=60)
    found: dict[str, list[str]] = json.loads(said.stdout)
    return found


def test_every_word_is_there_in_both_languages(tool: Callable[[str], str], tmp_path: Path) -> None:
    words = read_words(tool, tmp_path)
    assert len(words) > 100
    for name, (english, japanese, *one) in words.items():
        values = [set(re.findall(r"\{(\w+)\}", text)) for text in (english, japanese, *one)]
        assert all(found == values[0] for found in values), name
        assert re.search("[\u3040-\u30ff\u4e00-\u9fff]", japanese) or name in ("fact_id", "of"), name
        assert not re.search("[\u3040-\u30ff\u4e00-\u9fff]", english), name


def test_every_word_that_is_used_is_there_and_the_other_way_round(tool: Callable[[str], str], tmp_path: Path) -> None:
    words = read_words(tool, tmp_path)
    texts = {path: path.read_text(encoding="utf-8") for path in FILES if not path.name.startswith(TABLE)}
    used = set[str]()
    for path, text in texts.items():
        if path.name == "words.js":
            continue
        found = set(re.findall(r'\bw\("(\w+)"', text)) | set(re.findall(r'data-(?:word|label|tip|hold)="(\w+)"', text))
        assert found <= set(words), path.name
        used |= found
    every = "\n".join(text for path, text in texts.items() if path.name != "words.js")
    computed = {name for name in words if f'"{name}"' in every or name.startswith("starter_")}
    assert set(words) - used - computed == set()


def test_the_page_has_no_text_outside_the_words() -> None:
    """Letters in the page's own HTML stand in places for words, are keys, names of files or numbers."""
    body = (PAGES / "page" / "index.html").read_text(encoding="utf-8").split("<body>")[1]
    shown = re.sub(r"<kbd>.*?</kbd>|<noscript>.*?</noscript>|<[^>]+>|&\w+;", " ", body, flags=re.DOTALL)
    assert set(re.findall("[A-Za-z]{2,}", shown)) == {"mm"}
