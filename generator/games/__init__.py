"""The rules of games, a module each: pure functions of a game's facts, without files and without drawing."""
