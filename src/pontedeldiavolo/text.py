"""Text pictures of boards, for terminals and logs.

A cell is one character in a grid with three columns and one line between its cells, where land and
bridges are drawn::

    3 ░□░ ▒●▒  ·  ░○░ ▒●▒
      ░░░         ░░░
    2 ░□░  ·   ×╭─░○░  ·
      ░░░     ╭─╯
    1 ░□░░░□░─╯×   ·  ▒●▒
       a   b   c   d   e

The picture is unambiguous: no two bridges of a valid position share a character, and none runs over
land. :func:`layout` returns it with the role of every part, for colours. A compact picture has half
the size: one column and no line between the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, unique
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, NamedTuple, final

from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.base.guesses import no_such_name
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.board_view import BoardView, BridgeView, cells_of, tile_targets, view_of
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import HalfTurn, Node

__all__ = ["Role", "Span", "Style", "layout", "render"]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    # To a type checker, this function would define every name.
    def __getattr__(name: str) -> object:
        raise no_such_name(__name__, name)


MANY = 26
"""Boards with a longer side than this have coordinates on all four sides."""

Point = tuple[int, int]
"""The column and line of a character, from the upper left cell."""


@final
@unique
class Style(Enum):
    """The characters of a picture.

    >>> print(pdd.text.render(pdd.parse_setup("w . r").position(), style=pdd.text.Style.ASCII))
    1 :w:  .  #r#
       a   b   c
    """

    UNICODE = "unicode"
    """Shades, squares, circles and lines: each one column wide in most fonts."""
    ASCII = "ascii"
    """Letters and signs that every terminal and log file has."""


@final
@unique
class Role(Enum):
    """The meaning of a part of a picture."""

    LABEL = "label"
    """A column's letters or a row's number."""
    WATER = "water"
    BLOCKED = "blocked"
    """A cell under a bridge, where the bridge itself does not hide it."""
    WHITE_TILE = "white-tile"
    RED_TILE = "red-tile"
    WHITE_LAND = "white-land"
    """The land around white's tiles, which joins the tiles of one group."""
    RED_LAND = "red-land"
    WHITE_BRIDGE = "white-bridge"
    RED_BRIDGE = "red-bridge"
    FIRST_TILE = "first-tile"
    """The first tile of a half turn."""
    TARGET = "target"
    """Water where the player to move may place the next tile."""
    MARK = "mark"
    """The brackets around the cells of the last action."""
    FAULT = "fault"
    """A cell of both colours, or a bridge of neither: only set-ups that break rules have them."""
    NOTE = "note"
    """A sentence below a set-up that breaks rules."""


class Span(NamedTuple):
    """A part of a line with one role."""

    text: str
    role: Role


_TABLES = {
    Style.UNICODE: dict[int, int](),
    # The first text has box-drawing lines, not slashes.
    Style.ASCII: str.maketrans("·×○●□■░▒◇◆─│╲╱╮╭╰╯", ".xwrWR:#nN-|\\/..''"),  # noqa: RUF001
}
"""For each style, a map from the characters that pictures are drawn with to its own."""

_LEGENDS = {
    Style.UNICODE: "□ ○ white   ■ ● red   squares: islands   circles: sandbanks   × blocked",
    Style.ASCII: "□ ○ white   ■ ● red   capitals: islands   small: sandbanks   × blocked",
}
_MORE = "   ◇ ◆ first tile   + target"


class _Grid(NamedTuple):
    """The distances in a picture, and the bridges that fit between them.

    Attributes:
        columns: The number of characters from one cell to the next in its row.
        lines: The number of lines from one row to the next.
        across: The points of a bridge along a row.
        down: The quarters of the way at which any other bridge has a character.
        flat: The points of a bridge two columns across and one row down, too flat for slashes.
        flat_down: The characters of such a bridge.
        flat_up: The characters of the same bridge if it goes up.
    """

    columns: int
    lines: int
    across: tuple[Point, ...]
    down: tuple[int, ...]
    flat: tuple[Point, ...]
    flat_down: str
    flat_up: str


