"""Environments for Gymnasium: one seat against an opponent, and vectors of games.

Needs Gymnasium, which the extra ``gymnasium`` installs.

>>> from pontedeldiavolo.adapters import gymnasium
>>> environment = gymnasium.PonteEnv(pdd.Rules(pdd.Board(6, 6)))
>>> observation, info = environment.reset(seed=1)
>>> observation["observation"].shape
(27, 6, 6)

The import also registers ``PonteDelDiavolo-v0`` for ``gymnasium.make`` and ``make_vec``:
``gymnasium.make("pontedeldiavolo.adapters.gymnasium:PonteDelDiavolo-v0")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import NoneType
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, cast, final, get_args

from pontedeldiavolo.base.lazy import needing

with needing(__name__, "Gymnasium", "gymnasium"):
    import gymnasium

import numpy as np
import numpy.typing as npt
from gymnasium import Env, spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError, require_choice, require_type
from pontedeldiavolo.base.exclusive import Calls, exclusive
from pontedeldiavolo.batch import GameBatch, GamePool
from pontedeldiavolo.batch.game_pool import Array as PoolArray
from pontedeldiavolo.players import Player, RandomPlayer
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn

from . import rendering
from .rendering import Array, Form, Mask, Observation, OnIllegal, Picture, PlayedGame, Space
from .seats import at_least_one

__all__ = ["PonteEnv", "PonteVectorEnv"]


def __dir__() -> list[str]:
    return __all__


Info: TypeAlias = dict[str, npt.NDArray[np.int8] | str]
"""``action_mask``, and after an illegal action ``illegal``: the text of the error."""


@final
class PonteEnv(PlayedGame, Env):
    """One seat of a game, against a player who has the other.

    >>> environment = pdd.adapters.gymnasium.PonteEnv(opponent=pdd.players.GreedyPlayer())
    >>> observation, info = environment.reset(seed=1)
    >>> action = info["action_mask"].argmax()
    >>> observation, reward, terminated, truncated, info = environment.step(action)
    >>> reward, terminated
    (0.0, False)

    An action is a code of :class:`~pontedeldiavolo.StepSpace`: tiles are placed one by one. An
    observation is a dictionary: ``observation`` contains the planes of
    :func:`pontedeldiavolo.batch.planes`, uint8, from the side of the seat's colour;
    ``action_mask`` is int8, 1 for each legal action. ``info`` has the mask as well, and
    :meth:`action_masks` returns it as bool. The reward comes at
    the end: 1 for a win, -1 for a loss, 0 for a draw. Games are never truncated: none has more than
    ``rules.max_steps`` steps.

    The opponent's ``for_game`` gets a seed from the environment's random numbers for each game:
    equal seeds and actions give equal games. ``reset(options={"start": state})`` starts at a state
    or half turn with the same rules. Environments can be copied and pickled during a game if the
    opponent can.

    Only one thread at a time may use an environment: :meth:`reset` or :meth:`step` during such a
    call of another thread, or called by the opponent, raises a :class:`~pontedeldiavolo.PonteError`
    and changes nothing.

    Args:
        rules: The rules of the game, by default a 10×10 board with unlimited supply.
        opponent: The :class:`~pontedeldiavolo.players.Player` with the other seat: by default a
            random one.
        seat: The seat of the agent; ``None`` for a random one in each game.
        on_illegal: The result of an illegal action. With ``lose`` the game ends with a reward of
            -1, and ``info["illegal"]`` gives the reason: Gymnasium requires that every action of
            the action space can be taken. With ``raise`` an error names the rules that the action
            breaks, and the game is unchanged.
        observation: ``planes`` for shape (planes, height, width), or ``flat`` for one dimension.
        dtype: The type of the numbers: uint8, a larger integer or a float.
        mask: With ``info``, observations have no mask: they are an array, in a ``Box`` space.
        render_mode: ``ansi`` for lines of characters; ``rgb_array`` for pixels, which needs the
            extra ``png``; ``human`` to write each board to the terminal.
        render_size: The length of the longer side in pixels, by default 864 for a board of 10×10.

    Raises:
        PonteError: If the value of an argument is not allowed.
        ImportError: For ``rgb_array`` without the extra ``png``.
    """

    metadata: dict[str, object] = {  # noqa: RUF012  # as Gymnasium has it
        "render_modes": [*rendering.MODES],
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        opponent: Player | None = None,
        seat: Seat | None = Seat.FIRST,
        on_illegal: OnIllegal = "lose",
        observation: Form = "planes",
        dtype: npt.DTypeLike = np.uint8,
        mask: Mask = "observation",
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        render_size: SupportsIndex | None = None,
    ) -> None:
        require_type(opponent, (Player, NoneType), "opponent")
        require_type(seat, (Seat, NoneType), "seat")
        require_choice(on_illegal, get_args(OnIllegal), "on_illegal")
        super().__init__(rules, observation, dtype, mask, render_mode, render_size)
        self._opponent: Player = RandomPlayer() if opponent is None else opponent
        self._wanted = seat
        self._on_illegal = on_illegal
        self._is_running = False
        self._seat: Seat = Seat.FIRST if seat is None else seat
        self.observation_space: Space = self._space
        self.action_space: spaces.Space[np.int64] = rendering.action_space(self.rules.board)

    @property
    def seat(self) -> Seat:
        """The seat of the agent in this game."""
        return self._seat

    @exclusive
    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observation | Array, Info]:
        """Start a game, and play it up to the agent's first turn.

        Args:
            seed: The seed of the environment's random numbers, if given.
            options: ``start`` is the state or half turn to start at; others are ignored.

        Raises:
            PonteError: If the start has other rules or is a half turn of the opponent, or the game
                is over before the agent has had a turn.
        """
        Env.reset(self, seed=seed)
        self._is_running = False
        self._restart(options)
        if self._wanted is None:
            self._seat = tuple(Seat)[self.np_random.integers(len(Seat))]
        if isinstance(self.node, HalfTurn) and self.node.seat_to_move is not self._seat:
            raise PonteError("start is half a turn of the opponent's")
        self._rival = self._opponent.for_game(int(self.np_random.integers(2**31)))
        self._let_opponent_play()
        if self.node.is_over:
            raise PonteError("the game is over before its seat has had a turn")
        self._is_running = True
        self._show()
        return self._seen(self._seat), self._info()

    @exclusive
    def step(self, action: SupportsIndex) -> tuple[Observation | Array, float, bool, bool, Info]:
        """Play an action, and the opponent's reply.

        Raises:
            ResetNeeded: If no game is in progress.
            PonteError: With ``raise``, if the action is not a code of the action space.
            IllegalActionError: With ``raise``, if the action is not legal. After an error, the
                game is unchanged.
        """
        if not self._is_running:
            raise ResetNeeded("no game is going on: reset() begins one")
        try:
            self._play(action)
        except PonteError as error:
            if self._on_illegal == "raise":
                raise
            self._is_running = False
            return self._seen(self._seat), -1.0, True, False, self._info(illegal=str(error))
        self._is_running = False  # while the opponent plays
        self._let_opponent_play()
        outcome = self.node.outcome
        self._is_running = outcome is None
        reward = 0.0 if outcome is None else float(outcome.value(self._seat))
        self._show()
        return self._seen(self._seat), reward, outcome is not None, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the mask of legal actions, as expected by MaskablePPO of sb3-contrib.

        Shape (number of codes,), bool.
        """
        return self._mask(self._seat).astype(np.bool_)

    def _let_opponent_play(self) -> None:
        """Play the other seat as long as it is to act."""
        while self.node.seat_to_move is self._seat.opponent:
            state = cast(GameState, self.node)
            action = self._rival.choose(state)
            self._set(state.apply(action), action)

    def _info(self, **more: str) -> Info:
        return {"action_mask": self._mask(self._seat), **more}


