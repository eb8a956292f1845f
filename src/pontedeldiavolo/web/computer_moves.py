"""Moves of the library's players, found in threads, and their failures, for the page."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from itertools import count
from threading import Lock, Timer
from time import monotonic
from typing import Final, cast, final

from attrs import define, field, frozen

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.game.game import Game

from .requests import SiteError
from .store import StoredGame
from .thinkers import Thinkers

FIRST_PAUSE_SECONDS: Final = 1.0
"""The time before the first new attempt to store a move; each later one takes twice as long."""
KEPT_DURATIONS: Final = 5
"""The number of recent moves of a kind whose mean duration is the estimate for the next one."""
MAX_FAILED_MOVES: Final = 1_000
"""The number of failed moves that are remembered, besides those that will be stored later."""
MAX_PAUSE_SECONDS: Final = 30.0
"""The longest time between two attempts to store a move."""


@final
@frozen
class Failure:
    """Why the computer has not moved.

    Attributes:
        number: The number of the failure: a second one with the same error has another number.
        error: The error.
    """

    number: int
    error: SiteError


@final
@frozen
class Thinking:
    """A player of the library that is choosing its action.

    Attributes:
        level: Its level.
        seconds: The seconds since it was asked, those of waiting for a thread included.
        expected_seconds: The seconds that such a move takes on this server, the mean of the last
            ones of this level on boards of this size; ``None`` before the first.
    """

    level: str
    seconds: float
    expected_seconds: float | None


@define(eq=False)
class _ComputerMove:
    """The move of the computer in one version of a game.

    Attributes:
        stored: The game with that version.
        found: The game with the move, if it has been found and is not yet stored.
        failure: Why it has not been found or stored; ``None`` while a thread looks for it.
        pause: The time before the next attempt to store it, in seconds.
        timer: The thread that will try again, if there is one.
        began_at: The time at which it was asked for.
    """

    stored: StoredGame
    found: Game | None = None
    failure: Failure | None = None
    pause: float = field(factory=lambda: FIRST_PAUSE_SECONDS)
    timer: Timer | None = None
    began_at: float = field(factory=monotonic)

    def can_be_forgotten(self) -> bool:
        """Return whether it has failed, and no timer will store it."""
        if self.failure is None:
            return False
        return self.timer is None or self.failure.error.code != "computer-not-saved"


def _kind_of(stored: StoredGame) -> tuple[str, int]:
    """Return the level that is to choose, and the number of cells."""
    seat = cast(Seat, stored.game.state.seat_to_move)
    return stored.levels[seat], len(stored.game.rules.board)


def _replaces(stored: StoredGame, known: _ComputerMove) -> bool:
    """Return whether a version of a game needs a move in the place of one that is known.

    A slow thread may have read an older version, in which no move is due any more. Where the move
    of the newer version has failed, the older one may be the game, restored from a backup.
    """
    version = known.stored.version
    return stored.version > version or (stored.version < version and known.failure is not None)


@final
class ComputerMoves:
    """The moves of players of the library that the games of a site wait for.

    A player that has failed is asked again only on request. A move that could not be stored is
    kept, and stored as soon as this is possible. Both are failures that the view of the game shows
    until the game has changed. If very many games have failed, the oldest failures are forgotten,
    as most of these games are abandoned: when a page shows one, its player is asked again.

    Threads may share it.

    Args:
        thinkers: The threads in which the players choose.
        choose: Returns the game with the move. It gets the game and a function that returns whether
            the move is still wanted; as soon as it is not, any move will do.
        keep: Stores the game with the move.
        notify: Called with the ID of a game after a failure.
    """

    def __init__(
        self,
        thinkers: Thinkers,
        choose: Callable[[StoredGame, Callable[[], bool]], Game],
        keep: Callable[[StoredGame, Game], object],
        notify: Callable[[str], object],
    ) -> None:
        self._thinkers = thinkers
        self._choose = choose
        self._keep = keep
        self._notify = notify
        self._moves: dict[str, _ComputerMove] = {}
        self._numbers = count(1)
        self._lock = Lock()
        # The duration of the last moves, by level and number of cells.
        self._durations: dict[tuple[str, int], deque[float]] = {}

    def thinking(self, stored: StoredGame) -> Thinking | None:
        """Return for how long a thread has been looking for a move; ``None`` if none is."""
        move = self._moves.get(stored.id)
        if move is None or move.stored.version != stored.version or move.failure is not None:
            return None
        durations = self._durations.get(_kind_of(stored), ())
        expected = round(sum(durations) / len(durations), 2) if durations else None
        return Thinking(_kind_of(stored)[0], round(monotonic() - move.began_at, 2), expected)

    def failure(self, stored: StoredGame) -> Failure | None:
        """Return why the computer has not moved; ``None`` if a thread looks, or no move is due."""
        move = self._moves.get(stored.id)
        is_current = move is not None and move.stored.version == stored.version
        return move.failure if move is not None and is_current else None

    def request(self, stored: StoredGame, client: str) -> None:
        """Let a thread find the computer's move in a game, unless this was done or has failed.

        Args:
            stored: The game, in which it is the turn of a player of the library.
            client: The client for whom the thread works.
        """
        with self._lock:
            known = self._moves.get(stored.id)
            if known is not None and not _replaces(stored, known):
                return
            move = _ComputerMove(stored)
            self._moves[stored.id] = move
        job = partial(self._find, move)
        # The key of the job is the move. The version would not do: the job of a failed attempt may
        # end a little after its failure is shown, and until then no job with its key is queued.
        if not self._thinkers.submit(move, job, client):
            # The queue is full: the next request for the game tries again.
            self._drop(move)

    def retry(self, stored: StoredGame, client: str) -> None:
        """Try again after a failure: let a thread choose again, or store what it has chosen."""
        move = self._moves.get(stored.id)
        if move is None or move.failure is None or move.stored.version != stored.version:
            self.request(stored, client)
        elif move.found is None:
            self._drop(move)
            self.request(stored, client)
        else:
            self._store(move, move.found)

    def forget_earlier(self, stored: StoredGame) -> None:
        """Drop the moves and the failures of earlier versions of a game, which has changed.

        Another thread may have read the new version or a later one already, and asked for its move.
        """
        with self._lock:
            move = self._moves.get(stored.id)
            if move is not None and move.stored.version < stored.version:
                self._forget(move)

    def forget(self, game_id: str) -> None:
        """Drop the move of a game that was removed."""
        with self._lock:
            move = self._moves.get(game_id)
            if move is not None:
                self._forget(move)

    def _find(self, move: _ComputerMove) -> None:
        if not self._is_wanted(move):
            # The game has changed while the job waited for a thread.
            return
        try:
            found = self._choose(move.stored, partial(self._is_wanted, move))
        except SiteError as error:
            self._fail(move, error)
        except BaseException:
            # Nothing may end the thread: others wait for it.
            logging.getLogger(__name__).exception("A move could not be found.")
            self._fail(move, SiteError("computer-failed", 500))
        else:
            # The duration of a search that was stopped says nothing about others.
            if self._is_wanted(move):
                kind = _kind_of(move.stored)
                kept = self._durations.setdefault(kind, deque(maxlen=KEPT_DURATIONS))
                kept.append(monotonic() - move.began_at)
                self._store(move, found)

    def _is_wanted(self, move: _ComputerMove) -> bool:
        """Return whether the game of a move is still there and has not changed."""
        return self._moves.get(move.stored.id) is move

    def _store(self, move: _ComputerMove, found: Game) -> None:
        """Store a move; if this fails, show it and try again later."""
        try:
            self._keep(move.stored, found)
        except SiteError as error:
            if error.code in ("outdated", "no-such-game"):
                # Somebody has undone an action, for example.
                self._drop(move)
                return
            move.found = found
            self._store_later(move, found)
            self._fail(move, SiteError("computer-not-saved", 503))
        except BaseException:
            logging.getLogger(__name__).exception("A move could not be stored.")
            self._fail(move, SiteError("computer-failed", 500))
        else:
            self._drop(move)

    def _store_later(self, move: _ComputerMove, found: Game) -> None:
        """Let a thread try again after a pause, which grows with each failure."""
        timer = Timer(move.pause, self._store_if_wanted, [move, found])
        move.pause = min(2 * move.pause, MAX_PAUSE_SECONDS)
        timer.daemon = True
        with self._lock:
            if not self._is_wanted(move):
                return
            if move.timer is not None:
                move.timer.cancel()
            try:
                timer.start()
            except RuntimeError:
                # The system has no thread left. The page offers another attempt.
                logging.getLogger(__name__).exception("A move will not be stored by itself.")
                move.timer = None
            else:
                move.timer = timer

    def _store_if_wanted(self, move: _ComputerMove, found: Game) -> None:
        # Meanwhile somebody may have changed the game, or asked for another attempt.
        if self._is_wanted(move):
            self._store(move, found)

    def _fail(self, move: _ComputerMove, error: SiteError) -> None:
        # Another failed attempt to store the same move is not reported again.
        if move.failure is None or move.failure.error.code != error.code:
            move.failure = Failure(next(self._numbers), error)
        self._forget_oldest_failures()
        self._notify(move.stored.id)

    def _forget_oldest_failures(self) -> None:
        """Forget the failed moves beyond the bound, without those that a timer will store."""
        with self._lock:
            failed = [move for move in self._moves.values() if move.can_be_forgotten()]
            # They are in the order in which they were asked for.
            for move in failed[: max(0, len(failed) - MAX_FAILED_MOVES)]:
                self._forget(move)

    def _drop(self, move: _ComputerMove) -> None:
        with self._lock:
            if self._is_wanted(move):
                self._forget(move)

    def _forget(self, move: _ComputerMove) -> None:
        """Give up a move, and the further attempt to store it; the moves must be locked."""
        del self._moves[move.stored.id]
        if move.timer is not None:
            move.timer.cancel()
