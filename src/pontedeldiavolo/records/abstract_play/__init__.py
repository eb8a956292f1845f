"""Game reports and lists of moves of Abstract Play (abstractplay.com).

A report is a JSON object; a file has one report, an array of them, or a sequence as in JSON
Lines. A list of moves is a text like ``d4,g7 c3,c5 d4-f5``; an empty line ends it. The reader
accepts both; ``dumps`` writes the report of a finished game.

>>> game = pdd.records.abstract_play.loads("d4,g7 c3,c5 resign")
>>> [pdd.format_action(action) for action in game.actions]
['d4,g7', 'red', 'c3,c5']
>>> game.ending
<Ending.RESIGNATION: 'resignation'>
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TextIO, overload

from pontedeldiavolo.base.errors import RecordError, require_type
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.reading import Source, read_many, read_one
from pontedeldiavolo.records.targets import require_file
from pontedeldiavolo.rules.limits import Limits

from .reader import read_games
from .writer import report_of

__all__ = ["dump", "dumps", "iter_games", "load", "loads"]


def load(source: Source, *, limits: Limits | None = None) -> Game:
    """Return the one game in a file of Abstract Play.

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
    """Return the one game of a text of Abstract Play.

    >>> pdd.records.abstract_play.loads("d4,g7 c3,c5 resign").result
    'red'

    Args:
        text: The text, or its bytes: UTF-8, or the encoding of its byte order mark.
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
    """Iterate over the games in a file of Abstract Play, one in memory at a time.

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
    """Write a game as a report to a text file in UTF-8, so that another one can follow.

    Raises:
        PonteError: If the format cannot represent the game.
        OSError: If writing fails.
    """
    require_file(file, "file")
    file.write(dumps(game))


def dumps(game: Game) -> str:
    """Return the report of a game; :func:`loads` restores what a report can hold.

    :func:`records.unsupported <pontedeldiavolo.records.unsupported>` names the other parts.

    Raises:
        PonteError: If the format cannot represent the game.
    """
    require_type(game, Game, "game")
    return report_of(game)


def __dir__() -> list[str]:
    return __all__
