"""One game played with step codes and observed by seats: the part that needs no framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, SupportsIndex, cast, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError, reason, require_type, whole_number
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

START: Final = "start"
"""The option of ``reset`` for the state at which the game starts."""


@final
class GameSession(FinalClass):
    """A game that is played in place.

    Attributes:
        rules: The rules of the game.
        space: The action space of steps.
        node: The current state or half turn.
        last: The action that led to the node; ``None`` at the start and in half turns.
        to_act: The seat to act; ``None`` when the game is over.
    """

    def __init__(self, rules: Rules | None) -> None:
        rules = Rules() if rules is None else rules
        require_type(rules, Rules, "rules")
        self.rules: Rules = rules
        self.space: StepSpace = StepSpace(rules.board)
        self._set(GameState.initial(rules), None)

    def reset(self, options: Mapping[str, object] | None) -> None:
        """Start a game, at ``options["start"]`` if given.

        Raises:
            PonteError: If the start has other rules, or its game is over.
        """
        require_type(options, (Mapping, type(None)), "options")
        start = (options or {}).get(START)
        start = GameState.initial(self.rules) if start is None else start
        require_type(start, (GameState, HalfTurn), START)
        node = cast(GameState | HalfTurn, start)
        if node.rules != self.rules:
            raise PonteError(reason("start-other-rules"))
        if node.is_over:
            raise PonteError(reason("start-over"))
        self._set(node, None)

    def play(self, action: SupportsIndex) -> None:
        """Play the step with a code.

        Raises:
            PonteError: If *action* is not a code of the space.
            IllegalActionError: If it is not legal. After an error, the game is unchanged.
        """
        step, node = self.space.decode(whole_number(action, "action")), self.node
        last: Action | None = None if isinstance(step, PlaceTile) else step
        if isinstance(step, PlaceTile) and isinstance(node, HalfTurn):
            last = PlaceTiles(node.first, step.cell)
        self._set(node.step(step), last)

    def apply(self, action: Action) -> None:
        """Play a whole action; the node must be a state.

        Raises:
            IllegalActionError: If it is not legal.
        """
        self._set(cast(GameState, self.node).apply(action), action)

    def _set(self, node: GameState | HalfTurn, last: Action | None) -> None:
        self.node: GameState | HalfTurn = node
        self.last: Action | None = last
        self.to_act: Seat | None = node.seat_to_move
        self._legal = self.space.mask(node)

    def mask(self, seat: Seat) -> npt.NDArray[np.int8]:
        """Return a new array with 1 for each step that *seat* may play now, else 0."""
        if self.to_act is seat:
            return np.frombuffer(bytearray(self._legal), np.int8)
        return np.zeros(len(self._legal), np.int8)


def side_of(node: GameState | HalfTurn, seat: Seat) -> Color | None:
    """Return the colour from whose side a seat sees the board; ``None`` in the colour choice."""
    if node.phase is Phase.OPENING:
        # Nobody owns a colour yet. The first seat places white tiles, so it sees white's side.
        return Color.WHITE if seat is Seat.FIRST else Color.RED
    return node.color_of(seat)


def at_least_one(value: SupportsIndex, name: str) -> int:
    """Return *value* as a positive ``int``.

    Raises:
        PonteError: If it is less than 1.
    """
    number = whole_number(value, name)
    if number < 1:
        raise PonteError(reason("number-too-small", name=name, value=str(number)))
    return number
