"""Answers of the library's players, found in threads, and their failures, for the page."""

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
"""The time before the first new attempt to store an answer; each later one takes twice as long."""
KEPT_DURATIONS: Final = 5
"""The number of answers of a kind whose mean duration is expected of the next one."""
MAX_PAUSE_SECONDS: Final = 30.0
"""The longest time between two attempts to store an answer."""


@final
@frozen
class Failure:
    """Why a game has no answer.

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
        expected_seconds: The seconds that such an answer takes on this server, the mean of the last
            ones of this level on boards of this size; ``None`` before the first.
    """

    level: str
    seconds: float
    expected_seconds: float | None


@define(eq=False)
class _Answer:
    """The answer to one version of a game.

    Attributes:
        stored: The game with that version.
        found: The game with the answer, if it has been found and is not yet stored.
        failure: Why there is no answer; ``None`` while a thread looks for it.
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


def _kind_of(stored: StoredGame) -> tuple[str, int]:
    """Return the level that is to choose, and the number of cells."""
    seat = cast(Seat, stored.game.state.seat_to_move)
    return stored.computer[seat], len(stored.game.rules.board)


@final
class Answers:
    """The answers of players of the library that the games of a site wait for.

    A player that has failed is asked again only on request. An answer that could not be stored is
    kept, and stored as soon as this is possible. Both are failures that the view of the game shows
    until the game has changed.

    Threads may share it.

    Args:
        thinkers: The threads in which the players choose.
        choose: Returns the game with the answer.
        keep: Stores the game with the answer.
        notify: Called with the ID of a game after a failure.
    """

    def __init__(
        self,
        thinkers: Thinkers,
        choose: Callable[[StoredGame], Game],
        keep: Callable[[StoredGame, Game], object],
        notify: Callable[[str], object],
    ) -> None:
        self._thinkers = thinkers
        self._choose = choose
        self._keep = keep
        self._notify = notify
        self._answers: dict[str, _Answer] = {}
        self._numbers = count(1)
        self._lock = Lock()
        # The duration of the last answers, by level and number of cells.
        self._durations: dict[tuple[str, int], deque[float]] = {}

    def thinking(self, stored: StoredGame) -> Thinking | None:
        """Return for how long a thread has been looking for an answer; ``None`` if none is."""
        answer = self._answers.get(stored.id)
        if answer is None or answer.stored.version != stored.version or answer.failure is not None:
            return None
        durations = self._durations.get(_kind_of(stored), ())
        expected = round(sum(durations) / len(durations), 2) if durations else None
        return Thinking(_kind_of(stored)[0], round(monotonic() - answer.began_at, 2), expected)

    def failure(self, stored: StoredGame) -> Failure | None:
        """Return why a game has no answer; ``None`` if a thread looks for it, or none is due."""
        answer = self._answers.get(stored.id)
        is_current = answer is not None and answer.stored.version == stored.version
        return answer.failure if answer is not None and is_current else None

    def want(self, stored: StoredGame, client: str) -> None:
        """Let a thread find the answer to a game, unless this was done or has failed.

        Args:
            stored: The game, in which it is the turn of a player of the library.
            client: The client for whom the thread works.
        """
        with self._lock:
            answer = self._answers.get(stored.id)
            if answer is not None and answer.stored.version == stored.version:
                return
            answer = _Answer(stored)
            self._answers[stored.id] = answer
        job = partial(self._find, answer)
        if not self._thinkers.submit((stored.id, stored.version), job, client):
            # The queue is full: the next request for the game tries again.
            self._drop(answer)

    def retry(self, stored: StoredGame, client: str) -> None:
        """Try again after a failure: let a thread choose again, or store what it has chosen."""
        answer = self._answers.get(stored.id)
        if answer is None or answer.failure is None or answer.stored.version != stored.version:
            self.want(stored, client)
        elif answer.found is None:
            self._drop(answer)
            self.want(stored, client)
        else:
            self._store(answer, answer.found)

    def forget(self, name: str) -> None:
        """Drop the answer and the failure of a game, because the game has changed."""
        with self._lock:
            self._answers.pop(name, None)

    def _find(self, answer: _Answer) -> None:
        try:
            found = self._choose(answer.stored)
        except SiteError as error:
            self._fail(answer, error)
        except BaseException:
            # Nothing may end the thread: others wait for it.
            logging.getLogger(__name__).exception("An answer could not be found.")
            self._fail(answer, SiteError("computer-failed", 500))
        else:
            kept = self._durations.setdefault(_kind_of(answer.stored), deque(maxlen=KEPT_DURATIONS))
            kept.append(monotonic() - answer.began_at)
            self._store(answer, found)

    def _store(self, answer: _Answer, found: Game) -> None:
        """Store an answer; if this fails, show it and try again later."""
        try:
            self._keep(answer.stored, found)
        except SiteError as error:
            if error.code in ("outdated", "no-such-game"):
                # Somebody has undone an action, for example.
                self._drop(answer)
                return
            answer.found = found
            self._store_later(answer, found)
            self._fail(answer, SiteError("computer-not-saved", 503))
        except BaseException:
            logging.getLogger(__name__).exception("An answer could not be stored.")
            self._fail(answer, SiteError("computer-failed", 500))
        else:
            self._drop(answer)

    def _store_later(self, answer: _Answer, found: Game) -> None:
        """Let a thread try again after a pause, which grows with each failure."""
        timer = Timer(answer.pause, self._store_if_wanted, [answer, found])
        answer.pause = min(2 * answer.pause, MAX_PAUSE_SECONDS)
        timer.daemon = True
        with self._lock:
            if answer.timer is not None:
                answer.timer.cancel()
            answer.timer = timer
        timer.start()

    def _store_if_wanted(self, answer: _Answer, found: Game) -> None:
        # Meanwhile somebody may have changed the game, or asked for another attempt.
        if self._answers.get(answer.stored.id) is answer:
            self._store(answer, found)

    def _fail(self, answer: _Answer, error: SiteError) -> None:
        # Another failed attempt to store the same answer is not reported again.
        if answer.failure is None or answer.failure.error.code != error.code:
            answer.failure = Failure(next(self._numbers), error)
        self._notify(answer.stored.id)

    def _drop(self, answer: _Answer) -> None:
        with self._lock:
            if self._answers.get(answer.stored.id) is answer:
                del self._answers[answer.stored.id]
