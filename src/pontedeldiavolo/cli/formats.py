"""The formats of game records: how each is recognised, read and written, and what it loses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from json import JSONDecodeError
from pathlib import PurePath
from textwrap import fill
from typing import Final, TypeAlias

import click
from attrs import frozen

from pontedeldiavolo import records
from pontedeldiavolo.cli.failures import Unreadable, fault, printable
from pontedeldiavolo.cli.screen import Advance
from pontedeldiavolo.cli.sources import Lines, game_of, opened, records_of
from pontedeldiavolo.cli.splitting import JSON, SGF, Piece, games, paragraphs
from pontedeldiavolo.errors import PonteError, RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation import format_action
from pontedeldiavolo.records import abstract_play, boardspace, sgf
from pontedeldiavolo.records.abstract_play.header import DEFAULT_SIDE
from pontedeldiavolo.records.abstract_play.moves import ENDINGS
from pontedeldiavolo.records.abstract_play.reports import RULES
from pontedeldiavolo.records.interchange import tree_losses, under_rules
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.vocabulary import Color, Ending

Results: TypeAlias = Iterator[Game | RecordError]
Write: TypeAlias = Callable[[Game], str]

_WIDTH = 79
_LINE_BREAK = re.compile(r"\n *+")


def _nothing(_game: Game) -> tuple[str, ...]:
    return ()


def _as_they_are(texts: Iterator[str], _suffix: str) -> Iterator[str]:
    return texts


@frozen(eq=False)
class Format:
    """A format of game records.

    Attributes:
        name: What options call it.
        suffixes: How names of its files end; those of several formats are told by ``looks``.
        about: What it is, in a few words.
        looks: How the beginning of a file looks.
        read: Reads the games of a file one by one.
        writer: Returns what writes a game; ``None`` if nothing does.
        losses: Says what is lost of a game when it is written.
        joined: Makes one file of the texts of games; its second argument is the file's suffix.
        may_be_latin: Whether there are files in Latin-1.
    """

    name: str
    suffixes: tuple[str, ...]
    about: str
    looks: re.Pattern[str]
    read: Callable[[Lines], Results]
    writer: Callable[[], Write] | None = None
    losses: Callable[[Game], tuple[str, ...]] = _nothing
    joined: Callable[[Iterator[str], str], Iterator[str]] = _as_they_are
    may_be_latin: bool = False


# Reading


def _read_records(lines: Lines) -> Results:
    for record in records_of(lines):
        try:
            yield game_of(record)
        except RecordError as error:
            yield error


def _in_pieces(
    pieces: Callable[[Lines], Iterable[Piece]], read: Callable[[Iterable[str]], Results]
) -> Callable[[Lines], Results]:
    """Return what reads a file piece by piece, and says where in the file a fault is."""

    def results(lines: Lines) -> Results:
        for piece in pieces(lines):
            if not piece.text:
                yield RecordError(piece.line, piece.column, "as many ']' as '['")
            for result in read([piece.text]) if piece.text else ():
                yield _moved(result, piece) if isinstance(result, RecordError) else result

    return results


def _moved(error: RecordError, piece: Piece) -> RecordError:
    """Return an error as it is in the file, not in the piece."""
    column = error.column + (piece.column - 1 if error.line == 1 else 0)
    return RecordError(error.line + piece.line - 1, column, error.expected)


def _objects(lines: Lines) -> Iterator[Piece]:
    return games(lines, JSON)


def _trees(lines: Lines) -> Iterator[Piece]:
    return games(lines, SGF)


def _read_documents(texts: Iterable[str]) -> Results:
    _require_json()
    # Only here: the extra that it needs may be missing.
    from pontedeldiavolo.json import JsonError, loads  # noqa: PLC0415

    for text in texts:
        try:
            yield loads(text, Game)
        except JsonError as error:
            cause = error.__cause__
            if isinstance(cause, JSONDecodeError):
                yield RecordError(cause.lineno, cause.colno, f"JSON ({cause.msg})")
            else:
                where = f" ({error.path})" if error.path else ""
                yield RecordError(1, 1, f"{error.expected}{where}")


def _require_json() -> None:
    # Imported to see whether it can be: the extra that it needs may be missing.
    try:
        import pontedeldiavolo.json  # noqa: F401, PLC0415
    except ImportError as error:
        # It says what to install.
        raise Unreadable(str(error)) from error


# Writing


def _document_writer() -> Write:
    _require_json()
    # Only here: the extra that it needs may be missing.
    from pontedeldiavolo.json import dumps  # noqa: PLC0415

    return dumps


def _one_per_line(texts: Iterator[str], suffix: str) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number and suffix == ".json":
            raise Unreadable("a .json file holds one game: several go into a .jsonl file")
        yield f"{text}\n"


def _with_empty_lines(texts: Iterator[str], _suffix: str) -> Iterator[str]:
    return (f"{text}\n" for text in texts)


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


def _move_list(game: Game) -> str:
    """Return the main line of a game as a list of moves, which :mod:`abstract_play` reads.

    Raises:
        PonteError: If Abstract Play can have no such game.
    """
    board = game.rules.board
    rules = RULES.get(board.width)
    if rules is None or board != rules.board:
        raise PonteError(f"no board of Abstract Play: {board.width}x{board.height}")
    if game.start != GameState.initial(game.rules):
        raise PonteError("a list of moves starts from the empty board")
    under_rules(game, rules)
    words = [] if board.width == DEFAULT_SIDE and game.actions else [f"size-{board.width}"]
    if ChooseColor(Color.WHITE) in game.actions[:2]:
        words.append("pie-invoked")
    words += [format_action(each) for each in game.actions if not isinstance(each, ChooseColor)]
    words += [word for word in ENDINGS if word == _last_word(game)]
    return fill(" ".join(words), _WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def _last_word(game: Game) -> str | None:
    """Return the word at the end of a list of moves that says how the game ended, if any can."""
    seat, winner = game.state.seat_to_move, game.winning_seat
    loses = game.ending in (Ending.RESIGNATION, Ending.TIME)
    if seat is None or winner is not (seat.opponent if loses else None):
        return None
    return next((word for word, ending in ENDINGS.items() if ending is game.ending), None)


def _move_list_losses(game: Game) -> tuple[str, ...]:
    return tuple(_lost_in_moves(game))


def _lost_in_moves(game: Game) -> Iterator[str]:
    yield from tree_losses(game)
    if game.tags:
        yield "the tags"
    if (game.rules.tiles_per_color, game.rules.bridges) != (None, None):
        yield "the supply of tiles and bridges"
    if game.rules.tiebreaks != RULES[DEFAULT_SIDE].tiebreaks:
        yield "the tie-breaks"
    if game.ending not in (None, Ending.SCORED) and _last_word(game) is None:
        yield "how it ended"
    if game.actions[-1:] == (ChooseColor(Color.RED),):
        yield "the choice of red with nothing after it"


# The table

_PAIR = r"(?:1\s*+\.++\s*+)?+[A-Z]{1,2}[0-9]++\s*+,\s*+[A-Z]{1,2}[0-9]++"
_GM = r"\(\s*+;[^()]*?\bGM\s*+\[\s*+pontedeldiavolo\s*+\]"


def _look(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.IGNORECASE)


PDD: Final = Format(
    "pdd",
    (".pdd",),
    "records, as this library writes them",
    _look(rf'\A\s*+(?:\[\s*+[A-Z]\w*+\s++"|{_PAIR}\s++(?:white|red)\b)'),
    _read_records,
    writer=lambda: records.dumps,
    joined=_with_empty_lines,
)
_JSON: Final = Format(
    "json",
    (".json", ".jsonl"),
    "documents of this library: one, or one a line",
    _look(r'\A\s*+\{\s*+"(?:format|version|kind|value)"\s*+:'),
    _in_pieces(_objects, _read_documents),
    writer=_document_writer,
    joined=_one_per_line,
)
_ABSTRACT_PLAY: Final = Format(
    "abstract-play",
    (".json", ".jsonl"),
    "reports of Abstract Play",
    _look(r'\A[\s\[]*+\{\s*+"(?:header|moves)"\s*+:'),
    _in_pieces(_objects, abstract_play.iter_results),
    writer=lambda: abstract_play.dumps,
    losses=abstract_play.losses,
    joined=_as_list,
)
_MOVES: Final = Format(
    "moves",
    (".txt",),
    "lists of moves, with empty lines between games",
    _look(r"\A\s*+(?:size-[0-9]|pie-invoked\b|pied\b)"),
    _in_pieces(paragraphs, abstract_play.iter_results),
    writer=lambda: _move_list,
    losses=_move_list_losses,
    joined=_with_empty_lines,
)
_SGF: Final = Format(
    "sgf",
    (".sgf",),
    "Smart Game Format FF[4]",
    _look(rf"\A\s*+(?!{_GM})\(\s*+;"),
    _in_pieces(_trees, sgf.iter_results),
    writer=lambda: sgf.dumps,
    losses=sgf.losses,
    may_be_latin=True,
)
_BOARDSPACE: Final = Format(
    "boardspace",
    (".sgf",),
    "records of Boardspace; they are read only",
    _look(_GM),
    _in_pieces(_trees, boardspace.iter_results),
    may_be_latin=True,
)

FORMATS: Final = (PDD, _JSON, _ABSTRACT_PLAY, _MOVES, _SGF, _BOARDSPACE)
"""All formats; where a suffix is that of several, the first is meant if its content tells nothing.
"""

EPILOG: Final = "\n".join(
    (
        "\b",
        "Formats:",
        *(f"  {each.name:<13} {', '.join(each.suffixes):<13} {each.about}" for each in FORMATS),
    )
)
"""What help says about the formats."""


def _named(_context: click.Context, _parameter: click.Parameter, name: str | None) -> Format | None:
    return next((each for each in FORMATS if each.name == name), None)


from_option = click.option(
    "--from",
    "source",
    type=click.Choice([each.name for each in FORMATS]),
    callback=_named,
    metavar="FORMAT",
    help="What format the files are in, if their names and beginnings do not tell.",
)
to_option = click.option(
    "--to",
    "target",
    type=click.Choice([each.name for each in FORMATS]),
    callback=_named,
    metavar="FORMAT",
    help="What format to write, if the name of OUTPUT does not tell.",
)


def suffix_of(path: str) -> str:
    """Return how a file's name ends, in small letters."""
    return PurePath(path).suffix.lower()


