"""Game records of Boardspace (boardspace.net): a variant of SGF, read but not written.

A record contains the players' clicks one by one. Only the site itself makes such records, so there
is no ``dumps`` here: write a game that was played elsewhere in another format.

>>> clicks = "(;GM[pontedeldiavolo]P0[id ada];P0[Start P0];P0[Pick W];P0[Dropb D 4])"
>>> text = clicks.replace(")", ";P0[Pick W];P0[Dropb G 7];P0[Done])")
>>> game = pdd.records.boardspace.loads(text)
>>> (game.tags["First"], *map(pdd.format_action, game.actions))
('ada', 'd4,g7')
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, overload

from pontedeldiavolo.base.errors import RecordError, require_type
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.reading import Source, read_many, read_one
from pontedeldiavolo.rules.limits import Limits

from .reader import read_games

__all__ = ["iter_games", "load", "loads"]


def load(source: Source, *, limits: Limits | None = None) -> Game:
    """Return the one game in a file of Boardspace.

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
    """Return the one game of a text of Boardspace.

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
    """Iterate over the games in a file of Boardspace, one in memory at a time.

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


def __dir__() -> list[str]:
    return __all__
