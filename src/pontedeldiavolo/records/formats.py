"""All formats of game records: how each is recognised, read and written, and what it loses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum, unique
from json import JSONDecodeError
from typing import Final, TypeAlias, final

from attrs import frozen

from pontedeldiavolo.base.errors import PonteError, RecordError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.abstract_play.lists import LISTS
from pontedeldiavolo.records.abstract_play.lists import find as find_lists
from pontedeldiavolo.records.abstract_play.reports import find as find_reports
from pontedeldiavolo.records.abstract_play.writer import REPORTS
from pontedeldiavolo.records.boardspace.reader import find as find_boardspace
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.records.lines import Lines
from pontedeldiavolo.records.pdd.reader import iter_results
from pontedeldiavolo.records.pdd.writer import RECORDS
from pontedeldiavolo.records.sgf.reader import find as find_trees
from pontedeldiavolo.records.sgf.writer import TREES
from pontedeldiavolo.records.splitting import JSON, games
from pontedeldiavolo.records.verbs import Found, Writing, found_in, results
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
