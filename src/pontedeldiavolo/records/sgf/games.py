"""Reading and writing games as SGF, including games saved by other programs."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, final

from pontedeldiavolo._version import __version__
from pontedeldiavolo.base.enums import Color, Ending, Seat
from pontedeldiavolo.base.errors import NotationError, quoted, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import MAX_NAG, Line, Move
from pontedeldiavolo.game.record import (
    EXCERPT_CHARACTERS,
    ErrorList,
    Place,
    Places,
    Record,
    end_early,
)
from pontedeldiavolo.game.tags import (
    CLOCK,
    DERIVED_TAGS,
    MAX_SECONDS,
    checked_annotations,
    is_tag_name,
    seconds_of,
    time_text,
)
from pontedeldiavolo.notation.actions import format_action, parse_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.reading import (
    Found,
    GameText,
    LineBuilder,
    LineReader,
    color_at,
    plain_action,
)
from pontedeldiavolo.records.splitting import split_trees
from pontedeldiavolo.records.tag_texts import comment_text, seat_tag, tag_text
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState

from .tree import RAW_VALUE, Node, Value, escaped, read_tree_games

ACTION = "PD"
NAGS = "PDNAGS"
ANNOTATIONS = "PDANNOTATIONS"
START = "PDSTART"
ENDING = "PDENDING"
TAGS = "PDTAGS"

TAGS_OF_PROPERTIES: Final = {
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "GN": "GameName",
    "AN": "Annotator",
    "SO": "Source",
    "CP": "Copyright",
}
"""Standard properties with the tags that correspond to them."""

COLOR_LETTERS: Final = {Color.WHITE: "W", Color.RED: "B"}
"""The format's two colours: red is written as black."""

CLOCK_PROPERTIES: Final = {color: f"{letter}L" for color, letter in COLOR_LETTERS.items()}
"""The clock of a colour after its move, in seconds."""

_ENDINGS = {"resign": Ending.RESIGNATION, "time": Ending.TIME, "forfeit": Ending.ADJUDICATION}
ENDINGS_OF_WINS: Final = {
    text: ending for word, ending in _ENDINGS.items() for text in (word, word[0])
}
"""Words in RE for games that were not won by a score."""

NAGS_OF_PROPERTIES: Final = {
    ("TE", "1"): 1,
    ("TE", "2"): 3,
    ("BM", "1"): 2,
    ("BM", "2"): 4,
    ("IT", ""): 5,
    ("DO", ""): 6,
}
"""Standard properties that judge a move, with the numbers of their NAGs."""

JUDGEMENTS: Final = {name for name, _ in NAGS_OF_PROPERTIES}
"""The names of these properties."""

KNOWN_PROPERTIES: Final = {
    *(ACTION, NAGS, ANNOTATIONS, START, ENDING, TAGS, "C", "N", "DT", "RE", "RU"),
    *TAGS_OF_PROPERTIES,
    # Properties of the file, which are not kept.
    *("FF", "CA", "AP", "GM", "ST", "SZ"),
    *(f"P{letter}" for letter in COLOR_LETTERS.values()),
}
"""Properties with a meaning in a root without an action."""

OTHER_PREFIX: Final = "SGF_"
"""The prefix of tags that keep all other properties of the root."""

OTHER_TAG: Final = re.compile(f"{OTHER_PREFIX}([A-Z]{{1,64}})")
OTHER_VALUE: Final = re.compile(rf"(?:\[{RAW_VALUE}\])+")


def seat_for(game: Game, color: Color) -> Seat:
    """Return the owner of a colour; before the choice, the first seat for white."""
    return game.state.owner(color) or (Seat.FIRST if color is Color.WHITE else Seat.SECOND)


def _players(game: Game) -> dict[str, str]:
    """Return the properties of the players' names, with the corresponding tags."""
    return {
        f"P{letter}": seat_tag(seat_for(game, color)) for color, letter in COLOR_LETTERS.items()
    }


_SECONDS: Final = re.compile(r"[0-9]{1,10}(?:\.[0-9]{1,9})?")


def clock_value(text: str) -> str | None:
    """Return the value of a clock property for an annotation; ``None`` if it is not exact."""
    seconds = seconds_of(text)
    if seconds is None or seconds > MAX_SECONDS or time_text(seconds) != text:
        return None
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def clock_text(value: str) -> str | None:
    """Return the annotation for a clock property; ``None`` if it is not a valid time."""
    if _SECONDS.fullmatch(value) is None:
        return None
    seconds = float(value)
    return time_text(seconds) if seconds <= MAX_SECONDS else None


