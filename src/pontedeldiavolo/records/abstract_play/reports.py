"""Reading Abstract Play's reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import NotationError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import parse_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.abstract_play import lists
from pontedeldiavolo.records.abstract_play.header import ReportHeader
from pontedeldiavolo.records.abstract_play.located_json import JsonValue, read_value
from pontedeldiavolo.records.abstract_play.moves import Moves
from pontedeldiavolo.records.abstract_play.site import END_WORDS, RULES
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.records.lines import Lines
from pontedeldiavolo.records.splitting import JSON, games
from pontedeldiavolo.records.verbs import Found, found_at, found_in

_BETWEEN_REPORTS = re.compile(r"[ \t\r\n\[\],]*+")
_REPORT = re.compile(r'\{[ \t\r\n]*+"(?:header|moves)"[ \t\r\n]*+:')


def find(lines: Lines) -> Iterator[Found]:
    """Iterate over the games in a file of reports, or else of lists of moves."""
    if lines.peek().lstrip()[:1] in ("{", "["):
        return found_in(games(lines, JSON), lines.limits, _find_in)
    return lists.find(lines)


def _find_in(chunk: Chunk) -> Iterator[Found]:
    scanner, number = Scanner(chunk.text), chunk.number
    while True:
        scanner.run(_BETWEEN_REPORTS)
        start = scanner.offset
        if not scanner.peek():
            return
        try:
            value = read_value(scanner)
        except NotationError as error:
            yield Found(chunk.place(start), chunk.error(error, number))
            # The next report begins where one looks like beginning.
            found = _REPORT.search(chunk.text, max(scanner.offset, start + 1))
            scanner.offset = found.start() if found else len(chunk.text)
        else:
            yield found_at(chunk, start, number, partial(_report, chunk, value, number))
        number += 1


def _report(chunk: Chunk, value: JsonValue, number: int) -> Game:
    """Return the game that a report is about.

    Raises:
        NotationError: If it is no report of a game of Ponte del Diavolo.
        RecordError: If an action breaks a rule.
    """
    if not isinstance(value.data, dict):
        chunk.fail("report", value.offset)
    header = ReportHeader.of(chunk, value)
    chunk.require_side(RULES[header.side].board, value.offset)
    moves = _report_moves(chunk, value, pie=header.pie)
    game = moves.game(chunk, RULES[header.side], number).with_tags(header.tags)
    return _with_results(chunk, header, moves, game)


def _report_moves(chunk: Chunk, value: JsonValue, *, pie: bool) -> Moves:
    moves = Moves(pie=pie)
    for text, offset in _report_texts(chunk, value):
        if moves.word is not None:
            chunk.fail("end-after-word", offset, word=moves.word)
        # Their own reader takes capitals and blanks as well.
        compact = "".join(text.split()).lower()
        if compact in END_WORDS:
            moves.word, moves.word_offset = compact, offset
            continue
        if compact in ("white", "red"):
            chunk.fail("report-pie", offset)
        try:
            moves.add(parse_action(compact), offset)
        except NotationError as error:
            raise NotationError(chunk.text, offset, error.reason) from error
    return moves


def _report_texts(chunk: Chunk, value: JsonValue) -> Iterator[tuple[str, int]]:
    """Iterate over the moves of all rounds, as they are written, and where they stand."""
    data = value.data
    rounds = data.get("moves") if isinstance(data, dict) else None
    if rounds is None or not isinstance(rounds.data, tuple):
        chunk.fail("report-moves", (rounds or value).offset)
    for each in rounds.data:
        if not isinstance(each.data, tuple):
            chunk.fail("report-round", each.offset)
        for move in each.data:
            if move.data is None:
                continue
            text = move.data.get("move", move) if isinstance(move.data, dict) else move
            if not isinstance(text.data, str):
                chunk.fail("report-move", text.offset)
            yield text.data, text.offset


def _with_results(chunk: Chunk, header: ReportHeader, moves: Moves, game: Game) -> Game:
    """Return the game with the ending that its report tells."""
    word, winner = moves.word, header.winner
    told = None not in header.results
    if game.ending is not None:
        if word is not None:
            chunk.fail("no-word-after-end", moves.word_offset)
        if told and winner != game.winning_seat:
            chunk.fail("result-of-board", header.players_offset, result=game.result)
        return game
    if word is None:
        return game if winner is None else game.end(Ending.ADJUDICATION, winner)
    if word in ("draw", "abandoned"):
        if winner is not None:
            chunk.fail("report-equal-results", header.players_offset, word=word)
    elif not told or (winner is None and word == "resign"):
        chunk.fail("report-winner", header.players_offset, word=word)
    return game.end(END_WORDS[word], winner)
