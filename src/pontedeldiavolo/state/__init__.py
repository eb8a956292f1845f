"""The state of a game: whose turn it is, and the legal actions."""
