"""Counting a side on bit sets: which groups hang together, and what they are worth [S0]."""

from __future__ import annotations

from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.position.islands import groups
from pontedeldiavolo.position.networks import Group, Network, points_for
from pontedeldiavolo.position.pieces import Side
from pontedeldiavolo.rules.outcome import Score
from pontedeldiavolo.vocabulary import ISLAND_SIZE, Color


def find_networks(geometry: Geometry, side: Side) -> list[tuple[list[int], int]]:
    """Return the networks of a side, each as its groups and the set of its bridges.

    Groups are in the order of their first cells, networks in the order of their first groups.
    """
    members = {group: [group] for group in groups(geometry, side.tiles)}
    spans = dict.fromkeys(members, 0)
    # Every group knows the network that it is in, by the network's first group.
    first = {group: group for group in members}
    group_at = {cell: group for group in members for cell in bits(group)}
    for number in bits(side.bridges):
        a, b = (first[group_at[end]] for end in geometry.ends[number])
        spans[a] |= 1 << number
        if a != b:
            for group in members[b]:
                first[group] = a
            members[a] += members.pop(b)
            spans[a] |= spans.pop(b)
    found = [(sorted(each, key=first_cell), spans[name]) for name, each in members.items()]
    return sorted(found, key=lambda network: first_cell(network[0][0]))


def first_cell(cells: int) -> int:
    """Return the set of the first cell of a set: to sort by."""
    return cells & -cells


def network_of(geometry: Geometry, color: Color, members: list[int], span: int) -> Network:
    """Return a network of :func:`find_networks` as a value."""
    return Network(
        color,
        tuple(Group(color, CellSet(geometry, group)) for group in members),
        tuple(geometry.bridges_of(span)),
    )


def score_of(geometry: Geometry, side: Side) -> Score:
    """Return what a side has scored."""
    return count(find_networks(geometry, side), side)


def count(found: list[tuple[list[int], int]], side: Side) -> Score:
    """Return what a side with these networks has scored."""
    points = islands = 0
    for members, _ in found:
        complete = sum(group.bit_count() == ISLAND_SIZE for group in members)
        islands += complete
        points += points_for(complete)
    return Score(points, islands, side.bridges.bit_count())
