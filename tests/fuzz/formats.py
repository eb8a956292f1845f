"""Check readers of records: equal results from all sources, and games that survive all formats."""

from __future__ import annotations

import io
import re
from functools import partial
from typing import Any

import pontedeldiavolo as pdd
from pontedeldiavolo import json, records
from pontedeldiavolo.base.file_formats import is_file_name
from pontedeldiavolo.records import Format, abstract_play, boardspace, sgf
from pontedeldiavolo.rules.actions import ChooseColor

from .agreement import agree, as_text, attempt, check_error, is_utf_8, told

Result = pdd.Game | pdd.RecordError

MODULES: dict[Format, Any] = {
    Format.PDD: records,
    Format.SGF: sgf,
    Format.BOARDSPACE: boardspace,
    Format.ABSTRACT_PLAY: abstract_play,
}

_LINE_END = re.compile(rb"\r\n|\r|\n")

TIGHT = pdd.Limits(side=10, characters=600, games=2, errors=1, depth=1)
MAY_BE_LATIN = (Format.SGF, Format.BOARDSPACE)
_CHARSET = re.compile(rb"C[a-z]*A[a-z]*\s*\[")
NO_TEXT = "not text"
LOOKED_AT = 3
"""The number of games of a file that are written in every format."""


class Dripping:
    """A binary file that returns few bytes at a time."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)

    def read(self, size: int = -1) -> bytes:
        return self._file.read(min(size, 7) if size >= 0 else 7)


def check_format(form: Format, data: bytes) -> None:
    """Check bytes as a file of games in a format."""
    text = as_text(data)
    if is_file_name(text):
        # Only a string could be meant as a path.
        refused = attempt(partial(records.read, text, format=form))
        agree("the name of a file", getattr(refused, "code", None), "text-not-path")
        return
    results = list(records.read(text, format=form))
    _check_results(results, text)
    _check_bytes(form, data, results)
    if form in MODULES:
        _check_strictness(form, text)
    _check_limits(form, text, results)
    for game in [each for each in results if isinstance(each, pdd.Game)][:LOOKED_AT]:
        check_game(game)


def check_record(data: bytes) -> None:
    """Check bytes as a file of this library's own records, strictly and leniently."""
    check_format(Format.PDD, data)
    text = as_text(data)
    strict = list(records.iter_games(io.StringIO(text), "yield"))
    _check_lenience(text, strict)
    parsed = list(records.iter_records(io.StringIO(text)))
    headers = list(records.iter_headers(io.StringIO(text)))
    agree("how many records and headers", [len(parsed), len(headers)], [len(strict)] * 2)
    for header, record, result in zip(headers, parsed, strict, strict=True):
        if isinstance(header, pdd.RecordError):
            agree("a record with a bad header", record, header)
        else:
            agree("a header's record", attempt(header.record), record)
        if isinstance(record, pdd.RecordError):
            agree("the game of a bad record", result, record)
        else:
            agree("a record's game", attempt(record.game), result)
        if isinstance(record, records.Record) and isinstance(result, pdd.Game):
            alone = record.game(variations=False)
            agree("the main line alone", (alone.actions, alone.line.depth), (result.actions, 0))
            agree("where it ends", (alone.state, alone.result), (result.state, result.result))


def check_any(data: bytes) -> None:
    """Check bytes as a file whose format must be detected."""
    file = io.BytesIO(b"before" + data)
    file.seek(6)
    form = records.detect(file)
    agree("the place in the file", file.tell(), 6)
    if is_file_name(as_text(data)):
        return
    agree("the format of bytes", records.detect(data), form)
    if is_utf_8(as_text(data)):
        agree("the format of text", records.detect(as_text(data)), form)
    told = form or Format.PDD
    agree("read as told", _read(data), _read(data, format=told))


