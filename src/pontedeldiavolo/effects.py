"""What an action changes on the board."""

from __future__ import annotations

from typing import final

from attrs import frozen

from pontedeldiavolo.bridge import Bridge
from pontedeldiavolo.cell_set import CellSet
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
    """

    tiles: CellSet
    bridge: Bridge | None
    blocked: CellSet
    islands: tuple[Group, ...]
    networks: tuple[Network, ...]
    score: Score | None