_WIDE = _Grid(
    columns=4,
    lines=2,
    across=((2, 0), (3, 0), (4, 0), (5, 0), (6, 0)),
    down=(1, 2, 3),
    flat=((2, 0), (3, 0), (3, 1), (4, 1), (5, 1), (5, 2), (6, 2)),
    flat_down="─╮╰─╮╰─",
    flat_up="─╯╭─╯╭─",
)
_COMPACT = _Grid(
    columns=2,
    lines=1,
    across=((1, 0), (2, 0), (3, 0)),
    down=(2,),
    flat=((1, 0), (3, 1)),
    flat_down="╮╰",
    flat_up="╯╭",
)

_TILES = (Role.WHITE_TILE, Role.RED_TILE)
_LAND = (Role.WHITE_LAND, Role.RED_LAND)
_BRIDGES = (Role.WHITE_BRIDGE, Role.RED_BRIDGE)


def render(
    drawable: Node | Position | Setup,
    *,
    coordinates: bool = True,
    last: Action | None = None,
    style: Style = Style.UNICODE,
    targets: bool = False,
    legend: bool = False,
    compact: bool = False,
) -> str:
    """Return a picture of the board in lines of text, without a line break at the end.

    >>> position = pdd.parse_setup('''
    ... 3 w r . w r
    ... 2 w . . w .
    ... 1 w w . . r
    ... bridges b1-d2
    ... ''').position()
    >>> print(pdd.text.render(position))
    3 ░□░ ▒●▒  ·  ░○░ ▒●▒
      ░░░         ░░░
    2 ░□░  ·   ×╭─░○░  ·
      ░░░     ╭─╯
    1 ░□░░░□░─╯×   ·  ▒●▒
       a   b   c   d   e
    >>> print(pdd.text.render(position, compact=True))
    3  □ ● · ○ ●
    2  □ · ×╭○ ·
    1  □░□╯× · ●
       a b c d e

    Args:
        drawable: The board to show. It does not show whose turn it is.
        coordinates: Whether to write the row numbers and column letters.
        last: An action whose cells are put in brackets; a pass and the choice of a colour have
            none.
        style: The characters to use.
        targets: Whether to mark the cells where the player to move may place the next tile.
        legend: Whether to add a line that explains the characters.
        compact: Whether the picture has half the size, for narrow terminals. It shows land only
            between neighbours in a row.

    Raises:
        PonteError: If *targets* is set for a position or a set-up, which has no player to move.
    """
    require_type(legend, bool, "legend")
    rows = layout(
        drawable,
        coordinates=coordinates,
        last=last,
        style=style,
        targets=targets,
        compact=compact,
    )
    lines = ["".join(span.text for span in row).rstrip() for row in rows]
    if legend:
        more = _MORE if targets or isinstance(drawable, HalfTurn) else ""
        lines.append(f"{_LEGENDS[style]}{more}".translate(_TABLES[style]))
    return "\n".join(lines)


def layout(
    drawable: Node | Position | Setup,
    *,
    coordinates: bool = True,
    last: Action | None = None,
    style: Style = Style.UNICODE,
    targets: bool = False,
    compact: bool = False,
) -> tuple[tuple[Span, ...], ...]:
    """Return the picture that :func:`render` writes, line by line, with the role of each part.

    A set-up may break the rules. Lines below the board list parts that cannot be drawn clearly:
    bridges that cross, run over land or have no bridge's shape, and pieces off the board.

    >>> position = pdd.parse_setup("w . r").position()
    >>> for span in pdd.text.layout(position, coordinates=False)[0]:
    ...     print(repr(span.text), span.role.value)
    '░' white-land
    '○' white-tile
    '░' white-land
    '  ·  ' water
    '▒' red-land
    '●' red-tile
    '▒' red-land

    Raises:
        PonteError: If *targets* is set for a position or a set-up, which has no player to move.
    """
    _require_types(drawable, last, style, coordinates=coordinates, targets=targets, compact=compact)
    marked = tile_targets(drawable) if targets else 0
    view = view_of(drawable)
    canvas = _Canvas(view.board, _COMPACT if compact else _WIDE)
    table = _TABLES[style]
    notes = canvas.draw(view, marked, last)
    rows = canvas.rows()
    if coordinates:
        rows = _with_coordinates(view.board, rows, canvas.grid)
    rows += [[Span(note, Role.NOTE)] for note in notes]
    return tuple(_joined(row, table) for row in rows)


