"""What a player thinks of a position."""

from __future__ import annotations

from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.checks import instance_of, tuple_of
from pontedeldiavolo.rules.actions import Action


@final
@frozen
class Choice(Sealed):
    """An action, and what a player thinks of it.

    Attributes:
        action: The action.
        visits: How many games were played with it.
        value: What they came to for the seat to move, on average: from -1, lost, to 1, won.
    """

    action: Action = field(validator=instance_of(Action))
    visits: int = field(validator=instance_of(int))
    value: float = field(validator=instance_of(float))


@final
@frozen
class Analysis(Sealed):
    """A position as a player sees it.

    Attributes:
        best: The action that the player would choose.
        value: What may be expected of it for the seat to move: from -1, lost, to 1, won.
        actions: All actions that were looked at; what was looked at most comes first.
        line: What is expected to be played, beginning with *best*.
    """

    best: Action = field(validator=instance_of(Action))
    value: float = field(validator=instance_of(float))
    actions: tuple[Choice, ...] = field(validator=tuple_of(Choice))
    line: tuple[Action, ...] = field(validator=tuple_of(Action))  # type: ignore[arg-type]  # a union
