"""Reading Abstract Play's reports and lists of moves, under the rules of that site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final, final

from attrs import define, field

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import (
    NotationError,
    reason,
)
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import ErrorList
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import Places, Record
from pontedeldiavolo.notation.actions import parse_action, scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.abstract_play.header import (
    DEFAULT_SIDE,
    JsonValue,
    ReportHeader,
    read_value,
)
from pontedeldiavolo.records.codec import Found, Reader, found_at, found_in
from pontedeldiavolo.records.parsing import (
    JSON,
    Chunk,
    SourceText,
    begins_foreign,
    split_games,
    split_paragraphs,
)
from pontedeldiavolo.records.text_io import Lines
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

RULES: Final = {
    8: presets.ABSTRACT_PLAY_8,
    10: presets.ABSTRACT_PLAY,
    12: presets.ABSTRACT_PLAY_12,
}
"""The rules by the side of the board."""

END_WORDS: Final = {
    "resign": Ending.RESIGNATION,
    "timeout": Ending.TIME,
    "draw": Ending.AGREEMENT,
    "abandoned": Ending.ADJUDICATION,
}
"""The words that stand in place of a move where a game ended early."""


@final
@define(eq=False)
class Moves:
    """The moves of a game as written.

    Attributes:
        actions: The actions; the choice of a colour may be missing.
        offsets: Where in the text each of them begins.
        pie: Whether the pie was invoked.
        word: The word that says how the game ended early, if one does, and where it stands.
    """

    actions: list[Action] = field(factory=list)
    offsets: list[int] = field(factory=list)
    pie: bool = False
    word: str | None = None
    word_offset: int = 0

    def add(self, action: Action, offset: int) -> None:
        """Add an action that stands at *offset*."""
        self.actions.append(action)
        self.offsets.append(offset)

    def game(self, source: SourceText, rules: Rules, number: int) -> Game:
        """Return the game of these moves, going on unless it is played out.

        Raises:
            RecordError: If an action breaks a rule.
        """
        actions, offsets = [*self.actions], [*self.offsets]
        chosen = len(actions) > 1 and isinstance(actions[1], ChooseColor)
        if not chosen and len(actions) + self.pie > 1:
            # The choice is seen in the move after it, or only in the flag.
            actions.insert(1, ChooseColor(Color.WHITE if self.pie else Color.RED))
            offsets.insert(1, offsets[min(1, len(offsets) - 1)])
        return Record(
            GameState.initial(rules),
            FrozenMapping(),
            Line([Move(action) for action in actions]),
            number=number,
            places=Places(tuple(map(source.place, offsets))),
        ).game()


_OPTION = re.compile(r"(?:size-(8|10|12)|pie-invoked|pied)(?![\w-])", re.ASCII | re.IGNORECASE)
# No column has three letters.
_WORD = re.compile(r"[A-Za-z]{3,}")
_MOVE_WORDS = ("white", "red", "pass")
_NUMBER = re.compile(r"[0-9]+\.+[ \t]*")
_BETWEEN_MOVES = re.compile(r"[ \t\r\n,;]*+")

# Lists of moves


def _find_lists(lines: Lines, _errors: ErrorList | None) -> Iterator[Found[Game]]:
    """Iterate over the games in a file of lists."""
    return found_in(_without_foreign(split_paragraphs(lines)), lines.limits, _find_list)


def _without_foreign(parts: Iterator[Chunk]) -> Iterator[Chunk]:
    """Iterate over paragraphs; after the beginning of another format, each is bad."""
    is_foreign = False
    for part in parts:
        if part.fault is None and is_foreign:
            yield part._replace(fault=reason("list-of-moves"))
        else:
            yield part
            is_foreign = is_foreign or begins_foreign(part.text)


def _find_list(source: SourceText) -> Iterator[Found[Game]]:
    start = len(source.text) - len(source.text.lstrip(" \t\r"))
    yield found_at(source, start, source.number, partial(_list_game, source))


def _list_game(source: SourceText) -> Game:
    """Return the game of a list of moves.

    Raises:
        NotationError: If something in it cannot be read.
        RecordError: If an action breaks a rule.
    """
    text = source.text
    scanner, side, moves = Scanner(text), None, Moves()
    scanner.run(_BETWEEN_MOVES)
    while option := _OPTION.match(text, scanner.offset):
        named = option.group(1)
        if named and side not in (None, int(named)):
            scanner.fail("one-board")
        side = int(named) if named else side
        moves.pie = moves.pie or named is None
        scanner.offset = option.end()
        scanner.run(_BETWEEN_MOVES)
    while scanner.peek():
        _read_list_item(scanner, moves)
    if not moves.actions and side is None:
        # The site asks for a move before anybody can give up; no size and no move is no game.
        scanner.fail("move-or-size", 0)
    source.require_side(RULES[side or DEFAULT_SIDE].board, 0)
    game = moves.game(source, RULES[side or DEFAULT_SIDE], source.number)
    if moves.word is None:
        return game
    if game.ending is not None:
        source.fail("no-word-after-end", moves.word_offset)
    ending = END_WORDS[moves.word]
    loses = ending in (Ending.RESIGNATION, Ending.TIME)
    mover = game.state.seat_to_move or Seat.FIRST
    return game.end(ending, mover.opponent if loses else None)


def _read_list_item(scanner: Scanner, moves: Moves) -> None:
    """Read a move, or the word that ends the game, and the separator after it."""
    if moves.word is not None:
        scanner.fail("end-after-word", word=moves.word)
    scanner.run(_NUMBER)
    offset = scanner.offset
    found = _WORD.match(scanner.text, offset)
    word = found.group().lower() if found else ""
    if word in END_WORDS:
        scanner.offset += len(word)
        moves.word, moves.word_offset = word, offset
    elif word and word not in _MOVE_WORDS:
        scanner.fail("move-or-word", words=", ".join(END_WORDS))
    else:
        moves.add(scan_action(scanner), offset)
    if not scanner.run(_BETWEEN_MOVES) and scanner.peek():
        scanner.fail("blank-after-move")


_BETWEEN_REPORTS = re.compile(r"[ \t\r\n\[\],]*+")
_REPORT = re.compile(r'\{[ \t\r\n]*+"(?:header|moves)"[ \t\r\n]*+:')


def _find_any(lines: Lines, errors: ErrorList | None) -> Iterator[Found[Game]]:
    """Iterate over the games in a file of reports, or else of lists of moves."""
    if lines.peek().lstrip()[:1] in ("{", "["):
        return found_in(split_games(lines, JSON), lines.limits, _find_reports_in)
    return _find_lists(lines, errors)


def _find_reports_in(source: SourceText) -> Iterator[Found[Game]]:
    scanner, number = Scanner(source.text), source.number
    while True:
        scanner.run(_BETWEEN_REPORTS)
        start = scanner.offset
        if not scanner.peek():
            return
        try:
            value = read_value(scanner)
        except NotationError as error:
            yield Found(source.place(start), source.error(error, number))
            # The next report begins where one looks like beginning.
            found = _REPORT.search(source.text, max(scanner.offset, start + 1))
            scanner.offset = found.start() if found else len(source.text)
        else:
            yield found_at(source, start, number, partial(_report, source, value, number))
        number += 1


def _report(source: SourceText, value: JsonValue, number: int) -> Game:
    """Return the game of a report.

    Raises:
        NotationError: If it is no report of a game of Ponte del Diavolo.
        RecordError: If an action breaks a rule.
    """
    if not isinstance(value.data, dict):
        source.fail("report", value.offset)
    header = ReportHeader.of(source, value)
    source.require_side(RULES[header.side].board, value.offset)
    moves = _report_moves(source, value, pie=header.pie)
    game = moves.game(source, RULES[header.side], number).with_tags(header.tags)
    return _with_results(source, header, moves, game)


def _report_moves(source: SourceText, value: JsonValue, *, pie: bool) -> Moves:
    moves = Moves(pie=pie)
    for text, offset in _report_texts(source, value):
        if moves.word is not None:
            source.fail("end-after-word", offset, word=moves.word)
        # Their own reader takes capitals and blanks as well.
        compact = "".join(text.split()).lower()
        if compact in END_WORDS:
            moves.word, moves.word_offset = compact, offset
            continue
        if compact in ("white", "red"):
            source.fail("report-pie", offset)
        try:
            moves.add(parse_action(compact), offset)
        except NotationError as error:
            raise NotationError(source.text, offset, error.reason) from error
    return moves


def _report_texts(source: SourceText, value: JsonValue) -> Iterator[tuple[str, int]]:
    """Iterate over the moves of all rounds as written, and their offsets."""
    data = value.data
    rounds = data.get("moves") if isinstance(data, dict) else None
    if rounds is None or not isinstance(rounds.data, tuple):
        source.fail("report-moves", (rounds or value).offset)
    for each in rounds.data:
        if not isinstance(each.data, tuple):
            source.fail("report-round", each.offset)
        for move in each.data:
            if move.data is None:
                continue
            text = move.data.get("move", move) if isinstance(move.data, dict) else move
            if not isinstance(text.data, str):
                source.fail("report-move", text.offset)
            yield text.data, text.offset


def _with_results(source: SourceText, header: ReportHeader, moves: Moves, game: Game) -> Game:
    """Return the game with the ending of its report."""
    word, winner = moves.word, header.winner
    told = None not in header.results
    if game.ending is not None:
        if word is not None:
            source.fail("no-word-after-end", moves.word_offset)
        if told and winner != game.winning_seat:
            source.fail("result-of-board", header.players_offset, result=game.result)
        return game
    if word is None:
        return game if winner is None else game.end(Ending.ADJUDICATION, winner)
    if word in ("draw", "abandoned"):
        if winner is not None:
            source.fail("report-equal-results", header.players_offset, word=word)
    elif not told or (winner is None and word == "resign"):
        source.fail("report-winner", header.players_offset, word=word)
    return game.end(END_WORDS[word], winner)


READER: Final = Reader(_find_any)
LIST_READER: Final = Reader(_find_lists)