def _require_types(drawable: object, last: object, style: object, **switches: object) -> None:
    """Refuse arguments of :func:`layout` that have a wrong type."""
    require_type(drawable, Node | Position | Setup, "drawable")
    require_type(last, Action | None, "last")
    require_type(style, Style, "style")
    for name, switch in switches.items():
        require_type(switch, bool, name)


class _Canvas:
    """The characters of a board, each with its role."""

    def __init__(self, board: Board, grid: _Grid) -> None:
        self.board = board
        self.grid = grid
        columns = range(0, grid.columns * board.width, grid.columns)
        lines = range(0, grid.lines * board.height, grid.lines)
        self._points: list[Point] = [(x, y) for y in reversed(lines) for x in columns]
        self._spans: dict[Point, Span] = dict.fromkeys(self._points, Span("·", Role.WATER))

    def rows(self) -> list[list[Span]]:
        """Return the picture, line by line."""
        # Land goes one character beyond the outermost cells.
        columns = range(-1, self.grid.columns * (self.board.width - 1) + 2)
        lines = range(self.grid.lines * (self.board.height - 1) + 1)
        blank = Span(" ", Role.WATER)
        return [[self._spans.get((x, y), blank) for x in columns] for y in lines]

    def draw(self, view: BoardView, targets: int, last: Action | None) -> Iterator[str]:
        """Draw everything; return notes on parts of a set-up that are not drawn clearly."""
        for group in view.groups:
            points = {self._points[cell] for cell in bits(group.cells)}
            glyphs = "□■" if group.is_island else "○●"
            self._draw_group(points, group.color, glyphs[group.color])
        white, red = view.occupied
        self._put(bits(white & red), "?", Role.FAULT)
        unclear = self._draw_bridges(view)
        self._put(bits(targets), "+", Role.TARGET)
        if view.first is not None:
            self._put([view.first.cell], "◇◆"[view.first.color], Role.FIRST_TILE)
        for cell in cells_of(last):
            if cell in self.board:
                self._mark(self._points[self.board.index(cell)])
        return _notes(view, unclear)

    def _mark(self, point: Point) -> None:
        """Put a cell in brackets, of which a bridge in a compact picture replaces one."""
        for side, glyph in ((-1, "["), (1, "]")):
            place = (point[0] + side, point[1])
            there = self._spans.get(place)
            if there is None or there.role not in _BRIDGES:
                # Neighbours in a compact picture have one sign between them.
                is_shared = there is not None and there.role is Role.MARK
                self._spans[place] = Span("|" if is_shared else glyph, Role.MARK)

    def _put(self, cells: Iterable[int], glyph: str, role: Role) -> None:
        """Draw a character on cells."""
        self._spans |= dict.fromkeys((self._points[cell] for cell in cells), Span(glyph, role))

    def _draw_group(self, points: set[Point], color: int, glyph: str) -> None:
        """Draw tiles, and the land around them."""
        land = Span("░▒"[color], _LAND[color])
        for x, y in points:
            self._spans[x, y] = Span(glyph, _TILES[color])
            right = (x + self.grid.columns, y) in points
            if self.grid is _COMPACT:
                if right:
                    self._spans[x + 1, y] = land
                continue
            above = (x, y - self.grid.lines) in points
            corner = right and above and (x + self.grid.columns, y - self.grid.lines) in points
            ground = [(x - 1, y), (x + 1, y)]
            if right:
                ground.append((x + 2, y))
            if above:
                ground += [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1)]
            if corner:
                ground.append((x + 2, y - 1))
            self._spans.update((point, land) for point in ground)

    def _draw_bridges(self, view: BoardView) -> list[Bridge]:
        """Draw the bridges and the cells that they block; return bridges that are not clear."""
        # Even a bridge with an end off the board blocks cells on it.
        beyond = (cell for bridge in view.bridges_off_board for cell in bridge.cells_beneath)
        blocked = [self.board.index(cell) for cell in beyond if cell in self.board]
        for cell in (*bits(view.blocked), *blocked):
            if self._spans[self._points[cell]].role is Role.WATER:
                self._put([cell], "×", Role.BLOCKED)
        paths = [self._path(bridge) for bridge in view.bridges]
        shared = Counter(point for path in paths for point in path)
        unclear = [*view.bridges_off_board]
        for bridge, path in zip(view.bridges, paths, strict=True):
            role = Role.FAULT if bridge.color is None else _BRIDGES[bridge.color]
            clear = bool(path)
            for point, glyph in path.items():
                under = self._spans.get(point)
                open_water = under is None or under.role in (Role.WATER, Role.BLOCKED)
                clear = clear and open_water and shared[point] == 1
                if open_water:
                    self._spans[point] = Span(glyph, role)
            if not clear:
                unclear.append(Bridge(self.board.cells[bridge.a], self.board.cells[bridge.b]))
        return sorted(unclear)

    def _path(self, bridge: BridgeView) -> dict[Point, str]:
        """Return the characters of a bridge, none if it has no bridge's shape."""
        if self.board.geometry.bridge_number(bridge.a, bridge.b) < 0:
            return {}
        (x, y), (right, bottom) = sorted((self._points[bridge.a], self._points[bridge.b]))
        slope = 1 if bottom > y else -1
        steps, glyphs = _line(self.grid, right - x, bottom - y)
        return {(x + i, y + slope * j): glyph for (i, j), glyph in zip(steps, glyphs, strict=True)}


