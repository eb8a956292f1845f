"""Game trees in the Smart Game Format: their charset, nodes and properties."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from encodings.aliases import aliases
from typing import Final, NamedTuple, TypeAlias, final

from attrs import define, field

from pontedeldiavolo.base.encoding import UTF_8
from pontedeldiavolo.base.errors import MessageValue, NotationError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.reading import (
    LONE_SURROGATE,
    Found,
    GameText,
    LineReader,
    LocatedText,
    end_of_match,
    error_at,
    located_result,
)
from pontedeldiavolo.records.splitting import TREE_BEGINNING, TREE_HEADER, SplitPart, numbered_games

_ENCODINGS: Final = {
    *("ascii", "latin_1", "utf_8", "koi8_r", "koi8_u", "mac_roman", "tis_620"),
    *(f"iso8859_{part}" for part in (*range(2, 12), 13, 14, 15, 16)),
    *("cp437", "cp850", "cp852", "cp858", "cp866", "cp874"),
    *(f"cp{page}" for page in range(1250, 1259)),
    *("euc_jp", "shift_jis", "cp932", "euc_kr", "cp949"),
    *("gb2312", "gbk", "gb18030", "big5", "big5hkscs", "cp950"),
}
"""Encodings in which bytes below 128 are ASCII characters, except within a letter of two bytes.

Names are looked up here and not among all codecs: some codecs are not encodings of text, and
Python caches every name that is looked up.
"""
_MORE_ALIASES: Final = {"windows_31j": "cp932"}
"""Names that not every version of Python knows."""
_SHIFTING: Final = re.compile(r"(?:csiso2022|iso[-_ ]?2022|hz|utf[-_ ]?(?:7|16|32))", re.IGNORECASE)
"""Encodings in which ASCII bytes can also mean other letters."""
_NO_NAME = re.compile(r"[^a-z0-9]+")


def encoding_named(name: str) -> str | None:
    """Return Python's name of a supported encoding; ``None`` for any other."""
    plain = _NO_NAME.sub("_", name.lower()).strip("_")
    found = _MORE_ALIASES.get(plain) or aliases.get(plain, plain)
    return found if found in _ENCODINGS else None


def decoded(text: str, name: str, offset: int, *, has_byte_order_mark: bool) -> str:
    """Decode the bytes of a game.

    Args:
        text: The text, with a surrogate for each byte that is not UTF-8.
        name: The value of ``CA``, "" without one.
        offset: The offset of that value.
        has_byte_order_mark: Whether the file has a byte order mark, which says that it is in UTF-8.

    Raises:
        NotationError: If the encoding is not known, or the bytes are invalid or ambiguous in it.
    """
    # A game after a byte order mark may still be in another encoding.
    if LONE_SURROGATE.search(text) is None and (has_byte_order_mark or not name):
        return text
    if not name:
        return "\n".join(map(_decoded_line, text.split("\n")))
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
    plain = LONE_SURROGATE.sub("\ufffd", text)
    return NotationError(plain, offset, reason(code, name=repr(name[:40]), **values))


def _decoded_line(line: str) -> str:
    """Decode a line without a known encoding: UTF-8, or else Latin-1."""
    if LONE_SURROGATE.search(line) is None:
        return line
    return line.encode(errors="surrogateescape").decode("latin-1")


_SMALL_LETTERS = re.compile("[a-z]+")
_CHARSET = re.compile(r"C[a-z]*+A[a-z]*+\s*+\[")
"""A property that may name an encoding."""
_NEXT_GAME = re.compile(TREE_HEADER)
_ROOT_PROPERTIES: Final = {"AP", "CA", "FF", "GM", "ST", "SZ"}
"""The properties that only the root of a tree may have."""
_SPACE = re.compile(r"\s*+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*+")
RAW_VALUE: Final = r"[^\\\]]*+(?:\\.[^\\\]]*+)*+"
"""A pattern for what is between the brackets of a value, for use with ``re.DOTALL``."""
_VALUE = re.compile(rf"\[({RAW_VALUE})\]", re.DOTALL)
_SKIPPED_PART = re.compile(rf"\[{RAW_VALUE}\]?|[()]|[^()\[]++", re.DOTALL)
_PLAIN = re.compile(r"[^\\\r\t\v\f]*+")
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_CHARACTER = re.compile(r"(?:\\(?:\r\n|\n\r|[\r\n]))*(\\(?:.|\Z)|\r\n|\n\r|.)", re.DOTALL)
"""A character of a value as it is written; an escaped line break before it means nothing."""
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
    def in_one_line(self) -> str:
        """The value in one line."""
        return self.text.replace("\n", " ")

    @property
    def part(self) -> LocatedText:
        """The value in one line, with its place."""
        return LocatedText(self.in_one_line, self.offset, self.raw, _CHARACTER)

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

    @property
    def standard_name(self) -> str:
        """The name without the lower-case letters that it may have in older files."""
        return self.name if self.name.isupper() else _SMALL_LETTERS.sub("", self.name)


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


TreeToGame: TypeAlias = Callable[[GameText, Node], Game]
"""A function that reads the game with a root node from a text."""


