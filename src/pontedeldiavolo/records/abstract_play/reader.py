"""Reading Abstract Play's reports and lists of moves, under the rules of that site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple, final

from attrs import define, field

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import NotationError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import ErrorList
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import Places, Record
from pontedeldiavolo.game.tags import DERIVED, is_tag_name
from pontedeldiavolo.notation.actions import parse_action, scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.codec import PlacedResult, Reader, error_at, found_at, found_in
from pontedeldiavolo.records.parsing import Part, SourceText, seat_tag, split_json, split_paragraphs
from pontedeldiavolo.records.text_io import Lines
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

from .json_values import Digits, JsonValue, read_value

# Headers of reports

NAME: Final = "Ponte del Diavolo"
DEFAULT_SIDE: Final = 10
"""The side of the board if none is named."""
NO_DATE: Final = "0001-01-01T00:00:00Z"
"""The placeholder for an unknown date in a report, where a date is required."""
OWN_TAGS: Final = "pontedeldiavolo-tags"
"""The member of a report for tags that have no other member."""

_MIDNIGHT: Final = "T00:00:00Z"
# The site names a variant in the language of the visitor: "8x8 board", "Plateau 8x8".
_SIDE = re.compile("(?<![0-9])(?:(8|10|12) ?[x×\u0445] ?\\1|size-(8|10|12))(?![0-9])")

MEMBERS: Final[dict[str, tuple[str, ...]]] = {
    "Event": ("event",),
    "Round": ("round",),
    "Site": ("site", "name"),
    "GameId": ("site", "gameid"),
    "Rated": ("unrated",),
    "Started": ("date-start",),
    "Ended": ("date-end",),
    "Generated": ("date-generated",),
}
"""The members of a header that become tags, by the name of their tag."""
PLAYER_MEMBERS: Final = {"": "name", "Id": "userid", "Type": "is_ai"}
"""The members of a player that become tags, by the suffix after the seat in the tag's name."""
FLAGS: Final = {
    "Rated": ("yes", "no"),
    **{seat_tag(seat, "Type"): ("human", "program") for seat in Seat},
}
"""The tags for boolean members, with their values for false and for true."""
_LONGEST_WHOLE = 18
_TIMES = ("Started", "Ended", "Generated")


def _date(time: str | None) -> str | None:
    """Return the date of a time in the form of the tag Date; ``None`` without a valid one."""
    return None if time in (None, NO_DATE) else dates.from_iso(time)


def facts_of(tags: Mapping[str, str]) -> dict[str, str | None]:
    """Return the values of members by tag, ``None`` where there is none; three are times."""
    names = (*MEMBERS, *(seat_tag(seat, name) for seat in Seat for name in PLAYER_MEMBERS))
    facts = {name: tags.get(name) for name in names}
    if None in (facts["Event"], facts["Round"]):
        facts["Event"] = facts["Round"] = None
    for name, words in FLAGS.items():
        facts[name] = facts[name] if facts[name] in words else None
    date = dates.to_iso(tags.get("Date", ""))
    time = NO_DATE if date is None else f"{date}-01-01"[:10] + _MIDNIGHT
    for name in _TIMES:
        facts[name] = time = tags[name] if dates.is_time(tags.get(name, "")) else time
    return facts


def tags_of(facts: Mapping[str, str | None]) -> dict[str, str]:
    """Return the tags for the values of members."""
    start, end, generated = (facts[name] for name in _TIMES)
    date = _date(start)
    is_exact = date is not None and start != f"{dates.to_iso(date)}{_MIDNIGHT}"
    tags = {
        **facts,
        "Date": date,
        "Started": start if is_exact else None,
        "Ended": None if end == start else end,
        "Generated": None if generated == end else generated,
    }
    return {name: text for name, text in tags.items() if text}


