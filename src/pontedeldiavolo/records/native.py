"""The reader of this library's own format, which resembles PGN.

A file is split into records, each with its place; a record is parsed; its actions are played. Each
of these steps can be the last one: :func:`iter_headers`, :func:`iter_records`, :func:`iter_games`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal, NoReturn, TypeVar, cast, final, overload

from attrs import field, frozen

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import (
    MessageValue,
    NotationError,
    RecordError,
    instance_of,
    quoted,
    reason,
    require_type,
)
from pontedeldiavolo.base.values import FrozenMapping, ImmutableValue
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import COMMENT_BLANKS, MAX_NAG
from pontedeldiavolo.game.record import (
    EXCERPT_CHARACTERS,
    MARK_OF_RESULT,
    STRICT,
    ErrorList,
    Place,
    Places,
    Record,
    play_record,
)
from pontedeldiavolo.game.tags import DERIVED_TAGS, first_unfit, first_unprintable, is_tag_name
from pontedeldiavolo.notation.actions import scan_action
from pontedeldiavolo.notation.scanner import DIGITS, WHITESPACE, Scanner
from pontedeldiavolo.rules.limits import MAX_TEXT, Limits, exceeds
from pontedeldiavolo.state.state import GameState

from .reading import (
    CommentBuilder,
    Found,
    GameText,
    LineBuilder,
    LineReader,
    LocatedText,
    Source,
    end_of_match,
    error_at,
    located_result,
    plain_action,
    read_many,
    read_one,
    truncated_lines,
    turn_numbering,
    value_of,
)

T = TypeVar("T")


def load(
    source: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game in a file.

    >>> pdd.records.load(["1. d4,g7 red", "2. c3,c5 *"]).result
    '*'

    Args:
        source: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list that collects errors; faulty parts are then left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return read_one(source, read_games, limits, errors)


def loads(
    text: str | bytes, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game of a text.

    >>> game = pdd.records.loads("1. d4,g7 red 2. c3,c5 *")
    >>> game.state.to_move
    <Color.WHITE: 'white'>
    >>> try:
    ...     pdd.records.loads("1. d4,d4 *")
    ... except pdd.RecordError as error:
    ...     print(error.line, error.column, error.code)
    1 4 legal-action

    Args:
        text: The text, or its bytes: UTF-8, or the encoding of its byte order mark.
        errors: A list that collects errors; faulty parts are then left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_type(text, (str, bytes), "text")
    return read_one(text, read_games, limits, errors)


@overload
def iter_games(
    source: Source,
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]: ...


@overload
def iter_games(
    source: Source,
    on_error: Literal["raise", "skip", "yield"],
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]: ...


def iter_games(
    source: Source,
    on_error: Literal["raise", "skip", "yield"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    r"""Iterate over the games in a file, one in memory at a time.

    Every action is checked.

    >>> text = '[First "Ada"]\n1. d4,g7 *\n\n[First "Bo"]\n1. a1,b1 *'
    >>> [game.tags["First"] for game in pdd.records.iter_games(text)]
    ['Ada', 'Bo']
    >>> [type(each).__name__ for each in pdd.records.iter_games(["1. d4,g7 *", "[A]"], "yield")]
    ['Game', 'RecordError']

    Args:
        source: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: What to do with a bad game: ``"raise"`` its error, ``"skip"`` the game, with a
            warning after the last game that says how many were skipped, or ``"yield"`` its error in
            place of the game. An iterator that is closed before its end does not warn.
        errors: A list that collects errors; faulty parts are then left out, and only a game
            that cannot be read at all is bad.
        limits: The limits of reading; ``None`` for ``Limits()``. If one of them ends reading, an
            error that says so is raised, or with ``"yield"`` is the last item.

    Raises:
        PonteError: If *on_error* is none of the three.
        RecordError: If a game is bad and *on_error* is ``"raise"``, if a limit ends reading, or, at
            once, if *source* is the name of a file.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding. No more games are read then,
            whatever *on_error* is.
    """
    return read_many(source, read_games, on_error, limits, errors)


def iter_headers(source: Source, *, limits: Limits | None = None) -> Iterator[Header | RecordError]:
    r"""Iterate over the records in a file, reading only their tags.

    A record whose tags cannot be read, or that is too long, yields its :class:`RecordError`.

    >>> text = '[First "Ada"]\n1. d4,g7 *\n\n[First "Bo"]\n1. a1,b1 *'
    >>> [(header.tags["First"], header.line) for header in pdd.records.iter_headers(text)]
    [('Ada', 1), ('Bo', 4)]

    Args:
        source: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If *source* is the name of a file.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding. No more games are read then.
    """
    return read_many(source, _read_headers, "yield", limits)


def iter_records(
    source: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a file, parsed but not replayed.

    A record that cannot be read yields its :class:`RecordError`, and the next one follows.

    >>> [record] = pdd.records.iter_records("1. d4,d4 *")
    >>> [pdd.format_action(action) for action in record.actions]
    ['d4,d4']

    Args:
        source: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list that collects errors; faulty parts are then left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If *source* is the name of a file.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding. No more games are read then.
    """
    return read_many(source, _read_records, "yield", limits, errors)


