"""Reading records: one game or a stream of them, strictly or leniently.

Where a function takes *errors*, a list makes it lenient: what cannot be understood is left out
and put on the list as a :class:`RecordError`, and the rest is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from pontedeldiavolo.base.checks import require_list, require_type
from pontedeldiavolo.base.errors import RecordError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Faults, Limits, Place, bounded, kept, limits_or_default
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.records.lines import Lines, Source, opened, require_source, streamed
from pontedeldiavolo.records.pdd.header import Header
from pontedeldiavolo.records.pdd.parser import parse_record, parse_tags
from pontedeldiavolo.records.pdd.splitter import chunks
from pontedeldiavolo.records.verbs import good_games, require_on_error

T = TypeVar("T")


def loads(
    text: str | bytes, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game that *text* records.

    Args:
        text: The text, or its bytes: UTF-8, or what a byte order mark says.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *text* is neither a string nor bytes.
        RecordError: If it is not the record of one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_type(text, (str, bytes), "text")
    return load(text, errors, limits=limits)


def load(
    file: Source,
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Game:
    """Return the one game that a file records.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        RecordError: If it is not the record of one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_list(errors, "errors")
    limits = limits_or_default(limits)
    require_source(file)
    with opened(file, limits) as lines:
        return _only_game(chunks(lines), Faults.of(errors, limits))


def _only_game(texts: Iterator[Chunk], faults: Faults | None) -> Game:
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


def iter_headers(file: Source, *, limits: Limits | None = None) -> Iterator[Header | RecordError]:
    """Iterate over the records in a file, reading nothing but their tags.

    A record whose tags cannot be read, or that is too long, comes as its :class:`RecordError`.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return _stream(file, limits, lambda text, _: Header(parse_tags(text), text))


def iter_records(
    file: Source,
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a file, parsed but not replayed.

    A record that cannot be read comes as its :class:`RecordError`, and the next one follows.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return _stream(file, limits, parse_record, errors)


def iter_results(
    file: Source,
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    """Iterate over the games in a file; a bad one comes as its :class:`RecordError`.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for what is wrong, to read leniently: then only what cannot be read at all
            is a bad game.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are. What goes
            beyond is the last error.

    Raises:
        TypeError: If *file* is something else.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return _stream(file, limits, _game, errors)


def iter_games(
    file: Source,
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]:
    """Iterate over the games in a file, every action checked.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: ``"raise"`` stops at the first bad record, ``"skip"`` leaves bad ones out.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        PonteError: If *on_error* is neither of the two.
        RecordError: If a record is bad and *on_error* is ``"raise"``, or if there is more than
            the limits allow.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_on_error(on_error)
    limits = limits_or_default(limits)
    read = _reading(limits, _game, errors, on_error)
    return streamed(file, limits, lambda lines: good_games(read(lines), on_error))


def _game(text: Chunk, faults: Faults | None) -> Game:
    return parse_record(text, faults)._game(faults)


def _stream(
    file: Source,
    limits: Limits | None,
    read: Callable[[Chunk, Faults | None], T],
    errors: list[RecordError] | None = None,
) -> Iterator[T | RecordError]:
    """Iterate over what *read* makes of the records in a file, as far as limits go."""
    limits = limits_or_default(limits)
    return streamed(file, limits, _reading(limits, read, errors))


def _reading(
    limits: Limits,
    read: Callable[[Chunk, Faults | None], T],
    errors: list[RecordError] | None,
    on_error: str | None = None,
) -> Callable[[Lines], Iterator[T | RecordError]]:
    """Return what goes through the records in a file."""
    require_list(errors, "errors")
    faults = Faults.of(errors, limits)

    def found(lines: Lines) -> Iterator[tuple[Place, T | RecordError]]:
        for text in chunks(lines):
            yield text.place(0), _tried(text, read, faults)

    return lambda lines: bounded(found(lines), limits, faults, on_error)


def _tried(
    text: Chunk, read: Callable[[Chunk, Faults | None], T], faults: Faults | None
) -> T | RecordError:
    try:
        return read(text, faults)
    except RecordError as error:
        return error
