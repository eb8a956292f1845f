"""Input of commands: files in any format, standard input, or a text given itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import IO, Final, TypeAlias, TypeVar

import click

from pontedeldiavolo.base.errors import PonteError, RecordError
from pontedeldiavolo.cli.errors import (
    Refused,
    Unreadable,
    fault,
    file_errors,
    printable,
    unreadable,
)
from pontedeldiavolo.cli.language import said
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.notation import parse_setup, parse_state
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records import Format, Record, iter_records, read
from pontedeldiavolo.records.formats import FORMATS, detect_format
from pontedeldiavolo.records.text_io import Lines
from pontedeldiavolo.state.state import GameState

LIMITS: Final = Limits(errors=None)
"""The limits of all inputs: every error is reported."""
MAX_CHARACTERS: Final = 1_000_000
"""The longest state, diagram or record; the largest boards need 40,000 characters."""

Found: TypeAlias = GameState | Setup | Game
Result: TypeAlias = Record | Game | RecordError
T = TypeVar("T")

_ACTIONS = re.compile(r"\s*(1\s*\.+\s*)?(\*|pass\b|[A-Za-z]{1,2}[0-9]+\s*,)", re.ASCII)
_STATE = re.compile(r"[^\n]*=|\s*[0-9]+x[0-9]+", re.ASCII)


def _begins_record(line: str) -> bool:
    return bool(line.lstrip().startswith(("[", "{", "%", ";")) or _ACTIONS.match(line))


class Input(Lines):
    """The lines of an input, which has an end of a game before it gets too long.

    Attributes:
        name: The file's name, fit for printing; ``None`` for a text without a file.
    """

    def __init__(self, source: bytes | IO[bytes] | IO[str], name: str | None) -> None:
        super().__init__(source)
        self.name = name
        self._length = 0

    @property
    def place(self) -> str:
        """The file and the line that was read last."""
        return said("the-text") if self.name is None else f"{self.name}:{max(self.number, 1)}"

    def __next__(self) -> str:
        line = super().__next__()
        self._length += len(line)
        if self._length > MAX_CHARACTERS:
            most = f"{MAX_CHARACTERS:,}"
            raise Unreadable(said("too-long", name=self.place, most=most))
        return line

    def _read(self, most: int) -> str:
        try:
            return super()._read(most)
        except (OSError, UnicodeDecodeError) as error:
            raise unreadable(self.place, error) from error

    def _checked(self, line: str) -> str:
        try:
            return super()._checked(line)
        except UnicodeDecodeError as error:
            raise unreadable(self.place, error) from error

    def results(self, format: Format) -> Iterator[Result]:  # noqa: A002 - as records.read has it
        """Iterate over the games; records of this library's own format are not yet judged."""
        found: Iterator[Result] = (
            iter_records(self, limits=LIMITS)
            if format is Format.PDD
            else read(self, format=format, limits=LIMITS)
        )
        for each in found:
            self._length = 0
            yield each

    def games(self, results: Iterator[Result], number: int | None = None) -> Iterator[Game]:
        """Iterate over the games of an input that has some: all, or the one with a number.

        Raises:
            Refused: If there is no game or no such game, or one of them is not legal.
        """
        name = self.name or said("the-text")
        problem = said("no-game" if self.peek() else "empty", name=name)
        for count, result in enumerate(results, 1):
            if number not in (None, count):
                problem = said("no-such-game", name=name, number=f"{number}", last=count)
                continue
            problem = ""
            try:
                yield judged(result)
            except RecordError as error:
                raise Refused(fault(self.name, error)) from error
        if problem:
            raise Refused(problem)

    def format_of_games(self, argument: str) -> Format | None:
        """Return the format of the games in an input; ``None`` for a state or a diagram.

        The name of the file and the beginning of its text decide, as for all commands that read
        games; by default it is this library's own format.
        """
        start = self.start()
        found = None if self.name is None else detect_format(start, suffix_of(argument))
        is_list = found is Format.MOVES and FORMATS[found].signature.search(start)
        if found in (None, Format.PDD, Format.MOVES) and not is_list:
            # States and diagrams can be in files of the same names.
            first = self.peek()
            if first and not _begins_record(first):
                return None
        return found or Format.PDD


