"""Shared parts of all readers: source texts with places, splitters of games, move builders."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple, NoReturn, TypeVar, cast, final

from attrs import Factory, define, field, frozen

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import MessageValue, NotationError, Reason, reason
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.game.error_list import Place
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.tags import UNPRINTABLE
from pontedeldiavolo.notation.actions import parse_cell
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.states import parse_state, rules_of_state
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.rules.limits import MAX_DEPTH, Limits, exceeds
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import InvalidPositionError, reasons
from pontedeldiavolo.state.state import GameState

from .text_io import Lines, truncated_lines

T = TypeVar("T")

WHITESPACE: Final = " \t\r\n"
"""The characters that only separate items, in every notation of this library."""


def _find_line_ends(source: SourceText) -> list[int]:
    return [found.start() for found in re.finditer("\n", source.text)]


_CHOICE_PLACE: Final = {Phase.OPENING: 1, Phase.COLOR_CHOICE: 0}
"""The index of the action that chooses the colour, by the phase in which a game starts."""


def mover(start: GameState, place: int) -> Color | None:
    """Return the colour of action *place* of a game; ``None`` for the choice of a colour."""
    choice = _CHOICE_PLACE.get(start.phase, -1)
    if place <= choice:
        return None if place == choice else Color.WHITE
    first = start.to_move if choice < 0 else Color.RED
    return first if first is None or (place - choice) % 2 else first.opponent


def numbering(start: GameState) -> Callable[[int], int]:
    """Return a function from the index of an action to the number of its turn.

    The choice of a colour belongs to the turn before.
    """
    turn = start.turn
    choice = _CHOICE_PLACE.get(start.phase)
    return lambda place: turn + place + (choice is None or place < choice)


class Part(NamedTuple):
    """A part of a text, and the offset where it begins."""

    text: str
    offset: int


@final
@frozen
class SourceText:
    """The text of a game, with its number, line and column in its file.

    Attributes:
        limits: The limits of the reader.
        start: Its offset in its source, in bytes or in characters.
    """

    number: int
    line: int
    column: int
    text: str
    limits: Limits = field(default=Limits(), eq=False, repr=False)
    start: int = field(default=0, eq=False, repr=False)
    _line_ends: list[int] = field(
        init=False, eq=False, repr=False, default=Factory(_find_line_ends, takes_self=True)
    )

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        before = bisect_left(self._line_ends, offset)
        if not before:
            return (self.line, self.column + offset)
        return (self.line + before, offset - self._line_ends[before - 1])

    def fail(self, code: str, offset: int, **values: MessageValue) -> NoReturn:
        """Raise the error with this code, which names the expected input, at *offset*."""
        raise NotationError(self.text, offset, reason(code, **values))

    def parsed(self, parse: Callable[[str], T], part: Part) -> T:
        """Return the value of a part of the text."""
        try:
            return parse(part.text)
        except NotationError as error:
            raise NotationError(self.text, part.offset + error.offset, error.reason) from error

    def start_of(self, rules_part: Part | None, start_part: Part | None, other: str) -> GameState:
        """Return the state from which a game starts.

        Args:
            rules_part: The text of its rules, if it has one.
            start_part: The text of the state, if it has one.
            other: The code of the error if the state has other rules.
        """
        rules = self.parsed(parse_rules, rules_part) if rules_part else None
        if start_part is None:
            self.require_side((rules or Rules()).board, rules_part.offset if rules_part else 0)
            return GameState.initial(rules)
        # The board is checked first: reading a whole state on a large board takes time.
        self.require_side(self.parsed(rules_of_state, start_part).board, start_part.offset)
        try:
            start = self.parsed(parse_state, start_part)
        except InvalidPositionError as error:
            self.fail("allowed-state", start_part.offset, violations=reasons(error.violations))
        if rules is not None and rules != start.rules:
            self.fail(other, start_part.offset)
        return start

    def require_turn(self, rules: Rules, place: int, offset: int) -> None:
        """Refuse an action at an index of its line that no game reaches."""
        # A turn uses two cells or two ends of bridges; four more: choice, passes and last turn.
        most = len(rules.board) + 4
        if place >= most:
            self.fail("no-longer-game", offset, most=most)

    def require_depth(self, depth: int, offset: int) -> None:
        """Refuse variations that are too deep."""
        most = MAX_DEPTH if self.limits.depth is None else min(self.limits.depth, MAX_DEPTH)
        if depth > most:
            self.fail("limit-depth", offset, most=most)

    def require_side(self, board: Board, offset: int) -> None:
        """Refuse a board that is too large, before its tables are built."""
        side = self.limits.side
        if side is not None and max(board.width, board.height) > side:
            self.fail("limit-side", offset, most=side)


def match_end(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return the end of the match of a pattern that always matches."""
    return cast(re.Match[str], pattern.match(text, offset)).end()


_PLAIN = re.compile(r"([a-z]{1,2}[1-9][0-9]?)([,-])([a-z]{1,2}[1-9][0-9]?)(?![0-9])")

