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
land. :func:`layout` returns it with the role of every part, for colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, unique
from itertools import groupby
from typing import NamedTuple, final

from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.board_view import BoardView, BridgeView, cells_of, tile_targets, view_of
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import Node

__all__ = ["Role", "Span", "Style", "layout", "legend", "render"]


def __dir__() -> list[str]:
    return __all__


COLUMN_STEP = 4
"""The number of characters from one cell to the next in its row."""
ROW_STEP = 2
"""The number of lines from one row to the next."""

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

_STEPS = ((2, 0), (3, 0), (3, 1), (4, 1), (5, 1), (5, 2), (6, 2))
"""The points of a bridge two columns across and one row down, too flat for slashes."""

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

    Args:
        drawable: The board to show. It does not show whose turn it is.
        coordinates: Whether to write the row numbers and column letters.
        last: An action whose cells are put in brackets; a pass and the choice of a colour have
            none.
        style: The characters to use.
        targets: Whether to mark the cells where the player to move may place the next tile.

    Raises:
        PonteError: If *targets* is set for a position or a set-up, which has no player to move.
    """
    rows = layout(drawable, coordinates=coordinates, last=last, style=style, targets=targets)
    return "\n".join("".join(span.text for span in row).rstrip() for row in rows)


def legend(style: Style = Style.UNICODE, *, half_turns: bool = False) -> str:
    """Return one line that explains the characters of a picture.

    >>> pdd.text.legend()
    '□ ○ white   ■ ● red   squares: islands   circles: sandbanks   × blocked'

    Args:
        style: The characters of the picture.
        half_turns: Whether to explain the first tile of a half turn and targets, too.
    """
    require_type(style, Style, "style")
    require_type(half_turns, bool, "half_turns")
    return f"{_LEGENDS[style]}{_MORE if half_turns else ''}".translate(_TABLES[style])


def layout(
    drawable: Node | Position | Setup,
    *,
    coordinates: bool = True,
    last: Action | None = None,
    style: Style = Style.UNICODE,
    targets: bool = False,
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
    _require_types(drawable, coordinates, last, style, targets)
    marked = tile_targets(drawable) if targets else 0
    view = view_of(drawable)
    canvas = _Canvas(view.board)
    table = _TABLES[style]
    notes = canvas.draw(view, marked, last)
    rows = canvas.rows()
    if coordinates:
        rows = _with_coordinates(view.board, rows)
    rows += [[Span(note, Role.NOTE)] for note in notes]
    return tuple(_joined(row, table) for row in rows)


def _require_types(
    drawable: object, coordinates: object, last: object, style: object, targets: object
) -> None:
    """Refuse arguments of :func:`layout` that have a wrong type."""
    require_type(drawable, Node | Position | Setup, "drawable")
    require_type(coordinates, bool, "coordinates")
    require_type(last, Action | None, "last")
    require_type(style, Style, "style")
    require_type(targets, bool, "targets")


class _Canvas:
    """The characters of a board, each with its role."""

    def __init__(self, board: Board) -> None:
        self.board = board
        columns = range(0, COLUMN_STEP * board.width, COLUMN_STEP)
        lines = range(0, ROW_STEP * board.height, ROW_STEP)
        self._points: list[Point] = [(x, y) for y in reversed(lines) for x in columns]
        self._spans: dict[Point, Span] = dict.fromkeys(self._points, Span("·", Role.WATER))

    def rows(self) -> list[list[Span]]:
        """Return the picture, line by line."""
        # Land goes one character beyond the outermost cells.
        columns = range(-1, COLUMN_STEP * (self.board.width - 1) + 2)
        lines = range(ROW_STEP * (self.board.height - 1) + 1)
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
                x, y = self._points[self.board.index(cell)]
                self._spans[x - 1, y] = Span("[", Role.MARK)
                self._spans[x + 1, y] = Span("]", Role.MARK)
        return _notes(view, unclear)

    def _put(self, cells: Iterable[int], glyph: str, role: Role) -> None:
        """Draw a character on cells."""
        self._spans |= dict.fromkeys((self._points[cell] for cell in cells), Span(glyph, role))

    def _draw_group(self, points: set[Point], color: int, glyph: str) -> None:
        """Draw tiles, and the land around them."""
        land = Span("░▒"[color], _LAND[color])
        for x, y in points:
            right = (x + COLUMN_STEP, y) in points
            above = (x, y - ROW_STEP) in points
            corner = right and above and (x + COLUMN_STEP, y - ROW_STEP) in points
            ground = [(x - 1, y), (x + 1, y)]
            if right:
                ground.append((x + 2, y))
            if above:
                ground += [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1)]
            if corner:
                ground.append((x + 2, y - 1))
            self._spans.update((point, land) for point in ground)
            self._spans[x, y] = Span(glyph, _TILES[color])

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
        steps, glyphs = _line(right - x, bottom - y)
        return {(x + i, y + slope * j): glyph for (i, j), glyph in zip(steps, glyphs, strict=True)}


def _line(across: int, down: int) -> tuple[Iterable[Point], str]:
    """Return the points of a bridge as if it went down, and its characters."""
    if down == 0:
        return [(i, 0) for i in (2, 3, 4, 5, 6)], "─────"
    if abs(down) == ROW_STEP:
        return _STEPS, "─╮╰─╮╰─" if down > 0 else "─╯╭─╯╭─"
    points = [(across // COLUMN_STEP * i, i) for i in (1, 2, 3)]
    if across == 0:
        return points, "│││"
    return points, "╲╲╲" if down > 0 else "╱╱╱"  # noqa: RUF001 - box-drawing lines, not slashes


def _with_coordinates(board: Board, rows: list[list[Span]]) -> list[list[Span]]:
    """Put row numbers beside the rows and column letters below them."""
    margin = len(str(board.height))
    names = "".join(f"{column_name(x):<{COLUMN_STEP}}" for x in range(board.width))
    columns = [Span(" " * (margin + 2) + names.rstrip(), Role.LABEL)]
    many = max(board.width, board.height) > MANY
    labelled = [columns] if many else []
    for line, row in enumerate(rows):
        number = "" if line % ROW_STEP else str(board.height - line // ROW_STEP)
        after = [Span(f" {number}", Role.LABEL)] if many else []
        labelled.append([Span(f"{number:>{margin}} ", Role.LABEL), *row, *after])
    return [*labelled, columns]


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
