"""Many games at once, both seats played by the caller."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Final, Literal, SupportsIndex, TypedDict, cast, final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from pontedeldiavolo.adapters.shared.screen import ANSI, PIXELS, Picture, Screen
from pontedeldiavolo.adapters.shared.spaces import action_space, observation_space
from pontedeldiavolo.adapters.shared.table import Observation
from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch import GamePool
from pontedeldiavolo.rules.rules import Rules

Infos = dict[str, npt.NDArray[np.generic]]
"""Arrays with a row for each game."""

NOBODY: Final = -1
RESET_MASK: Final = "reset_mask"
"""The option of a reset that says which games to begin anew."""


class PoolSettings(TypedDict):
    """How a pool is made."""

    seed: int
    threads: SupportsIndex
    restart: bool
    planes: bool


@final
class PonteVectorEnv(VectorEnv):
    """Many games at once, in a :class:`~pontedeldiavolo.batch.GamePool`: for self-play.

    The caller plays both seats of every game. Actions are codes of
    :class:`~pontedeldiavolo.StepSpace`, of shape (n,); all must be legal. Observations are a
    dictionary: ``observation`` are planes, uint8, of shape (n, len(PLANES), height, width), from
    the side of the colour to move, of white where nobody moves; ``action_mask`` is int8, of shape
    (n, number of codes), 1 for each legal action.

    A reward is that of the seat that has just acted: 1 if it has won by that, -1 if it has lost, 0
    for a draw and as long as a game goes on. The other seat's is the opposite, so a learner that
    looks ahead changes the sign wherever the seat changes, which is not after every step:
    ``infos["seat"]`` says who has acted and ``infos["seat_to_move"]`` who is to act, as 0 or 1, -1
    for nobody; ``infos["rewards"]``, of shape (n, 2), has the rewards of both seats. The masks are
    in ``infos["action_mask"]``, too.

    Games that are over begin anew as Gymnasium's modes say:

    - ``NEXT_STEP``: with the next step, whatever the action; its reward is 0.
    - ``SAME_STEP``: in the same step. ``infos["final_obs"]`` has the ends, as white sees them, and
      ``None`` where a game goes on; ``infos["_final_obs"]`` says where they are.
    - ``DISABLED``: by ``reset(options={"reset_mask": mask})``; to step before is an error.

    Args:
        num_envs: How many games there are.
        rules: The rules of all games, by default those without limits on 10×10.
        autoreset_mode: When a game that is over begins anew.
        copy: Whether observations are in arrays of their own, as in Gymnasium's own environments.
            Without, they are the same arrays all the time, which every step overwrites: somewhat
            faster, and to be used before the next step.
        threads: Over how many threads to share the games, at most.
        render_mode: ``ansi`` for lines of characters; ``rgb_array`` for pixels, which needs the
            extra ``png``.
        render_size: The pixels of the longer side, by default 864 for a board of 10×10.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If its value is none of those.
        ImportError: If the extra ``batch`` is not installed; or ``png``, and pixels are wanted.
    """

    __module__ = "pontedeldiavolo.adapters.gymnasium"
    metadata: dict[str, object] = {  # noqa: RUF012  # each environment has its own mode
        "render_modes": [ANSI, PIXELS],
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
        require_type(copy, bool, "copy")
        if render_mode not in (ANSI, PIXELS, None):
            raise PonteError(f"render_mode must be {ANSI} or {PIXELS}, not {render_mode}")
        self.num_envs: int = whole_number(num_envs, "num_envs")
        if self.num_envs < 1:
            raise PonteError(f"num_envs must be 1 or more, not {self.num_envs}")
        self._mode = _mode(autoreset_mode)
        self._copy, self._threads = copy, threads
        self._screen = Screen(render_mode, render_size)
        self.render_mode: str | None = render_mode
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self._pool = GamePool(rules, self.num_envs, **self._settings())
        self._over = np.empty(0, np.intp)
        self._never = np.zeros(self.num_envs, np.bool_)
        always = ~self._never
        always.flags.writeable = False
        self._marks: Infos = dict.fromkeys(
            ("_action_mask", "_seat", "_seat_to_move", "_rewards"), always
        )
        board = self.rules.board
        self.single_observation_space: spaces.Space[Observation] = observation_space(board)
        self.single_action_space: spaces.Space[np.int64] = action_space(board)
        self.observation_space: spaces.Space[Observation] = batch_space(
            self.single_observation_space, self.num_envs
        )
        self.action_space: spaces.Space[npt.NDArray[np.int64]] = batch_space(
            self.single_action_space, self.num_envs
        )

    def _settings(self) -> PoolSettings:
        """Return how a pool is made, with draws that follow from the environment's dice."""
        return {
            "seed": int(self.np_random.integers(2**63)),
            "threads": self._threads,
            "restart": self._mode is AutoresetMode.SAME_STEP,
            "planes": True,
        }

    # What there is

    @property
    def rules(self) -> Rules:
        """The rules of all games."""
        return self._pool.rules

    @property
    def pool(self) -> GamePool:
        """The games; to be stepped by :meth:`step` only."""
        return self._pool

    # What is done

    def sample(self, weights: npt.ArrayLike | None = None) -> npt.NDArray[np.int32]:
        """Draw a legal action for every game, all alike or by weights: ``GamePool.sample``.

        Where the game is over it is -1, for which :meth:`step` does not care.

        Raises:
            TypeError: If *weights* are not real numbers.
            PonteError: If they are of another shape.
            RowError: If a game's weights cannot be used.
        """
        return self._pool.sample(weights)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observation, Infos]:
        """Begin all games anew, or some of them.

        Args:
            seed: Where the draws of :meth:`sample` begin, if it is given. Nothing else is left to
                chance.
            options: ``reset_mask``, bool of shape (n,), says which games to begin anew; all else is
                left alone.

        Raises:
            TypeError: If the mask is no array of bool.
            PonteError: If it is of another shape.
        """
        require_type(options, (Mapping, NoneType), "options")
        mask = None if options is None else options.get(RESET_MASK)
        rows = np.ones(self.num_envs, np.bool_) if mask is None else self._rows(mask)
        super().reset(seed=seed)
        if seed is not None:
            self._pool = GamePool.from_games(self._pool.games, **self._settings())
        elif self._copy:
            self._pool._move()
        self._pool.restart(rows)
        self._over = self._over[~rows[self._over]]
        seen = self._seen()
        return seen, self._infos(seen, np.full(self.num_envs, NOBODY, np.int8))

    def _rows(self, mask: object) -> npt.NDArray[np.bool_]:
        """Return which games to begin anew."""
        require_type(mask, np.ndarray, RESET_MASK)
        found = cast(npt.NDArray[np.bool_], mask)
        if found.dtype != np.bool_:
            raise TypeError(f"{RESET_MASK} must be an array of bool, not {found.dtype}")
        if found.shape != (self.num_envs,):
            raise PonteError(f"{RESET_MASK} must have shape {(self.num_envs,)}, not {found.shape}")
        return found

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos
    ]:
        """Play an action in every game.

        Raises:
            TypeError: If the actions are not whole numbers.
            PonteError: If they are not of shape (n,).
            RowError: If one is no code of the action space; it has the first such row.
            IllegalActionError: If one is illegal; it has the first such row. Whenever an error is
                raised, nothing has changed.
            ResetNeeded: If a game is over, and the mode ``DISABLED``.
        """
        pool, over = self._pool, self._over
        if over.size and self._mode is AutoresetMode.DISABLED:
            raise ResetNeeded(f"games are over: {over.tolist()}")
        seats = pool.seat_to_move.copy()
        if self._copy:
            pool._step_elsewhere(actions)
        else:
            pool.step(actions)
        ended = pool.is_over.copy()
        rows = ended.nonzero()[0]
        rewards = np.zeros(self.num_envs)
        if rows.size:
            rewards[rows] = pool.rewards[rows, seats[rows]]
        if self._mode is not AutoresetMode.SAME_STEP:
            if over.size:
                pool._restart(over)
            self._over = rows
        seen = self._seen()
        infos = self._infos(seen, seats)
        if self._mode is AutoresetMode.SAME_STEP and rows.size:
            infos |= {"final_obs": self._ends(rows), "_final_obs": ended.copy()}
        return seen, rewards, ended, self._never.copy(), infos

    def _seen(self) -> Observation:
        """Return what there is to see."""
        return {"observation": self._pool.planes, "action_mask": self._pool.mask.view(np.int8)}

    def _infos(self, seen: Observation, seats: npt.NDArray[np.int8]) -> Infos:
        infos: Infos = {
            "action_mask": seen["action_mask"],
            "seat": seats,
            "seat_to_move": self._pool.seat_to_move.copy(),
            "rewards": self._pool.rewards.copy(),
        }
        # Gymnasium's way to say which games have such a part: all.
        return infos | self._marks

    def _ends(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.object_]:
        """Return the last observations of games that have begun anew since."""
        found = np.full(self.num_envs, None, np.object_)
        for row in rows:
            mask = np.zeros(len(self._pool.space), np.int8)
            found[row] = {
                "observation": self._pool.final_planes[row].copy(),
                "action_mask": mask,
            }
        return found

    # What frames are made of is left open by Gymnasium.
    def render(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
    ) -> tuple[Picture, ...] | None:
        """Return a picture of every game, ``None`` without a ``render_mode``."""
        if self._screen.is_dark():
            return None
        return tuple(self._screen.draw(node, None) for node in self._pool.games)


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return a mode.

    Raises:
        TypeError: If it is neither a mode nor a text.
        PonteError: If there is no mode of that name.
    """
    require_type(mode, (AutoresetMode, str), "autoreset_mode")
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(each.value for each in AutoresetMode)
        raise PonteError(f"autoreset_mode must be one of {names}, not {mode}") from None
