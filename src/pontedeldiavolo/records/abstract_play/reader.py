"""Reading Abstract Play's reports and lists of moves, under the rules of that site."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, final

from attrs import define, field

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import NotationError, RecordError, quoted
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import ErrorList, Place, Places, Record
from pontedeldiavolo.game.tags import DERIVED_TAGS, is_tag_name
from pontedeldiavolo.notation.actions import ACTION_WORDS, parse_action, scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.reading import Found, GameText, LineReader, error_at, located_result
from pontedeldiavolo.records.splitting import numbered_games, split_paragraphs, split_reports
from pontedeldiavolo.records.tag_texts import seat_tag
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

from .report_values import Number, ParsedValue, ReportValue, parse_values

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
    """Return the date of a timestamp as the value of the tag Date; ``None`` if it is invalid."""
    return None if time in (None, NO_DATE) else dates.from_iso(time)


def facts_of(tags: Mapping[str, str]) -> dict[str, str | None]:
    """Return the values of members by tag, ``None`` where there is none; three are times."""
    names = [*MEMBERS]
    names += [seat_tag(seat, name) for seat in Seat for name in PLAYER_MEMBERS]
    facts = {name: tags.get(name) for name in names}
    if facts["Event"] is None or facts["Round"] is None:
        # A report has both of these members or neither.
        facts["Event"] = None
        facts["Round"] = None
    for name, words in FLAGS.items():
        if facts[name] not in words:
            facts[name] = None
    date = dates.to_iso(tags.get("Date", ""))
    time = NO_DATE
    if date is not None:
        # An unknown month or day counts as the first.
        day = f"{date}-01-01"[:10]
        time = day + _MIDNIGHT
    for name in _TIMES:
        if dates.is_time(tags.get(name, "")):
            time = tags[name]
        # If a time is unknown, the time of the previous event is used.
        facts[name] = time
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
        players: The value of the players.
    """

    side: int
    pie: bool
    tags: dict[str, str]
    results: tuple[int | None, int | None]
    players: ReportValue

    @property
    def winner(self) -> Seat | None:
        """The seat with the larger number; ``None`` if they are equal or not given."""
        first, second = self.results
        if first is None or second is None or first == second:
            return None
        return Seat.FIRST if first > second else Seat.SECOND


def _header(report: ReportValue) -> _Header:
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
    pie = any(flag.require(bool, "json-truth") for flag in flags)
    players = header.member("players")
    seated = [*players.items()]
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


def _fact(value: ReportValue, tag: str, *names: str) -> str | None:
    """Return the value of a member for a tag, ``None`` without one."""
    found = value.find(*names)
    if found is None:
        return None
    if tag in FLAGS:
        return FLAGS[tag][found.require(bool, "json-truth")]
    if tag == "GameId" and isinstance(found.data, Number):
        found.require_short(len(found.data.text), tag)
        return found.data.text
    return found.text_of_tag(tag)


def _own_tags(header: ReportValue) -> dict[str, str | None]:
    """Return the tags that only this library writes; ``None`` removes one."""
    own = header.find(OWN_TAGS)
    members = own.members() if own else {}
    if own and not all(is_tag_name(name) and name not in DERIVED_TAGS for name in members):
        own.fail("report-own-tags")
    return {
        name: None if each.data is None else each.text_of_tag(name)
        for name, each in members.items()
    }


def _side(game: ReportValue) -> int:
    """Return the side of the board that is named by the variants."""
    variants = game.find("variants")
    sides = set[int]()
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


