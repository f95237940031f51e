"""The commands that show a game to others: pictures for shop pages, an archive, what pieces say."""
