"""How much of a text is read that nobody vouches for."""

# Annotations are objects here, not texts: attrs copies those of converters into other modules.
from typing import ClassVar, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.checks import whole_number
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.game.line import MAX_DEPTH
from pontedeldiavolo.game.tags import MAX_TEXT


def _limit(value: SupportsIndex | None, name: str, lowest: int = 0) -> int | None:
    if value is None:
        return None
    number = whole_number(value, name)
    if number < lowest:
        raise PonteError(f"{name} is {lowest} or more, not {number}")
    return number


# By name: type checkers follow no converter that a call gives.


def _side(value: SupportsIndex | None) -> int | None:
    return _limit(value, "side", 1)


def _characters(value: SupportsIndex | None) -> int | None:
    return _limit(value, "characters")


def _games(value: SupportsIndex | None) -> int | None:
    return _limit(value, "games")


def _errors(value: SupportsIndex | None) -> int | None:
    return _limit(value, "errors")


def _depth(value: SupportsIndex | None) -> int | None:
    return _limit(value, "depth")


@final
@frozen(order=False)
class Limits(Sealed):
    """How much a reader takes; ``None`` is no limit of its own.

    ``Limits()`` is what holds where nothing else is said, ``Limits.NONE`` takes whatever there is.
    No board is larger than :attr:`Board.MAX_SIDE <pontedeldiavolo.Board.MAX_SIDE>` and no
    variations are over 50 deep, whatever a limit says.

    Attributes:
        side: How many cells a side of a board has at most.
        characters: How many characters a game's text has at most; a longer one is not kept.
        games: How many games are read from one source, good and bad ones. Another one is the
            last error.
        errors: How many errors there are in one source, in a lenient reader's list as well.
            Another one is the last error.
        depth: How deep variations lie in each other at most.

    Raises:
        TypeError: If a limit is neither a whole number nor ``None``.
        PonteError: If a limit is negative, or a side 0.
    """

    NONE: ClassVar["Limits"]

    side: int | None = field(default=Board.MAX_SIDE, converter=_side)
    characters: int | None = field(default=MAX_TEXT, converter=_characters)
    games: int | None = field(default=None, converter=_games)
    errors: int | None = field(default=1_000, converter=_errors)
    depth: int | None = field(default=MAX_DEPTH, converter=_depth)


Limits.NONE = Limits(None, None, None, None, None)
