"""The rule of islands on bit sets: which cells a colour's own tiles close to it [S0].

A cell is *closed* to a colour when a tile of it there would make a group of more than four, or
an island with another tile of its colour around it. Legality only shrinks: a closed cell never
opens again, and a tile closes cells in its neighbourhood alone.
"""

from __future__ import annotations

from pontedeldiavolo.geometry import Geometry, bits

ISLAND_SIZE = 4


def group_around(geometry: Geometry, tiles: int, seed: int) -> int:
    """Return *seed* with all *tiles* connected to it side by side."""
    adjacent = geometry.adjacent
    group = fresh = seed
    while fresh:
        low = fresh & -fresh
        found = adjacent[low.bit_length() - 1] & tiles & ~group
        group |= found
        fresh = fresh ^ low | found
    return group


def groups(geometry: Geometry, tiles: int) -> list[int]:
    """Return all groups of *tiles*, by their first cells."""
    found = []
    while tiles:
        group = group_around(geometry, tiles, tiles & -tiles)
        found.append(group)
        tiles &= ~group
    return found


def surroundings(geometry: Geometry, cells: int) -> int:
    """Return the cells around *cells*, diagonals included, without *cells* themselves."""
    around = geometry.around
    found = 0
    for cell in bits(cells):
        found |= around[cell]
    return found & ~cells


def is_closed(geometry: Geometry, tiles: int, cell: int) -> bool:
    """Tell whether a tile on *cell* would make a group too large or an island that is touched.

    Islands that lie around *cell* already are not looked for: what they close is known.
    """
    group = group_around(geometry, tiles, 1 << cell)
    size = group.bit_count()
    return size > ISLAND_SIZE or (
        size == ISLAND_SIZE and surroundings(geometry, group) & tiles != 0
    )


def close_around(geometry: Geometry, tiles: int, closed: int, cell: int) -> int:
    """Return the closed cells after the legal placing of a tile on *cell*, now one of *tiles*."""
    group = group_around(geometry, tiles, 1 << cell)
    if group.bit_count() == ISLAND_SIZE:
        return closed | surroundings(geometry, group)
    # What can have changed: cells that would join the tile's group, and cells whose future
    # group the tile would touch, be it at their own corner or at the corner of a group they join.
    touched = geometry.diagonal[cell]
    joining = group | group_around(geometry, tiles, touched & tiles)
    candidates = touched
    adjacent = geometry.adjacent
    for tile in bits(joining):
        candidates |= adjacent[tile]
    for candidate in bits(candidates & ~tiles & ~closed):
        if is_closed(geometry, tiles, candidate):
            closed |= 1 << candidate
    return closed
