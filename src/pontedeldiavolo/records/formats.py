"""The table of all formats, and functions to read and write games in any of them."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from enum import Enum, unique
from itertools import chain
from json import JSONDecodeError
from pathlib import Path, PurePath
from typing import IO, Any, Final, Literal, cast, final, overload

from attrs import frozen

from pontedeldiavolo.base.errors import (
    PonteError,
    RecordError,
    reason,
    require_iterable,
    require_type,
)
from pontedeldiavolo.base.file_formats import FILE_FORMATS, FileFormat
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.record import ErrorList
from pontedeldiavolo.rules.limits import Limits

from . import native, native_writer
from .abstract_play import reader as abstract_play_reader
from .abstract_play import writer as abstract_play_writer
from .atomic_file import atomic_write
from .boardspace import reader as boardspace_reader
from .reading import (
    Found,
    GamesReader,
    GameText,
    LineReader,
    Source,
    located_result,
    open_lines,
    read_many,
    require_source,
    value_of,
)
from .sgf import games as sgf_games
from .splitting import (
    DOCUMENT_BEGINNING,
    REPORT_BEGINNING,
    numbered_games,
    split_documents,
)
from .targets import require_target

_LINE_BREAK: Final = re.compile(r"\n *+")


@final
@unique
class Format(Enum):
    """A format of game records.

    >>> pdd.records.Format("sgf")
    <Format.SGF: 'sgf'>
    """

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
    """Documents of this library."""


# Documents are imported where they are used: the import takes a tenth of the start-up time of the
# command line, and few callers that read records have documents.


def _read_documents(lines: LineReader, _errors: ErrorList) -> Iterator[Found[Game]]:
    return numbered_games(split_documents(lines), lines.limits, _games_in_document)


def _games_in_document(text: GameText) -> Iterator[Found[Game]]:
    yield located_result(text, 0, _read_document)


def _read_document(text: GameText) -> Game:
    from pontedeldiavolo.json import JsonError, loads  # noqa: PLC0415 - see above

    try:
        return loads(text.text, Game, limits=text.limits)
    except JsonError as error:
        place = text.place(0)
        expected = error.reason
        cause = error.__cause__
        if isinstance(cause, JSONDecodeError):
            place = text.place(cause.pos)
            expected = reason("json-syntax", problem=cause.msg)
        elif error.path:
            expected = reason("json-path", what=expected, path=error.path)
        raise RecordError(*place, expected, text.number) from error


def _write_document(game: Game) -> str:
    from pontedeldiavolo.json import dumps  # noqa: PLC0415 - see above

    return dumps(game)


def _without_separators(texts: Iterator[str], _suffix: str) -> Iterator[str]:
    """Return texts that can follow each other as they are."""
    return texts


def _one_per_line(texts: Iterator[str], suffix: str) -> Iterator[str]:
    """Return documents, each in a line; a file with the suffix ``.json`` holds only one."""
    for number, text in enumerate(texts):
        if number and suffix == ".json":
            raise PonteError(reason("json-one-game"))
        yield f"{text}\n"


def _as_list(texts: Iterator[str], suffix: str) -> Iterator[str]:
    """Return one text unchanged, several as a JSON list; in ``.jsonl``, each in a line."""
    if suffix == ".jsonl":
        for text in texts:
            # JSON strings contain no line breaks.
            yield _LINE_BREAK.sub(" ", text.rstrip()) + "\n"
        return
    # Each text is held back until it is known whether another one follows.
    first = next(texts, "")
    second = next(texts, None)
    if second is None:
        yield first
        return
    yield f"[\n{first.rstrip()}"
    for text in chain([second], texts):
        yield f",\n{text.rstrip()}"
    yield "\n]\n"


def _nothing(_game: Game) -> tuple[str, ...]:
    """Return no phrases: the format can hold every part of a game."""
    return ()


def _with_empty_lines(texts: Iterator[str], _suffix: str) -> Iterator[str]:
    """Return texts with an empty line after each."""
    return (f"{text}\n" for text in texts)


@final
@frozen(eq=False)
class FormatSpec:
    """A format: its files, its detection, its reader and its writer.

    Attributes:
        files: The suffixes of its files, and their description.
        signature: A pattern for the beginning of a file.
        read_games: Reads the games from the lines of a file.
        dumps: Returns the text of a game; ``None`` for a read-only format.
        unsupported: Iterates over the parts of a game that the format cannot hold.
        join: Joins the texts of games for one file; its second argument is the file's suffix.
    """

    files: FileFormat
    signature: re.Pattern[str]
    read_games: GamesReader[Game]
    dumps: Callable[[Game], str] | None = None
    unsupported: Callable[[Game], Iterable[str]] = _nothing
    join: Callable[[Iterator[str], str], Iterator[str]] = _without_separators

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The suffixes of its files; formats can share them."""
        return self.files.suffixes

    @property
    def is_lossless(self) -> bool:
        """True if it can be written, and holds every part of a game."""
        return self.dumps is not None and self.unsupported is _nothing


