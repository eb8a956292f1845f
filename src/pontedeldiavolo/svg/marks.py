"""Marks over a board: the last action, highlighted cells, what could be done, what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten
from typing import NamedTuple

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.numbers import joined
from pontedeldiavolo.svg.themes import Theme
from pontedeldiavolo.svg.view import View
from pontedeldiavolo.svg.words import Words

BRACKETS = "v-7q0-5 5-5h7m12 0h7q5 0 5 5v7m0 12v7q0 5-5 5h-7m-12 0h-7q-5 0-5-5v-7"
RING = "a15 15 0 1 1 0 .1z"
DISC = 5
CROSS = "m-3.5-3.5l7 7m0-7l-7 7"
BADGE = 7
LONGEST = 200
"""How long a sentence on a fault may be, which stands at every cell that it names."""


def last_action(
    last: Action | PlaceTile, board: Board, view: View, theme: Theme, words: Words
) -> Iterator[str]:
    """Brackets around the cells of an action; cells off the board have none."""
    if isinstance(last, PlaceTiles | BuildBridge):
        cells: tuple[Cell, ...] = (last.a, last.b)
    else:
        cells = (last.cell,) if isinstance(last, PlaceTile) else ()
    numbers = [board.index(cell) for cell in cells if cell in board]
    if numbers:
        mark = _Mark("last", theme.last, theme.edge, (2, 14), BRACKETS)
        yield from _group(mark, numbers, view, words)


def highlights(cells: Iterable[int], view: View, theme: Theme, words: Words) -> Iterator[str]:
    """Rings in highlighted cells."""
    mark = _Mark("highlight", theme.highlight, theme.paper, (5, 20), RING)
    yield from _group(mark, cells, view, words)


class _Mark(NamedTuple):
    """A line with a border, so that it shows on any ground."""

    kind: str
    color: str
    around: str
    start: tuple[int, int]
    strokes: str


def _group(mark: _Mark, cells: Iterable[int], view: View, words: Words) -> Iterator[str]:
    """Marks of one kind."""
    right, below = mark.start
    paths = {}
    for cell in cells:
        x, y = view.points[cell]
        paths[view.names[cell]] = f"M{x + right} {y + below}{mark.strokes}"
    yield (
        f'<g fill="none" stroke-linecap="round"><path stroke="{mark.around}" stroke-width="5"'
        f' d="{"".join(paths.values())}"/><g stroke="{mark.color}" stroke-width="2.6">'
    )
    for name, path in paths.items():
        yield (
            f'<path class="{mark.kind}" data-cell="{name}" d="{path}">'
            f"{words.title(mark.kind, cell=name)}</path>"
        )
    yield "</g></g>"


def targets(node: Node, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """Discs where a tile may go, and lines where a bridge may be built."""
    board = node.rules.board
    bridges: Iterable[Bridge] = ()
    if isinstance(node, HalfTurn):
        cells = node.second_tiles
    else:
        cells = node.legal_actions.first_tiles
        bridges = (each.bridge for each in node.legal_actions.bridges)
    yield f'<g fill="{theme.target}" stroke="{theme.paper}" stroke-width="1.2">'
    for cell in map(board.index, cells):
        x, y = view.points[cell]
        name = view.names[cell]
        yield (
            f'<circle class="target" data-cell="{name}" cx="{x + 20}" cy="{y + 20}" r="{DISC}">'
            f"{words.title('target', place=name)}</circle>"
        )
    yield "</g>"
    lines = {str(bridge): _line(bridge, board, view) for bridge in bridges}
    if lines:
        yield from _lines(lines, theme, words)


def _lines(lines: dict[str, str], theme: Theme, words: Words) -> Iterator[str]:
    """Dotted lines, all of them on a border."""
    yield (
        f'<g fill="none" stroke-linecap="round"><path stroke="{theme.paper}" stroke-width="4.6"'
        f' d="{"".join(lines.values())}"/><g stroke="{theme.target}" stroke-width="2.4"'
        ' stroke-dasharray=".1 5">'
    )
    for name, path in lines.items():
        yield (
            f'<path class="target" data-bridge="{name}" d="{path}">'
            f"{words.title('target', place=name)}</path>"
        )
    yield "</g></g>"


def _line(bridge: Bridge, board: Board, view: View) -> str:
    (x, y), (to_x, to_y) = (view.middle(board.index(end)) for end in bridge.ends)
    return f"M{x} {y}l{joined(to_x - x, to_y - y)}"


def faults(
    found: Iterable[Violation], board: Board, view: View, theme: Theme, words: Words
) -> Iterator[str]:
    """Crosses on cells and bridges at fault, which say what is wrong."""
    cells: dict[int, list[str]] = {}
    bridges: dict[Bridge, list[str]] = {}
    for each in found:
        sentence = shorten(words.explained(each), LONGEST, placeholder=" …")
        for cell in each.cells:
            if cell in board:
                cells.setdefault(board.index(cell), []).append(sentence)
        for bridge in each.bridges:
            if bridge.a in board and bridge.b in board:
                bridges.setdefault(bridge, []).append(sentence)
    yield (
        f'<g fill="{theme.fault}" stroke="{theme.paper}" stroke-width="1.8" stroke-linecap="round">'
    )
    for number, sentences in cells.items():
        x, y = view.points[number]
        yield _fault(f'data-cell="{view.names[number]}"', sentences, x + 32, y + 8)
    for bridge, sentences in bridges.items():
        (x, y), (to_x, to_y) = (view.middle(board.index(end)) for end in bridge.ends)
        yield _fault(f'data-bridge="{bridge}"', sentences, (x + to_x) // 2, (y + to_y) // 2)
    yield "</g>"


def _fault(about: str, sentences: list[str], x: int, y: int) -> str:
    return (
        f'<g class="fault" {about}><title>{escaped(" ".join(sentences))}</title>'
        f'<circle cx="{x}" cy="{y}" r="{BADGE}"/><path d="M{x} {y}{CROSS}"/></g>'
    )
