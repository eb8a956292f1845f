"""Overlays: the last action, highlights, targets, faults, arrows, and captions below the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.checks import instance_of
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.board_view import tile_targets
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.svg.captions import escaped
from pontedeldiavolo.svg.layers import Context
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.outlines import arrow_outline
from pontedeldiavolo.svg.svgpath import text_path, text_width
from pontedeldiavolo.svg.themes import Theme, color

BRACKETS = "v-7q0-5 5-5h7m12 0h7q5 0 5 5v7m0 12v7q0 5-5 5h-7m-12 0h-7q-5 0-5-5v-7"
RING = "a15 15 0 1 1 0 .1z"
CROSS = "m-3.5-3.5l7 7m0-7l-7 7"
MOST_OF_SENTENCE = 200
"""The most characters of a sentence on a fault, which stands at every cell that it names."""
LINE_HEIGHT = 18
"""The distance between lines of captions."""


def _color(value: str | None) -> str | None:
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
        start: The cell where it starts.
        end: The cell that it points at; an arrow that ends where it starts is a ring.
        color: ``#`` and six hexadecimal digits; ``None`` for the theme's own.

    Raises:
        PonteError: If the colour is not written in this way.
    """

    start: Cell = field(validator=instance_of(Cell))
    end: Cell = field(validator=instance_of(Cell))
    color: str | None = field(default=None, converter=_color)


def last_action(cells: Iterable[int], context: Context) -> Iterator[str]:
    """Brackets around the cells of an action."""
    theme = context.theme
    return _marks("last", cells, context, (theme.last, theme.edge), (2, 14, BRACKETS))


def highlights(cells: Iterable[int], context: Context) -> Iterator[str]:
    """Rings in highlighted cells."""
    theme = context.theme
    return _marks("highlight", cells, context, (theme.highlight, theme.paper), (5, 20, RING))


def _marks(
    kind: str,
    cells: Iterable[int],
    context: Context,
    colors: tuple[str, str],
    mark: tuple[int, int, str],
) -> Iterator[str]:
    """Marks of one kind: lines with a border of another colour, to be seen on any ground."""
    layout, (dx, dy, strokes) = context.layout, mark
    paths = {}
    for cell in cells:
        x, y = layout.points[cell]
        paths[layout.names[cell]] = f"M{x + dx} {y + dy}{strokes}"
    yield (
        f'<g fill="none" stroke-linecap="round"><path stroke="{colors[1]}" stroke-width="5"'
        f' d="{"".join(paths.values())}"/><g stroke="{colors[0]}" stroke-width="2.6">'
    )
    for name, path in paths.items():
        yield (
            f'<path class="{kind}" data-cell="{name}" d="{path}">'
            f"{context.captions.title(kind, cell=name)}</path>"
        )
    yield "</g></g>"


def targets(node: Node, context: Context) -> Iterator[str]:
    """Discs where a tile may be placed, and dotted lines where a bridge may be built."""
    layout, theme, captions = context
    yield f'<g fill="{theme.target}" stroke="{theme.paper}" stroke-width="1.2">'
    for cell in bits(tile_targets(node)):
        x, y = layout.points[cell]
        name = layout.names[cell]
        yield (
            f'<circle class="target" data-cell="{name}" cx="{x + 20}" cy="{y + 20}" r="5">'
            f"{captions.title('target', place=name)}</circle>"
        )
    yield "</g>"
    if isinstance(node, HalfTurn) or not node.legal_actions.bridges:
        return
    index = node.rules.board.index
    lines = {
        str(each.bridge): layout.line(index(each.a), index(each.b))
        for each in node.legal_actions.bridges
    }
    yield (
        f'<g fill="none" stroke-linecap="round"><path stroke="{theme.paper}" stroke-width="4.6"'
        f' d="{"".join(lines.values())}"/><g stroke="{theme.target}" stroke-width="2.4"'
        ' stroke-dasharray=".1 5">'
    )
    for name, path in lines.items():
        yield (
            f'<path class="target" data-bridge="{name}" d="{path}">'
            f"{captions.title('target', place=name)}</path>"
        )
    yield "</g></g>"


def faults(found: Iterable[Violation], board: Board, context: Context) -> Iterator[str]:
    """Crosses on cells and bridges at fault, whose titles say what is wrong."""
    layout, theme, captions = context
    said: dict[Cell | Bridge, list[str]] = {}
    for each in found:
        sentence = shorten(captions.explained(each), MOST_OF_SENTENCE, placeholder=" …")
        parts: tuple[Cell | Bridge, ...] = (*each.cells, *each.bridges)
        for part in parts:
            said.setdefault(part, []).append(sentence)
    yield (
        f'<g fill="{theme.fault}" stroke="{theme.paper}" stroke-width="1.8" stroke-linecap="round">'
    )
    cells = {cell: text for cell, text in said.items() if isinstance(cell, Cell) and cell in board}
    for cell, sentences in cells.items():
        x, y = layout.points[board.index(cell)]
        yield _fault(f'data-cell="{cell}"', sentences, x + 32, y + 8)
    for bridge, sentences in said.items():
        if isinstance(bridge, Bridge) and bridge.a in board and bridge.b in board:
            (x, y), (to_x, to_y) = (layout.middle(board.index(end)) for end in bridge.ends)
            yield _fault(f'data-bridge="{bridge}"', sentences, (x + to_x) // 2, (y + to_y) // 2)
    yield "</g>"


def _fault(about: str, sentences: list[str], x: int, y: int) -> str:
    return (
        f'<g class="fault" {about}><title>{escaped(" ".join(sentences))}</title>'
        f'<circle cx="{x}" cy="{y}" r="7"/><path d="M{x} {y}{CROSS}"/></g>'
    )


def arrow(shown: Arrow, board: Board, context: Context) -> str:
    """An arrow from cell to cell."""
    layout, theme, captions = context
    title = captions.title("arrow", start=str(shown.start), end=str(shown.end))
    start, end = (layout.middle(board.index(cell)) for cell in (shown.start, shown.end))
    return (
        f'<path class="arrow" data-cell="{shown.start}" data-to="{shown.end}"'
        f' fill="{shown.color or theme.arrow}" stroke="{theme.paper}" stroke-width="1.5"'
        f' d="{arrow_outline(start, end)}">{title}</path>'
    )


def broken_lines(sentences: Iterable[str], layout: Layout) -> list[str]:
    """Return sentences in lines as long as the board is wide; a longer word has its own line."""
    most = layout.width - 2 * layout.far
    found: list[str] = []
    for sentence in sentences:
        line = ""
        for word in sentence.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer) > most:
                found.append(line)
                longer = word
            line = longer
        found.append(line)
    return found


def lines_below(lines: list[str], layout: Layout, theme: Theme) -> Iterator[str]:
    """Lines of text below the board."""
    for number, line in enumerate(lines):
        y = layout.height + LINE_HEIGHT * number + LINE_HEIGHT / 2
        yield (
            f'<path class="note" fill="none" stroke="{theme.text}" stroke-width="1.5"'
            f' stroke-linecap="round" stroke-linejoin="round"'
            f' d="{text_path(line, layout.far, y)}">'
            f"<title>{escaped(line)}</title></path>"
        )
