"""The layers of a picture with what lies on the board, from the sea up to the bridges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.svg.arches import NARROW, arch
from pontedeldiavolo.svg.land import CELL, INSET, ROUND, outline
from pontedeldiavolo.svg.markup import period
from pontedeldiavolo.svg.scenery import Land, Scenery, Tile
from pontedeldiavolo.svg.themes import Theme, mixed
from pontedeldiavolo.svg.view import HALF, HATCHING, TILES, View
from pontedeldiavolo.svg.words import COLORS, Words

FAINTEST = 0.15
"""How much of its colour the coolest cell of a heat map has."""

DARKENED = 0.2
"""How much of the hatching's colour the water of blocked cells has."""


def sea(scenery: Scenery, view: View, theme: Theme) -> Iterator[str]:
    """The water, in cells where there are no tiles."""
    wide, high = CELL * view.columns, CELL * view.rows
    yield (
        f'<rect class="sea" x="{view.margin}" y="{view.far}" width="{wide}" height="{high}"'
        f' fill="{theme.water}"/><g class="cells" stroke="{theme.water}" stroke-width="{CELL}">'
    )
    # Blocked cells come with their hatching.
    water, taken = view.water, scenery.occupied | scenery.blocked
    yield from [water[cell] for cell in range(len(water)) if not taken >> cell & 1]
    yield f'</g><path class="grid" fill="none" stroke="{theme.grid}" d="{view.grid}"/>'


def labels(view: View, theme: Theme, words: Words) -> str:
    """The letters of the columns and the numbers of the rows."""
    columns, rows = view.labels
    return (
        f'<g class="labels" fill="none" stroke="{theme.text}" stroke-width="1.5"'
        ' stroke-linecap="round" stroke-linejoin="round">'
        f'<path class="columns" d="{columns}">{words.title("columns")}</path>'
        f'<path class="rows" d="{rows}">{words.title("rows")}</path></g>'
    )


def heat(values: Mapping[int, float], view: View, theme: Theme) -> Iterator[str]:
    """The cells of a heat map."""
    most = max(map(abs, values.values()), default=0.0) or 1.0
    yield '<g class="heats">'
    for cell, value in values.items():
        part = FAINTEST + (1 - FAINTEST) * (abs(value) / most) if value else 0.0
        fill = mixed(theme.water, theme.heat if value > 0 else theme.cold, part)
        x, y = view.points[cell]
        name = view.names[cell]
        yield (
            f'<path class="heat" data-cell="{name}" data-heat="{value:.6g}" fill="{fill}"'
            f' d="M{x + 1},{y + 1}h38v38h-38z"><title>{name}: {value:.6g}</title></path>'
        )
    yield "</g>"


