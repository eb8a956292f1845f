"""An environment for PettingZoo: two agents that act in turns.

Needs PettingZoo, which the extra ``pettingzoo`` installs.

>>> from pontedeldiavolo.adapters import pettingzoo
>>> environment = pettingzoo.env(pdd.Rules(pdd.Board(4, 4)))
>>> environment.reset()
>>> for agent in environment.agent_iter():
...     observation, reward, terminated, truncated, info = environment.last()
...     space, is_over = environment.action_space(agent), terminated or truncated
...     environment.step(None if is_over else space.sample(info["action_mask"]))
...
>>> environment.agents
[]

An agent places its tiles one by one, so it acts twice in a turn with two tiles. Turns do not always
alternate, either: the colour choice is an example. ``agent_selection`` is the agent to act.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, SupportsIndex, cast, final, get_args

from pontedeldiavolo.base.lazy import needing

with needing(__name__, "PettingZoo", "pettingzoo"):
    from pettingzoo import AECEnv

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils import wrappers

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError, require_choice, require_items, require_sequence
from pontedeldiavolo.base.exclusive import exclusive
from pontedeldiavolo.batch.feature_planes import planes
from pontedeldiavolo.rules.rules import Rules

from . import rendering
from .rendering import Array, Form, Mask, Observation, OnIllegal, PlayedGame, Space
from .seats import at_least_one

__all__ = ["env", "raw_env"]


def __dir__() -> list[str]:
    return __all__


AGENTS: Final = tuple(seat.value for seat in Seat)


def env(  # noqa: D417 - most arguments are those of raw_env
    rules: Rules | None = None,
    *,
    on_illegal: OnIllegal = "raise",
    max_cycles: SupportsIndex | None = None,
    agents: Sequence[str] = AGENTS,
    observation: Form = "planes",
    dtype: npt.DTypeLike = np.uint8,
    mask: Mask = "observation",
    render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
    render_size: SupportsIndex | None = None,
) -> AECEnv:
    """Return a :class:`raw_env` in PettingZoo's usual wrappers, which enforce the order of calls.

    >>> environment = pdd.adapters.pettingzoo.env(pdd.Rules(pdd.Board(6, 6)))
    >>> environment.reset()
    >>> environment.agent_selection
    'first'

    Args:
        on_illegal: With ``raise`` an illegal action is an error that names the rules it breaks.
            With ``lose`` PettingZoo's wrappers end the game with a reward of -1 for the agent and 0
            for the other, and refuse actions outside the action space with an ``AssertionError``.

    Raises:
        PonteError: If the value of an argument is not allowed.
        ImportError: For ``rgb_array`` without the extra ``png``.
    """
    inner = raw_env(
        rules,
        max_cycles=max_cycles,
        agents=agents,
        observation=observation,
        dtype=dtype,
        mask=mask,
        render_mode=render_mode,
        render_size=render_size,
    )
    return _wrapped(inner, on_illegal)


def _wrapped(found: AECEnv, on_illegal: OnIllegal) -> AECEnv:
    require_choice(on_illegal, get_args(OnIllegal), "on_illegal")
    if on_illegal == "lose":
        found = wrappers.TerminateIllegalWrapper(found, illegal_reward=-1)
        found = wrappers.AssertOutOfBoundsWrapper(found)
    wrapped: AECEnv = wrappers.OrderEnforcingWrapper(found)
    return wrapped


@final
class raw_env(PlayedGame, AECEnv):  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers. An illegal action raises an error and changes nothing.

    >>> environment = pdd.adapters.pettingzoo.raw_env(pdd.Rules(pdd.Board(6, 6)))
    >>> environment.step(0)
    >>> environment.agent_selection, environment.observe("first")["observation"].shape
    ('first', (27, 6, 6))

    Agents are ``first`` and ``second``, unless other names are given. An action is a code of
    :class:`~pontedeldiavolo.StepSpace`. By default an observation is a dictionary: ``observation``
    contains the planes of :func:`pontedeldiavolo.batch.planes`, uint8, from the side of the agent's
    colour; in the opening ``first`` sees white's side and ``second`` red's, in the colour choice
    both see white's. ``action_mask`` is int8, 1 for each legal action, all 0 for an agent that is
    not to act. The ``info`` of each agent has its mask as well. The rewards of both agents come at
    the end: 1 for the winner, -1 for the loser, 0 for a draw.

    Nothing is random: a seed has no effect. ``reset(options={"start": state})`` starts at a state
    or half turn with the same rules. Environments can be copied and pickled during a game.

    Only one thread at a time may use an environment: :meth:`reset` or :meth:`step` during such a
    call of another thread raises a :class:`~pontedeldiavolo.PonteError` and changes nothing.

    Args:
        rules: The rules of the game, by default a 10×10 board with unlimited supply.
        max_cycles: The number of cycles, each of two actions, after which a game is truncated.
            ``None`` for never: no game is longer than ``rules.max_steps`` actions.
        agents: Other names for the agents with the first and the second seat.
        observation: As for :class:`~pontedeldiavolo.adapters.gymnasium.PonteEnv`; so are the next
            two.
        dtype: The type of the numbers in observations.
        mask: The place of the mask.
        render_mode: ``ansi`` for lines of characters; ``rgb_array`` for pixels, which needs the
            extra ``png``; ``human`` to write each board to the terminal.
        render_size: The length of the longer side in pixels, by default 864 for a board of 10×10.

    Raises:
        PonteError: If the value of an argument is not allowed.
        ImportError: For ``rgb_array`` without the extra ``png``.
    """

    metadata: dict[str, object] = {  # noqa: RUF012  # as PettingZoo has it
        "name": "pontedeldiavolo_v0",
        "render_modes": [*rendering.MODES],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        max_cycles: SupportsIndex | None = None,
        agents: Sequence[str] = AGENTS,
        observation: Form = "planes",
        dtype: npt.DTypeLike = np.uint8,
        mask: Mask = "observation",
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        render_size: SupportsIndex | None = None,
    ) -> None:
        super().__init__(rules, observation, dtype, mask, render_mode, render_size)
        max_rounds = None if max_cycles is None else at_least_one(max_cycles, "max_cycles")
        self._max_steps = max_rounds and max_rounds * len(AGENTS)
        require_sequence(agents, "str", "agents")
        require_items(agents, str, "agents")
        self.possible_agents: list[str] = [*agents]
        if not len({*agents}) == len(agents) == len(AGENTS):
            names = ", ".join(agents)
            raise PonteError(f"agents must be two different names, not {names}")
        self._seats = dict(zip(agents, Seat, strict=True))
        self.observation_spaces: dict[str, Space] = dict.fromkeys(agents, self._space)
        own = {agent: rendering.action_space(self.rules.board) for agent in agents}
        self.action_spaces: dict[str, spaces.Space[np.int64]] = own
        self.state_space: spaces.Box = rendering.planes_space(self.rules)
        self._start()

    def observation_space(self, agent: str) -> Space:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[np.int64]:
        """Return the space of an agent's actions, legal or not."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation | Array:
        """Return the observation of an agent, whether it is to act or not.

        Raises:
            PonteError: If there is no such agent.
        """
        if agent not in self._seats:
            names = " and ".join(self._seats)
            raise PonteError(f"agents are {names}, not {agent}")
        return self._seen(self._seats[agent])

    def state(self) -> npt.NDArray[np.uint8]:
        """Return the planes from the side of the colour to move, or of white if there is none."""
        return planes(self.node)

    @exclusive
    def reset(
        self,
        seed: int | None = None,  # noqa: ARG002  # nothing is random
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Start a game.

        Args:
            seed: Has no effect.
            options: ``start`` is the state or half turn to start at; others are ignored.

        Raises:
            PonteError: If the start has other rules, or its game is over.
        """
        self._restart(options)
        self._start()
        self._show()

    def _start(self) -> None:
        """Set the attributes that PettingZoo requires to those of a new game."""
        self._steps = 0
        self.agents: list[str] = [*self._seats]
        self.rewards: dict[str, float] = dict.fromkeys(self._seats, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self._seats, 0)
        self.terminations: dict[str, bool] = dict.fromkeys(self._seats, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self._seats, False)
        self._skip_agent_selection: str | None = None
        self._select()

    @exclusive
    def step(self, action: SupportsIndex | None) -> None:
        """Play an action of the agent to act; pass ``None`` once it is terminated or truncated.

        Raises:
            PonteError: If the action is not a code of the action space, or the game is over for
                both agents.
            IllegalActionError: If it is not legal, with every rule that it breaks. After an error,
                the game is unchanged.
            ValueError: If the action is not ``None`` and the game is over for the agent.
        """
        if not self.agents:
            raise PonteError("the game is over: reset() begins another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._play(cast(SupportsIndex, action))  # None is refused
        self._steps += 1
        outcome = self.node.outcome
        if outcome is not None:
            self.rewards = {agent: outcome.value(seat) for agent, seat in self._seats.items()}
            self.terminations = dict.fromkeys(self._seats, True)
            self._accumulate_rewards()
        elif self._steps == self._max_steps:
            self.truncations = dict.fromkeys(self._seats, True)
        self._select()
        self._show()

    def _select(self) -> None:
        """Set the agent to act, and the masks."""
        # At the end the agents leave one after the other, beginning with the one that did not act.
        acting = self.node.seat_to_move or self._seats[self.agent_selection].opponent
        self.agent_selection: str = self.possible_agents[acting.index]
        self.infos: dict[str, dict[str, npt.NDArray[np.int8]]] = {
            agent: {"action_mask": self._mask(seat)} for agent, seat in self._seats.items()
        }

    def close(self) -> None:
        """Do nothing: no resource is open."""
