"""The rules that an action breaks, and the cells at fault: the slow, complete answer.

Nothing here uses the incremental data of :mod:`pontedeldiavolo.position.pieces`; every rule is
read off the tiles and bridges themselves. So the fast answer and this one check each other.
:mod:`pontedeldiavolo.state.state` judges phase and turn.
"""

from __future__ import annotations

from collections.abc import Iterator

from pontedeldiavolo.base.enums import ISLAND_SIZE, TILES_PER_TURN, Rule
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.geometry import Geometry
from pontedeldiavolo.position.islands import groups, surroundings
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.violations import Violation, violation


def off_board(geometry: Geometry, *cells: Cell) -> Iterator[Violation]:
    """Judge whether cells are on the board."""
    off = [cell for cell in cells if geometry.index(cell) < 0]
    if off:
        width, height = geometry.size
        yield violation(Rule.OFF_BOARD, off, roles={"off": off}, width=width, height=height)


def groups_and_distance(geometry: Geometry, tiles: int, new: int = 0) -> Iterator[Violation]:
    """Judge the tiles of one colour: no group above four, nothing around an island [S0].

    Args:
        geometry: The board.
        tiles: The tiles, as a set.
        new: Those of them that an action brings.
    """
    cells_of = geometry.cells_of
    for group in groups(geometry, tiles):
        size = group.bit_count()
        if size > ISLAND_SIZE:
            roles = {"group": cells_of(group & ~new), "new": cells_of(group & new)}
            found = cells_of(group)
            yield violation(Rule.GROUP_TOO_LARGE, found, roles=roles, size=size, limit=ISLAND_SIZE)
        touching = surroundings(geometry, group) & tiles
        if size == ISLAND_SIZE and touching:
            both = group | touching
            yield violation(
                Rule.ISLAND_TOUCHED,
                cells_of(both),
                roles={
                    "island": cells_of(group),
                    "touching": cells_of(touching),
                    "new": cells_of(both & new),
                },
                island=", ".join(map(str, cells_of(group))),
                touching=", ".join(map(str, cells_of(touching))),
            )


def placement_violations(
    pieces: Pieces, color: int, cells: tuple[Cell, ...], supply: int | None
) -> Iterator[Violation]:
    """Judge the placing of one tile or two, all of them down; *supply* is what is left."""
    geometry = pieces.geometry
    yield from off_board(geometry, *cells)
    if len(set(cells)) < len(cells):
        yield violation(Rule.SAME_CELL, cells, roles={"new": cells})
    new = 0
    for cell in cells:
        index = geometry.index(cell)
        if index >= 0:
            new |= 1 << index
    if new & pieces.occupied:
        taken = geometry.cells_of(new & pieces.occupied)
        yield violation(Rule.OCCUPIED, taken, roles={"new": taken})
    built = geometry.bridges_of(pieces.bridges)
    above = [bridge for bridge in built if set(bridge.cells_beneath) & set(cells)]
    if above:
        under = {cell for bridge in above for cell in bridge.cells_beneath if cell in cells}
        yield violation(Rule.BLOCKED, under, above, roles={"new": under})
    if supply is not None and supply < TILES_PER_TURN:
        yield violation(Rule.NO_TILES_LEFT, left=supply, needed=TILES_PER_TURN)
    yield from groups_and_distance(geometry, pieces.sides[color].tiles | new, new)


def bridge_violations(
    pieces: Pieces, color: int, bridge: Bridge, supply: int | None
) -> Iterator[Violation]:
    """Judge the building of a bridge; *supply* is what is left."""
    geometry = pieces.geometry
    yield from off_board(geometry, *bridge.ends)
    if not bridge.has_bridge_shape:
        yield violation(Rule.NOT_A_BRIDGE_SHAPE, bridge.ends, roles={"end": bridge.ends})
    own = geometry.cells_of(pieces.sides[color].tiles)
    on_board = [cell for cell in bridge.ends if geometry.index(cell) >= 0]
    foreign = [cell for cell in on_board if cell not in own]
    if foreign:
        yield violation(Rule.NOT_YOUR_TILE, foreign, roles={"end": foreign})
    built = geometry.bridges_of(pieces.bridges)
    carried = [other for other in built if set(other.ends) & set(bridge.ends)]
    if carried:
        used = {end for other in carried for end in other.ends if end in bridge.ends}
        yield violation(Rule.END_USED, used, carried, roles={"end": used})
    occupied = geometry.cells_of(pieces.occupied)
    beneath = [cell for cell in bridge.cells_beneath if cell in occupied]
    if beneath:
        yield violation(Rule.TILE_BENEATH, beneath, roles={"beneath": beneath})
    if bridge.has_bridge_shape:
        crossed = [other for other in built if bridge.crosses(other)]
        if crossed:
            yield violation(Rule.CROSSES, bridges=crossed)
    if supply is not None and supply < 1:
        yield violation(Rule.NO_BRIDGES_LEFT, left=supply)
