"""How the rulebooks of the games that ship are made up: pages, feet, what is torn, as one table.

python bench/books.py [GAME ...]
"""

import sys
from pathlib import Path

from generator.books.page.book_pages import typeset_and_proofread
from generator.books.page.finish_pages import COUNTED, Proof
from generator.books.rulebook.book_templates import find_volume_languages
from generator.books.rulebook.read_book import read_book
from generator.books.rulebook.rulebook_play import RulebookPlay
from generator.drawing.faces.game_drawing import Workshop, find_accent
from generator.game.load_game import load_game
from generator.game.project import Project, find_project
from generator.rules.registry import load_rules

ROOT = Path(__file__).parents[1]


def proofs(project: Project, name: str) -> dict[str, Proof]:
    """By language what is marked in a game's rulebook."""
    folder = project.find_folder(name)
    shop = Workshop(load_game(folder, project.resources), project.resources)
    played = RulebookPlay(shop.game, lambda: load_rules(shop.game, folder))
    return {
        lang: typeset_and_proofread(read_book(shop, lang, played), shop, "A5", find_accent(shop.game.palette))[1]
        for lang in find_volume_languages(shop)
    }


def main(games: list[str]) -> None:
    """Prints the table, then the fullest and emptiest feet."""
    project = find_project(ROOT)
    print("| book | pages | largest foot | " + " | ".join(COUNTED) + " |")
    print("|---" * (len(COUNTED) + 3) + "|")
    for name in games or project.games:
        for lang, proof in proofs(project, name).items():
            largest = f"{max(proof.feet, default=0.0):.0%}"
            counts = " | ".join(map(str, proof.count_corrections().values()))
            print(f"| {name} {lang} | {proof.pages} | {largest} | {counts} |")


if __name__ == "__main__":
    main(sys.argv[1:])
