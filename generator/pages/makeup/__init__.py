"""Where the strips of a book stand: columns filled, pages ended, looked over as an editor would."""
