"""One seat of a game, against a player."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Literal, SupportsIndex, cast, final

import numpy as np
import numpy.typing as npt
from gymnasium import Env, spaces
from gymnasium.error import ResetNeeded

from pontedeldiavolo.adapters.shared.illegal import (
    ILLEGAL_LOSES,
    ILLEGAL_RAISES,
    require_on_illegal,
)
from pontedeldiavolo.adapters.shared.screen import MODES, Picture, Screen
from pontedeldiavolo.adapters.shared.spaces import action_space, observation_space
from pontedeldiavolo.adapters.shared.table import Observation, Table
from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.players import Player, RandomPlayer
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn

Info = dict[str, npt.NDArray[np.int8] | str]
"""``action_mask``, and after an illegal action ``illegal``: what is wrong with it."""


@final
class PonteEnv(Env):
    """One seat of a game, against a player who has the other.

    An action is a code of :class:`~pontedeldiavolo.StepSpace`: tiles are placed one by one. An
    observation is a dictionary: ``observation`` are the planes of
    :func:`pontedeldiavolo.batch.planes`, uint8, from the side of the seat's own colour;
    ``action_mask`` is int8, 1 for each legal action. The mask is in ``info``, too. The reward comes
    at the end: 1 for a win, -1 for a loss, 0 for a draw. No game is truncated: none has more than
    ``rules.most_steps`` steps.

    The opponent begins each game anew, with a seed from the environment's own dice: equal seeds and
    actions make equal games. ``reset(options={"start": state})`` begins at a state or half turn
    with the same rules. Environments can be copied and pickled in the midst of a game, if the
    opponent can.

    Args:
        rules: The rules of the game, by default those without limits on 10×10.
        opponent: Who has the other seat, any :class:`~pontedeldiavolo.players.Player`: by default a
            random one.
        seat: The seat that is learnt; ``None`` to draw one for each game.
        on_illegal: What becomes of an illegal action. With ``lose`` the game ends with a reward of
            -1, and ``info["illegal"]`` says why, for Gymnasium wants that whatever is in the action
            space can be done. With ``raise`` an error says which rules it breaks, and nothing has
            changed.
        render_mode: ``ansi`` for lines of characters; ``rgb_array`` for pixels, which needs the
            extra ``png``; ``human`` to write each board to the terminal.
        render_size: The pixels of the longer side, by default 864 for a board of 10×10.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If its value is none of those.
        ImportError: If pixels are wanted and the extra ``png`` is not installed.
    """

    __module__ = "pontedeldiavolo.adapters.gymnasium"
    metadata: dict[str, object] = {  # noqa: RUF012  # as Gymnasium has it
        "render_modes": [*MODES],
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        opponent: Player | None = None,
        seat: Seat | None = Seat.FIRST,
        on_illegal: Literal["raise", "lose"] = ILLEGAL_LOSES,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        render_size: SupportsIndex | None = None,
    ) -> None:
        require_type(opponent, (Player, NoneType), "opponent")
        require_type(seat, (Seat, NoneType), "seat")
        require_on_illegal(on_illegal)
        self._table = Table(rules)
        self._screen = Screen(render_mode, render_size)
        self._opponent: Player = RandomPlayer() if opponent is None else opponent
        self._wanted = seat
        self._on_illegal = on_illegal
        self._is_running = False
        self._seat: Seat = Seat.FIRST if seat is None else seat
        self.render_mode: str | None = render_mode
        board = self._table.rules.board
        self.observation_space: spaces.Space[Observation] = observation_space(board)
        self.action_space: spaces.Space[np.int64] = action_space(board)

    # What there is

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._table.rules

    @property
    def node(self) -> GameState | HalfTurn:
        """Where the game is."""
        return self._table.node

    @property
    def seat(self) -> Seat:
        """The seat that is learnt in this game."""
        return self._seat

    # What is done

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observation, Info]:
        """Begin a game, and play it up to the seat's first turn.

        Args:
            seed: Where the environment's dice begin, if it is given.
            options: ``start`` is where the game begins; all else is left alone.

        Raises:
            TypeError: If the start is neither a state nor a half turn.
            PonteError: If it has other rules, is half a turn of the opponent's, or the game is over
                before the seat has had a turn.
        """
        require_type(options, (Mapping, NoneType), "options")
        super().reset(seed=seed)
        self._is_running = False
        self._table.begin(options)
        if self._wanted is None:
            self._seat = (*Seat,)[self.np_random.integers(len(Seat))]
        if isinstance(self.node, HalfTurn) and self._table.to_act is not self._seat:
            raise PonteError("start is half a turn of the opponent's")
        self._rival = self._opponent.for_game(int(self.np_random.integers(2**31)))
        self._let_opponent_play()
        if self.node.is_over:
            raise PonteError("the game is over before its seat has had a turn")
        self._is_running = True
        self._screen.refresh(self.node, self._table.last)
        return self._table.observation(self._seat), self._info()

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Play an action, and what the opponent answers.

        Raises:
            ResetNeeded: If no game is going on.
            TypeError: If the action is not a whole number.
            PonteError: With ``raise``, if it is no code of the action space.
            IllegalActionError: With ``raise``, if it is not legal. Whenever an error is raised,
                nothing has changed.
        """
        if not self._is_running:
            raise ResetNeeded("no game is going on: reset() begins one")
        try:
            self._table.play(action)
        except PonteError as error:
            if self._on_illegal == ILLEGAL_RAISES:
                raise
            return self._lost(error)
        self._is_running = False  # for as long as the opponent is at it
        self._let_opponent_play()
        outcome = self.node.outcome
        self._is_running = outcome is None
        reward = 0.0 if outcome is None else float(outcome.value(self._seat))
        self._screen.refresh(self.node, self._table.last)
        seen = self._table.observation(self._seat)
        return seen, reward, outcome is not None, False, self._info()

    def _let_opponent_play(self) -> None:
        """Play for the other seat for as long as it is to act."""
        while self._table.to_act is self._seat.opponent:
            self._table.apply(self._rival.choose(cast(GameState, self.node)))

    def _lost(self, error: PonteError) -> tuple[Observation, float, bool, bool, Info]:
        """Return what becomes of an illegal action where it loses."""
        self._is_running = False
        return self._table.observation(self._seat), -1.0, True, False, self._info(str(error))

    def _info(self, illegal: str | None = None) -> Info:
        info: Info = {"action_mask": self._table.mask(self._seat)}
        return info if illegal is None else {**info, "illegal": illegal}

    def render(self) -> Picture:
        """Return a picture of the board, the last one of a game included."""
        return self._screen.draw(self.node, self._table.last)
