"""Game reports and lists of moves of Abstract Play (abstractplay.com).

A report is a JSON object; a file has one, an array of them, or one after another as in JSON
lines. A list of moves is a text like ``d4,g7 c3,c5 d4-f5``; an empty line ends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TextIO

from pontedeldiavolo.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.abstract_play.reports import find_games
from pontedeldiavolo.records.abstract_play.writer import losses, report
from pontedeldiavolo.records.interchange import Source, games, only_game, results

__all__ = ["dump", "dumps", "iter_games", "iter_results", "load", "loads", "losses"]


def loads(text: str) -> Game:
    """Return the one game of a report or of a list of moves.

    Raises:
        TypeError: If *text* is not a string.
        RecordError: If it is not one legal game.
    """
    return only_game(find_games(Source(text)))


def load(file: Iterable[str]) -> Game:
    """Return the one game in a text file.

    Raises:
        TypeError: If *file* does not give lines of text.
        RecordError: If it is not one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return only_game(find_games(Source.of(file)))


def iter_results(file: Iterable[str]) -> Iterator[Game | RecordError]:
    """Iterate over the games in a text file; a bad one comes as its :class:`RecordError`.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return results(find_games(Source.of(file)))


def iter_games(file: Iterable[str], on_error: Literal["raise", "skip"] = "raise") -> Iterator[Game]:
    """Iterate over the games in a text file.

    Args:
        file: A text file, or anything that gives lines of text.
        on_error: ``"raise"`` stops at the first bad game, ``"skip"`` leaves bad ones out.

    Raises:
        TypeError: If *file* does not give lines of text.
        PonteError: If *on_error* is neither of the two.
        RecordError: If a game is bad and *on_error* is ``"raise"``.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return games(find_games(Source.of(file)), on_error)


def dumps(game: Game) -> str:
    """Return the report of a finished game; ``loads`` gives back what :func:`losses` leaves.

    Raises:
        TypeError: If it is not a :class:`Game`.
        PonteError: If Abstract Play can have no such game: it is not finished, starts from
            another position, is on another board, or is not the same game under its rules.
    """
    return report(game)


def dump(game: Game, file: TextIO) -> None:
    """Write the report of a finished game to a text file, ready for another one to follow.

    Raises:
        TypeError: If it is not a :class:`Game`.
        PonteError: If Abstract Play can have no such game, as for :func:`dumps`.
        OSError: If writing fails.
    """
    file.write(dumps(game))
