"""Stores of games in progress: the base of all stores, and one in memory."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from hashlib import sha256
from itertools import count
from secrets import token_hex
from threading import Lock
from typing import Final, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.game.game import Game

from .requests import SiteError

DRAW_OFFER: Final = "ServeDrawOffer"
"""The tag with the seat that offers a draw and the version with the offer: ``first 7``.

In any other version of the game there is no offer.
"""
NEXT_GAME: Final = "ServeNextGame"
"""The tag with the ID of the rematch."""
CLOCK: Final = "ServeClock"
"""The tag with the initial seconds of each player and the increment for each action: 300+5."""
TURN_BEGAN: Final = "ServeTurnBegan"
"""The tag with the version in which the turn began, so that turns can be told apart."""
TURN_TOOK: Final = "ServeTurnTook"
"""The tag with the seconds that the turn had taken when the game was stored."""
ADDRESS_BYTES: Final = 16
"""The length of a game's ID. Anyone who knows it may watch the game, so it must be unguessable."""
BOTH_SEATS: Final = frozenset(Seat)
TIMES: Final = re.compile(r"([1-9][0-9]{0,5})\+([0-9]{1,4})")
ID: Final = re.compile(r"[0-9a-f]{32}")
OFFER: Final = re.compile(r"(first|second) ([1-9][0-9]{0,8})")
ROUNDING_SECONDS: Final = 0.1
"""The largest difference between seconds that are rounded for a tag and for the list of moves."""
SECONDS: Final = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")


def new_id() -> str:
    """Return the ID of a new game."""
    return token_hex(ADDRESS_BYTES)


def id_of(key: str) -> str:
    """Return the ID of the game that is created with a key, however often this is requested."""
    return hash_token(f"game {key}")[: 2 * ADDRESS_BYTES]


