"""Reading what Abstract Play writes: reports in JSON, and bare lists of moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pontedeldiavolo import presets
from pontedeldiavolo.errors import NotationError, RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import parse_action, scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.abstract_play.header import DEFAULT_SIDE, Header
from pontedeldiavolo.records.abstract_play.located_json import JsonValue, read_value
from pontedeldiavolo.records.abstract_play.moves import ENDINGS, Moves
from pontedeldiavolo.records.interchange import Found, Source
from pontedeldiavolo.vocabulary import Ending, Seat

RULES: Final = {
    8: presets.ABSTRACT_PLAY_8,
    10: presets.ABSTRACT_PLAY,
    12: presets.ABSTRACT_PLAY_12,
}
"""The rules by the side of the board."""

_BETWEEN_REPORTS = re.compile(r"[ \t\r\n\[\],]*+")
_REPORT = re.compile(r'\{[ \t\r\n]*+"(?:header|moves)"[ \t\r\n]*+:')
_LIST = re.compile(r"[^ \t\r\n][^\n]*+(?:\n[ \t\r]*+[^ \t\r\n][^\n]*+)*+")
_OPTION = re.compile(r"(?:size-(8|10|12)|pie-invoked|pied)(?![\w-])", re.ASCII | re.IGNORECASE)
# No column has three letters.
_WORD = re.compile(r"[A-Za-z]{3,}")
_MOVE_WORDS = ("white", "red", "pass")
_NUMBER = re.compile(r"[0-9]+\.+[ \t]*")
_BETWEEN_MOVES = re.compile(r"[ \t\r\n,;]*+")


def find_games(source: Source) -> Iterator[Found]:
    """Iterate over the games in a text."""
    if source.text.lstrip()[:1] in ("{", "["):
        return _find_reports(source)
    return _find_lists(source)


# Reports


def _find_reports(source: Source) -> Iterator[Found]:
    scanner, number, open_arrays, sound = Scanner(source.text), 0, 0, True
    while True:
        between = scanner.run(_BETWEEN_REPORTS)
        open_arrays += between.count("[") - between.count("]")
        start = scanner.offset
        if not scanner.peek():
            break
        number += 1
        result: Game | RecordError
        try:
            value = read_value(scanner)
        except NotationError as error:
            result, sound = source.record_error(error, number), False
            # The next report begins where one looks like beginning.
            found = _REPORT.search(source.text, max(scanner.offset, start + 1))
            scanner.offset = found.start() if found else len(source.text)
        else:
            try:
                result = _report(source, value, number)
            except NotationError as error:
                result = source.record_error(error, number)
            except RecordError as error:
                result = error
        yield Found(source.place(start), result)
    if sound and open_arrays:
        # Nothing but brackets is wrong; yet a file may have been cut off between two reports.
        place = source.place(start)
        yield Found(place, RecordError(*place, "as many ']' as '['", number + 1))


def _report(source: Source, value: JsonValue, number: int) -> Game:
    """Return the game that a report is about.

    Raises:
        NotationError: If it is no report of a game of Ponte del Diavolo.
        RecordError: If an action breaks a rule.
    """
    if not isinstance(value.data, dict):
        source.fail("a game's report: an object with 'header' and 'moves'", value.offset)
    header = Header.of(source, value)
    moves = _report_moves(source, value, pie=header.pie)
    game = moves.game(source, RULES[header.side], number).with_tags(header.tags)
    return _with_results(source, header, moves, game)


def _report_moves(source: Source, value: JsonValue, *, pie: bool) -> Moves:
    moves = Moves(pie=pie)
    for text, offset in _report_texts(source, value):
        if moves.word is not None:
            source.fail(f"the end after '{moves.word}'", offset)
        # Their own reader takes capitals and blanks as well.
        compact = "".join(text.split()).lower()
        if compact in ENDINGS:
            moves.word, moves.word_offset = compact, offset
            continue
        if compact in ("white", "red"):
            source.fail("a move: here colours are told by the pie", offset)
        try:
            moves.add(parse_action(compact), offset)
        except NotationError as error:
            raise NotationError(source.text, offset, error.expected) from error
    return moves


def _report_texts(source: Source, value: JsonValue) -> Iterator[tuple[str, int]]:
    """Iterate over the moves of all rounds, as they are written, and where they stand."""
    data = value.data
    rounds = data.get("moves") if isinstance(data, dict) else None
    if rounds is None or not isinstance(rounds.data, tuple):
        source.fail("'moves', an array of rounds", (rounds or value).offset)
    for each in rounds.data:
        if not isinstance(each.data, tuple):
            source.fail("a round: an array of moves", each.offset)
        for move in each.data:
            if move.data is None:
                continue
            text = move.data.get("move", move) if isinstance(move.data, dict) else move
            if not isinstance(text.data, str):
                source.fail("a move: a text, or an object with the text 'move'", text.offset)
            yield text.data, text.offset


def _with_results(source: Source, header: Header, moves: Moves, game: Game) -> Game:
    """Return the game with the ending that its report tells."""
    word, winner = moves.word, header.winner
    told = None not in header.results
    if game.ending is not None:
        if word is not None:
            source.fail("no word after the end of the game", moves.word_offset)
        if told and winner != game.winning_seat:
            expected = f"the result '{game.result}', as the board has it"
            source.fail(expected, header.players_offset)
        return game
    if word is None:
        return game if winner is None else game.end(Ending.ADJUDICATION, winner)
    if word in ("draw", "abandoned"):
        if winner is not None:
            source.fail(f"equal results, with '{word}'", header.players_offset)
    elif not told or (winner is None and word == "resign"):
        source.fail(f"results that say who won, with '{word}'", header.players_offset)
    return game.end(ENDINGS[word], winner)


# Lists of moves


def _find_lists(source: Source) -> Iterator[Found]:
    for number, found in enumerate(_LIST.finditer(source.text), 1):
        result: Game | RecordError
        try:
            result = _list(source, found.group(), found.start(), number)
        except NotationError as error:
            result = source.record_error(error, number)
        except RecordError as error:
            result = error
        yield Found(source.place(found.start()), result)


def _list(source: Source, text: str, start: int, number: int) -> Game:
    """Return the game of a list of moves."""
    scanner, side, moves = Scanner(text), None, Moves()
    try:
        scanner.run(_BETWEEN_MOVES)
        while option := _OPTION.match(text, scanner.offset):
            named = option.group(1)
            if named and side not in (None, int(named)):
                scanner.fail("one board only")
            side = int(named) if named else side
            moves.pie = moves.pie or named is None
            scanner.offset = option.end()
            scanner.run(_BETWEEN_MOVES)
        while scanner.peek():
            _list_item(scanner, moves, start)
    except NotationError as error:
        source.fail_inside(error, start)
    game = moves.game(source, RULES[side or DEFAULT_SIDE], number)
    if moves.word is None:
        return game
    if game.ending is not None:
        source.fail("no word after the end of the game", moves.word_offset)
    ending = ENDINGS[moves.word]
    loses = ending in (Ending.RESIGNATION, Ending.TIME)
    mover = game.state.seat_to_move or Seat.FIRST
    return game.end(ending, mover.opponent if loses else None)


def _list_item(scanner: Scanner, moves: Moves, start: int) -> None:
    """Read a move, or the word that ends the game, and what stands before the next one."""
    if moves.word is not None:
        scanner.fail(f"the end after '{moves.word}'")
    scanner.run(_NUMBER)
    offset = scanner.offset
    found = _WORD.match(scanner.text, offset)
    word = found.group().lower() if found else ""
    if word in ENDINGS:
        scanner.offset += len(word)
        moves.word, moves.word_offset = word, start + offset
    elif word and word not in _MOVE_WORDS:
        scanner.fail(f"a move, or one of {', '.join(ENDINGS)}")
    else:
        moves.add(scan_action(scanner), start + offset)
    if not scanner.run(_BETWEEN_MOVES) and scanner.peek():
        scanner.fail("a blank after the move")
