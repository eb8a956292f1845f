"""Two agents who act in turns."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Final, Literal, SupportsIndex, cast, final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils import wrappers

from pontedeldiavolo.adapters.pettingzoo.bases import AECEnv
from pontedeldiavolo.adapters.shared.illegal import (
    ILLEGAL_LOSES,
    ILLEGAL_RAISES,
    require_on_illegal,
)
from pontedeldiavolo.adapters.shared.screen import MODES, Picture, Screen
from pontedeldiavolo.adapters.shared.spaces import action_space, observation_space, planes_space
from pontedeldiavolo.adapters.shared.table import Observation, Table
from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch.node_planes import planes
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn

SEATS: Final = {seat.value: seat for seat in Seat}
"""The seats by the names of the agents who have them."""
AGENTS: Final = tuple(SEATS)


def env(
    rules: Rules | None = None,
    *,
    on_illegal: Literal["raise", "lose"] = ILLEGAL_RAISES,
    max_cycles: SupportsIndex | None = None,
    render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
    render_size: SupportsIndex | None = None,
) -> AECEnv:
    """Return an environment in PettingZoo's usual wrappers, which enforce the order of calls.

    Args:
        rules: The rules of the game, by default those without limits on 10×10.
        on_illegal: What becomes of an illegal action: with ``raise`` an error says which rules it
            breaks, and nothing has changed. With ``lose`` PettingZoo's own wrappers end the game
            with a reward of -1 for who did it and 0 for the other, and refuse what is not in the
            action space by an ``AssertionError``.
        max_cycles: As for :class:`raw_env`, like all that follows.
        render_mode: The same.
        render_size: The same.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If its value is none of those.
        ImportError: If pixels are wanted and the extra ``png`` is not installed.
    """
    require_on_illegal(on_illegal)
    found: AECEnv = raw_env(
        rules, max_cycles=max_cycles, render_mode=render_mode, render_size=render_size
    )
    if on_illegal == ILLEGAL_LOSES:
        found = wrappers.TerminateIllegalWrapper(found, illegal_reward=-1)
        found = wrappers.AssertOutOfBoundsWrapper(found)
    wrapped: AECEnv = wrappers.OrderEnforcingWrapper(found)
    return wrapped


@final
class raw_env(AECEnv):  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers. An illegal action is an error, and changes nothing.

    Agents are ``first`` and ``second``. An action is a code of :class:`~pontedeldiavolo.StepSpace`.
    An observation is a dictionary: ``observation`` are the planes of
    :func:`pontedeldiavolo.batch.planes`, uint8, seen from the side of the agent's own colour, in
    the opening of the colour that it would have, and during the colour choice of white;
    ``action_mask`` is int8, 1 for each legal action, all 0 for an agent that is not to act. The
    mask is in the ``info`` of each agent, too. The rewards of both agents come at the end: 1 for
    the winner, -1 for the loser, 0 for a draw.

    The game has no chance in it: a seed changes nothing. ``reset(options={"start": state})``
    begins at a state or half turn with the same rules. Environments can be copied and pickled in
    the midst of a game.

    Args:
        rules: The rules of the game, by default those without limits on 10×10.
        max_cycles: After how many cycles to truncate a game, each of two actions, whoever acts.
            ``None`` for never: no game is longer than ``rules.most_steps`` actions.
        render_mode: ``ansi`` for lines of characters; ``rgb_array`` for pixels, which needs the
            extra ``png``; ``human`` to write each board to the terminal.
        render_size: The pixels of the longer side, by default 864 for a board of 10×10.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If its value is none of those.
        ImportError: If pixels are wanted and the extra ``png`` is not installed.
    """

    __module__ = "pontedeldiavolo.adapters.pettingzoo"
    metadata: dict[str, object] = {  # noqa: RUF012  # as PettingZoo has it
        "name": "pontedeldiavolo_v0",
        "render_modes": [*MODES],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        max_cycles: SupportsIndex | None = None,
        render_mode: Literal["ansi", "rgb_array", "human"] | None = None,
        render_size: SupportsIndex | None = None,
    ) -> None:
        super().__init__()
        self._table = Table(rules)
        self._screen = Screen(render_mode, render_size)
        self._most = None if max_cycles is None else _cycles(max_cycles) * len(AGENTS)
        self.render_mode: str | None = render_mode
        board = self._table.rules.board
        self.possible_agents: list[str] = [*AGENTS]
        self.observation_spaces: dict[str, spaces.Space[Observation]] = {
            agent: observation_space(board) for agent in AGENTS
        }
        self.action_spaces: dict[str, spaces.Space[np.int64]] = {
            agent: action_space(board) for agent in AGENTS
        }
        self.state_space: spaces.Box = planes_space(board)
        self._begin()

    # What there is

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._table.rules

    @property
    def node(self) -> GameState | HalfTurn:
        """Where the game is."""
        return self._table.node

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[np.int64]:
        """Return what an agent may do, legal or not."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees, whether it is to act or not, and after the end as well.

        Raises:
            PonteError: If there is no such agent.
        """
        if agent not in SEATS:
            raise PonteError(f"agents are {' and '.join(AGENTS)}, not {agent}")
        return self._table.observation(SEATS[agent])

    def state(self) -> npt.NDArray[np.uint8]:
        """Return the planes from the side of the colour to move, white's where nobody moves."""
        return planes(self._table.node)

    # What is done

    def reset(
        self,
        seed: int | None = None,  # noqa: ARG002  # nothing is left to chance
        options: Mapping[str, object] | None = None,
    ) -> None:
        """Begin a game.

        Args:
            seed: Changes nothing.
            options: ``start`` is where the game begins; all else is left alone.

        Raises:
            TypeError: If the start is neither a state nor a half turn.
            PonteError: If it has other rules, or is over.
        """
        require_type(options, (Mapping, NoneType), "options")
        self._table.begin(options)
        self._begin()
        self._screen.refresh(self._table.node, self._table.last)

    def _begin(self) -> None:
        """Put all that PettingZoo asks for at its beginning."""
        self._steps = 0
        self.agents: list[str] = [*AGENTS]
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self.terminations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.truncations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self._skip_agent_selection: str | None = None
        self._show()

    def step(self, action: SupportsIndex | None) -> None:
        """Play an action for the agent that is to act; ``None`` once it is done for.

        Raises:
            TypeError: If the action is not a whole number.
            PonteError: If it is no code of the action space, or both agents are done for.
            IllegalActionError: If it is not legal, with every rule that it breaks. Whenever an
                error is raised, nothing has changed.
            ValueError: If it is not ``None``, and the agent is done for.
        """
        if not self.agents:
            raise PonteError("the game is over: reset() begins another")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self._table
        table.play(cast(SupportsIndex, action))  # all else is refused
        self._steps += 1
        outcome = table.node.outcome
        if outcome is not None:
            self.rewards = {agent: outcome.value(seat) for agent, seat in SEATS.items()}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        elif self._steps == self._most:
            self.truncations = dict.fromkeys(AGENTS, True)
        self._show()
        self._screen.refresh(table.node, table.last)

    def _show(self) -> None:
        """Say who is to act, and what each may do."""
        table = self._table
        # At the end the agents leave one after the other, the one that has not acted first.
        seat = table.to_act or SEATS[self.agent_selection].opponent
        self.agent_selection: str = seat.value
        self.infos: dict[str, dict[str, npt.NDArray[np.int8]]] = {
            agent: {"action_mask": table.mask(SEATS[agent])} for agent in AGENTS
        }

    def render(self) -> Picture:
        """Return a picture of the board, the last one of a game included."""
        return self._screen.draw(self._table.node, self._table.last)

    def close(self) -> None:
        """Do nothing: nothing is kept open."""


def _cycles(value: SupportsIndex) -> int:
    """Return how many cycles a game has at most.

    Raises:
        TypeError: If it is not a whole number.
        PonteError: If it is less than 1.
    """
    cycles = whole_number(value, "max_cycles")
    if cycles < 1:
        raise PonteError(f"max_cycles must be 1 or more, not {cycles}")
    return cycles