def hash_token(token: str) -> str:
    """Return the hash of a token, to be stored: a reader of the folder cannot play with it."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


@final
@frozen
class StoredGame:
    """A game as it was when it was read.

    Attributes:
        id: Its ID, which is part of its address.
        version: The number of its version; taking a seat does not change it.
        game: The game.
        seats: The hash of the token of the person in each seat.
        computer: The names of the players of this library, by their seats.
    """

    id: str
    version: int
    game: Game
    seats: Mapping[Seat, str] = field(factory=dict)
    computer: Mapping[Seat, str] = field(factory=dict)

    def seats_of(self, token: str) -> frozenset[Seat]:
        """Return the seats of the owner of a token."""
        return frozenset(seat for seat, kept in self.seats.items() if kept == hash_token(token))

    @property
    def is_thinking(self) -> bool:
        """True if it is the turn of a player of this library."""
        return self.game.ending is None and self.game.state.seat_to_move in self.computer

    @property
    def running(self) -> Seat | None:
        """The seat whose clock runs: from the first action on, if both seats are taken."""
        game = self.game
        seat = self.game.state.seat_to_move
        is_complete = self.seats.keys() | self.computer.keys() == BOTH_SEATS
        is_running = CLOCK in game.tags and game.actions and game.ending is None
        return seat if is_complete and is_running and seat in self.seats else None

    @property
    def turn(self) -> tuple[str, Seat | None]:
        """The beginning of the turn and the seat whose clock runs: no other turn has the same."""
        return self.game.tags.get(TURN_BEGAN, ""), self.running

    @property
    def seconds_used(self) -> float:
        """The seconds that the turn had taken when the game was stored."""
        text = self.game.tags.get(TURN_TOOK, "")
        return float(text) if SECONDS.fullmatch(text) else 0.0

    @property
    def has_possible_seconds(self) -> bool:
        """True if the turn has taken no more time than its player had; always without clocks."""
        seat = self.game.state.seat_to_move
        left = self.times_left(0.0).get(seat) if seat is not None else None
        is_lost = self.game.ending is Ending.TIME
        return left is None or is_lost or self.seconds_used <= left + ROUNDING_SECONDS

    @property
    def draw_offer(self) -> Seat | None:
        """The seat that offers a draw in this very version of the game."""
        found = OFFER.fullmatch(self.game.tags.get(DRAW_OFFER, ""))
        if found is None or self.game.ending is not None or found[2] != str(self.version):
            return None
        return Seat(found[1])

    @property
    def next_id(self) -> str | None:
        """The ID of the rematch, if one has been claimed."""
        text = self.game.tags.get(NEXT_GAME, "")
        return text if ID.fullmatch(text) else None

    def times_left(self, took: float) -> dict[Seat, float]:
        """Return the seconds that people have left; nothing without clocks.

        Args:
            took: The seconds that the turn has taken.
        """
        found = TIMES.fullmatch(self.game.tags.get(CLOCK, ""))
        if found is None:
            return {}
        left = {seat: float(found[1]) for seat in Seat if seat not in self.computer}
        for ply, move in zip(self.game.plies, self.game.line.moves, strict=True):
            if move.clock is not None and ply.seat in left:
                left[ply.seat] = move.clock
        if self.game.ending is Ending.TIME:
            left |= {seat: 0.0 for seat in left if seat is not self.game.winning_seat}
        elif (seat := self.game.state.seat_to_move) in left:
            left[seat] = max(0.0, left[seat] - took)
        return left

    def undo_count(self, own: frozenset[Seat]) -> int | None:
        """Return how many actions the owner of seats may undo now; ``None`` for nothing.

        A person who plays both seats, or against a player of this library, goes back to their last
        action; a resignation is undone alone, which is 0 actions. In a game of two people
        without clocks, the one who acted last may reconsider until the other one acts or the game
        ends; with clocks this would give them their time back.
        """
        game = self.game
        if not own:
            return None
        is_alone = own | self.computer.keys() == BOTH_SEATS
        if game.ending not in (None, Ending.SCORED):
            return 0 if is_alone else None
        seats = [ply.seat for ply in reversed(game.plies)]
        if is_alone:
            return next((count for count, seat in enumerate(seats, 1) if seat in own), None)
        may_reconsider = game.ending is None and CLOCK not in game.tags
        return 1 if may_reconsider and seats and seats[0] in own else None


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
        self.on_change: Callable[[str], None] = lambda _name: None
        self._max_games = max_games

    def places_left(self) -> int | None:
        """Return how many more games can be stored; ``None`` for any number."""
        if self._max_games is None:
            return None
        with self._locked():
            return max(0, self._max_games - self._count())

    def create(
        self,
        game: Game,
        *,
        seats: Mapping[Seat, str],
        computer: Mapping[Seat, str],
        name: str | None = None,
    ) -> StoredGame:
        """Store a new game, unless there are too many.

        Args:
            game: The game.
            seats: The hashes of the tokens of people, by their seats.
            computer: The names of the players of this library, by their seats.
            name: The ID of the game. If there is a game with this ID, it is returned as it is, so
                that a repeated request creates nothing. By default, an ID is drawn at random.
        """
        with self._locked():
            if name is not None and self._has(name):
                return self._read(name)
            self._require_space()
            return self._write(StoredGame(name or new_id(), 1, game, seats, computer))

    def create_next(self, old: StoredGame, game: Game) -> StoredGame:
        """Store the rematch of a game, with the seats exchanged, or return the existing one.

        The old game gets the ID of the rematch before the rematch is stored. So there is never a
        rematch that its game does not name, even if the process ends in between; if the rematch
        cannot be stored, the old game does not keep the ID.

        Args:
            old: The game; its latest version, unless there is a rematch already.
            game: The rematch.
        """
        with self._locked():
            now = self._read(old.id)
            if now.next_id is not None and self._has(now.next_id):
                return self._read(now.next_id)
            if now.version != old.version:
                raise SiteError("outdated", 409)
            self._require_space()
            seats = {seat.opponent: token_hash for seat, token_hash in now.seats.items()}
            computer = {seat.opponent: name for seat, name in now.computer.items()}
            begun = StoredGame(new_id(), 1, game, seats, computer)
            claimed = now.game.with_tags({**now.game.tags, NEXT_GAME: begun.id})
            self._write(evolve(now, version=now.version + 1, game=claimed))
            try:
                self._write(begun)
            except BaseException:
                # If this fails, too, the ID names no game: then it counts for nothing.
                with suppress(SiteError, OSError):
                    self._write(evolve(now, version=now.version + 2))
                raise
        self.on_change(old.id)
        return begun

    def load(self, name: str) -> StoredGame:
        """Return a game."""
        with self._locked():
            return self._read(name)

    def has(self, name: str) -> bool:
        """Return whether there is a game with an ID."""
        with self._locked():
            return self._has(name)

    def replace(self, old: StoredGame, game: Game) -> StoredGame:
        """Store the next version of a game, if *old* is still its latest one.

        Args:
            old: The version that was read; it may have other players of this library by now.
            game: The game as it is now.
        """
        with self._locked():
            now = self._read(old.id)
            if now.version != old.version:
                raise SiteError("outdated", 409)
            # The seats are not those of *old*: one may have been taken since it was read.
            changed = evolve(now, version=now.version + 1, game=game, computer=old.computer)
            new = self._write(changed)
        self.on_change(new.id)
        return new

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
            tags = {**now.game.tags, TURN_TOOK: f"{seconds:.3f}"}
            self._write(evolve(now, game=now.game.with_tags(tags)))

    def take_seat(
        self, name: str, seat: Seat, token_hash: str, tags: Mapping[str, str] | None = None
    ) -> StoredGame:
        """Assign a seat if it is free, and add tags to the game."""
        with self._locked():
            now = self._read(name)
            if seat in now.seats or seat in now.computer:
                raise SiteError("seat-taken", 409)
            game = now.game.with_tags({**now.game.tags, **(tags or {})})
            new = self._write(evolve(now, game=game, seats={**now.seats, seat: token_hash}))
        self.on_change(new.id)
        return new

    @abstractmethod
    def _locked(self) -> AbstractContextManager[object]:
        """Return a context that locks the store for reading and writing."""

    @abstractmethod
    def stamps(self) -> Mapping[str, Hashable]:
        """Return a stamp of each game, by its ID; it changes whenever the game is stored."""

    @abstractmethod
    def stamp(self, name: str) -> Hashable:
        """Return the stamp of a game; ``None`` if there is no such game."""

    def _require_space(self) -> None:
        """Refuse a new game if there are too many."""
        if self._max_games is not None and self._count() >= self._max_games:
            raise SiteError("too-many-games", 403)

    @abstractmethod
    def _has(self, name: str) -> bool:
        """Return whether there is a game with an ID."""

    @abstractmethod
    def _count(self) -> int:
        """Return the number of games."""

    @abstractmethod
    def _read(self, name: str) -> StoredGame:
        """Return the game as it is stored now."""

    @abstractmethod
    def _write(self, stored: StoredGame) -> StoredGame:
        """Store a game, as a whole or not at all, and return it."""


@final
class MemoryStore(Store):
    """A store that keeps games while its process runs, for a web worker, for instance.

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

    def stamp(self, name: str) -> Hashable:
        """Return the number of the last change of a game."""
        return self._stamps.get(name)

    def _locked(self) -> AbstractContextManager[object]:
        return self._lock

    def _has(self, name: str) -> bool:
        return name in self._games

    def _count(self) -> int:
        return len(self._games)

    def _read(self, name: str) -> StoredGame:
        if name not in self._games:
            raise SiteError("no-such-game", 404)
        return self._games[name]

    def _write(self, stored: StoredGame) -> StoredGame:
        self._games[stored.id] = stored
        self._stamps[stored.id] = next(self._numbers)
        return stored
