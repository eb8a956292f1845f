"""Reading records: one game or a stream of them, with errors that point at line and column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Literal

from attrs import frozen

from pontedeldiavolo.actions import Action
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import NotationError, PonteError, RecordError
from pontedeldiavolo.frozen_mapping import FrozenMapping
from pontedeldiavolo.game import Game
from pontedeldiavolo.notation.actions import scan_action
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.layout import RESULTS, turn_number
from pontedeldiavolo.records.record import Place, Record
from pontedeldiavolo.rules import Rules
from pontedeldiavolo.tags import DERIVED, first_unprintable, is_tag_name
from pontedeldiavolo.vocabulary import Ending

_QUOTED = re.compile(r'"(?:[^"\\\n]|\\["\\])*')
_ESCAPE = re.compile(r"\\(.)")
_NAME = re.compile(r"[A-Za-z0-9_]*")
_BYTE_ORDER_MARK = "\ufeff"


def loads(text: str) -> Game:
    """Return the one game that *text* records.

    Raises:
        TypeError: If *text* is not a string.
        RecordError: If it is not the record of one legal game.
    """
    require_type(text, str, "text")
    return _only(StringIO(text))


def load(file: Iterable[str]) -> Game:
    """Return the one game that a text file records.

    Raises:
        TypeError: If *file* does not give lines of text.
        RecordError: If it is not the record of one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return _only(file)


def _only(lines: Iterable[str]) -> Game:
    chunks = _chunks(lines)
    first = next(chunks, None)
    if first is None:
        raise RecordError(1, 1, "a game")
    game = _parse(first).game()
    second = next(chunks, None)
    if second is not None:
        raise RecordError(second.line, 1, "the end: one game was asked for", 2)
    return game


def iter_records(file: Iterable[str]) -> Iterator[Record | RecordError]:
    """Iterate over the records in a text file, parsed but not replayed.

    A record that cannot be read comes as its :class:`RecordError`, and the next one follows.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    chunks = _chunks(file)
    return (_parsed_or_error(chunk) for chunk in chunks)


def _parsed_or_error(chunk: _Chunk) -> Record | RecordError:
    try:
        return _parse(chunk)
    except RecordError as error:
        return error


def iter_games(file: Iterable[str], on_error: Literal["raise", "skip"] = "raise") -> Iterator[Game]:
    """Iterate over the games in a text file, every action checked.

    Args:
        file: A text file, or anything that gives lines of text.
        on_error: ``"raise"`` stops at the first bad record, ``"skip"`` leaves bad ones out.

    Raises:
        TypeError: If *file* does not give lines of text.
        PonteError: If *on_error* is neither of the two.
        RecordError: If a record is bad and *on_error* is ``"raise"``.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    if on_error not in ("raise", "skip"):
        raise PonteError(f"on_error must be 'raise' or 'skip', not {on_error!r}")
    return _games(iter_records(file), skip=on_error == "skip")


def _games(records: Iterator[Record | RecordError], *, skip: bool) -> Iterator[Game]:
    for record in records:
        try:
            if isinstance(record, RecordError):
                raise record
            game = record.game()
        except RecordError:
            if not skip:
                raise
        else:
            yield game


# One record's text


@frozen
class _Chunk:
    """The text of one record, and where it stands in its file."""

    number: int
    line: int
    text: str

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        before = self.text.count("\n", 0, offset)
        return (self.line + before, offset - self.text.rfind("\n", 0, offset))


def _chunks(lines: Iterable[str]) -> Iterator[_Chunk]:
    """Split a stream of lines into records: tags after actions begin a new one."""
    if isinstance(lines, str):
        raise TypeError("a text file is needed, not a string: use loads")
    return _split(lines)


def _split(lines: Iterable[str]) -> Iterator[_Chunk]:
    number, start = 1, 1
    pieces: list[str] = []
    has_actions = False
    for line_number, line in enumerate(lines, 1):
        require_type(line, str, "a line of the file")
        content = line.removeprefix(_BYTE_ORDER_MARK) if line_number == 1 else line
        first = content.lstrip(" \t\r\n")[:1]
        if first == "[" and has_actions:
            yield _Chunk(number, start, "".join(pieces))
            number, pieces, has_actions = number + 1, [], False
        if first and not pieces:
            start = line_number
        if first or pieces:
            pieces.append(content)
        has_actions = has_actions or first not in ("", "[")
    if pieces:
        yield _Chunk(number, start, "".join(pieces))