# Cached, because files name the same few cells again and again.
_cell = lru_cache(maxsize=Board.MAX_SIDE**2)(parse_cell)


@final
@define(eq=False)
class MoveBuilder:
    """A builder of a move with NAGs, comments, variations and annotations."""

    action: Action
    nags: list[int] = field(factory=list)
    comments: list[str] = field(factory=list)
    variations: list[Line] = field(factory=list)
    annotations: dict[str, str] = field(factory=dict)

    def move(self) -> Move:
        """Build the move."""
        comment = join_comments(self.comments) if self.comments else ""
        return Move(self.action, self.nags, comment, self.variations, self.annotations)


@final
@define(eq=False)
class LineBuilder:
    """A builder of a line of play.

    Attributes:
        first: The index of its first action in the game.
        depth: The number of variations around it.
    """

    first: int = 0
    depth: int = 0
    comments: list[str] = field(factory=list)
    moves: list[MoveBuilder] = field(factory=list)

    def add(self, action: Action, nags: list[int]) -> None:
        """Add a move."""
        self.moves.append(MoveBuilder(action, nags))

    def variation(self) -> LineBuilder:
        """Return a builder of a line that is an alternative to the last move."""
        return LineBuilder(self.first + len(self.moves) - 1, self.depth + 1)

    def line(self) -> Line:
        """Build the line."""
        return Line([move.move() for move in self.moves], join_comments(self.comments))


def join_comments(comments: Iterable[str]) -> str:
    """Join comments, each on separate lines."""
    return "\n".join(filter(None, comments))


def plain_action(text: str, offset: int = 0) -> tuple[Action, int] | None:
    """Parse an action of two cells in its canonical form; return it and its end.

    Return ``None`` for any other text, which the full parser reads or refuses.
    """
    found = _PLAIN.match(text, offset)
    if found is None:
        return None
    try:
        a = _cell(found[1])
        b = _cell(found[3])
    except NotationError:
        return None
    return (PlaceTiles(a, b) if found[2] == "," else BuildBridge(a, b)), found.end()


def in_one_line(text: str) -> str:
    """Return *text* for a tag, with blanks in place of unprintable characters."""
    return UNPRINTABLE.sub(" ", text)


def in_lines(text: str) -> str:
    """Return *text* for a comment, with blanks in place of unprintable characters."""
    return "\n".join(map(in_one_line, text.split("\n")))


def seat_tag(seat: Seat, name: str = "") -> str:
    """Return the name of a tag that is about a seat: ``First``, ``FirstRating``."""
    return seat.value.capitalize() + name


CHUNK_CHARACTERS: Final = 1 << 16
"""The size of the pieces in which long lines are read, in characters."""


class Chunk(NamedTuple):
    """A part of a file with its line and column; a part with a fault cannot be a game."""

    line: int
    column: int
    text: str
    fault: Reason | None = None


class Delimiters(NamedTuple):
    """The delimiters of games in a format.

    Attributes:
        pair: The delimiters around a game, and around parts of it.
        quotes: The delimiters around a text, in which other delimiters mean nothing.
        between: Characters that are allowed between games.
        restart: Text that always begins a game if it is at the beginning of a line.
        has_lists: Whether a list may enclose the games; then no quoted text has several lines.
    """

    pair: str
    quotes: tuple[str, str]
    between: re.Pattern[str]
    restart: re.Pattern[str]
    has_lists: bool


_JSON: Final = Delimiters(
    "{}",
    ('"', '"'),
    # Concatenated files have a byte order mark in front of each.
    re.compile(r"[ \t\r\n,\[\]\ufeff]*+"),
    re.compile(r'\ufeff?\{[ \t]*+"(?:format|header)"[ \t]*+:'),
    has_lists=True,
)
_SGF: Final = Delimiters(
    "()",
    ("[", "]"),
    re.compile(r"[^(]*+(?:\((?!\s*+(?:;|\Z))[^(]*+)*"),
    re.compile(r"\ufeff?\([ \t]*+;[ \t]*+(?:FF|GM)[ \t]*+\["),
    has_lists=False,
)


_FOREIGN = re.compile(
    r"""
    \s*+(?:
        \[ \s*+ (?: \w++ \s++ " | [{"] | \Z )  # a tag of a record, a list of JSON
      | \{ \s*+ (?: " | \Z )  # an object of JSON
    )
    """,
    re.VERBOSE,
)
_TREE = re.compile(r"\s*+\(\s*+;")


def _too_long(line: int, column: int, most: int | None) -> Chunk:
    """Return the error for a game that is too long to be kept in memory."""
    return Chunk(line, column, "", reason("limit-characters", most=cast(int, most)))


