"""What an environment is made of in PettingZoo, which tells type checkers nothing of it.

The stand-in is for them alone and never runs: it raises where they ask for something to return.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, SupportsIndex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces

    from pontedeldiavolo.adapters.shared.screen import Picture
    from pontedeldiavolo.adapters.shared.table import Observation

    Info = dict[str, npt.NDArray[np.int8]]

    class AECEnv:
        """Agents who act in turns: ``pettingzoo.AECEnv``, with what it has in this game."""

        metadata: dict[str, object]
        possible_agents: list[str]
        agents: list[str]
        agent_selection: str
        rewards: dict[str, float]
        terminations: dict[str, bool]
        truncations: dict[str, bool]
        infos: dict[str, Info]
        render_mode: str | None

        @property
        def num_agents(self) -> int:
            """How many agents are left."""
            raise NotImplementedError

        @property
        def unwrapped(self) -> AECEnv:
            """The environment without wrappers."""
            raise NotImplementedError

        def observation_space(self, agent: str) -> spaces.Space[Observation]:
            """Return what an agent may see."""
            raise NotImplementedError

        def action_space(self, agent: str) -> spaces.Space[np.int64]:
            """Return what an agent may do, legal or not."""
            raise NotImplementedError

        def reset(
            self, seed: int | None = None, options: Mapping[str, object] | None = None
        ) -> None:
            """Begin a game."""

        def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
            """Iterate over whoever is to act."""
            raise NotImplementedError

        def last(
            self,
            observe: bool = True,  # noqa: FBT001, FBT002  # as PettingZoo has it
        ) -> tuple[Observation | None, float, bool, bool, Info]:
            """Return what whoever is to act sees and has got."""
            raise NotImplementedError

        def step(self, action: SupportsIndex | None) -> None:
            """Play an action for the agent that is to act."""

        def observe(self, agent: str) -> Observation:
            """Return what an agent sees."""
            raise NotImplementedError

        def state(self) -> npt.NDArray[np.uint8]:
            """Return what can be seen of the whole."""
            raise NotImplementedError

        def render(self) -> Picture:
            """Return a picture."""
            raise NotImplementedError

        def close(self) -> None:
            """Let go of what was kept open."""

        def _was_dead_step(self, action: object) -> None: ...
        def _accumulate_rewards(self) -> None: ...
else:
    from pettingzoo import AECEnv

__all__ = ["AECEnv"]