def judged(result: Result) -> Game:
    """Return a game, with every action checked.

    Raises:
        RecordError: If it cannot be read, or breaks a rule.
    """
    if isinstance(result, RecordError):
        raise result
    return result if isinstance(result, Game) else result.game()


@contextmanager
def opened(path: str) -> Iterator[Input]:
    """Open a file, or standard input for ``-``.

    Raises:
        Unreadable: If it cannot be opened.
    """
    name = "standard input" if path == "-" else printable(path)
    with file_errors(name):
        stream = click.open_file(path, "rb")
    with stream as file:
        yield Input(file, name)


@contextmanager
def opened_or_given(argument: str) -> Iterator[Input]:
    """Open the file that an argument names, or ``-``, or else the text that it is.

    Raises:
        Unreadable: If it is neither, or the file cannot be opened.
    """
    looks_like_text = "\n" in argument or "=" in argument or _ACTIONS.match(argument)
    if looks_like_text and not Path(argument).exists():
        # Bytes that are not text come as lone surrogates, and go back to such bytes.
        yield Input(argument.encode(errors="surrogatepass"), None)
    else:
        with opened(argument) as lines:
            yield lines


def size_of(paths: Iterable[str]) -> int:
    """Return the size of files together, as far as they have one, for a progress bar."""
    size = 0
    for path in paths:
        with suppress(OSError):
            size += Path(path).stat().st_size
    return size


def suffix_of(path: str) -> str:
    """Return the suffix of a file's name, in small letters."""
    return PurePath(path).suffix.lower()


def named_by(output: str, suffixes: Mapping[T, Iterable[str]], usage: str) -> T:
    """Return the format that the suffix of a file's name tells.

    Raises:
        UsageError: If it tells none; *usage* says what can be done.
    """
    suffix = suffix_of(output)
    for each, known in suffixes.items():
        if suffix in known:
            return each
    raise click.UsageError(f"{usage}, or -o with a suffix that tells.")


def loaded(
    argument: str, number: int | None = None, source: Format | None = None
) -> Iterator[Found]:
    """Iterate over what an argument gives or names: a state, a diagram, or games.

    Args:
        argument: A text, the name of a file, or ``-``.
        number: The number of the only game to read; ``None`` for all.
        source: The format of games; ``None`` to detect it.

    Raises:
        Refused: If it is neither a state nor a diagram nor a game.
        Unreadable: If it cannot be read.
    """
    with opened_or_given(argument) as lines:
        source = source or lines.format_of_games(argument)
        if source is None:
            yield _state_or_setup(lines)
        else:
            yield from lines.games(lines.results(source), number)


def _state_or_setup(lines: Input) -> GameState | Setup:
    is_state = _STATE.match(lines.peek())
    text = "".join(lines)
    try:
        return parse_state(text) if is_state else parse_setup(text)
    except PonteError as error:
        raise Refused(fault(lines.name, error)) from error


def loaded_state(argument: str, number: int) -> GameState:
    """Return the state that an argument gives or names; of a game, its end.

    Raises:
        Refused: If it is neither.
        Unreadable: If it cannot be read.
    """
    found = next(loaded(argument, number))
    if isinstance(found, Setup):
        raise Refused(said("no-side"))
    return found.state if isinstance(found, Game) else found


def recorded_game(path: str, number: int) -> tuple[Game, bool]:
    """Return a game in a file of any format, and whether more games follow.

    Raises:
        Refused: If it has no such game, or the game is not legal.
        Unreadable: If it cannot be read.
    """
    with opened(path) as lines:
        results = lines.results(lines.format_of_games(path) or Format.PDD)
        game = next(lines.games(results, number))
        try:
            return game, not lines.ended and next(results, None) is not None
        except Unreadable:
            # Something follows, whatever it is.
            return game, True
