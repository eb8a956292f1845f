"""What lies on the board: pieces, islands, networks, and what they are worth."""