class _Header(NamedTuple):
    """The contents of a header.

    Attributes:
        side: The side of the board.
        pie: Whether the pie rule was used: then the player named first has the second seat.
        tags: The tags of the game.
        results: The results of the first and of the second seat, as numbers; more is better.
        players: The JSON value of the players.
    """

    side: int
    pie: bool
    tags: dict[str, str]
    results: tuple[int | None, int | None]
    players: JsonValue

    @property
    def winner(self) -> Seat | None:
        """The seat with the larger number; ``None`` if they are equal or not given."""
        first, second = self.results
        if first is None or second is None or first == second:
            return None
        return Seat.FIRST if first > second else Seat.SECOND


def _header(report: JsonValue) -> _Header:
    """Return the header of a report.

    Raises:
        NotationError: If it is not the header of a game of Ponte del Diavolo.
    """
    header = report.member("header")
    game = header.member("game")
    name = game.member("name")
    if name.text().lower() not in (NAME.lower(), "pontedd"):
        name.fail("report-name", name=NAME)
    flags = filter(None, map(header.find, ("pie-invoked", "pied")))
    pie = any(flag.of(bool, "json-truth") for flag in flags)
    players = header.member("players")
    seated = players.items()
    if len(seated) != len(Seat):
        players.fail("report-players")
    # The player named first owns white, and has the second seat if the pie rule was used.
    first, second = reversed(seated) if pie else seated
    facts = {
        seat_tag(seat, suffix): _fact(player, seat_tag(seat, suffix), member)
        for seat, player in ((Seat.FIRST, first), (Seat.SECOND, second))
        for suffix, member in PLAYER_MEMBERS.items()
    }
    facts |= {tag: _fact(header, tag, *names) for tag, names in MEMBERS.items()}
    start = facts["Started"]
    if start not in (None, NO_DATE) and _date(start) is None:
        header.member("date-start").fail("report-time")
    tags = tags_of(facts) | _own_tags(header)
    kept = {name: text for name, text in tags.items() if text is not None}
    return _Header(_side(game), pie, kept, (_result(first), _result(second)), players)


def _fact(value: JsonValue, tag: str, *names: str) -> str | None:
    """Return the value of a member for a tag, ``None`` without one."""
    found = value.find(*names)
    if found is None:
        return None
    if tag in FLAGS:
        return FLAGS[tag][found.of(bool, "json-truth")]
    return found.data.text if tag == "GameId" and isinstance(found.data, Digits) else found.text()


def _own_tags(header: JsonValue) -> dict[str, str | None]:
    """Return the tags that only this library writes; ``None`` removes one."""
    own = header.find(OWN_TAGS)
    members = own.of(dict, "json-object") if own else {}
    if own and not all(is_tag_name(name) and name not in DERIVED for name in members):
        own.fail("report-own-tags")
    return {name: None if each.data is None else each.text() for name, each in members.items()}


def _side(game: JsonValue) -> int:
    """Return the side of the board that is named by the variants."""
    variants, sides = game.find("variants"), set[int]()
    for variant in variants.items() if variants else ():
        text = variant.text().lower()
        found = _SIDE.search(text)
        if found:
            sides.add(int(found[1] or found[2]))
        elif text != "#board" and "unlimited" not in text:
            variant.fail("report-board")
    if variants and len(sides) > 1:
        variants.fail("one-board")
    return sides.pop() if sides else DEFAULT_SIDE


def _result(player: JsonValue) -> int | None:
    found = player.find("result")
    if found is None:
        return None
    digits = found.data.text if isinstance(found.data, Digits) else ""
    if len(digits) > _LONGEST_WHOLE or not digits.lstrip("-").isdecimal():
        found.fail("json-whole-number")
    return int(digits)


# Moves

RULES: Final = {8: presets.ABSTRACT_PLAY_8, 10: presets.ABSTRACT_PLAY, 12: presets.ABSTRACT_PLAY_12}
"""The rules by the side of the board."""

