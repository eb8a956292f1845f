"""Stores of games in progress: the base of all stores, and one in memory."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from hashlib import sha256
from secrets import token_hex
from threading import Lock
from typing import Final, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.game.game import Game

from .requests import SiteError

DRAW_OFFER: Final = "ServeDrawOffer"
"""The tag with the seat that offers a draw, until the next action."""
NEXT_GAME: Final = "ServeNextGame"
"""The tag with the address of the rematch."""
CLOCK: Final = "ServeClock"
"""The tag with the initial seconds of each player and the increment for each action: 300+5."""
TURN_BEGAN: Final = "ServeTurnBegan"
"""The tag with the time at which the clock of the seat to move started."""
TURN_TOOK: Final = "ServeTurnTook"
"""The tag with the seconds of the turn in which a player resigned, or both agreed on a draw."""
ADDRESS_BYTES: Final = 16
"""The length of a game's ID. Anyone who knows it may watch the game, so it must be unguessable."""
BOTH_SEATS: Final = frozenset(Seat)
TIMES: Final = re.compile(r"([1-9][0-9]{0,5})\+([0-9]{1,4})")
_TIME: Final = re.compile(r"[0-9]{1,12}\.[0-9]{1,9}")


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
        game, seat = self.game, self.game.state.seat_to_move
        is_complete = self.seats.keys() | self.computer.keys() == BOTH_SEATS
        is_running = CLOCK in game.tags and game.actions and game.ending is None
        return seat if is_complete and is_running and seat in self.seats else None

    def times_left(self, now: float, since: float) -> dict[Seat, float]:
        """Return the seconds that people have left; nothing without clocks.

        The clocks did not run before *since*, when the server started.
        """
        found = TIMES.fullmatch(self.game.tags.get(CLOCK, ""))
        if found is None:
            return {}
        left = {seat: float(found[1]) for seat in Seat if seat not in self.computer}
        for turn, move in zip(self.game.turns, self.game.line.moves, strict=True):
            if move.clock is not None and turn.seat in left:
                left[turn.seat] = move.clock
        if self.game.ending is Ending.TIME:
            left |= {seat: 0.0 for seat in left if seat is not self.game.winning_seat}
        elif (seat := self.game.state.seat_to_move) in left:
            left[seat] = max(0.0, left[seat] - self.turn_took(now, since))
        return left

    def turn_took(self, now: float, since: float) -> float:
        """Return the seconds for which the clock has run in this turn, as in :meth:`times_left`."""
        if self.running is None:
            return self._seconds(TURN_TOOK, 0.0)
        return max(0.0, now - max(self._seconds(TURN_BEGAN, now), since))

    def _seconds(self, tag: str, default: float) -> float:
        text = self.game.tags.get(tag, "")
        return float(text) if _TIME.fullmatch(text) else default

    def undo_count(self, own: frozenset[Seat]) -> int | None:
        """Return how many actions the owner of seats may take back now; ``None`` for nothing.

        A person who plays both seats, or against a player of this library, goes back to their last
        action; a resignation is taken back alone, which is 0 actions. In a game of two people
        without clocks, the one who acted last may reconsider until the other one acts or the game
        ends; with clocks this would give them their time back.
        """
        game = self.game
        if not own:
            return None
        is_alone = own | self.computer.keys() == BOTH_SEATS
        if game.ending not in (None, Ending.SCORED):
            return 0 if is_alone else None
        seats = [turn.seat for turn in reversed(game.turns)]
        if is_alone:
            return next((count for count, seat in enumerate(seats, 1) if seat in own), None)
        may_reconsider = game.ending is None and CLOCK not in game.tags
        return 1 if may_reconsider and seats and seats[0] in own else None


class Store(ABC):
    """A store of games. Of two changes to the same version of a game, the second is refused.

    Every method raises :class:`SiteError` with one of the codes ``no-such-game``, ``outdated``,
    ``seat-taken``, ``too-many-games``, ``game-damaged`` (the file is left as it is),
    ``store-unreadable``, and ``store-unwritable`` (the disk is full, or another process holds the
    lock).

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
        self, game: Game, *, seats: Mapping[Seat, str], computer: Mapping[Seat, str]
    ) -> StoredGame:
        """Store a new game, unless there are too many."""
        with self._locked():
            if self._max_games is not None and self._count() >= self._max_games:
                raise SiteError("too-many-games", 403)
            return self._write(StoredGame(token_hex(ADDRESS_BYTES), 1, game, seats, computer))

    def load(self, name: str) -> StoredGame:
        """Return a game."""
        with self._locked():
            return self._read(name)

    def replace(self, old: StoredGame, game: Game) -> StoredGame:
        """Store the next version of a game, if *old* is still its latest one."""
        with self._locked():
            now = self._read(old.id)
            if now.version != old.version:
                raise SiteError("outdated", 409)
            # Not *old*: a seat may have been taken since it was read.
            new = self._write(evolve(now, version=now.version + 1, game=game))
        self.on_change(new.id)
        return new

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
    """A store that keeps games while its process runs, for a web worker, for instance."""

    def __init__(self, max_games: int | None = None) -> None:
        super().__init__(max_games)
        self._games: dict[str, StoredGame] = {}
        self._lock = Lock()

    def _locked(self) -> AbstractContextManager[object]:
        return self._lock

    def _count(self) -> int:
        return len(self._games)

    def _read(self, name: str) -> StoredGame:
        if name not in self._games:
            raise SiteError("no-such-game", 404)
        return self._games[name]

    def _write(self, stored: StoredGame) -> StoredGame:
        self._games[stored.id] = stored
        return stored
