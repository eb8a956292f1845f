"""The game for OpenSpiel: the import registers ``python_pontedeldiavolo``.

Needs OpenSpiel, which the extra ``openspiel`` installs.

.. doctest::
    :skipif: find_spec("pyspiel") is None

    >>> import pyspiel
    >>> from pontedeldiavolo.adapters import openspiel
    >>> game = pyspiel.load_game("python_pontedeldiavolo(width=6,height=6)")
    >>> game.new_initial_state().current_player()
    0

The parameters are the complete rules: ``width`` and ``height``; ``tiles`` (of each colour) and
``bridges``, each -1 for no limit; ``tiebreaks``, joined by hyphens as in ``islands-bridges``, or
``none``. :func:`game_string` writes them for any rules.

Player 0 has the first seat, player 1 the second. Actions are codes of
:class:`~pontedeldiavolo.StepSpace`: a tile is an action, so a turn of two tiles takes two actions.
:func:`pontedeldiavolo.format_action` formats their strings, and :func:`pontedeldiavolo.parse_node`
reads ``str(state)``. The observation tensor has the planes of :func:`pontedeldiavolo.batch.planes`
from the side of the player's colour; the information state tensor has these and the history: for
each action its code plus 1, then zeros.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, SupportsIndex, TypeAlias, final

from pontedeldiavolo.base.lazy import needing

with needing(__name__, "OpenSpiel", "openspiel"):
    import pyspiel

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Seat, Tiebreak
from pontedeldiavolo.base.errors import InvalidRulesError, PonteError, require_type
from pontedeldiavolo.batch import GameBatch
from pontedeldiavolo.batch.arguments import random_seed
from pontedeldiavolo.batch.feature_planes import PLANES, planes
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

from .seats import at_least_one, side_of

__all__ = ["PlayoutEvaluator", "game_string"]


def __dir__() -> list[str]:
    return __all__


NAME: Final = "python_pontedeldiavolo"
UNLIMITED: Final = -1
NO_TIEBREAKS: Final = "none"
MAX_NUMBER: Final = 2**31 - 1
"""The maximum integer that OpenSpiel reads."""

Parameters: TypeAlias = Mapping[str, int | str]


def parameters_of(rules: Rules) -> dict[str, int | str]:
    """Return the parameters of rules.

    Raises:
        PonteError: If a supply is too large for OpenSpiel.
    """
    tiles = UNLIMITED if rules.tiles_per_color is None else rules.tiles_per_color
    bridges = UNLIMITED if rules.bridges is None else rules.bridges
    largest = max(tiles, bridges)
    if largest > MAX_NUMBER:
        raise PonteError(f"OpenSpiel has no numbers above {MAX_NUMBER:,}: {largest:,}")
    return {
        "width": rules.board.width,
        "height": rules.board.height,
        "tiles": tiles,
        "bridges": bridges,
        "tiebreaks": "-".join(each.value for each in rules.tiebreaks) or NO_TIEBREAKS,
    }


def rules_of(parameters: Parameters) -> Rules:
    """Return the rules that parameters describe; missing ones have their defaults.

    Raises:
        InvalidRulesError: If they are invalid.
    """
    given = {**DEFAULTS, **parameters}
    board = Board(int(given["width"]), int(given["height"]))
    tiles = int(given["tiles"])
    bridges = int(given["bridges"])
    text = str(given["tiebreaks"])
    try:
        tiebreaks = () if text == NO_TIEBREAKS else tuple(map(Tiebreak, text.split("-")))
    except ValueError:
        names = "-".join(each.value for each in Tiebreak)
        problem = f"tiebreaks are as in {names}, or none, not {text}"
        raise InvalidRulesError(problem) from None
    return Rules(
        board,
        None if tiles == UNLIMITED else tiles,
        None if bridges == UNLIMITED else bridges,
        tiebreaks,
    )


DEFAULTS: Final = parameters_of(Rules())
"""The parameters of rules with unlimited supply on 10×10."""


def game_string(rules: Rules | None = None) -> str:
    """Return the text for ``pyspiel.load_game``, for any rules.

    .. doctest::
        :skipif: find_spec("pyspiel") is None

        >>> pdd.adapters.openspiel.game_string(pdd.Rules(pdd.Board(6, 6), bridges=15))
        'python_pontedeldiavolo(width=6,height=6,tiles=-1,bridges=15,tiebreaks=islands-bridges)'

    Raises:
        PonteError: If a supply is too large for OpenSpiel.
    """
    rules = Rules() if rules is None else rules
    require_type(rules, Rules, "rules")
    parameters = ",".join(f"{name}={value}" for name, value in parameters_of(rules).items())
    return f"{NAME}({parameters})"


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
    """Return the action space of a board."""
    return StepSpace(board)


@final
class PonteGame(pyspiel.Game):
    """The game with the rules in its parameters.

    Raises:
        InvalidRulesError: If the parameters are invalid.
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
            max_game_length=self.rules.max_steps,
        )
        super().__init__(GAME_TYPE, info, parameters or {})

    def new_initial_state(self) -> PonteState:
        """Return the initial state."""
        return PonteState(self, GameState.initial(self.rules))

    def make_py_observer(
        self,
        iig_obs_type: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> PonteObserver:
        """Return an observer, with or without perfect recall.

        Raises:
            PonteError: If there are parameters.
        """
        if params:
            raise PonteError(f"observers have no parameters: {', '.join(params)}")
        # All information is public: an observer of private information sees nothing.
        shows = iig_obs_type is None or iig_obs_type.public_info
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return PonteObserver(self.rules, shows=shows, recalls=recalls)


@final
class PonteState(pyspiel.State):
    """A state of OpenSpiel.

    Attributes:
        node: The state or half turn. It is the only attribute, so copies are cheap.
    """

    def __init__(self, game: PonteGame, node: GameState | HalfTurn) -> None:
        super().__init__(game)
        self.node: GameState | HalfTurn = node

    def current_player(self) -> int:
        """Return the player to act, or ``TERMINAL`` if the game is over."""
        seat = self.node.seat_to_move
        return pyspiel.PlayerId.TERMINAL if seat is None else seat.index

    def _legal_actions(self, _player: int) -> list[int]:
        mask = space_of(self.node.rules.board).legal_mask(self.node)
        return np.flatnonzero(np.frombuffer(mask, np.uint8)).tolist()

    def _apply_action(self, action: int) -> None:
        self.node = self.node.step(space_of(self.node.rules.board).decode(action))

    def _action_to_string(self, _player: int, action: int) -> str:
        return format_action(space_of(self.node.rules.board).decode(action))

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.is_over

    def returns(self) -> list[float]:
        """Return the result for each player: 1, -1, or 0 for a draw and before the end."""
        outcome = self.node.outcome
        return [0.0 if outcome is None else float(outcome.value(seat)) for seat in SEATS]

    def __str__(self) -> str:
        return format_state(self.node)


@final
class PonteObserver:
    """An observer as in ``open_spiel.python.observation``.

    Attributes:
        tensor: All numbers in one dimension, float32; ``None`` if there are none.
        dict: Views of the tensor: ``observation``, the planes; and with perfect recall ``history``,
            for each action its code plus 1, then zeros.
    """

    def __init__(self, rules: Rules, *, shows: bool, recalls: bool) -> None:
        board = rules.board
        shape = (len(PLANES), board.height, board.width)
        planes_size = int(np.prod(shape)) if shows else 0
        length = rules.max_steps if shows and recalls else 0
        self._shows = shows
        self._recalls = recalls
        numbers = np.zeros(planes_size + length, np.float32)
        self.tensor: npt.NDArray[np.float32] | None = numbers if shows else None
        self.dict: dict[str, npt.NDArray[np.float32]] = {}
        if shows:
            self.dict["observation"] = numbers[:planes_size].reshape(shape)
        if length:
            self.dict["history"] = numbers[planes_size:]

    def set_from(self, state: PonteState, player: int) -> None:
        """Observe a state."""
        if self._shows:
            self.dict["observation"][:] = planes(state.node, side_of(state.node, SEATS[player]))
        if "history" in self.dict:
            history = state.history()
            self.dict["history"][:] = 0
            self.dict["history"][: len(history)] = np.add(history, 1)

    def string_from(self, state: PonteState, player: int) -> str:
        """Return the observation as a string: the board, or the history."""
        del player  # both players have the same information
        if not self._shows:
            return ""
        return state.history_str() if self._recalls else str(state)


@final
class PlayoutEvaluator:
    """An evaluator for ``open_spiel.python.algorithms.mcts.MCTSBot``: compiled playouts.

    OpenSpiel's ``RandomRolloutEvaluator`` plays in Python, one action after another; this class
    plays a batch of games. It also needs the extra ``batch``. Any number of threads may use an
    evaluator; the values then depend on the order of their calls.

    .. doctest::
        :skipif: find_spec("pyspiel") is None

        >>> import pyspiel
        >>> game = pyspiel.load_game("python_pontedeldiavolo(width=4,height=4)")
        >>> evaluator = pdd.adapters.openspiel.PlayoutEvaluator(playouts=100, seed=1)
        >>> evaluator.evaluate(game.new_initial_state()).shape
        (2,)

    Args:
        playouts: The number of playouts from each state.
        seed: The seed of the random numbers: equal seeds, equal values.

    Raises:
        PonteError: If a number is out of range.
    """

    def __init__(self, playouts: SupportsIndex = 16, seed: SupportsIndex = 0) -> None:
        self._playouts = at_least_one(playouts, "playouts")
        self._rng = np.random.default_rng(int(random_seed(seed)))

    def evaluate(self, state: PonteState) -> npt.NDArray[np.float64]:
        """Return the mean reward of each player, of shape (2,)."""
        require_type(state, PonteState, "state")
        games = GameBatch.from_states([state.node]).repeat(self._playouts)
        played = games.playout(seed=int(self._rng.integers(2**63)))
        values: npt.NDArray[np.float64] = played.rewards.mean(axis=0)
        return values

    def prior(self, state: PonteState) -> list[tuple[int, float]]:
        """Return each legal action with the same probability."""
        require_type(state, PonteState, "state")
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


pyspiel.register_game(GAME_TYPE, PonteGame)