@final
class _Splitter:
    """A splitter of a file: the current piece and its nesting."""

    def __init__(self, delimiters: Delimiters, most: int | None) -> None:
        self.most = most
        self.delimiters = delimiters
        self.opening = delimiters.pair[0]
        self.quote, self.end_quote = delimiters.quotes
        self.outside = re.compile(f"[{re.escape(delimiters.pair + self.quote)}]")
        self.inside = re.compile(rf"\\.?|{re.escape(self.end_quote)}", re.DOTALL)
        self.texts: list[str] = []
        self.size = 0
        self.depth = 0
        self.place: Place = (1, 1)
        self.in_text = False
        self.is_escaped = False
        # False after a piece that is not one whole game: it may hide delimiters.
        self.is_sound = True

    @property
    def is_too_long(self) -> bool:
        """True if more of the current piece has been read than may be kept."""
        return exceeds(self.size, self.most)

    def restarts(self, line: str) -> bool:
        """Return whether a line begins another game before this one has ended."""
        if not self.texts or (self.in_text and not self.delimiters.has_lists):
            return False
        return self.delimiters.restart.match(line) is not None

    def read(self, line: str, start: int) -> tuple[int, bool]:
        """Read to the end of the piece or of the line; return that offset, and which it is."""
        if self.depth or (not self.texts and line.startswith(self.opening, start)):
            offset = self._game_end(line, start)
            is_complete = not self.depth
        else:
            # This piece is not a game: it ends where one begins.
            offset = line.find(self.opening, start)
            is_complete = offset >= 0
            offset = offset if is_complete else len(line)
        if offset > start and not self.is_too_long:
            self.texts.append(line[start:offset])
            self.size += offset - start
        return offset, is_complete

    def _game_end(self, line: str, offset: int) -> int:
        offset += self.is_escaped
        self.is_escaped = False
        while found := (self.inside if self.in_text else self.outside).search(line, offset):
            offset = found.end()
            mark = found.group()
            if self.in_text:
                self.in_text = mark != self.end_quote
                # The escaped character is the first one of the next line.
                self.is_escaped = mark == "\\"
            elif mark == self.quote:
                self.in_text = True
            else:
                self.depth += 1 if mark == self.opening else -1
                if not self.depth:
                    return offset
        return len(line)

    def end(self) -> Iterator[Chunk]:
        """Yield the current piece, if it is not too long, and start another one."""
        text = "".join(self.texts)
        self.is_sound &= not self.depth and text.startswith(self.opening)
        if not self.is_too_long:
            yield Chunk(*self.place, text)
        self.texts = []
        self.size = 0
        self.depth = 0
        self.in_text = False
        self.is_escaped = False


def _split_games(lines: Lines, delimiters: Delimiters) -> Iterator[Chunk]:
    """Split a file into games by delimiters; text between them is yielded as a piece, too."""
    lines.longest = CHUNK_CHARACTERS
    splitter = _Splitter(delimiters, lines.limits.characters)
    open_lists = 0
    column = 1
    for line in lines:
        if column == 1 and splitter.restarts(line):
            yield from splitter.end()
        offset = 0
        while offset < len(line):
            if not splitter.texts:
                start = offset
                offset = match_end(delimiters.between, line, start)
                if delimiters.has_lists:
                    open_lists += line.count("[", start, offset) - line.count("]", start, offset)
                splitter.place = (lines.number, column + offset)
            was_too_long = splitter.is_too_long
            offset, is_complete = splitter.read(line, offset)
            if splitter.is_too_long and not was_too_long:
                yield _too_long(*splitter.place, splitter.most)
            if is_complete:
                yield from splitter.end()
        column = 1 if lines.at_line_end else column + len(line)
    if splitter.texts:
        yield from splitter.end()
    if open_lists and splitter.is_sound:
        yield Chunk(lines.number + lines.at_line_end, column, "", reason("json-brackets"))


def split_json(lines: Lines) -> Iterator[Chunk]:
    """Split a file into objects of JSON."""
    return _split_games(lines, _JSON)


def split_trees(lines: Lines) -> Iterator[Chunk]:
    """Split a file into game trees, each of which declares its own encoding."""
    lines.longest = CHUNK_CHARACTERS
    # There may be trees in the comments of other formats.
    if _FOREIGN.match(lines.peek()):
        return iter([Chunk(1, 1, "", reason("sgf-tree"))])
    lines.keeps_surrogates = True
    return _split_games(lines, _SGF)


def split_paragraphs(lines: Lines) -> Iterator[Chunk]:
    """Split a file at empty lines; once another format begins, every further part is a fault."""
    texts: list[str] = []
    size = 0
    first = 1
    most = lines.limits.characters
    fault: Reason | None = None
    # One more empty line ends the last paragraph.
    for whole in chain(truncated_lines(lines), [""]):
        line = (whole if texts else whole.lstrip(BYTE_ORDER_MARK)).removesuffix("\n")
        if line.strip(WHITESPACE):
            first = first if texts else lines.number
            if not exceeds(size, most):
                size += len(line) + bool(texts)
                texts.append(line)
                if exceeds(size, most):
                    yield _too_long(first, 1, most)
        elif texts:
            if not exceeds(size, most):
                text = "\n".join(texts)
                yield Chunk(first, 1, text, fault)
                is_foreign = fault or _FOREIGN.match(text) or _TREE.match(text)
                fault = reason("list-of-moves") if is_foreign else None
            texts = []
            size = 0
