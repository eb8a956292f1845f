"""What a command is given: a file, standard input, or the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path, PurePath
from typing import IO, Final

import click

from pontedeldiavolo.base.errors import PonteError, RecordError
from pontedeldiavolo.cli.failures import (
    Refused,
    Unreadable,
    fault,
    needing_extras,
    printable,
    reason,
)
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.notation import parse_setup, parse_state
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records import Format, Record, iter_records, read
from pontedeldiavolo.records.formats import FORMATS, detect_format
from pontedeldiavolo.records.text_io import Lines as AnyLines
from pontedeldiavolo.state.state import GameState

LIMITS: Final = Limits(errors=None)
"""How much is read of what a command is given: all errors are told, one by one."""
LIMIT: Final = 1_000_000
"""No state, diagram or single record is longer, in characters; the largest boards need 40,000."""

LIKE_TEXTS: Final = (None, Format.PDD, Format.MOVES)
"""Where these formats may be, by a file's name, states and diagrams may be as well."""

_ACTIONS = re.compile(r"\s*(1\s*\.+\s*)?(\*|pass\b|[A-Za-z]{1,2}[0-9]+\s*,)", re.ASCII)
_STATE = re.compile(r"[^\n]*=|\s*[0-9]+x[0-9]+", re.ASCII)


class TextKind(Enum):
    """What a text is, by the look of its first line."""

    RECORD = "record"
    STATE = "state"
    SETUP = "set-up"


def kind_of(line: str) -> TextKind:
    """Tell what a text is from its first line that is not blank."""
    if line.lstrip().startswith(("[", "{", "%", ";")) or _ACTIONS.match(line):
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


def suffix_of(path: str) -> str:
    """Return how a file's name ends, in small letters."""
    return PurePath(path).suffix.lower()


def format_of(argument: str, lines: Lines) -> Format | None:
    """Tell the format of the games in a text; ``None`` for a state or a diagram.

    A file's name and the look of its beginning tell, as for all commands that read games. What
    they leave open is in this library's own format.

    Raises:
        Unreadable: If it cannot be read.
    """
    start = lines.start()
    found = None if lines.name is None else detect_format(start, suffix_of(argument))
    if found in LIKE_TEXTS and not (
        found is Format.MOVES and FORMATS[found].signature.search(start)
    ):
        first = lines.peek()
        if first and kind_of(first) is not TextKind.RECORD:
            return None
    return found or Format.PDD


def results_of(lines: Lines, form: Format) -> Iterator[Record | Game | RecordError]:
    """Iterate over the games of a text, each of bearable length; own records are not judged yet."""
    with needing_extras():
        found: Iterator[Record | Game | RecordError] = (
            iter_records(lines, limits=LIMITS)
            if form is Format.PDD
            else read(lines, format=form, limits=LIMITS)
        )
    for each in found:
        lines.forget()
        yield each


def results_in(argument: str, lines: Lines) -> Iterator[Record | Game | RecordError]:
    """Iterate over the games of a text that must have some, in whatever format they are."""
    return results_of(lines, format_of(argument, lines) or Format.PDD)


def game_of(result: Record | Game | RecordError) -> Game:
    """Return the game that was read, with every action checked.

    Raises:
        RecordError: If it cannot be read, or breaks a rule.
    """
    if isinstance(result, RecordError):
        raise result
    return result if isinstance(result, Game) else result.game()


def all_games(lines: Lines, form: Format) -> Iterator[Game]:
    """Iterate over the games of a text, which has one at least.

    Raises:
        Refused: If it has none, or one of them is not legal.
    """
    nothing = _nothing(lines)
    for result in results_of(lines, form):
        nothing = ""
        yield _good(result, lines)
    if nothing:
        raise Refused(f"{_place(lines)}: {nothing}")


def chosen_game(lines: Lines, results: Iterator[Record | Game | RecordError], number: int) -> Game:
    """Return one of the games of a text, counted from 1; what follows is left in *results*.

    Raises:
        Refused: If it has no such game, or the game is not legal.
    """
    why = _nothing(lines)
    for count, result in enumerate(results, 1):
        if count == number:
            return _good(result, lines)
        why = f"no game {number}, the last is {count}"
    raise Refused(f"{_place(lines)}: {why}")


def has_more(lines: Lines, results: Iterator[object]) -> bool:
    """Tell whether something follows the game that was read last."""
    try:
        return not lines.ended and next(results, None) is not None
    except Unreadable:
        # It does, whatever it is.
        return True


def _good(result: Record | Game | RecordError, lines: Lines) -> Game:
    try:
        return game_of(result)
    except RecordError as error:
        raise Refused(fault(lines.name, error)) from error


def _nothing(lines: Lines) -> str:
    """Say what a text is, of which nothing has been read, if it turns out to have no game."""
    return "no game in it" if lines.peek() else "empty"


def _place(lines: Lines) -> str:
    return lines.name or "the text"


def loaded(argument: str, number: int = 1, form: Format | None = None) -> GameState | Setup | Game:
    """Return what an argument gives or names: a state, a diagram, or one of its games.

    Args:
        argument: A text, the name of a file, or ``-``.
        number: Which game it is to be.
        form: In which format games are; ``None`` to tell it.

    Raises:
        Refused: If it is none of them.
        Unreadable: If it cannot be read.
    """
    with opened_or_given(argument) as lines:
        form = form or format_of(argument, lines)
        if form is None:
            return _shown(lines)
        return chosen_game(lines, results_of(lines, form), number)


def all_loaded(argument: str, form: Format | None = None) -> Iterator[GameState | Setup | Game]:
    """Iterate over all that an argument gives or names: a state, a diagram, or all of its games.

    Raises:
        Refused: If it is none of them.
        Unreadable: If it cannot be read.
    """
    with opened_or_given(argument) as lines:
        form = form or format_of(argument, lines)
        if form is None:
            yield _shown(lines)
        else:
            yield from all_games(lines, form)


def _shown(lines: Lines) -> GameState | Setup:
    """Return the state or the diagram that a text is."""
    kind = kind_of(lines.peek())
    text = "".join(lines)
    try:
        return parse_state(text) if kind is TextKind.STATE else parse_setup(text)
    except PonteError as error:
        raise Refused(fault(lines.name, error)) from error


def recorded_state(path: str, number: int = 1) -> GameState:
    """Return the end of a game in a file of any format.

    Raises:
        Refused: If it has no such game, or the game is not legal.
        Unreadable: If it cannot be read.
    """
    with opened(path) as lines:
        return chosen_game(lines, results_in(path, lines), number).state


def loaded_state(argument: str, number: int = 1) -> GameState:
    """Return the state that an argument gives or names; of a game, its end.

    Raises:
        Refused: If it is neither.
        Unreadable: If it cannot be read.
    """
    found = loaded(argument, number)
    if isinstance(found, Setup):
        raise Refused("a diagram does not say whose turn it is: give a state or a record")
    return found.state if isinstance(found, Game) else found
