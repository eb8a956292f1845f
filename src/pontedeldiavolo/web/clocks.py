"""Clocks of games: measured without the time of day, which can jump."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import suppress
from threading import Lock
from typing import Final, final

from attrs import define

from pontedeldiavolo.base.enums import Seat

from .requests import SiteError
from .store import Store, StoredGame

SAVE_SECONDS: Final = 10.0
"""The time after which the seconds that a turn has taken are stored again."""


@define(eq=False)
class _Turn:
    """A turn whose clock runs.

    Attributes:
        identity: The turn, as in :attr:`StoredGame.turn`.
        version: The latest version of the game in which it was seen.
        seen_at: The time from which this process measures it.
        used: The seconds that it had taken by then.
        saved_at: The time at which its seconds were last stored, or this was tried.
    """

    identity: tuple[int, Seat | None]
    version: int
    seen_at: float
    used: float
    saved_at: float


@final
class Clocks:
    """The clocks of a site's games.

    A stored game has the seconds that its turn had taken when it was stored. A process adds the
    seconds since it first saw the turn. For a turn that was there when the process started, these
    are the seconds since then: the clock continues, without the time in which no server was
    running.

    Threads may share it.

    Args:
        store: The games.
        now: Returns the time in seconds, of a clock that never jumps.
    """

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self._store = store
        self._now = now
        self._started_at = now()
        self._stamps: dict[str, Hashable] = dict(store.stamps())
        self._turns: dict[str, _Turn] = {}
        self._lock = Lock()

    def begin(self, stored: StoredGame) -> None:
        """Measure the turn of a game from now on, unless it is measured already or has no clock."""
        with self._lock:
            self._turn(stored)

    def seconds_used(self, stored: StoredGame) -> float:
        """Return the seconds that the turn of a game has taken.

        They are never more than the player had left. A turn that this process has not seen before
        is measured from now on: another process may have begun it.
        """
        with self._lock:
            turn = self._turn(stored)
            if turn is None:
                return stored.seconds_used
            return max(stored.seconds_used, self._measured(stored, turn))

    def save(self, stored: StoredGame) -> None:
        """Store the seconds of a turn, unless this was done or tried a short time ago.

        After the end of this process, the clock goes on from there. Requests that read a game call
        this, so it does not wait while another process writes.
        """
        with self._lock:
            turn = self._turn(stored)
            now = self._now()
            if turn is None or now - turn.saved_at < SAVE_SECONDS:
                return
            turn.saved_at = now
            seconds = self._measured(stored, turn)
        # The game can still be played, and the store logs why it cannot be written to.
        with suppress(SiteError):
            self._store.save_seconds(stored, seconds)

    def save_all(self) -> None:
        """Store the seconds of all turns: the server is about to end.

        It waits once while another process writes, however many clocks run.
        """
        with self._lock:
            game_ids = [*self._turns]
        taken = []
        for game_id in game_ids:
            with suppress(SiteError):
                stored = self._store.load(game_id)
                taken.append((stored, self.seconds_used(stored)))
        if taken:
            with suppress(SiteError):
                self._store.save_all_seconds(taken)

    def forget(self, game_id: str) -> None:
        """Measure a game no more, which was removed."""
        with self._lock:
            self._turns.pop(game_id, None)

    def _measured(self, stored: StoredGame, turn: _Turn) -> float:
        used = turn.used + max(0.0, self._now() - turn.seen_at)
        _, seat = turn.identity
        # The clock stays at zero until a request reads the game, which then ends.
        return min(used, stored.times_left(0.0).get(seat, used) if seat is not None else used)

    def _turn(self, stored: StoredGame) -> _Turn | None:
        """Return the turn of a game, noted if it is new; ``None`` if no clock runs."""
        turn = self._turns.get(stored.id)
        # An old version, read by a slow thread, does not replace a later one.
        if turn is not None and (stored.version < turn.version or stored.turn == turn.identity):
            turn.version = max(turn.version, stored.version)
            return turn
        if stored.seat_on_clock is None:
            self._turns.pop(stored.id, None)
            return None
        now = self._now()
        stamp = self._stamps.pop(stored.id, None)
        was_there = stamp is not None and stamp == self._store.stamp(stored.id)
        seen_at = self._started_at if was_there else now
        turn = _Turn(stored.turn, stored.version, seen_at, stored.seconds_used, now)
        self._turns[stored.id] = turn
        return turn
