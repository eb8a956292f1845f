"""What games and states are made of in OpenSpiel, which itself has no types.

The stand-ins are for type checkers alone and never run: they raise where these ask for something to
return.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:

    class Game:
        """The rules of a game; ``pyspiel.Game``, as far as it is used here."""

        def __init__(
            self, game_type: object, info: object, parameters: Mapping[str, int | str]
        ) -> None: ...

    class State:
        """A game at one moment; ``pyspiel.State``, as far as it is used here."""

        def __init__(self, game: Game) -> None: ...
        def apply_action(self, action: int) -> None:
            """Play an action."""

        def history(self) -> list[int]:
            """Return all actions so far."""
            raise NotImplementedError

        def history_str(self) -> str:
            """Return all actions so far, as a text."""
            raise NotImplementedError

        def legal_actions(self) -> list[int]:
            """Return what whoever is to act may do."""
            raise NotImplementedError
else:
    from pyspiel import Game, State

__all__ = ["Game", "State"]
