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
    members = [[group] for group in groups(geometry, side.tiles)]
    spans = [0] * len(members)
    for number in bits(side.bridges):
        a, b = sorted(_holder(members, end) for end in geometry.ends[number])
        spans[a] |= 1 << number
        if a != b:
            members[a] += members.pop(b)
            spans[a] |= spans.pop(b)
    found = [
        (sorted(groups_, key=lambda group: group & -group), span)
        for groups_, span in zip(members, spans, strict=True)
    ]
    return sorted(found, key=lambda network: network[0][0] & -network[0][0])


def _holder(members: list[list[int]], cell: int) -> int:
    """Return which member has the group with a tile on *cell*."""
    return next(
        place
        for place, groups_ in enumerate(members)
        if any(group >> cell & 1 for group in groups_)
    )


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
    old_groups = groups(geometry, old.tiles)
    old_networks = [sum(members) for members, _ in networks(geometry, old)]
    joined = (
        network_of(geometry, color, members, span)
        for members, span in networks(geometry, new)
        if sum(bool(each & sum(members)) for each in old_networks) > 1
    )
    return Effects(
        CellSet(geometry, new.tiles & ~old.tiles),
        geometry.bridges[built.bit_length() - 1] if built else None,
        CellSet(geometry, after.blocked & ~before.blocked),
        tuple(
            Group(color, CellSet(geometry, group))
            for group in groups(geometry, new.tiles)
            if group.bit_count() == ISLAND_SIZE and group not in old_groups
        ),
        tuple(joined),
        score(geometry, new),
    )


def score(geometry: Geometry, side: Side) -> Score:
    """Return what a side has scored."""
    points = islands = 0
    for groups_, _ in networks(geometry, side):
        count = sum(group.bit_count() == ISLAND_SIZE for group in groups_)
        islands += count
        points += points_for(count)
    return Score(points, islands, side.bridges.bit_count())
