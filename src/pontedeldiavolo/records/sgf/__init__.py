"""Whole games, with all that hangs on them, in the Smart Game Format FF[4].

The format knows no Ponte del Diavolo: actions, and what else no standard property says, stand in
properties of their own that begin with ``PD``. Other programs keep those when they save a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TextIO

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.interchange import Source, games, only_game, results
from pontedeldiavolo.records.sgf.reader import find_games
from pontedeldiavolo.records.sgf.writer import game_tree

__all__ = ["dump", "dumps", "iter_games", "iter_results", "load", "loads", "losses"]


def loads(text: str) -> Game:
    """Return the one game of an SGF text.

    Raises:
        TypeError: If *text* is not a string.
        RecordError: If it is not one legal game.
    """
    return only_game(find_games(Source(text)))


def load(file: Iterable[str]) -> Game:
    """Return the one game in an SGF file.

    Raises:
        TypeError: If *file* does not give lines of text.
        RecordError: If it is not one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return only_game(find_games(Source.of(file)))


def iter_results(file: Iterable[str]) -> Iterator[Game | RecordError]:
    """Iterate over the games in an SGF file; a bad one comes as its :class:`RecordError`.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return results(find_games(Source.of(file)))


def iter_games(file: Iterable[str], on_error: Literal["raise", "skip"] = "raise") -> Iterator[Game]:
    """Iterate over the games in an SGF file.

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
    """Return the SGF text of a game; ``loads`` gives the game back.

    Raises:
        TypeError: If it is not a :class:`Game`.
    """
    return game_tree(game)


def dump(game: Game, file: TextIO) -> None:
    """Write a game to an SGF file, which is to be in UTF-8; another one may follow.

    Raises:
        TypeError: If it is not a :class:`Game`.
        OSError: If writing fails.
    """
    file.write(game_tree(game))


def losses(game: Game) -> tuple[str, ...]:
    """Return what an SGF text of *game* cannot hold: nothing, so always ``()``.

    Raises:
        TypeError: If it is not a :class:`Game`.
    """
    require_type(game, Game, "game")
    return ()
