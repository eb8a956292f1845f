"""The board: cells, bridges, symmetries, and the tables of each size."""