@final
@frozen(order=False)
class Header(ImmutableValue):
    """The tags of a record and its place in a file.

    >>> [header] = pdd.records.iter_headers('[First "Ada"] 1. d4,g7 *')
    >>> (header.tags["First"], header.number, header.offset)
    ('Ada', 1, 0)

    In a seekable file of bytes, a reader that begins at :attr:`offset` reads this record first.
    UTF-16 and UTF-32 are the exception: only the start of a file shows that encoding.

    Attributes:
        tags: All its tags as written, including Rules, Start, Result and Termination.
    """

    tags: FrozenMapping[str] = field(validator=instance_of(FrozenMapping))
    _game_text: GameText = field(validator=instance_of(GameText))

    @property
    def number(self) -> int:
        """The number of the game in its file, from 1."""
        return self._game_text.number

    @property
    def line(self) -> int:
        """The line of the file on which it begins, from 1."""
        return self._game_text.line_number

    @property
    def end_line(self) -> int:
        """The line of the file on which it ends: the last one that is not empty."""
        return self.line + self.text.removesuffix("\n").count("\n")

    @property
    def offset(self) -> int:
        """The offset in its source: in bytes for a source of bytes, else in characters.

        For an open file of bytes it is the argument for ``seek``. For all other sources it is
        counted from the place where reading began. If the source is an iterable of lines without
        line ends, each end counts as one character.
        """
        return self._game_text.offset

    @property
    def text(self) -> str:
        """The text of the whole record without the empty lines around it.

        Its lines end with a line feed, regardless of the source, and it has no byte order marks.
        """
        text = self._game_text.text
        end = text.find("\n", len(text.rstrip(WHITESPACE)))
        return text if end < 0 else text[: end + 1]

    def record(self, errors: list[RecordError] | None = None) -> Record:
        """Return the whole record.

        Args:
            errors: A list that collects errors; faulty parts are then left out.

        Raises:
            RecordError: If it cannot be read.
        """
        require_type(errors, list | None, "errors")
        error_list = ErrorList(errors, self._game_text.limits)
        found = located_result(self._game_text, 0, parse_record, error_list)
        return value_of(found.result)


# From lines to records and games


def read_games(lines: LineReader, errors: ErrorList) -> Iterator[Found[Game]]:
    """Iterate over the games in a file, with every action checked."""
    for game_text in split_records(lines):
        yield located_result(game_text, 0, _read_game, errors)


def _read_game(game_text: GameText, errors: ErrorList) -> Game:
    return play_record(parse_record(game_text, errors), errors)


def _read_records(lines: LineReader, errors: ErrorList) -> Iterator[Found[Record]]:
    """Iterate over the records in a file, parsed but not replayed."""
    for game_text in split_records(lines):
        yield located_result(game_text, 0, parse_record, errors)


def _read_headers(lines: LineReader, _errors: ErrorList) -> Iterator[Found[Header]]:
    """Iterate over the records in a file, reading only their tags."""
    for game_text in split_records(lines):
        yield located_result(game_text, 0, _read_header)


def _read_header(game_text: GameText) -> Header:
    return Header(parse_tags(game_text), game_text)


