"""One game, played by the codes of steps, as each seat sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, SupportsIndex, cast, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch.node_planes import planes
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles, Step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

Observation = dict[str, npt.NDArray[np.generic]]
"""What a seat sees: ``observation``, the planes, and ``action_mask``."""

START: Final = "start"
"""The option of a reset that says where a game begins."""


@final
class Table(FinalClass):
    """A game that goes on in place.

    Attributes:
        rules: Its rules.
        space: The numbering of steps.
        node: Where the game is.
        last: The action that led there; ``None`` at the start and in half turns.
        to_act: The seat that is to act; ``None`` when the game is over.

    Raises:
        TypeError: If *rules* is not a :class:`Rules` value.
    """

    def __init__(self, rules: Rules | None) -> None:
        rules = Rules() if rules is None else rules
        require_type(rules, Rules, "rules")
        self.rules: Rules = rules
        self.space: StepSpace = StepSpace(rules.board)
        self._put(GameState.initial(rules), None)

    def begin(self, options: object = None) -> None:
        """Begin a game.

        Args:
            options: What a framework hands on: ``start`` is the state or half turn
                to begin at.

        Raises:
            TypeError: If that is neither.
            PonteError: If its rules are others, or it is over.
        """
        start = options.get(START) if isinstance(options, Mapping) else None
        start = GameState.initial(self.rules) if start is None else start
        require_type(start, (GameState, HalfTurn), START)
        if start.rules != self.rules:
            raise PonteError("start has other rules than the environment")
        if start.is_over:
            raise PonteError("start is over: there is nothing to play")
        self._put(start, None)

    def play(self, action: SupportsIndex) -> None:
        """Play a step.

        Raises:
            TypeError: If *action* is not a whole number.
            PonteError: If it is no code of the space.
            IllegalActionError: If it is not legal. Whenever an error is raised, nothing has
                changed.
        """
        step = self.space.decode(whole_number(action, "action"))
        before = self.node
        after = before.step(step)
        self._put(after, None if isinstance(after, HalfTurn) else _whole(before, step))

    def apply(self, action: Action) -> None:
        """Play a whole action, where no turn is half played.

        Raises:
            TypeError: If it is not an action, or half a turn is played.
            IllegalActionError: If it is not legal.
        """
        state = self.node
        require_type(state, GameState, "node")
        self._put(cast(GameState, state).apply(action), action)

    def _put(self, node: GameState | HalfTurn, last: Action | None) -> None:
        self.node: GameState | HalfTurn = node
        self.last: Action | None = last
        self.to_act: Seat | None = node.seat_to_move
        self._legal = self.space.mask(node)

    def mask(self, seat: Seat) -> npt.NDArray[np.int8]:
        """Return 1 for each step that is legal for a seat now, else 0, in an array of its own."""
        if self.to_act is seat:
            return np.frombuffer(bytearray(self._legal), np.int8)
        return np.zeros(len(self._legal), np.int8)

    def observation(self, seat: Seat) -> Observation:
        """Return what a seat sees, in arrays of their own."""
        return {
            "observation": planes(self.node, side_of(self.node, seat)),
            "action_mask": self.mask(seat),
        }


def side_of(node: GameState | HalfTurn, seat: Seat) -> Color | None:
    """Return the colour from whose side a seat looks at the board, ``None`` during the choice."""
    if node.phase is Phase.OPENING:
        # Nobody owns a colour yet. The first seat places white's tiles, and so sees them.
        return Color.WHITE if seat is Seat.FIRST else Color.RED
    return node.color_of(seat)


def _whole(before: GameState | HalfTurn, step: Step) -> Action:
    """Return the action that a step has completed."""
    if isinstance(before, HalfTurn):
        return PlaceTiles(before.first, cast(PlaceTile, step).cell)
    return cast(Action, step)
