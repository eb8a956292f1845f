"""Game records in this library's own format, which resembles PGN.

Nothing in a game is lost. Beyond the functions of all formats, records can be read leniently,
parsed without being replayed, and searched by their tags alone.

>>> game = pdd.records.loads("1. d4,g7 red 2. c3,c5 *")
>>> pdd.records.loads(pdd.records.dumps(game)) == game
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TextIO, overload

from pontedeldiavolo.base.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.text_io import Source
from pontedeldiavolo.rules.limits import Limits

from .records import READER, WRITER


def load(
    file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game in a file.

    >>> pdd.records.load(["1. d4,g7 red", "2. c3,c5 *"]).result
    '*'

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for errors, to read leniently: faulty parts are left out.
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
    """Return the one game of a text.

    >>> game = pdd.records.loads("1. d4,g7 red 2. c3,c5 *")
    >>> game.state.to_move
    <Color.WHITE: 'white'>
    >>> try:
    ...     pdd.records.loads("1. d4,d4 *")
    ... except pdd.RecordError as error:
    ...     print(error.line, error.column, error.code)
    1 4 legal-action

    Args:
        text: The text, or its bytes: UTF-8, or the encoding of its byte order mark.
        errors: A list for errors, to read leniently: faulty parts are left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return READER.loads(text, errors, limits=limits)


@overload
def iter_games(
    file: Source,
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]: ...


@overload
def iter_games(
    file: Source,
    on_error: Literal["raise", "skip", "yield"],
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]: ...


def iter_games(
    file: Source,
    on_error: Literal["raise", "skip", "yield"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    r"""Iterate over the games in a file, one in memory at a time.

    Every action is checked.

    >>> text = '[First "Ada"]\n1. d4,g7 *\n\n[First "Bo"]\n1. a1,b1 *'
    >>> [game.tags["First"] for game in pdd.records.iter_games(text)]
    ['Ada', 'Bo']
    >>> [type(each).__name__ for each in pdd.records.iter_games(["1. d4,g7 *", "[A]"], "yield")]
    ['Game', 'RecordError']

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: What to do with a bad game: ``"raise"`` its error, ``"skip"`` the game, with a
            warning at the end that says how many were skipped, or ``"yield"`` its error in place of
            the game.
        errors: A list for errors, to read leniently: faulty parts are left out, and only a game
            that cannot be read at all is bad.
        limits: The limits of reading; ``None`` for ``Limits()``. If one of them ends reading, an
            error that says so is raised, or with ``"yield"`` is the last item.

    Raises:
        PonteError: If *on_error* is none of the three.
        RecordError: If a game is bad and *on_error* is ``"raise"``, or if a limit ends reading.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return READER.iter_games(file, on_error, errors, limits=limits)


def dump(game: Game, file: TextIO) -> None:
    """Write a game to a text file in UTF-8, so that another one can follow.

    >>> from io import StringIO
    >>> file = StringIO()
    >>> for first in ("Ada", "Bo"):
    ...     pdd.records.dump(pdd.Game.new(tags={"First": first}), file)
    >>> [game.tags["First"] for game in pdd.records.iter_games(file.getvalue())]
    ['Ada', 'Bo']

    Raises:
        PonteError: If the format cannot represent the game.
        OSError: If writing fails.
    """
    WRITER.dump(game, file)


def dumps(game: Game) -> str:
    """Return the text of a game; :func:`loads` restores the game.

    >>> print(pdd.records.dumps(pdd.Game.new().play("d4,g7")))
    [Rules "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]
    [Result "*"]
    <BLANKLINE>
    1. d4,g7 *
    <BLANKLINE>

    A record has its tags first, in a fixed order, then an empty line and the numbered actions in
    lines under 80 characters, with the result at the end. Only a tag or a single word of a comment
    makes a longer line. To read a text of more than 1,000,000 characters, pass :class:`Limits` that
    allow it.

    Raises:
        PonteError: If the format cannot represent the game.
    """
    return WRITER.dumps(game)
