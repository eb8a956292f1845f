"""Where games are kept while they are played: what every store can do, and one in memory."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from secrets import token_hex
from threading import Lock
from typing import final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game

ADDRESS_BYTES = 16
"""Whoever knows the address of a game may look on, so nobody must be able to guess it."""


class StoreError(PonteError):
    """What a store was asked for cannot be done."""


class UnknownGameError(StoreError):
    """There is no such game."""


class OutdatedError(StoreError):
    """The game has gone on since it was read."""


class SeatTakenError(StoreError):
    """Somebody sits there already."""


class DamagedError(StoreError):
    """What is kept under this name is no game. It is left as it is."""


class FullError(StoreError):
    """There are as many games as there may be."""


class UnwritableError(StoreError):
    """The game cannot be stored now: the disk is full, or somebody holds the lock."""


@final
@frozen
class Stored:
    """A game as it was when it was read.

    Attributes:
        id: Its address.
        version: How often it has changed; a seat that is taken changes nothing.
        game: The game.
        seats: The hash of the token of whoever sits there.
        computer: The seats of players of this library, and their names.
    """

    id: str
    version: int
    game: Game
    seats: Mapping[Seat, str] = field(factory=dict)
    computer: Mapping[Seat, str] = field(factory=dict)


class Store(ABC):
    """Keeps games. Of two who change the same version of a game, one comes too late.

    Args:
        most: How many games there may be; ``None`` for any number.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most

    def create(
        self, game: Game, *, seats: Mapping[Seat, str], computer: Mapping[Seat, str]
    ) -> Stored:
        """Keep a new game.

        Raises:
            FullError: If there are too many already.
            UnwritableError: If it cannot be written.
        """
        stored = Stored(token_hex(ADDRESS_BYTES), 1, game, seats, computer)
        with self._locked():
            if self._most is not None and self._count() >= self._most:
                raise FullError(f"there are {self._most:,} games, and no more may be")
            self._write(stored)
        return stored

    def load(self, name: str) -> Stored:
        """Return a game.

        Raises:
            UnknownGameError: If there is none of that name.
            DamagedError: If it cannot be read.
            UnwritableError: If somebody holds the lock.
        """
        with self._locked():
            return self._read(name)

    def replace(self, old: Stored, game: Game) -> Stored:
        """Keep what became of a game.

        Raises:
            OutdatedError: If *old* is not its last version any more.
            UnknownGameError: If it is gone.
            DamagedError: If it cannot be read any more.
            UnwritableError: If it cannot be written.
        """
        with self._locked():
            now = self._read(old.id)
            if now.version != old.version:
                raise OutdatedError("the game has gone on")
            # Not what was read before: somebody may have taken a seat since.
            stored = evolve(now, version=now.version + 1, game=game)
            self._write(stored)
        return stored

    def take_seat(self, name: str, seat: Seat, token_hash: str) -> Stored:
        """Give a free seat away.

        Raises:
            SeatTakenError: If it is not free.
            UnknownGameError: If there is no game of that name.
            DamagedError: If it cannot be read.
            UnwritableError: If it cannot be written.
        """
        with self._locked():
            now = self._read(name)
            if seat in now.seats or seat in now.computer:
                raise SeatTakenError("this seat is taken")
            stored = evolve(now, seats={**now.seats, seat: token_hash})
            self._write(stored)
        return stored

    @abstractmethod
    def _locked(self) -> AbstractContextManager[object]:
        """Keep all others from reading and writing meanwhile."""

    @abstractmethod
    def _count(self) -> int:
        """Return how many games there are."""

    @abstractmethod
    def _read(self, name: str) -> Stored:
        """Return what is kept now."""

    @abstractmethod
    def _write(self, stored: Stored) -> None:
        """Keep it, as a whole or not at all."""


@final
class MemoryStore(Store):
    """Keeps games as long as its process runs."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(most)
        self._games: dict[str, Stored] = {}
        self._lock = Lock()

    def _locked(self) -> AbstractContextManager[object]:
        return self._lock

    def _count(self) -> int:
        return len(self._games)

    def _read(self, name: str) -> Stored:
        try:
            return self._games[name]
        except KeyError:
            raise UnknownGameError("there is no such game") from None

    def _write(self, stored: Stored) -> None:
        self._games[stored.id] = stored
