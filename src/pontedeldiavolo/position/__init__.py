"""The pieces on the board: islands, networks, scoring, and checks of legality."""
