"""Groups, networks and their scores."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.enums import ISLAND_SIZE, Color
from pontedeldiavolo.base.errors import instance_of, tuple_of
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.rules.rules import Score


def points_for(islands: int) -> int:
    """Return the points of a network with this number of islands: 1, 3, 6, 10, 15 … [S0]."""
    return islands * (islands + 1) // 2


@final
@frozen(order=False)
class Group(ImmutableValue):
    """Tiles of one colour connected side by side: an island or a sandbank [S0].

    >>> position = pdd.parse_setup("w w w w . w").position()
    >>> [(group.cells, group.is_island) for group in position.groups(pdd.Color.WHITE)]
    [(CellSet(a1, b1, c1, d1), True), (CellSet(f1), False)]

    Attributes:
        color: The colour of the tiles.
        cells: The cells of the tiles, one to four.
    """

    color: Color = field(validator=instance_of(Color))
    cells: CellSet = field(validator=instance_of(CellSet))

    @property
    def is_island(self) -> bool:
        """True if it has exactly four tiles; with fewer it is a sandbank."""
        return len(self.cells) == ISLAND_SIZE


@final
@frozen(order=False)
class Network(ImmutableValue):
    """Groups of one colour joined by bridges; a group without bridges is a network too [S0].

    >>> position = pdd.parse_setup('''
    ... 2 w w . w .
    ... 1 w w . . .
    ...   a b c d e
    ... bridges b2-d2
    ... ''').position()
    >>> [network] = position.networks(pdd.Color.WHITE)
    >>> len(network.groups), len(network.islands), network.points
    (2, 1, 1)

    Attributes:
        color: The colour of the groups.
        groups: Islands and sandbanks, in the order of their first cells.
        bridges: The bridges between them, in order.
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


def find_networks(geometry: Geometry, tiles: int, bridges: int) -> list[tuple[list[int], int]]:
    """Return the networks of one colour, each as its groups and the set of its bridges.

    Groups are in the order of their first cells, networks in the order of their first groups.
    """
    found = geometry.groups(tiles)
    if not bridges:
        return [([group], 0) for group in found]
    ends = {number: geometry.ends(number) for number in bits(bridges)}
    reached = sum({1 << end for pair in ends.values() for end in pair})
    group_at = {cell: group for group in found for cell in bits(group & reached)}
    # Maps each group to the groups of its network.
    network = {group: [group] for group in found}
    for a, b in ends.values():
        one = network[group_at[a]]
        other = network[group_at[b]]
        if one is not other:
            one += other
            network.update(dict.fromkeys(other, one))
    bridge_sets = dict.fromkeys(found, 0)
    for number, (a, _) in ends.items():
        bridge_sets[network[group_at[a]][0]] |= 1 << number
    networks = [
        (sorted(members, key=first_cell), bridge_sets[group])
        for group, members in network.items()
        if members[0] == group
    ]
    return sorted(networks, key=lambda network: first_cell(network[0][0]))


def first_cell(cells: int) -> int:
    """Return the set of the first cell alone, as a sort key."""
    return cells & -cells


def network_of(geometry: Geometry, color: Color, members: list[int], bridges: int) -> Network:
    """Return a network from :func:`find_networks` as a value."""
    return Network(
        color,
        tuple(Group(color, cell_set(geometry, group)) for group in members),
        tuple(geometry.bridges_of(bridges)),
    )


def score_of(geometry: Geometry, tiles: int, islands: int, bridges: int) -> Score:
    """Return the score of a colour with these pieces; *islands* are the tiles in islands."""
    count = islands.bit_count() // ISLAND_SIZE
    if not bridges:
        return Score(count, count, 0)
    # A union-find forest of tiles: tiles with the same root belong to one network.
    parent: dict[int, int] = {}

    def root(cell: int) -> int:
        while cell in parent:
            above = parent[cell]
            parent[cell] = parent.get(above, above)
            cell = above
        return cell

    width = geometry.width
    links = [(cell, cell + 1) for cell in bits(tiles & tiles >> 1 & geometry.not_last)]
    links += [(cell, cell + width) for cell in bits(tiles & tiles >> width)]
    for a, b in chain(links, map(geometry.ends, bits(bridges))):
        first = root(a)
        second = root(b)
        if first != second:
            parent[first] = second
    sizes = Counter(map(root, bits(islands)))
    points = sum(points_for(size // ISLAND_SIZE) for size in sizes.values())
    return Score(points, count, bridges.bit_count())