_WON = re.compile(r"([WB])\+\s*(.*)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)


def _parse_action(text: str) -> Action:
    plain = plain_action(text)
    if plain is not None:
        action, end = plain
        if end == len(text):
            return action
    return parse_action(text)


def _properties(node: Node) -> dict[str, list[Value]]:
    """Return values by the standard names of their properties."""
    found: dict[str, list[Value]] = {}
    for each in node.properties:
        found.setdefault(each.standard_name, []).extend(each.values)
    return found


@final
class _GameReader:
    """A reader of one game."""

    start: GameState

    def __init__(self, game_text: GameText, root: Node) -> None:
        self.game_text = game_text
        self.root = root
        self.properties = _properties(root)
        self.places: list[Place] = []

    def single_value(
        self, name: str, properties: dict[str, list[Value]] | None = None
    ) -> Value | None:
        """Return the only value of a property, of the root's by default; ``None`` without one."""
        values = (self.properties if properties is None else properties).get(name, [])
        if len(values) > 1:
            self.game_text.fail("sgf-one-value", values[1].offset, name=name)
        return values[0] if values else None

    def game(self) -> Game:
        """Read the game.

        Raises:
            NotationError: If something in it cannot be read.
            RecordError: If an action breaks a rule.
        """
        kind = self.single_value("GM")
        # Editors that know only Go add the number 1.
        if kind is not None and kind.in_one_line.strip() != "1":
            self.game_text.fail("sgf-no-game-number", kind.offset)
        rules = self.single_value("RU")
        start = self.single_value(START)
        self.start = self.game_text.starting_state(
            None if rules is None else rules.part,
            None if start is None else start.part,
            "sgf-rules",
        )
        line = self._line([self.root], LineBuilder())
        number = self.game_text.number
        game = Record(self.start, {}, line, number=number, places=Places(tuple(self.places))).game()
        return self._with_ending(game).with_tags(self._tags(game))

    # Moves

    def _line(self, children: Sequence[Node], play: LineBuilder) -> Line:
        """Read a line that begins with the first of some nodes; the others are its alternatives.

        In ``(;PD[d4,g7](;PD[red];PD[c3,c5])(;PD[white]))`` the children of the first action are the
        nodes of *red*, which continues the line, and of *white*, the alternative to *red*.
        """
        # Siblings of the nodes since the last action: they are alternatives to the next action.
        alternatives: deque[Node] = deque()
        while children or alternatives:
            # A line that ends without such an action goes on with the first alternative: there is
            # no action beside which a game could keep it.
            node = children[0] if children else alternatives.popleft()
            alternatives.extend(children[1:])
            properties = _properties(node)
            value = self._action(properties)
            if value is not None:
                self.game_text.require_index(self.start.rules, play.next_index, value.offset)
                play.add(self.game_text.parsed(_parse_action, value.part), [])
                self.places.append(self.game_text.place(value.offset))
                self._read_variations(play, alternatives)
            # Most nodes have an action and nothing else.
            if value is None or len(properties) > 1:
                self._read_notes(play, properties, has_action=value is not None)
                if node is not self.root:
                    self._refuse_root_properties(properties)
            children = node.children
        return play.build()

    def _read_variations(self, outer: LineBuilder, alternatives: deque[Node]) -> None:
        """Read the lines that are alternatives to the last action of a line."""
        for node in alternatives:
            variation = outer.variation()
            self.game_text.require_depth(variation.depth, node.offset)
            line = self._line([node], variation)
            if line.moves:
                outer.moves[-1].variations.append(line)
            else:
                outer.moves[-1].comment.add(line.comment, self.game_text, node.offset)
        alternatives.clear()

    def _read_notes(
        self, play: LineBuilder, properties: dict[str, list[Value]], *, has_action: bool
    ) -> None:
        """Read the comments, NAGs and annotations of a node, which belong to the last action."""
        for name in ("N", "C"):
            for value in properties.get(name, []):
                play.last_comment.add(comment_text(value.text), self.game_text, value.offset)
        if play.moves:
            move = play.moves[-1]
            color = color_at(self.start, play.next_index - 1) if has_action else None
            move.nags += self._nags(properties)
            move.annotations |= self._annotations(properties, color)
        else:
            for name in (NAGS, ANNOTATIONS):
                if name in properties:
                    self.game_text.fail("action-first", properties[name][0].offset)

    def _refuse_root_properties(self, properties: dict[str, list[Value]]) -> None:
        """Refuse properties of this library that mean nothing outside the root."""
        for name in (START, ENDING, TAGS):
            if name in properties:
                self.game_text.fail("sgf-root-only", properties[name][0].offset, name=name)

    def _action(self, properties: dict[str, list[Value]]) -> Value | None:
        for name in COLOR_LETTERS.values():
            if name in properties:
                offset = properties[name][0].offset
                self.game_text.fail("sgf-action-property", offset, action=ACTION, name=name)
        return self.single_value(ACTION, properties)

    def _nags(self, properties: dict[str, list[Value]]) -> Iterator[int]:
        for value in properties.get(NAGS, []):
            if not _NUMBER.fullmatch(value.raw) or int(value.raw) > MAX_NAG:
                what = reason("nag")
                self.game_text.fail("range", value.offset, what=what, lowest=0, highest=MAX_NAG)
            yield int(value.raw)
        for (name, raw), nag in NAGS_OF_PROPERTIES.items():
            for value in properties.get(name, []):
                if value.raw == raw:
                    yield nag

    def _annotations(
        self, properties: dict[str, list[Value]], color: Color | None
    ) -> dict[str, str]:
        """Read annotations, and the mover's clock; the other clock does not belong to this move."""
        found: dict[str, str] = {}
        clock = None if color is None else self.single_value(CLOCK_PROPERTIES[color], properties)
        if clock is not None:
            time = clock_text(clock.in_one_line.strip())
            if time is not None:
                found[CLOCK] = time
        for value in properties.get(ANNOTATIONS, []):
            name, text = value.composed() or ("", "")
            shown_name = name[:EXCERPT_CHARACTERS]
            self.game_text.require_short(len(text), "annotation", value.offset, shown_name)
            try:
                found |= checked_annotations({name: text})
            except NotationError:
                self.game_text.fail("sgf-annotation", value.offset)
        return found

    # Results

    def _with_ending(self, game: Game) -> Game:
        """Return the game with the ending given in the root."""
        result = self.single_value("RE")
        ending_value = self.single_value(ENDING)
        stated = result or ending_value
        if stated is None:
            return game
        endings = {ending.value: ending for ending in Ending}
        ending = endings.get(ending_value.in_one_line) if ending_value else None
        if ending_value and ending is None:
            self.game_text.fail("one-of", ending_value.offset, words=quoted(endings))
        word = result.in_one_line.strip().lower() if result else ""
        is_known = word not in ("", "?", "void")
        won = _WON.fullmatch(word)
        winner: Seat | None = None
        if won:
            winner = seat_for(game, Color.WHITE if won[1] == "w" else Color.RED)
        elif is_known and word not in ("0", "draw"):
            self.game_text.fail("sgf-result", stated.offset)
        if game.ending is None:
            if ending is None and is_known:
                ending = ENDINGS_OF_WINS.get(won[2]) if won else Ending.AGREEMENT
            return self._with_recorded_ending(
                game, ending, winner, stated.offset, is_known=is_known
            )
        if ending_value and ending is not Ending.SCORED:
            self.game_text.fail("scored-only", ending_value.offset)
        if is_known and winner is not game.winning_seat:
            self.game_text.fail("result-of-board", stated.offset, result=game.result)
        return game

    def _with_recorded_ending(
        self, game: Game, ending: Ending | None, winner: Seat | None, offset: int, *, is_known: bool
    ) -> Game:
        """Return a game that is not played out with the ending given in the root, if one is."""
        if ending is None:
            if is_known:
                self.game_text.fail("sgf-how-ended", offset, name=ENDING)
            return game
        if not is_known:
            self.game_text.fail("sgf-result-for-ending", offset, name=ENDING)
        return end_early(game, ending, winner, partial(NotationError, self.game_text.text, offset))

    # Tags

    def _tags(self, game: Game) -> dict[str, str]:
        """Return tags from standard properties, this library's property and unknown ones."""
        tags: dict[str, str] = {}
        for name, tag in {**TAGS_OF_PROPERTIES, "DT": "Date", **_players(game)}.items():
            value = self.single_value(name)
            if value is None:
                continue
            text = self._tag_text(tag, value.in_one_line, value.offset)
            tags[tag] = dates.from_sgf(text) if name == "DT" else text
        tags |= self._own_tags()
        known = KNOWN_PROPERTIES
        if ACTION in self.properties:
            known = known | JUDGEMENTS
        for name, values in self.properties.items():
            tag = OTHER_PREFIX + name
            if name not in known and OTHER_TAG.fullmatch(tag):
                written = "".join(f"[{value.raw}]" for value in values)
                tags[tag] = self._tag_text(tag, written, values[0].offset)
        return tags

    def _tag_text(self, tag: str, text: str, offset: int) -> str:
        """Return the text of a tag, unless it is longer than a game can have."""
        self.game_text.require_short(len(text), "tag", offset, tag)
        return tag_text(text)

    def _own_tags(self) -> dict[str, str]:
        """Return the tags that this library writes by name."""
        own: dict[str, str] = {}
        for value in self.properties.get(TAGS, []):
            name, text = value.composed() or ("", "")
            if not is_tag_name(name) or name in DERIVED_TAGS:
                self.game_text.fail("tag-and-value", value.offset)
            if name in own:
                self.game_text.fail("no-second-tag", value.offset, name=name[:EXCERPT_CHARACTERS])
            own[name] = self._tag_text(name, text, value.offset)
        return own


def game_tree(game: Game) -> str:
    """Return the SGF text of a game."""
    lines = [
        f"(;FF[4]CA[UTF-8]AP[pontedeldiavolo:{__version__}]",
        *_root(game),
        *_comment(game.line),
        *_nodes(game.start, game.line, 0),
    ]
    # A closing parenthesis is on the line of the last node before it.
    return "".join(line if line == ")" else f"\n{line}" for line in lines)[1:] + ")\n"


def _root(game: Game) -> Iterator[str]:
    """Return the properties of the root, one per line."""
    yield _property("RU", format_rules(game.rules))
    if game.start != GameState.initial(game.rules):
        yield _property(START, format_state(game.start))
    rest = dict(game.tags)
    for name, tag in {**_players(game), **TAGS_OF_PROPERTIES}.items():
        if tag in rest:
            yield _property(name, rest.pop(tag))
    date = dates.to_sgf(rest.get("Date", ""))
    if date is not None:
        del rest["Date"]
        yield _property("DT", date)
    yield from _result(game)
    yield from _tags(rest)


def _tags(tags: dict[str, str]) -> Iterator[str]:
    """Return the properties for tags that have no standard property."""
    pairs = []
    for tag, value in sorted(tags.items()):
        name = OTHER_TAG.fullmatch(tag)
        if name and name.group(1) not in KNOWN_PROPERTIES and OTHER_VALUE.fullmatch(value):
            yield name.group(1) + value
        else:
            pairs.append(f"[{tag}:{escaped(value, composed=True)}]")
    if pairs:
        yield TAGS + "\n  ".join(pairs)


def _result(game: Game) -> Iterator[str]:
    """Return the properties of the result, only the standard one if possible."""
    if game.ending is None:
        return
    seat = game.winning_seat
    suffix = ""
    if seat is None:
        yield "RE[0]"
    else:
        color = game.state.color_of(seat) or list(Color)[seat.index]
        if game.ending is Ending.SCORED:
            margin = game.state.score(color).points - game.state.score(color.opponent).points
            suffix = str(margin or "")
        elif game.ending in (Ending.RESIGNATION, Ending.TIME):
            suffix = game.ending.value[0].upper()
        yield f"RE[{COLOR_LETTERS[color]}+{suffix}]"
    is_expressed = suffix or game.ending is Ending.SCORED
    if not is_expressed and not (seat is None and game.ending is Ending.AGREEMENT):
        yield _property(ENDING, game.ending.value)


def _nodes(start: GameState, line: Line, first: int) -> Iterator[str]:
    """Return the nodes of a line; where it branches, the rest of it is the first branch."""
    branches: list[tuple[int, Move]] = []
    for index, move in enumerate(line.moves, first):
        if move.variations:
            branches.append((index, move))
        node = _property(f";{ACTION}", format_action(move.action))
        if move.nags:
            node += NAGS + "".join(f"[{nag}]" for nag in move.nags)
        node += _annotations(move, color_at(start, index)) if move.annotations else ""
        node += "".join(_comment(move))
        yield f"({node}" if move.variations else node
    for index, move in reversed(branches):
        for variation in move.variations:
            yield ")"
            yield from _branch(start, variation, index)
        yield ")"


def _branch(start: GameState, variation: Line, first: int) -> Iterator[str]:
    """Return the nodes of a variation after its opening parenthesis."""
    if variation.comment or variation.moves[0].variations:
        # A node without an action, which precedes the first move and its variations.
        yield "".join(["(;", *_comment(variation)])
        yield from _nodes(start, variation, first)
    else:
        node, *rest = _nodes(start, variation, first)
        yield f"({node}"
        yield from rest


def _annotations(move: Move, color: Color | None) -> str:
    """Return the annotations of a move, with its clock as the standard property if possible."""
    rest = dict(move.annotations)
    text = ""
    clock = clock_value(rest.get(CLOCK, "")) if color is not None else None
    if color is not None and clock is not None:
        del rest[CLOCK]
        text = _property(CLOCK_PROPERTIES[color], clock)
    pairs = [f"[{name}:{escaped(rest[name], composed=True)}]" for name in sorted(rest)]
    return text + (ANNOTATIONS + "".join(pairs) if pairs else "")


def _comment(part: Line | Move) -> list[str]:
    return [_property("C", part.comment)] if part.comment else []


def _property(name: str, value: str) -> str:
    return f"{name}[{escaped(value)}]"


def read_games(lines: LineReader, _errors: ErrorList) -> Iterator[Found[Game]]:
    """Iterate over the games in a file."""
    return read_tree_games(lines, split_trees(lines), _game)


def _game(game_text: GameText, root: Node) -> Game:
    return _GameReader(game_text, root).game()
