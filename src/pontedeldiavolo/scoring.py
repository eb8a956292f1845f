"""Counting a side on bit sets: which groups hang together, and what they are worth [S0]."""

from __future__ import annotations

from pontedeldiavolo.cell_set import CellSet
from pontedeldiavolo.effects import Effects
from pontedeldiavolo.geometry import Geometry, bits
from pontedeldiavolo.islands import ISLAND_SIZE, groups
from pontedeldiavolo.networks import Group, Network, points_for
from pontedeldiavolo.pieces import Pieces, Side
from pontedeldiavolo.score import Score
from pontedeldiavolo.vocabulary import Color


def networks(geometry: Geometry, side: Side) -> list[tuple[list[int], int]]:
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
    found = [(sorted(each, key=_first_cell), spans[name]) for name, each in members.items()]
    return sorted(found, key=lambda network: _first_cell(network[0][0]))


def _first_cell(cells: int) -> int:
    return cells & -cells


def network_of(geometry: Geometry, color: Color, members: list[int], span: int) -> Network:
    """Return a network of :func:`networks` as a value."""
    return Network(
        color,
        tuple(Group(color, CellSet(geometry, group)) for group in members),
        tuple(geometry.bridges[number] for number in bits(span)),
    )


def effects(before: Pieces, after: Pieces, color: Color) -> Effects:
    """Return what an action of *color* changed between two arrangements of pieces."""
    geometry = before.geometry
    old, new = before.sides[color.index], after.sides[color.index]
    built = new.bridges & ~old.bridges
    placed = new.tiles & ~old.tiles
    touched = placed
    for number in bits(built):
        touched |= sum(1 << end for end in geometry.ends[number])
    old_networks = [sum(members) for members, _ in networks(geometry, old)]
    new_networks = networks(geometry, new)
    islands = [
        group
        for members, _ in new_networks
        for group in members
        if group.bit_count() == ISLAND_SIZE and group & placed
    ]
    joined = []
    for members, span in new_networks:
        cells = sum(members)
        if cells & touched and sum(bool(each & cells) for each in old_networks) > 1:
            joined.append(network_of(geometry, color, members, span))
    return Effects(
        CellSet(geometry, placed),
        geometry.bridges[built.bit_length() - 1] if built else None,
        CellSet(geometry, after.blocked & ~before.blocked),
        tuple(Group(color, CellSet(geometry, each)) for each in sorted(islands, key=_first_cell)),
        tuple(joined),
        _count(new_networks, new),
    )


def score(geometry: Geometry, side: Side) -> Score:
    """Return what a side has scored."""
    return _count(networks(geometry, side), side)


def _count(found: list[tuple[list[int], int]], side: Side) -> Score:
    """Return what a side with these networks has scored."""
    points = islands = 0
    for groups_, _ in found:
        count = sum(group.bit_count() == ISLAND_SIZE for group in groups_)
        islands += count
        points += points_for(count)
    return Score(points, islands, side.bridges.bit_count())
