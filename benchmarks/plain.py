"""A plain program for random games, for comparison with the library.

It changes its sets in place and checks nothing. It has no immutable values, no reasons for refusals
and no supplies.

Sets of cells are integers. A row has one bit more than the board has columns, and there is one more
row; these additional cells are closed. So neighbours are found by addition without wrapping around.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

Point = tuple[int, int]

STEPS = ((2, 0), (0, 2), (2, 2), (2, -2), (1, 2), (2, 1), (1, -2), (2, -1))
ISLAND = 4


class Board:
    """The cells and bridges of a square board."""

    def __init__(self, side: int) -> None:
        self.stride = side + 1
        self.cells = [row * self.stride + column for row in range(side) for column in range(side)]
        self.bridges = [
            ((x, y), (x + dx, y + dy))
            for y in range(side)
            for x in range(side)
            for dx, dy in STEPS
            if x + dx < side and 0 <= y + dy < side
        ]
        self.numbers = {ends: number for number, ends in enumerate(self.bridges)}
        self.ends = [self.mask(*ends) for ends in self.bridges]
        # A knight's move passes over two cells, any other bridge over one cell, found twice here.
        self.beneath = [
            self.mask(((x + u) // 2, (y + v) // 2), ((x + u + 1) // 2, (y + v + 1) // 2))
            for (x, y), (u, v) in self.bridges
        ]
        self.bridges_at: list[list[int]] = [[] for _ in range(self.stride**2)]
        for number, ends in enumerate(self.ends):
            for cell in bits(ends):
                self.bridges_at[cell].append(number)
        self.excluded = [self.excluded_by(number) for number in range(len(self.bridges))]

    def mask(self, *points: Point) -> int:
        """Return the set of some cells."""
        return sum(1 << cell for cell in {y * self.stride + x for x, y in points})

    def excluded_by(self, number: int) -> int:
        """Return the bridges that a bridge excludes, and the bridge itself."""
        (x, y), (u, v) = self.bridges[number]
        found = {each for cell in bits(self.ends[number]) for each in self.bridges_at[cell]}
        for (a, b), (c, d) in CROSSING[u - x, v - y]:
            found.add(self.numbers.get(((x + a, y + b), (x + c, y + d)), number))
        return sum(1 << each for each in found)


class Game:
    """One game. Colours are 0 (white) and 1 (red); their owners do not matter here."""

    def __init__(self, board: Board, rng: Random) -> None:
        self.board = board
        self.stride = board.stride
        self.random = rng.random
        self.tiles = [0, 0]
        # Cells on which a colour can no longer place a tile.
        self.closed = [~sum(1 << cell for cell in board.cells)] * 2
        # For each cell the set of the group that contains it; the empty set without a tile.
        self.groups = [[0] * board.stride**2 for _ in range(2)]
        # For each cell where a tile would complete an island, the cells around that island.
        self.completing: list[dict[int, int]] = [{}, {}]
        # Bridges between tiles of one colour. Obstacles are checked when a bridge is sampled.
        self.spanned: list[list[int]] = [[], []]
        self.spent = 0
        self.built: list[int] = []

    def play(self) -> int:
        """Play to the end, and return the number of turns."""
        turns = 0
        color = 0
        last = False
        while True:
            turns += 1
            passed = not self.take_turn(color)
            if last or (passed and color == 1):
                return turns
            last = passed
            color = 1 - color

    def take_turn(self, color: int) -> bool:
        """Play a uniformly random legal action; return whether it is not a pass.

        Sample two open cells, a bridge or a pass, and repeat this if the action is illegal.
        """
        spanned = self.spanned[color]
        opened = (~self.closed[color]).bit_count()
        while True:
            drawn = int(self.random() * (opened * (opened - 1) // 2 + len(spanned) + 1))
            if drawn < len(spanned):
                number = spanned[drawn]
                if self.can_build(number):
                    self.build(number)
                    return True
                spanned[drawn] = spanned[-1]
                spanned.pop()
            elif drawn > len(spanned):
                a = self.open_cell(color)
                b = a
                while a == b:
                    b = self.open_cell(color)
                if self.fits(color, a, b):
                    self.place(color, a)
                    self.place(color, b)
                    return True
            elif next(self.pairs(color), None) is None:
                return False

    def open_cell(self, color: int) -> int:
        """Return one of the open cells of a colour."""
        cells = self.board.cells
        closed = self.closed[color]
        while True:
            cell = cells[int(self.random() * len(cells))]
            if not closed >> cell & 1:
                return cell

    def pairs(self, color: int) -> Iterator[tuple[int, int]]:
        """List the legal pairs of tiles."""
        opened = list(bits(~self.closed[color]))
        for index, a in enumerate(opened):
            for b in opened[index + 1 :]:
                if self.fits(color, a, b):
                    yield a, b

    def fits(self, color: int, a: int, b: int) -> bool:
        """Return whether tiles on two open cells may be placed together."""
        of_a = self.joined(color, a)
        of_b = self.joined(color, b)
        if of_a & of_b or abs(a - b) in (1, self.stride):
            of_a = of_a | of_b
            of_b = of_a
        tiles = self.tiles[color] | 1 << a | 1 << b
        for group in (of_a, of_b):
            size = group.bit_count()
            if size > ISLAND or (size == ISLAND and self.around(group) & tiles):
                return False
        return True

    def joined(self, color: int, cell: int) -> int:
        """Return the group that a tile on a cell would belong to."""
        groups = self.groups[color]
        stride = self.stride
        beside = groups[cell - 1] | groups[cell + 1] | groups[cell - stride] | groups[cell + stride]
        return beside | 1 << cell

    def around(self, group: int) -> int:
        """Return the cells around a group in all eight directions."""
        rows = group | group << self.stride | group >> self.stride
        return (rows | rows << 1 | rows >> 1) & ~group

    def place(self, color: int, cell: int) -> None:
        """Place a tile, close the cells that it closes, and add the bridges that it allows."""
        tile = 1 << cell
        group = self.joined(color, cell)
        self.tiles[color] |= tile
        self.closed[0] |= tile
        self.closed[1] |= tile
        for each in bits(group):
            self.groups[color][each] = group
        if group.bit_count() == ISLAND:
            self.closed[color] |= self.around(group)
        else:
            beside = group << 1 | group >> 1 | group << self.stride | group >> self.stride
            for each in bits(beside & ~self.closed[color]):
                self.look_at(color, each)
        for each, around in self.completing[color].items():
            if around & tile:
                self.closed[color] |= 1 << each
        for number in self.board.bridges_at[cell]:
            if not self.board.ends[number] & ~self.tiles[color]:
                self.spanned[color].append(number)

    def look_at(self, color: int, cell: int) -> None:
        """Close a cell beside a grown group, or mark it as one that would complete an island."""
        group = self.joined(color, cell)
        size = group.bit_count()
        if size >= ISLAND:
            around = self.around(group)
            if size > ISLAND or around & self.tiles[color]:
                self.closed[color] |= 1 << cell
            else:
                self.completing[color][cell] = around

    def can_build(self, number: int) -> bool:
        """Return whether a bridge between tiles of one colour has no obstacle."""
        in_the_way = self.board.beneath[number] & (self.tiles[0] | self.tiles[1])
        return not in_the_way and not self.spent >> number & 1

    def build(self, number: int) -> None:
        """Build a bridge."""
        self.built.append(number)
        self.spent |= self.board.excluded[number]
        for color in range(2):
            self.closed[color] |= self.board.beneath[number]


def bits(mask: int) -> Iterator[int]:
    """Yield the members of a set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two lines between cells cross.

    Bridges that overlap on one line need no check: each passes over a tile of the other.
    """

    def left(p: Point, q: Point, r: Point) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return left(a, b, c) * left(a, b, d) < 0 and left(c, d, a) * left(c, d, b) < 0


REACH = range(-4, 5)
CROSSING = {
    step: [
        ((x, y), (x + dx, y + dy))
        for x in REACH
        for y in REACH
        for dx, dy in STEPS
        if cross((0, 0), step, (x, y), (x + dx, y + dy))
    ]
    for step in STEPS
}
"""The bridges that cross a bridge from the origin, for each such bridge."""
