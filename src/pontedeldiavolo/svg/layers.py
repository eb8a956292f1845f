"""The layers of a picture that show the board, from the sea up to the bridges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.board_view import BoardView, GroupView, NetworkView, TileView

from .captions import COLORS, Captions
from .layout import Layout, layout_of
from .outlines import BODY, CELL, HALF, INSET, ROUND, land_outline
from .svgpath import centred_text, short, text_width
from .themes import LIGHT, Theme, mixed

FAINTEST = 0.15
"""The minimum share of the full colour for a cell of a heat map."""
PLATE = 16
"""The height of the plate behind the points of a network or the number of a fault."""


class Context(NamedTuple):
    """The layout, the colours and the texts of a picture."""

    layout: Layout
    theme: Theme
    captions: Captions


def upright(board: Board, catalog: Catalog) -> Context:
    """Return the context of a light picture with coordinates and with row 1 at the bottom."""
    layout = layout_of(Symmetry(board.width, board.height), coordinates=True)
    return Context(layout, LIGHT, Captions(catalog))


def _group(about: str, parts: Iterable[str]) -> str:
    return f"<g {about}>{''.join(parts)}</g>"


def sea(view: BoardView, context: Context) -> Iterator[str]:
    """Yield the water, with a part for each cell without a tile."""
    layout, theme, _ = context
    wide = CELL * layout.columns
    high = CELL * layout.rows
    yield f'<rect class="sea" x="{layout.margin}" y="{layout.far}" width="{wide}" height="{high}"'
    yield f' fill="{theme.water}"/>'
    # The layer of blocked cells draws the others.
    white, red = view.occupied
    taken = white | red | view.blocked
    water = [path for cell, path in enumerate(layout.water) if not taken >> cell & 1]
    yield _group(f'class="cells" stroke="{theme.water}" stroke-width="{CELL}"', water)
    yield f'<path class="grid" fill="none" stroke="{theme.grid}" d="{layout.grid}"/>'


def labels(context: Context) -> Iterator[str]:
    """Yield the letters of the columns and the numbers of the rows."""
    layout, theme, captions = context
    columns, rows = layout.labels
    yield f'<g class="labels" fill="none" stroke="{theme.text}" stroke-width="1.5"'
    yield ' stroke-linecap="round" stroke-linejoin="round">'
    yield f'<path class="columns" d="{columns}">{captions.title("columns")}</path>'
    yield f'<path class="rows" d="{rows}">{captions.title("rows")}</path></g>'


def heat(values: Mapping[int, float], context: Context) -> Iterator[str]:
    """Yield the cells of a heat map."""
    layout, theme, _ = context
    largest = max(map(abs, values.values()), default=0.0) or 1.0
    yield '<g class="heats">'
    for cell, value in values.items():
        part = 0.0
        if value:
            part = FAINTEST + (1 - FAINTEST) * (abs(value) / largest)
        fill = mixed(theme.water, theme.heat if value > 0 else theme.cold, part)
        x, y = layout.points[cell]
        name = layout.names[cell]
        yield f'<path class="heat" data-cell="{name}" data-heat="{value:.6g}" fill="{fill}"'
        yield f' d="M{x + 1},{y + 1}h38v38h-38z"><title>{name}: {value:.6g}</title></path>'
    yield "</g>"


def blocked(view: BoardView, context: Context) -> Iterator[str]:
    """Yield the cells under bridges, as darker water."""
    layout, theme, captions = context
    if not view.bridges:
        return
    since: dict[int, int | None] = {}
    for bridge in view.bridges:
        for cell in bits(bridge.beneath):
            since.setdefault(cell, bridge.turn)
    yield f'<g stroke="{theme.blocked}" stroke-width="{CELL}">'
    for cell, turn in since.items():
        x, y = layout.points[cell]
        name = layout.names[cell]
        yield f'<path class="blocked" data-cell="{name}"{_period(turn, None)}'
        yield f' d="M{x} {y + CELL // 2}h{CELL}">{captions.title("blocked", cell=name)}</path>'
    yield "</g>"


def shadows(view: BoardView, context: Context) -> Iterator[str]:
    """Yield the shadows of bridges on the water."""
    layout, theme, _ = context
    paths = [(bridge.turn, layout.shadow(bridge.a, bridge.b)) for bridge in view.bridges]
    if paths:
        about = f'fill="none" stroke="{theme.shadow}" stroke-width="9" stroke-opacity=".35"'
        yield _group(f'class="shadows" {about}', _by_turn(paths))


def land(view: BoardView, context: Context) -> Iterator[str]:
    """Yield sandbanks and islands."""
    _, theme, captions = context
    fills = (theme.white_shoal, theme.white_land), (theme.red_shoal, theme.red_land)
    for color, name in enumerate(captions.colors):
        own = [each for each in view.groups if each.color == color]
        for is_island, kind in enumerate(("sandbank", "island")):
            shown = [each for each in own if each.is_island == is_island]
            if shown:
                shore = f' stroke="{theme.shore}" stroke-width="2.8"' if is_island else ""
                parts = [_land(each, context.layout, kind) for each in shown]
                title = captions.title(kind, color=name)
                yield _group(f'fill="{fills[color][is_island]}"{shore}', [title, *parts])


def _shore(cells: int, layout: Layout, *, is_round: bool = True) -> str:
    points = [layout.points[cell] for cell in bits(cells)]
    x, y = points[0]
    dx, dy, path = land_outline(tuple([(i - x, j - y) for i, j in points]), is_round=is_round)
    return f"M{x + dx} {y + dy}{path}"


def _land(group: GroupView, layout: Layout, kind: str) -> str:
    cells = [*bits(group.cells)]
    names = " ".join([layout.names[cell] for cell in cells])
    period = _period(group.since, group.until)
    about = f'class="land {COLORS[group.color]} {kind}" data-cells="{names}"{period}'
    left, top, right, bottom = layout.bounds(cells)
    wide = right - left
    high = bottom - top
    if wide * high > CELL * CELL * len(cells):
        return f'<path {about} d="{_shore(group.cells, layout)}"/>'
    # Most groups are rectangles, for which this element is half as long.
    return (
        f'<rect {about} x="{left + INSET}" y="{top + INSET}" width="{wide - 2 * INSET}"'
        f' height="{high - 2 * INSET}" rx="{ROUND - 1}"/>'
    )


def tiles(view: BoardView, context: Context) -> Iterator[str]:
    """Yield tiles of both colours on their rims; the first tile of a half turn is dashed."""
    theme = context.theme
    white, red = view.occupied
    rims, bodies, inlays = context.layout.tiles
    looks = (theme.white, theme.white_edge, None), (theme.red, theme.red_edge, theme.inlay)
    for color, (fill, edge, inlay) in enumerate(looks):
        shown = [each for each in view.tiles if each.color == color]
        whole = shown
        is_red = color == 1
        if is_red and white & red:
            # If a cell has tiles of both colours, the red one is drawn as half a tile.
            whole = [each for each in shown if not white >> each.cell & 1]
            bodies = [
                each.replace(BODY, HALF) if white >> cell & 1 else each
                for cell, each in enumerate(bodies)
            ]
        if shown:
            about = f'class="rims {COLORS[color]}" {_rounded(edge, edge, 7.4)}'
            yield _group(about, _by_turn([(each.turn, rims[each.cell]) for each in whole]))
            parts = [_tile(each, context, "tile", bodies[each.cell]) for each in shown]
            yield _group(_rounded(fill, fill, 5), parts)
        if inlay and whole:
            frames = _by_turn([(each.turn, inlays[each.cell]) for each in whole])
            yield _group(f'class="inlays" {_rounded("none", inlay, 1.6)}', frames)
    if view.first is not None:
        fill, edge, _ = looks[view.first.color]
        about = f'fill-opacity=".6" stroke-dasharray="4 3" {_rounded(fill, edge, 2)}'
        yield _group(about, [_tile(view.first, context, "first", bodies[view.first.cell])])


def _rounded(fill: str, stroke: str, width: float) -> str:
    return f'fill="{fill}" stroke="{stroke}" stroke-width="{width}" stroke-linejoin="round"'


def _tile(tile: TileView, context: Context, kind: str, path: str) -> str:
    layout, _, captions = context
    cell, color, turn = tile
    name = layout.names[cell]
    return (
        f'<path class="{kind} {COLORS[color]}" data-cell="{name}"{_turn(turn)} d="{path}">'
        f"{captions.title('tile', cell=name, color=captions.colors[color])}</path>"
    )


def bridges(view: BoardView, context: Context) -> Iterator[str]:
    """Yield bridges between their rails, with planks above all of them."""
    if not view.bridges:
        return
    layout, theme, captions = context
    paths: list[tuple[int | None, str]] = []
    decks: list[str] = []
    for bridge in view.bridges:
        path = layout.deck(bridge.a, bridge.b)
        name = f"{layout.names[bridge.a]}-{layout.names[bridge.b]}"
        if bridge.color is None:
            kind = ""
            title = captions.title("loose-bridge", bridge=name)
        else:
            kind = f"{COLORS[bridge.color]} "
            title = captions.title("bridge", bridge=name, color=captions.colors[bridge.color])
        about = f'data-bridge="{name}"{_turn(bridge.turn)}'
        decks.append(f'<path class="{kind}bridge" {about} d="{path}">{title}</path>')
        paths.append((bridge.turn, path))
    wide = 'stroke-width="9.4"'
    drawn = [*_by_turn(paths)]
    planks = f'class="planks" stroke="{theme.rail}" stroke-opacity=".55" {wide}'
    parts = (
        _group(f'class="rails" stroke="{theme.rail}" stroke-width="12.6"', drawn),
        _group(f'class="bridges" stroke="{theme.bridge}" {wide}', decks),
        _group(f'{planks} stroke-dasharray="1 4"', drawn),
    )
    yield _group('fill="none"', parts)


def _by_turn(paths: Iterable[tuple[int | None, str]]) -> Iterator[str]:
    """Yield parts of pieces, joined to one path for each turn of a game."""
    joined: dict[int | None, str] = {}
    for turn, path in paths:
        joined[turn] = f"{joined.get(turn, '')}{path}"
    for turn, path in joined.items():
        yield f'<path{_turn(turn)} d="{path}"/>'


def _turn(turn: int | None) -> str:
    return "" if turn is None else f' data-turn="{turn}"'


def _period(since: int | None, until: int | None) -> str:
    """Return the attributes of a part that exists for some turns of a game."""
    if since is None:
        return ""
    if until is None:
        return f' data-from="{since}"'
    return f' data-from="{since}" data-until="{until}" display="none"'


def tints(view: BoardView, context: Context) -> Iterator[str]:
    """Yield a line around the land of each network and along its bridges."""
    layout, theme, _ = context
    if not view.networks:
        return
    yield '<g class="networks" fill="none" stroke-width="5" stroke-linejoin="round">'
    for network in view.networks:
        tints = theme.red_tints if network.color else theme.white_tints
        stroke = f' stroke="{tints[network.tint % len(tints)]}"'
        # Such a wide line is round at its corners, even if the path is not.
        lands = "".join(_shore(group, layout, is_round=False) for group in network.groups)
        lines = "".join([layout.deck(*ends) for ends in network.bridges])
        line = f'<path stroke-width="20" d="{lines}"/>' if lines else ""
        yield from _network("network", network, context, f'{line}<path d="{lands}"/>', stroke)
    yield "</g>"


def points(view: BoardView, context: Context) -> Iterator[str]:
    """Yield the points of each network, on its first island."""
    layout, theme, _ = context
    shown = [network for network in view.networks if network.points]
    if not shown:
        return
    yield '<g fill="none" stroke-linecap="round" stroke-linejoin="round">'
    for network in shown:
        corners = [layout.points[cell] for cell in bits(network.islands[0])]
        x, y = min(corners, key=lambda point: (point[1], point[0]))
        shown_points = plate(str(network.points), x + 10, y + 10, theme.paper, theme.text)
        yield from _network("points", network, context, shown_points)
    yield "</g>"


def plate(text: str, x: float, y: float, paper: str, ink: str) -> str:
    """Return a short text on a plate around a point."""
    wide = max(PLATE, text_width(text) + 9)
    return (
        f'<rect x="{short(x - wide / 2)}" y="{short(y - PLATE / 2)}" width="{short(wide)}"'
        f' height="{PLATE}" rx="{PLATE // 2}" fill="{paper}" stroke="{ink}" stroke-width="1.2"/>'
        f'<path d="{centred_text(text, x, y)}" stroke="{ink}" stroke-width="1.6"/>'
    )


def _network(
    kind: str, network: NetworkView, context: Context, drawn: str, stroke: str = ""
) -> Iterator[str]:
    """Yield a part of a network with its title and its attributes."""
    layout, _, captions = context
    islands = captions("island-count", count=len(network.islands))
    color = captions.colors[network.color]
    points = captions("points", count=network.points)
    title = captions.title("network", color=color, islands=islands, points=points)
    cells = " ".join(map(layout.names_of, network.groups))
    yield f'<g class="{kind} {COLORS[network.color]}" data-cells="{cells}"'
    yield f' data-points="{network.points}"{_period(network.since, network.until)}{stroke}>'
    yield f"{title}{drawn}</g>"


PIECES: Final = (blocked, shadows, land, tints, tiles, bridges, points)
"""The layers of pieces, from the sea up."""
