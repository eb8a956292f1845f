"""Measure the steps between the levels of ``pontedeldiavolo serve``, and write them for the docs.

``python -m tools.levels --write`` lets each level play against the next one on 10×10, in pairs of
games with exchanged seats that begin with the same two random turns. Searches count simulations,
without a limit of seconds, so the results do not depend on the machine. The file
``docs/explanation/levels.json`` gets results, Elo differences, and the mean number of islands of
both players. The first level also plays against the greedy player, which stands for a beginner: it
takes what an action gains at once, and never looks at replies.

``--levels 4 5`` measures two levels only, and ``--games`` more or fewer games. Any other player can
be measured against the levels: ``pontedeldiavolo match`` takes the players of the table.

Each pair of games is stored below ``build/levels`` as soon as it is over, in a folder for its two
players. So a run that was cut goes on where it ended, and more games can be added to a match.
Before that, the tool plays the first pair again: if its games differ, the stored ones are of an
earlier version, and the tool ends.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any, Final

import pontedeldiavolo as pdd
from pontedeldiavolo.players import by_name, match
from pontedeldiavolo.web.thinkers import LEVELS, MAX_SECONDS

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "docs" / "explanation" / "levels.json"
FOLDER: Final = ROOT / "build" / "levels"
"""The folder with a folder of games for each match."""
FIRST_PAIR: Final = "pair-000001.pdd"
"""The file with the first pair of games in the folder of a match."""
BEGINNER: Final = "level-4"
"""The level with the greedy player."""


def islands(folder: Path, pairs: int) -> Iterator[tuple[str, int]]:
    """Yield the name and the islands of each player of each game in the first pairs of a match."""
    for path in sorted(folder.glob("pair-*.pdd"))[:pairs]:
        for game in pdd.records.iter_games(path):
            for seat in pdd.Seat:
                color = game.state.color_of(seat)
                if color is not None:
                    yield game.tags[seat.value.capitalize()], game.state.score(color).islands


def moves(path: Path) -> list[tuple[pdd.Action, ...]]:
    """Return the actions of each game in a file."""
    return [tuple(game.actions) for game in pdd.records.iter_games(path)]


def require_same_play(folder: Path, stronger: str, weaker: str) -> None:
    """Play the first pair of a stored match again, and exit if its games differ."""
    stored = folder / FIRST_PAIR
    if not stored.exists():
        return
    with TemporaryDirectory() as again:
        match(by_name(stronger), by_name(weaker), 2, folder=again)
        if moves(Path(again) / FIRST_PAIR) != moves(stored):
            sys.exit(f"{folder} has games of an earlier version. Remove it, or pass --folder.")


def measured(weaker: str, stronger: str, games: int, folder: Path) -> dict[str, Any]:
    """Return the result of a match between two levels, from the view of the stronger one.

    Args:
        weaker: The name of the weaker level.
        stronger: The name of the stronger level.
        games: The number of games, those that are already stored among them.
        folder: The folder with the folders of matches.
    """
    players = (LEVELS[stronger].player, LEVELS[weaker].player)
    games_folder = folder / "-against-".join(players).replace(":", "-")
    require_same_play(games_folder, *players)
    found = match(by_name(players[0]), by_name(players[1]), games, folder=games_folder)
    counted: dict[str, list[int]] = {}
    for name, number in islands(games_folder, found.games // 2):
        counted.setdefault(name, []).append(number)
    low, high = found.elo_interval
    return {
        "weaker": weaker,
        "stronger": stronger,
        "won": found.wins,
        "drawn": found.draws,
        "lost": found.losses,
        "elo": f"{found.elo:+.0f}, from {low:+.0f} to {high:+.0f}",
        "islands": {
            "weaker": round(mean(counted[found.b]), 1),
            "stronger": round(mean(counted[found.a]), 1),
        },
    }


def steps(numbers: Sequence[int] | None) -> list[tuple[str, str]]:
    """Return the pairs of levels to measure, the weaker one first."""
    if numbers:
        weaker, stronger = (f"level-{number}" for number in numbers)
        return [(weaker, stronger)]
    return [*pairwise(LEVELS), (next(iter(LEVELS)), BEGINNER)]


def main() -> None:
    """Play the matches that the arguments specify."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--levels", type=int, nargs=2, metavar=("WEAKER", "STRONGER"))
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="for the games")
    parser.add_argument("--write", action="store_true", help="write the results for the docs")
    asked = parser.parse_args()
    for weaker, stronger in steps(asked.levels):
        row = measured(weaker, stronger, asked.games, asked.folder)
        print(json.dumps(row), flush=True)
        if asked.write:
            write(row)


def write(row: dict[str, Any]) -> None:
    """Put a result into the file, in place of an earlier one of the same two levels."""
    stored = json.loads(FILE.read_text("utf-8"))
    key = (row["weaker"], row["stronger"])
    rows = [each for each in stored["rows"] if (each["weaker"], each["stronger"]) != key]
    order = [*LEVELS]
    rows.append(row)
    rows.sort(key=lambda each: (order.index(each["weaker"]), order.index(each["stronger"])))
    today = datetime.now(UTC).date().isoformat()
    found = {
        "command": "python -m tools.levels --write",
        "date": today,
        "seconds": MAX_SECONDS,
        "players": {name: level.player for name, level in LEVELS.items()},
        "rows": rows,
    }
    FILE.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
