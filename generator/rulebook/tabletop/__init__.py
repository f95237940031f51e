"""Pictures of the table by the game's plan: what lies where, in mm of the table; then how that is drawn."""