def read_tree_games(
    lines: LineReader, parts: Iterable[SplitPart], read_game: TreeToGame
) -> Iterator[Found[Game]]:
    """Iterate over the games in a file.

    Args:
        lines: The file.
        parts: The parts of it that are to be read.
        read_game: Reads a game.
    """

    def decode_and_read(game_text: GameText) -> Iterator[Found[Game]]:
        if lines.encoding == UTF_8 and (
            not game_text.text.isascii() or _CHARSET.search(game_text.text)
        ):
            name, offset = _charset(game_text)
            try:
                text = decoded(
                    game_text.text, name, offset, has_byte_order_mark=lines.has_byte_order_mark
                )
            except NotationError as error:
                yield Found(game_text.place(0), error_at(game_text, error))
                return
            game_text = game_text.with_text(text)
        yield from _games_in_part(game_text, read_game)

    return numbered_games(parts, lines.limits, decode_and_read)


def _charset(game_text: GameText) -> tuple[str, int]:
    """Return the encoding that the root of a game names ("" for none) and its offset."""
    beginning = TREE_BEGINNING.search(game_text.text)
    if beginning is None:
        return "", 0
    with suppress(NotationError):
        for each in _TreeReader(game_text, beginning.end()).properties():
            if each.standard_name == "CA":
                return each.values[0].in_one_line.strip(), each.values[0].offset
    return "", 0


def _games_in_part(game_text: GameText, read_game: TreeToGame) -> Iterator[Found[Game]]:
    """Iterate over the games in a text: one, unless a broken game hides the next one."""
    number = game_text.number
    offset = 0
    while found := TREE_BEGINNING.search(game_text.text, offset):
        reader = _TreeReader(game_text.with_number(number), found.start())
        yield located_result(reader.game_text, found.start(), _read, reader, read_game)
        if reader.depth:
            reader.skip()
        number += 1
        offset = reader.offset


def _read(game_text: GameText, reader: _TreeReader, read_game: TreeToGame) -> Game:
    return read_game(game_text, reader.tree())


@final
class _TreeReader:
    """A parser of one tree: text and position."""

    def __init__(self, game_text: GameText, offset: int) -> None:
        self.game_text = game_text
        self.offset = offset
        self.depth = 0
        # Whether the next node is the first of a sequence.
        self.begins_sequence = False

    def peek(self) -> str:
        """Skip space and return the next character, or an empty text at the end."""
        character = self.game_text.text[self.offset : self.offset + 1]
        if not character.isspace():
            return character
        self.offset = end_of_match(_SPACE, self.game_text.text, self.offset)
        return self.game_text.text[self.offset : self.offset + 1]

    def tree(self) -> Node:
        """Read a whole tree.

        Raises:
            NotationError: If something in it is not in the format.
        """
        top = Node(self.offset)
        node = top
        # The node before each open parenthesis; later branches are added to it. ``node`` is the
        # parent of the node that is read next.
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
                is_first = self.begins_sequence
                self.offset += 1
                self.begins_sequence = False
                properties = tuple(self._properties_of_node(is_root=node is top))
                # A node without properties is left out, unless it begins a sequence.
                if properties or is_first:
                    following = Node(start, properties)
                    node.add(following)
                    node = following
            else:
                self.game_text.fail("sgf-branch" if branched else "sgf-node-or-branch", self.offset)

    def open(self) -> None:
        """Read the beginning of a sequence; a node follows."""
        if self.depth and _NEXT_GAME.match(self.game_text.text, self.offset):
            self.game_text.fail("sgf-end-first", self.offset)
        self.offset += 1
        self.depth += 1
        self.begins_sequence = True
        if self.peek() != ";":
            self.game_text.fail("literal", self.offset, literal=";")

    def properties(self) -> Iterator[Property]:
        """Read the properties of a node."""
        text = self.game_text.text
        while self.peek() and (name := _NAME.match(text, self.offset)):
            self.offset = name.end()
            values = []
            while self.peek() == "[":
                value = _VALUE.match(text, self.offset)
                if not value:
                    self.game_text.fail("sgf-end-of-value", self.offset)
                values.append(Value(value.group(1), value.start(1)))
                self.offset = value.end()
            if not values:
                self.game_text.fail("sgf-value", self.offset)
            yield Property(name.group(), tuple(values))

    def _properties_of_node(self, *, is_root: bool) -> Iterator[Property]:
        """Read the properties of a node; refuse a value that hides the beginning of a game.

        Such a value was never closed. It ends with the beginning of a header, as in
        ``C[text (;FF[4]CA[UTF-8]``, and the rest of that header follows in the same node:
        properties that the node has already, or root properties in a node that is not the root.
        Neither is valid in SGF, so this refuses no valid file, whatever its comments contain. The
        hidden game is read next.
        """
        names: set[str] = set()
        open_value: Value | None = None
        next_game = 0
        for each in self.properties():
            name = each.standard_name
            is_misplaced = name in names or (name in _ROOT_PROPERTIES and not is_root)
            if is_misplaced and open_value is not None:
                # The rest of the node belongs to the hidden game. Reading it here as well would
                # take quadratic time if that game hides another one.
                self.offset = next_game
                self.game_text.fail("sgf-end-of-value", open_value.offset - 1)
            names.add(name)
            value = each.values[-1]
            start = value.raw.rfind("(")
            header = _NEXT_GAME.match(value.raw, start) if start >= 0 else None
            if header is not None and "[" not in value.raw[header.end() :]:
                open_value = value
                next_game = value.offset + start
            yield each

    def skip(self) -> None:
        """Skip the rest of a broken tree, up to its last parenthesis or to another game."""
        text = self.game_text.text
        for found in _SKIPPED_PART.finditer(text, self.offset):
            if _NEXT_GAME.match(text, found.start()):
                self.offset = found.start()
                return
            self.offset = found.end()
            self.depth += (found.group() == "(") - (found.group() == ")")
            if self.depth == 0:
                return
