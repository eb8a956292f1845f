"""The layers of a picture with the pieces on the board, from the sea up to the bridges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.game.board_view import BoardView, GroupView, NetworkView, TileView
from pontedeldiavolo.svg.captions import COLORS, Captions
from pontedeldiavolo.svg.layout import Layout
from pontedeldiavolo.svg.outlines import (
    CELL,
    HALF_WIDTH,
    INSET,
    ROUND,
    bridge_outline,
    land_outline,
)
from pontedeldiavolo.svg.svgpath import centred_text, short, text_width
from pontedeldiavolo.svg.themes import Theme, mixed

SQUARE = "h28v28h-28z"
TILES = (SQUARE, SQUARE + "m14 9a5 5 0 1 0 .1 0")
"""A white tile, and a red one with a hole, so that they differ without colours."""
HALF = "m0 28l28-28v28z"
"""The red half of a cell that has tiles of both colours."""
HATCHING = "l20-20m20 0l-40 40m20 0l20-20"
FAINTEST = 0.15
"""The share of the full colour that the coolest cell of a heat map has."""
DARKENED = 0.2
"""The share of the hatching's colour in the water of blocked cells."""
BADGE = 16
"""The height of the plate under the points of a network."""


class Context(NamedTuple):
    """The layout, the colours and the texts of a picture."""

    layout: Layout
    theme: Theme
    captions: Captions


def sea(view: BoardView, context: Context) -> Iterator[str]:
    """The water, in cells where there are no tiles."""
    layout, theme, _ = context
    wide, high = CELL * layout.columns, CELL * layout.rows
    yield (
        f'<rect class="sea" x="{layout.margin}" y="{layout.far}" width="{wide}" height="{high}"'
        f' fill="{theme.water}"/><g class="cells" stroke="{theme.water}" stroke-width="{CELL}">'
    )
    # Blocked cells come with their hatching.
    white, red = view.occupied
    water, taken = layout.water, white | red | view.blocked
    yield from [water[cell] for cell in range(len(water)) if not taken >> cell & 1]
    yield f'</g><path class="grid" fill="none" stroke="{theme.grid}" d="{layout.grid}"/>'


def labels(context: Context) -> str:
    """The letters of the columns and the numbers of the rows."""
    layout, theme, captions = context
    columns, rows = layout.labels
    return (
        f'<g class="labels" fill="none" stroke="{theme.text}" stroke-width="1.5"'
        ' stroke-linecap="round" stroke-linejoin="round">'
        f'<path class="columns" d="{columns}">{captions.title("columns")}</path>'
        f'<path class="rows" d="{rows}">{captions.title("rows")}</path></g>'
    )


def heat(values: Mapping[int, float], context: Context) -> Iterator[str]:
    """The cells of a heat map."""
    layout, theme, _ = context
    most = max(map(abs, values.values()), default=0.0) or 1.0
    yield '<g class="heats">'
    for cell, value in values.items():
        part = FAINTEST + (1 - FAINTEST) * (abs(value) / most) if value else 0.0
        fill = mixed(theme.water, theme.heat if value > 0 else theme.cold, part)
        x, y = layout.points[cell]
        name = layout.names[cell]
        yield (
            f'<path class="heat" data-cell="{name}" data-heat="{value:.6g}" fill="{fill}"'
            f' d="M{x + 1},{y + 1}h38v38h-38z"><title>{name}: {value:.6g}</title></path>'
        )
    yield "</g>"


def blocked(view: BoardView, context: Context) -> Iterator[str]:
    """The cells under bridges: darker water, with a hatching."""
    layout, theme, captions = context
    since: dict[int, int | None] = {}
    for bridge in view.bridges:
        for cell in bits(bridge.beneath):
            since.setdefault(cell, bridge.turn)
    if not since:
        return
    hatched: list[str] = []
    dark: dict[int | None, str] = {}
    for cell, turn in since.items():
        x, y = layout.points[cell]
        name = layout.names[cell]
        hatched.append(
            f'<path class="blocked" data-cell="{name}"{_period(turn, None)}'
            f' d="M{x} {y + 20}{HATCHING}">{captions.title("blocked", cell=name)}</path>'
        )
        dark[turn] = f"{dark.get(turn, '')}M{x} {y + CELL // 2}h{CELL}"
    yield (
        f'<g class="dark" stroke="{theme.blocked}" stroke-width="{CELL}"'
        f' stroke-opacity="{DARKENED}">'
    )
    yield from _by_turn(dark)
    yield f'</g><g fill="none" stroke="{theme.blocked}" stroke-width="1.8">'
    yield from hatched
    yield "</g>"


