"""The games of a match in a folder: a file for each pair, so that a match can go on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import final

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation import format_rules
from pontedeldiavolo.players.fixture import Fixture, Pair
from pontedeldiavolo.records.atomic_file import atomic_write
from pontedeldiavolo.records.pdd import dumps, iter_games


@final
class MatchFolder:
    """Where the games of a match are kept.

    Args:
        folder: The folder; it is made if it is not there.
        fixture: The match.

    Raises:
        OSError: If there can be no such folder.
    """

    def __init__(self, folder: str | os.PathLike[str], fixture: Fixture) -> None:
        self._folder = Path(folder)
        self._fixture = fixture
        self._folder.mkdir(parents=True, exist_ok=True)

    def pairs(self, most: int) -> Iterator[Pair]:
        """Iterate over the pairs that are there, from the first on until one is missing.

        The last file may be torn: then its pair is as good as missing.

        Raises:
            PonteError: If a file is of another match, or not the last one and damaged.
        """
        for number in range(1, most + 1):
            if not self._path(number).exists():
                return
            found = self._read(number)
            if found is None:
                return
            yield found

    def save(self, number: int, pair: Pair) -> None:
        """Keep a pair.

        Raises:
            OSError: If it cannot be written.
        """
        with atomic_write(self._path(number)) as file:
            file.write("\n".join(map(dumps, pair)))

    def _path(self, number: int) -> Path:
        return self._folder / f"pair-{number:06}.pdd"

    def _read(self, number: int) -> Pair | None:
        path = self._path(number)
        try:
            games = [*iter_games(path)]
        except (PonteError, UnicodeDecodeError) as error:
            self._require_last(number, error)
            return None
        for place, game in enumerate(games, 1):
            self._require_same(path, game, number, place)
        if len(games) != 2 or any(game.ending is None for game in games):  # noqa: PLR2004 - a pair
            self._require_last(number, PonteError("a pair is two games that are over"))
            return None
        return games[0], games[1]

    def _require_last(self, number: int, error: Exception) -> None:
        """Refuse a damaged file, unless it is the one that was written when a match ended."""
        if self._path(number + 1).exists():
            path = self._path(number)
            raise PonteError(f"{path} is damaged; without it its games are played again: {error}")

    def _require_same(self, path: Path, game: Game, number: int, place: int) -> None:
        """Refuse a game of another match."""
        wanted = {**self._fixture.tags(number, place), "Rules": format_rules(self._fixture.rules)}
        found = {**game.tags, "Rules": format_rules(game.rules)}
        for name, value in wanted.items():
            if found.get(name) != value:
                other = found.get(name, "nothing")
                raise PonteError(
                    f"{path} is of another match: its {name} is {other!r}, and not {value!r}"
                )
