"""Reading games from SGF files, also from those that other programs saved."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar, final

from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import NotationError, PonteError, reason
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import EXCERPT, ErrorList, Place
from pontedeldiavolo.game.line import MAX_GLYPH, Line
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.game.tags import CLOCK, DERIVED, checked_annotations, is_tag_name
from pontedeldiavolo.notation.actions import parse_action
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.states import parse_state, rules_of_state
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.codec import Found, Reader
from pontedeldiavolo.records.parsing import (
    MoveBuilder,
    SourceText,
    in_lines,
    in_one_line,
    join_comments,
    plain_action,
    seat_tag,
)
from pontedeldiavolo.records.sgf import property_names as names
from pontedeldiavolo.records.sgf.tree import Node, Value, find_games
from pontedeldiavolo.records.text_io import Lines
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import InvalidPositionError, reasons
from pontedeldiavolo.state.state import GameState

T = TypeVar("T")

_SMALL = re.compile("[a-z]+")
_WON = re.compile(r"([WB])\+\s*(.*)", re.IGNORECASE)
_NOT_TOLD = ("", "?", "void")
_DRAWN = ("0", "draw")
_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


def _find(lines: Lines, _errors: ErrorList | None) -> Iterator[Found[Game]]:
    return find_games(lines, _game)


READER: Final = Reader(_find)


def _game(source: SourceText, number: int, root: Node) -> Game:
    return _GameReader(source, number, root).game()


def _parse_action(text: str) -> Action:
    plain = plain_action(text)
    return plain[0] if plain is not None and plain[1] == len(text) else parse_action(text)


def _properties(node: Node) -> dict[str, list[Value]]:
    """Return values by name, without the small letters that older files have in names."""
    found: dict[str, list[Value]] = {}
    for each in node.properties:
        name = each.name if each.name.isupper() else _SMALL.sub("", each.name)
        found.setdefault(name, []).extend(each.values)
    return found


@final
class _GameReader:
    """One game."""

    start: GameState
    longest: int

    def __init__(self, source: SourceText, number: int, root: Node) -> None:
        self.source = source
        self.number = number
        self.root = root
        self.properties = _properties(root)
        self.places: list[Place] = []

    def one(self, name: str) -> Value | None:
        """Return the only value of a root property; ``None`` without one."""
        return self._one(self.properties, name)

    def _one(self, properties: dict[str, list[Value]], name: str) -> Value | None:
        values = properties.get(name, [])
        if len(values) > 1:
            self.source.fail("sgf-one-value", values[1].offset, name=name)
        return values[0] if values else None

    def game(self) -> Game:
        """Read the game.

        Raises:
            NotationError: If something in it cannot be read.
            RecordError: If an action breaks a rule.
        """
        kind = self.one("GM")
        # The number 1 is what programs add that know nothing but Go.
        if kind is not None and kind.line.strip() != "1":
            self.source.fail("sgf-no-game-number", kind.offset)
        self.start = self._start()
        # A turn takes two cells, or the ends of a bridge; then come choice, passes, last turn.
        self.longest = len(self.start.rules.board) + 4
        line = self._line([self.root], 0, 0)
        game = Record(
            self.start,
            FrozenMapping(),
            line,
            number=self.number,
            move_places=tuple(self.places),
        ).game()
        return self._ended(game).with_tags(self._tags(game))

    def _start(self) -> GameState:
        rules_value, start_value = self.one("RU"), self.one(names.START)
        rules = None if rules_value is None else self._parsed(parse_rules, rules_value)
        place = self.root.offset if rules_value is None else rules_value.offset
        self.source.require_side((rules or Rules()).board, place)
        if start_value is None:
            return GameState.initial(rules)
        self.source.require_side(
            self._parsed(rules_of_state, start_value).board, start_value.offset
        )
        try:
            start = self._parsed(parse_state, start_value)
        except InvalidPositionError as error:
            self.source.fail("allowed-state", start_value.offset, faults=reasons(error.faults))
        if rules is not None and rules != start.rules:
            self.source.fail("sgf-rules", start_value.offset)
        return start

    def _parsed(self, parse: Callable[[str], T], value: Value) -> T:
        try:
            return parse(value.line)
        except NotationError as error:
            self.source.fail_inside(error, value.offset)

    # Moves

    def _line(self, children: Sequence[Node], depth: int, first: int) -> Line:
        """Read a line that begins with the first of some nodes; the others are beside it.

        Its first move is action *first* of the game.
        """
        comments: list[str] = []
        builders: list[MoveBuilder] = []
        # Siblings of nodes in which nothing is done: they are beside the next action.
        beside: deque[Node] = deque()
        while children or beside:
            if children:
                node = children[0]
                beside.extend(children[1:])
            else:
                node = beside.popleft()
            properties = _properties(node)
            value = self._action(properties)
            if value is not None:
                place = first + len(builders)
                if place >= self.longest:
                    self.source.fail("no-longer-game", value.offset, most=self.longest)
                builders.append(MoveBuilder(self._parsed(_parse_action, value)))
                self.places.append(self.source.place(value.offset))
                self._read_variations(builders[-1], beside, depth, place)
                self._read_clock(builders[-1], properties, place)
            # Most nodes have an action and nothing else.
            if value is None or len(properties) > 1:
                here = builders[-1].comments if builders else comments
                here += [in_lines(each.text) for name in "NC" for each in properties.get(name, [])]
                if builders:
                    builders[-1].glyphs += self._glyphs(properties)
                    builders[-1].annotations |= self._annotations(properties)
            children = node.children
        return Line([builder.move() for builder in builders], join_comments(comments))

    def _read_variations(
        self, builder: MoveBuilder, beside: deque[Node], depth: int, place: int
    ) -> None:
        """Read the lines beside an action."""
        for node in beside:
            self.source.require_depth(depth + 1, node.offset)
            line = self._line([node], depth + 1, place)
            if line.moves:
                builder.variations.append(line)
            elif line.comment:
                builder.comments.append(line.comment)
        beside.clear()

    def _action(self, properties: dict[str, list[Value]]) -> Value | None:
        for name in names.LETTERS.values():
            if name in properties:
                offset = properties[name][0].offset
                self.source.fail("sgf-action-property", offset, action=names.ACTION, name=name)
        return self._one(properties, names.ACTION)

    def _glyphs(self, properties: dict[str, list[Value]]) -> Iterator[int]:
        for value in properties.get(names.GLYPHS, []):
            if not _NUMBER.fullmatch(value.raw) or int(value.raw) > MAX_GLYPH:
                wanted = reason("range", what=reason("glyph"), lowest=0, highest=MAX_GLYPH)
                raise NotationError(self.source.text, value.offset, wanted)
            yield int(value.raw)
        for (name, raw), glyph in names.JUDGEMENTS.items():
            for value in properties.get(name, []):
                if value.raw == raw:
                    yield glyph

    def _read_clock(
        self, builder: MoveBuilder, properties: dict[str, list[Value]], place: int
    ) -> None:
        """Read the mover's clock; the other clock does not belong to this move."""
        if len(properties) == 1:
            return
        color = names.mover(self.start, place)
        value = None if color is None else self._one(properties, names.CLOCKS[color])
        text = None if value is None else names.clock_text(value.line.strip())
        if text is not None:
            builder.annotations[CLOCK] = text

    def _annotations(self, properties: dict[str, list[Value]]) -> dict[str, str]:
        found: dict[str, str] = {}
        for value in properties.get(names.ANNOTATIONS, []):
            name, text = value.composed() or ("", "")
            try:
                found |= checked_annotations({name: text})
            except NotationError:
                self.source.fail("sgf-annotation", value.offset)
        return found

    # Results

    def _ended(self, game: Game) -> Game:
        """Return the game with the ending of the root."""
        result, ending = self.one("RE"), self._ending()
        word = "" if result is None else result.line.strip().lower()
        won = _WON.fullmatch(word)
        if result is not None and not won and word not in (*_DRAWN, *_NOT_TOLD):
            self.source.fail("sgf-result", result.offset)
        winner = self._winner(game, won.group(1)) if won else None
        told = word not in _NOT_TOLD
        if game.ending is not None:
            if ending not in (None, Ending.SCORED):
                self.source.fail("scored-only", self.properties[names.ENDING][0].offset)
            if result is not None and told and winner is not game.winning_seat:
                self.source.fail("result-of-board", result.offset, result=game.result)
            return game
        if ending is None and told:
            ending = names.WON_BY.get(won.group(2)) if won else Ending.AGREEMENT
        return self._ended_early(game, ending, winner, told=told)

    def _ended_early(
        self, game: Game, ending: Ending | None, winner: Seat | None, *, told: bool
    ) -> Game:
        place = self.one("RE") or self.one(names.ENDING)
        if place is None or (ending is None and not told):
            return game
        if ending is None:
            self.source.fail("sgf-how-ended", place.offset, name=names.ENDING)
        if not told:
            self.source.fail("sgf-result-for-ending", place.offset, name=names.ENDING)
        try:
            return game.end(ending, winner)
        except PonteError as error:
            other = reason("other-result", reason=error.reason)
            raise NotationError(self.source.text, place.offset, other) from error

    def _ending(self) -> Ending | None:
        value = self.one(names.ENDING)
        if value is None:
            return None
        endings = [ending.value for ending in Ending]
        if value.line not in endings:
            self.source.fail("one-of", value.offset, words=", ".join(endings))
        return Ending(value.line)

    def _winner(self, game: Game, letter: str) -> Seat:
        return names.player(game, Color.WHITE if letter == "w" else Color.RED)

    # Tags

    def _tags(self, game: Game) -> dict[str, str]:
        """Return tags from standard properties, this library's property and unknown ones."""
        tags: dict[str, str] = {}
        for name, tag in names.TEXTS.items():
            value = self.one(name)
            if value is not None:
                tags[tag] = in_one_line(value.line)
        date = self.one("DT")
        if date is not None:
            tags["Date"] = dates.from_iso(date.line) or in_one_line(date.line)
        for name, color in zip(names.PLAYERS, Color, strict=True):
            value = self.one(name)
            if value is not None:
                tags[seat_tag(names.player(game, color))] = in_one_line(value.line)
        tags |= self._own_tags()
        for name, values in self.properties.items():
            tag = names.FOREIGN + name
            if name not in names.KNOWN and names.FOREIGN_NAME.fullmatch(tag):
                tags[tag] = in_one_line("".join(f"[{value.raw}]" for value in values))
        return tags

    def _own_tags(self) -> dict[str, str]:
        """Return the tags that this library writes by name."""
        own: dict[str, str] = {}
        for value in self.properties.get(names.TAGS, []):
            pair = value.composed()
            if pair is None or not is_tag_name(pair[0]) or pair[0] in DERIVED:
                self.source.fail("tag-and-value", value.offset)
            if pair[0] in own:
                self.source.fail("no-second-tag", value.offset, name=pair[0][:EXCERPT])
            own[pair[0]] = in_one_line(pair[1])
        return own
