"""Drawing: from a scene and what is to be shown with it to a whole picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from typing import SupportsFloat, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.checks import instance_of, require_iterable, require_type, whole_number
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.scene import Scene
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.svg import layers, marks
from pontedeldiavolo.svg import networks as nets
from pontedeldiavolo.svg.arrows import Arrow, arrow_path
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.notes import LINE, lines_of, notes
from pontedeldiavolo.svg.scenery import Scenery, Tile, of_pieces, of_setup
from pontedeldiavolo.svg.themes import LIGHT, Theme
from pontedeldiavolo.svg.timeline import of_game
from pontedeldiavolo.svg.view import View, view_of
from pontedeldiavolo.svg.words import description_of, title_of

LARGEST_SIZE = 100_000


@final
@frozen(order=False)
class Svg(Sealed):
    """A picture: its text is a whole SVG document.

    Notebooks show it as it is.

    Attributes:
        text: The document.

    Raises:
        TypeError: If *text* is not a string.
    """

    text: str = field(validator=instance_of(str))

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.text


@final
@frozen
class Extras:
    """What is drawn over or under the pieces, checked."""

    last: Action | PlaceTile | None
    highlights: list[int]
    arrows: list[Arrow]
    heat: dict[int, float]
    targets: Node | None
    networks: bool


def render(
    scene: Scene,
    *,
    last: Action | PlaceTile | None = None,
    highlights: Iterable[Cell] = (),
    targets: bool = False,
    arrows: Iterable[Arrow] = (),
    heat: Mapping[Cell, float] | None = None,
    coordinates: bool = True,
    networks: bool = False,
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | None = None,
) -> Svg:
    """Return a picture of a board.

    Args:
        scene: What to show. Of a set-up, everything that breaks a rule is marked. Of a game, the
            end of its main line is shown, and what was there before is hidden in the picture.
        last: An action or a step whose cells are put in brackets; what is off the board is not.
        highlights: Cells to put a ring in.
        targets: Whether to mark all cells where a tile may go and all bridges that may be built.
        arrows: Arrows to draw over everything.
        heat: Numbers of cells, shown as colours of the water: 0 has none, the number furthest
            from 0 has the strongest.
        coordinates: Whether to write column letters and row numbers.
        networks: Whether to tint networks and to write what each is worth.
        symmetry: How to turn or mirror the board. Cells keep their names.
        theme: The colours.
        size: How many pixels the longer side has; ``None`` to let whoever shows it decide.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If a cell is off the board, a number of the heat map is not finite, the
            symmetry belongs to another board, the size is not 1 to 100,000, or there are to be
            targets where nobody has a turn: in a position or a set-up.
    """
    require_type(scene, Scene, "scene")
    require_type(theme, Theme, "theme")
    require_type(coordinates, bool, "coordinates")
    require_type(networks, bool, "networks")
    board = _board_of(scene)
    extras = Extras(
        _last(last),
        _cells(highlights, board),
        _arrows(arrows, board),
        _heat(heat, board),
        _targets(scene, wanted=targets),
        networks,
    )
    view = _view(board, symmetry, coordinates=coordinates)
    scenery = _scenery_of(scene, networks=networks)
    parts = _document(scene, scenery, view, theme, _pixels(size))
    return Svg("".join([*parts, *_layers(scenery, extras, view, theme), "</svg>"]))


# What is handed in


def _board_of(scene: Scene) -> Board:
    return scene.board if isinstance(scene, Position | Setup) else scene.rules.board


def _last(last: Action | PlaceTile | None) -> Action | PlaceTile | None:
    require_type(last, Action | PlaceTile | None, "last")
    return last


def _cells(cells: Iterable[Cell], board: Board) -> list[int]:
    require_iterable(cells, "highlights")
    found: dict[int, None] = {}
    for cell in cells:
        require_type(cell, Cell, "a cell of highlights")
        found[board.index(cell)] = None
    return list(found)


def _arrows(arrows: Iterable[Arrow], board: Board) -> list[Arrow]:
    require_iterable(arrows, "arrows")
    found = list(arrows)
    for arrow in found:
        require_type(arrow, Arrow, "an item of arrows")
        board.index(arrow.start), board.index(arrow.end)
    return found


def _heat(heat: Mapping[Cell, float] | None, board: Board) -> dict[int, float]:
    require_type(heat, Mapping | None, "heat")
    found: dict[int, float] = {}
    for cell, value in (heat or {}).items():
        require_type(cell, Cell, "a cell of heat")
        require_type(value, SupportsFloat, "a number of heat")
        number = float(value)
        if not isfinite(number):
            raise PonteError(f"the heat of {cell} is not a finite number: {number}")
        found[board.index(cell)] = number
    return found


def _targets(scene: Scene, *, wanted: bool) -> Node | None:
    require_type(wanted, bool, "targets")
    if not wanted:
        return None
    if isinstance(scene, Position | Setup):
        raise PonteError("nobody has a turn in a position or a set-up: there are no targets")
    return scene.state if isinstance(scene, Game) else scene


def _view(board: Board, symmetry: Symmetry | None, *, coordinates: bool) -> View:
    require_type(symmetry, Symmetry | None, "symmetry")
    if symmetry is None:
        symmetry = Symmetry(board.width, board.height)
    symmetry.require_board(board.width, board.height)
    return view_of(symmetry, coordinates=coordinates)


def _pixels(size: SupportsIndex | None) -> int | None:
    if size is None:
        return None
    found = whole_number(size, "size")
    if not 1 <= found <= LARGEST_SIZE:
        raise PonteError(f"a picture has 1 to {LARGEST_SIZE:,} pixels, not {found:,}")
    return found


def _scenery_of(scene: Scene, *, networks: bool) -> Scenery:
    if isinstance(scene, Game):
        return of_game(scene, networks=networks)
    if isinstance(scene, Setup):
        return of_setup(scene, networks=networks)
    first = None
    if isinstance(scene, HalfTurn) and scene.to_move is not None:
        first = Tile(scene._first_index, scene.to_move.index)
    return of_pieces(scene._pieces, first, networks=networks)


# What comes out


def _document(
    scene: Scene, scenery: Scenery, view: View, theme: Theme, pixels: int | None
) -> Iterator[str]:
    """The beginning of the document, with what it says in words."""
    lines = lines_of(scenery.off_board, view)
    wide, high = view.width, view.height + LINE * len(lines)
    scale = "" if pixels is None else _scale(wide, high, pixels)
    board = scenery.board
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
        f' data-board="{board.width}x{board.height}" viewBox="0 0 {wide} {high}"{scale}>'
        f"<title>{escaped(title_of(scene))}</title>"
        f"<desc>{escaped(description_of(scene, scenery, view))}</desc>"
        f'<rect class="paper" width="{wide}" height="{high}" fill="{theme.paper}"/>'
    )
    if view.coordinates:
        yield (
            f'<g class="labels" fill="none" stroke="{theme.text}" stroke-width="1.5"'
            f' stroke-linecap="round" stroke-linejoin="round">{view.labels}</g>'
        )
    yield from notes(lines, view, theme)


def _scale(wide: float, high: float, pixels: int) -> str:
    longer = max(wide, high)
    width, height = (max(1, round(pixels * side / longer)) for side in (wide, high))
    return f' width="{width}" height="{height}"'


def _layers(scenery: Scenery, extras: Extras, view: View, theme: Theme) -> Iterator[str]:
    """All layers from the sea up."""
    board = scenery.board
    yield from layers.sea(scenery, view, theme)
    if extras.heat:
        yield from layers.heat(extras.heat, view, theme)
    yield from layers.blocked(scenery, view, theme)
    yield from layers.land(scenery, view, theme)
    yield from layers.tiles(scenery, view, theme)
    yield from nets.tints(scenery, view, theme)
    yield from layers.bridges(scenery, view, theme)
    yield from nets.points(scenery, view, theme)
    if extras.last is not None:
        yield from marks.last_action(extras.last, board, view, theme)
    if extras.highlights:
        yield from marks.highlights(extras.highlights, view, theme)
    if extras.targets is not None:
        yield from marks.targets(extras.targets, view, theme)
    if scenery.faults:
        yield from marks.faults(scenery.faults, board, view, theme)
    for arrow in extras.arrows:
        yield _arrow(arrow, board, view, theme)


def _arrow(arrow: Arrow, board: Board, view: View, theme: Theme) -> str:
    ends = (view.middle(board.index(cell)) for cell in (arrow.start, arrow.end))
    return (
        f'<path class="arrow" data-cell="{arrow.start}" data-to="{arrow.end}"'
        f' fill="{arrow.color or theme.arrow}" stroke="{theme.paper}" stroke-width="1.5"'
        f' d="{arrow_path(*ends)}"><title>{arrow.start} to {arrow.end}</title></path>'
    )
