"""Overlays: the last action, highlights, targets, faults, arrows, and captions below the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.errors import instance_of, require_type
from pontedeldiavolo.base.messages import filled
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.board_view import Drawable, node_to_move, tile_targets
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import HalfTurn

from .captions import Captions, escaped
from .layers import Context, plate
from .layout import Layout
from .outlines import arch, arrow_outline
from .svgpath import text_path, text_width
from .themes import Theme, color

FRAME = "h24q6 0 6 6v24q0 6-6 6h-24q-6 0-6-6v-24q0-6 6-6z"
"""A frame around a cell of the last action."""
RING = "a15 15 0 1 1 0 .1z"
"""A ring in a highlighted cell."""
MAX_LISTED_FAULTS = 20
"""The maximum number of faults listed below a board."""
MAX_NUMBERS = 3
"""The maximum number of faults whose numbers stand at one cell."""
LINE_HEIGHT = 16
"""The height of a line below the board."""
BASELINE = 11
"""The distance of a line's baseline from its top."""
TEXT_SCALE = 0.9
"""The scale of the letters below the board."""


def _color(value: str | None) -> str | None:
    require_type(value, str | None, "color")
    return None if value is None else color(value, "color")


@final
@frozen(order=False)
class Arrow(ImmutableValue):
    """An arrow to draw over a board.

    >>> a1, c3 = pdd.parse_cell("a1"), pdd.parse_cell("c3")
    >>> arrow = pdd.svg.Arrow(a1, c3, "#5B2A86")
    >>> arrow.color
    '#5b2a86'
    >>> picture = pdd.svg.render(pdd.GameState.initial(), arrows=[arrow, pdd.svg.Arrow(a1, a1)])

    Attributes:
        start: The cell at which it starts.
        end: The cell that it points to; an arrow that ends where it starts is a ring.
        color: ``#`` and six hexadecimal digits; ``None`` for the theme's colour.

    Raises:
        PonteError: If the colour has another form.
    """

    start: Cell = field(validator=instance_of(Cell))
    end: Cell = field(validator=instance_of(Cell))
    color: str | None = field(default=None, converter=_color)


def marks(kind: str, cells: Iterable[int], context: Context) -> Iterator[str]:
    """Yield a frame around each cell of the last action, or a ring in each highlighted cell.

    Lines have a border in another colour, so that they are visible on any background.
    """
    layout, theme, captions = context
    ink = theme.highlight
    edge = theme.paper
    dx = 5
    dy = 20
    strokes = RING
    if kind == "last":
        ink = theme.last
        edge = theme.edge
        dx = 8
        dy = 2
        strokes = FRAME
    places = ((layout.names[cell], layout.points[cell]) for cell in cells)
    paths = {name: f"M{x + dx} {y + dy}{strokes}" for name, (x, y) in places}
    yield f'<g fill="none" stroke-linecap="round"><path stroke="{edge}" stroke-width="5"'
    yield f' d="{"".join(paths.values())}"/><g stroke="{ink}" stroke-width="2.6">'
    for name, path in paths.items():
        title = captions.title(kind, cell=name)
        yield f'<path class="{kind}" data-cell="{name}" d="{path}">{title}</path>'
    yield "</g></g>"


def targets(drawable: Drawable, context: Context) -> Iterator[str]:
    """Yield plus signs for legal tiles, and dashed arches for legal bridges."""
    layout, theme, captions = context
    node = node_to_move(drawable)
    found = []
    for cell in bits(tile_targets(node)):
        x, y = layout.points[cell]
        name = layout.names[cell]
        found.append((name, f'data-cell="{name}"', f"M{x + 16} {y + 20}h8m-4-4v8"))
    if not isinstance(node, HalfTurn):
        for action in node.legal_actions.bridges:
            a = node.rules.board.index(action.a)
            b = node.rules.board.index(action.b)
            about = f'data-bridge="{action.bridge}" stroke-dasharray="4 4"'
            found.append((str(action.bridge), about, layout.deck(a, b)))
    yield f'<g class="targets" fill="none" stroke="{theme.target}" stroke-width="1.8"'
    yield ' stroke-linecap="round">'
    for name, about, path in found:
        title = captions.title("target", place=name)
        yield f'<path class="target" {about} d="{path}">{title}</path>'
    yield "</g>"


