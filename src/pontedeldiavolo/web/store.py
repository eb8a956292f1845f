"""Stores of games in progress: the base of all stores, and one in memory."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from hashlib import sha256
from itertools import count, takewhile
from secrets import token_hex
from threading import Lock
from typing import Final, cast, final

from attrs import define, evolve, field, frozen

from pontedeldiavolo.base.enums import Color, Ending, Phase, Seat
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Move
from pontedeldiavolo.rules.actions import ChooseColor

from .requests import SiteError

ADDRESS_BYTES: Final = 16
"""The length of a game's ID. Anyone who knows it may watch the game, so it must be unguessable."""
BOTH_SEATS: Final = frozenset(Seat)
ID: Final = re.compile(r"[0-9a-f]{32}")
"""The form of a game's ID."""
VERSION_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
"""The form of the number of a version in texts."""
TIMES: Final = re.compile(r"([1-9][0-9]{0,5})\+([0-9]{1,4})")
"""The form of a time control in texts: the seconds of each player, and those of each action."""
MIN_ACTIONS: Final = 2
"""The number of actions after which a game of two people ends with a result only."""
GIVEN_SECONDS: Final = 15
"""The seconds that a player gives the other one at a time."""
MAX_EXTRA_SECONDS: Final = 3_600
"""The most seconds that a seat can be given between two of its moves."""
OFFERS: Final = ("draw", "undo", "rematch")
"""Offers and requests that the other player can decline."""
MAX_SEEN_GAMES: Final = 1_000
"""The number of games whose versions are remembered."""
MAX_SEEN_VERSIONS: Final = 64
"""The number of versions that are remembered of each of them."""
MILLISECONDS: Final = 3
"""The decimal places of the seconds that a turn has taken."""


def new_id() -> str:
    """Return the ID of a new game."""
    return token_hex(ADDRESS_BYTES)


def id_of(key: str) -> str:
    """Return the ID of the game that is created with a key, however often this is requested."""
    return hash_token(f"game {key}")[: 2 * ADDRESS_BYTES]


def name_tag(seat: Seat) -> str:
    """Return the name of the tag with the name of the player at a seat."""
    return seat.value.capitalize()