def blocked(scenery: Scenery, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """The cells under bridges: darker water, with a hatching."""
    since: dict[int, int | None] = {}
    for span in scenery.spans:
        for cell in bits(span.beneath):
            since.setdefault(cell, span.turn)
    if not since:
        return
    hatched: list[str] = []
    dark: dict[int | None, str] = {}
    for cell, turn in since.items():
        x, y = view.points[cell]
        name = view.names[cell]
        hatched.append(
            f'<path class="blocked" data-cell="{name}"{period(turn, None)}'
            f' d="M{x} {y + 20}{HATCHING}">{words.title("blocked", cell=name)}</path>'
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


def land(scenery: Scenery, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """Islands and sandbanks."""
    grounds = (
        (theme.white_shoal, theme.white_land),
        (theme.red_shoal, theme.red_land),
    )
    for color, (shoal, ground) in enumerate(grounds):
        lands = [each for each in scenery.lands if each.color == color]
        banks = [each for each in lands if not each.is_island]
        islands = [each for each in lands if each.is_island]
        if banks:
            yield (
                f'<g fill="{shoal}" stroke="{theme.edge}" stroke-width="1.2"'
                f' stroke-dasharray="3 3">{words.title("sandbank", color=words.colors[color])}'
            )
            yield from (_land(each, view, "sandbank") for each in banks)
            yield "</g>"
        if islands:
            yield (
                f'<g fill="{ground}" stroke="{theme.edge}" stroke-width="2.5">'
                f"{words.title('island', color=words.colors[color])}"
            )
            yield from (_land(each, view, "island") for each in islands)
            yield "</g>"


def shore(cells: int, view: View, *, is_round: bool = True) -> str:
    """Return the outline of a group."""
    points = view.points
    places = [points[cell] for cell in bits(cells)]
    x, y = places[0]
    steps = tuple([(i - x, j - y) for i, j in places])
    right, below, strokes = outline(steps, is_round=is_round)
    return f"M{x + right} {y + below}{strokes}"


def _land(each: Land, view: View, kind: str) -> str:
    cells = [*bits(each.cells)]
    names = " ".join([view.names[cell] for cell in cells])
    about = (
        f'class="land {COLORS[each.color]} {kind}" data-cells="{names}"'
        f"{period(each.since, each.until)}"
    )
    lefts, tops = zip(*[view.points[cell] for cell in cells], strict=True)
    left, top = min(lefts), min(tops)
    wide, high = max(lefts) + CELL - left, max(tops) + CELL - top
    if wide * high > CELL * CELL * len(cells):
        return f'<path {about} d="{shore(each.cells, view)}"/>'
    # Most are rectangles, and this is half as long.
    return (
        f'<rect {about} x="{left + INSET}" y="{top + INSET}" width="{wide - 2 * INSET}"'
        f' height="{high - 2 * INSET}" rx="{ROUND - 1}"/>'
    )


def tiles(scenery: Scenery, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """Tiles of both colours; the first tile of a half turn is there in outline."""
    both = scenery.both
    for color, fill in enumerate((theme.white, theme.red)):
        own = [each for each in scenery.tiles if each.color == color]
        if own:
            yield (
                f'<g fill="{fill}" stroke="{theme.edge}" stroke-width="1.8"'
                ' stroke-linejoin="round">'
            )
            yield from [
                _tile(
                    each,
                    view,
                    "tile",
                    HALF if color and both >> each.cell & 1 else TILES[color],
                    words,
                )
                for each in own
            ]
            yield "</g>"
    if scenery.first is not None:
        fill = (theme.white, theme.red)[scenery.first.color]
        yield (
            f'<g fill="{fill}" fill-opacity=".75" stroke="{theme.edge}" stroke-width="2"'
            ' stroke-dasharray="4 3">'
        )
        yield _tile(scenery.first, view, "first", TILES[scenery.first.color], words)
        yield "</g>"


def _tile(each: Tile, view: View, kind: str, strokes: str, words: Words) -> str:
    cell, color, turn = each
    x, y = view.points[cell]
    name = view.names[cell]
    when = "" if turn is None else f' data-turn="{turn}"'
    about = f'class="{kind} {COLORS[color]}" data-cell="{name}"{when}'
    return (
        f'<path {about} d="M{x + 6} {y + 6}{strokes}">'
        f"{words.title('tile', cell=name, color=words.colors[color])}</path>"
    )


def bridges(scenery: Scenery, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """Bridges with their shadows below and their planks above all of them."""
    if not scenery.spans:
        return
    shadows: dict[int | None, str] = {}
    planks: dict[int | None, str] = {}
    decks: list[str] = []
    for a, b, _, color, turn in scenery.spans:
        (x, y), (to_x, to_y) = view.middle(a), view.middle(b)
        right, below, deck, aside, down, shadow, plank = arch(to_x - x, to_y - y)
        start = f"M{x + right} {y + below}"
        name = f"{view.names[a]}-{view.names[b]}"
        word = "" if color is None else f"{COLORS[color]} "
        title = (
            words.title("loose-bridge", bridge=name)
            if color is None
            else words.title("bridge", bridge=name, color=words.colors[color])
        )
        when = "" if turn is None else f' data-turn="{turn}"'
        decks.append(
            f'<path class="{word}bridge" data-bridge="{name}"{when} d="{start}{deck}">'
            f"{title}</path>"
        )
        shadows[turn] = f"{shadows.get(turn, '')}M{x + aside} {y + down}{shadow}"
        planks[turn] = f"{planks.get(turn, '')}M{x} {y}{plank}"
    yield f'<g class="shadows" fill="{theme.shadow}" fill-opacity=".4">'
    yield from _by_turn(shadows)
    yield f'</g><g class="bridges" fill="{theme.bridge}" stroke="{theme.rail}" stroke-width="1.8">'
    yield from decks
    yield (
        f'</g><g class="planks" fill="none" stroke="{theme.rail}" stroke-width="{2 * NARROW + 3:g}"'
        ' stroke-dasharray="1.2 5.2">'
    )
    yield from _by_turn(planks)
    yield "</g>"


def _by_turn(paths: dict[int | None, str]) -> Iterator[str]:
    """What belongs to bridges, one path for each turn of a game that built any."""
    for turn, path in paths.items():
        when = "" if turn is None else f' data-turn="{turn}"'
        yield f'<path{when} d="{path}"/>'