def _parse(chunk: _Chunk) -> Record:
    try:
        return _scan_record(Scanner(chunk.text), chunk)
    except NotationError as error:
        raise RecordError(*chunk.place(error.offset), error.expected, chunk.number) from error


def _scan_record(scanner: Scanner, chunk: _Chunk) -> Record:
    tags: dict[str, str] = {}
    places: dict[str, int] = {}
    scanner.blanks()
    while scanner.take("["):
        name, place, value = _scan_tag(scanner)
        if name in places:
            scanner.fail(f"no second tag {name}", place)
        tags[name], places[name] = value, place
        scanner.blanks()
    rules = _rules(scanner, tags.get("Rules"), places.get("Rules", 0))
    termination = _termination(scanner, tags.get("Termination"), places.get("Termination", 0))
    result = tags.get("Result")
    if result is not None and result not in RESULTS:
        scanner.fail("one of " + ", ".join(map(repr, RESULTS)), places["Result"])
    actions, offsets, mark, mark_offset = _scan_actions(scanner)
    if result is not None and mark is not None and result != mark:
        scanner.fail(f"'{RESULTS[result]}', as the Result tag has it", mark_offset)
    result_offset = places.get("Result", mark_offset if mark is not None else None)
    return Record(
        rules,
        FrozenMapping({name: value for name, value in tags.items() if name not in DERIVED}),
        actions,
        result or mark or "*",
        termination,
        chunk.number,
        tuple(map(chunk.place, offsets)),
        None if result_offset is None else chunk.place(result_offset),
        chunk.place(places.get("Termination", 0)),
    )


def _scan_tag(scanner: Scanner) -> tuple[str, int, str]:
    """Read a tag after its bracket: its name, where its value starts, and its value."""
    scanner.blanks()
    start = scanner.offset
    name = scanner.run(_NAME)
    if not is_tag_name(name):
        scanner.fail("a tag's name: a letter, then letters, digits or '_'", start)
    scanner.gap("a text in double quotes")
    start = scanner.offset
    scanner.expect('"')
    scanner.offset = start
    value = _ESCAPE.sub(r"\1", scanner.run(_QUOTED)[1:])
    if not scanner.take('"'):
        scanner.fail("'\"' to end the text, or one of the escapes \\\" and \\\\")
    bad = first_unprintable(value)
    if bad >= 0:
        scanner.fail("a text without control characters", start)
    scanner.blanks()
    scanner.expect("]")
    return name, start + 1, value


def _rules(scanner: Scanner, text: str | None, offset: int) -> Rules:
    if text is None:
        return Rules()
    try:
        return parse_rules(text)
    except NotationError as error:
        scanner.fail(error.expected, offset + error.offset)


def _termination(scanner: Scanner, text: str | None, offset: int) -> Ending | None:
    if text is None:
        return None
    words = [ending.value for ending in Ending]
    if text not in words:
        scanner.fail("one of " + ", ".join(map(repr, words)), offset)
    return Ending(text)


def _scan_actions(
    scanner: Scanner,
) -> tuple[tuple[Action, ...], list[int], str | None, int]:
    """Read the actions: their values and offsets, then the result at the end and its offset."""
    actions: list[Action] = []
    offsets: list[int] = []
    while True:
        scanner.blanks()
        start = scanner.offset
        if not scanner.peek():
            return tuple(actions), offsets, None, start
        for result, mark in RESULTS.items():
            if scanner.take(mark):
                scanner.end()
                return tuple(actions), offsets, result, start
        if scanner.peek() in tuple("0123456789"):
            number = turn_number(len(actions))
            if scanner.number("a turn's number", 0) != number:
                scanner.fail(f"turn number {number}", start)
            scanner.expect(".")
            while scanner.take("."):
                pass
            scanner.blanks()
        offsets.append(scanner.offset)
        actions.append(scan_action(scanner))
        if scanner.peek() and not scanner.blanks():
            scanner.fail("a blank after the action")
