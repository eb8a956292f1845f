"""Rules under which the game is published and played, by name.

Several presets are equal: the name says where the game is played with these rules. A record names
its origin in a tag.

>>> pdd.presets.by_name("brettspielnetz").board
Board(width=12, height=12)
>>> pdd.presets.names_of(pdd.presets.ORIGINAL)
('original', 'boardspace')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pontedeldiavolo.base.errors import InvalidRulesError, reason, require_type
from pontedeldiavolo.base.guesses import no_such_name
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.rules.rules import Rules

__all__ = [
    "ABSTRACT_PLAY",
    "ABSTRACT_PLAY_8",
    "ABSTRACT_PLAY_12",
    "BOARDSPACE",
    "BOARD_GAME_ARENA",
    "BRETTSPIELNETZ",
    "ORIGINAL",
    "WIKIPEDIA",
    "YOUR_TURN_MY_TURN",
    "by_name",
    "names",
    "names_of",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    # To a type checker, this function would define every name.
    def __getattr__(name: str) -> object:
        raise no_such_name(__name__, name)


ORIGINAL: Final = Rules(tiles_per_color=40, bridges=15)
"""10×10, 40 tiles of each colour and 15 bridges that both share: the contents of the published
game. [S2] says that the printed rules limit the supply."""
BOARDSPACE: Final = ORIGINAL
"""The rules of Boardspace, with the numbers in its program."""
BOARD_GAME_ARENA: Final = Rules()
"""10×10, as played there; the unlimited supply is in the text [S2]."""
BRETTSPIELNETZ: Final = Rules(board=Board(12, 12))
"""12×12 [S3, S4]; the text does not mention the supply, which is unlimited here."""
YOUR_TURN_MY_TURN: Final = BRETTSPIELNETZ
"""12×12 [S0]; the text does not mention the supply, which is unlimited here."""
WIKIPEDIA: Final = Rules(tiebreaks=())
"""10×10 without tie-breaks: equal points are a draw [S1]."""
ABSTRACT_PLAY: Final = Rules()
"""Abstract Play's usual board, 10×10, with an unlimited supply, as in the site's program."""
ABSTRACT_PLAY_8: Final = Rules(board=Board(8, 8))
"""Abstract Play's small board."""
ABSTRACT_PLAY_12: Final = Rules(board=Board(12, 12))
"""Abstract Play's large board."""

_BY_NAME: Final = {
    name.lower().replace("_", "-"): value
    for name, value in list(vars().items())
    if isinstance(value, Rules)
}


def names() -> tuple[str, ...]:
    """Return every preset's name, in lower case, with words joined by hyphens.

    >>> pdd.presets.names()[:2]
    ('original', 'boardspace')
    """
    return tuple(_BY_NAME)


def by_name(name: str) -> Rules:
    """Return the preset with that name; ASCII case does not matter, and ``_`` is read as ``-``.

    >>> pdd.presets.by_name("Brettspielnetz").board
    Board(width=12, height=12)

    Raises:
        InvalidRulesError: If no preset has that name.
    """
    require_type(name, str, "name")
    rules = _BY_NAME.get(name.replace("_", "-").lower()) if name.isascii() else None
    if rules is None:
        known = ", ".join(names())
        raise InvalidRulesError(reason("unknown-preset", name=f"{name[:40]!a}", names=known))
    return rules


def names_of(rules: Rules) -> tuple[str, ...]:
    """Return the names of all presets equal to *rules*; none if it is not a preset.

    >>> pdd.presets.names_of(pdd.Rules())
    ('board-game-arena', 'abstract-play')
    """
    require_type(rules, Rules, "rules")
    return tuple(name for name, preset in _BY_NAME.items() if preset == rules)
