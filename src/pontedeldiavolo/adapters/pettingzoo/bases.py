"""What an environment is made of in PettingZoo, which tells type checkers nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:

    class AECEnv:
        """Agents who act in turns; ``pettingzoo.AECEnv``, as far as it is used here."""

        def _was_dead_step(self, action: object) -> None: ...
        def _accumulate_rewards(self) -> None: ...
else:
    from pettingzoo import AECEnv

__all__ = ["AECEnv"]
