"""The header of an Abstract Play report, read from JSON with the place of every value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias, TypeVar, final

from attrs import frozen

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.game.tags import DERIVED, is_tag_name
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.parsing import SourceText, in_one_line, seat_tag

T = TypeVar("T")

_DEEPEST = 50
"""The maximal depth of nested arrays and objects."""

JsonData: TypeAlias = (
    "bool | JsonNumber | str | tuple[JsonValue, ...] | dict[str, JsonValue] | None"
)
"""The content of a value: an array is a tuple of values, an object a dictionary of them."""

_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_LONGEST_WHOLE = 18
_WORDS = {"true": True, "false": False, "null": None}


@final
@frozen(eq=False)
class JsonNumber:
    """A number with its digits as written: the identifier of a game may have any."""

    text: str

    @property
    def whole(self) -> int | None:
        """The number as an ``int``; ``None`` if it is not whole, or has many digits."""
        is_plain = len(self.text) <= _LONGEST_WHOLE and self.text.lstrip("-").isdecimal()
        return int(self.text) if is_plain else None


@final
@frozen(eq=False)
class JsonValue:
    """A value and its offset in the text."""

    data: JsonData
    offset: int


def read_value(scanner: Scanner, depth: int = 0) -> JsonValue:
    """Read one value.

    Raises:
        NotationError: If there is none, or something in it is not JSON.
    """
    scanner.blanks()
    start = scanner.offset
    first = scanner.peek()
    if first in ("{", "[") and depth == _DEEPEST:
        scanner.fail("json-deep", most=_DEEPEST)
    if first == "{":
        return JsonValue(_read_object(scanner, depth + 1), start)
    if first == "[":
        array = [read_value(scanner, depth + 1) for _ in _items(scanner, "]")]
        return JsonValue(tuple(array), start)
    if first == '"':
        return JsonValue(_read_string(scanner), start)
    for word, data in _WORDS.items():
        if scanner.text.startswith(word, start):
            scanner.offset += len(word)
            return JsonValue(data, start)
    return JsonValue(_read_number(scanner), start)


def _read_object(scanner: Scanner, depth: int) -> dict[str, JsonValue]:
    items: dict[str, JsonValue] = {}
    for name_offset in _items(scanner, "}"):
        if scanner.peek() != '"':
            scanner.fail("json-name")
        name = _read_string(scanner)
        if name in items:
            scanner.fail("json-one-value", name_offset)
        scanner.blanks()
        scanner.expect(":")
        items[name] = read_value(scanner, depth)
    return items


def _items(scanner: Scanner, closing: str) -> Iterator[int]:
    """Iterate over the offsets of items, each of which is read before the next one is asked for."""
    is_first = True
    scanner.offset += 1
    scanner.blanks()
    while not scanner.take(closing):
        if not is_first and not scanner.take(","):
            scanner.fail("json-comma-or-end", closing=closing)
        is_first = False
        scanner.blanks()
        yield scanner.offset
        scanner.blanks()


def _read_string(scanner: Scanner) -> str:
    start = scanner.offset
    text = scanner.run(_STRING)
    if not scanner.take('"'):
        scanner.fail("json-end-of-text", start)
    return str(json.loads(f'{text}"'))


def _read_number(scanner: Scanner) -> JsonNumber:
    text = scanner.run(_NUMBER)
    if not text:
        scanner.fail("json-value")
    return JsonNumber(text)


NAME: Final = "Ponte del Diavolo"
DEFAULT_SIDE: Final = 10
"""The side of the board where nothing else is named."""
NO_DATE: Final = "0001-01-01T00:00:00Z"
"""The date of a report without a known one, where a date is required."""
OWN_TAGS: Final = "pontedeldiavolo-tags"
"""The member of a report for tags that have no other member."""

_MIDNIGHT: Final = "T00:00:00Z"
_KINDS: Final = {True: "program", False: "human"}
"""The values of the tags FirstType and SecondType."""
_RATED: Final = {True: "no", False: "yes"}
"""The values of the tag Rated, by the flag that a game is unrated."""
_NAMES = (NAME.lower(), "pontedd")
# The site names a variant in the language of the visitor: "8x8 board", "Plateau 8x8".
_SIDE = re.compile("(?<![0-9])(?:(8|10|12) ?[x×\u0445] ?\\1|size-(8|10|12))(?![0-9])")
_PLAYERS = 2


_FLAGS: Final = {
    "Rated": _RATED,
    **{seat_tag(seat, "Type"): _KINDS for seat in Seat},
}
"""Tags for members that are true or false."""
_TEXTS: Final = (
    *("Event", "Round", "Site", "GameId"),
    *(seat_tag(seat, name) for seat in Seat for name in ("", "Id")),
)
"""Tags for members that are texts."""


@final
@frozen
class HeaderInfo:
    """Information of a header that becomes tags; ``None`` if it is missing.

    Attributes:
        values: The values of members, by the name of their tag.
        times: The times of the start, of the end and of the report.
    """

    values: Mapping[str, str | bool | None]
    times: tuple[str | None, str | None, str | None]

    @classmethod
    def of(cls, tags: Mapping[str, str]) -> HeaderInfo:
        """Return the information that a header holds for tags; it always has three times."""
        values: dict[str, str | bool | None] = {tag: tags.get(tag) for tag in _TEXTS}
        if None in (values["Event"], values["Round"]):
            values["Event"] = values["Round"] = None
        for tag, words in _FLAGS.items():
            values[tag] = {word: flag for flag, word in words.items()}.get(tags.get(tag, ""))
        date = dates.to_iso(tags.get("Date", ""))
        time = NO_DATE if date is None else f"{date}-01-01"[:10] + _MIDNIGHT
        times = []
        for name in ("Started", "Ended", "Generated"):
            time = tags[name] if dates.is_time(tags.get(name, "")) else time
            times.append(time)
        start, end, generated = times
        return cls(values, (start, end, generated))

    @property
    def is_dated(self) -> bool:
        """True if there is a date."""
        return self.times[0] not in (None, NO_DATE)

    @property
    def date(self) -> str | None:
        """The date as the tag Date has it; ``None`` without a valid one."""
        return dates.from_iso(self.times[0] or "") if self.is_dated else None

    def tags(self) -> dict[str, str]:
        """Return the tags for this information."""
        start, end, generated = self.times
        date = self.date
        exact = date is not None and start != f"{dates.to_iso(date)}{_MIDNIGHT}"
        tags = {
            tag: _FLAGS[tag][value] if isinstance(value, bool) else value
            for tag, value in self.values.items()
        }
        tags |= {
            "Date": date,
            "Started": start if exact else None,
            "Ended": None if end == start else end,
            "Generated": None if generated == end else generated,
        }
        return {name: text for name, text in tags.items() if text}


@final
@frozen(eq=False)
class ReportHeader:
    """The contents of a header.

    Attributes:
        side: The side of the board.
        pie: Whether the pie was invoked: then the player named first sat down second.
        tags: The tags of the game.
        results: The numbers of the first and of the second seat; more is better.
        players_offset: Where the players begin in the text.
    """

    side: int
    pie: bool
    tags: dict[str, str]
    results: tuple[int | None, int | None]
    players_offset: int

    @property
    def winner(self) -> Seat | None:
        """The seat with the larger number; ``None`` if they are equal or not told."""
        first, second = self.results
        if first is None or second is None or first == second:
            return None
        return Seat.FIRST if first > second else Seat.SECOND

    @classmethod
    def of(cls, source: SourceText, report: JsonValue) -> ReportHeader:
        """Return the header of a report.

        Raises:
            NotationError: If it is not the header of a game of Ponte del Diavolo.
        """
        reader = _HeaderReader(source)
        header = reader.member(report, "header")
        game = reader.member(header, "game")
        name = reader.member(game, "name")
        if reader.text(name).lower() not in _NAMES:
            source.fail("report-name", name.offset, name=NAME)
        pie = reader.flag(header, "pie-invoked") or reader.flag(header, "pied")
        players = reader.member(header, "players")
        entries = reader.items(players)
        if len(entries) != _PLAYERS:
            source.fail("report-players", players.offset)
        # The player named first owns white, and has the second seat if the pie rule was used.
        first, second = reversed(entries) if pie else entries
        players_values = reader.player(Seat.FIRST, first) | reader.player(Seat.SECOND, second)
        tags = reader.info(header, players_values).tags() | reader.own_tags(header)
        kept = {name: text for name, text in tags.items() if text is not None}
        results = reader.result(first), reader.result(second)
        return cls(reader.side(game), bool(pie), kept, results, players.offset)


@final
class _HeaderReader:
    """Reads values and refuses those of a wrong type."""

    def __init__(self, source: SourceText) -> None:
        self.source = source

    def of(self, value: JsonValue, kind: type[T], code: str) -> T:
        """Return the data of a value, which must be of a kind; the code is that of the error."""
        if not isinstance(value.data, kind):
            self.source.fail(code, value.offset)
        return value.data

    def find(self, value: JsonValue, name: str) -> JsonValue | None:
        """Return a member of an object, ``None`` without one or if it is null."""
        found = self.of(value, dict, "json-object").get(name)
        return None if found is None or found.data is None else found

    def member(self, value: JsonValue, name: str) -> JsonValue:
        """Return a member of an object that must be there."""
        found = self.find(value, name)
        if found is None:
            self.source.fail("json-object-with", value.offset, name=name)
        return found

    def text(self, value: JsonValue) -> str:
        """Return a text in one line, as a tag holds it."""
        return in_one_line(self.of(value, str, "json-text"))

    def text_of(self, value: JsonValue, name: str) -> str | None:
        """Return a member that is a text, if it is there."""
        found = self.find(value, name)
        return None if found is None else self.text(found)

    def items(self, value: JsonValue) -> tuple[JsonValue, ...]:
        """Return the values of an array."""
        return self.of(value, tuple, "json-array")

    def flag(self, value: JsonValue, name: str) -> bool | None:
        """Return a member that is true or false, if it is there."""
        found = self.find(value, name)
        return None if found is None else self.of(found, bool, "json-truth")

    def result(self, player: JsonValue) -> int | None:
        """Return a player's result."""
        found = self.find(player, "result")
        if found is None:
            return None
        number = found.data.whole if isinstance(found.data, JsonNumber) else None
        if number is None:
            self.source.fail("json-whole-number", found.offset)
        return number

    def side(self, game: JsonValue) -> int:
        """Return the side of the board that the variants name."""
        variants = self.find(game, "variants")
        sides = set()
        for variant in () if variants is None else self.items(variants):
            text = self.text(variant).lower()
            found = _SIDE.search(text)
            if found:
                sides.add(int(found.group(1) or found.group(2)))
            elif text != "#board" and "unlimited" not in text:
                self.source.fail("report-board", variant.offset)
        if len(sides) > 1 and variants is not None:
            self.source.fail("one-board", variants.offset)
        return sides.pop() if sides else DEFAULT_SIDE

    def info(self, header: JsonValue, players: dict[str, str | bool | None]) -> HeaderInfo:
        """Return the information that becomes tags."""
        site = self.find(header, "site")
        values = {
            **players,
            "Event": self.text_of(header, "event"),
            "Round": self.text_of(header, "round"),
            "Site": None if site is None else self.text_of(site, "name"),
            "GameId": None if site is None else self.game_id(site),
            "Rated": self.flag(header, "unrated"),
        }
        times = (
            self.text_of(header, "date-start"),
            self.text_of(header, "date-end"),
            self.text_of(header, "date-generated"),
        )
        info = HeaderInfo(values, times)
        if info.is_dated and info.date is None:
            start = self.member(header, "date-start")
            self.source.fail("report-time", start.offset)
        return info

    def game_id(self, site: JsonValue) -> str | None:
        """Return the site's identifier of the game, a text or a number."""
        found = self.find(site, "gameid")
        if found is not None and isinstance(found.data, JsonNumber):
            return found.data.text
        return self.text_of(site, "gameid")

    def player(self, seat: Seat, player: JsonValue) -> dict[str, str | bool | None]:
        """Return the information about a player."""
        return {
            seat_tag(seat): self.text_of(player, "name"),
            seat_tag(seat, "Id"): self.text_of(player, "userid"),
            seat_tag(seat, "Type"): self.flag(player, "is_ai"),
        }

    def own_tags(self, header: JsonValue) -> dict[str, str | None]:
        """Return the tags that only this library writes; ``None`` removes one."""
        own = self.find(header, OWN_TAGS)
        if own is None:
            return {}
        members = self.of(own, dict, "json-object")
        for name in members:
            if not is_tag_name(name) or name in DERIVED:
                self.source.fail("report-own-tags", own.offset)
        return {
            name: None if value.data is None else self.text(value)
            for name, value in members.items()
        }