def hash_token(token: str) -> str:
    """Return the hash of a token, to be stored: a reader of the folder cannot play with it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@final
@frozen
class TimeControl:
    """The time that the players of a game with clocks have.

    Attributes:
        seconds: The seconds of each player at the start.
        increment: The seconds that each action adds.
    """

    seconds: int
    increment: int

    @classmethod
    def parse(cls, text: str) -> TimeControl | None:
        """Return what a text such as ``300+5`` means; ``None`` for any other text."""
        found = TIMES.fullmatch(text)
        if found is None:
            return None
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.seconds}+{self.increment}"


@final
@frozen
class Declined:
    """An offer or a request that was declined.

    Attributes:
        what: Its kind: an item of :data:`OFFERS`.
        seat: The seat that has declined it.
    """

    what: str
    seat: Seat

    @classmethod
    def parse(cls, text: str) -> Declined | None:
        """Return what a text such as ``draw second`` means; ``None`` for any other text."""
        what, _, seat = text.partition(" ")
        seats = {each.value: each for each in Seat}
        return cls(what, seats[seat]) if what in OFFERS and seat in seats else None

    def __str__(self) -> str:
        return f"{self.what} {self.seat.value}"


@final
@frozen
class StoredGame:
    """A game as it was when it was read.

    Attributes:
        id: Its ID, which is part of its address.
        version: The number of its version; taking a seat, a new name and a gift of time do not
            change it.
        game: The game.
        token_hashes: The hash of the token of the person in each seat.
        levels: The levels of the players of this library, by their seats.
        time_control: The time of the players; ``None`` without clocks.
        turn_version: The version in which the turn began, so that turns can be told apart.
        seconds_used: The seconds that the turn had taken when the game was stored.
        extra_seconds: The seconds that a seat was given since its last move.
        extra_in_readings: For each move, by its place: the given seconds already counted in its
            clock reading. If the move is undone, the seat has them again.
        returned_seconds: Those of a seat's *extra_seconds* that it has again because its move was
            undone. Nobody has given them since, so they are no news.
        draw_offer: The seat that offers a draw in this version; the next one has no offer.
        undo_request: The seat that asks to undo its last action; it ends with this version, too.
        declined: The offer or the request that this version declines, and the seat that declines.
        asked_already: The items of :data:`OFFERS` for which a seat has asked in vain since its last
            action: they were declined or withdrawn. It may ask again after its next one.
        next_id: The ID of the rematch, if one has been claimed.
        rematch_request: The seat that has asked the other person for a rematch after the end.
    """

    id: str
    version: int
    game: Game
    token_hashes: Mapping[Seat, str] = field(factory=dict)
    levels: Mapping[Seat, str] = field(factory=dict)
    time_control: TimeControl | None = None
    turn_version: int = 1
    seconds_used: float = 0.0
    extra_seconds: Mapping[Seat, int] = field(factory=dict)
    extra_in_readings: Mapping[int, int] = field(factory=dict)
    returned_seconds: Mapping[Seat, int] = field(factory=dict)
    draw_offer: Seat | None = None
    undo_request: Seat | None = None
    declined: Declined | None = None
    asked_already: Mapping[Seat, frozenset[str]] = field(factory=dict)
    next_id: str | None = None
    rematch_request: Seat | None = None

    def with_change(self, game: Game, seconds_used: float) -> StoredGame:
        """Return the next version of this game.

        An action, or its undoing, begins a new turn, whose clock starts again. Offers, requests and
        their refusals end with the version that has them. A game that goes on after its end has no
        rematch.

        Args:
            game: The game after the change.
            seconds_used: The seconds that the turn before the change has taken.
        """
        version = self.version + 1
        is_same_turn = game.actions == self.game.actions and self.game.ending is None
        begins_turn = game.ending is None and not is_same_turn
        extra, in_readings, returned = self._extra_after(game)
        return evolve(
            self,
            version=version,
            game=game,
            turn_version=version if begins_turn else self.turn_version,
            seconds_used=0.0 if begins_turn else round(seconds_used, MILLISECONDS),
            extra_seconds=extra,
            extra_in_readings=in_readings,
            returned_seconds=returned,
            draw_offer=None,
            undo_request=None,
            declined=None,
            asked_already=self._asked_already_after(game),
            next_id=None if game.ending is None else self.next_id,
            rematch_request=None if game.ending is None else self.rematch_request,
        )

    def with_announcement(
        self,
        seconds_used: float,
        *,
        draw_offer: Seat | None = None,
        undo_request: Seat | None = None,
        rematch_request: Seat | None = None,
        declined: Declined | None = None,
        withdrawn: tuple[Seat, str] | None = None,
    ) -> StoredGame:
        """Return the next version, which informs both players and changes nothing else.

        Offers, requests and refusals of this version end with it, as after an action.

        Args:
            seconds_used: The seconds that the turn has taken.
            draw_offer: The seat that offers a draw.
            undo_request: The seat that asks to undo.
            rematch_request: The seat that asks for a rematch.
            declined: What is declined. The seat that has asked may not ask at once again.
            withdrawn: The seat that withdraws its offer or request, and an item of :data:`OFFERS`.
                It may not ask at once again, either.
        """
        asked = {**self.asked_already}
        in_vain = [] if withdrawn is None else [withdrawn]
        if declined is not None:
            in_vain.append((declined.seat.opponent, declined.what))
        for seat, what in in_vain:
            asked[seat] = asked.get(seat, frozenset()) | {what}
        return evolve(
            self.with_change(self.game, seconds_used),
            draw_offer=draw_offer,
            undo_request=undo_request,
            rematch_request=rematch_request,
            declined=declined,
            asked_already=asked,
        )

    def _asked_already_after(self, game: Game) -> Mapping[Seat, frozenset[str]]:
        """Return what seats have asked for in vain; those that have acted since then may ask."""
        count_before = len(self.game.actions)
        if not self.asked_already or len(game.actions) <= count_before:
            return self.asked_already
        movers = _seats_of_moves(game)[count_before:]
        return {seat: asked for seat, asked in self.asked_already.items() if seat not in movers}

    def _extra_after(self, game: Game) -> tuple[dict[Seat, int], dict[int, int], dict[Seat, int]]:
        """Return the given seconds of seats, those in readings and those that have come back.

        The reading of the clock after a move includes what the mover was given before. An undo
        removes the reading, so these seconds of the mover come back.
        """
        extra = dict(self.extra_seconds)
        in_readings = dict(self.extra_in_readings)
        returned = dict(self.returned_seconds)
        count_before = len(self.game.actions)
        mover = self.game.state.seat_to_move
        if len(game.actions) > count_before and mover in extra:
            in_readings[count_before] = extra.pop(mover)
            returned.pop(mover, None)
        undone = [place for place in in_readings if place >= len(game.actions)]
        if undone:
            seats = _seats_of_moves(self.game)
            for place in undone:
                seat = seats[place]
                seconds = in_readings.pop(place)
                extra[seat] = extra.get(seat, 0) + seconds
                returned[seat] = returned.get(seat, 0) + seconds
        return extra, in_readings, returned

    def rematch(self) -> StoredGame:
        """Return a new game from the same start, with the seats exchanged."""
        names = {"First": "Second", "Second": "First"}
        tags = {names[tag]: name for tag, name in self.game.tags.items() if tag in names}
        return StoredGame(
            new_id(),
            1,
            Game.new(tags=tags, start=self.game.start),
            token_hashes={
                seat.opponent: token_hash for seat, token_hash in self.token_hashes.items()
            },
            levels={seat.opponent: name for seat, name in self.levels.items()},
            time_control=self.time_control,
        )

    def seats_of(self, token: str) -> frozenset[Seat]:
        """Return the seats of the owner of a token."""
        return frozenset(
            seat for seat, kept in self.token_hashes.items() if kept == hash_token(token)
        )

    def name_of(self, seat: Seat) -> str | None:
        """Return the name that the person at a seat has entered, if there is one."""
        return self.game.tags.get(name_tag(seat)) if seat in self.token_hashes else None

    def can_abort(self, own: frozenset[Seat]) -> bool:
        """Return whether the owner of seats can end a game of two people without any result.

        Nobody has joined it yet, or fewer than two actions were played.
        """
        is_of_two = len(own) == 1 and not self.levels and self.game.ending is None
        is_open = len(self.token_hashes) < len(BOTH_SEATS)
        return is_of_two and (is_open or len(self.game.actions) < MIN_ACTIONS)

    def can_give_time(self, own: frozenset[Seat]) -> bool:
        """Return whether the owner of seats can give the other person time."""
        is_going_on = self.time_control is not None and self.game.ending is None
        if not is_going_on or len(own) != 1 or len(self.token_hashes) < len(BOTH_SEATS):
            return False
        [seat] = own
        return self.extra_seconds.get(seat.opponent, 0) + GIVEN_SECONDS <= MAX_EXTRA_SECONDS

    @property
    def given_seconds(self) -> dict[Seat, int]:
        """The seconds that the other person has given to a seat since its last move."""
        given = {
            seat: seconds - self.returned_seconds.get(seat, 0)
            for seat, seconds in self.extra_seconds.items()
        }
        return {seat: seconds for seat, seconds in given.items() if seconds > 0}

    def may_ask(self, seat: Seat, what: str) -> bool:
        """Return whether a seat may ask for an item of :data:`OFFERS` now, if it can be had."""
        return what not in self.asked_already.get(seat, ())

    def requested_undo_count(self, seat: Seat) -> int | None:
        """Return how many actions a seat may ask the other person to undo; ``None`` for nothing.

        Both people agree on this, with clocks as well: the clocks go back to their last readings.
        :meth:`undo_count` is for what needs nobody's consent.
        """
        game = self.game
        if self.levels or game.ending is not None or len(self.token_hashes) < len(BOTH_SEATS):
            return None
        seats = _seats_of_moves(game)[::-1]
        return 1 + seats.index(seat) if seat in seats else None

    def require_unfinished(self) -> None:
        """Refuse a request that makes no sense after the end of the game.

        Raises:
            SiteError: If the game has ended.
        """
        if self.game.ending is not None:
            raise SiteError("game-ended", 409)

    @property
    def is_computers_turn(self) -> bool:
        """True if it is the turn of a player of this library."""
        return self.game.ending is None and self.game.state.seat_to_move in self.levels

    @property
    def seat_on_clock(self) -> Seat | None:
        """The seat whose clock runs: from the first action on, if both seats are taken."""
        has_begun = bool(self.game.actions) and self.game.ending is None
        is_complete = self.token_hashes.keys() | self.levels.keys() == BOTH_SEATS
        if self.time_control is None or not has_begun or not is_complete:
            return None
        seat = self.game.state.seat_to_move
        return seat if seat in self.token_hashes else None

    @property
    def turn(self) -> tuple[int, Seat | None]:
        """What identifies the turn: the version in which it began, the seat whose clock runs."""
        return self.turn_version, self.seat_on_clock

    def is_same_turn(self, version: int) -> bool:
        """Return whether the game has still the actions that it had in an earlier version.

        Versions of a turn differ only in offers, requests, refusals, and kept variations. After the
        end of the game, only the current version counts.
        """
        if self.game.ending is not None:
            return version == self.version
        return self.turn_version <= version <= self.version

    def times_left(self, took: float) -> dict[Seat, float]:
        """Return the seconds that people have left; nothing without clocks.

        Args:
            took: The seconds that the turn has taken.
        """
        if self.time_control is None:
            return {}
        seconds = float(self.time_control.seconds)
        left = {seat: seconds for seat in Seat if seat not in self.levels}
        for seat, move in zip(_seats_of_moves(self.game), self.game.line.moves, strict=True):
            if move.clock is not None and seat in left:
                left[seat] = move.clock
        for seat in left:
            left[seat] += self.extra_seconds.get(seat, 0)
        if self.game.ending is Ending.TIME:
            left |= {seat: 0.0 for seat in left if seat is not self.game.winning_seat}
        elif (mover := self.game.state.seat_to_move) in left:
            left[mover] = max(0.0, left[mover] - took)
        return left

    def undo_count(self, own: frozenset[Seat]) -> int | None:
        """Return how many actions the owner of seats may undo without consent; ``None`` for none.

        A person who plays both seats, or against a player of this library, goes back to their last
        action; a resignation is undone alone, which is 0 actions. In a game of two people
        without clocks, the one who acted last may reconsider until the other one acts or the game
        ends; with clocks this would give them their time back.
        """
        game = self.game
        if not own:
            return None
        is_alone = own | self.levels.keys() == BOTH_SEATS
        if game.ending not in (None, Ending.SCORED):
            return 0 if is_alone else None
        seats = _seats_of_moves(game)[::-1]
        if is_alone:
            return next((count for count, seat in enumerate(seats, 1) if seat in own), None)
        may_reconsider = game.ending is None and self.time_control is None
        return 1 if may_reconsider and seats and seats[0] in own else None


def _seats_of_moves(game: Game) -> list[Seat]:
    """Return the seats that have made the moves of a game, without playing them again."""
    seats: list[Seat] = []
    color = game.start.to_move if game.start.phase is not Phase.OPENING else None
    for action in game.actions:
        if isinstance(action, ChooseColor):
            seats.append(Seat.SECOND)
            color = Color.RED
        elif color is None:
            seats.append(Seat.FIRST)
        else:
            seats.append(cast(Seat, game.state.owner(color)))
            color = color.opponent
    return seats


@define(eq=False)
class _Seen:
    """The versions of a game that this process has seen.

    Attributes:
        moves: The moves of the latest one.
        versions: Their numbers.
        kept_move_counts: For each of them, how many moves it has in common with the version noted
            before it.
    """

    moves: tuple[Move, ...]
    versions: deque[int]
    kept_move_counts: deque[int]


@final
class Versions:
    """The versions of games that this process has seen: they show which moves a client has.

    It remembers the latest versions of the latest games. Threads may share it.
    """

    def __init__(self) -> None:
        self._games: OrderedDict[str, _Seen] = OrderedDict()
        self._lock = Lock()

    def note(self, stored: StoredGame) -> None:
        """Remember a version, and how many moves it has in common with the one noted before it."""
        moves = stored.game.line.moves
        with self._lock:
            seen = self._games.pop(stored.id, None)
            if seen is None or (stored.version == seen.versions[-1] and moves != seen.moves):
                # The second case: the file of the game was replaced by an older one.
                seen = _Seen(moves, deque([stored.version]), deque([0]))
            elif stored.version > seen.versions[-1]:
                pairs = zip(seen.moves, moves, strict=False)
                same = takewhile(lambda pair: pair[0] is pair[1] or pair[0] == pair[1], pairs)
                seen.kept_move_counts.append(sum(1 for _ in same))
                seen.versions.append(stored.version)
                seen.moves = moves
                while len(seen.versions) > MAX_SEEN_VERSIONS:
                    seen.versions.popleft()
                    seen.kept_move_counts.popleft()
            self._games[stored.id] = seen
            while len(self._games) > MAX_SEEN_GAMES:
                self._games.popitem(last=False)

    def plies_kept(self, stored: StoredGame, base: int) -> int | None:
        """Return how many plies a game still has of an earlier version, the start included.

        Return ``None`` if this process has not seen that version, or if *stored* is not the latest
        version that it has seen.
        """
        moves = stored.game.line.moves
        with self._lock:
            seen = self._games.get(stored.id)
            if seen is None or seen.versions[-1] != stored.version or base not in seen.versions:
                return None
            if moves != seen.moves:
                return None
            later = [*seen.kept_move_counts][[*seen.versions].index(base) + 1 :]
        return 1 + min(later, default=len(moves))


class Store(ABC):
    """A store of games. Of two changes to the same version of a game, the second is refused.

    Threads may share a store. Every method raises :class:`SiteError` with one of the codes
    ``no-such-game``, ``outdated``, ``seat-taken``, ``too-many-games``, ``game-damaged`` (the file
    is left as it is), ``store-unreadable``, and ``store-unwritable`` (the disk is full, or another
    process holds the lock).

    Args:
        max_games: The maximum number of games; ``None`` for any number.

    Attributes:
        on_change: Called with the ID of a game after it has changed, in any thread.
    """

    def __init__(self, max_games: int | None = None) -> None:
        self.on_change: Callable[[str], None] = lambda _game_id: None
        self._max_games = max_games

    def places_left(self) -> int | None:
        """Return how many more games can be stored; ``None`` for any number."""
        if self._max_games is None:
            return None
        with self._locked():
            return max(0, self._max_games - self._count())

    def create(self, new: StoredGame) -> StoredGame:
        """Store a new game, unless there are too many.

        If there is a game with its ID, that one is returned as it is, so that a repeated request
        creates nothing.
        """
        with self._locked():
            if self._has(new.id):
                return self._read(new.id)
            self._require_space()
            return self._write(new)

    def create_next(self, old: StoredGame, rematch: StoredGame) -> StoredGame:
        """Store the rematch of a game, or return the existing one.

        The old game gets the ID of the rematch before the rematch is stored. So there is never a
        rematch that its game does not name, even if the process ends in between; if the rematch
        cannot be stored, the old game does not keep the ID.

        Args:
            old: The game; its latest version, unless there is a rematch already.
            rematch: The game that :meth:`StoredGame.rematch` has returned, perhaps with the first
                actions of players of this library.
        """
        with self._locked():
            now = self._read(old.id)
            if now.next_id is not None and self._has(now.next_id):
                return self._read(now.next_id)
            if now.version != old.version:
                raise SiteError("outdated", 409)
            self._require_space()
            # A seat of the old game may have been taken since it was read.
            token_hashes = {
                seat.opponent: token_hash for seat, token_hash in now.token_hashes.items()
            }
            begun = evolve(rematch, token_hashes=token_hashes)
            claimed = evolve(
                now,
                version=now.version + 1,
                declined=None,
                next_id=begun.id,
            )
            self._write(claimed)
            try:
                self._write(begun)
            except BaseException:
                # Take the ID back. If that fails too, it names no game, and readers ignore it.
                with suppress(SiteError, OSError):
                    self._write(evolve(now, version=now.version + 2))
                raise
        self.on_change(old.id)
        return begun

    def remove(self, game_id: str) -> None:
        """Remove a game in which no person has acted; another one stays."""
        with self._locked():
            stored = self._read(game_id) if self._has(game_id) else None
            if stored is None or not stored.levels.keys() >= {*_seats_of_moves(stored.game)}:
                return
            self._delete(game_id)
        self.on_change(game_id)

    def abort(self, game_id: str, own: frozenset[Seat]) -> None:
        """Remove a game that the owner of seats can end without any result.

        Raises:
            SiteError: If it has gone too far meanwhile.
        """
        with self._locked():
            if not self._read(game_id).can_abort(own):
                raise SiteError("abort-too-late", 409)
            self._delete(game_id)
        self.on_change(game_id)

    def load(self, game_id: str) -> StoredGame:
        """Return a game."""
        with self._locked():
            return self._read(game_id)

    def has(self, game_id: str) -> bool:
        """Return whether there is a game with an ID."""
        with self._locked():
            return self._has(game_id)

    def replace(self, new: StoredGame, old: StoredGame | None = None) -> StoredGame:
        """Store the next version of a game, if the version before it is still the latest one.

        Args:
            new: The next version. A seat that has been taken since the last version was read
                stays taken.
            old: The version from which *new* was made. Seconds that a seat was given after *old*
                was read are added to those of *new*. Without *old*, nothing is added.
        """
        with self._locked():
            stored = self._write(self._merged(self._read(new.id), new, old))
        self.on_change(stored.id)
        return stored

    def _merged(self, now: StoredGame, new: StoredGame, old: StoredGame | None) -> StoredGame:
        """Add to the new version the seats, names and given seconds stored after its base was read.

        Raises:
            SiteError: If *now* is not the version before it.
        """
        if now.version != new.version - 1:
            raise SiteError("outdated", 409)
        # Only the stored tags have the name of a person who has taken it meanwhile.
        names = {name_tag(seat) for seat in now.token_hashes}
        others = {tag: text for tag, text in new.game.tags.items() if tag not in names}
        game = new.game.with_tags({**now.game.tags, **others})
        extra = dict(new.extra_seconds)
        read = now if old is None else old
        for seat in Seat:
            given = now.extra_seconds.get(seat, 0) - read.extra_seconds.get(seat, 0)
            if given:
                extra[seat] = extra.get(seat, 0) + given
        return evolve(new, game=game, token_hashes=now.token_hashes, extra_seconds=extra)

    def save_seconds(self, old: StoredGame, seconds: float) -> None:
        """Store the seconds that a turn has taken, unless the turn is over.

        Requests that read call this, so a store that waits for other processes does not do so here.
        """
        with self._locked():
            self._save_seconds(old, seconds)

    def save_all_seconds(self, taken: Iterable[tuple[StoredGame, float]]) -> None:
        """Store the seconds of many turns under a single lock, without those that are over.

        If one game cannot be stored, the others are not tried: each attempt would take time.

        Args:
            taken: The games, each with the seconds that its turn has taken.
        """
        with self._locked():
            for old, seconds in taken:
                try:
                    self._save_seconds(old, seconds)
                except SiteError as error:
                    # A game that was deleted or damaged says nothing about the others.
                    if error.code == "store-unwritable":
                        raise

    def _save_seconds(self, old: StoredGame, seconds: float) -> None:
        now = self._read(old.id)
        if (now.version, now.turn) == (old.version, old.turn):
            self._write(evolve(now, seconds_used=round(seconds, MILLISECONDS)))

    def take_seat(
        self, game_id: str, seat: Seat, token_hash: str, tags: Mapping[str, str] | None = None
    ) -> StoredGame:
        """Assign a seat if it is free, and add tags to the game, such as the person's name."""
        with self._locked():
            now = self._read(game_id)
            if seat in now.token_hashes or seat in now.levels:
                raise SiteError("seat-taken", 409)
            game = now.game.with_tags({**now.game.tags, **(tags or {})})
            new = self._write(
                evolve(now, game=game, token_hashes={**now.token_hashes, seat: token_hash})
            )
        self.on_change(new.id)
        return new

    def rename(self, game_id: str, names: Mapping[Seat, str]) -> StoredGame:
        """Change the names of people; an empty text removes one."""
        with self._locked():
            now = self._read(game_id)
            tags = {**now.game.tags, **{name_tag(seat): text for seat, text in names.items()}}
            game = now.game.with_tags({tag: text for tag, text in tags.items() if text})
            new = self._write(evolve(now, game=game))
        self.on_change(new.id)
        return new

    def give_time(self, old: StoredGame, own: frozenset[Seat]) -> StoredGame:
        """Give the opponent of the owner of seats a few seconds.

        The version stays, so that the opponent's next action is not refused.

        Args:
            old: The game as the giver knows it.
            own: The seats of the giver.
        """
        with self._locked():
            now = self._read(old.id)
            if now.version != old.version:
                raise SiteError("outdated", 409)
            if not now.can_give_time(own):
                raise SiteError("no-clock", 409)
            [seat] = own
            seconds = now.extra_seconds.get(seat.opponent, 0) + GIVEN_SECONDS
            extra = {**now.extra_seconds, seat.opponent: seconds}
            new = self._write(evolve(now, extra_seconds=extra))
        self.on_change(new.id)
        return new

    @abstractmethod
    def _locked(self) -> AbstractContextManager[object]:
        """Return a context that locks the store for reading and writing."""

    @abstractmethod
    def stamps(self) -> Mapping[str, Hashable]:
        """Return a stamp of each game, by its ID; it changes whenever the game is stored."""

    @abstractmethod
    def stamp(self, game_id: str) -> Hashable:
        """Return the stamp of a game; ``None`` if there is no such game."""

    def _require_space(self) -> None:
        """Refuse a new game if there are too many."""
        if self._max_games is not None and self._count() >= self._max_games:
            raise SiteError("too-many-games", 403)

    @abstractmethod
    def _has(self, game_id: str) -> bool:
        """Return whether there is a game with an ID."""

    @abstractmethod
    def _count(self) -> int:
        """Return the number of games."""

    @abstractmethod
    def _read(self, game_id: str) -> StoredGame:
        """Return the game as it is stored now."""

    @abstractmethod
    def _write(self, stored: StoredGame) -> StoredGame:
        """Store a game, as a whole or not at all, and return it."""

    @abstractmethod
    def _delete(self, game_id: str) -> None:
        """Remove a game."""


