"""Recorded games: trees of moves with rules, tags and results."""
