"""Reading and writing games: the methods that the module of every format exports."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Literal, Protocol, TextIO, final

from attrs import frozen

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import NotationError, PonteError, RecordError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits, Place, bounded, kept, limits_or_default
from pontedeldiavolo.records.parsing import Chunk
from pontedeldiavolo.records.splitter import Part, Piece
from pontedeldiavolo.records.text_io import Lines, Source, opened, require_source, streamed


@final
@frozen(eq=False)
class Found:
    """What was found in a text: a game or why it is none, and where it begins."""

    place: Place
    result: Game | RecordError


def found_at(chunk: Chunk, offset: int, number: int, read: Callable[[], Game]) -> Found:
    """Return the game that *read* gives, or why it is none."""
    result: Game | RecordError
    try:
        result = read()
    except NotationError as error:
        result = chunk.error(error, number)
    except RecordError as error:
        result = error
    except PonteError as error:
        result = chunk.refusal(error, offset, number)
    return Found(chunk.place(offset), result)


def found_in(
    parts: Iterable[Part], limits: Limits, find: Callable[[Chunk], Iterator[Found]]
) -> Iterator[Found]:
    """Iterate over what *find* finds in the parts of a file, numbered through."""
    number = 1
    for part in parts:
        if isinstance(part, Piece):
            found = find(Chunk(number, *part, limits))
        else:
            error = RecordError(*part.place, part.expected, number)
            found = iter([Found(part.place, error)])
        for each in found:
            yield each
            number += 1


def results(
    found: Iterator[Found], limits: Limits, on_error: str | None = None
) -> Iterator[Game | RecordError]:
    """Iterate over the games and errors found, as far as limits go."""
    return bounded(((each.place, each.result) for each in found), limits, on_error=on_error)


def only_game(found: Iterator[Found]) -> Game:
    """Return the one game that was found.

    Raises:
        RecordError: If it cannot be read, or there is none, or a second one.
    """
    first = next(found, None)
    if first is None:
        raise RecordError(1, 1, reason("game"))
    if isinstance(first.result, RecordError):
        raise kept(first.result)
    second = next(found, None)
    if second is not None:
        if isinstance(second.result, RecordError):
            raise kept(second.result)
        raise RecordError(*second.place, reason("one-game"), 2)
    return first.result


def require_on_error(on_error: str) -> None:
    """Refuse what says nothing about bad games.

    Raises:
        PonteError: If it is neither ``"raise"`` nor ``"skip"``.
    """
    if on_error not in ("raise", "skip"):
        raise PonteError(f"on_error must be 'raise' or 'skip', not {on_error!r}")


def good_games(results: Iterable[Game | RecordError], on_error: str) -> Iterator[Game]:
    """Iterate over the games; a bad one is raised or left out.

    Raises:
        RecordError: If a game is bad and *on_error* is ``"raise"``.
    """
    for result in results:
        if isinstance(result, Game):
            yield result
        elif on_error == "raise":
            raise result


# What the modules of the formats export: their verbs are methods of values of the classes below.


class Loads(Protocol):
    """Reads the one game of a text."""

    @abstractmethod
    def __call__(self, text: str | bytes, *, limits: Limits | None = None) -> Game:
        """Return the game."""


class Load(Protocol):
    """Reads the one game in a file."""

    @abstractmethod
    def __call__(self, file: Source, *, limits: Limits | None = None) -> Game:
        """Return the game."""


class IterResults(Protocol):
    """Goes through the games in a file, good and bad."""

    @abstractmethod
    def __call__(
        self, file: Source, *, limits: Limits | None = None
    ) -> Iterator[Game | RecordError]:
        """Iterate over the games and errors."""


class IterGames(Protocol):
    """Goes through the good games in a file."""

    @abstractmethod
    def __call__(
        self,
        file: Source,
        on_error: Literal["raise", "skip"] = "raise",
        *,
        limits: Limits | None = None,
    ) -> Iterator[Game]:
        """Iterate over the games."""


class Dumps(Protocol):
    """Writes a game as text."""

    @abstractmethod
    def __call__(self, game: Game) -> str:
        """Return the text."""


class Dump(Protocol):
    """Writes a game to a file."""

    @abstractmethod
    def __call__(self, game: Game, file: TextIO) -> None:
        """Write the game."""


class Losses(Protocol):
    """Says what a format cannot hold of a game."""

    @abstractmethod
    def __call__(self, game: Game) -> tuple[str, ...]:
        """Return it in short phrases."""


@final
@frozen(eq=False)
class Reading:
    """The verbs of a format that is read.

    Attributes:
        find: Iterates over the games in a file.
    """

    find: Callable[[Lines], Iterator[Found]]

    def loads(self, text: str | bytes, *, limits: Limits | None = None) -> Game:
        """Return the one game of a text.

        Args:
            text: The text, or its bytes.
            limits: How much of it is read; ``None`` for :class:`Limits` as they are.

        Raises:
            TypeError: If *text* is neither a string nor bytes.
            RecordError: If it is not one legal game.
            UnicodeDecodeError: If bytes are not text in their encoding.
        """
        require_type(text, (str, bytes), "text")
        return self.load(text, limits=limits)

    def load(self, file: Source, *, limits: Limits | None = None) -> Game:
        """Return the one game in a file.

        Args:
            file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
                iterable of lines. A string is always text.
            limits: How much of it is read; ``None`` for :class:`Limits` as they are.

        Raises:
            TypeError: If *file* is something else.
            RecordError: If it is not one legal game.
            OSError: If reading fails.
            UnicodeDecodeError: If bytes are not text in their encoding.
        """
        limits = limits_or_default(limits)
        require_source(file)
        with opened(file, limits) as lines:
            return only_game(self.find(lines))

    def iter_results(
        self, file: Source, *, limits: Limits | None = None
    ) -> Iterator[Game | RecordError]:
        """Iterate over the games in a file; a bad one comes as its :class:`RecordError`.

        One game is held at a time, however long the file is.

        Args:
            file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
                iterable of lines. A string is always text.
            limits: How much of it is read; ``None`` for :class:`Limits` as they are. What goes
                beyond is the last error.

        Raises:
            TypeError: If *file* is something else.
            OSError: If reading fails.
            UnicodeDecodeError: If bytes are not text in their encoding.
        """
        limits = limits_or_default(limits)
        return streamed(file, limits, lambda lines: results(self.find(lines), limits))

    def iter_games(
        self,
        file: Source,
        on_error: Literal["raise", "skip"] = "raise",
        *,
        limits: Limits | None = None,
    ) -> Iterator[Game]:
        """Iterate over the games in a file, one held at a time.

        There is no ``errors``, as records of this library have it: no game is read in part.

        Args:
            file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
                iterable of lines. A string is always text.
            on_error: ``"raise"`` stops at the first bad game, ``"skip"`` leaves bad ones out.
            limits: How much of it is read; ``None`` for :class:`Limits` as they are.

        Raises:
            TypeError: If *file* is something else.
            PonteError: If *on_error* is neither of the two.
            RecordError: If a game is bad and *on_error* is ``"raise"``, or if there is more than
                the limits allow.
            OSError: If reading fails.
            UnicodeDecodeError: If bytes are not text in their encoding.
        """
        require_on_error(on_error)
        limits = limits_or_default(limits)

        def games(lines: Lines) -> Iterator[Game]:
            return good_games(results(self.find(lines), limits, on_error), on_error)

        return streamed(file, limits, games)


def no_losses(_game: Game) -> Iterator[str]:
    """Iterate over what a format loses that holds everything."""
    return iter(())


@final
@frozen(eq=False)
class Writing:
    """The verbs of a format that is written.

    Attributes:
        text_of: Returns the text of a game.
        losses_of: Iterates over what is lost of a game.
        after: What stands between the games in a file.
    """

    text_of: Callable[[Game], str]
    losses_of: Callable[[Game], Iterator[str]] = no_losses
    after: str = ""

    def dumps(self, game: Game) -> str:
        """Return the text of a game; ``loads`` gives back what ``losses`` leaves.

        Raises:
            TypeError: If it is not a :class:`Game`.
            PonteError: If the format can hold no such game.
        """
        require_type(game, Game, "game")
        return self.text_of(game)

    def dump(self, game: Game, file: TextIO) -> None:
        """Write a game to a text file, which is to be in UTF-8, ready for another one to follow.

        Raises:
            TypeError: If it is not a :class:`Game`, or the file not a file.
            PonteError: If the format can hold no such game.
            OSError: If writing fails.
        """
        text = self.dumps(game) + self.after
        if not hasattr(file, "write"):
            raise TypeError(f"a text file is needed, not {type(file).__name__}")
        file.write(text)

    def losses(self, game: Game) -> tuple[str, ...]:
        """Return what the format cannot hold of a game, in short phrases; ``()`` if it holds all.

        Raises:
            TypeError: If it is not a :class:`Game`.
        """
        require_type(game, Game, "game")
        return tuple(self.losses_of(game))
