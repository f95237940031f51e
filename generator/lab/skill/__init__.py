"""How much a game asks of its players: bots against each other, and what the deal decides before anybody plays."""
