"""Counting a side on bit sets: which groups hang together, and what they are worth [S0]."""

from __future__ import annotations

from pontedeldiavolo.geometry import Geometry, bits
from pontedeldiavolo.islands import ISLAND_SIZE, groups
from pontedeldiavolo.networks import points_for
from pontedeldiavolo.pieces import Side
from pontedeldiavolo.score import Score


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


def score(geometry: Geometry, side: Side) -> Score:
    """Return what a side has scored."""
    points = islands = 0
    for groups_, _ in networks(geometry, side):
        count = sum(group.bit_count() == ISLAND_SIZE for group in groups_)
        islands += count
        points += points_for(count)
    return Score(points, islands, side.bridges.bit_count())
