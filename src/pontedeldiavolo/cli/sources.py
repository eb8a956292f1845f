"""What a command is given: a file, standard input, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from typing import IO, Final

import click

from pontedeldiavolo.cli.failures import Refused, Unreadable, fault, printable, reason
from pontedeldiavolo.errors import PonteError, RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.notation import parse_setup, parse_state
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records import Record, iter_records
from pontedeldiavolo.records.lines import Lines as AnyLines
from pontedeldiavolo.state.state import GameState

LIMITS: Final = Limits(errors=None)
"""How much is read of what a command is given: all errors are told, one by one."""
LIMIT: Final = 1_000_000
"""No state, diagram or single record is longer, in characters; the largest boards need 40,000."""

_ACTIONS = re.compile(r"\s*(1\s*\.+\s*)?(\*|pass\b|[A-Za-z]{1,2}[0-9]+\s*,)", re.ASCII)
_STATE = re.compile(r"[^\n]*=|\s*[0-9]+x[0-9]+", re.ASCII)


class TextKind(Enum):
    """What a text is, by the look of its first line."""

    RECORD = "record"
    STATE = "state"
    SETUP = "set-up"


def kind_of(line: str) -> TextKind:
    """Tell what a text is from its first line that is not blank."""
    if line.lstrip().startswith("[") or _ACTIONS.match(line):
        return TextKind.RECORD
    return TextKind.STATE if _STATE.match(line) else TextKind.SETUP


class Lines(AnyLines):
    """The lines of a text, of no more than a bearable length without the end of a game.

    Attributes:
        name: The file's name, fit for printing; ``None`` for a text without a file.
    """

    def __init__(self, source: bytes | IO[bytes] | IO[str], name: str | None) -> None:
        super().__init__(source)
        self.name = name
        self._length = 0

    def __next__(self) -> str:
        line = super().__next__()
        self._length += len(line)
        if self._length > LIMIT:
            raise self._unreadable(f"more than {LIMIT:,} characters without an end of the record")
        return line

    def forget(self) -> None:
        """Begin to measure anew: what was read so far is done with."""
        self._length = 0

    def _read(self, most: int) -> str:
        try:
            return super()._read(most)
        except OSError as error:
            raise self._unreadable(reason(error)) from error
        except UnicodeDecodeError as error:
            raise self._unreadable("not text in its encoding") from error

    def _checked(self, line: str) -> str:
        try:
            return super()._checked(line)
        except UnicodeDecodeError as error:
            raise self._unreadable("not UTF-8 text") from error

    def _unreadable(self, why: str) -> Unreadable:
        place = "the text" if self.name is None else f"{self.name}:{max(self.number, 1)}"
        return Unreadable(f"{place}: {why}")


@contextmanager
def opened(path: str) -> Iterator[Lines]:
    """Open a file, or standard input for ``-``.

    Raises:
        Unreadable: If it cannot be opened.
    """
    name = "standard input" if path == "-" else printable(path)
    try:
        stream = click.open_file(path, "rb")
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
        # Bytes that are not text come as lone surrogates, and go back to such bytes.
        yield Lines(argument.encode(errors="surrogatepass"), None)
    else:
        with opened(argument) as lines:
            yield lines


def records_of(lines: Lines) -> Iterator[Record | RecordError]:
    """Iterate over the records in a text, each of bearable length."""
    for record in iter_records(lines, limits=LIMITS):
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
        if kind is TextKind.RECORD or not first:
            return chosen_game(lines, number)
        text = "".join(lines)
        try:
            return parse_state(text) if kind is TextKind.STATE else parse_setup(text)
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
