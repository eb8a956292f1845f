"""The table of all formats: how each is detected, read and written, and what it loses."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, unique
from json import JSONDecodeError
from pathlib import Path, PurePath
from typing import IO, Any, Final, TypeAlias, cast, final

from attrs import frozen

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError, RecordError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits, limits_or_default
from pontedeldiavolo.records.abstract_play.reader import find_lists, find_reports
from pontedeldiavolo.records.abstract_play.writer import LISTS, REPORTS
from pontedeldiavolo.records.atomic_file import replacing
from pontedeldiavolo.records.boardspace.reader import find as find_boardspace
from pontedeldiavolo.records.codec import Found, Writing, found_in, results
from pontedeldiavolo.records.parsing import Chunk
from pontedeldiavolo.records.pdd.reader import iter_results
from pontedeldiavolo.records.pdd.writer import RECORDS
from pontedeldiavolo.records.sgf.reader import find as find_trees
from pontedeldiavolo.records.sgf.writer import TREES
from pontedeldiavolo.records.splitter import JSON, games
from pontedeldiavolo.records.text_io import Lines, Source, opened, require_source
from pontedeldiavolo.rules.rules import Rules

Results: TypeAlias = Iterator[Game | RecordError]

_LINE_BREAK = re.compile(r"\n *+")


@final
@unique
class Format(Enum):
    """A format of game records."""

    PDD = "pdd"
    """Records as this library writes them."""
    SGF = "sgf"
    """The Smart Game Format FF[4]."""
    BOARDSPACE = "boardspace"
    """Records of Boardspace, which are read only."""
    ABSTRACT_PLAY = "abstract-play"
    """Reports of Abstract Play."""
    MOVES = "moves"
    """Lists of moves, with empty lines between games."""
    JSON = "json"
    """Documents of this library; they need the extra ``json``."""


# Documents are loaded where they are used: that takes a tenth of the command line's whole start,
# and few who read records have any.

# Reading


def _read_records(lines: Lines) -> Results:
    return iter_results(lines, limits=lines.limits)


def _reading(find: Callable[[Lines], Iterator[Found]]) -> Callable[[Lines], Results]:
    """Return what reads the games that *find* finds."""
    return lambda lines: results(find(lines), lines.limits)


def _find_documents(lines: Lines) -> Iterator[Found]:
    return found_in(games(lines, JSON), lines.limits, _find_document)


def _find_document(chunk: Chunk) -> Iterator[Found]:
    from pontedeldiavolo.json import JsonError, loads  # noqa: PLC0415 - see above

    result: Game | RecordError
    try:
        result = loads(chunk.text, Game, limits=chunk.limits)
    except JsonError as error:
        cause = error.__cause__
        if isinstance(cause, JSONDecodeError):
            place, expected = chunk.place(cause.pos), reason("json-syntax", problem=cause.msg)
        else:
            place, expected = chunk.place(0), error.reason
            if error.path:
                expected = reason("json-path", what=expected, path=error.path)
        result = RecordError(*place, expected, chunk.number)
        result.__cause__ = error
    yield Found(chunk.place(0), result)


# Writing


def _write_document(game: Game) -> str:
    from pontedeldiavolo.json import dumps  # noqa: PLC0415 - see above

    return dumps(game)


def _as_they_are(texts: Iterator[str], _suffix: str) -> Iterator[str]:
    return texts


def _with_empty_lines(texts: Iterator[str], _suffix: str) -> Iterator[str]:
    return (f"{text}\n" for text in texts)


def _one_per_line(texts: Iterator[str], suffix: str) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number and suffix == ".json":
            raise PonteError("a .json file holds one game: several go into a .jsonl file")
        yield f"{text}\n"


def _as_list(texts: Iterator[str], suffix: str) -> Iterator[str]:
    """Return a single text as it is, and several as a list of JSON, or a line each."""
    if suffix == ".jsonl":
        # No text of JSON has a line break in it.
        yield from (f"{_LINE_BREAK.sub(' ', text.rstrip())}\n" for text in texts)
        return
    before, last = "[", next(texts, "")
    for text in texts:
        yield f"{before}\n{last.rstrip()}"
        before, last = ",", text
    yield last if before == "[" else f"{before}\n{last.rstrip()}\n]\n"


def require_documents() -> None:
    """Ask for what documents need: now, not at the first game.

    Raises:
        ImportError: If it is not installed.
    """
    from pontedeldiavolo.json import to_json  # noqa: PLC0415 - see above

    to_json(Rules())


# The table


@final
@frozen(eq=False)
class Dialect:
    """What there is to know of a format.

    Attributes:
        suffixes: How names of its files end; those of several formats are told by ``looks``.
        looks: How the beginning of a file looks.
        read: Reads the games of a file one by one.
        writing: Writes games, and says what is lost of them; ``None`` if nothing does.
        joined: Makes one file of the texts of games; its second argument is the file's suffix.
    """

    suffixes: tuple[str, ...]
    looks: re.Pattern[str]
    read: Callable[[Lines], Results]
    writing: Writing | None = None
    joined: Callable[[Iterator[str], str], Iterator[str]] = _as_they_are


_PAIR = r"(?:1\s*+\.++\s*+)?+[A-Z]{1,2}[0-9]++\s*+,\s*+[A-Z]{1,2}[0-9]++"
_GM = r"\(\s*+;[^()]*?\bGM\s*+\[\s*+pontedeldiavolo\s*+\]"


def _look(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.IGNORECASE)


DIALECTS: Final = {
    Format.PDD: Dialect(
        (".pdd",),
        _look(rf'\A\s*+(?:\[\s*+[A-Z]\w*+\s++"|{_PAIR}\s++(?:white|red)\b)'),
        _read_records,
        RECORDS,
        _with_empty_lines,
    ),
    Format.JSON: Dialect(
        (".json", ".jsonl"),
        _look(r'\A\s*+\{\s*+"(?:format|version|kind|value)"\s*+:'),
        _reading(_find_documents),
        Writing(_write_document),
        _one_per_line,
    ),
    Format.ABSTRACT_PLAY: Dialect(
        (".json", ".jsonl"),
        _look(r'\A[\s\[]*+\{\s*+"(?:header|moves)"\s*+:'),
        _reading(find_reports),
        REPORTS,
        _as_list,
    ),
    Format.MOVES: Dialect(
        (".txt",),
        _look(r"\A\s*+(?:size-[0-9]|pie-invoked\b|pied\b)"),
        _reading(find_lists),
        LISTS,
        _with_empty_lines,
    ),
    Format.SGF: Dialect(
        (".sgf",),
        _look(rf"\A\s*+(?!{_GM})\(\s*+;"),
        _reading(find_trees),
        TREES,
    ),
    Format.BOARDSPACE: Dialect((".sgf",), _look(_GM), _reading(find_boardspace)),
}
"""All formats; where a suffix is that of several, the first is meant if its content tells nothing.
"""


def recognised(start: str, suffix: str) -> Format | None:
    """Tell a format by a file's suffix; between several, or without one, by its beginning."""
    named = [each for each, dialect in DIALECTS.items() if suffix in dialect.suffixes]
    # Where lists of moves are, records may be as well.
    possible = (*named, Format.PDD) if named else tuple(DIALECTS)
    looking = (each for each in possible if DIALECTS[each].looks.search(start))
    return next(looking, named[0] if named else None)


