"""The state of a wayfaring table: what each field of it means.

Sets are bits of a number: of designs of the deck, or of entries (cards that can lie in areas).
"""

from generator.games.engine.state import State, row
from generator.games.wayfaring.moves import MOST_PLAYERS, Chance

STATE = State(
    chances=Chance,
    at=row("in which zone each card lies; the rest tells the same by zones", "cards"),
    # Decks
    deck=row("the deck, which goes round in its row", "deck_cards"),
    deck_top="the place of its top card",
    deck_count="how many cards it has",
    discards="the designs on the discards, as a set",
    discard_count="how many cards they have",
    line=row("the character deck, which goes round in its row", "characters_printed"),
    line_top="the place of its top card",
    line_count="how many cards it has",
    display="the entries on display, as a set",
    shown="how many they are",
    # Seats
    hand=row("the designs of each hand, as a set", MOST_PLAYERS),
    held=row("how many cards it has", MOST_PLAYERS),
    path=row("the cards of each path, the past first", MOST_PLAYERS, "deck_cards"),
    by=row("who placed each of them", MOST_PLAYERS, "deck_cards"),
    length=row("how many cards a path has", MOST_PLAYERS),
    memories=row("how many of them are face up", MOST_PLAYERS),
    most_memories=row("the most there ever were", MOST_PLAYERS),
    seen=row("destinations face up, for each seat: all, then by terrain", MOST_PLAYERS, "terrains"),
    area=row("the entries of each area, as a set", MOST_PLAYERS),
    companions=row("how many of them are characters", MOST_PLAYERS),
    cursed=row("how many are cursed items", MOST_PLAYERS),
    marks=row("pass markers", MOST_PLAYERS),
    rested=row("how often a seat rested", MOST_PLAYERS),
    out=row("whether and why a seat is out: BY_PASS or BY_HAND", MOST_PLAYERS),
    out_marks=row("its pass markers when it dropped out", MOST_PLAYERS),
    out_hand=row("its cards in hand then", MOST_PLAYERS),
    out_memories=row("its memories then", MOST_PLAYERS),
    out_turn=row("the turn in which that was", MOST_PLAYERS),
    # The turn
    round="how often the turn has come round",
    turn_seat="whose turn it is",
    stage="the moment of the turn",
    wait="what the seat is to choose: one of WAIT_",
    closing="how many have been asked whether they answer the end of a main phase; 0 while it goes on",
    turn_lost="1 when the turn player has fainted",
    skip_main2="1 when the second main phase is left out",
    placed="destinations placed in this turn",
    troubled=row("troubles placed on each path in this turn", MOST_PLAYERS),
    recruited="characters recruited in this turn",
    drawn="cards drawn in the Draw phase",
    nothing_drawn="1 when a card could not be drawn in this turn",
    reshuffled="reshuffles of this turn",
    used="the entries whose ability is used up, as a set",
    joined="the entries that came in this turn, as a set",
    # What is declared, and what is being carried out: the last of each goes on first
    items="how many things are declared",
    item_what=row("what each is: one of ITEM_", "most_items"),
    item_card=row("the card that it is about", "most_items"),
    item_seat=row("who declared it", "most_items"),
    asked="how many seats have been asked whether they answer the last one",
    frames="how many effects, costs and deeds are begun",
    frame_step=row("the step that each has come to", "most_frames"),
    frame_left=row("how often the step is still to be done; -1 before it begins", "most_frames"),
    frame_seat=row("who carries it out", "most_frames"),
    frame_whom=row("whose cards it is about; -1 before that is chosen", "most_frames"),
    frame_card=row("the card that it stands on", "most_frames"),
    frame_then=row("what follows: one of THEN_", "most_frames"),
    kind="the kind of move that the step asks for",
    options="what there is to choose from, as a set",
    optional="1 when the seat may go without",
    # The end
    winners="the winners, as a set of seats",
    ending="how the game ended: one of BY_",
    redraws="first hands that were drawn anew",
    faulty_deal="1 when the deal was not as it should be",
)
