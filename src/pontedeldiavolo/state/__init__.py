"""A game at one moment: whose turn it is, and what may be done."""
