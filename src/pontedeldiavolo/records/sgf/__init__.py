"""Whole games with comments and variations in the Smart Game Format FF[4].

SGF has no properties for Ponte del Diavolo: actions, and everything else without a standard
property, are in properties that begin with ``PD``. Other programs keep those when they save a
file. Nothing in a game is lost. The property ``CA`` of each game names its encoding.

>>> game = pdd.records.sgf.loads("(;FF[4]PB[Bo];PD[d4,g7];PD[red])")
>>> print(pdd.records.sgf.dumps(game).split("AP")[0])
(;FF[4]CA[UTF-8]
>>> pdd.records.sgf.loads(pdd.records.sgf.dumps(game)) == game
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TextIO, overload

from pontedeldiavolo.base.errors import RecordError, require_type
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.reading import Source, read_many, read_one
from pontedeldiavolo.records.targets import require_file
from pontedeldiavolo.rules.limits import Limits

from .games import game_tree, read_games

__all__ = ["dump", "dumps", "iter_games", "load", "loads"]


def load(source: Source, *, limits: Limits | None = None) -> Game:
    """Return the one game in a file in SGF.

    Args:
        source: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return read_one(source, read_games, limits)


def loads(text: str | bytes, *, limits: Limits | None = None) -> Game:
    """Return the one game of a text in SGF.

    >>> game = pdd.records.sgf.loads("(;FF[4]PB[Bo];PD[d4,g7];PD[red])")
    >>> game.tags["Second"], len(game.actions)
    ('Bo', 2)

    Args:
        text: The text, or its bytes: in the encoding that ``CA`` names, else UTF-8, else Latin-1.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_type(text, (str, bytes), "text")
    return read_one(text, read_games, limits)


@overload
def iter_games(
    source: Source,
    on_error: Literal["raise", "skip"] = "raise",
    *,
    limits: Limits | None = None,
) -> Iterator[Game]: ...


@overload
def iter_games(
    source: Source,
    on_error: Literal["raise", "skip", "yield"],
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]: ...


def iter_games(
    source: Source,
    on_error: Literal["raise", "skip", "yield"] = "raise",
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    """Iterate over the games in a file in SGF, one in memory at a time.

    Every action is checked.

    Args:
        source: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: What to do with a bad game: ``"raise"`` its error, ``"skip"`` the game, with a
            warning after the last game that says how many were skipped, or ``"yield"`` its error in
            place of the game. An iterator that is closed before its end does not warn.
        limits: The limits of reading; ``None`` for ``Limits()``. If one of them ends reading, an
            error that says so is raised, or with ``"yield"`` is the last item.

    Raises:
        PonteError: If *on_error* is none of the three.
        RecordError: If a game is bad and *on_error* is ``"raise"``, if a limit ends reading, or, at
            once, if *source* is the name of a file.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding. No more games are read then,
            whatever *on_error* is.
    """
    return read_many(source, read_games, on_error, limits)


def dump(game: Game, file: TextIO) -> None:
    """Write a game in SGF to a text file in UTF-8, so that another one can follow.

    Raises:
        OSError: If writing fails.
    """
    require_file(file, "file")
    file.write(dumps(game))


def dumps(game: Game) -> str:
    """Return a game in SGF; :func:`loads` restores it."""
    require_type(game, Game, "game")
    return game_tree(game)


def __dir__() -> list[str]:
    return __all__
