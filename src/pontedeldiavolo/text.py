"""Boards as pictures of plain characters, for terminals and logs.

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

from attrs import frozen

from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Bridge, column_name
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.board_view import (
    BoardView,
    BridgeView,
    TileView,
    cells_of,
    node_to_move,
    tile_targets,
    view_of,
)
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import Node

__all__ = ["Role", "Span", "Style", "layout", "legend", "render"]


def __dir__() -> list[str]:
    return __all__


COLUMN_STEP, ROW_STEP = 4, 2
"""The distance from one cell to the next, in characters and in lines."""

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


@frozen
class _Glyphs:
    """The characters of a style; two of a kind are white's and red's."""

    water: str
    blocked: str
    sandbanks: str
    islands: str
    land: str
    firsts: str
    target: str
    both: str
    brackets: str
    across: str
    upright: str
    falling: str
    rising: str
    falling_steps: str
    rising_steps: str
    legend: str
    more: str


_GLYPHS = {
    Style.UNICODE: _Glyphs(
        water="·",
        blocked="×",
        sandbanks="○●",
        islands="□■",
        land="░▒",
        firsts="◇◆",
        target="+",
        both="?",
        brackets="[]",
        across="─",
        upright="│",
        falling="╲",
        rising="╱",  # noqa: RUF001 - a line, not a slash
        falling_steps="─╮╰─╮╰─",
        rising_steps="─╯╭─╯╭─",
        legend="□ ○ white   ■ ● red   squares: islands   circles: sandbanks   × blocked",
        more="◇ ◆ first tile   + target",
    ),
    Style.ASCII: _Glyphs(
        water=".",
        blocked="x",
        sandbanks="wr",
        islands="WR",
        land=":#",
        firsts="nN",
        target="+",
        both="?",
        brackets="[]",
        across="-",
        upright="|",
        falling="\\",
        rising="/",
        falling_steps="-.'-.'-",
        rising_steps="-'.-'.-",
        legend="W w white   R r red   capitals: islands   small: sandbanks   x blocked",
        more="n N first tile   + target",
    ),
}

_STEPS = ((2, 0), (3, 0), (3, 1), (4, 1), (5, 1), (5, 2), (6, 2))
"""The points of a bridge two columns across and one row down, which no slash follows."""

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
        PonteError: If *targets* is set for a position or a set-up, where nobody is to move.
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
    glyphs = _GLYPHS[style]
    return f"{glyphs.legend}   {glyphs.more}" if half_turns else glyphs.legend


def layout(
    drawable: Node | Position | Setup,
    *,
    coordinates: bool = True,
    last: Action | None = None,
    style: Style = Style.UNICODE,
    targets: bool = False,
) -> tuple[tuple[Span, ...], ...]:
    """Return the picture that :func:`render` writes, line by line, with the role of each part.

    A set-up may break the rules. Lines below the board name what cannot be drawn clearly: bridges
    that cross, that run over land or have no bridge's shape, and pieces off the board.

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
        PonteError: If *targets* is set for a position or a set-up, where nobody is to move.
    """
    require_type(last, Action | None, "last")
    node = node_to_move(drawable) if targets else None
    view = view_of(drawable)
    canvas = _Canvas(view.board, _GLYPHS[style])
    notes = canvas.draw(view, node, last)
    rows = canvas.rows()
    if coordinates:
        rows = _with_coordinates(view.board, rows)
    return tuple(_joined(row) for row in (*rows, *([Span(note, Role.NOTE)] for note in notes)))


class _Canvas:
    """The characters of a board, each with its role."""

    def __init__(self, board: Board, glyphs: _Glyphs) -> None:
        self.board = board
        self.glyphs = glyphs
        # Land goes one character beyond the outermost cells.
        self._columns = range(-1, COLUMN_STEP * (board.width - 1) + 2)
        self._lines = range(ROW_STEP * (board.height - 1) + 1)
        self._points: list[Point] = [
            (COLUMN_STEP * x, ROW_STEP * y)
            for y in range(board.height - 1, -1, -1)
            for x in range(board.width)
        ]
        self._spans: dict[Point, Span] = {}
        for point in self._points:
            self._spans[point] = Span(glyphs.water, Role.WATER)

    def rows(self) -> list[list[Span]]:
        """Return the picture, line by line."""
        blank = Span(" ", Role.WATER)
        return [[self._spans.get((x, y), blank) for x in self._columns] for y in self._lines]

    def draw(self, view: BoardView, node: Node | None, last: Action | None) -> Iterator[str]:
        """Draw everything; iterate over notes on what a set-up has beyond it."""
        board = self.board
        self.draw_land(view)
        unclear = self.draw_bridges(view)
        if node is not None:
            self.draw_targets(tile_targets(node))
        if view.first is not None:
            self.draw_first(view.first)
        self.draw_brackets(board.index(cell) for cell in cells_of(last) if cell in board)
        return _notes(view, unclear)

    def draw_land(self, view: BoardView) -> None:
        """Draw all tiles on the board, and the land around them."""
        for group in view.groups:
            glyphs = self.glyphs.islands if group.is_island else self.glyphs.sandbanks
            points = {self._points[cell] for cell in bits(group.cells)}
            self._draw_group(points, group.color, glyphs[group.color])
        white, red = view.occupied
        for cell in bits(white & red):
            self._spans[self._points[cell]] = Span(self.glyphs.both, Role.FAULT)

    def _draw_group(self, points: set[Point], color: int, glyph: str) -> None:
        land = Span(self.glyphs.land[color], _LAND[color])
        for x, y in points:
            right = (x + COLUMN_STEP, y) in points
            above = (x, y - ROW_STEP) in points
            corner = right and above and (x + COLUMN_STEP, y - ROW_STEP) in points
            ground = [(x - 1, y), (x + 1, y)]
            ground += [(x + 2, y)] if right else []
            ground += [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1)] if above else []
            ground += [(x + 2, y - 1)] if corner else []
            self._spans.update((point, land) for point in ground)
            self._spans[x, y] = Span(glyph, _TILES[color])

    def draw_bridges(self, view: BoardView) -> list[Bridge]:
        """Draw the bridges and the cells that they block; return those that are not clear."""
        # Even a bridge with an end off the board blocks cells on it.
        beyond = (cell for bridge in view.bridges_off_board for cell in bridge.cells_beneath)
        blocked = [self.board.index(cell) for cell in beyond if cell in self.board]
        for cell in (*bits(view.blocked), *blocked):
            point = self._points[cell]
            if self._spans[point].role is Role.WATER:
                self._spans[point] = Span(self.glyphs.blocked, Role.BLOCKED)
        paths = [self._path(bridge) for bridge in view.bridges]
        cells = self.board.cells
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
                unclear.append(Bridge(cells[bridge.a], cells[bridge.b]))
        return sorted(unclear)

    def draw_targets(self, cells: int) -> None:
        """Mark the cells where the next tile may be placed."""
        for cell in bits(cells):
            self._spans[self._points[cell]] = Span(self.glyphs.target, Role.TARGET)

    def draw_first(self, first: TileView) -> None:
        """Draw the first tile of a half turn."""
        glyph = self.glyphs.firsts[first.color]
        self._spans[self._points[first.cell]] = Span(glyph, Role.FIRST_TILE)

    def draw_brackets(self, cells: Iterable[int]) -> None:
        """Put cells in brackets."""
        for cell in cells:
            x, y = self._points[cell]
            self._spans[x - 1, y] = Span(self.glyphs.brackets[0], Role.MARK)
            self._spans[x + 1, y] = Span(self.glyphs.brackets[1], Role.MARK)

    def _path(self, bridge: BridgeView) -> dict[Point, str]:
        """Return the characters of a bridge, none if it has no bridge's shape."""
        if self.board.geometry.bridge_number(bridge.a, bridge.b) < 0:
            return {}
        (x, y), (right, bottom) = sorted((self._points[bridge.a], self._points[bridge.b]))
        slope = 1 if bottom > y else -1
        steps, glyphs = self._line(right - x, bottom - y)
        return {(x + i, y + slope * j): glyph for (i, j), glyph in zip(steps, glyphs, strict=True)}

    def _line(self, across: int, down: int) -> tuple[Iterable[Point], str]:
        """Return the points of a bridge as if it went down, and its characters."""
        glyphs, thirds = self.glyphs, (1, 2, 3)
        if down == 0:
            return [(i, 0) for i in (2, 3, 4, 5, 6)], glyphs.across * 5
        if across == 0:
            return [(0, j) for j in thirds], glyphs.upright * 3
        if abs(down) == ROW_STEP:
            return _STEPS, glyphs.falling_steps if down > 0 else glyphs.rising_steps
        slash = glyphs.falling if down > 0 else glyphs.rising
        return [(across // 4 * i, i) for i in thirds], slash * 3


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


def _joined(row: Iterable[Span]) -> tuple[Span, ...]:
    """Join neighbours of the same role."""
    runs = groupby(row, key=lambda span: span.role)
    return tuple(Span("".join(span.text for span in run), role) for role, run in runs)
