"""What all classes share, and what the game itself does not explain."""
