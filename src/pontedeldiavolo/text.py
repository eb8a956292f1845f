"""A board as a picture in plain characters, for terminals and logs.

A cell is one character in a grid with three columns and one line between its cells: there land
grows together and bridges run::

    3 ░□░ ▒●▒  ·  ░○░ ▒●▒
      ░░░         ░░░
    2 ░□░  ·   ×╭─░○░  ·
      ░░░     ╭─╯
    1 ░□░░░□░─╯×   ·  ▒●▒
       a   b   c   d   e

No two bridges of a valid position ever share a character, and none runs over land: the picture
is unambiguous. :func:`layout` gives it together with what every part of it means, for colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum, unique
from itertools import groupby
from typing import NamedTuple, final

from attrs import frozen

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import ISLAND_SIZE, Color
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, column_name
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.position.islands import groups
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

__all__ = ["Role", "Span", "Style", "layout", "legend", "render"]

COLUMN_STEP, ROW_STEP = 4, 2
"""How many characters and lines it is from one cell to the next."""

MANY = 26
"""Boards with a longer side than this carry their coordinates on all four sides."""

Point = tuple[int, int]
"""Where a character stands: its column and line, from the upper left cell."""


@final
@unique
class Style(Enum):
    """Which characters a picture is made of."""

    UNICODE = "unicode"
    """Shades, squares, circles and lines: each one column wide in most fonts."""
    ASCII = "ascii"
    """Letters and signs that every terminal and log file has."""


@final
@unique
class Role(Enum):
    """What a part of a picture stands for."""

    LABEL = "label"
    """A column's letters or a row's number."""
    WATER = "water"
    BLOCKED = "blocked"
    """A cell under a bridge, where the bridge itself does not hide it."""
    WHITE_TILE = "white-tile"
    RED_TILE = "red-tile"
    WHITE_LAND = "white-land"
    """What surrounds white's tiles and joins the tiles of one group."""
    RED_LAND = "red-land"
    WHITE_BRIDGE = "white-bridge"
    RED_BRIDGE = "red-bridge"
    FIRST_TILE = "first-tile"
    """The first tile of a half turn, which has been shown and not yet placed."""
    TARGET = "target"
    """Water where the player to move may go on with a tile."""
    MARK = "mark"
    """The brackets around the cells of the last action."""
    FAULT = "fault"
    """What only a rule-breaking set-up has: a cell of both colours, a bridge of neither."""
    NOTE = "note"
    """A sentence below a rule-breaking set-up."""


class Span(NamedTuple):
    """A piece of one line, all of it with one meaning."""

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
"""The way of a bridge two columns across and one row down, which no single slash follows."""

_TILES = (Role.WHITE_TILE, Role.RED_TILE)
_LAND = (Role.WHITE_LAND, Role.RED_LAND)
_BRIDGES = (Role.WHITE_BRIDGE, Role.RED_BRIDGE)


def render(
    scene: GameState | HalfTurn | Position,
    *,
    coordinates: bool = True,
    last: Action | None = None,
    style: Style = Style.UNICODE,
    targets: bool = False,
) -> str:
    """Return a picture of the board in lines of text, without a line break at the end.

    Args:
        scene: What to show. Whose turn it is does not show.
        coordinates: Whether to write the row numbers and column letters.
        last: An action whose cells are put in brackets; a pass and the choice of a colour have
            none.
        style: Which characters to use.
        targets: Whether to mark the cells where the player to move may go on with a tile.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If there are to be targets in a position, where nobody has a turn.
    """
    require_type(scene, GameState | HalfTurn | Position, "scene")
    rows = layout(scene, coordinates=coordinates, last=last, style=style, targets=targets)
    return "\n".join("".join(span.text for span in row).rstrip() for row in rows)


def legend(style: Style = Style.UNICODE, *, half_turns: bool = False) -> str:
    """Return one line that says what the characters of a picture mean.

    Args:
        style: Which characters were used.
        half_turns: Whether to name the first tile of a half turn and targets, too.

    Raises:
        TypeError: If an argument is not of its type.
    """
    require_type(style, Style, "style")
    require_type(half_turns, bool, "half_turns")
    glyphs = _GLYPHS[style]
    return f"{glyphs.legend}   {glyphs.more}" if half_turns else glyphs.legend


