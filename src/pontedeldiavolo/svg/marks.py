"""Marks over a board: the last action, highlighted cells, what could be done, what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import shorten

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.messages import explain
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.themes import Theme
from pontedeldiavolo.svg.view import View

BRACKETS = "v-7q0-5 5-5h7m12 0h7q5 0 5 5v7m0 12v7q0 5-5 5h-7m-12 0h-7q-5 0-5-5v-7"
RING = "a15 15 0 1 1 30 0a15 15 0 1 1-30 0z"
DISC = "a5 5 0 1 1 10 0a5 5 0 1 1-10 0z"
CROSS = "m-3.5-3.5l7 7m0-7l-7 7"
BADGE = 7
LONGEST = 200
"""How long a sentence on a fault may be, which stands at every cell that it names."""


def last_action(last: Action | PlaceTile, board: Board, view: View, theme: Theme) -> Iterator[str]:
    """Brackets around the cells of an action; cells off the board have none."""
    if isinstance(last, PlaceTiles | BuildBridge):
        cells: tuple[Cell, ...] = (last.a, last.b)
    else:
        cells = (last.cell,) if isinstance(last, PlaceTile) else ()
    numbers = [board.index(cell) for cell in cells if cell in board]
    if numbers:
        yield from _group("last", numbers, view, theme.last, theme.edge, (2, 14, BRACKETS))


def highlights(cells: Iterable[int], view: View, theme: Theme) -> Iterator[str]:
    """Rings in highlighted cells."""
    yield from _group("highlight", cells, view, theme.highlight, theme.paper, (5, 20, RING))


def _group(
    kind: str, cells: Iterable[int], view: View, color: str, around: str, mark: tuple[int, int, str]
) -> Iterator[str]:
    """Marks of one kind, each a line with a border, so that it shows on any ground."""
    right, below, strokes = mark
    yield '<g fill="none" stroke-linecap="round">'
    for cell in cells:
        x, y = view.points[cell]
        name = view.names[cell]
        path = f'd="M{x + right},{y + below}{strokes}"'
        yield (
            f'<g class="{kind}" data-cell="{name}"><title>{name}: {kind}</title>'
            f'<path stroke="{around}" stroke-width="5" {path}/>'
            f'<path stroke="{color}" stroke-width="2.6" {path}/></g>'
        )
    yield "</g>"


def targets(node: Node, view: View, theme: Theme) -> Iterator[str]:
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
            f'<path class="target" data-cell="{name}" d="M{x + 15},{y + 20}{DISC}">'
            f"<title>{name}: target</title></path>"
        )
    yield "</g>"
    for bridge in bridges:
        yield _line(bridge, board, view, theme)


def _line(bridge: Bridge, board: Board, view: View, theme: Theme) -> str:
    (x, y), (to_x, to_y) = (view.middle(board.index(end)) for end in bridge.ends)
    path = f'd="M{x},{y}L{to_x},{to_y}" fill="none" stroke-linecap="round"'
    return (
        f'<g class="target" data-bridge="{bridge}"><title>{bridge}: target</title>'
        f'<path stroke="{theme.paper}" stroke-width="4.6" {path}/>'
        f'<path stroke="{theme.target}" stroke-width="2.4" stroke-dasharray=".1 5" {path}/></g>'
    )


def faults(found: Iterable[Violation], board: Board, view: View, theme: Theme) -> Iterator[str]:
    """Crosses on cells and bridges at fault, which say what is wrong."""
    cells: dict[int, list[str]] = {}
    bridges: dict[Bridge, list[str]] = {}
    for each in found:
        sentence = shorten(explain(each), LONGEST, placeholder=" …")
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