def _check_results(results: list[Result], text: str) -> None:
    """Check that errors name their place in the text and their game."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, result in enumerate(results, 1):
        if isinstance(result, pdd.RecordError):
            check_error(result)
            agree("the number of the game", result.number, number)
            agree(f"the line of {result}", 1 <= result.line <= len(lines), expected=True)
            width = len(lines[result.line - 1]) + 1
            agree(f"the column of {result}", 1 <= result.column <= width, expected=True)


def _read(source: Any, **options: Any) -> list[Result] | str:
    """Return the games of a source, or the error that its bytes are not text."""
    found: list[Result] = []
    try:
        found.extend(records.read(source, **options))
    except UnicodeDecodeError:
        return NO_TEXT
    return found


def _check_bytes(form: Format, data: bytes, results: list[Result]) -> None:
    """Check that bytes and text, from any source, give the same games."""
    found = _read(data, format=form)
    agree("a few bytes at a time", _read(Dripping(data), format=form), found)
    tight = _read(data, format=form, limits=TIGHT)
    if form in MAY_BE_LATIN and _CHARSET.search(data):
        # The file names its encoding.
        return
    if is_utf_8(as_text(data)):
        agree("from bytes", found, results)
        agree("within limits", tight, _read(as_text(data), format=form, limits=TIGHT))
    elif form in MAY_BE_LATIN:
        if (decoded := _by_hand(data)) is not None:
            agree("line by line in Latin-1", found, _read(decoded, format=form))
    else:
        agree("other bytes than text", found, NO_TEXT)


def _by_hand(data: bytes) -> str | None:
    """Decode bytes as documented: lines of a game that is not UTF-8 are Latin-1.

    Return ``None`` if a line has letters in both, because that depends on where its games begin.
    """
    lines = []
    for line in _LINE_END.split(data):
        text = as_text(line)
        if not is_utf_8(text):
            if any("\x7f" < letter < "\udc80" or letter > "\udcff" for letter in text):
                return None
            text = line.decode("latin-1")
        lines.append(text)
    return "\n".join(lines)


def _check_strictness(form: Format, text: str) -> None:
    """Check that the reader of one game accepts a file if the reader of many finds one game."""
    module = MODULES[form]
    results = list(module.iter_games(io.StringIO(text), "yield"))
    only = attempt(partial(module.loads, text))
    if len(results) == 1 or (results and isinstance(results[0], pdd.RecordError)):
        agree("the only game", only, results[0])
    else:
        agree(f"one of {len(results)}", isinstance(only, pdd.RecordError), expected=True)
    agree("lines without ends", list(module.iter_games(text.split("\n"), "yield")), results)


def _check_lenience(text: str, strict: list[Result]) -> None:
    """Check that a lenient reader accepts what a strict one accepts, and finds the same faults."""
    errors: list[pdd.RecordError] = []
    lenient = list(records.iter_games(io.StringIO(text), "yield", errors))
    agree("how many games", len(lenient), len(strict))
    for number, (one, other) in enumerate(zip(strict, lenient, strict=True), 1):
        noted = [error for error in errors if error.number == number]
        if isinstance(one, pdd.Game):
            agree("errors in a good game", noted, [])
            agree("a good game", other, one)
        elif isinstance(other, pdd.RecordError):
            # The error of a record without content is its first fault.
            agree("the first error", told(one) in map(told, [other, *noted[:1]]), expected=True)
        else:
            agree("the first error", noted[0], one)
            if number <= LOOKED_AT:
                check_game(other)


def _check_limits(form: Format, text: str, results: list[Result]) -> None:
    """Check that limits refuse exactly the games that exceed them."""
    found = list(records.read(text, format=form, limits=TIGHT))
    agree("how many results", len(found) <= 3, expected=True)
    agree("how many errors", sum(not isinstance(each, pdd.Game) for each in found) <= 2, True)  # noqa: FBT003
    for place, result in enumerate(found):
        if isinstance(result, pdd.Game):
            # If an invalid game is also too long, there may be fewer errors before the next game.
            agree("a game within limits", result in results[place:], expected=True)
            side = max(result.rules.board.width, result.rules.board.height)
            agree("its board and depth", side <= 10 and result.line.depth <= 1, expected=True)
        else:
            check_error(result)


def check_game(game: pdd.Game) -> None:
    """Check that a game is legal and survives every format that supports it."""
    state = game.start
    for action in game.actions:
        state = state.apply(action)
    agree("played once more", state, game.state)
    _check_record(game)
    agree("what SGF cannot hold", records.unsupported(game, Format.SGF), ())
    agree("in SGF", sgf.loads(sgf.dumps(game)), game)
    agree("as a document", json.loads(json.dumps(game)), game)
    for form in (Format.ABSTRACT_PLAY, Format.MOVES):
        _check_foreign(game, form)


def _check_record(game: pdd.Game) -> None:
    text = records.dumps(game)
    errors: list[pdd.RecordError] = []
    agree("as a record", records.loads(text), game)
    agree("read leniently", records.loads(text, errors), game)
    agree("errors in what was written", errors, [])
    agree("written again", records.dumps(records.loads(text)), text)


def _check_foreign(game: pdd.Game, form: Format) -> None:
    """Check that a limited format refuses a game or names what it cannot represent."""
    unsupported = records.unsupported(game, form)
    file = io.StringIO()
    written = attempt(partial(records.write, [game], file, form))
    if isinstance(written, pdd.PonteError):
        return
    agree(f"how often {form} is told", records.detect(file.getvalue()) in (form, None), True)  # noqa: FBT003
    found = list(records.read(file.getvalue(), format=form))
    agree(f"how many games {form} gives back", len(found), 1)
    if not unsupported:
        agree(f"given back by {form}", found[0], game)
    if not isinstance(found[0], pdd.Game):
        raise found[0]
    agree(f"what {form} keeps", _moves(found[0]), _moves(game))
    if form is Format.ABSTRACT_PLAY:
        agree("read by its own verb", abstract_play.loads(file.getvalue()), found[0])


def _moves(game: pdd.Game) -> list[pdd.Action]:
    """Return the actions without a final choice of a colour, which a list of moves omits."""
    return [action for action in game.actions if not isinstance(action, ChooseColor)]