def detect(source: Source) -> Format | None:
    """Tell the format of games; what was read for it is put back.

    The suffix of a path counts first, where it is that of a format; between several formats, and
    for everything else, the beginning decides.

    Args:
        source: Bytes, text, a path as :class:`os.PathLike`, a file of bytes or of text, or an
            iterable of lines. A string is always text.

    Returns:
        The format, or ``None`` if nothing tells it, as with lists of moves that begin at once.

    Raises:
        TypeError: If *source* is something else.
        PonteError: If *source* is a file that cannot seek, or an iterator: nothing could be put
            back.
        OSError: If reading fails.
    """
    require_source(source)
    file = cast(Any, source)
    if not hasattr(file, "read"):
        if isinstance(source, Iterator):
            raise PonteError("an iterator cannot be put back: its format cannot be told")
        return _told(source)
    if not getattr(file, "seekable", lambda: False)():
        raise PonteError("a file that cannot seek cannot be put back: its format cannot be told")
    place = file.tell()
    try:
        return _told(source)
    finally:
        file.seek(place)


def _told(source: Source) -> Format | None:
    with opened(source) as lines:
        return recognised(lines.start(), _suffix(source))


def _suffix(source: object) -> str:
    """Return how the name of a file ends, in small letters; "" if it is no path."""
    return PurePath(os.fsdecode(source)).suffix.lower() if isinstance(source, os.PathLike) else ""