def layout(
    scene: GameState | HalfTurn | Position | Setup,
    *,
    coordinates: bool = True,
    last: Action | None = None,
    style: Style = Style.UNICODE,
    targets: bool = False,
) -> tuple[tuple[Span, ...], ...]:
    """Return the picture that :func:`render` writes, line by line, with what each part means.

    A set-up may break the rules. What of it cannot be drawn, or not clearly, stands in lines
    below: bridges that cross, that run over land or have no bridge's shape, and whatever lies
    off the board.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If there are to be targets in a position or a set-up, where nobody has a turn.
    """
    require_type(scene, GameState | HalfTurn | Position | Setup, "scene")
    require_type(coordinates, bool, "coordinates")
    require_type(last, Action | None, "last")
    require_type(style, Style, "style")
    require_type(targets, bool, "targets")
    node = scene if isinstance(scene, GameState | HalfTurn) else None
    setup = _setup_of(scene)
    canvas = _Canvas(setup.board, _GLYPHS[style])
    canvas.draw_land(setup)
    unclear = canvas.draw_bridges(setup)
    if targets:
        canvas.draw_targets(node)
    if isinstance(node, HalfTurn):
        canvas.draw_first(node)
    if isinstance(last, PlaceTiles | BuildBridge):
        canvas.draw_marks((last.a, last.b))
    rows = canvas.rows()
    if coordinates:
        rows = _with_coordinates(setup.board, rows)
    notes = [[Span(note, Role.NOTE)] for note in _notes(setup, unclear)]
    return tuple(_joined(row) for row in (*rows, *notes))


def _setup_of(scene: Node | Position | Setup) -> Setup:
    if isinstance(scene, Setup):
        return scene
    return (scene if isinstance(scene, Position) else scene.position).setup()


