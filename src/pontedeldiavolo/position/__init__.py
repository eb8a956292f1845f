"""The board's content: pieces, islands, networks, scoring, and the check of legality."""
