"""Groups of one colour and how bridges join them, as values."""

from __future__ import annotations

from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.checks import instance_of, tuple_of
from pontedeldiavolo.vocabulary import ISLAND_SIZE, Color


def points_for(islands: int) -> int:
    """Return what a network of so many islands is worth: 1, 3, 6, 10, 15 … [S0]."""
    return islands * (islands + 1) // 2


@final
@frozen(order=False)
class Group(Sealed):
    """Tiles of one colour connected side by side: an island or a sandbank [S0].

    Attributes:
        color: The colour of the tiles.
        cells: Where they lie, one to four cells.

    Raises:
        TypeError: If something is not of its type.
    """

    color: Color = field(validator=instance_of(Color))
    cells: CellSet = field(validator=instance_of(CellSet))

    @property
    def is_island(self) -> bool:
        """Whether it has exactly four tiles; with fewer it is a sandbank."""
        return len(self.cells) == ISLAND_SIZE


@final
@frozen(order=False)
class Network(Sealed):
    """Groups of one colour joined by bridges; a group without bridges is one of its own [S0].

    Attributes:
        color: The colour of the groups.
        groups: Islands and sandbanks, in the order of their first cells.
        bridges: The bridges between them, in order.

    Raises:
        TypeError: If something is not of its type.
    """

    color: Color = field(validator=instance_of(Color))
    groups: tuple[Group, ...] = field(validator=tuple_of(Group))
    bridges: tuple[Bridge, ...] = field(validator=tuple_of(Bridge))

    @property
    def islands(self) -> tuple[Group, ...]:
        """Its islands; sandbanks connect but do not count."""
        return tuple(group for group in self.groups if group.is_island)

    @property
    def points(self) -> int:
        """n(n+1)/2 for its n islands."""
        return points_for(len(self.islands))