def land(view: BoardView, context: Context) -> Iterator[str]:
    """Sandbanks and islands."""
    _, theme, captions = context
    fills = (theme.white_shoal, theme.white_land), (theme.red_shoal, theme.red_land)
    strokes = '1.2" stroke-dasharray="3 3', "2.5"
    for color, name in enumerate(captions.colors):
        for is_island, kind in enumerate(("sandbank", "island")):
            shown = [
                each for each in view.groups if each.color == color and each.is_island == is_island
            ]
            if shown:
                yield (
                    f'<g fill="{fills[color][is_island]}" stroke="{theme.edge}"'
                    f' stroke-width="{strokes[is_island]}">{captions.title(kind, color=name)}'
                )
                yield from [_land(each, context.layout, kind) for each in shown]
                yield "</g>"


def _shore(cells: int, layout: Layout, *, is_round: bool = True) -> str:
    points = [layout.points[cell] for cell in bits(cells)]
    x, y = points[0]
    dx, dy, path = land_outline(tuple([(i - x, j - y) for i, j in points]), is_round=is_round)
    return f"M{x + dx} {y + dy}{path}"


def _land(group: GroupView, layout: Layout, kind: str) -> str:
    cells = [*bits(group.cells)]
    names = " ".join([layout.names[cell] for cell in cells])
    about = (
        f'class="land {COLORS[group.color]} {kind}" data-cells="{names}"'
        f"{_period(group.since, group.until)}"
    )
    lefts, tops = zip(*[layout.points[cell] for cell in cells], strict=True)
    left, top = min(lefts), min(tops)
    wide, high = max(lefts) + CELL - left, max(tops) + CELL - top
    if wide * high > CELL * CELL * len(cells):
        return f'<path {about} d="{_shore(group.cells, layout)}"/>'
    # Most are rectangles, and this is half as long.
    return (
        f'<rect {about} x="{left + INSET}" y="{top + INSET}" width="{wide - 2 * INSET}"'
        f' height="{high - 2 * INSET}" rx="{ROUND - 1}"/>'
    )


def tiles(view: BoardView, context: Context) -> Iterator[str]:
    """Tiles of both colours; the first tile of a half turn is dashed."""
    theme = context.theme
    white, red = view.occupied
    for color, fill in enumerate((theme.white, theme.red)):
        shown = [each for each in view.tiles if each.color == color]
        if shown:
            yield (
                f'<g fill="{fill}" stroke="{theme.edge}" stroke-width="1.8"'
                ' stroke-linejoin="round">'
            )
            below = white & red if color else 0
            yield from [
                _tile(each, context, "tile", HALF if below >> each.cell & 1 else TILES[color])
                for each in shown
            ]
            yield "</g>"
    if view.first is not None:
        color = view.first.color
        yield (
            f'<g fill="{(theme.white, theme.red)[color]}" fill-opacity=".75"'
            f' stroke="{theme.edge}" stroke-width="2" stroke-dasharray="4 3">'
        )
        yield _tile(view.first, context, "first", TILES[color])
        yield "</g>"


def _tile(tile: TileView, context: Context, kind: str, path: str) -> str:
    layout, _, captions = context
    cell, color, turn = tile
    x, y = layout.points[cell]
    name = layout.names[cell]
    return (
        f'<path class="{kind} {COLORS[color]}" data-cell="{name}"{_turn(turn)}'
        f' d="M{x + 6} {y + 6}{path}">'
        f"{captions.title('tile', cell=name, color=captions.colors[color])}</path>"
    )


