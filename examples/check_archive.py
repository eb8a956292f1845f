"""Check the records of an archive: print a line for each game and each error.

Run with: python examples/check_archive.py FILE...
"""

import sys
from pathlib import Path

import pontedeldiavolo as pdd


def main(paths: list[str]) -> None:
    """Print a line for each record; after a bad one, continue with the next."""
    for path in paths:
        with Path(path).open(encoding="utf-8") as file:
            for record in pdd.records.iter_records(file):
                try:
                    if isinstance(record, pdd.RecordError):
                        raise record
                    game = record.game()
                except pdd.RecordError as error:
                    print(f"{path}: {error}")
                    continue
                board = game.rules.board
                names = ", ".join(pdd.presets.names_of(game.rules)) or "rules of its own"
                print(
                    f"{path}: {board.width}×{board.height} ({names}), "
                    f"{game.state.turn} turns, result {game.result}"
                )


if __name__ == "__main__":
    main(sys.argv[1:])