class _Canvas:
    """The characters of a board, each with its role."""

    def __init__(self, board: Board, glyphs: _Glyphs) -> None:
        self.board = board
        self.glyphs = glyphs
        # Land goes one character beyond the outermost cells.
        self._columns = range(-1, COLUMN_STEP * (board.width - 1) + 2)
        self._lines = range(ROW_STEP * (board.height - 1) + 1)
        self._spans: dict[Point, Span] = {}
        for cell in board.cells:
            self._spans[self._point(cell)] = Span(glyphs.water, Role.WATER)

    def rows(self) -> list[list[Span]]:
        """Return what has been drawn, line by line."""
        blank = Span(" ", Role.WATER)
        return [[self._spans.get((x, y), blank) for x in self._columns] for y in self._lines]

    def draw_land(self, setup: Setup) -> None:
        """Draw all tiles that lie on the board, and the land around them."""
        for color, cells in enumerate((setup.white, setup.red)):
            geometry = self.board.geometry
            tiles = self.board.cell_set(cell for cell in cells if cell in self.board)
            for group in groups(geometry, tiles.bits):
                island = group.bit_count() == ISLAND_SIZE
                glyph = (self.glyphs.islands if island else self.glyphs.sandbanks)[color]
                self._draw_group({geometry.cells[i] for i in bits(group)}, color, glyph)
        for cell in set(setup.white) & set(setup.red) & set(self.board):
            self._spans[self._point(cell)] = Span(self.glyphs.both, Role.FAULT)

    def _draw_group(self, cells: set[Cell], color: int, glyph: str) -> None:
        land = Span(self.glyphs.land[color], _LAND[color])
        for cell in cells:
            x, y = self._point(cell)
            right = Cell(cell.column + 1, cell.row) in cells
            above = Cell(cell.column, cell.row + 1) in cells
            corner = right and above and Cell(cell.column + 1, cell.row + 1) in cells
            ground = [(x - 1, y), (x + 1, y)]
            ground += [(x + 2, y)] if right else []
            ground += [(x - 1, y - 1), (x, y - 1), (x + 1, y - 1)] if above else []
            ground += [(x + 2, y - 1)] if corner else []
            self._spans.update((point, land) for point in ground)
            self._spans[x, y] = Span(glyph, _TILES[color])

    def draw_bridges(self, setup: Setup) -> list[Bridge]:
        """Draw the bridges and the cells that they block; return those that are not clear."""
        paths = {bridge: self._path(bridge) for bridge in setup.bridges}
        for bridge in setup.bridges:
            for point in map(self._point, bridge.cells_beneath):
                if point in self._spans and self._spans[point].role is Role.WATER:
                    self._spans[point] = Span(self.glyphs.blocked, Role.BLOCKED)
        shared = Counter(point for path in paths.values() for point in path)
        unclear = []
        for bridge, path in paths.items():
            role = self._role(setup, bridge)
            clear = bool(path)
            for point, glyph in path.items():
                under = self._spans.get(point)
                open_water = under is None or under.role in (Role.WATER, Role.BLOCKED)
                clear = clear and open_water and shared[point] == 1
                if open_water:
                    self._spans[point] = Span(glyph, role)
            if not clear:
                unclear.append(bridge)
        return unclear

    def draw_targets(self, node: Node | None) -> None:
        """Mark the cells where the turn may go on with a tile."""
        if node is None:
            raise PonteError("nobody has a turn in a position or a set-up: there are no targets")
        cells = node.second_tiles if isinstance(node, HalfTurn) else node.legal_actions.first_tiles
        for cell in cells:
            self._spans[self._point(cell)] = Span(self.glyphs.target, Role.TARGET)

    def draw_first(self, node: HalfTurn) -> None:
        """Draw the tile that has been shown."""
        glyph = self.glyphs.firsts[node.to_move is Color.RED]
        self._spans[self._point(node.first)] = Span(glyph, Role.FIRST_TILE)

    def draw_marks(self, cells: Iterable[Cell]) -> None:
        """Put the cells that are on the board in brackets."""
        for cell in cells:
            if cell in self.board:
                x, y = self._point(cell)
                self._spans[x - 1, y] = Span(self.glyphs.brackets[0], Role.MARK)
                self._spans[x + 1, y] = Span(self.glyphs.brackets[1], Role.MARK)

    def _point(self, cell: Cell) -> Point:
        return (COLUMN_STEP * cell.column, ROW_STEP * (self.board.height - 1 - cell.row))

    def _role(self, setup: Setup, bridge: Bridge) -> Role:
        for role, tiles in zip(_BRIDGES, (setup.white, setup.red), strict=True):
            if bridge.a in tiles and bridge.b in tiles:
                return role
        return Role.FAULT

    def _path(self, bridge: Bridge) -> dict[Point, str]:
        """Return the characters of a bridge, none if it cannot be drawn."""
        if not bridge.has_bridge_shape or not all(end in self.board for end in bridge.ends):
            return {}
        (x, y), (right, bottom) = sorted(map(self._point, bridge.ends))
        slope = 1 if bottom > y else -1
        steps, glyphs = self._line(right - x, bottom - y)
        return {(x + i, y + slope * j): glyph for (i, j), glyph in zip(steps, glyphs, strict=True)}

    def _line(self, across: int, down: int) -> tuple[Iterable[Point], str]:
        """Return the way of a bridge as if it went down, and its characters."""
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


def _notes(setup: Setup, unclear: list[Bridge]) -> Iterator[str]:
    """Say in words what a picture of a set-up does not show, or not clearly."""
    if unclear:
        yield f"not drawn clearly: {', '.join(map(str, unclear))}"
    for name, cells in (("white", setup.white), ("red", setup.red)):
        off = [str(cell) for cell in cells if cell not in setup.board]
        if off:
            yield f"{name} off the board: {', '.join(off)}"


def _joined(row: Iterable[Span]) -> tuple[Span, ...]:
    """Join neighbours of the same role."""
    runs = groupby(row, key=lambda span: span.role)
    return tuple(Span("".join(span.text for span in run), role) for role, run in runs)