_LEADING_TAGS: Final = re.compile(
    r'(?:[ \t]*\[[ \t]*\w+[ \t]+"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"[ \t]*\])+'
)
_OUTSIDE_COMMENTS: Final = re.compile(r"[^{;]*")
_IN_BRACES: Final = re.compile(r"[^}\\]*+(?:\\.?+[^}\\]*+)*+", re.DOTALL)
"""The rest of a comment in braces, or of a line of it."""


def split_records(lines: LineReader) -> Iterator[GameText]:
    """Split a file into records: after actions, a line that begins with a bracket begins a new one.

    So a broken tag, such as ``[broken``, begins a record as well. A tag that is not at the start of
    its line, such as one after a comment, does not begin a record. Splitting treats it like an
    action; only the parser of a record reads it as a tag.

    A record that is too long is yielded as soon as that is known, because the source may never
    end. Its rest is then read and dropped.
    """
    record = _OpenRecord(1, lines)
    for line_as_read in truncated_lines(lines):
        line = record.without_byte_order_mark(line_as_read)
        if record.ends_before(line):
            if not record.is_too_long:
                yield record.game_text(at_line_end=True)
            record = _OpenRecord(record.number + 1, lines)
        was_too_long = record.is_too_long
        byte_order_mark = line_as_read[: len(line_as_read) - len(line)]
        offset = lines.offset + lines.size(byte_order_mark)
        record.add(line, lines.line_number, offset)
        if record.is_too_long and not was_too_long:
            yield record.game_text(at_line_end=False)
    if record.lines and not record.is_too_long:
        yield record.game_text(at_line_end=lines.at_line_end)


@final
class _OpenRecord:
    """A record whose end has not been found yet.

    Attributes:
        number: Its number in the file.
        characters_left: The number of characters that may be added; 0 if it is too long.
        line_number: The number of its first line.
        offset: The offset of its first line in the source.
        lines: Its lines; the last one may have been cut off.
        has_actions: Whether anything but leading tags, comments and lines with a percent sign has
            been added.
        in_comment: Whether its last line ends within a comment in braces.
        after_empty: Whether its last line is empty.
        empty_lines: The empty lines after everything else; they belong to the record, and count
            towards its limit, only if something follows.
    """

    def __init__(self, number: int, lines: LineReader) -> None:
        self.number: int = number
        self.limits: Limits = lines.limits
        self.characters_left: int = lines.max_kept
        self.line_number: int = 0
        self.offset: int = 0
        self.lines: list[str] = []
        self.has_actions: bool = False
        self.in_comment: bool = False
        self.after_empty: bool = False
        self.empty_lines: list[str] = []
        self._empty_characters = 0

    @property
    def is_too_long(self) -> bool:
        """True if more has been read than may be kept."""
        return self.characters_left == 0

    def without_byte_order_mark(self, line: str) -> str:
        """Return a line without a byte order mark where a record may begin.

        Concatenated files have one in front of each.
        """
        if not line.startswith(BYTE_ORDER_MARK):
            return line
        bare = line.lstrip(BYTE_ORDER_MARK)
        may_begin_record = not self.lines or self.ends_before(bare)
        is_tag_or_empty = not self.in_comment and bare.lstrip(WHITESPACE)[:1] in ("[", "")
        return bare if may_begin_record or is_tag_or_empty else line

    def ends_before(self, line: str) -> bool:
        """Return whether *line* begins another record.

        A comment that is never closed does not hide the next record: an empty line followed by a
        tag ends it.
        """
        if self.in_comment:
            return self.after_empty and _LEADING_TAGS.fullmatch(line.rstrip(WHITESPACE)) is not None
        return self.has_actions and line.lstrip(WHITESPACE)[:1] == "["

    def add(self, line: str, line_number: int, offset: int) -> None:
        """Add a line with its number and its offset in the file.

        Empty lines at the beginning and at the end, and text beyond the limit, are left out.
        """
        self.after_empty = not line.strip(WHITESPACE)
        if self.after_empty:
            if self.lines and self._empty_characters < self.characters_left:
                self.empty_lines.append(line)
                self._empty_characters += len(line)
            return
        if not self.lines:
            self.line_number = line_number
            self.offset = offset
        if self.in_comment or not line.startswith("%"):
            has_actions, self.in_comment = _actions_and_comment(line, in_comment=self.in_comment)
            self.has_actions = self.has_actions or has_actions
        for each in (*self.empty_lines, line):
            if not self.is_too_long:
                kept = each[: self.characters_left]
                self.lines.append(kept)
                self.characters_left -= len(kept)
        self.empty_lines.clear()
        self._empty_characters = 0

    def game_text(self, *, at_line_end: bool) -> GameText:
        """Return the record's text; it ends with a line end if *at_line_end* is true."""
        # Lines of an iterable without line ends come without "\n"; add it between lines.
        text = "\n".join(line.removesuffix("\n") for line in self.lines)
        if at_line_end or self.empty_lines or self.lines[-1].endswith("\n"):
            text += "\n"
        return GameText(self.number, self.line_number, 1, text, self.limits, self.offset)


