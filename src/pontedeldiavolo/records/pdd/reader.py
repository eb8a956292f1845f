"""Reading records: one game or a stream of them, strictly or leniently.

Where a function takes *errors*, a list makes it lenient: what cannot be understood is left out
and put on the list as a :class:`RecordError`, and the rest is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from typing import Literal, TypeVar

from pontedeldiavolo.checks import require_list, require_type
from pontedeldiavolo.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.reason import reason
from pontedeldiavolo.records.bounds import Faults, Place, bounded, kept, limits_or_default
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.records.pdd.header import Header
from pontedeldiavolo.records.pdd.parser import parse_record, parse_tags
from pontedeldiavolo.records.pdd.splitter import chunks
from pontedeldiavolo.records.record import Record
from pontedeldiavolo.records.verbs import good_games, require_on_error

T = TypeVar("T")


def loads(
    text: str, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game that *text* records.

    Args:
        text: The text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *text* is not a string.
        RecordError: If it is not the record of one legal game.
    """
    require_type(text, str, "text")
    return load(StringIO(text), errors, limits=limits)


def load(
    file: Iterable[str],
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Game:
    """Return the one game that a text file records.

    Args:
        file: A text file, or anything that gives lines of text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* does not give lines of text.
        RecordError: If it is not the record of one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    require_list(errors, "errors")
    limits = limits_or_default(limits)
    texts, faults = chunks(file, limits), Faults.of(errors, limits)
    first = next(texts, None)
    if first is None:
        raise RecordError(1, 1, reason("game"))
    game = _tried(first, _game, faults)
    if isinstance(game, RecordError):
        raise kept(game)
    second = next(texts, None)
    if second is not None:
        raise RecordError(second.line, 1, reason("one-game"), second.number)
    return game


def iter_headers(
    file: Iterable[str], *, limits: Limits | None = None
) -> Iterator[Header | RecordError]:
    """Iterate over the records in a text file, reading nothing but their tags.

    A record whose tags cannot be read comes as its :class:`RecordError`.

    Args:
        file: A text file, or anything that gives lines of text.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return _stream(file, limits, lambda text, _: Header(parse_tags(text), text))


def iter_records(
    file: Iterable[str],
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a text file, parsed but not replayed.

    A record that cannot be read comes as its :class:`RecordError`, and the next one follows.

    Args:
        file: A text file, or anything that gives lines of text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return _stream(file, limits, parse_record, errors)


def iter_results(
    file: Iterable[str],
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    """Iterate over the games in a text file; a bad one comes as its :class:`RecordError`.

    Args:
        file: A text file, or anything that gives lines of text.
        errors: A list for what is wrong, to read leniently: then only what cannot be read at all
            is a bad game.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are. What goes
            beyond is the last error.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    return _stream(file, limits, _game, errors)


def iter_games(
    file: Iterable[str],
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]:
    """Iterate over the games in a text file, every action checked.

    Args:
        file: A text file, or anything that gives lines of text.
        on_error: ``"raise"`` stops at the first bad record, ``"skip"`` leaves bad ones out.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* does not give lines of text.
        PonteError: If *on_error* is neither of the two.
        RecordError: If a record is bad and *on_error* is ``"raise"``, or if there is more than
            the limits allow.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    require_on_error(on_error)
    return good_games(_stream(file, limits, _game, errors, on_error), on_error)


def _game(text: Chunk, faults: Faults | None) -> Game:
    return parse_record(text, faults)._game(faults)


def _stream(
    file: Iterable[str],
    limits: Limits | None,
    read: Callable[[Chunk, Faults | None], T],
    errors: list[RecordError] | None = None,
    on_error: str | None = None,
) -> Iterator[T | RecordError]:
    """Iterate over what *read* makes of the records in a file, as far as limits go."""
    require_list(errors, "errors")
    limits = limits_or_default(limits)
    texts, faults = chunks(file, limits), Faults.of(errors, limits)

    def found() -> Iterator[tuple[Place, T | RecordError]]:
        for text in texts:
            yield text.place(0), _tried(text, read, faults)

    return bounded(found(), limits, faults, on_error)


def _tried(
    text: Chunk, read: Callable[[Chunk, Faults | None], T], faults: Faults | None
) -> T | RecordError:
    try:
        return read(text, faults)
    except RecordError as error:
        return error
