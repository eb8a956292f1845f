"""Words and sentences for people, a file for each language."""
