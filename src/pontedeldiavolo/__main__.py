"""``python -m pontedeldiavolo`` is the command ``pontedeldiavolo``."""

from pontedeldiavolo.cli import run

if __name__ == "__main__":
    run()
