"""Readers and writers of games, which the functions of every format's module call."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Literal, NamedTuple, TextIO, TypeAlias, TypeVar, final

from attrs import frozen

from pontedeldiavolo.base.errors import (
    NotationError,
    PonteError,
    RecordError,
    reason,
    require_choice,
    require_type,
)
from pontedeldiavolo.game.error_list import (
    ErrorList,
    Place,
    limit_reason,
    too_many_errors,
    trim_error,
)
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.rules.limits import Limits, exceeds, limits_or_default

from .parsing import Chunk, SourceText
from .text_io import Lines, Source, open_lines, require_file, require_source

T = TypeVar("T")

OnError: TypeAlias = Literal["raise", "skip", "yield"]
"""What a reader of many games does with a bad one."""


class PlacedResult(NamedTuple, Generic[T]):
    """A game or error found in a file, and its place."""

    place: Place
    result: T | RecordError


def value_of(result: T | RecordError) -> T:
    """Return a result; raise it if it is an error."""
    if isinstance(result, RecordError):
        raise result
    return result


def file_name_error() -> RecordError:
    """Return the error for a string with the name of a file, in place of the text of games."""
    return RecordError(1, 1, reason("text-not-path"))


def error_at(source: SourceText, number: int, cause: PonteError, offset: int = 0) -> RecordError:
    """Return *cause* with its place in the file, which is that of *offset* if it has none."""
    if isinstance(cause, NotationError):
        offset = cause.offset
        expected = cause.reason
    else:
        expected = reason("fitting-content", reason=cause.reason)
    error = RecordError(*source.place(offset), expected, number)
    error.__cause__ = cause
    return error


def found_at(
    source: SourceText, offset: int, number: int, read: Callable[[], T]
) -> PlacedResult[T]:
    """Return the result of *read* for the game with this number, or its error.

    An error without a place gets that of *offset*.
    """
    place = source.place(offset)
    try:
        return PlacedResult(place, read())
    except RecordError as error:
        return PlacedResult(place, error)
    except PonteError as error:
        return PlacedResult(place, error_at(source, number, error, offset))


def found_in(
    parts: Iterable[Chunk],
    limits: Limits,
    find: Callable[[SourceText], Iterator[PlacedResult[Game]]],
) -> Iterator[PlacedResult[Game]]:
    """Iterate over the games that *find* finds in the parts of a file, and number them."""
    number = 1
    for line, column, text, fault in parts:
        if fault is None:
            found = find(SourceText(number, line, column, text, limits))
        else:
            found = iter([PlacedResult((line, column), RecordError(line, column, fault, number))])
        for each in found:
            yield each
            number += 1


@final
@frozen(eq=False)
class Reader(Generic[T]):
    """A reader of one format for whole games, or only for their headers or records.

    Attributes:
        find: Iterates over the games and errors in the lines of a file. A lenient reader appends
            errors to the list and continues.
    """

    find: Callable[[Lines, ErrorList], Iterator[PlacedResult[T]]]

    def loads(
        self,
        text: str | bytes,
        errors: list[RecordError] | None = None,
        *,
        limits: Limits | None = None,
    ) -> T:
        """Return the one game of a text."""
        require_type(text, (str, bytes), "text")
        return self.load(text, errors, limits=limits)

    def load(
        self, file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
    ) -> T:
        """Return the one game in a file."""
        limits, noted = _checked(file, errors, limits)
        with open_lines(file, limits) as lines:
            return _only_game(self._found(lines, noted))

    def iter_games(
        self,
        file: Source,
        on_error: OnError = "raise",
        errors: list[RecordError] | None = None,
        *,
        limits: Limits | None = None,
    ) -> Iterator[T | RecordError]:
        """Iterate over the games in a file, one in memory at a time, with every action checked."""
        require_choice(on_error, ("raise", "skip", "yield"), "on_error")
        return self._results(file, on_error, *_checked(file, errors, limits))

    def _found(self, lines: Lines, errors: ErrorList) -> Iterator[PlacedResult[T]]:
        """Iterate over the games and errors in lines; a path is no text of games."""
        if lines.is_file_name:
            error = file_name_error()
            return iter([PlacedResult((error.line, error.column), error)])
        return self.find(lines, errors)

    def _results(
        self, file: Source, on_error: OnError, limits: Limits, errors: ErrorList
    ) -> Iterator[T | RecordError]:
        """Iterate over games and errors until a limit is exceeded.

        The source is opened when the first game is requested. The error that ends a stream early
        is yielded only with *on_error* ``"yield"``, and only then do bad games count: otherwise
        they are raised or left out.
        """
        bad_count = 0
        with open_lines(file, limits) as lines:
            for number, (place, found) in enumerate(self._found(lines, errors), 1):
                result = found
                is_last = False
                if exceeds(number, limits.games):
                    expected = limit_reason("games", limits.games)
                    result = RecordError(*place, expected, number)
                    is_last = True
                elif isinstance(result, RecordError):
                    bad_count += 1
                    trim_error(result)
                    is_last = errors.is_full
                    if on_error == "yield" and not is_last and exceeds(bad_count, limits.errors):
                        result = too_many_errors(place, limits.errors, number)
                        is_last = True
                if not isinstance(result, RecordError) or on_error == "yield":
                    yield result
                elif is_last or on_error == "raise":
                    raise result
                if is_last:
                    return
        if on_error == "skip" and bad_count:
            games = "game" if bad_count == 1 else "games"
            # The frame above this one is that of the loop over the games.
            warnings.warn(f"{bad_count} bad {games} skipped", stacklevel=2)


def _checked(
    file: Source, errors: list[RecordError] | None, limits: Limits | None
) -> tuple[Limits, ErrorList]:
    require_type(errors, list | None, "errors")
    require_source(file, "file")
    limits = limits_or_default(limits)
    return limits, ErrorList(errors, limits)


def _only_game(found: Iterator[PlacedResult[T]]) -> T:
    """Return the one game that was found."""
    games: list[T] = []
    for place, result in found:
        if isinstance(result, RecordError):
            raise trim_error(result)
        if games:
            raise RecordError(*place, reason("one-game"), 2)
        games.append(result)
    if not games:
        raise RecordError(1, 1, reason("game"))
    return games[0]


@final
@frozen(eq=False)
class Writer:
    """A writer of one format.

    Attributes:
        text_of: Returns the text of a game.
        unsupported_in: Iterates over the parts of a game that the format cannot hold; ``None``
            if it can hold all.
        separator: The text between the games of a file.
    """

    text_of: Callable[[Game], str]
    unsupported_in: Callable[[Game], Iterable[str]] | None = None
    separator: str = ""

    def dumps(self, game: Game) -> str:
        """Return the text of a game; ``loads`` restores what is not ``unsupported`` in it."""
        require_type(game, Game, "game")
        return self.text_of(game)

    def dump(self, game: Game, file: TextIO) -> None:
        """Write a game to a text file in UTF-8, so that another one can follow."""
        require_file(file, "file")
        file.write(self.dumps(game) + self.separator)

    def unsupported(self, game: Game) -> tuple[str, ...]:
        """Return short phrases for the parts of a game that the format cannot hold."""
        require_type(game, Game, "game")
        return tuple(self.unsupported_in(game)) if self.unsupported_in else ()