def faults(found: Iterable[Violation], board: Board, context: Context) -> Iterator[str]:
    """Yield the numbers of faults on the cells and bridges concerned, with reasons as titles."""
    layout, theme, captions = context
    said: dict[Cell | Bridge, list[tuple[str, str]]] = {}
    for number, each in enumerate(found, 1):
        reason = str(number), captions.explained(each)
        cells = [cell for cell in each.cells if cell in board]
        bridges = [bridge for bridge in each.bridges if bridge.a in board and bridge.b in board]
        for part in cells or bridges:
            said.setdefault(part, []).append(reason)
    yield '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
    for part, reasons in said.items():
        if isinstance(part, Bridge):
            a, b = map(board.index, part.ends)
            x, y = layout.middle(a)
            right, down = arch(*layout.step(a, b)).crown
            x += right
            y += down
            about = f'data-bridge="{part}"'
        else:
            x, y = layout.points[board.index(part)]
            # The upper right corner of the cell.
            x += 30
            y += 10
            about = f'data-cell="{part}"'
        numbers, sentences = zip(*reasons[:MAX_NUMBERS], strict=True)
        shown = plate(",".join(numbers), x, y, theme.fault, theme.paper)
        title = escaped(" ".join(sentences))
        yield f'<g class="fault" {about}><title>{title}</title>{shown}</g>'
    yield "</g>"


def legend(found: tuple[Violation, ...], captions: Captions) -> list[str]:
    """Return a line with number and text for each fault; a long list is cut off."""
    lines = [f"{number} {captions.explained(each)}" for number, each in enumerate(found, 1)]
    more = len(lines) - MAX_LISTED_FAULTS
    if more > 1:
        lines[MAX_LISTED_FAULTS:] = [filled(captions.catalog, "and-more", {"count": more})]
    return lines


def arrow(shown: Arrow, board: Board, context: Context) -> Iterator[str]:
    """Yield an arrow from cell to cell."""
    layout, theme, captions = context
    title = captions.title("arrow", start=str(shown.start), end=str(shown.end))
    start, end = (layout.middle(board.index(cell)) for cell in (shown.start, shown.end))
    yield f'<path class="arrow" data-cell="{shown.start}" data-to="{shown.end}"'
    yield f' fill="{shown.color or theme.arrow}" stroke="{theme.paper}" stroke-width="1.5"'
    yield f' d="{arrow_outline(start, end)}">{title}</path>'


def broken_lines(sentences: Iterable[str], layout: Layout, letters: float = 1.0) -> list[str]:
    """Break sentences into lines as wide as the board; a longer word gets a separate line.

    Args:
        sentences: The sentences.
        layout: The layout of the picture.
        letters: The size of the letters, as a multiple of the usual one.
    """
    max_width = (layout.width - 2 * layout.far) / (TEXT_SCALE * letters)
    found: list[str] = []
    for sentence in sentences:
        line = ""
        for word in sentence.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer) > max_width:
                found.append(line)
                longer = word
            line = longer
        found.append(line)
    return found


def lines_below(
    lines: list[str], layout: Layout, theme: Theme, letters: float = 1.0
) -> Iterator[str]:
    """Yield lines of text below the board; *letters* is a multiple of the usual size."""
    scale = TEXT_SCALE * letters
    x = layout.far / scale
    y = (layout.height + BASELINE * letters) / scale
    step = round(LINE_HEIGHT * letters) / scale
    drawn = [text_path(line, x, y + step * number) for number, line in enumerate(lines)]
    yield f'<path class="note" fill="none" stroke="{theme.text}" stroke-width="1.5"'
    yield f' stroke-linecap="round" stroke-linejoin="round" transform="scale({scale:g})"'
    yield f' d="{"".join(drawn)}"><title>{escaped(" ".join(lines))}</title></path>'
