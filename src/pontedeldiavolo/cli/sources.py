"""What a command is given: a file, standard input, or the text itself."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from io import StringIO
from pathlib import Path
from typing import IO, Final

import click

from pontedeldiavolo.cli.failures import Refused, Unreadable, fault, printable, reason
from pontedeldiavolo.errors import PonteError, RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation import parse_setup, parse_state
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records import Record, iter_records
from pontedeldiavolo.state.state import GameState

LIMIT: Final = 1_000_000
"""No state, diagram or single record is longer, in characters; the largest boards need 40,000."""

START: Final = 4096
"""How many characters of a file are enough to tell its format."""

_ACTIONS = re.compile(r"\s*(1\s*\.+\s*)?(\*|pass\b|[A-Za-z]{1,2}[0-9]+\s*,)", re.ASCII)
_STATE = re.compile(r"[^\n]*=|\s*[0-9]+x[0-9]+", re.ASCII)


class Kind(Enum):
    """What a text is, by the look of its first line."""

    RECORD = "record"
    STATE = "state"
    SETUP = "set-up"


def kind_of(line: str) -> Kind:
    """Tell what a text is from its first line that is not blank."""
    if line.lstrip().startswith("[") or _ACTIONS.match(line):
        return Kind.RECORD
    return Kind.STATE if _STATE.match(line) else Kind.SETUP


class Lines(Iterator[str]):
    """The lines of a text, read one by one, of no more than a bearable length.

    Attributes:
        name: The file's name, fit for printing; ``None`` for a text without a file.
        octets: How many bytes have been read.
        ended: Whether the end has been seen.
        longest: How many characters a line has at most; what is longer comes in pieces.
        may_be_latin: Whether a line that is not UTF-8 is taken as Latin-1.
    """

    def __init__(self, file: IO[str], name: str | None) -> None:
        self.name = name
        self.octets = 0
        self.ended = False
        self.longest = LIMIT + 1
        self.may_be_latin = False
        self._file = file
        self._number = 0
        self._is_inside = False
        self._length = 0
        self._ahead: deque[str] = deque()

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else ""
        if not line.endswith("\n") and len(line) < self.longest:
            line += self._read(self.longest - len(line))
        if not line:
            self.ended = True
            raise StopIteration
        self._number += not self._is_inside
        self._is_inside = not line.endswith("\n")
        self._length += len(line)
        if self._length > LIMIT:
            raise self._unreadable(f"more than {LIMIT:,} characters without an end of the record")
        try:
            self.octets += len(line.encode())
        except UnicodeEncodeError as error:
            # Bytes that are not UTF-8 come out of the file as lone surrogates.
            if not self.may_be_latin:
                raise self._unreadable("not UTF-8 text") from error
            octets = line.encode(errors="surrogateescape")
            self.octets += len(octets)
            line = octets.decode("latin-1")
        return line

    def peek(self) -> str:
        """Return the first line that is not blank, and leave it to be read; "" if none is."""
        length = 0
        while length <= LIMIT and (line := self._read(self.longest)):
            self._ahead.append(line)
            length += len(line)
            if line.strip():
                return line
        return ""

    def start(self) -> str:
        """Return the first few thousand characters, and leave them to be read."""
        with self._reading():
            text = self._file.read(START)
        self._ahead.extend(StringIO(text))
        return text

    def forget(self) -> None:
        """Begin to measure anew: what was read so far is done with."""
        self._length = 0

    def _read(self, most: int) -> str:
        with self._reading():
            return self._file.readline(most)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._unreadable(reason(error)) from error

    def _unreadable(self, why: str) -> Unreadable:
        place = "the text" if self.name is None else f"{self.name}:{max(self._number, 1)}"
        return Unreadable(f"{place}: {why}")


@contextmanager
def opened(path: str) -> Iterator[Lines]:
    """Open a file, or standard input for ``-``.

    Raises:
        Unreadable: If it cannot be opened.
    """
    name = "standard input" if path == "-" else printable(path)
    try:
        stream = click.open_file(path, encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise Unreadable(f"{name}: {reason(error)}") from error
    with stream as file:
        yield Lines(file, name)


def size_of(paths: Iterable[str]) -> int:
    """Return the size of files together, as far as they have one, for a bar."""
    size = 0
    for path in paths:
        with suppress(OSError):
            size += Path(path).stat().st_size
    return size


@contextmanager
def opened_or_given(argument: str) -> Iterator[Lines]:
    """Open what an argument names: a file, ``-``, or else a text that is given itself.

    Raises:
        Unreadable: If it is none of them, or the file cannot be opened.
    """
    looks_like_text = "\n" in argument or "=" in argument or _ACTIONS.match(argument)
    if looks_like_text and not Path(argument).exists():
        yield Lines(StringIO(argument), None)
    else:
        with opened(argument) as lines:
            yield lines


def records_of(lines: Lines) -> Iterator[Record | RecordError]:
    """Iterate over the records in a text, each of bearable length."""
    for record in iter_records(lines):
        lines.forget()
        yield record


def game_of(record: Record | RecordError) -> Game:
    """Return the game that a record tells, with every action checked.

    Raises:
        RecordError: If it cannot be read, or breaks a rule.
    """
    if isinstance(record, RecordError):
        raise record
    return record.game()


def chosen_game(lines: Lines, number: int) -> Game:
    """Return one game of a text, counted from 1. ``lines.ended`` tells whether more follow.

    Raises:
        Refused: If it has no such game, or the game is not legal.
    """
    count = 0
    for record in records_of(lines):
        count += 1
        if count == number:
            try:
                return game_of(record)
            except RecordError as error:
                raise Refused(fault(lines.name, error)) from error
    place = lines.name or "the text"
    raise Refused(f"{place}: no game {number}, the last is {count}" if count else f"{place}: empty")


def loaded(argument: str, number: int = 1) -> GameState | Setup | Game:
    """Return what an argument gives or names: a state, a diagram, or one game of its records.

    Raises:
        Refused: If it is none of them.
        Unreadable: If it cannot be read.
    """
    with opened_or_given(argument) as lines:
        first = lines.peek()
        kind = kind_of(first)
        if kind is Kind.RECORD or not first:
            return chosen_game(lines, number)
        text = "".join(lines)
        try:
            return parse_state(text) if kind is Kind.STATE else parse_setup(text)
        except PonteError as error:
            raise Refused(fault(lines.name, error)) from error


def recorded_state(path: str, number: int = 1) -> GameState:
    """Return the end of a game in a file of records.

    Raises:
        Refused: If it has no such game, or the game is not legal.
        Unreadable: If it cannot be read.
    """
    with opened(path) as lines:
        return chosen_game(lines, number).state


def loaded_state(argument: str, number: int = 1) -> GameState:
    """Return the state that an argument gives or names; of a record, its end.

    Raises:
        Refused: If it is neither.
        Unreadable: If it cannot be read.
    """
    found = loaded(argument, number)
    if isinstance(found, Setup):
        raise Refused("a diagram does not say whose turn it is: give a state or a record")
    return found.state if isinstance(found, Game) else found