def _actions_and_comment(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Return whether a line has actions, and whether it ends inside a comment.

    A tag after a comment or after anything else but tags counts as an action.
    """
    offset = 0
    has_actions = False
    if not in_comment:
        tags = _LEADING_TAGS.match(line)
        if tags:
            offset = tags.end()
        elif line.lstrip(WHITESPACE).startswith("["):
            # A broken tag does not count as an action, and a brace in it opens no comment.
            return False, False
    while offset < len(line):
        if in_comment:
            offset = end_of_match(_IN_BRACES, line, offset)
            has_end = offset < len(line)
            if has_end:
                offset += 1
            in_comment = not has_end
        elif line[offset] == "{":
            offset += 1
            in_comment = True
        elif line[offset] == ";":
            break
        else:
            start = offset
            offset = end_of_match(_OUTSIDE_COMMENTS, line, start)
            has_actions = has_actions or not line[start:offset].isspace()
    return has_actions, in_comment


# From the text of a record to the record. `LineReader` has made every line end a line feed: the
# text has no carriage return.

NAG_OF_SUFFIX: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Suffixes of actions, with the numbers of their NAGs."""

_BLANKS_IN_LINE: Final = re.compile(r"[ \t]*+")
_RULES_OR_START_TAG: Final = re.compile(r"\[[ \t]*+(?:Rules|Start)(?![A-Za-z0-9_])")
_QUOTED: Final = re.compile(r'"[^"\\\n]*+(?:\\["\\][^"\\\n]*+)*+')
_ESCAPED: Final = re.compile(r"\\(.)")
_CHARACTER: Final = re.compile(r"(\\.|.)")
"""A character of a tag's value as it is written."""
_NAME: Final = re.compile(r"[A-Za-z0-9_]*")
_TO_LINE_END: Final = re.compile(r"[^\n]*")
_SKIPPED: Final = re.compile(r"[ \t\n]*+(?:(?<![^\n])%[^\n]*+[ \t\n]*+)*")
"""Blanks, and lines that begin with a percent sign."""
_WORD: Final = re.compile(r"[A-Za-z0-9.,-]*")
_DOTS: Final = re.compile(r"\.*+[ \t\n]*+")
_NUMBER: Final = re.compile(rf"([0-9]++)\.{_DOTS.pattern}")
_SUFFIX: Final = re.compile(r"!!|\?\?|!\?|\?!|!|\?")
_RESULT_OF: Final = {mark: result for result, mark in MARK_OF_RESULT.items()}
_RESULT_MARK_STARTS: Final = frozenset(
    mark[0] for each in _RESULT_OF for mark in (each, each.upper())
)
_RESULT_MARK: Final = re.compile(
    rf"({'|'.join(map(re.escape, _RESULT_OF))})(?=[ \t\n{{;)]|\Z)", re.ASCII | re.IGNORECASE
)
_AFTER_ACTION: Final = ("", " ", "\t", "\n", "{", ";", "(", ")", "$")
"""The texts that may follow an action directly; "" is the end of the text."""


def parse_record(game_text: GameText, errors: ErrorList = STRICT) -> Record:
    """Parse a record without replaying it.

    Args:
        game_text: The text.
        errors: The list for errors; if it is lenient, faulty parts are left out.

    Raises:
        RecordError: If something is wrong and *errors* is strict.
        PonteError: If the rules cannot be read: without them no action means anything, so even a
            lenient reader stops there.
    """
    return _RecordParser(game_text, errors).record()


def parse_tags(game_text: GameText) -> FrozenMapping[str]:
    """Parse the tags of a record, and read no further.

    Raises:
        PonteError: If a tag cannot be read, or the text is too long.
    """
    parser = _RecordParser(game_text, STRICT)
    parser.require_whole_text()
    parser.read_tags()
    return FrozenMapping({name: tag.text for name, tag in parser.tags.items()})


@final
class _RecordParser(Scanner):
    """A parser of one record, which reads its text from left to right.

    Attributes:
        tags: The tags that have been read, by name.
    """

    def __init__(self, game_text: GameText, errors: ErrorList) -> None:
        super().__init__(game_text.text)
        self.game_text = game_text
        self.errors = errors
        self.tags: dict[str, LocatedText] = {}
        # The places of all actions in the file, in the order of the text.
        self.places: list[Place] = []
        # These two follow from the tags; they are set before the first action is read.
        self.start: GameState
        self.number_at: Callable[[int], int]

    def record(self) -> Record:
        """Read the whole text."""
        game_text = self.game_text
        self.require_whole_text()
        comment = self.read_tags()
        play = LineBuilder(comment=comment)
        self.start = game_text.starting_state(
            self.tags.get("Rules"), self.tags.get("Start"), "rules-of-tag"
        )
        self.number_at = turn_numbering(self.start)
        ending = self._one_of("Termination", [ending.value for ending in Ending])
        self._read_play(play)
        result_mark = self._read_result_mark(play)
        if not self.tags and not play.moves and result_mark is None:
            self._refuse()
        return Record(
            start=self.start,
            tags={name: tag.text for name, tag in self.tags.items() if name not in DERIVED_TAGS},
            line=play.build(),
            result=self._result(result_mark),
            ending=None if ending is None else Ending(ending),
            number=game_text.number,
            places=Places(
                tuple(self.places),
                self._place_of(self.tags.get("Result") or result_mark),
                self._place_of(self.tags.get("Termination")) or game_text.place(0),
            ),
            limits=game_text.limits,
        )

    def require_whole_text(self) -> None:
        """Refuse a record that is too long and was cut off."""
        max_characters = self.game_text.limits.characters
        if exceeds(len(self.text), max_characters):
            self.fail("limit-characters", max_characters, max=cast(int, max_characters))

    def _refuse(self) -> NoReturn:
        """Raise the error for a record of which nothing is left: its first fault, if it has one."""
        first_fault = self.errors.take_first(self.game_text.number)
        if first_fault is not None:
            raise first_fault
        self.fail("game-content", 0)

    def _report(self, error: NotationError) -> None:
        """Raise the error, or append it to the list."""
        self.errors.append_once(error_at(self.game_text, error))

    def _report_at(self, code: str, offset: int, **values: MessageValue) -> None:
        """Raise an error at *offset*, or append it to the list; *code* names what was expected."""
        self._report(NotationError(self.text, offset, reason(code, **values)))

    def _place_of(self, part: LocatedText | None) -> Place | None:
        """Return the place of a part of the text, if there is one."""
        return None if part is None else self.game_text.place(part.offset)

    # Tags

    def read_tags(self) -> CommentBuilder:
        """Read all tags, and return the comment among them, which goes before the first move."""
        comment = CommentBuilder()
        while True:
            self.run(_SKIPPED)
            start = self.offset
            character = self.peek()
            try:
                if character in ("{", ";"):
                    comment.add(self._comment(), self.game_text, start)
                elif character == "[":
                    self._read_tag()
                else:
                    return comment
            except NotationError as error:
                if _RULES_OR_START_TAG.match(self.text, start):
                    raise
                self._report(error)
                self.run(_TO_LINE_END)

    def _read_tag(self) -> None:
        """Read a tag; it must be on one line."""
        self.expect("[")
        self.run(_BLANKS_IN_LINE)
        name_offset = self.offset
        name = self.run(_NAME)
        if not is_tag_name(name):
            self.fail("tag-name", name_offset)
        if name in self.tags:
            self.fail("no-second-tag", name_offset, name=name[:EXCERPT_CHARACTERS])
        if not self.run(_BLANKS_IN_LINE):
            self.fail("blank-then-text")
        text_offset = self.offset
        if self.peek() != '"':
            self.fail("quoted-text")
        raw = self.run(_QUOTED)[1:]
        value = _ESCAPED.sub(r"\1", raw)
        if self.peek() != '"':
            self.fail("end-of-text")
        self.offset += 1
        if first_unprintable(value) >= 0:
            self.fail("text-without-controls", text_offset)
        self.game_text.require_short(len(value), "tag", text_offset, name)
        self.run(_BLANKS_IN_LINE)
        self.expect("]")
        self.tags[name] = LocatedText(value, text_offset + 1, raw, _CHARACTER)

    def _one_of(self, name: str, words: list[str]) -> str | None:
        """Return the value of a tag that must be one of *words*."""
        tag = self.tags.get(name)
        if tag is None:
            return None
        if tag.text in words:
            return tag.text
        self._report_at("one-of", tag.offset, words=quoted(words))
        return None

    def _result(self, result_mark: LocatedText | None) -> str:
        """Return the result of the Result tag, or else of the mark."""
        marked = result_mark.text if result_mark else "*"
        result = self._one_of("Result", list(MARK_OF_RESULT)) or marked
        if result_mark and result != marked:
            self._report_at("result-of-tag", result_mark.offset, mark=MARK_OF_RESULT[result])
        return result

    # Actions

    def _read_play(self, play: LineBuilder) -> None:
        """Read the items of a line of play; a fault ends a line that is read leniently."""
        self.run(_SKIPPED)
        while not self._at_end_of_play():
            try:
                self._read_item(play)
            except NotationError as error:
                self._report(error)
                self._skip_play()
            self.run(_SKIPPED)

    def _at_end_of_play(self) -> bool:
        """Return whether the text, the variation or the main line ends here."""
        character = self.peek()
        if character in _RESULT_MARK_STARTS:
            return _RESULT_MARK.match(self.text, self.offset) is not None
        return character in ("", ")")

    def _read_item(self, play: LineBuilder) -> None:
        """Read one item of a line: a comment, a NAG, a variation or an action."""
        character = self.peek()
        if character in ("{", ";"):
            self._read_comment(play)
        elif not play.moves and character in ("$", "("):
            self.fail("action-first")
        elif character == "$":
            self.offset += 1
            nag = self.number("nag", 0, MAX_NAG)
            play.moves[-1].nags.append(nag)
        elif character == "(":
            self._read_variation(play)
        else:
            self._read_action(play)

    def _read_variation(self, outer: LineBuilder) -> None:
        """Read a variation of the last move of a line, with its parentheses."""
        start = self.offset
        counted_before = self.errors.counted
        play = outer.variation()
        self.game_text.require_depth(play.depth, start)
        self.expect("(")
        self._read_play(play)
        self.expect(")")
        if play.moves:
            outer.moves[-1].variations.append(play.build())
        elif self.errors.counted == counted_before:
            self._report_at("action-in-variation", start + 1)

    def _read_action(self, play: LineBuilder) -> None:
        """Read an action, with the number of its turn before it and a suffix after it."""
        index = play.next_index
        self.game_text.require_index(self.start.rules, index, self.offset)
        self._skip_number(self.number_at(index))
        place = self.game_text.place(self.offset)
        plain = plain_action(self.text, self.offset)
        if plain is None:
            action = scan_action(self)
        else:
            action, self.offset = plain
        nags: list[int] = []
        suffix = _SUFFIX.match(self.text, self.offset)
        if suffix:
            nags.append(NAG_OF_SUFFIX[suffix.group()])
            self.offset = suffix.end()
        if self.peek() not in _AFTER_ACTION:
            self.fail("blank-after-action")
        play.add(action, nags)
        self.places.append(place)

    def _skip_number(self, expected: int) -> None:
        """Skip the number before an action, if there is one; note a wrong one."""
        start = self.offset
        right = _NUMBER.match(self.text, start)
        if right and right[1] == str(expected):
            self.offset = right.end()
        elif self.peek() in DIGITS:
            if self.number("turn-number", 0) != expected:
                self._report_at("this-turn-number", start, turn_number=expected)
            self.expect(".")
            self.run(_DOTS)

    def _read_comment(self, play: LineBuilder) -> None:
        """Read a comment on the last move, or on the line before its first move."""
        start = self.offset
        annotations = play.moves[-1].annotations if play.moves else None
        text = self._comment(annotations)
        play.last_comment.add(text, self.game_text, start)

    def _comment(self, annotations: dict[str, str] | None = None) -> str:
        """Read a comment, in braces or to the end of the line.

        Annotations in braces are added to *annotations*, unless it is ``None``.
        """
        start = self.offset
        self.offset += 1
        if self.text[start] == ";":
            text = self.run(_TO_LINE_END)
        else:
            raw = self.run(_IN_BRACES)
            if self.peek() != "}":
                self.fail("end-of-comment", start)
            self.offset += 1
            text = read_braces(raw, annotations)
        text = text.replace("\t", " ").strip(COMMENT_BLANKS)
        if any(first_unprintable(line) >= 0 for line in text.split("\n")):
            self.fail("comment-without-controls", start)
        return "\n".join(line.strip(COMMENT_BLANKS) for line in text.split("\n"))

    def _skip_play(self) -> None:
        """Skip the rest of a line, including the variations in it."""
        depth = 0
        while self.offset < len(self.text) and not (depth == 0 and self._at_end_of_play()):
            character = self.peek()
            depth += (character == "(") - (character == ")")
            if character == "{":
                self.offset += 1
                self.run(_IN_BRACES)
            elif character == ";" and self.text[self.offset - 1] in WHITESPACE:
                # A semicolon within a word is part of the error, and does not begin a comment.
                self.run(_TO_LINE_END)
            self.offset += 1
            self.run(_WORD)
            self.run(_SKIPPED)

    def _read_result_mark(self, play: LineBuilder) -> LocatedText | None:
        """Read the mark of the result and the comments after it; return the result."""
        mark = _RESULT_MARK.match(self.text, self.offset)
        try:
            if mark:
                self.offset = mark.end()
            self.run(_SKIPPED)
            while self.peek() in ("{", ";"):
                self._read_comment(play)
                self.run(_SKIPPED)
            if self.offset < len(self.text):
                self.fail("end")
        except NotationError as error:
            self._report(error)
        if mark is None:
            return None
        return LocatedText(_RESULT_OF[mark[1].lower()], mark.start())


# Comments in braces

_ESCAPE: Final = re.compile(r"\\(?:[\\}n]|\[%)")
_PART: Final = re.compile(rf"{_ESCAPE.pattern}|\[%([a-z]++)(?: ([^\]]*+))?\] ?")
_MEANING: Final = {"\\\\": "\\", "\\}": "}", "\\n": "\n", "\\[%": "[%"}


def read_braces(raw: str, annotations: dict[str, str] | None) -> str:
    """Return the text of a comment in braces without its annotations.

    Args:
        raw: The text between the braces.
        annotations: The mapping to add them to. An annotation whose name is already there, or that
            no move could have, stays in the text; with ``None``, all of them do.
    """
    text = unwrapped(raw).replace("\t", " ")
    if annotations is None or "[%" not in text:
        return _unescaped(text)

    def part(found: re.Match[str]) -> str:
        name, value = found.groups("")
        if not name:
            return _MEANING[found.group()]
        value = _unescaped(value).strip(" ")
        if name in annotations or first_unfit(value) >= 0 or len(value) > MAX_TEXT:
            return _unescaped(found.group())
        annotations[name] = value
        return ""

    # No annotation ends after the last bracket: searching for its end there from each "[%" could
    # take very long.
    end = text.rfind("]") + 1
    end += text.startswith(" ", end)
    return _PART.sub(part, text[:end]) + _unescaped(text[end:])


def unwrapped(text: str) -> str:
    """Join lines with single blanks."""
    # Line by line: a pattern would scan a run of blanks again from each blank in it.
    lines = text.split("\n")
    lines[:-1] = [line.rstrip(" \t") for line in lines[:-1]]
    lines[1:] = [line.lstrip(" \t") for line in lines[1:]]
    return " ".join(lines)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: _MEANING[found.group()], text)
