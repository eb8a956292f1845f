"""Game trees in the Smart Game Format: their charset, nodes and properties."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from encodings.aliases import aliases
from typing import Final, NamedTuple, TypeAlias, final

from attrs import define, evolve, field

from pontedeldiavolo.base.encoding import UTF_8
from pontedeldiavolo.base.errors import MessageValue, NotationError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.reading import (
    Found,
    Lines,
    SourceText,
    TextPart,
    end_of_match,
    error_at,
    found_or_error,
)
from pontedeldiavolo.records.splitting import FilePart, numbered_games

_KNOWN: Final = {
    *("ascii", "latin_1", "utf_8", "koi8_r", "koi8_u", "mac_roman", "tis_620"),
    *(f"iso8859_{part}" for part in (*range(2, 12), 13, 14, 15, 16)),
    *("cp437", "cp850", "cp852", "cp858", "cp866", "cp874"),
    *(f"cp{page}" for page in range(1250, 1259)),
    *("euc_jp", "shift_jis", "cp932", "euc_kr", "cp949"),
    *("gb2312", "gbk", "gb18030", "big5", "big5hkscs", "cp950"),
}
"""Encodings in which bytes below 128 are ASCII characters, except as the second byte of a letter.

Names are looked up here and not among all codecs: some codecs are not encodings of text, and
Python caches every name that is looked up.
"""
_ALSO_CALLED: Final = {"windows_31j": "cp932"}
"""Names that not every version of Python knows."""
_SHIFTING: Final = re.compile(r"(?:csiso2022|iso[-_ ]?2022|hz|utf[-_ ]?(?:7|16|32))", re.IGNORECASE)
"""Encodings in which ASCII bytes can also mean other letters."""
_NO_NAME = re.compile(r"[^a-z0-9]+")
_LONE = re.compile("[\ud800-\udfff]")


def encoding_named(name: str) -> str | None:
    """Return Python's name of a supported encoding; ``None`` for any other."""
    plain = _NO_NAME.sub("_", name.lower()).strip("_")
    found = _ALSO_CALLED.get(plain) or aliases.get(plain, plain)
    return found if found in _KNOWN else None


def decoded(text: str, name: str, offset: int, *, is_marked: bool) -> str:
    """Decode the bytes of a game.

    Args:
        text: The bytes, decoded as UTF-8 with lone surrogates for invalid bytes.
        name: The value of ``CA``, "" without one.
        offset: The offset of that value.
        is_marked: Whether the file has a byte order mark, which says that it is in UTF-8.

    Raises:
        NotationError: If the encoding is not known, or the bytes are invalid or ambiguous in it.
    """
    # A game after a byte order mark may still be in another encoding.
    if _LONE.search(text) is None and (is_marked or not name):
        return text
    if not name:
        return "\n".join(map(_line, text.split("\n")))
    # For ASCII text the encoding does not matter, unless ASCII bytes have other meanings in it.
    if text.isascii() and not _SHIFTING.match(name):
        return text
    encoding = encoding_named(name)
    octets = text.encode(errors="surrogateescape")
    if encoding is None:
        raise _not_decoded("sgf-encoding", text, offset, name)
    try:
        found = octets.decode(encoding)
    except UnicodeDecodeError as error:
        fault = len(octets[: error.start].decode(errors="surrogateescape"))
        raise _not_decoded("text-in-encoding", text, fault, name) from None
    for special in "\\]":
        if found.count(special) != text.count(special):
            # Some programs escape such a byte, others do not.
            raise _not_decoded("sgf-letter", text, offset, name, special=repr(special))
    return found


def _not_decoded(
    code: str, text: str, offset: int, name: str, **values: MessageValue
) -> NotationError:
    plain = _LONE.sub("\ufffd", text)
    return NotationError(plain, offset, reason(code, name=repr(name[:40]), **values))


def _line(line: str) -> str:
    """Decode a line without a known encoding: UTF-8, or else Latin-1."""
    if _LONE.search(line) is None:
        return line
    return line.encode(errors="surrogateescape").decode("latin-1")


