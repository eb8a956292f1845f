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
    RESULTS,
    STRICT,
    ErrorList,
    Place,
    Places,
    Record,
    play_record,
)
from pontedeldiavolo.game.tags import DERIVED, first_unfit, first_unprintable, is_tag_name
from pontedeldiavolo.notation.actions import scan_action
from pontedeldiavolo.notation.scanner import DIGITS, Scanner
from pontedeldiavolo.rules.limits import Limits, exceeds
from pontedeldiavolo.state.state import GameState

from .reading import (
    WHITESPACE,
    Found,
    LineBuilder,
    Lines,
    Source,
    SourceText,
    TextPart,
    end_of_match,
    error_at,
    found_or_error,
    plain_action,
    read_many,
    read_one,
    truncated_lines,
    turn_numbering,
    value_of,
)

T = TypeVar("T")


def load(
    file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game in a file.

    >>> pdd.records.load(["1. d4,g7 red", "2. c3,c5 *"]).result
    '*'

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for errors, to read leniently: faulty parts are left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return read_one(file, find_games, limits, errors)


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
        errors: A list for errors, to read leniently: faulty parts are left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        RecordError: If it is not exactly one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_type(text, (str, bytes), "text")
    return read_one(text, find_games, limits, errors)


@overload
def iter_games(
    file: Source,
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]: ...


@overload
def iter_games(
    file: Source,
    on_error: Literal["raise", "skip", "yield"],
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]: ...


def iter_games(
    file: Source,
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
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: What to do with a bad game: ``"raise"`` its error, ``"skip"`` the game, with a
            warning at the end that says how many were skipped, or ``"yield"`` its error in place of
            the game.
        errors: A list for errors, to read leniently: faulty parts are left out, and only a game
            that cannot be read at all is bad.
        limits: The limits of reading; ``None`` for ``Limits()``. If one of them ends reading, an
            error that says so is raised, or with ``"yield"`` is the last item.

    Raises:
        PonteError: If *on_error* is none of the three.
        RecordError: If a game is bad and *on_error* is ``"raise"``, or if a limit ends reading.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return read_many(file, find_games, on_error, limits, errors)


def iter_headers(file: Source, *, limits: Limits | None = None) -> Iterator[Header | RecordError]:
    r"""Iterate over the records in a file, reading only their tags.

    A record whose tags cannot be read, or that is too long, yields its :class:`RecordError`.

    >>> text = '[First "Ada"]\n1. d4,g7 *\n\n[First "Bo"]\n1. a1,b1 *'
    >>> [(header.tags["First"], header.line) for header in pdd.records.iter_headers(text)]
    [('Ada', 1), ('Bo', 4)]

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return read_many(file, _find_headers, "yield", limits)


def iter_records(
    file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a file, parsed but not replayed.

    A record that cannot be read yields its :class:`RecordError`, and the next one follows.

    >>> [record] = pdd.records.iter_records("1. d4,d4 *")
    >>> [pdd.format_action(action) for action in record.actions]
    ['d4,d4']

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for errors, to read leniently: faulty parts are left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return read_many(file, _find_records, "yield", limits, errors)


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
    _source: SourceText = field(validator=instance_of(SourceText))

    @property
    def number(self) -> int:
        """The number of the game in its file, from 1."""
        return self._source.number

    @property
    def line(self) -> int:
        """The line of the file on which it begins, from 1."""
        return self._source.line

    @property
    def end_line(self) -> int:
        """The line of the file on which it ends: the last one that is not empty."""
        return self.line + self.text.removesuffix("\n").count("\n")

    @property
    def offset(self) -> int:
        """The offset in its source: in bytes for a source of bytes, else in characters.

        For an open file of bytes it is the argument for ``seek``. For all other sources it is
        counted from the place where reading began.
        """
        return self._source.start

    @property
    def text(self) -> str:
        """The text of the whole record without the empty lines around it.

        Its lines end with a line feed, regardless of the source, and it has no byte order marks.
        """
        text = self._source.text
        end = text.find("\n", len(text.rstrip(WHITESPACE)))
        return text if end < 0 else text[: end + 1]

    def record(self, errors: list[RecordError] | None = None) -> Record:
        """Return the whole record.

        Args:
            errors: A list for errors, to read leniently: faulty parts are left out.

        Raises:
            RecordError: If it cannot be read.
        """
        require_type(errors, list | None, "errors")
        error_list = ErrorList(errors, self._source.limits)
        found = found_or_error(self._source, 0, self.number, parse_record, self._source, error_list)
        return value_of(found.result)


# From lines to records and games


def find_games(lines: Lines, errors: ErrorList) -> Iterator[Found[Game]]:
    """Iterate over the games in a file, with every action checked."""
    for source in split_records(lines):
        yield found_or_error(source, 0, source.number, _read_game, source, errors)


def _read_game(source: SourceText, errors: ErrorList) -> Game:
    return play_record(parse_record(source, errors), errors)


def _find_records(lines: Lines, errors: ErrorList) -> Iterator[Found[Record]]:
    """Iterate over the records in a file, parsed but not replayed."""
    for source in split_records(lines):
        yield found_or_error(source, 0, source.number, parse_record, source, errors)


def _find_headers(lines: Lines, _errors: ErrorList) -> Iterator[Found[Header]]:
    """Iterate over the records in a file, reading only their tags."""
    for source in split_records(lines):
        yield found_or_error(source, 0, source.number, _read_header, source)


def _read_header(source: SourceText) -> Header:
    return Header(parse_tags(source), source)


_LEADING_TAGS: Final = re.compile(
    r'(?:[ \t]*\[[ \t]*\w+[ \t]+"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"[ \t]*\])+'
)
_OUTSIDE_COMMENTS: Final = re.compile(r"[^{;]*")
_BRACE_COMMENT: Final = re.compile(r"[^}\\]*+(?:\\.?+[^}\\]*+)*+", re.DOTALL)


def split_records(lines: Lines) -> Iterator[SourceText]:
    """Split a file into records: a line with a tag after actions begins a new one.

    A tag that is not at the start of its line, such as one after a comment, counts as an action:
    only the parser of a record reads it as a tag.

    A record that is too long is yielded as soon as that is known, because the source may never end.
    """
    record = _OpenRecord(1, lines)
    for line_as_read in truncated_lines(lines):
        line = record.without_mark(line_as_read)
        if record.ends_before(line):
            if not record.is_too_long:
                yield record.source(at_line_end=True)
            record = _OpenRecord(record.number + 1, lines)
        was_too_long = record.is_too_long
        mark = line_as_read[: len(line_as_read) - len(line)]
        record.add(line, lines.number, lines.offset + lines.size(mark))
        if record.is_too_long and not was_too_long:
            yield record.source(at_line_end=False)
    if record.pieces and not record.is_too_long:
        yield record.source(at_line_end=lines.at_line_end)


@final
class _OpenRecord:
    """A record whose end has not been found yet.

    Attributes:
        number: Its number in the file.
        characters_left: The number of characters that may be added; 0 if it is too long.
        line: The number of its first line.
        start: The offset of its first line in the source.
        pieces: Its lines; the last one may have been cut off.
        has_actions: Whether something other than comments, ignored lines and tags at the start of
            a line has been added.
        in_comment: Whether its last line ends within a comment in braces.
        after_empty: Whether its last line is empty.
    """

    def __init__(self, number: int, lines: Lines) -> None:
        self.number: int = number
        self.limits: Limits = lines.limits
        self.characters_left: int = lines.kept_characters
        self.line: int = 0
        self.start: int = 0
        self.pieces: list[str] = []
        self.has_actions: bool = False
        self.in_comment: bool = False
        self.after_empty: bool = False

    @property
    def is_too_long(self) -> bool:
        """True if more has been read than may be kept."""
        return self.characters_left == 0

    def without_mark(self, line: str) -> str:
        """Return a line without a byte order mark where a record may begin.

        Concatenated files have one in front of each.
        """
        if not line.startswith(BYTE_ORDER_MARK):
            return line
        bare = line.lstrip(BYTE_ORDER_MARK)
        may_begin_record = not self.pieces or self.ends_before(bare)
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

    def add(self, line: str, number: int, start: int) -> None:
        """Add the line with this number in the file, at the offset *start*.

        Empty lines at the beginning, and text beyond the limit, are left out.
        """
        self.after_empty = not line.strip(WHITESPACE)
        if not self.pieces:
            if self.after_empty:
                return
            self.line = number
            self.start = start
        if self.in_comment or not line.startswith("%"):
            has_actions, self.in_comment = _look_into(line, in_comment=self.in_comment)
            self.has_actions = self.has_actions or has_actions
        if not self.is_too_long:
            piece = line[: self.characters_left]
            self.pieces.append(piece)
            self.characters_left -= len(piece)

    def source(self, *, at_line_end: bool) -> SourceText:
        """Return the record's text, with a line end if the file has one."""
        # Lines of an iterable may come without line ends: `truncated_lines` drops the end that
        # `_LineItems` adds.
        text = "\n".join(piece.removesuffix("\n") for piece in self.pieces)
        if at_line_end or self.pieces[-1].endswith("\n"):
            text += "\n"
        return SourceText(self.number, self.line, 1, text, self.limits, self.start)


def _look_into(line: str, *, in_comment: bool) -> tuple[bool, bool]:
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
            offset = end_of_match(_BRACE_COMMENT, line, offset) + 1
            in_comment = offset > len(line)
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


# From the text of a record to the record. `Lines` has made every line end a line feed: the text
# has no carriage return.

NAG_OF_SUFFIX: Final = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""Suffixes of actions, with the numbers of their NAGs."""

_BLANKS_IN_LINE: Final = re.compile(r"[ \t]*+")
_TAG_OF_RULES: Final = re.compile(r"\[[ \t]*+(?:Rules|Start)(?![A-Za-z0-9_])")
_QUOTED: Final = re.compile(r'"[^"\\\n]*+(?:\\["\\][^"\\\n]*+)*+')
_ESCAPED: Final = re.compile(r"\\(.)")
_NAME: Final = re.compile(r"[A-Za-z0-9_]*")
_IN_BRACES: Final = re.compile(r"[^}\\]*+(?:\\.[^}\\]*+)*+", re.DOTALL)
_TO_LINE_END: Final = re.compile(r"[^\n]*")
_SKIPPED: Final = re.compile(r"[ \t\n]*+(?:(?<![^\n])%[^\n]*+[ \t\n]*+)*")
"""Blanks, and lines that begin with a percent sign."""
_WORD: Final = re.compile(r"[A-Za-z0-9.,-]*")
_DOTS: Final = re.compile(r"\.*+[ \t\n]*+")
_NUMBER: Final = re.compile(rf"([0-9]++)\.{_DOTS.pattern}")
_SUFFIX: Final = re.compile(r"!!|\?\?|!\?|\?!|!|\?")
_RESULT_OF: Final = {mark: result for result, mark in RESULTS.items()}
_MARK_STARTS: Final = frozenset(mark[0] for each in _RESULT_OF for mark in (each, each.upper()))
_MARK: Final = re.compile(
    rf"({'|'.join(map(re.escape, _RESULT_OF))})(?=[ \t\n{{;)]|\Z)", re.ASCII | re.IGNORECASE
)
_AFTER_ACTION: Final = ("", " ", "\t", "\n", "{", ";", "(", ")", "$")
"""What may follow an action without a blank; "" is the end of the text."""


def parse_record(source: SourceText, errors: ErrorList = STRICT) -> Record:
    """Parse a record without replaying it.

    Args:
        source: The text.
        errors: The list for errors; if it is lenient, faulty parts are left out.

    Raises:
        RecordError: If something is wrong and *errors* is strict.
        PonteError: If the rules cannot be read: without them no action means anything, so even a
            lenient reader stops there.
    """
    return _RecordParser(source, errors).record()


def parse_tags(source: SourceText) -> FrozenMapping[str]:
    """Parse the tags of a record, and read no further.

    Raises:
        PonteError: If a tag cannot be read, or the text is too long.
    """
    parser = _RecordParser(source, STRICT)
    parser.require_length()
    parser.read_tags()
    return FrozenMapping({name: tag.text for name, tag in parser.tags.items()})


@final
class _RecordParser:
    """A parser of one record, which reads its text from left to right.

    Attributes:
        offset: The offset up to which the text has been read.
        tags: The tags that have been read, by name.
    """

    def __init__(self, source: SourceText, errors: ErrorList) -> None:
        self.source = source
        self.text = source.text
        self.offset: int = 0
        self.errors = errors
        self.tags: dict[str, TextPart] = {}
        # The places of all actions in the file, in the order of the text.
        self.places: list[Place] = []
        # These two follow from the tags; they are set before the first action is read.
        self.start: GameState
        self.number_at: Callable[[int], int]

    def record(self) -> Record:
        """Read the whole text."""
        source = self.source
        self.require_length()
        line = LineBuilder(comments=self.read_tags())
        self.start = source.starting_state(
            self.tags.get("Rules"), self.tags.get("Start"), "rules-of-tag"
        )
        self.number_at = turn_numbering(self.start)
        ending = self._one_of("Termination", [ending.value for ending in Ending])
        self._read_line(line)
        mark = self._read_mark(line)
        if not self.tags and not line.moves and mark is None:
            # If an earlier fault at the start explains why nothing was found, report that one.
            hiding = self.errors.remove_at(source.place(0), source.number)
            if hiding is not None:
                raise hiding
            self._fail("game-content", 0)
        recorded_result = self.tags.get("Result") or mark
        recorded_ending = self.tags.get("Termination")
        return Record(
            start=self.start,
            tags={name: tag.text for name, tag in self.tags.items() if name not in DERIVED},
            line=line.line(),
            result=self._result(mark),
            ending=None if ending is None else Ending(ending),
            number=source.number,
            places=Places(
                tuple(self.places),
                None if recorded_result is None else source.place(recorded_result.offset),
                source.place(0 if recorded_ending is None else recorded_ending.offset),
            ),
            limits=source.limits,
        )

    def require_length(self) -> None:
        """Refuse a record that is too long and was cut off."""
        most = self.source.limits.characters
        if exceeds(len(self.text), most):
            self._fail("limit-characters", most, max=cast(int, most))

    # Steps through the text

    def _next(self) -> str:
        """Return the next character, or "" at the end."""
        return self.text[self.offset : self.offset + 1]

    def _read(self, pattern: re.Pattern[str]) -> str:
        """Read the match of a pattern that always matches, and return it."""
        start = self.offset
        self.offset = end_of_match(pattern, self.text, start)
        return self.text[start : self.offset]

    def _expect(self, literal: str) -> None:
        """Read a character that must come next."""
        if self._next() != literal:
            self._fail("literal", literal=literal)
        self.offset += 1

    def _scan(self, scan: Callable[[Scanner], T]) -> T:
        """Read what may be written in several ways; if it is wrong, the error says where."""
        scanner = Scanner(self.text)
        scanner.offset = self.offset
        try:
            return scan(scanner)
        finally:
            self.offset = scanner.offset

    def _fail(self, code: str, offset: int | None = None, **values: MessageValue) -> NoReturn:
        """Raise an error at *offset* or here; *code* names what was expected."""
        self.source.fail(code, self.offset if offset is None else offset, **values)

    def _report(self, error: NotationError) -> None:
        """Raise the error, or append it to the list."""
        self.errors.append(error_at(self.source, self.source.number, error))

    def _report_at(self, code: str, offset: int, **values: MessageValue) -> None:
        """Raise an error at *offset*, or append it to the list; *code* names what was expected."""
        self._report(NotationError(self.text, offset, reason(code, **values)))

    # Tags

    def read_tags(self) -> list[str]:
        """Read all tags, and return the comments among them, which go before the first move."""
        comments: list[str] = []
        while True:
            self._read(_SKIPPED)
            start = self.offset
            character = self._next()
            try:
                if character in ("{", ";"):
                    comments.append(self._comment())
                elif character == "[":
                    self._read_tag()
                else:
                    return comments
            except NotationError as error:
                if _TAG_OF_RULES.match(self.text, start):
                    raise
                self._report(error)
                self._read(_TO_LINE_END)

    def _read_tag(self) -> None:
        """Read a tag; it must be on one line."""
        self._expect("[")
        self._read(_BLANKS_IN_LINE)
        name_offset = self.offset
        name = self._read(_NAME)
        if not is_tag_name(name):
            self._fail("tag-name", name_offset)
        if name in self.tags:
            self._fail("no-second-tag", name_offset, name=name[:EXCERPT_CHARACTERS])
        if not self._read(_BLANKS_IN_LINE):
            self._fail("blank-then-text")
        text_offset = self.offset
        if self._next() != '"':
            self._fail("quoted-text")
        value = _ESCAPED.sub(r"\1", self._read(_QUOTED)[1:])
        if self._next() != '"':
            self._fail("end-of-text")
        self.offset += 1
        if first_unprintable(value) >= 0:
            self._fail("text-without-controls", text_offset)
        self._read(_BLANKS_IN_LINE)
        self._expect("]")
        self.tags[name] = TextPart(value, text_offset + 1)

    def _one_of(self, name: str, words: list[str]) -> str | None:
        """Return the value of a tag that must be one of *words*."""
        tag = self.tags.get(name)
        if tag is None:
            return None
        if tag.text in words:
            return tag.text
        self._report_at("one-of", tag.offset, words=quoted(words))
        return None

    def _result(self, mark: TextPart | None) -> str:
        """Return the result of the Result tag, or else of the mark."""
        result = self._one_of("Result", list(RESULTS)) or (mark.text if mark else "*")
        if mark and result != mark.text:
            self._report_at("result-of-tag", mark.offset, mark=RESULTS[result])
        return result

    # Actions

    def _read_line(self, line: LineBuilder) -> None:
        """Read the items of a line of play; a fault ends a line that is read leniently."""
        self._read(_SKIPPED)
        while not self._at_line_end():
            try:
                self._read_item(line)
            except NotationError as error:
                self._report(error)
                self._skip_line()
            self._read(_SKIPPED)

    def _at_line_end(self) -> bool:
        """Return whether the text, the variation or the main line ends here."""
        character = self._next()
        if character in _MARK_STARTS:
            return _MARK.match(self.text, self.offset) is not None
        return character in ("", ")")

    def _read_item(self, line: LineBuilder) -> None:
        """Read one item of a line: a comment, a NAG, a variation or an action."""
        character = self._next()
        if character in ("{", ";"):
            self._read_comment(line)
        elif not line.moves and character in ("$", "("):
            self._fail("action-first")
        elif character == "$":
            self.offset += 1
            nag = self._scan(lambda scanner: scanner.number("nag", 0, MAX_NAG))
            line.moves[-1].nags.append(nag)
        elif character == "(":
            self._read_variation(line)
        else:
            self._read_action(line)

    def _read_variation(self, outer: LineBuilder) -> None:
        """Read a variation of the last move of a line, with its parentheses."""
        start = self.offset
        error_count = self.errors.count
        line = outer.variation()
        self.source.require_depth(line.depth, start)
        self._expect("(")
        self._read_line(line)
        self._expect(")")
        if line.moves:
            outer.moves[-1].variations.append(line.line())
        elif self.errors.count == error_count:
            self._report_at("action-in-variation", start + 1)

    def _read_action(self, line: LineBuilder) -> None:
        """Read an action, with the number of its turn before it and a suffix after it."""
        index = line.first + len(line.moves)
        self.source.require_index(self.start.rules, index, self.offset)
        self._skip_number(self.number_at(index))
        place = self.source.place(self.offset)
        plain = plain_action(self.text, self.offset)
        if plain is None:
            action = self._scan(scan_action)
        else:
            action, self.offset = plain
        nags: list[int] = []
        suffix = _SUFFIX.match(self.text, self.offset)
        if suffix:
            nags.append(NAG_OF_SUFFIX[suffix.group()])
            self.offset = suffix.end()
        if self._next() not in _AFTER_ACTION:
            self._fail("blank-after-action")
        line.add(action, nags)
        self.places.append(place)

    def _skip_number(self, expected: int) -> None:
        """Skip the number before an action, if there is one; note a wrong one."""
        start = self.offset
        right = _NUMBER.match(self.text, start)
        if right and right[1] == str(expected):
            self.offset = right.end()
        elif self._next() in DIGITS:
            if self._scan(lambda scanner: scanner.number("turn-number", 0)) != expected:
                self._report_at("this-turn-number", start, turn_number=expected)
            self._expect(".")
            self._read(_DOTS)

    def _read_comment(self, line: LineBuilder) -> None:
        """Read a comment on the last move, or on the line before its first move."""
        if line.moves:
            move = line.moves[-1]
            move.comments.append(self._comment(move.annotations))
        else:
            line.comments.append(self._comment())

    def _comment(self, annotations: dict[str, str] | None = None) -> str:
        """Read a comment, in braces or to the end of the line.

        Annotations in braces are added to *annotations*, unless it is ``None``.
        """
        start = self.offset
        self.offset += 1
        if self.text[start] == ";":
            text = self._read(_TO_LINE_END)
        else:
            raw = self._read(_IN_BRACES)
            if self._next() != "}":
                self._fail("end-of-comment", start)
            self.offset += 1
            text = read_braces(raw, annotations)
        text = text.replace("\t", " ").strip(COMMENT_BLANKS)
        if any(first_unprintable(line) >= 0 for line in text.split("\n")):
            self._fail("comment-without-controls", start)
        return "\n".join(line.strip(COMMENT_BLANKS) for line in text.split("\n"))

    def _skip_line(self) -> None:
        """Skip the rest of a line, including the variations in it."""
        depth = 0
        while self.offset < len(self.text) and not (depth == 0 and self._at_line_end()):
            character = self._next()
            depth += (character == "(") - (character == ")")
            if character == "{":
                self.offset += 1
                self._read(_IN_BRACES)
            elif character == ";" and self.text[self.offset - 1] in WHITESPACE:
                # A semicolon within a word is part of the error, and does not begin a comment.
                self._read(_TO_LINE_END)
            self.offset += 1
            self._read(_WORD)
            self._read(_SKIPPED)

    def _read_mark(self, line: LineBuilder) -> TextPart | None:
        """Read the mark of the result and the comments after it; return the result."""
        mark = _MARK.match(self.text, self.offset)
        try:
            if mark:
                self.offset = mark.end()
            self._read(_SKIPPED)
            while self._next() in ("{", ";"):
                self._read_comment(line)
                self._read(_SKIPPED)
            if self.offset < len(self.text):
                self._fail("end")
        except NotationError as error:
            self._report(error)
        return mark and TextPart(_RESULT_OF[mark[1].lower()], mark.start())


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
        if name in annotations or first_unfit(value) >= 0:
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
