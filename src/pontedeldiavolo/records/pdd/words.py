"""The words of the record format, shared by its reader and its writer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pontedeldiavolo.base.enums import Phase
from pontedeldiavolo.state.state import GameState

GLYPH_SUFFIXES: Final = {"!!": 3, "??": 4, "!?": 5, "?!": 6, "!": 1, "?": 2}
"""What may stand right behind an action instead of a glyph's number."""

_CHOICE: Final = {Phase.OPENING: 1, Phase.COLOR_CHOICE: 0}
"""Which action of a game chooses the colour, by the phase it starts in."""


def numbers_from(start: GameState) -> Callable[[int], int]:
    """Return what gives the number of the turn that an action belongs to, by its place from 0.

    The choice of a colour belongs to the turn before.
    """
    turn, choice = start.turn, _CHOICE.get(start.phase)
    return lambda place: turn + place + (choice is None or place < choice)


def is_choice(start: GameState, place: int) -> bool:
    """Tell whether action *place* is the choice of a colour."""
    return _CHOICE.get(start.phase) == place
