"""Networks: their tints, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.svg.glyphs import centred, width
from pontedeldiavolo.svg.layers import shore
from pontedeldiavolo.svg.markup import period
from pontedeldiavolo.svg.numbers import joined, short
from pontedeldiavolo.svg.scenery import Net, Scenery
from pontedeldiavolo.svg.themes import Theme
from pontedeldiavolo.svg.view import View
from pontedeldiavolo.svg.words import COLORS, Words

HIGH = 16
"""How high the ground of a number is."""


def tints(scenery: Scenery, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """A line around the land of each network and along its bridges."""
    shown = _shown(scenery)
    if not shown:
        return
    yield '<g class="networks" fill="none" stroke-width="5" stroke-linejoin="round">'
    for place, net in enumerate(shown):
        tint = theme.tints[place % len(theme.tints)]
        # So wide a line is round at its corners, whatever the shore below it is.
        lands = "".join(shore(group, view, is_round=False) for group in net.groups)
        ways = "".join(_way(a, b, view) for a, b in net.spans)
        way = f'<path stroke-width="24" stroke-opacity=".8" d="{ways}"/>' if ways else ""
        yield (
            f'<g class="network {COLORS[net.color]}" {_about(net, view)} stroke="{tint}">'
            f'{_title(net, words)}{way}<path d="{lands}"/></g>'
        )
    yield "</g>"


def points(scenery: Scenery, view: View, theme: Theme, words: Words) -> Iterator[str]:
    """What each network is worth, on its first island."""
    shown = [net for net in _shown(scenery) if net.points]
    if not shown:
        return
    yield (
        f'<g fill="none" stroke="{theme.text}" stroke-width="1.6" stroke-linecap="round"'
        ' stroke-linejoin="round">'
    )
    for net in shown:
        number = str(net.points)
        x, y = _place(net, view)
        wide = max(HIGH, width(number) + 9)
        yield (
            f'<g class="points {COLORS[net.color]}" {_about(net, view)}>'
            f"{_title(net, words)}"
            f'<rect x="{short(x - wide / 2)}" y="{short(y - HIGH / 2)}" width="{short(wide)}"'
            f' height="{HIGH}" rx="{HIGH // 2}" fill="{theme.paper}" stroke-width="1.2"/>'
            f'<path d="{centred(number, x, y)}"/></g>'
        )
    yield "</g>"


def _shown(scenery: Scenery) -> list[Net]:
    return [net for net in scenery.nets if net.is_shown]


def _about(net: Net, view: View) -> str:
    when = period(net.since, net.until)
    return f'data-cells="{names_of(view, net.groups)}" data-points="{net.points}"{when}'


def names_of(view: View, groups: Iterable[int]) -> str:
    """Return the cells of some groups, as pictures name them."""
    return " ".join(view.names[cell] for group in groups for cell in bits(group))


def _title(net: Net, words: Words) -> str:
    islands = words.amount("one-island", "island-count", len(net.islands))
    color, points = words.colors[net.color], words.points(net.points)
    return words.title("network", color=color, islands=islands, points=points)


def _place(net: Net, view: View) -> tuple[float, float]:
    """Return where a number stands: in the first island, at its upper left cell."""
    corners = [view.points[cell] for cell in bits(net.islands[0])]
    x, y = min(corners, key=lambda point: (point[1], point[0]))
    return x + 10, y + 10


def _way(a: int, b: int, view: View) -> str:
    (x, y), (to_x, to_y) = view.middle(a), view.middle(b)
    return f"M{x} {y}l{joined(to_x - x, to_y - y)}"