def _result(player: ReportValue) -> int | None:
    found = player.find("result")
    if found is None:
        return None
    digits = found.data.text if isinstance(found.data, Number) else ""
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
        actions: The actions; the choice of a colour may be missing.
        pie: Whether the pie rule was used.
        word: The word for the early end of the game, if it has one.
    """

    actions: list[Action] = field(factory=list)
    pie: bool = False
    word: str | None = None

    def game(self, places: Sequence[Place], rules: Rules, number: int) -> Game:
        """Return the game with these moves, unfinished unless it is played out.

        Args:
            places: The place of each action.
            rules: The rules.
            number: The number of the game in its file.

        Raises:
            RecordError: If an action breaks a rule. Its place is that of the action.
        """
        actions = [*self.actions]
        action_places = [*places]
        is_chosen = len(actions) > 1 and isinstance(actions[1], ChooseColor)
        # A choice that is not written is implied by the move after it, or by the flag alone.
        is_implied = len(actions) > 1 or (self.pie and len(actions) == 1)
        if not is_chosen and is_implied:
            actions.insert(1, ChooseColor(Color.WHITE if self.pie else Color.RED))
            place_of_next = action_places[:2][-1]
            action_places.insert(1, place_of_next)
        start = GameState.initial(rules)
        line = Line([Move(action) for action in actions])
        return Record(start, {}, line, number=number, places=Places(tuple(action_places))).game()


_OPTION = re.compile(r"(?:size-(8|10|12)|pie-invoked|pied)(?![\w-])", re.ASCII | re.IGNORECASE)
# No column has three letters.
_WORD = re.compile(r"[A-Za-z]{3,}")
_NUMBER = re.compile(r"[0-9]+\.+[ \t]*")
_BETWEEN_MOVES = re.compile(r"[ \t\r\n,;]*+")


def read_lists(lines: LineReader, _errors: ErrorList) -> Iterator[Found[Game]]:
    """Iterate over the games in a file of lists."""
    return numbered_games(split_paragraphs(lines), lines.limits, _games_in_list)


def _games_in_list(game_text: GameText) -> Iterator[Found[Game]]:
    start = len(game_text.text) - len(game_text.text.lstrip(" \t\r"))
    yield located_result(game_text, start, _list_game)


def _list_game(game_text: GameText) -> Game:
    """Return the game of a list of moves.

    Raises:
        NotationError: If something in it cannot be read.
        RecordError: If an action breaks a rule.
    """
    text = game_text.text
    scanner = Scanner(text)
    side = None
    moves = _Moves()
    offsets: list[int] = []
    scanner.run(_BETWEEN_MOVES)
    while option := _OPTION.match(text, scanner.offset):
        named = option[1]
        if named is None:
            moves.pie = True
        elif side in (None, int(named)):
            side = int(named)
        else:
            scanner.fail("one-board")
        scanner.offset = option.end()
        scanner.run(_BETWEEN_MOVES)
    while scanner.peek():
        offsets.append(_read_list_item(scanner, moves))
    if not moves.actions and side is None:
        # On the site, a player must move before resigning: without size and move there is no game.
        scanner.fail("move-or-size", 0)
    rules = RULES[side or DEFAULT_SIDE]
    game_text.require_side(rules.board, 0)
    places = [game_text.place(offset) for offset in offsets[: len(moves.actions)]]
    game = moves.game(places, rules, game_text.number)
    if moves.word is None:
        return game
    if game.ending is not None:
        game_text.fail("no-word-after-end", offsets[-1])
    ending = ENDINGS[moves.word]
    if ending not in (Ending.RESIGNATION, Ending.TIME):
        return game.end(ending)
    loser = game.state.seat_to_move or Seat.FIRST
    return game.end(ending, loser.opponent)


def _read_list_item(scanner: Scanner, moves: _Moves) -> int:
    """Read a move, or the word that ends the game, and the separator after it.

    Returns:
        The offset of the move or the word.
    """
    if moves.word is not None:
        scanner.fail("end-after-word", word=moves.word)
    scanner.run(_NUMBER)
    offset = scanner.offset
    found = _WORD.match(scanner.text, offset)
    word = found[0].lower() if found else ""
    if word in ENDINGS:
        scanner.offset += len(word)
        moves.word = word
    elif word and word not in ACTION_WORDS:
        scanner.fail("move-or-word", words=quoted(ENDINGS))
    else:
        moves.actions.append(scan_action(scanner))
    if not scanner.run(_BETWEEN_MOVES) and scanner.peek():
        scanner.fail("blank-after-move")
    return offset


def read_games(lines: LineReader, errors: ErrorList) -> Iterator[Found[Game]]:
    """Iterate over the games in a file of reports, or else of lists of moves."""
    if lines.peek_nonblank().lstrip()[:1] in ("{", "["):
        return numbered_games(split_reports(lines), lines.limits, _games_in_reports)
    return read_lists(lines, errors)


def _games_in_reports(game_text: GameText) -> Iterator[Found[Game]]:
    for number, parsed in enumerate(parse_values(game_text.text), game_text.number):
        report_text = game_text.with_number(number)
        if isinstance(parsed, ParsedValue):
            yield located_result(report_text, parsed.offset, _report, parsed)
        else:
            error = NotationError(game_text.text, parsed.fault, parsed.expected)
            yield Found(game_text.place(parsed.offset), error_at(report_text, error))


def _report(game_text: GameText, parsed: ParsedValue) -> Game:
    """Return the game of a report.

    Raises:
        NotationError: If it is not the report of a game of Ponte del Diavolo.
        RecordError: If an action breaks a rule.
    """
    report = ReportValue(game_text, parsed.offset, parsed.data)
    report.require_json()
    report.require(dict, "report")
    header = _header(report)
    rules = RULES[header.side]
    game_text.require_side(rules.board, report.offset)
    moves = _Moves(pie=header.pie)
    written: list[ReportValue] = []
    for value in _report_moves(report):
        _read_report_move(value, moves)
        written.append(value)
    game = _report_game(written, moves, rules, game_text.number)
    if moves.word is not None and game.ending is not None:
        written[-1].fail("no-word-after-end")
    return _with_results(header, moves.word, game.with_tags(header.tags))


def _report_moves(report: ReportValue) -> Iterator[ReportValue]:
    """Iterate over the moves of all rounds: each is a text."""
    for each in (report.find("moves") or report).items("report-moves"):
        for move in each.items("report-round"):
            if move.data is None:
                continue
            text = move.members().get("move", move) if isinstance(move.data, dict) else move
            text.require(str, "report-move")
            yield text


def _read_report_move(value: ReportValue, moves: _Moves) -> None:
    """Read a move, or the word that ends the game."""
    if moves.word is not None:
        value.fail("end-after-word", word=moves.word)
    # The reader of the site also accepts capitals and blanks.
    compact = "".join(value.require(str, "report-move").split()).lower()
    if compact in ("white", "red"):
        value.fail("report-pie")
    if compact in ENDINGS:
        moves.word = compact
        return
    try:
        moves.actions.append(parse_action(compact))
    except NotationError as error:
        raise value.error(error.reason) from error


def _report_game(written: list[ReportValue], moves: _Moves, rules: Rules, number: int) -> Game:
    """Return the game with these moves; the error for an illegal one has its path.

    Args:
        written: The values in the report that the moves were read from.
        moves: The moves.
        rules: The rules.
        number: The number of the game in its file.

    Raises:
        RecordError: If an action breaks a rule.
    """
    # Errors of a record name a line of its text. Here each move gets its own line number.
    places = [(line, 1) for line, _ in enumerate(moves.actions, 1)]
    try:
        return moves.game(places, rules, number)
    except RecordError as error:
        value = written[error.line - 1]
        place = value.game_text.place(value.offset)
        raise RecordError(*place, value.located(error.reason), number) from error.__cause__


def _with_results(header: _Header, word: str | None, game: Game) -> Game:
    """Return the game with the ending given in its report."""
    winner = header.winner
    is_known = None not in header.results
    if game.ending is not None:
        if is_known and winner != game.winning_seat:
            header.players.fail("result-of-board", result=game.result)
        return game
    if word is None:
        return game if winner is None else game.end(Ending.ADJUDICATION, winner)
    if word in ("draw", "abandoned"):
        if winner is not None:
            header.players.fail("report-equal-results", word=word)
    elif not is_known or (winner is None and word == "resign"):
        header.players.fail("report-winner", word=word)
    return game.end(ENDINGS[word], winner)
