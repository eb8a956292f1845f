"""The header of an Abstract Play report: who played what, where, when, and who won."""

from __future__ import annotations

import re
from typing import Final, final

from attrs import frozen

from pontedeldiavolo.game.tags import DERIVED, is_tag_name
from pontedeldiavolo.records import dates
from pontedeldiavolo.records.abstract_play.located_json import JsonValue
from pontedeldiavolo.records.interchange import Source, in_one_line, seat_tag
from pontedeldiavolo.vocabulary import Seat

NAME: Final = "Ponte del Diavolo"
NO_DATE: Final = "0001-01-01T00:00:00Z"
"""What stands for an unknown date, where a report must have one."""
MIDNIGHT: Final = "T00:00:00Z"
KINDS: Final = {True: "program", False: "human"}
"""What the tags FirstType and SecondType say."""
RATED: Final = {True: "no", False: "yes"}
"""What the tag Rated says, by the flag that a game is unrated."""
OWN_TAGS: Final = "pontedeldiavolo-tags"
"""Where a report keeps the tags that it has no other place for."""

_NAMES = (NAME.lower(), "pontedd")
# The site names a variant in the language of whoever looks at it: "8x8 board", "Plateau 8x8".
_SIDE = re.compile("(?<![0-9])(?:(8|10|12) ?[x×\u0445] ?\\1|size-(8|10|12))(?![0-9])")
DEFAULT_SIDE: Final = 10
_PLAYERS = 2


@final
@frozen(eq=False)
class Header:
    """What the header says.

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
    def of(cls, source: Source, report: JsonValue) -> Header:
        """Return the header of a report.

        Raises:
            NotationError: If it is none of a game of Ponte del Diavolo.
        """
        reader = _Reader(source)
        header = reader.member(report, "header")
        game = reader.member(header, "game")
        name = reader.member(game, "name")
        if reader.text(name).lower() not in _NAMES:
            source.fail(f"a game of {NAME}", name.offset)
        pie = reader.flag(header, "pie-invoked") or reader.flag(header, "pied")
        players = reader.member(header, "players")
        entries = reader.items(players)
        if len(entries) != _PLAYERS:
            source.fail("two players", players.offset)
        # Whoever is named first owns white, and sat down second if the pie was invoked.
        first, second = reversed(entries) if pie else entries
        tags = reader.tags(header)
        for seat, player in ((Seat.FIRST, first), (Seat.SECOND, second)):
            reader.player_tags(tags, seat, player)
        reader.own_tags(tags, header)
        results = reader.result(first), reader.result(second)
        return cls(reader.side(game), bool(pie), tags, results, players.offset)


class _Reader:
    """Taking values of the types that they should have."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def find(self, value: JsonValue, name: str) -> JsonValue | None:
        """Return a member of an object, ``None`` without one or if it is null."""
        if not isinstance(value.data, dict):
            self.source.fail("an object", value.offset)
        found = value.data.get(name)
        return None if found is None or found.data is None else found

    def member(self, value: JsonValue, name: str) -> JsonValue:
        """Return a member of an object that must be there."""
        found = self.find(value, name)
        if found is None:
            self.source.fail(f"an object with '{name}'", value.offset)
        return found

    def text(self, value: JsonValue) -> str:
        """Return a text as a tag can hold it."""
        if not isinstance(value.data, str):
            self.source.fail("a text", value.offset)
        return in_one_line(value.data)

    def items(self, value: JsonValue) -> tuple[JsonValue, ...]:
        """Return the values of an array."""
        if not isinstance(value.data, tuple):
            self.source.fail("an array", value.offset)
        return value.data

    def flag(self, value: JsonValue, name: str) -> bool | None:
        """Return a member that is true or false, if it is there."""
        found = self.find(value, name)
        if found is None:
            return None
        if not isinstance(found.data, bool):
            self.source.fail("true or false", found.offset)
        return found.data

    def result(self, player: JsonValue) -> int | None:
        """Return a player's result."""
        found = self.find(player, "result")
        if found is None:
            return None
        if not isinstance(found.data, int) or isinstance(found.data, bool):
            self.source.fail("a whole number", found.offset)
        return found.data

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
                self.source.fail("a board such as 'size-8', '10x10' or 'size-12'", variant.offset)
        if len(sides) > 1 and variants is not None:
            self.source.fail("one board only", variants.offset)
        return sides.pop() if sides else DEFAULT_SIDE

    def tags(self, header: JsonValue) -> dict[str, str]:
        """Return the tags that the whole game has."""
        tags: dict[str, str] = {}
        for name, tag in (("event", "Event"), ("round", "Round")):
            self.put(tags, tag, self.find(header, name))
        site = self.find(header, "site")
        if site is not None:
            self.put(tags, "Site", self.find(site, "name"))
            game_id = self.find(site, "gameid")
            if game_id is not None and isinstance(game_id.data, int | float):
                tags["GameId"] = str(game_id.data)
            else:
                self.put(tags, "GameId", game_id)
        unrated = self.flag(header, "unrated")
        if unrated is not None:
            tags["Rated"] = RATED[unrated]
        self.date_tags(tags, header)
        return tags

    def date_tags(self, tags: dict[str, str], header: JsonValue) -> None:
        """Put the date and the exact times."""
        values = [self.find(header, f"date-{name}") for name in ("start", "end", "generated")]
        times = [None if value is None else self.text(value) for value in values]
        start, end, generated = times
        if start is not None and values[0] is not None and start != NO_DATE:
            date = dates.from_iso(start)
            if date is None:
                self.source.fail("a time such as '2007-10-23T20:15:00Z'", values[0].offset)
            tags["Date"] = date
            if start != f"{dates.to_iso(date)}{MIDNIGHT}":
                tags["Started"] = start
        if end is not None and end != start:
            tags["Ended"] = end
        if generated is not None and generated != end:
            tags["Generated"] = generated

    def player_tags(self, tags: dict[str, str], seat: Seat, player: JsonValue) -> None:
        """Put what is told of a player."""
        self.put(tags, seat_tag(seat), self.find(player, "name"))
        self.put(tags, seat_tag(seat, "Id"), self.find(player, "userid"))
        is_program = self.flag(player, "is_ai")
        if is_program is not None:
            tags[seat_tag(seat, "Type")] = KINDS[is_program]

    def own_tags(self, tags: dict[str, str], header: JsonValue) -> None:
        """Put the tags that a report keeps for this library; null takes one away."""
        own = self.find(header, OWN_TAGS)
        if own is None:
            return
        if not isinstance(own.data, dict):
            self.source.fail("an object", own.offset)
        for name, value in own.data.items():
            if not is_tag_name(name) or name in DERIVED:
                self.source.fail("only tags that a user can set", own.offset)
            if value.data is None:
                tags.pop(name, None)
                continue
            tags[name] = self.text(value)

    def put(self, tags: dict[str, str], name: str, value: JsonValue | None) -> None:
        """Put a text, if it is there and says anything."""
        if value is not None and value.data != "":
            tags[name] = self.text(value)
