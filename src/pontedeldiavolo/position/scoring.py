"""Counting a side on bit sets: which groups hang together, and what they are worth [S0]."""

from __future__ import annotations

from pontedeldiavolo.board.cell_set import cell_set
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.position.islands import groups
from pontedeldiavolo.position.networks import Group, Network, points_for
from pontedeldiavolo.rules.outcome import Score
from pontedeldiavolo.vocabulary import ISLAND_SIZE, Color


def find_networks(geometry: Geometry, tiles: int, bridges: int) -> list[tuple[list[int], int]]:
    """Return the networks of one colour, each as its groups and the set of its bridges.

    Groups are in the order of their first cells, networks in the order of their first groups.
    """
    found = groups(geometry, tiles)
    if not bridges:
        return [([group], 0) for group in found]
    members = {group: [group] for group in found}
    spans = dict.fromkeys(found, 0)
    # Every group knows the network that it is in, by the network's first group.
    first = {group: group for group in found}
    numbers = [*bits(bridges)]
    ends = {end: 0 for number in numbers for end in geometry.ends[number]}
    reached = sum(1 << end for end in ends)
    for group in found:
        for cell in bits(group & reached):
            ends[cell] = group
    for number in numbers:
        a, b = (first[ends[end]] for end in geometry.ends[number])
        spans[a] |= 1 << number
        if a != b:
            for group in members[b]:
                first[group] = a
            members[a] += members.pop(b)
            spans[a] |= spans.pop(b)
    networks = [(sorted(each, key=first_cell), spans[name]) for name, each in members.items()]
    return sorted(networks, key=lambda network: first_cell(network[0][0]))


def first_cell(cells: int) -> int:
    """Return the set of the first cell of a set: to sort by."""
    return cells & -cells


def network_of(geometry: Geometry, color: Color, members: list[int], span: int) -> Network:
    """Return a network of :func:`find_networks` as a value."""
    return Network(
        color,
        tuple(Group(color, cell_set(geometry, group)) for group in members),
        tuple(geometry.bridges_of(span)),
    )


def score_of(found: list[tuple[list[int], int]]) -> Score:
    """Return what a colour with these networks of :func:`find_networks` has scored."""
    points = islands = bridges = 0
    for members, span in found:
        bridges += span.bit_count()
        complete = 0
        for group in members:
            if group.bit_count() == ISLAND_SIZE:
                complete += 1
        if complete:
            islands += complete
            points += points_for(complete)
    return Score(points, islands, bridges)
