"""Moves as Abstract Play counts them, made into a game.

There the list of players is turned round when the pie is invoked, and the moves are not touched:
whoever is named first owns white, and white and red alternate. Here the second seat chooses a
colour after white's first move. So an invoked pie is the choice of white, and without it the
first move that follows is the choice of red.
"""

from __future__ import annotations

from typing import final

from attrs import define, field

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState


@final
@define(eq=False)
class Moves:
    """What was played in a game, as it stands in the text.

    Attributes:
        actions: The actions; the choice of a colour may be missing.
        offsets: Where in the text each of them begins.
        pie: Whether the pie was invoked.
        word: The word that says how the game ended early, if one does, and where it stands.
    """

    actions: list[Action] = field(factory=list)
    offsets: list[int] = field(factory=list)
    pie: bool = False
    word: str | None = None
    word_offset: int = 0

    def add(self, action: Action, offset: int) -> None:
        """Add an action that stands at *offset*."""
        self.actions.append(action)
        self.offsets.append(offset)

    def game(self, chunk: Chunk, rules: Rules, number: int) -> Game:
        """Return the game of these moves, going on unless it is played out.

        Raises:
            RecordError: If an action breaks a rule.
        """
        actions, offsets = [*self.actions], [*self.offsets]
        chosen = len(actions) > 1 and isinstance(actions[1], ChooseColor)
        if not chosen and len(actions) + self.pie > 1:
            # The choice is seen in the move after it, or only in the flag.
            actions.insert(1, ChooseColor(Color.WHITE if self.pie else Color.RED))
            offsets.insert(1, offsets[min(1, len(offsets) - 1)])
        return Record(
            GameState.initial(rules),
            FrozenMapping(),
            Line([Move(action) for action in actions]),
            number=number,
            move_places=tuple(chunk.place(offset) for offset in offsets),
        ).game()
