"""A small, slow reference implementation of the rules of Ponte del Diavolo.

Every answer is computed anew from plain sets of cells. A game stores only the pieces on the board,
the phase, the turn and the owner of white. The code is meant to be easy to compare with the rules,
not to be fast.

A cell is a zero-based ``(column, row)``. An action is a text: ``a1,b2`` places two tiles, ``a1-c2``
builds a bridge, ``white`` and ``red`` choose a colour, and ``pass`` passes.
"""

from __future__ import annotations

import re
from copy import deepcopy
from itertools import combinations, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Cell = tuple[int, int]
Bridge = tuple[Cell, Cell]

COLORS = ("white", "red")
ISLAND_SIZE = 4
CELLS_NEEDED = {"tiles": 2, "tile": 1, "bridge": 2, "white": 0, "red": 0, "pass": 0}
ACTION = re.compile(r"([a-z]+[1-9][0-9]*)([,-])([a-z]+[1-9][0-9]*)")


def reading_order(cell: Cell) -> tuple[int, int]:
    """Return the sort key of a cell: its row, then its column."""
    return cell[1], cell[0]


def cell_text(cell: Cell) -> str:
    """Write a cell: (0, 0) is a1, (25, 0) is z1, (26, 0) is aa1."""
    letters = ""
    number = cell[0] + 1
    while number > 0:
        # No letter means 0, so the digits run from 1 (a) to 26 (z).
        number, digit = divmod(number - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return f"{letters}{cell[1] + 1}"


def parse_cell(text: str) -> Cell:
    """Parse a cell: the letters of the column, then the number of the row."""
    letters = text.rstrip("0123456789")
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("a") + 1
    return number - 1, int(text.removeprefix(letters)) - 1


def action_text(kind: str, *cells: Cell) -> str:
    """Write an action in canonical form: its cells ordered by row, then by column."""
    if kind not in {"tiles", "bridge"}:
        return kind
    separator = "," if kind == "tiles" else "-"
    return separator.join(cell_text(cell) for cell in sorted(cells, key=reading_order))


def parse_action(text: str) -> tuple[str, list[Cell]]:
    """Parse an action with its cells in either order; raise ValueError if it is invalid."""
    if text in {"white", "red", "pass"}:
        return text, []
    match = ACTION.fullmatch(text)
    if match is None:
        raise ValueError(f"not an action: {text!r}")
    one, separator, two = match.groups()
    return "tiles" if separator == "," else "bridge", [parse_cell(one), parse_cell(two)]


def edge_neighbours(cell: Cell) -> set[Cell]:
    """Return the four cells that share an edge with a cell, on the board or not."""
    column, row = cell
    return {(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)}


def eight_neighbours(cell: Cell) -> set[Cell]:
    """Return the eight cells around a cell, on the board or not."""
    column, row = cell
    square = product((column - 1, column, column + 1), (row - 1, row, row + 1))
    return set(square) - {cell}


def group_of(cell: Cell, tiles: set[Cell]) -> frozenset[Cell]:
    """Return the orthogonally connected group of tiles of one colour that contains a cell."""
    group = {cell}
    waiting = [cell]
    while waiting:
        fresh = (edge_neighbours(waiting.pop()) & tiles) - group
        group |= fresh
        waiting.extend(fresh)
    return frozenset(group)


def has_bridge_shape(one: Cell, two: Cell) -> bool:
    """Return whether two cells are two apart, straight or diagonally, or a knight's move apart."""
    return sorted((abs(one[0] - two[0]), abs(one[1] - two[1]))) in ([0, 2], [1, 2], [2, 2])


def cells_beneath(one: Cell, two: Cell) -> set[Cell]:
    """Return the cells under a bridge: the middle one, or the two between for a knight's move."""
    # The middle of a knight's bridge is on the edge between two cells, which rounding down and up
    # gives. For the other shapes both give the same cell.
    columns = one[0] + two[0]
    rows = one[1] + two[1]
    return {(columns // 2, rows // 2), ((columns + 1) // 2, (rows + 1) // 2)}


def side(start: Cell, end: Cell, point: Cell) -> int:
    """Return a positive number for a point left of a line, a negative one right of it, 0 on it."""
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def segments_cross(first: Bridge, second: Bridge) -> bool:
    """Return whether two segments between centres of cells cross, or overlap on one line."""
    a, b = first
    c, d = second
    c_side = side(a, b, c)
    d_side = side(a, b, d)
    a_side = side(c, d, a)
    b_side = side(c, d, b)
    if c_side == d_side == 0:
        # All four points are on one line, along which tuples are in ascending order.
        return max(min(a, b), min(c, d)) < min(max(a, b), max(c, d))
    return c_side * d_side < 0 and a_side * b_side < 0


class Reference:
    """A game, which changes with each action.

    ``tiles`` is the supply of each colour, and ``bridges`` the supply that both share; None means
    unlimited. ``tiebreaks`` names the tie-breaks in order. ``placed`` has the tiles of each colour,
    and ``built`` the bridges in the order of building.
    """

    def __init__(
        self,
        width: int,
        height: int,
        tiles: int | None = None,
        bridges: int | None = None,
        tiebreaks: Sequence[str] = ("islands", "bridges"),
    ) -> None:
        self.width = width
        self.height = height
        self.tiles = tiles
        self.bridges = bridges
        self.tiebreaks = tuple(tiebreaks)
        self.phase = "opening"  # then "color-choice", "play", "last-turn" (red's) and "over"
        self.to_move: str | None = "white"  # None before the choice of colours and at the end
        self.white_owner: int | None = None  # the seat, 0 or 1; None before the choice
        self.placed: dict[str, set[Cell]] = {color: set() for color in COLORS}
        self.built: list[Bridge] = []

    def copy(self) -> Reference:
        """Return an independent copy."""
        return deepcopy(self)

    def on_board(self, cell: Cell) -> bool:
        """Return whether a cell is on the board."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def occupied(self) -> set[Cell]:
        """Return the cells with a tile of either colour."""
        return self.placed["white"] | self.placed["red"]

    def blocked(self) -> set[Cell]:
        """Return the cells under bridges of either colour."""
        return {cell for one, two in self.built for cell in cells_beneath(one, two)}

    def groups(self, color: str) -> list[frozenset[Cell]]:
        """Return the islands and sandbanks of a colour, by their first cell."""
        own = self.placed[color]
        found = {group_of(cell, own) for cell in own}
        return sorted(found, key=lambda group: min(reading_order(cell) for cell in group))

    def islands(self, color: str) -> list[frozenset[Cell]]:
        """Return the groups of exactly four tiles of a colour."""
        return [group for group in self.groups(color) if len(group) == ISLAND_SIZE]

    def networks(self, color: str) -> list[list[frozenset[Cell]]]:
        """Return the groups of a colour, joined by bridges directly or indirectly, as networks."""
        networks = [[group] for group in self.groups(color)]
        for one, two in self.built:
            joined = [net for net in networks if any(one in group or two in group for group in net)]
            if len(joined) > 1:
                networks = [net for net in networks if net not in joined]
                networks.append([group for net in joined for group in net])
        return networks

    def points(self, color: str) -> int:
        """Return the points of a colour: n(n+1)/2 for each network with n islands."""
        islands = self.islands(color)
        counts = [sum(group in islands for group in network) for network in self.networks(color)]
        return sum(count * (count + 1) // 2 for count in counts)

    def island_count(self, color: str) -> int:
        """Return the number of islands of a colour."""
        return len(self.islands(color))

    def bridge_count(self, color: str) -> int:
        """Return the number of bridges between tiles of a colour."""
        return sum(one in self.placed[color] for one, _ in self.built)

    def winner(self) -> str:
        """Return "white", "red" or "draw"; raise ValueError if the game is not over."""
        return self._result()[0]

    def decided_by(self) -> str:
        """Return what decided the game: "points", "islands", "bridges" or, in a draw, "nothing"."""
        return self._result()[1]

    def _result(self) -> tuple[str, str]:
        if self.phase != "over":
            raise ValueError("the game is not over")
        counts = {"points": self.points, "islands": self.island_count, "bridges": self.bridge_count}
        for criterion in ("points", *self.tiebreaks):
            white, red = (counts[criterion](color) for color in COLORS)
            if white != red:
                return ("white" if white > red else "red"), criterion
        return "draw", "nothing"

    def legal(self) -> list[str]:
        """Return all legal actions: pairs of tiles, bridges, choices of a colour, the pass."""
        found: list[str] = []
        if self.to_move is not None:
            found += [action_text("tiles", *pair) for pair in self._legal_pairs(self.to_move)]
            pairs = combinations(sorted(self.placed[self.to_move], key=reading_order), 2)
            legal = [ends for ends in pairs if not self.broken("bridge", *ends)]
            found += [action_text("bridge", *ends) for ends in legal]
        return [*found, *(word for word in ("white", "red", "pass") if not self.broken(word))]

    def is_legal(self, text: str) -> bool:
        """Return whether an action is legal; an invalid text is not."""
        try:
            kind, cells = parse_action(text)
        except ValueError:
            return False
        return not self.broken(kind, *cells)

    def broken(self, kind: str, *cells: Cell) -> set[str]:
        """Return the codes of the rules that an action breaks; a legal action breaks none.

        The kinds are "tiles" and "bridge" (each with two cells, in either order), "tile" (one cell:
        the first of a pair), "white", "red" and "pass".
        """
        if kind not in CELLS_NEEDED or len(cells) != CELLS_NEEDED[kind]:
            raise ValueError(f"no such action: {kind} with {len(cells)} cells")
        if self.phase == "over":
            return {"game-over"}
        color = self.to_move
        if color is None or kind in COLORS:
            # Nobody is to move only while a colour is chosen.
            return set() if color is None and kind in COLORS else {"wrong-phase"}
        if kind == "pass":
            return {"pair-exists"} if any(True for _ in self._legal_pairs(color)) else set()
        if kind == "bridge":
            return self._broken_by_bridge(color, cells[0], cells[1])
        rules = self._broken_by_tiles(color, set(cells))
        if kind == "tiles" and cells[0] == cells[1]:
            rules.add("same-cell")
        if kind == "tile" and not rules:
            has_partner = any(cells[0] in pair for pair in self._legal_pairs(color))
            return set() if has_partner else {"no-partner"}
        return rules

    def _tiles_suffice(self, color: str) -> bool:
        return self.tiles is None or self.tiles - len(self.placed[color]) >= 2

    def _free_cells(self) -> list[Cell]:
        cells = {(column, row) for column in range(self.width) for row in range(self.height)}
        return sorted(cells - self.occupied() - self.blocked(), key=reading_order)

    def _legal_pairs(self, color: str) -> Iterable[tuple[Cell, Cell]]:
        # Try every pair, because two cells that are legal alone may be illegal together.
        if self._tiles_suffice(color):
            for one, two in combinations(self._free_cells(), 2):
                if not self._broken_by_groups(color, {one, two}):
                    yield one, two

    def _broken_by_tiles(self, color: str, new: set[Cell]) -> set[str]:
        rules = self._broken_by_groups(color, {cell for cell in new if self.on_board(cell)})
        if not all(self.on_board(cell) for cell in new):
            rules.add("off-board")
        if new & self.occupied():
            rules.add("occupied")
        if new & self.blocked():
            rules.add("blocked")
        if not self._tiles_suffice(color):
            rules.add("no-tiles-left")
        return rules

    def _broken_by_groups(self, color: str, new: set[Cell]) -> set[str]:
        """Return the rules that the groups of a colour break after new tiles are placed."""
        own = self.placed[color] | new
        # Only groups that contain a new tile, or are next to one, can break a rule.
        near = new | {near for cell in new for near in eight_neighbours(cell) if near in own}
        rules = set()
        for group in {group_of(cell, own) for cell in near}:
            around = {near for cell in group for near in eight_neighbours(cell)} - group
            if len(group) > ISLAND_SIZE:
                rules.add("group-too-large")
            if len(group) == ISLAND_SIZE and around & own:
                rules.add("island-touched")
        return rules

    def _broken_by_bridge(self, color: str, one: Cell, two: Cell) -> set[str]:
        rules = set()
        ends_in_use = {end for bridge in self.built for end in bridge}
        for end in (one, two):
            if not self.on_board(end):
                rules.add("off-board")
            elif end not in self.placed[color]:
                rules.add("not-your-tile")
            if end in ends_in_use:
                rules.add("end-used")
        if self.bridges is not None and len(self.built) >= self.bridges:
            rules.add("no-bridges-left")
        if not has_bridge_shape(one, two):
            return rules | {"not-a-bridge-shape"}
        if cells_beneath(one, two) & self.occupied():
            rules.add("tile-beneath")
        # Bridges that share a tile break another rule: a tile carries one end of a bridge.
        others = [bridge for bridge in self.built if one not in bridge and two not in bridge]
        if any(segments_cross((one, two), other) for other in others):
            rules.add("crosses")
        return rules

    def play(self, text: str) -> None:
        """Play an action; raise ValueError if it is illegal or invalid."""
        kind, cells = parse_action(text)
        rules = self.broken(kind, *cells)
        if rules:
            raise ValueError(f"{text} is illegal: {', '.join(sorted(rules))}")
        if kind in COLORS:
            self.white_owner = 1 if kind == "white" else 0  # the second player, seat 1, has chosen
            # White has passed, after which red has one turn.
            self.phase = "play" if self.placed["white"] else "last-turn"
            self.to_move = "red"
            return
        color = "white" if self.to_move == "white" else "red"
        if kind == "tiles":
            self.placed[color].update(cells)
        elif kind == "bridge":
            one, two = sorted(cells, key=reading_order)
            self.built.append((one, two))
        if self.phase == "opening":
            self.phase = "color-choice"
            self.to_move = None
        elif self.phase == "last-turn" or (kind == "pass" and color == "red"):
            self.phase = "over"
            self.to_move = None
        elif kind == "pass":
            self.phase = "last-turn"
            self.to_move = "red"
        else:
            self.to_move = "red" if color == "white" else "white"