def recognised(path: str, lines: Lines) -> Format:
    """Tell the format of a file by its suffix; between several, or without one, by its beginning.

    Raises:
        Unreadable: If it cannot be read.
    """
    start = lines.start()
    named = [each for each in FORMATS if suffix_of(path) in each.suffixes]
    # Where lists of moves are, records may be as well.
    possible = (*named, PDD) if named else FORMATS
    return next((each for each in possible if each.looks.search(start)), possible[0])


@frozen
class Entry:
    """What was found in a file.

    Attributes:
        place: Which game it is, of which file.
        game: The game; ``None`` if there is something wrong with it.
        fault: What that is, and where.
    """

    place: str
    game: Game | None
    fault: str = ""


def entries(path: str, source: Format | None, advance: Advance) -> Iterator[Entry]:
    """Iterate over what is in a file; without any game it has a fault.

    Args:
        path: The file, or ``-`` for standard input.
        source: Its format; ``None`` to recognise it.
        advance: Is told how many bytes have been read.

    Raises:
        Unreadable: If it cannot be read to its end.
    """
    with opened(path) as lines:
        source = source or recognised(path, lines)
        lines.may_be_latin = source.may_be_latin
        number = read = 0
        for number, result in enumerate(source.read(lines), 1):
            place = f"{lines.name}: game {number}"
            if isinstance(result, RecordError):
                error = RecordError(result.line, result.column, result.expected, number)
                yield Entry(place, None, printable(fault(lines.name, error)))
            else:
                yield Entry(place, result)
            advance(lines.octets - read)
            read = lines.octets
        if not number:
            yield Entry(f"{lines.name}", None, f"{lines.name}:1:1: expected a game")
