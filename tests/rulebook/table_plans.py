"""A plan of the table for the small game of rulebook_project."""

PLAN = """\
tabletop:
  usual: 2
  rows:
    - [deck, trick]
  seat:
    - [hand, won]
  places:
    deck:  {name: {ja: 山札, en: Deck}, zone: deck, face: down}
    trick: {name: {ja: 場, en: Trick}, zone: trick, lies: row, room: card}
    hand:  {name: {ja: 手札, en: Hand}, zone: "hand {seat}", lies: fan, face: own}
    won:   {name: {ja: 取った札, en: Cards won}, zone: "won {seat}", lies: row}
"""
PLAN_FILE = "data/higher/tabletop.yaml"
