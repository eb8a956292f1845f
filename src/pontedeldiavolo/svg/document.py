"""Drawing: from a scene and what is to be shown with it to a whole picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.checks import instance_of
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.drawable import Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.svg import layers, marks
from pontedeldiavolo.svg import networks as nets
from pontedeldiavolo.svg.arrows import Arrow, arrow_path
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.notes import LINE, lines_of, notes
from pontedeldiavolo.svg.order import Order
from pontedeldiavolo.svg.scenery import Scenery, Tile, of_pieces, of_setup
from pontedeldiavolo.svg.themes import LIGHT, Theme
from pontedeldiavolo.svg.timeline import of_game
from pontedeldiavolo.svg.view import View
from pontedeldiavolo.svg.words import Words, description_of, title_of

LARGEST_SIZE = 100_000


@final
@frozen(order=False)
class Svg(ImmutableValue):
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


class _Extras(NamedTuple):
    """What is drawn over or under the pieces."""

    rings: list[int]
    arrows: list[Arrow]
    heat: dict[int, float]
    node: Node | None


def render(
    scene: Drawable,
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
    catalog: Catalog = ENGLISH,
) -> Svg:
    """Return a picture of a board: a set-up's faults are marked, a game's end is shown.

    Args:
        scene: What to show.
        last: An action or a step whose cells get brackets, where they are on the board.
        highlights: Cells to put a ring in.
        targets: Whether to mark where the player to move may place a tile or build a bridge.
        arrows: Arrows over everything.
        heat: Numbers that tint cells, each in proportion to the one furthest from 0.
        coordinates: Whether to write column letters and row numbers.
        networks: Whether to tint networks and to write what each is worth.
        symmetry: How to turn or mirror the board; cells keep their names.
        theme: The colours.
        size: The pixels of the longer side; ``None`` to fit wherever it is shown.
        catalog: The language of the title, the description and the titles of parts.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If a cell is off the board, a number of *heat* not finite, *symmetry* one of
            another board, *size* not 1 to 100,000, *targets* of a position or a set-up,
            which nobody has a turn in, or if *catalog* lacks a word or a sentence.
    """
    look = (coordinates, networks, symmetry, theme, size, catalog)
    return _drawn(Order(scene, last, highlights, targets, arrows, heat, *look))


def _drawn(order: Order) -> Svg:
    # Everything is looked at before anything is drawn.
    extras = _Extras(order.rings(), order.pointers(), order.warmth(), order.node())
    view, pixels, words = order.view(), order.pixels(), Words(order.catalog)
    scenery = _scenery_of(order.scene, networks=order.networks)
    beginning = _beginning(order, scenery, view, pixels, words)
    return Svg("".join([*beginning, *_layers(order, scenery, extras, view, words), "</svg>"]))


def _scenery_of(scene: Drawable, *, networks: bool) -> Scenery:
    if isinstance(scene, Game):
        return of_game(scene, networks=networks)
    if isinstance(scene, Setup):
        return of_setup(scene, networks=networks)
    first = None
    if isinstance(scene, HalfTurn) and scene.to_move is not None:
        first = Tile(scene._first_index, scene.to_move.index)
    return of_pieces(scene._pieces, first, networks=networks)


def _beginning(
    order: Order, scenery: Scenery, view: View, pixels: int | None, words: Words
) -> Iterator[str]:
    """The beginning of the document, with what it says in words."""
    theme = order.theme
    lines = lines_of(words.off_board(scenery), view)
    wide, high = view.width, view.height + LINE * len(lines)
    scale = "" if pixels is None else _scale(wide, high, pixels)
    board = scenery.board
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
        f' data-board="{board.width}x{board.height}" viewBox="0 0 {wide} {high}"{scale}>'
        f"<title>{escaped(title_of(order.scene, words))}</title>"
        f"<desc>{escaped(description_of(order.scene, scenery, view, words))}</desc>"
        f'<rect class="paper" width="{wide}" height="{high}" fill="{theme.paper}"/>'
    )
    if view.coordinates:
        yield layers.labels(view, theme, words)
    yield from notes(lines, view, theme)


def _scale(wide: float, high: float, pixels: int) -> str:
    longer = max(wide, high)
    width, height = (max(1, round(pixels * side / longer)) for side in (wide, high))
    return f' width="{width}" height="{height}"'


def _layers(
    order: Order, scenery: Scenery, extras: _Extras, view: View, words: Words
) -> Iterator[str]:
    """All layers from the sea up."""
    board, theme = scenery.board, order.theme
    yield from layers.sea(scenery, view, theme)
    if extras.heat:
        yield from layers.heat(extras.heat, view, theme)
    yield from layers.blocked(scenery, view, theme, words)
    yield from layers.land(scenery, view, theme, words)
    yield from layers.tiles(scenery, view, theme, words)
    yield from nets.tints(scenery, view, theme, words)
    yield from layers.bridges(scenery, view, theme, words)
    yield from nets.points(scenery, view, theme, words)
    if order.last is not None:
        yield from marks.last_action(order.last, board, view, theme, words)
    if extras.rings:
        yield from marks.highlights(extras.rings, view, theme, words)
    if extras.node is not None:
        yield from marks.targets(extras.node, view, theme, words)
    if scenery.faults:
        yield from marks.faults(scenery.faults, board, view, theme, words)
    for arrow in extras.arrows:
        yield _arrow(arrow, board, view, theme, words)


def _arrow(arrow: Arrow, board: Board, view: View, theme: Theme, words: Words) -> str:
    title = words.title("arrow", start=str(arrow.start), end=str(arrow.end))
    ends = (view.middle(board.index(cell)) for cell in (arrow.start, arrow.end))
    return (
        f'<path class="arrow" data-cell="{arrow.start}" data-to="{arrow.end}"'
        f' fill="{arrow.color or theme.arrow}" stroke="{theme.paper}" stroke-width="1.5"'
        f' d="{arrow_path(*ends)}">{title}</path>'
    )
