"""A whole game: a tree of moves, and what is known about it."""