def _line(grid: _Grid, across: int, down: int) -> tuple[Iterable[Point], str]:
    """Return the points of a bridge as if it went down, and its characters."""
    if down == 0:
        return grid.across, "─" * len(grid.across)
    if abs(down) == grid.lines:
        return grid.flat, grid.flat_down if down > 0 else grid.flat_up
    points = [(across * step // 4, abs(down) * step // 4) for step in grid.down]
    glyph = "╲" if down > 0 else "╱"  # noqa: RUF001 - box-drawing lines, not slashes
    return points, (glyph if across else "│") * len(points)


def _with_coordinates(board: Board, rows: list[list[Span]], grid: _Grid) -> list[list[Span]]:
    """Put row numbers beside the rows and column letters below them."""
    margin = len(str(board.height))
    names = [column_name(x) for x in range(board.width)]
    # Where names of two letters would touch, the second letter stands below the first one.
    is_upright = grid is _COMPACT and board.width > MANY
    parts = [*zip_longest(*names, fillvalue=" ")] if is_upright else [names]
    lines = ["".join(f"{part:<{grid.columns}}" for part in line).rstrip() for line in parts]
    columns = [[Span(" " * (margin + 2) + line, Role.LABEL)] for line in lines]
    many = max(board.width, board.height) > MANY
    labelled = [*columns] if many else []
    for line, row in enumerate(rows):
        number = "" if line % grid.lines else str(board.height - line // grid.lines)
        after = [Span(f" {number}", Role.LABEL)] if many else []
        labelled.append([Span(f"{number:>{margin}} ", Role.LABEL), *row, *after])
    return [*labelled, *columns]


def _notes(view: BoardView, unclear: list[Bridge]) -> Iterator[str]:
    """Name the parts of a set-up that the picture does not show, or not clearly."""
    if unclear:
        yield f"not drawn clearly: {', '.join(map(str, unclear))}"
    for name, cells in zip(("white", "red"), view.cells_off_board, strict=True):
        if cells:
            yield f"{name} off the board: {', '.join(map(str, cells))}"


def _joined(row: Iterable[Span], table: dict[int, int]) -> tuple[Span, ...]:
    """Join neighbouring spans with the same role, in the characters of a style."""
    runs = groupby(row, key=lambda span: span.role)
    joined = (("".join([span.text for span in run]), role) for role, run in runs)
    return tuple(Span(text.translate(table) if table else text, role) for text, role in joined)