@final
class MemoryStore(Store):
    """A store in memory: games last as long as the process, for example in a web worker.

    Threads may share it.
    """

    def __init__(self, max_games: int | None = None) -> None:
        super().__init__(max_games)
        self._games: dict[str, StoredGame] = {}
        self._stamps: dict[str, Hashable] = {}
        self._numbers = count()
        self._lock = Lock()

    def stamps(self) -> Mapping[str, Hashable]:
        """Return the number of the last change of each game, by its ID."""
        with self._lock:
            return dict(self._stamps)

    def stamp(self, game_id: str) -> Hashable:
        """Return the number of the last change of a game."""
        return self._stamps.get(game_id)

    def _locked(self) -> AbstractContextManager[object]:
        return self._lock

    def _has(self, game_id: str) -> bool:
        return game_id in self._games

    def _count(self) -> int:
        return len(self._games)

    def _read(self, game_id: str) -> StoredGame:
        if game_id not in self._games:
            raise SiteError("no-such-game", 404)
        return self._games[game_id]

    def _write(self, stored: StoredGame) -> StoredGame:
        self._games[stored.id] = stored
        self._stamps[stored.id] = next(self._numbers)
        return stored

    def _delete(self, game_id: str) -> None:
        del self._games[game_id]
        del self._stamps[game_id]