ENDINGS: Final = {
    "resign": Ending.RESIGNATION,
    "timeout": Ending.TIME,
    "draw": Ending.AGREEMENT,
    "abandoned": Ending.ADJUDICATION,
}
"""The words that replace a move where a game ended early."""


@final
@define(eq=False)
class _Moves:
    """The moves of a game as written.

    Attributes:
        actions: The actions and their offsets; the choice of a colour may be missing.
        pie: Whether the pie rule was used.
        word: The word for the early end of the game, if it has one.
    """

    actions: list[tuple[Action, int]] = field(factory=list)
    pie: bool = False
    word: Part | None = None

    def game(self, source: SourceText, rules: Rules, number: int) -> Game:
        """Return the game with these moves, unfinished unless it is played out.

        Raises:
            NotationError: If it is played out before a word that ends it.
            RecordError: If an action breaks a rule.
        """
        moves = [*self.actions]
        is_chosen = len(moves) > 1 and isinstance(moves[1][0], ChooseColor)
        if not is_chosen and len(moves) + self.pie > 1:
            # The choice is implied by the move after it, or only by the flag.
            choice = ChooseColor(Color.WHITE if self.pie else Color.RED)
            moves.insert(1, (choice, moves[:2][-1][1]))
        line = Line([Move(action) for action, _ in moves])
        places = Places(tuple(source.place(offset) for _, offset in moves))
        game = Record(GameState.initial(rules), {}, line, number=number, places=places).game()
        if self.word is not None and game.ending is not None:
            source.fail("no-word-after-end", self.word.offset)
        return game


_OPTION = re.compile(r"(?:size-(8|10|12)|pie-invoked|pied)(?![\w-])", re.ASCII | re.IGNORECASE)
# No column has three letters.
_WORD = re.compile(r"[A-Za-z]{3,}")
_NUMBER = re.compile(r"[0-9]+\.+[ \t]*")
_BETWEEN_MOVES = re.compile(r"[ \t\r\n,;]*+")


def _find_lists(lines: Lines, _errors: ErrorList) -> Iterator[PlacedResult[Game]]:
    """Iterate over the games in a file of lists."""
    return found_in(split_paragraphs(lines), lines.limits, _find_list)


def _find_list(source: SourceText) -> Iterator[PlacedResult[Game]]:
    start = len(source.text) - len(source.text.lstrip(" \t\r"))
    yield found_at(source, start, source.number, partial(_list_game, source))


def _list_game(source: SourceText) -> Game:
    """Return the game of a list of moves.

    Raises:
        NotationError: If something in it cannot be read.
        RecordError: If an action breaks a rule.
    """
    text = source.text
    scanner, side, moves = Scanner(text), None, _Moves()
    scanner.run(_BETWEEN_MOVES)
    while option := _OPTION.match(text, scanner.offset):
        named = option[1]
        if named and side not in (None, int(named)):
            scanner.fail("one-board")
        side = int(named) if named else side
        moves.pie = moves.pie or named is None
        scanner.offset = option.end()
        scanner.run(_BETWEEN_MOVES)
    while scanner.peek():
        _read_list_item(scanner, moves)
    if not moves.actions and side is None:
        # On the site, a player must move before resigning: without size and move there is no game.
        scanner.fail("move-or-size", 0)
    rules = RULES[side or DEFAULT_SIDE]
    source.require_side(rules.board, 0)
    game = moves.game(source, rules, source.number)
    if moves.word is None:
        return game
    ending = ENDINGS[moves.word.text]
    loses = ending in (Ending.RESIGNATION, Ending.TIME)
    return game.end(ending, (game.state.seat_to_move or Seat.FIRST).opponent if loses else None)


