"""What a game's cards are worth: who has which and when, who wins with it, what is taken when it could be had."""