_GAME = re.compile(r"\([\s\0\ufeff]*+;")
_NEXT_GAME = re.compile(r"\(\s*+;\s*+(?:FF|GM)\s*+\[")
_SPACE = re.compile(r"\s*+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
_VALUE = re.compile(r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]", re.DOTALL)
_TOKEN = re.compile(r"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]?|[()]|[^()\[]++", re.DOTALL)
_PLAIN = re.compile(r"[^\\\r\t\v\f]*+")
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_COMPOSED = re.compile(r"([^\\:]*+(?:\\.[^\\:]*+)*+):(.*)", re.DOTALL)


class Value(NamedTuple):
    """The raw value of a property."""

    raw: str
    offset: int

    @property
    def text(self) -> str:
        """The value without escapes, with its line breaks."""
        return unescaped(self.raw)

    @property
    def line(self) -> str:
        """The value in one line."""
        return self.text.replace("\n", " ")

    @property
    def part(self) -> TextPart:
        """The value in one line, with its place."""
        return TextPart(self.line, self.offset)

    def composed(self) -> tuple[str, str] | None:
        """Return the two halves around a colon, ``None`` without a colon."""
        found = _COMPOSED.fullmatch(self.raw)
        if found is None:
            return None
        return unescaped(found[1]), unescaped(found[2])


class Property(NamedTuple):
    """A name and its values."""

    name: str
    values: tuple[Value, ...]


@final
@define(eq=False)
class Node:
    """Properties and children; the first child is the main line."""

    offset: int
    properties: tuple[Property, ...] = ()
    children: Sequence[Node] = field(default=(), repr=False)

    def add(self, child: Node) -> None:
        """Add a child. A single child is stored in a tuple, because a list takes more memory."""
        if isinstance(self.children, list):
            self.children.append(child)
        else:
            self.children = [*self.children, child] if self.children else (child,)


def unescaped(raw: str) -> str:
    """Return a raw value as text: without escapes, with normalised line breaks and spaces."""
    if _PLAIN.fullmatch(raw):
        return raw
    text = _LINE_BREAK.sub("\n", raw).translate({0x09: " ", 0x0B: " ", 0x0C: " "})
    return _ESCAPE.sub(lambda found: found.group(1).removeprefix("\n"), text)


def escaped(text: str, *, composed: bool = False) -> str:
    """Return *text* as a raw value, or as half of a composed one, where colons separate."""
    for special in "\\]:" if composed else "\\]":
        text = text.replace(special, f"\\{special}")
    return text


GameOf: TypeAlias = Callable[[SourceText, int, Node], Game]
"""A function that reads the game with a number and a root node from a text."""


def find_in_trees(lines: Lines, parts: Iterable[FilePart], game: GameOf) -> Iterator[Found[Game]]:
    """Iterate over the games in a file.

    Args:
        lines: The file.
        parts: The parts of it that are to be read.
        game: Reads a game.
    """

    def find(source: SourceText) -> Iterator[Found[Game]]:
        if lines.encoding == UTF_8 and (not source.text.isascii() or "CA[" in source.text):
            name, offset = _charset(source)
            try:
                text = decoded(source.text, name, offset, is_marked=lines.is_marked)
            except NotationError as error:
                yield Found(source.place(0), error_at(source, source.number, error))
                return
            source = evolve(source, text=text)
        yield from _find_in(source, game)

    return numbered_games(parts, lines.limits, find)


def _charset(source: SourceText) -> tuple[str, int]:
    """Return the encoding that the root of a game names ("" for none) and its offset."""
    start = _GAME.search(source.text)
    with suppress(NotationError):
        for each in _TreeReader(source, start.end()).properties() if start else ():
            if each.name == "CA":
                return each.values[0].line.strip(), each.values[0].offset
    return "", 0


def _find_in(source: SourceText, game: GameOf) -> Iterator[Found[Game]]:
    """Iterate over the games in a text: one, unless a broken game hides the next one."""
    number = source.number
    offset = 0
    while found := _GAME.search(source.text, offset):
        reader = _TreeReader(source, found.start())
        yield found_or_error(source, found.start(), number, _read, reader, number, game)
        if reader.depth:
            reader.skip()
        number += 1
        offset = reader.offset


def _read(reader: _TreeReader, number: int, game: GameOf) -> Game:
    return game(reader.source, number, reader.tree())


@final
class _TreeReader:
    """A parser of one tree: text and position."""

    def __init__(self, source: SourceText, offset: int) -> None:
        self.source = source
        self.offset = offset
        self.depth = 0
        # Whether a sequence has just begun.
        self.is_open = False

    def peek(self) -> str:
        """Skip space and return the next character, or an empty text at the end."""
        character = self.source.text[self.offset : self.offset + 1]
        if not character.isspace():
            return character
        self.offset = end_of_match(_SPACE, self.source.text, self.offset)
        return self.source.text[self.offset : self.offset + 1]

    def tree(self) -> Node:
        """Read a whole tree.

        Raises:
            NotationError: If something in it is not in the format.
        """
        top = Node(self.offset)
        node = top
        # The parents of the nodes that follow each open sequence; ``node`` is the current parent.
        outer: list[Node] = []
        branched = False
        while True:
            character = self.peek()
            if character == "(":
                self.open()
                outer.append(node)
                branched = False
            elif character == ")":
                self.offset += 1
                self.depth -= 1
                node = outer.pop()
                branched = True
                if self.depth == 0:
                    return top.children[0]
            elif character == ";" and not branched:
                start = self.offset
                is_first = self.is_open
                self.offset += 1
                self.is_open = False
                properties = tuple(self.properties())
                # A node without properties is left out, unless it begins a sequence.
                if properties or is_first:
                    following = Node(start, properties)
                    node.add(following)
                    node = following
            else:
                self.source.fail("sgf-branch" if branched else "sgf-node-or-branch", self.offset)

    def open(self) -> None:
        """Read the beginning of a sequence; a node follows."""
        if self.depth and _NEXT_GAME.match(self.source.text, self.offset):
            self.source.fail("sgf-end-first", self.offset)
        self.offset += 1
        self.depth += 1
        self.is_open = True
        if self.peek() != ";":
            self.source.fail("literal", self.offset, literal=";")

    def properties(self) -> Iterator[Property]:
        """Read the properties of a node."""
        text = self.source.text
        while self.peek() and (name := _NAME.match(text, self.offset)):
            self.offset = name.end()
            values = []
            while self.peek() == "[":
                value = _VALUE.match(text, self.offset)
                if not value:
                    self.source.fail("sgf-end-of-value", self.offset)
                values.append(Value(value.group(1), value.start(1)))
                self.offset = value.end()
            if not values:
                self.source.fail("sgf-value", self.offset)
            yield Property(name.group(), tuple(values))

    def skip(self) -> None:
        """Skip the rest of a broken tree, up to its last parenthesis or to another game."""
        text = self.source.text
        for found in _TOKEN.finditer(text, self.offset):
            if _NEXT_GAME.match(text, found.start()):
                self.offset = found.start()
                return
            self.offset = found.end()
            self.depth += (found.group() == "(") - (found.group() == ")")
            if self.depth == 0:
                return
