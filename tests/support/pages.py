"""Parse replay pages: their elements, and what a reader sees in each step."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from random import Random

from attrs import define, field

import pontedeldiavolo as pdd
from pontedeldiavolo.game.line import Path
from support.diagrams import bridge
from support.strategies import Player, play_out

VOID = {"meta", "input"}
"""HTML elements without an end tag."""


@define(eq=False)
class Element:
    """An HTML element with its content."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(factory=list)

    def all(self) -> Iterator[Element]:
        """Yield the element and all elements inside it."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.all()

    def find(self, tag: str = "", **wanted: str) -> list[Element]:
        """Return the elements with a tag, some classes (``kind``) and some attributes."""
        kinds = {*wanted.pop("kind", "").split()}
        return [
            each
            for each in self.all()
            if (not tag or each.tag == tag)
            and kinds <= each.kinds
            and all(each.attributes.get(name) == value for name, value in wanted.items())
        ]

    def the(self, tag: str = "", **wanted: str) -> Element:
        """Return the only element that :meth:`find` finds."""
        (found,) = self.find(tag, **wanted)
        return found

    @property
    def kinds(self) -> set[str]:
        return {*self.attributes.get("class", "").split()}

    @property
    def text(self) -> str:
        return "".join(each if isinstance(each, str) else each.text for each in self.children)

    @property
    def elements(self) -> list[Element]:
        return [each for each in self.children if isinstance(each, Element)]


class _Reader(HTMLParser):
    """A parser that requires every element to be closed in the right place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[Element] = [Element("", {})]
        self.types: list[str] = []

    def handle_decl(self, decl: str) -> None:
        self.types.append(decl)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            child = self.open[-1].children[-1]
            assert isinstance(child, Element)
            self.open.append(child)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len({*names}) == len(names), names
        found = {name: value or "" for name, value in attrs}
        self.open[-1].children.append(Element(tag, found))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(page: pdd.html.Html | str) -> Element:
    """Return the root of a page, in which every element must be closed."""
    reader = _Reader()
    reader.feed(str(page))
    reader.close()
    (top,) = reader.open
    assert reader.types == ["DOCTYPE html"]
    assert all(each.isspace() for each in top.children if isinstance(each, str))
    (root,) = top.elements
    assert root.tag == "html"
    return root


def sections(root: Element) -> list[Element]:
    """Return the sections of a page, one for each game."""
    return root.find("section", kind="game")


@define
class Shown:
    """A game in a page, as a reader sees it."""

    section: Element

    @cached_property
    def drawn(self) -> dict[str, list[Element]]:
        found: dict[str, list[Element]] = {}
        for group in self.section.the("svg", kind="pontedeldiavolo").find("g"):
            if "data-line" in group.attributes:
                found.setdefault(group.attributes["data-line"], []).extend(group.all())
        return found

    @cached_property
    def lists(self) -> dict[int, Element]:
        lists = [each for each in self.section.find("ol") if "data-line" in each.attributes]
        return {int(each.attributes["data-line"]): each for each in lists}

    def course(self, line: int) -> list[tuple[int, Element]]:
        """Return the steps of a line from the start, each with the number of its line."""
        found = self.lists[line]
        own = [(line, item) for item in found.elements]
        if "data-base" not in found.attributes:
            return own
        base = self.course(int(found.attributes["data-base"]))
        return [*base[: int(found.attributes["data-kept"])], *own]

    def parts(self, line: int, at: int) -> list[Element]:
        """Return the visible parts of the picture after a step, line by line from the main line."""
        ends: dict[int, int] = {}
        for number, item in self.course(line)[: at + 1]:
            ends[number] = int(item.attributes["data-turn"])
        seen: list[Element] = []
        for number, end in ends.items():
            text = self.lists[number].attributes.get("data-gone", "")
            entries = [each.split(" ", 1) for each in text.split(";") if each]
            gone = {what for turn, what in entries if int(turn) <= end}
            seen = [each for each in seen if key_of(each) not in gone]
            seen += self._brought(number, end)
        return seen

    def _brought(self, line: int, end: int) -> Iterator[Element]:
        for each in self.drawn.get(str(line), []):
            says = each.attributes
            since = int(says.get("data-turn", says.get("data-from", end + 1)))
            if since <= end < int(says.get("data-until", end + 1)):
                yield each


def key_of(element: Element) -> str:
    """Return the key of a part in the lists of removed parts."""
    kind, color, *_ = [*element.attributes.get("class", "").split(), "", ""]
    kind = "network" if kind == "points" else kind
    return f"{kind} {color} {element.attributes.get('data-cells', '')}"


def position_of(parts: list[Element], board: pdd.Board) -> pdd.Position:
    """Return the position that parts of a picture show."""

    def of(kind: str, *more: str) -> list[str]:
        name = "data-bridge" if kind == "bridge" else "data-cell"
        return [each.attributes[name] for each in parts if {kind, *more} <= each.kinds]

    white, red = (map(pdd.parse_cell, of("tile", color.value)) for color in pdd.Color)
    return pdd.Position.from_pieces(board, white, red, map(bridge, of("bridge")))


def lines_of(game: pdd.Game) -> list[Path]:
    """Return the paths of all lines by number: each line comes after the one it branches from."""
    variations = [
        (*path, number) for path, move in game.walk() for number in range(len(move.variations))
    ]
    return sorted([(), *variations])


def long_game(seed: int = 1, turns: int = 50, variations: int = 0, words: str = "") -> pdd.Game:
    """Return a game with a comment, a NAG and times for every move."""
    play = play_out(pdd.Rules(), Player(Random(seed), builder=True, settler=True), turns + 1)
    game = play.with_tags({"First": "Ada", "Second": "Bo", "Event": "Tea", "Date": "2024-02-29"})
    for place in range(len(game.actions)):
        said = words or f"A comment on move {place}, as long as they usually are, or a bit longer."
        game = game.with_comment(said, (place,)).with_nags([1 + place % 7], (place,))
        game = game.with_annotations({"clk": "0:09:58", "emt": "0:00:04.1"}, (place,))
    rng = Random(seed)
    for number in range(variations):
        path = (rng.randrange(2, len(game.actions)),)
        other = pdd.Game.new(start=game.state_before(path))
        while other.ending is None and len(other.actions) < 1 + number % 4:
            other = other.play(other.state.legal_actions.sample(rng))
        game = game.with_variation(path, other.actions, "Or so.")
    return game