_PAIR = r"(?:1\s*+\.++\s*+)?[A-Z]{1,2}[0-9]++\s*+,\s*+[A-Z]{1,2}[0-9]++"
_GM = r"\(\s*+;[^()]*?\bGM\s*+\[\s*+pontedeldiavolo\s*+\]"


def _signature(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\A\s*+{pattern}", re.ASCII | re.IGNORECASE)


FORMATS: Final = {
    Format.PDD: FormatSpec(
        files=FILE_FORMATS["pdd"],
        signature=_signature(rf'(?:\[\s*+[A-Z]\w*+\s++"|{_PAIR}\s++(?:white|red)\b)'),
        read_games=native.read_games,
        dumps=native_writer.dumps,
        join=_with_empty_lines,
    ),
    Format.JSON: FormatSpec(
        files=FILE_FORMATS["json"],
        signature=_signature(rf"[\s\[]*+{DOCUMENT_BEGINNING}"),
        read_games=_read_documents,
        dumps=_write_document,
        join=_one_per_line,
    ),
    Format.ABSTRACT_PLAY: FormatSpec(
        files=FILE_FORMATS["abstract-play"],
        signature=_signature(rf"[\s\[]*+{REPORT_BEGINNING}"),
        read_games=abstract_play_reader.read_games,
        dumps=abstract_play_writer.report_of,
        unsupported=abstract_play_writer.unsupported_in_report,
        join=_as_list,
    ),
    Format.MOVES: FormatSpec(
        files=FILE_FORMATS["moves"],
        signature=_signature(r"(?:size-[0-9]|pie-invoked\b|pied\b)"),
        read_games=abstract_play_reader.read_lists,
        dumps=abstract_play_writer.list_of,
        unsupported=abstract_play_writer.unsupported_in_list,
        join=_with_empty_lines,
    ),
    Format.SGF: FormatSpec(
        files=FILE_FORMATS["sgf"],
        signature=_signature(rf"(?!{_GM})\(\s*+;"),
        read_games=sgf_games.read_games,
        dumps=sgf_games.game_tree,
    ),
    Format.BOARDSPACE: FormatSpec(
        files=FILE_FORMATS["boardspace"],
        signature=re.compile(_GM, re.ASCII | re.IGNORECASE),
        read_games=boardspace_reader.read_games,
    ),
}
"""All formats; of formats that share a suffix, the first is assumed if no signature matches."""


def detect_format(start: str, suffix: str) -> Format | None:
    """Detect a format by the beginning of a file, or by its suffix if no signature matches."""
    named = [each for each, spec in FORMATS.items() if suffix in spec.suffixes]
    others = [each for each in FORMATS if each not in named]
    matching = (each for each in named + others if FORMATS[each].signature.search(start))
    return next(matching, named[0] if named else None)


def detect(source: Source) -> Format | None:
    """Detect the format of games, and rewind the source.

    The beginning of the text decides. If it is not typical of any format, the suffix of a path
    decides.

    >>> pdd.records.detect("(;FF[4])")
    <Format.SGF: 'sgf'>
    >>> pdd.records.detect(b'[First "Ada"] 1. d4,g7 *')
    <Format.PDD: 'pdd'>

    Args:
        source: Bytes, text, a path as :class:`os.PathLike`, a file of bytes or of text, or an
            iterable of lines. A string is always text.

    Returns:
        The format, or ``None`` if it cannot be detected, as with lists that begin with a move.

    Raises:
        PonteError: If *source* is a file that cannot seek, or an iterator, which cannot be rewound.
        RecordError: If it is a string with the name of a file, such as ``"game.sgf"``.
        OSError: If reading fails.
    """
    require_source(source, "source")
    if not hasattr(source, "read"):
        if isinstance(source, Iterator):
            raise PonteError(reason("detect-iterator"))
        return _detect(source)
    file = cast(Any, source)
    if not getattr(file, "seekable", lambda: False)():
        raise PonteError(reason("detect-unseekable"))
    position = file.tell()
    try:
        return _detect(source)
    finally:
        file.seek(position)


def _detect(source: Source) -> Format | None:
    with open_lines(source) as lines:
        return detect_format(lines.peek_beginning(), _suffix(source))


def _suffix(source: object) -> str:
    """Return the suffix of a path in lower case; "" for any other source."""
    return PurePath(os.fsdecode(source)).suffix.lower() if isinstance(source, os.PathLike) else ""


@overload
def read(
    source: Source,
    on_error: Literal["yield"] = "yield",
    *,
    format: Format | None = None,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]: ...


@overload
def read(
    source: Source,
    on_error: Literal["raise", "skip"],
    *,
    format: Format | None = None,
    limits: Limits | None = None,
) -> Iterator[Game]: ...


@overload
def read(
    source: Source,
    on_error: Literal["raise", "skip", "yield"],
    *,
    format: Format | None = None,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]: ...


def read(
    source: Source,
    on_error: Literal["raise", "skip", "yield"] = "yield",
    *,
    format: Format | None = None,  # noqa: A002 - its public name
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    """Iterate over games in any format, one in memory at a time.

    Bytes are UTF-8, or in the encoding of their byte order mark. In SGF and in records of
    Boardspace the property ``CA`` of each game names its encoding; without it a line of a game
    that is not UTF-8 is Latin-1.

    >>> for game in pdd.records.read("(;FF[4];PD[d4,g7])"):
    ...     print(game.result, *map(pdd.format_action, game.actions))
    * d4,g7

    Args:
        source: Bytes, text, a path as :class:`os.PathLike`, a file of bytes or of text, or an
            iterable of lines. A string is always text.
        on_error: What to do with a bad game: ``"yield"`` its error in place of the game,
            ``"raise"`` its error, or ``"skip"`` the game, with a warning after the last game that
            says how many were skipped. An iterator that is closed before its end does not warn.
        format: Its format; ``None`` to detect it as :func:`detect` does, from any source. If that
            fails, :attr:`Format.PDD` is assumed.
        limits: The limits of reading; ``None`` for ``Limits()``: a game has at most 1,000,000
            characters, and reading stops after 1,000 errors. If a limit ends reading, an error
            that says so is raised, or with ``"yield"`` is the last item.

    Raises:
        PonteError: If *on_error* is none of the three.
        RecordError: If a game is bad and *on_error* is ``"raise"``, if a limit ends reading and
            *on_error* is not ``"yield"``, or, at once, if *source* is the name of a file.
        OSError: If reading fails; not before the first game is requested.
        UnicodeDecodeError: If bytes are not text in their encoding. No more games are read then,
            whatever *on_error* is.
    """
    require_type(format, Format | None, "format")
    suffix = _suffix(source)

    def read_games(lines: LineReader, errors: ErrorList) -> Iterator[Found[Game]]:
        found = format or detect_format(lines.peek_beginning(), suffix) or Format.PDD
        return FORMATS[found].read_games(lines, errors)

    return read_many(source, read_games, on_error, limits)


def write(
    games: Iterable[Game | RecordError],
    target: str | os.PathLike[str] | IO[str] | IO[bytes],
    format: Format,  # noqa: A002 - its public name
) -> None:
    r"""Write games one after another, so that :func:`read` can read them.

    Reports of Abstract Play are written as a list, or one per line in a file with the suffix
    ``.jsonl``.

    >>> from io import StringIO
    >>> file = StringIO()
    >>> pdd.records.write([pdd.Game.new().play("d4,g7")], file, pdd.records.Format.MOVES)
    >>> file.getvalue()
    'd4,g7\n\n'

    Args:
        games: The games. An error among them, as :func:`read` yields it, is raised.
        target: A path, or a file of text or of bytes. A file at that path is replaced when
            everything is written; if anything fails, it remains unchanged.
        format: The format.

    Raises:
        PonteError: If *format* is read-only, if it cannot represent a game, or if several documents
            would go into a file with the suffix ``.json``.
        RecordError: If there is one among the games.
        OSError: If writing fails.
    """
    dumps = _dumps_of(format)
    require_iterable(games, "Game", "games")
    require_target(target, "target")
    path = Path(target) if isinstance(target, str) else target
    texts = _texts(dumps, games)
    with atomic_write(path) if isinstance(path, os.PathLike) else nullcontext(path) as file:
        write_text = _text_writer(file)
        for text in FORMATS[format].join(texts, _suffix(path)):
            write_text(text)


def _texts(dumps: Callable[[Game], str], games: Iterable[Game | RecordError]) -> Iterator[str]:
    """Iterate over the texts of games; raise an error found among them."""
    for index, game in enumerate(games):
        require_type(game, (Game, RecordError), f"games[{index}]")
        yield dumps(value_of(game))


def _text_writer(file: Any) -> Callable[[str], object]:
    """Return a function that writes text to a file of text or of bytes."""
    try:
        file.write("")
    except TypeError:
        return lambda text: file.write(text.encode())
    return cast(Callable[[str], object], file.write)


def unsupported(game: Game, format: Format) -> tuple[str, ...]:  # noqa: A002 - its public name
    """Return short phrases for the parts of a game that a format cannot hold; ``()`` if none.

    >>> game = pdd.Game.new(tags={"First": "Ada"}).play("d4,g7")
    >>> pdd.records.unsupported(game, pdd.records.Format.MOVES)
    ('the tags',)

    Raises:
        PonteError: If *format* is read-only.
    """
    require_type(game, Game, "game")
    _dumps_of(format)
    return tuple(FORMATS[format].unsupported(game))


def _dumps_of(form: Format) -> Callable[[Game], str]:
    """Return the function that writes a game in a format.

    Raises:
        PonteError: If the format is read-only.
    """
    require_type(form, Format, "format")
    dumps = FORMATS[form].dumps
    if dumps is None:
        raise PonteError(reason("format-read-only", format=form.value))
    return dumps
