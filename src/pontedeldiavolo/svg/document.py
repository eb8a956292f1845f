"""Pictures as whole SVG documents, and their options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import isfinite
from typing import Final, SupportsIndex, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import (
    PonteError,
    instance_of,
    items_of,
    real_number,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.guesses import shows_usage
from pontedeldiavolo.base.messages import Catalog, require_catalog
from pontedeldiavolo.base.values import ImmutableValue, shortened
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry, require_board
from pontedeldiavolo.game.board_view import Drawable, NetworkView, board_of, cells_of, view_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState, HalfTurn

from . import layers, overlays
from .captions import Captions, description_of, escaped, title_of
from .layers import Context
from .layout import Layout, layout_of
from .overlays import Arrow
from .svgpath import CAP
from .themes import LIGHT, Theme
from .timeline import view_of_game

MAX_PIXELS = 100_000
"""The maximum side of a picture with a size."""
MIN_LETTER_PIXELS = 6
"""The height below which coordinates cannot be read, and are left out."""
MAX_NOTEBOOK_PIXELS = 800
"""The maximum side in a notebook for a picture without a size, with 40 pixels per cell."""
VIEW_BOX: Final = re.compile(r' viewBox="0 0 (\d+) (\d+)"(?! width)')


@final
@frozen(order=False)
class Svg(ImmutableValue):
    """A picture. A notebook shows it with up to 40 pixels per cell, unless it has a size.

    >>> picture = pdd.svg.render(pdd.GameState.initial())
    >>> picture.text == str(picture)
    True
    >>> picture.text[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'

    Attributes:
        text: The SVG document.
    """

    text: str = field(validator=instance_of(str), repr=shortened)

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return VIEW_BOX.sub(_sized, self.text, count=1)


def _sized(box: re.Match[str]) -> str:
    wide, high = map(int, box.groups())
    return f"{box[0]}{_scale(wide, high, min(max(wide, high), MAX_NOTEBOOK_PIXELS))}"


@final
@frozen
class RenderOptions:
    """The arguments of :func:`render` in order, after the checks of :func:`checked_options`."""

    drawable: Drawable
    last: Action | PlaceTile | None = None
    highlights: tuple[Cell, ...] = ()
    targets: bool = False
    arrows: tuple[Arrow, ...] = ()
    heat: Mapping[Cell, float] = field(factory=dict)
    coordinates: bool | None = None
    networks: bool = False
    symmetry: Symmetry | None = None
    theme: Theme = LIGHT
    size: SupportsIndex | None = None
    catalog: Catalog = ENGLISH
    tinted: list[NetworkView] | None = None
    """The networks of a state within a game, with the tints that they have in the game."""
    caption: list[str] | None = None
    letters: float = 1.0
    """The lines below the board."""

    @property
    def board(self) -> Board:
        """The board of the drawable."""
        return board_of(self.drawable)

    @property
    def layout(self) -> Layout:
        """The layout of the picture."""
        width = self.board.width
        height = self.board.height
        symmetry = self.symmetry or Symmetry(width, height)
        require_board(symmetry, width, height)
        shown = self.coordinates
        if shown is None:
            shown = self.size is None or has_legible_letters(self.board, int(self.size))
        return layout_of(symmetry, coordinates=shown)

    def numbered_heat(self) -> dict[int, float]:
        """Return the heat map by cell numbers."""
        found: dict[int, float] = {}
        for cell, number in self.heat.items():
            if not isfinite(number):
                raise PonteError(f"the heat of {cell} is not a finite number: {number}")
            found[self.board.index(cell)] = number
        return found


def has_legible_letters(board: Board, pixels: int) -> bool:
    """Return whether the coordinates can be read in a picture whose longer side has some pixels."""
    longer = max(board.width, board.height)
    sides = layout_of(Symmetry(longer, longer), coordinates=True)
    return CAP * pixels >= MIN_LETTER_PIXELS * sides.width


def checked_options(
    drawable: Drawable,
    last: Action | PlaceTile | None = None,
    highlights: Iterable[Cell] = (),
    targets: bool = False,  # noqa: FBT001, FBT002 - the order of render's arguments
    arrows: Iterable[Arrow] = (),
    heat: Mapping[Cell, float] | None = None,
    coordinates: bool | None = None,  # noqa: FBT001 - likewise
    networks: bool = False,  # noqa: FBT001, FBT002 - likewise
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | None = None,
    catalog: Catalog | str = "en",
) -> RenderOptions:
    """Return the arguments of a public function that draws, each of which has its type.

    Raises:
        TypeError: If one of them has another type.
    """
    require_type(drawable, Drawable, "drawable")
    require_type(last, Action | PlaceTile | None, "last")
    require_type(targets, bool, "targets")
    require_type(coordinates, bool | None, "coordinates")
    require_type(networks, bool, "networks")
    require_type(symmetry, Symmetry | None, "symmetry")
    require_type(theme, Theme, "theme")
    return RenderOptions(
        drawable,
        last,
        items_of(highlights, Cell, "highlights"),
        targets,
        items_of(arrows, Arrow, "arrows"),
        _numbers(heat),
        coordinates,
        networks,
        symmetry,
        theme,
        None if size is None else whole_number(size, "size"),
        require_catalog(catalog),
    )


def _numbers(heat: Mapping[Cell, float] | None) -> dict[Cell, float]:
    """Return a heat map with plain numbers."""
    require_type(heat, Mapping | None, "heat")
    found: dict[Cell, float] = {}
    for cell, value in (heat or {}).items():
        require_type(cell, Cell, "a key of heat")
        found[cell] = real_number(value, f"heat[{cell}]")
    return found


def pixels_of(size: SupportsIndex, maximum: int, code: str, name: str = "size") -> int:
    """Return the length of a side of a picture.

    Raises:
        PonteError: If it is not from 1 to *maximum*; *code* is the error's code.
    """
    found = whole_number(size, name)
    if not 1 <= found <= maximum:
        raise PonteError(reason(code, max=maximum, size=found))
    return found


@shows_usage
def render(
    drawable: GameState | HalfTurn | Position | Setup | Game,
    *,
    last: Action | PlaceTile | None = None,
    highlights: Iterable[Cell] = (),
    targets: bool = False,
    arrows: Iterable[Arrow] = (),
    heat: Mapping[Cell, float] | None = None,
    coordinates: bool | None = None,
    networks: bool = False,
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | None = None,
    catalog: Catalog | str = "en",
) -> Svg:
    """Return a picture of a board: of a game its end, of a set-up with its faults marked.

    >>> 'class="tile white" data-cell="a1"' in pdd.svg.render(pdd.parse_setup("w . r")).text
    True

    Args:
        drawable: The board to show.
        last: An action or a step whose cells get frames, if they are on the board.
        highlights: Cells to mark with a ring.
        targets: Whether to mark where the player to move may place a tile or build a bridge.
        arrows: Arrows over everything else.
        heat: Numbers that tint cells, each in proportion to the number furthest from 0.
        coordinates: Whether to write column letters and row numbers; by default if they are at
            least 6 pixels high in a picture of this *size*.
        networks: Whether to tint networks and to write their points.
        symmetry: A symmetry to rotate or reflect the board; cells keep their names.
        theme: The colours.
        size: The length of the longer side in pixels; ``None`` to fill the container.
        catalog: The language of the title, the description and the titles of parts, or its code.

    Raises:
        PonteError: If a cell or *symmetry* does not fit the board, *heat* is not finite, *size* is
            not from 1 to 100,000, no player is to move (*targets*), or *catalog* lacks a text.
    """
    look = (coordinates, networks, symmetry, theme, size, catalog)
    return draw(checked_options(drawable, last, highlights, targets, arrows, heat, *look))


def notebook_picture(drawable: Drawable, size: int | None = None) -> Svg:
    """Return the picture of a value in a notebook: that of a game marks its last action."""
    last = drawable.actions[-1] if isinstance(drawable, Game) and drawable.actions else None
    return render(drawable, last=last, size=size)


def draw(options: RenderOptions) -> Svg:
    """Return the picture for the arguments of :func:`render`."""
    drawable = options.drawable
    captions = Captions(options.catalog)
    layout = options.layout
    if isinstance(drawable, Game):
        view = view_of_game(drawable, networks=options.networks)
    else:
        view = view_of(drawable, networks=options.networks and options.tinted is None)
    if options.tinted:
        view = evolve(view, networks=options.tinted)
    faults = drawable.violations() if isinstance(drawable, Setup) else ()
    lines = options.caption
    if lines is None:
        lines = overlays.broken_lines(overlays.legend(faults, captions), layout)
    about = (
        f"<title>{escaped(title_of(drawable, captions))}</title>"
        f"<desc>{escaped(description_of(drawable, view, faults, captions))}</desc>"
    )
    context = Context(layout, options.theme, captions)
    heat = options.numbered_heat()
    parts = (
        _start(options, about, lines, context),
        layers.sea(view, context),
        layers.heat(heat, context) if heat else (),
        *(layer(view, context) for layer in layers.PIECES),
        _overlays(options, faults, context),
    )
    return Svg("".join([*chain(*parts), "</svg>"]))


def _start(options: RenderOptions, about: str, lines: list[str], context: Context) -> Iterator[str]:
    """Yield the start of the document, with its texts and coordinates."""
    layout, theme, _ = context
    wide = layout.width
    high = layout.height + round(overlays.LINE_HEIGHT * options.letters) * len(lines)
    scale = ""
    if options.size is not None:
        scale = _scale(wide, high, pixels_of(options.size, MAX_PIXELS, "svg-size"))
    yield '<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
    yield f' data-board="{layout.columns}x{layout.rows}" viewBox="0 0 {wide} {high}"{scale}>{about}'
    yield f'<rect class="paper" width="{wide}" height="{high}" fill="{theme.paper}"/>'
    if layout.coordinates:
        yield from layers.labels(context)
    if any(lines):
        yield from overlays.lines_below(lines, layout, theme, options.letters)


def _scale(wide: float, high: float, pixels: int) -> str:
    longer = max(wide, high)
    width, height = (max(1, round(pixels * side / longer)) for side in (wide, high))
    return f' width="{width}" height="{height}"'


def _overlays(
    options: RenderOptions, faults: tuple[Violation, ...], context: Context
) -> Iterator[str]:
    """Yield the marks over the pieces."""
    board = options.board
    last = [board.index(cell) for cell in cells_of(options.last) if cell in board]
    for kind, cells in (("last", last), ("highlight", map(board.index, options.highlights))):
        found = dict.fromkeys(cells)
        if found:
            yield from overlays.marks(kind, found, context)
    if options.targets:
        yield from overlays.targets(options.drawable, context)
    if faults:
        yield from overlays.faults(faults, board, context)
    for arrow in options.arrows:
        yield from overlays.arrow(arrow, board, context)
