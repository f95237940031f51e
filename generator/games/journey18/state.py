"""What the state of a game of journey18 holds. Days count from 0; rows hold zeros beyond their number of cards."""

from generator.games.engine.state import State, row
from generator.games.journey18.moves import Chance

STATE = State(
    chances=Chance,
    supplies=2,
    step="at which step the turn is: a Step",
    result="how the trip ended: a Result, 0 before",
    # pawns, stories, letters
    white="the white pawn's day",
    black=row("the black pawns' days, the earlier first: nothing tells the pawns apart", 2),
    solved="a bit for each suit whose story is solved",
    letters="letters in hand",
    spent="letters that have left the game",
    on_stories="letters on stories",
    # where the cards are
    place=row("the location of each day", "days"),
    column=row("events: a day's from day * rows on, the nearest first", "days", "rows"),
    ncolumn=row("how many events each day has", "days"),
    at=row("where in `column` each event is", "events"),
    deck=row("the deck, its bottom first", "events"),
    ndeck="how many cards it has",
    known_top="how many cards at the deck's top the player has seen there",
    known_bottom="how many at its bottom",
    hand=row("the hand, ascending", "hand_room"),
    nhand="how many cards it has",
    thrown=row("1 for each event that is discarded", "events"),
    nthrown="how many are",
    playing="the card in play",
    # what has happened
    loops="loops of the white pawn",
    adventures="Adventure Memories used",
    sevens="cards discarded for an end on the last day",
    overflows="events that fell off their columns",
    held="cards that effects have added to the hand",
    solves="stories solved this turn",
    # the move phase
    rest="what the black pawns have to go",
    before="the pawns' days added up before the move: see `pieces.pawn_days`",
    drift="by how much the last move phase changed that",
    # letters
    passed="1 if letters were declined and nothing has happened since",
    may_solve="1 if a story may be solved now",
    power="the power of memories used together, if that is kept, until letters are used apart",
    # effects
    fired="a bit for each suit whose effect was used this turn",
    used=row("the turn in which each event's effect was used last", "events"),
    copied=row("the turn in which each event copied another last", "events"),
    todo=row("the events whose effects are due", "rows"),
    ntodo="how many they are",
    next="which of them is next",
    source="the event whose effect it is",
    job="the event whose text is carried out: another one while it is copied",
    line="the operation there",
    left="how much of it is left to do",
)
