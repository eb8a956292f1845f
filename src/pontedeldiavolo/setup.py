"""Any diagram of tiles and bridges, rule-breaking or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING, final

from attrs import field, frozen
from attrs.validators import instance_of

from pontedeldiavolo.board import Board
from pontedeldiavolo.bridge import LONGEST_SPAN, Bridge
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.judgement import groups_and_distance, off_board
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.violation import Violation, violation
from pontedeldiavolo.vocabulary import Rule

if TYPE_CHECKING:
    from pontedeldiavolo.position import Position


def _cells(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    found = set()
    for cell in cells:
        require_type(cell, Cell, "cell")
        found.add(cell)
    return tuple(sorted(found))


def _bridges(bridges: Iterable[Bridge]) -> tuple[Bridge, ...]:
    found = set()
    for bridge in bridges:
        require_type(bridge, Bridge, "bridge")
        found.add(bridge)
    return tuple(sorted(found))


@final
@frozen(order=False)
class Setup(Sealed):
    """Tiles and bridges on a board as somebody drew them: a value, not yet a position.

    Cells and bridges come out sorted and without repetition.

    Attributes:
        board: The board.
        white: The cells of white's tiles; they may lie off the board.
        red: The cells of red's tiles, likewise.
        bridges: The bridges, between any two cells.

    Raises:
        TypeError: If something is not of its type.
    """

    board: Board = field(validator=instance_of(Board))
    white: tuple[Cell, ...] = field(default=(), converter=_cells)
    red: tuple[Cell, ...] = field(default=(), converter=_cells)
    bridges: tuple[Bridge, ...] = field(default=(), converter=_bridges)

    def faults(self) -> tuple[Violation, ...]:
        """Return every rule that the diagram breaks, ``()`` if it is a valid position.

        Valid is not reachable: any number of tiles is accepted.
        """
        return (*self._tile_faults(), *self._bridge_faults())

    def position(self) -> Position:
        """Return the position that the diagram shows.

        Raises:
            InvalidPositionError: If it breaks a rule, with every fault.
        """
        # Position is built upon this module: a diagram can be thought of without it.
        from pontedeldiavolo.position import Position  # noqa: PLC0415

        return Position.from_setup(self)

    def _tile_faults(self) -> Iterator[Violation]:
        geometry = self.board.geometry
        yield from off_board(geometry, *self.white, *self.red)
        both = set(self.white) & set(self.red)
        if both:
            yield violation(Rule.OCCUPIED, both)
        for cells in (self.white, self.red):
            on_board = [cell for cell in cells if cell in self.board]
            yield from groups_and_distance(geometry, self.board.cell_set(on_board).bits)

    def _bridge_faults(self) -> Iterator[Violation]:
        geometry = self.board.geometry
        colors = frozenset(self.white), frozenset(self.red)
        tiles = colors[0] | colors[1]
        for bridge in self.bridges:
            for fault in off_board(geometry, *bridge.ends):
                yield violation(fault.rule, fault.cells, [bridge], **fault.values)
            if not bridge.has_bridge_shape:
                yield violation(Rule.NOT_A_BRIDGE_SHAPE, bridge.ends, [bridge])
            if not any(cells.issuperset(bridge.ends) for cells in colors):
                yield violation(Rule.ENDS_DIFFER, bridge.ends, [bridge])
            beneath = tiles.intersection(bridge.cells_beneath)
            if beneath:
                yield violation(Rule.TILE_BENEATH, beneath, [bridge])
        yield from self._end_faults()
        yield from self._crossing_faults()

    def _end_faults(self) -> Iterator[Violation]:
        carried: dict[Cell, list[Bridge]] = {}
        for bridge in self.bridges:
            for end in bridge.ends:
                carried.setdefault(end, []).append(bridge)
        for end, bridges in sorted(carried.items()):
            if len(set(bridges)) > 1:
                yield violation(Rule.END_USED, [end], bridges)

    def _crossing_faults(self) -> Iterator[Violation]:
        shaped = [bridge for bridge in self.bridges if bridge.has_bridge_shape]
        by_first: dict[tuple[int, int], list[Bridge]] = {}
        for bridge in shaped:
            by_first.setdefault((bridge.a.column, bridge.a.row), []).append(bridge)
        # Bridges whose first ends are further apart than this cannot meet; first ends are lower.
        columns, rows = range(-2 * LONGEST_SPAN, 2 * LONGEST_SPAN + 1), range(LONGEST_SPAN + 1)
        for one in shaped:
            for column, row in product(columns, rows):
                for other in by_first.get((one.a.column + column, one.a.row + row), ()):
                    if one < other and one.crosses(other):
                        yield violation(Rule.CROSSES, bridges=[one, other])
