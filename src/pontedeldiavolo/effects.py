"""What an action changes on the board."""

from __future__ import annotations

from typing import final

from attrs import field, frozen
from attrs.validators import instance_of, optional

from pontedeldiavolo.bridge import Bridge
from pontedeldiavolo.cell_set import CellSet
from pontedeldiavolo.checks import tuple_of
from pontedeldiavolo.networks import Group, Network
from pontedeldiavolo.score import Score
from pontedeldiavolo.sealed import Sealed


@final
@frozen(order=False)
class Effects(Sealed):
    """What a legal action changes: for previews, animations and evaluations.

    Attributes:
        tiles: The cells that get a tile; empty unless the action places tiles.
        bridge: The bridge that is built, if one is.
        blocked: The cells that the bridge blocks and that were not blocked before.
        islands: The islands that are completed.
        networks: The networks that hang together only through this action, as they are then.
        score: The mover's score afterwards; ``None`` for the choice of a colour.

    Raises:
        TypeError: If something is not of its type.
    """

    tiles: CellSet = field(validator=instance_of(CellSet))
    bridge: Bridge | None = field(validator=optional(instance_of(Bridge)))
    blocked: CellSet = field(validator=instance_of(CellSet))
    islands: tuple[Group, ...] = field(validator=tuple_of(Group))
    networks: tuple[Network, ...] = field(validator=tuple_of(Network))
    score: Score | None = field(validator=optional(instance_of(Score)))
