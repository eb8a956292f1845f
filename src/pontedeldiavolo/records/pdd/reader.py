"""Reading records: one game or a stream of them, strictly or leniently.

Where a function takes *errors*, a list makes it lenient: what cannot be understood is left out
and put on the list as a :class:`RecordError`, and the rest is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Literal

from pontedeldiavolo.checks import require_list, require_type
from pontedeldiavolo.errors import RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.pdd.header import Header
from pontedeldiavolo.records.pdd.parser import parse_record, parse_tags
from pontedeldiavolo.records.pdd.splitter import chunks
from pontedeldiavolo.records.record import Record
from pontedeldiavolo.records.verbs import good_games, require_on_error


def loads(text: str, errors: list[RecordError] | None = None) -> Game:
    """Return the one game that *text* records.

    Raises:
        TypeError: If *text* is not a string.
        RecordError: If it is not the record of one legal game.
    """
    require_type(text, str, "text")
    return load(StringIO(text), errors)


def load(file: Iterable[str], errors: list[RecordError] | None = None) -> Game:
    """Return the one game that a text file records.

    Raises:
        TypeError: If *file* does not give lines of text.
        RecordError: If it is not the record of one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    require_list(errors, "errors")
    texts = chunks(file)
    first = next(texts, None)
    if first is None:
        raise RecordError(1, 1, "a game")
    game = parse_record(first, errors).game(errors)
    second = next(texts, None)
    if second is not None:
        raise RecordError(second.line, 1, "the end: one game was asked for", second.number)
    return game


def iter_headers(file: Iterable[str]) -> Iterator[Header | RecordError]:
    """Iterate over the records in a text file, reading nothing but their tags.

    A record whose tags cannot be read comes as its :class:`RecordError`.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    texts = chunks(file)

    def headers() -> Iterator[Header | RecordError]:
        for text in texts:
            try:
                yield Header(parse_tags(text), text)
            except RecordError as error:
                yield error

    return headers()


def iter_records(
    file: Iterable[str], errors: list[RecordError] | None = None
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a text file, parsed but not replayed.

    A record that cannot be read comes as its :class:`RecordError`, and the next one follows.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    require_list(errors, "errors")
    texts = chunks(file)

    def records() -> Iterator[Record | RecordError]:
        for text in texts:
            try:
                yield parse_record(text, errors)
            except RecordError as error:
                yield error

    return records()


def iter_results(
    file: Iterable[str], errors: list[RecordError] | None = None
) -> Iterator[Game | RecordError]:
    """Iterate over the games in a text file; a bad one comes as its :class:`RecordError`.

    Args:
        file: A text file, or anything that gives lines of text.
        errors: A list for what is wrong, to read leniently: then only what cannot be read at all
            is a bad game.

    Raises:
        TypeError: If *file* does not give lines of text.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    records = iter_records(file, errors)
    return (_result(record, errors) for record in records)


def _result(record: Record | RecordError, errors: list[RecordError] | None) -> Game | RecordError:
    if isinstance(record, RecordError):
        return record
    try:
        return record.game(errors)
    except RecordError as error:
        return error


def iter_games(
    file: Iterable[str],
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
) -> Iterator[Game]:
    """Iterate over the games in a text file, every action checked.

    Args:
        file: A text file, or anything that gives lines of text.
        on_error: ``"raise"`` stops at the first bad record, ``"skip"`` leaves bad ones out.
        errors: A list for what is wrong, to read leniently.

    Raises:
        TypeError: If *file* does not give lines of text.
        PonteError: If *on_error* is neither of the two.
        RecordError: If a record is bad and *on_error* is ``"raise"``.
        OSError: If reading fails.
        UnicodeDecodeError: If the file is not text in its encoding.
    """
    require_on_error(on_error)
    return good_games(iter_results(file, errors), on_error)
