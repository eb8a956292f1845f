"""Checks that report every rule that an action breaks, and the cells at fault: slow but complete.

Every rule is read off the tiles and bridges on the board. The sets with which
:mod:`pontedeldiavolo.position.pieces` finds legal actions are not used, so the two implementations
verify each other. :mod:`pontedeldiavolo.state.state` checks the phase.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.enums import ISLAND_SIZE, TILES_PER_TURN, Color, ViolationCode
from pontedeldiavolo.base.errors import instance_of, tuple_of
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.rules.rules import Score
from pontedeldiavolo.rules.violations import Violation, violation

from .networks import Group, Network, find_networks, first_cell, network_of, score_of
from .pieces import Pieces


def off_board(geometry: Geometry, *cells: Cell) -> Iterator[Violation]:
    """Check that cells are on the board."""
    off = [cell for cell in cells if geometry.index(cell) < 0]
    if off:
        width, height = geometry.size
        yield violation(
            ViolationCode.OFF_BOARD, off, roles={"off": off}, width=width, height=height
        )


def at_cells(
    rule: ViolationCode, cells: Collection[Cell], role: str, bridges: Iterable[Bridge] = ()
) -> Iterator[Violation]:
    """Yield a violation at cells that have one role, if there are any."""
    if cells:
        yield violation(rule, cells, bridges, {role: cells})


def judge_groups(
    geometry: Geometry, tiles: int, groups: Iterable[int], new: int = 0
) -> Iterator[Violation]:
    """Check that no group has more than four tiles, and no island others of its colour around [S0].

    Args:
        geometry: The board.
        tiles: All tiles of the colour.
        groups: Its groups that are checked.
        new: The tiles that an action adds, which have a role of their own.
    """
    cells_of = geometry.cells_of
    for group in groups:
        size = group.bit_count()
        if size > ISLAND_SIZE:
            roles = {"group": cells_of(group & ~new), "new": cells_of(group & new)}
            found = cells_of(group)
            yield violation(
                ViolationCode.GROUP_TOO_LARGE, found, roles=roles, size=size, limit=ISLAND_SIZE
            )
        halo = reduce(or_, (geometry.around[cell] for cell in bits(group)))
        touching = halo & tiles & ~group
        if size == ISLAND_SIZE and touching:
            island = cells_of(group)
            others = cells_of(touching)
            placed = cells_of((group | touching) & new)
            yield violation(
                ViolationCode.ISLAND_TOUCHED,
                island + others,
                roles={"island": island, "touching": others, "new": placed},
                island=", ".join(map(str, island)),
                touching=", ".join(map(str, others)),
            )


def _groups_near(geometry: Geometry, tiles: int, new: int) -> list[int]:
    """Return the groups that contain or touch new tiles, in the order of their first cells."""
    near = new
    for cell in bits(new):
        near |= geometry.around[cell] & tiles
    found = []
    while near:
        group = geometry.group_around(tiles, near & -near)
        found.append(group)
        near &= ~group
    return sorted(found, key=lambda group: group & -group)


def _judge_new_tiles(pieces: Pieces, color: int, new: int) -> Iterator[Violation]:
    """Check the rules of groups and islands after placing tiles on a set of cells."""
    tiles = pieces.tiles(color) | new
    near = _groups_near(pieces.geometry, tiles, new)
    return judge_groups(pieces.geometry, tiles, near, new)


def judge_tiles(
    pieces: Pieces, color: int, cells: tuple[Cell, ...], supply: int | None
) -> Iterator[Violation]:
    """Check the board after placing one or two tiles; *supply* is the number in the game."""
    geometry = pieces.geometry
    yield from off_board(geometry, *cells)
    if len(set(cells)) < len(cells):
        yield from at_cells(ViolationCode.SAME_CELL, cells, "new")
    new = geometry.set_of(cells)
    taken = geometry.cells_of(new & pieces.occupied)
    yield from at_cells(ViolationCode.OCCUPIED, taken, "new")
    built = geometry.bridges_of(pieces.bridges)
    above = [bridge for bridge in built if set(bridge.cells_beneath) & set(cells)]
    under = {cell for bridge in above for cell in bridge.cells_beneath if cell in cells}
    yield from at_cells(ViolationCode.BLOCKED, under, "new", above)
    left = _tiles_left(pieces, color, supply)
    if left is not None and left < TILES_PER_TURN:
        yield violation(ViolationCode.NO_TILES_LEFT, left=left, needed=TILES_PER_TURN)
    yield from _judge_new_tiles(pieces, color, new)


def _tiles_left(pieces: Pieces, color: int, supply: int | None) -> int | None:
    """Return the number of tiles that a colour has left, ``None`` if it is unlimited."""
    return None if supply is None else supply - pieces.tiles(color).bit_count()


def judge_tile(pieces: Pieces, color: int, cell: Cell, supply: int | None) -> Iterator[Violation]:
    """Check one tile as the first of a pair; *supply* is the number of tiles in the game."""
    found = tuple(judge_tiles(pieces, color, (cell,), supply))
    yield from found
    if found:
        return
    first = pieces.geometry.set_of([cell])
    seconds = bits(_free_cells(pieces) & ~first)
    if not any(_fits(pieces, color, first | 1 << second) for second in seconds):
        yield from at_cells(ViolationCode.NO_PARTNER, [cell], "new")


def judge_pass(pieces: Pieces, color: int, supply: int | None) -> Iterator[Violation]:
    """Check that no pair of tiles can be placed; *supply* is the number of tiles in the game."""
    left = _tiles_left(pieces, color, supply)
    if left is not None and left < TILES_PER_TURN:
        return
    # Two tiles are only legal together if each is legal alone. Few of these exclude each other,
    # so a pair is found soon if there is one.
    alone: list[int] = []
    for cell in bits(_free_cells(pieces)):
        if _fits(pieces, color, 1 << cell):
            if any(_fits(pieces, color, 1 << cell | 1 << other) for other in alone):
                yield violation(ViolationCode.PAIR_EXISTS)
                return
            alone.append(cell)


def _free_cells(pieces: Pieces) -> int:
    """Return the cells without a tile that no bridge passes over."""
    geometry = pieces.geometry
    built = geometry.bridges_of(pieces.bridges)
    beneath = geometry.set_of(cell for bridge in built for cell in bridge.cells_beneath)
    return geometry.full & ~(pieces.occupied | beneath)


def _fits(pieces: Pieces, color: int, new: int) -> bool:
    """Return whether tiles on free cells keep the rules of groups and islands."""
    return not any(_judge_new_tiles(pieces, color, new))


def judge_bridge(
    pieces: Pieces, color: int, bridge: Bridge, supply: int | None
) -> Iterator[Violation]:
    """Check the building of a bridge; *supply* is the number of bridges in the game."""
    geometry = pieces.geometry
    yield from off_board(geometry, *bridge.ends)
    if not bridge.has_bridge_shape:
        yield from at_cells(ViolationCode.NOT_A_BRIDGE_SHAPE, bridge.ends, "end")
    own = geometry.cells_of(pieces.tiles(color))
    on_board = [cell for cell in bridge.ends if geometry.index(cell) >= 0]
    foreign = [cell for cell in on_board if cell not in own]
    yield from at_cells(ViolationCode.NOT_YOUR_TILE, foreign, "end")
    built = geometry.bridges_of(pieces.bridges)
    carried = [other for other in built if set(other.ends) & set(bridge.ends)]
    used = {end for other in carried for end in other.ends if end in bridge.ends}
    yield from at_cells(ViolationCode.END_USED, used, "end", carried)
    occupied = geometry.cells_of(pieces.occupied)
    beneath = [cell for cell in bridge.cells_beneath if cell in occupied]
    yield from at_cells(ViolationCode.TILE_BENEATH, beneath, "beneath")
    if bridge.has_bridge_shape:
        crossed = [other for other in built if bridge.crosses(other)]
        if crossed:
            yield violation(ViolationCode.CROSSES, bridges=crossed)
    left = None if supply is None else supply - pieces.bridges.bit_count()
    if left is not None and left < 1:
        yield violation(ViolationCode.NO_BRIDGES_LEFT, left=left)


@final
@frozen(order=False)
class Effects(ImmutableValue):
    """Changes that a legal action makes: for previews, animations and evaluations.

    >>> state = pdd.GameState.from_position(pdd.parse_setup("w w w . . .").position())
    >>> effects = state.effects(pdd.parse_action("d1,f1"))
    >>> effects.tiles, [island.cells for island in effects.islands]
    (CellSet(d1, f1), [CellSet(a1, b1, c1, d1)])
    >>> effects.score
    Score(points=1, islands=1, bridges=0)

    Attributes:
        tiles: The cells that get a tile; empty unless the action places tiles.
        bridge: The bridge that is built, if any.
        blocked: The cells that the bridge blocks and that were not blocked before.
        islands: The islands that are completed.
        networks: The networks that only this action connects, as they are afterwards.
        score: The mover's score afterwards; ``None`` for the choice of a colour.
    """

    tiles: CellSet = field(validator=instance_of(CellSet))
    bridge: Bridge | None = field(validator=optional(instance_of(Bridge)))
    blocked: CellSet = field(validator=instance_of(CellSet))
    islands: tuple[Group, ...] = field(validator=tuple_of(Group))
    networks: tuple[Network, ...] = field(validator=tuple_of(Network))
    score: Score | None = field(validator=optional(instance_of(Score)))


def effects_of(pieces: Pieces, color: Color, action: Action) -> Effects:
    """Return the changes that a legal action of *color* makes.

    Unlike :meth:`Pieces.with_action`, it does not compute the consequences for later actions.
    """
    geometry = pieces.geometry
    side = pieces._sides[color.index]
    placed = geometry.set_of(action.cells) if isinstance(action, PlaceTiles) else 0
    number = geometry.number_of(action) if isinstance(action, BuildBridge) else -1
    built = 0 if number < 0 else 1 << number
    tiles = side.tiles | placed
    in_islands = sum(each for each in geometry.groups(tiles) if each.bit_count() == ISLAND_SIZE)
    islands: list[int] = []
    joined: list[Network] = []
    for members, bridges in find_networks(geometry, tiles, side.bridges | built):
        new = [group for group in members if group & placed]
        islands += [group for group in new if group.bit_count() == ISLAND_SIZE]
        if new or bridges & built:
            before = find_networks(geometry, sum(members) & ~placed, bridges & ~built)
            if len(before) > 1:
                joined.append(network_of(geometry, color, members, bridges))
    return Effects(
        cell_set(geometry, placed),
        geometry.bridge(number) if built else None,
        cell_set(geometry, geometry.beneath(number) & ~pieces.blocked if built else 0),
        tuple(Group(color, cell_set(geometry, each)) for each in sorted(islands, key=first_cell)),
        tuple(joined),
        score_of(geometry, tiles, in_islands, side.bridges | built),
    )
