"""This library's own records, after the manner of PGN."""