def _read_list_item(scanner: Scanner, moves: _Moves) -> None:
    """Read a move, or the word that ends the game, and the separator after it."""
    if moves.word is not None:
        scanner.fail("end-after-word", word=moves.word.text)
    scanner.run(_NUMBER)
    offset = scanner.offset
    found = _WORD.match(scanner.text, offset)
    word = found[0].lower() if found else ""
    if word in ENDINGS:
        scanner.offset += len(word)
        moves.word = Part(word, offset)
    elif word and word not in ("white", "red", "pass"):
        scanner.fail("move-or-word", words=", ".join(ENDINGS))
    else:
        moves.actions.append((scan_action(scanner), offset))
    if not scanner.run(_BETWEEN_MOVES) and scanner.peek():
        scanner.fail("blank-after-move")


_BETWEEN_REPORTS = re.compile(r"[ \t\r\n\[\],]*+")
_REPORT = re.compile(r'\{[ \t\r\n]*+"(?:header|moves)"[ \t\r\n]*+:')


def _find_any(lines: Lines, errors: ErrorList) -> Iterator[PlacedResult[Game]]:
    """Iterate over the games in a file of reports, or else of lists of moves."""
    if lines.peek().lstrip()[:1] in ("{", "["):
        return found_in(split_json(lines), lines.limits, _find_reports_in)
    return _find_lists(lines, errors)


def _find_reports_in(source: SourceText) -> Iterator[PlacedResult[Game]]:
    scanner, number = Scanner(source.text), source.number
    while True:
        scanner.run(_BETWEEN_REPORTS)
        start = scanner.offset
        if not scanner.peek():
            return
        try:
            value = read_value(scanner)
        except NotationError as error:
            yield PlacedResult(source.place(start), error_at(source, number, error))
            # Continue at the next text that looks like the beginning of a report.
            found = _REPORT.search(source.text, max(scanner.offset, start + 1))
            scanner.offset = found.start() if found else len(source.text)
        else:
            yield found_at(source, start, number, partial(_report, source, value, number))
        number += 1


def _report(source: SourceText, report: JsonValue, number: int) -> Game:
    """Return the game of a report.

    Raises:
        NotationError: If it is not the report of a game of Ponte del Diavolo.
        RecordError: If an action breaks a rule.
    """
    report.of(dict, "report")
    header = _header(report)
    rules, moves = RULES[header.side], _Moves(pie=header.pie)
    source.require_side(rules.board, report.offset)
    for text, offset in _report_texts(report):
        if moves.word is not None:
            source.fail("end-after-word", offset, word=moves.word.text)
        # The site's own reader accepts capitals and blanks, too.
        compact = "".join(text.split()).lower()
        if compact in ("white", "red"):
            source.fail("report-pie", offset)
        if compact in ENDINGS:
            moves.word = Part(compact, offset)
            continue
        try:
            moves.actions.append((parse_action(compact), offset))
        except NotationError as error:
            raise NotationError(source.text, offset, error.reason) from error
    game = moves.game(source, rules, number).with_tags(header.tags)
    return _with_results(header, moves.word, game)


def _report_texts(report: JsonValue) -> Iterator[tuple[str, int]]:
    """Iterate over the moves of all rounds as written, and their offsets."""
    for each in report.of(dict, "report").get("moves", report).of(tuple, "report-moves"):
        for move in each.of(tuple, "report-round"):
            if move.data is not None:
                text = move.data.get("move", move) if isinstance(move.data, dict) else move
                yield text.of(str, "report-move"), text.offset


def _with_results(header: _Header, word: Part | None, game: Game) -> Game:
    """Return the game with the ending given in its report."""
    winner, is_known = header.winner, None not in header.results
    if game.ending is not None:
        if is_known and winner != game.winning_seat:
            header.players.fail("result-of-board", result=game.result)
        return game
    if word is None:
        return game if winner is None else game.end(Ending.ADJUDICATION, winner)
    if word.text in ("draw", "abandoned"):
        if winner is not None:
            header.players.fail("report-equal-results", word=word.text)
    elif not is_known or (winner is None and word.text == "resign"):
        header.players.fail("report-winner", word=word.text)
    return game.end(ENDINGS[word.text], winner)


READER: Final = Reader(_find_any)
LIST_READER: Final = Reader(_find_lists)