def bridges(view: BoardView, context: Context) -> Iterator[str]:
    """Bridges with their shadows below and their planks above all of them."""
    if not view.bridges:
        return
    layout, theme, captions = context
    shadows: dict[int | None, str] = {}
    planks: dict[int | None, str] = {}
    decks: list[str] = []
    for bridge in view.bridges:
        (x, y), turn = layout.middle(bridge.a), bridge.turn
        lines = bridge_outline(*layout.step(bridge.a, bridge.b))
        name = f"{layout.names[bridge.a]}-{layout.names[bridge.b]}"
        if bridge.color is None:
            kind, title = "", captions.title("loose-bridge", bridge=name)
        else:
            kind = f"{COLORS[bridge.color]} "
            title = captions.title("bridge", bridge=name, color=captions.colors[bridge.color])
        decks.append(
            f'<path class="{kind}bridge" data-bridge="{name}"{_turn(turn)}'
            f' d="M{x + lines.deck_x} {y + lines.deck_y}{lines.deck}">{title}</path>'
        )
        shadow = f"M{x + lines.shadow_x} {y + lines.shadow_y}{lines.shadow}"
        shadows[turn] = f"{shadows.get(turn, '')}{shadow}"
        planks[turn] = f"{planks.get(turn, '')}M{x} {y}{lines.planks}"
    yield f'<g class="shadows" fill="{theme.shadow}" fill-opacity=".4">'
    yield from _by_turn(shadows)
    yield f'</g><g class="bridges" fill="{theme.bridge}" stroke="{theme.rail}" stroke-width="1.8">'
    yield from decks
    yield (
        f'</g><g class="planks" fill="none" stroke="{theme.rail}"'
        f' stroke-width="{2 * HALF_WIDTH + 3:g}" stroke-dasharray="1.2 5.2">'
    )
    yield from _by_turn(planks)
    yield "</g>"


def _by_turn(paths: dict[int | None, str]) -> Iterator[str]:
    """Parts of bridges, one path for each turn of a game that built any."""
    for turn, path in paths.items():
        yield f'<path{_turn(turn)} d="{path}"/>'


def _turn(turn: int | None) -> str:
    return "" if turn is None else f' data-turn="{turn}"'


def _period(since: int | None, until: int | None) -> str:
    """Return the attributes of a part that is there for some turns of a game."""
    if since is None:
        return ""
    if until is None:
        return f' data-from="{since}"'
    return f' data-from="{since}" data-until="{until}" display="none"'


def tints(view: BoardView, context: Context) -> Iterator[str]:
    """A line around the land of each network and along its bridges."""
    layout, theme, captions = context
    if not view.networks:
        return
    yield '<g class="networks" fill="none" stroke-width="5" stroke-linejoin="round">'
    for network in view.networks:
        tints = (theme.white_tints, theme.red_tints)[network.color]
        tint = tints[network.tint % len(tints)]
        # So wide a line is round at its corners, whatever the shore below it is.
        lands = "".join(_shore(group, layout, is_round=False) for group in network.groups)
        lines = "".join(layout.line(a, b) for a, b in network.bridges)
        line = f'<path stroke-width="24" stroke-opacity=".8" d="{lines}"/>' if lines else ""
        yield (
            f'<g class="network {COLORS[network.color]}" {_about(network, layout)} stroke="{tint}">'
            f'{_network_title(network, captions)}{line}<path d="{lands}"/></g>'
        )
    yield "</g>"


def points(view: BoardView, context: Context) -> Iterator[str]:
    """The points of each network, on its first island."""
    layout, theme, captions = context
    shown = [network for network in view.networks if network.points]
    if not shown:
        return
    yield (
        f'<g fill="none" stroke="{theme.text}" stroke-width="1.6" stroke-linecap="round"'
        ' stroke-linejoin="round">'
    )
    for network in shown:
        number = str(network.points)
        corners = [layout.points[cell] for cell in bits(network.islands[0])]
        x, y = min(corners, key=lambda point: (point[1], point[0]))
        x, y, wide = x + 10, y + 10, max(BADGE, text_width(number) + 9)
        yield (
            f'<g class="points {COLORS[network.color]}" {_about(network, layout)}>'
            f"{_network_title(network, captions)}"
            f'<rect x="{short(x - wide / 2)}" y="{short(y - BADGE / 2)}" width="{short(wide)}"'
            f' height="{BADGE}" rx="{BADGE // 2}" fill="{theme.paper}" stroke-width="1.2"/>'
            f'<path d="{centred_text(number, x, y)}"/></g>'
        )
    yield "</g>"


def _about(network: NetworkView, layout: Layout) -> str:
    cells = " ".join(layout.names[cell] for group in network.groups for cell in bits(group))
    when = _period(network.since, network.until)
    return f'data-cells="{cells}" data-points="{network.points}"{when}'


def _network_title(network: NetworkView, captions: Captions) -> str:
    islands = captions.amount("one-island", "island-count", len(network.islands))
    color, points = captions.colors[network.color], captions.points(network.points)
    return captions.title("network", color=color, islands=islands, points=points)


Layer: TypeAlias = Callable[[BoardView, Context], Iterator[str]]

PIECES: Final[tuple[Layer, ...]] = (blocked, land, tiles, tints, bridges, points)
"""The layers that pieces bring, from the sea up."""