Infos: TypeAlias = dict[str, npt.NDArray[np.generic]]
"""Arrays with a row for each game."""

NOBODY: Final = -1
RESET_MASK: Final = "reset_mask"
"""The option of ``reset`` that selects the games to reset."""


@final
class PonteVectorEnv(VectorEnv):
    """A vector of games in a :class:`~pontedeldiavolo.batch.GamePool`, for self-play.

    >>> environments = pdd.adapters.gymnasium.PonteVectorEnv(64)
    >>> observations, infos = environments.reset(seed=1)
    >>> actions = environments.sample()
    >>> observations, rewards, terminated, truncated, infos = environments.step(actions)
    >>> observations["action_mask"].shape
    (64, 679)

    The caller plays both seats of every game. Actions are codes of
    :class:`~pontedeldiavolo.StepSpace`, of shape (n,); all must be legal. Observations are a
    dictionary: ``observation`` contains planes, uint8, of shape (n, len(PLANES), height, width),
    from the side of the colour to move, or of white if there is none; ``action_mask`` is int8, of
    shape (n, number of codes), 1 for each legal action.

    Rewards are for the seat that has just acted: 1 if the step wins, -1 if it loses, 0 for a draw
    and while a game goes on. The other seat has the opposite reward, so bootstrapped targets must
    change sign where the seat changes, which is not after every step: ``infos["seat"]`` is the seat
    that has acted and ``infos["seat_to_move"]`` the seat to act, as 0 or 1, -1 for none;
    ``infos["rewards"]``, of shape (n, 2), has the rewards of both seats, and
    ``infos["action_mask"]`` the masks.

    Finished games are reset according to Gymnasium's modes:

    - ``NEXT_STEP``: with the next step, which ignores the action; its reward is 0.
    - ``SAME_STEP``: in the same step. ``infos["final_obs"]`` has the final observations, from
      white's side, and ``None`` where a game goes on; ``infos["_final_obs"]`` marks those present.
    - ``DISABLED``: with ``reset(options={"reset_mask": mask})``; a step before that is an error.

    Only one thread at a time may use the environments: a call of a method during the call of
    another thread raises a :class:`~pontedeldiavolo.PonteError` and changes nothing.

    Args:
        num_envs: The number of games.
        rules: The rules of all games, by default a 10×10 board with unlimited supply.
        autoreset_mode: The time at which a game that is over is reset.
        copy: Whether each step returns new arrays, as Gymnasium's built-in environments do.
            Otherwise every step overwrites the same arrays, which is slightly faster.
        threads: The maximum number of threads for the games.
        render_mode: ``ansi`` for lines of characters; ``rgb_array`` for pixels, which needs the
            extra ``png``.
        render_size: The length of the longer side in pixels, by default 864 for a board of 10×10.

    Raises:
        PonteError: If the value of an argument is not allowed.
        ImportError: Without the extra ``batch``; for ``rgb_array``, without ``png``.
    """

    metadata: dict[str, object] = {  # noqa: RUF012  # each environment has its own mode
        "render_modes": [rendering.ANSI, rendering.PIXELS],
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: SupportsIndex = 1,
        rules: Rules | None = None,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: SupportsIndex = 1,
        render_mode: Literal["ansi", "rgb_array"] | None = None,
        render_size: SupportsIndex | None = None,
    ) -> None:
        self._calls = Calls()
        require_type(copy, bool, "copy")
        self.num_envs: int = at_least_one(num_envs, "num_envs")
        if not isinstance(autoreset_mode, AutoresetMode):
            names = tuple(mode.value for mode in AutoresetMode)
            require_choice(autoreset_mode, names, "autoreset_mode")
        self._mode = AutoresetMode(autoreset_mode)
        self._copy = copy
        self._threads = threads
        modes = rendering.ANSI, rendering.PIXELS
        self._renderer = rendering.Renderer(render_mode, render_size, modes)
        self.render_mode: str | None = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._pool = self._new_pool(GameBatch.initial(rules, self.num_envs))
        self._over = np.empty(0, np.intp)
        self._all_false = np.zeros(self.num_envs, np.bool_)
        self._all_true = ~self._all_false
        self._all_true.flags.writeable = False
        seen = rendering.observation_space(self.rules, rendering.planes_space(self.rules))
        acted = rendering.action_space(self.rules.board)
        self.single_observation_space: spaces.Space[Observation] = seen
        self.single_action_space: spaces.Space[np.int64] = acted
        batch: spaces.Space[npt.NDArray[np.int64]] = batch_space(acted, self.num_envs)
        self.observation_space: spaces.Space[Observation] = batch_space(seen, self.num_envs)
        self.action_space: spaces.Space[npt.NDArray[np.int64]] = batch

    def _new_pool(self, games: GameBatch) -> GamePool:
        """Return a pool of games, seeded with the environment's random numbers."""
        seed = self.np_random.integers(2**63)
        autoreset = self._mode is AutoresetMode.SAME_STEP
        return GamePool.from_games(
            games, seed=seed, threads=self._threads, autoreset=autoreset, planes=True
        )

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self._pool.rules

    @property
    def pool(self) -> GamePool:
        """The games; to play steps, call only :meth:`step` of the environment."""
        return self._pool

    @exclusive
    def sample(self, weights: npt.ArrayLike | None = None) -> npt.NDArray[np.int32]:
        """Return a random legal action for every game, using ``GamePool.sample_steps``.

        The action is -1 where the game is over; :meth:`step` ignores it there.

        Raises:
            PonteError: If the weights have another shape.
            RowError: If a game's weights are invalid.
        """
        return self._pool.sample_steps(weights)

    @exclusive
    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observation, Infos]:
        """Reset all games, or some of them.

        Args:
            seed: The seed of :meth:`sample`, if given. Nothing else is random.
            options: ``reset_mask``, bool of shape (n,), selects the games to reset; other options
                are ignored.

        Raises:
            PonteError: If the mask has another shape.
        """
        require_type(options, (Mapping, NoneType), "options")
        rows = self._rows((options or {}).get(RESET_MASK))
        super().reset(seed=seed)
        if seed is not None:
            self._pool = self._new_pool(self._pool.games)
        with self._new_arrays(np.copy):
            self._pool.reset(rows)
        self._over = self._over[~rows[self._over]]
        observations = self._observations()
        return observations, self._infos(observations, np.full(self.num_envs, NOBODY, np.int8))

    def _rows(self, mask: Any) -> npt.NDArray[np.bool_]:
        """Check and return the mask of games to reset; ``None`` selects all."""
        rows: npt.NDArray[np.bool_] = ~self._all_false if mask is None else mask
        require_type(rows, np.ndarray, RESET_MASK)
        if rows.dtype != np.bool_:
            raise TypeError(f"{RESET_MASK} must be an array of bool, not {rows.dtype}")
        if rows.shape != (self.num_envs,):
            expected = (self.num_envs,)
            raise PonteError(f"{RESET_MASK} must have shape {expected}, not {rows.shape}")
        return rows

    @exclusive
    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos
    ]:
        """Play an action in every game.

        Raises:
            PonteError: If the actions are not of shape (n,).
            RowError: If an action is not a code of the action space; the error names the first such
                row.
            IllegalActionError: If an action is illegal; the error names the first such row. After
                an error, all games are unchanged.
            ResetNeeded: If a game is over in the mode ``DISABLED``.
        """
        pool = self._pool
        over = self._over
        if over.size and self._mode is AutoresetMode.DISABLED:
            raise ResetNeeded(f"games are over: {over.tolist()}")
        seats = pool.seat_to_move.copy()
        with self._new_arrays(np.empty_like):
            pool.step(actions)
        ended = pool.is_over.copy()
        rows = ended.nonzero()[0]
        rewards = np.zeros(self.num_envs)
        if rows.size:
            rewards[rows] = pool.rewards[rows, seats[rows]]
        if self._mode is not AutoresetMode.SAME_STEP:
            if over.size:
                pool.reset(over)
            self._over = rows
        observations = self._observations()
        infos = self._infos(observations, seats)
        if self._mode is AutoresetMode.SAME_STEP and rows.size:
            infos |= {"final_obs": self._final_observations(rows), "_final_obs": ended.copy()}
        return observations, rewards, ended, self._all_false.copy(), infos

    @exclusive
    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the mask of legal actions of every game: shape (n, number of codes), bool."""
        return self._pool.legal_mask.astype(np.bool_)

    def _new_arrays(self, make: Callable[[PoolArray], PoolArray]) -> AbstractContextManager[None]:
        """Let the pool write masks and planes to new arrays, if ``copy`` is set."""
        return self._pool._new_arrays(make) if self._copy else nullcontext()

    def _observations(self) -> Observation:
        """Return the observations of all games."""
        planes = self._pool.planes
        mask = self._pool.legal_mask.view(np.int8)
        # New arrays belong to the caller, who may change them.
        planes.flags.writeable = self._copy
        mask.flags.writeable = self._copy
        return {"observation": planes, "action_mask": mask}

    def _infos(self, observations: Observation, seats: npt.NDArray[np.int8]) -> Infos:
        infos: Infos = {
            "action_mask": observations["action_mask"],
            "seat": seats,
            "seat_to_move": self._pool.seat_to_move.copy(),
            "rewards": self._pool.rewards.copy(),
        }
        # Gymnasium wants an array beside each entry that marks the games that have it: here all.
        return infos | dict.fromkeys((f"_{name}" for name in infos), self._all_true)

    def _final_observations(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.object_]:
        """Return the last observations of games that have ended in this step and were reset."""
        found = np.full(self.num_envs, None, np.object_)
        for row, seen in zip(rows, self._pool.final_planes, strict=True):
            mask = np.zeros(len(self._pool.space), np.int8)
            found[row] = {"observation": seen.copy(), "action_mask": mask}
        return found

    # Gymnasium leaves the type of frames open.
    @exclusive
    def render(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
    ) -> tuple[Picture, ...] | None:
        """Return a picture of every game, ``None`` without a ``render_mode``."""
        if self._renderer.is_off():
            return None
        return tuple(self._renderer.render(node, None) for node in self._pool.games)


_ID: Final = "PonteDelDiavolo-v0"

if _ID not in gymnasium.registry:
    gymnasium.register(
        _ID, entry_point=f"{__name__}:PonteEnv", vector_entry_point=f"{__name__}:PonteVectorEnv"
    )
