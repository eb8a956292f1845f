"""The game as OpenSpiel sees it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, final

import numpy as np
import numpy.typing as npt
import pyspiel

from pontedeldiavolo.adapters.openspiel.bases import Game, State
from pontedeldiavolo.adapters.openspiel.parameters import DEFAULTS, NAME, Parameters, rules_of
from pontedeldiavolo.adapters.shared.table import side_of
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch.node_planes import planes
from pontedeldiavolo.batch.plane_layout import PLANES
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.notation import format_half_turn, format_state, format_step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

SEATS: Final = tuple(Seat)

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Ponte del Diavolo",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(SEATS),
    min_num_players=len(SEATS),
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


@lru_cache(maxsize=64)
def space_of(board: Board) -> StepSpace:
    """Return the numbering of the steps of a board."""
    return StepSpace(board)


@final
class PonteGame(Game):
    """The game with certain rules.

    Raises:
        InvalidRulesError: If the parameters say no rules.
    """

    def __init__(self, parameters: Parameters | None = None) -> None:
        self.rules: Rules = rules_of(parameters or {})
        info = pyspiel.GameInfo(
            num_distinct_actions=len(space_of(self.rules.board)),
            max_chance_outcomes=0,
            num_players=len(SEATS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.rules.most_steps,
        )
        super().__init__(GAME_TYPE, info, parameters or {})

    def new_initial_state(self) -> PonteState:
        """Return the start of a game."""
        return PonteState(self, GameState.initial(self.rules))

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> PonteObserver:
        """Return what looks at states: of the present, or with all that was done before.

        Raises:
            PonteError: If there are parameters.
        """
        if params:
            raise PonteError(f"observers have no parameters: {', '.join(params)}")
        # All is public, so what is private shows nothing.
        seen = iig_obs_type is None or iig_obs_type.public_info
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return PonteObserver(self.rules, shows=seen, recalls=recalls)


@final
class PonteState(State):
    """A game at one moment.

    Attributes:
        node: The same as a state or half turn of the core. It is all there is, so copies are cheap.
    """

    def __init__(self, game: PonteGame, node: GameState | HalfTurn) -> None:
        super().__init__(game)
        self.node: GameState | HalfTurn = node

    def current_player(self) -> int:
        """Return who is to act, or that nobody is."""
        seat = self.node.seat_to_move
        return pyspiel.PlayerId.TERMINAL if seat is None else seat.index

    def _legal_actions(self, _player: int) -> list[int]:
        mask = space_of(self.node.rules.board).mask(self.node)
        return np.flatnonzero(np.frombuffer(mask, np.uint8)).tolist()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.step(space_of(self.node.rules.board).decode(action))

    def _action_to_string(self, _player: int, action: int) -> str:
        return format_step(space_of(self.node.rules.board).decode(action))

    def is_terminal(self) -> bool:
        """Tell whether the game is over."""
        return self.node.is_over

    def returns(self) -> list[float]:
        """Return what the game came to for each player: 1, -1, or 0 for a draw and until then."""
        outcome = self.node.outcome
        return [0.0 if outcome is None else float(outcome.value(seat)) for seat in SEATS]

    def __str__(self) -> str:
        node = self.node
        return format_half_turn(node) if isinstance(node, HalfTurn) else format_state(node)


@final
class PonteObserver:
    """What looks at states for a player, in the manner of ``open_spiel.python.observation``.

    Attributes:
        tensor: All numbers in one row, float32; ``None`` if there are none.
        dict: Parts of it in their shapes: ``observation``, the planes; and, for one who recalls
            all, ``history``: for each action its code plus 1, then zeros.
    """

    def __init__(self, rules: Rules, *, shows: bool, recalls: bool) -> None:
        board = rules.board
        shape = (len(PLANES), board.height, board.width)
        planes_size = int(np.prod(shape)) if shows else 0
        length = rules.most_steps if shows and recalls else 0
        self._shows, self._recalls = shows, recalls
        numbers = np.zeros(planes_size + length, np.float32)
        self.tensor: npt.NDArray[np.float32] | None = numbers if shows else None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if shows:
            self.dict["observation"] = numbers[:planes_size].reshape(shape)
        if length:
            self.dict["history"] = numbers[planes_size:]

    def set_from(self, state: PonteState, player: int) -> None:
        """Look at a state."""
        if self._shows:
            self.dict["observation"][:] = planes(state.node, side_of(state.node, SEATS[player]))
        if "history" in self.dict:
            history = state.history()
            self.dict["history"][:] = 0
            self.dict["history"][: len(history)] = np.add(history, 1)

    def string_from(self, state: PonteState, player: int) -> str:
        """Return what a player knows as a text: the board, or all that was done."""
        del player  # both know the same
        if not self._shows:
            return ""
        return state.history_str() if self._recalls else str(state)