def read(
    source: Source,
    *,
    format: Format | None = None,  # noqa: A002 - its public name
    limits: Limits | None = None,
) -> Results:
    """Iterate over games of any format, one held at a time; a bad one comes as its error.

    Bytes are UTF-8, or what a byte order mark says. In SGF and in records of Boardspace each game
    says it for itself by ``CA``; without it a line of a game that is not UTF-8 is Latin-1.

    Args:
        source: Bytes, text, a path as :class:`os.PathLike`, a file of bytes or of text, or an
            iterable of lines. A string is always text.
        format: Its format; ``None`` to tell it as :func:`detect` does, from any source. What
            cannot be told is read as :attr:`Format.PDD`.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are: a game has
            1,000,000 characters at most, and after 1,000 errors nothing more is read. What goes
            beyond is the last error.

    Raises:
        TypeError: If *source* or *format* is something else.
        ImportError: If *format* is :attr:`Format.JSON`, and its extra is not installed.
        OSError: If reading fails; not before the first game is asked for.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_source(source)
    if format is not None:
        require_type(format, Format, "format")
        _require_extra(format)
    return _read(source, format, limits_or_default(limits))


def _read(source: Source, known: Format | None, limits: Limits) -> Results:
    with opened(source, limits) as lines:
        if known is None:
            known = recognised(lines.start(), _suffix(source)) or Format.PDD
            _require_extra(known)
        yield from DIALECTS[known].read(lines)


def write(
    games: Iterable[Game | RecordError],
    target: str | os.PathLike[str] | IO[str] | IO[bytes],
    format: Format,  # noqa: A002 - its public name
) -> None:
    """Write games one after the other, as :func:`read` reads them.

    Reports of Abstract Play make a list, or a line each in a file with the suffix ``.jsonl``.

    Args:
        games: The games. An error among them, as :func:`read` gives it, is raised.
        target: A path, or a file of text or of bytes. A file at that path is replaced when
            everything is written; if anything fails it stays as it was.
        format: The format.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If nothing is written in *format*, if it can hold no such game, or if several
            documents are to go into a file with the suffix ``.json``.
        RecordError: If there is one among the games.
        ImportError: If *format* is :attr:`Format.JSON`, and its extra is not installed.
        OSError: If writing fails.
    """
    writing = _writing(format)
    _require_extra(format)
    path = Path(target) if isinstance(target, str) else target
    texts = (writing.dumps(_good(game)) for game in games)
    pages = DIALECTS[format].joined(texts, _suffix(path))
    if isinstance(path, os.PathLike):
        with replacing(path) as file:
            for page in pages:
                file.write(page)
        return
    put = _put(path)
    for page in pages:
        put(page)


def _good(game: Game | RecordError) -> Game:
    if isinstance(game, RecordError):
        raise game
    return game


def _put(file: Any) -> Callable[[str], object]:
    """Return what writes text to a file."""
    if not hasattr(file, "write"):
        raise TypeError(f"a path or a file is needed, not {type(file).__name__}")
    try:
        file.write("")
    except TypeError:
        return lambda text: file.write(text.encode())
    return cast(Callable[[str], object], file.write)


def losses(game: Game, format: Format) -> tuple[str, ...]:  # noqa: A002 - its public name
    """Return what a format cannot hold of a game, in short phrases; ``()`` if it holds all.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If nothing is written in *format*.
    """
    return _writing(format).losses(game)


def _writing(form: Format) -> Writing:
    require_type(form, Format, "format")
    writing = DIALECTS[form].writing
    if writing is None:
        raise PonteError(f"nothing is written as {form.value}: it is read only")
    return writing


def _require_extra(form: Format) -> None:
    if form is Format.JSON:
        require_documents()
