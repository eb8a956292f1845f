"""Game trees in the Smart Game Format, whatever their properties mean.

Read are FF[4] and what else is in use: older property names with small letters, names with
digits, one name several times in a node, and anything between the games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import final

from attrs import define, field, frozen

from pontedeldiavolo.errors import NotationError, RecordError
from pontedeldiavolo.records.interchange import Source
from pontedeldiavolo.records.pdd.splitter import match_end

_GAME = re.compile(r"\(\s*+;")
_NEXT_GAME = re.compile(r"\(\s*+;\s*+(?:FF|GM)\s*+\[")
_SPACE = re.compile(r"\s*+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_VALUE = re.compile(r"\[((?:[^\\\]]++|\\.)*+)\]", re.DOTALL)
_TOKEN = re.compile(r"\[(?:[^\\\]]++|\\.)*+\]?|[()]|[^()\[]++", re.DOTALL)
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_COMPOSED = re.compile(r"((?:[^\\:]++|\\.)*+):(.*)", re.DOTALL)


@final
@frozen
class Value:
    """The value of a property as it stands between its brackets."""

    raw: str
    offset: int = field(eq=False)

    @property
    def text(self) -> str:
        """What it says, with its line breaks."""
        return unescaped(self.raw)

    @property
    def line(self) -> str:
        """What it says, in one line."""
        return self.text.replace("\n", " ")

    def composed(self) -> tuple[str, str] | None:
        """Return the two halves around a colon, ``None`` without a colon."""
        found = _COMPOSED.fullmatch(self.raw)
        return found and (unescaped(found.group(1)), unescaped(found.group(2)))


@final
@frozen
class Property:
    """A name and its values."""

    name: str
    values: tuple[Value, ...]
    offset: int = field(eq=False)


@final
@define(eq=False)
class Node:
    """Properties, and what may follow: the first child is the main line."""

    offset: int
    properties: list[Property] = field(factory=list)
    children: list[Node] = field(factory=list, repr=False)


@final
@frozen(eq=False)
class Tree:
    """What was found in a text: the root of a game, or why there is none."""

    offset: int
    number: int
    root: Node | RecordError


def unescaped(raw: str) -> str:
    """Return a raw value as text: escapes undone, line breaks and space made plain."""
    text = _LINE_BREAK.sub("\n", raw).translate({0x09: " ", 0x0B: " ", 0x0C: " "})
    return _ESCAPE.sub(lambda found: found.group(1).removeprefix("\n"), text)


def escaped(text: str, *, composed: bool = False) -> str:
    """Return *text* as a raw value, or as half of a composed one, where colons separate."""
    for special in "\\]:" if composed else "\\]":
        text = text.replace(special, f"\\{special}")
    return text


def read_trees(source: Source) -> Iterator[Tree]:
    """Iterate over the games in a text, without looking at what they mean."""
    number, offset = 0, 0
    while found := _GAME.search(source.text, offset):
        number += 1
        reader = _Reader(source, found.start())
        try:
            root: Node | RecordError = reader.tree()
        except NotationError as error:
            root = source.record_error(error, number)
            reader.skip()
        yield Tree(found.start(), number, root)
        offset = reader.offset


class _Reader:
    """One tree, and how far it has been read."""

    def __init__(self, source: Source, offset: int) -> None:
        self.source = source
        self.offset = offset
        self.depth = 0

    def peek(self) -> str:
        """Skip space and return the next character, or an empty text at the end."""
        self.offset = match_end(_SPACE, self.source.text, self.offset)
        return self.source.text[self.offset : self.offset + 1]

    def tree(self) -> Node:
        """Read a whole tree.

        Raises:
            NotationError: If something in it is not in the format.
        """
        roots: list[Node] = []
        # Where the next node goes, and where nodes go after each open sequence.
        children, outer = roots, [roots]
        branched = False
        while True:
            character = self.peek()
            if character == "(":
                self.open()
                outer.append(children)
                branched = False
            elif character == ")":
                self.offset += 1
                self.depth -= 1
                children = outer.pop()
                branched = True
                if self.depth == 0:
                    return roots[0]
            elif character == ";" and not branched:
                node = Node(self.offset)
                self.offset += 1
                node.properties.extend(self.properties())
                children.append(node)
                children = node.children
            else:
                self.source.fail("'(' or ')'" if branched else "';', '(' or ')'", self.offset)

    def open(self) -> None:
        """Read the beginning of a sequence; a node follows."""
        if self.depth and _NEXT_GAME.match(self.source.text, self.offset):
            self.source.fail("')': here another game begins", self.offset)
        self.offset += 1
        self.depth += 1
        if self.peek() != ";":
            self.source.fail("';'", self.offset)

    def properties(self) -> Iterator[Property]:
        """Read the properties of a node."""
        text = self.source.text
        while self.peek() and (name := _NAME.match(text, self.offset)):
            self.offset = name.end()
            values = []
            while self.peek() == "[":
                value = _VALUE.match(text, self.offset)
                if not value:
                    self.source.fail("']' to end the value", self.offset)
                values.append(Value(value.group(1), value.start(1)))
                self.offset = value.end()
            if not values:
                self.source.fail("a value in brackets", self.offset)
            yield Property(name.group(), tuple(values), name.start())

    def skip(self) -> None:
        """Skip what is left of a broken tree: to its last parenthesis, or to another game."""
        text = self.source.text
        for found in _TOKEN.finditer(text, self.offset):
            if _NEXT_GAME.match(text, found.start()):
                self.offset = found.start()
                return
            self.offset = found.end()
            self.depth += (found.group() == "(") - (found.group() == ")")
            if self.depth == 0:
                return
