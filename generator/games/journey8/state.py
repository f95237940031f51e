"""The state of a table of draft 8. Rows hold cards by their places in the box, from their beginning on; 0 beyond."""

from generator.games.engine.state import State, row
from generator.games.journey8.moves import Chance

STATE = State(
    chances=Chance,
    phase="what the seat has to choose now: one of Phase",
    start="who began",
    current="whose turn it is",
    scoring="1 once the hands are laid open",
    # Cards
    deck=row("the cards that were shuffled, the drawn ones as 0", "cards"),
    top="the place of the deck's next card",
    hand=row("each seat's cards, ascending", "cards", "seats"),
    held=row("how many they are", "seats"),
    story=row("the cards laid out, from left to right", "cards"),
    keys=row("1 for each of them that is a key", "cards"),
    said=row("1 + what a joker there was declared as, where that lasts", "cards"),
    laid="how many cards the story has",
    keys_laid="how many of them are keys",
    removed=row("the cards laid aside before the game", "cards"),
    aside="how many they are",
    discards=row("the cards thrown away at the end", "cards"),
    thrown="how many they are",
    # Counters
    sone=row("counters of each seat with this side up", "seats"),
    coherence=row("and with this one", "seats"),
    supply="counters that nobody has",
    given_out="counters in play at the start",
    rises="what larger numbers have brought since",
    # The turn
    first="the number of turns that the deck is good for",
    dry="1 when a player had nothing to draw",
    plays="cards played in this turn",
    first_key="1 when the first of them is a key",
    card="what is being played or applied; -1 for nothing",
    new_colour="colour and number of the card that is played ...",
    new_number="... as it is compared ...",
    left_colour="... with those of the card ...",
    left_number="... on its left",
    give_left="sone still to be given",
    give_cap="the most for each",
    give_to="who got the last",
    give_same="how much of it so far",
    # The end
    key_end="1 when keys ended the game",
    mode="how hand numbers count: one of Mode",
    group="the cards that are applied now: those of a seat, or of a number in a seat's hand",
    done="the cards whose event has been seen to, as bits",
    op="the place of the card's next operation",
    colour="the colour of which one card is kept",
    # For the figures
    held_at_end="cards held when the hands were laid open",
    applied="effects applied",
    brought="what they brought their owners together",
    promised="and what they were worth",
    before="how far the owner was ahead before the effect",
)
