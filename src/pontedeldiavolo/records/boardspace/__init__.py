"""Game records of Boardspace (boardspace.net): a dialect of SGF, read and not written.

A record tells what the players did click by click. Only the site itself makes such records: a
game that was played elsewhere is better kept in another format, so there is no ``dumps`` here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from pontedeldiavolo.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.boardspace.reader import find_games
from pontedeldiavolo.records.interchange import Source, games, only_game, results

__all__ = ["iter_games", "iter_results", "load", "loads"]


def loads(text: str) -> Game:
    """Return the one game of a record.

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
