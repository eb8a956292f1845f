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
from typing import Literal, TextIO

from pontedeldiavolo.base.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.records.text_io import Source

from .games import READER, WRITER

__all__ = ["dump", "dumps", "iter_games", "iter_results", "load", "loads"]


def load(
    file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game in a file in SGF.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for errors, as for records of this library. SGF cannot be read in part, so
            nothing is added to it.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return READER.load(file, errors, limits=limits)


def loads(
    text: str | bytes, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game of a text in SGF.

    >>> game = pdd.records.sgf.loads("(;FF[4]PB[Bo];PD[d4,g7];PD[red])")
    >>> game.tags["Second"], len(game.actions)
    ('Bo', 2)

    Args:
        text: The text, or its bytes: in the encoding that ``CA`` names.
        errors: A list for errors, as for records of this library. SGF cannot be read in part, so
            nothing is added to it.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return READER.loads(text, errors, limits=limits)


def iter_games(
    file: Source,
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]:
    """Iterate over the games in a file in SGF, one in memory at a time.

    Every action is checked.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: ``"raise"`` stops at the first bad game, ``"skip"`` leaves bad ones out.
        errors: A list for errors, as for records of this library. SGF cannot be read in part, so
            nothing is added to it.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        PonteError: If *on_error* is neither of the two.
        RecordError: If a game is bad and *on_error* is ``"raise"``, or if a limit ends reading.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return READER.iter_games(file, on_error, errors, limits=limits)


def iter_results(
    file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Iterator[Game | RecordError]:
    """Iterate over the games in a file in SGF; a bad one yields its error.

    Only one game is in memory at a time, even if the file is long.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for errors, as for records of this library. SGF cannot be read in part, so
            nothing is added to it.
        limits: The limits of reading; ``None`` for ``Limits()``. If one of them ends reading, the
            last item is the error that says so.

    Raises:
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return READER.iter_results(file, errors, limits=limits)


def dump(game: Game, file: TextIO) -> None:
    """Write a game in SGF to a text file in UTF-8, so that another one can follow.

    Raises:
        PonteError: If the format cannot represent the game.
        OSError: If writing fails.
    """
    WRITER.dump(game, file)


def dumps(game: Game) -> str:
    """Return a game in SGF; :func:`loads` restores it.

    Raises:
        PonteError: If the format cannot represent the game.
    """
    return WRITER.dumps(game)


def __dir__() -> list[str]:
    return __all__
