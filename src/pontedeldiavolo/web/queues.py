"""A queue of jobs that is fair between clients."""

from __future__ import annotations

from collections import Counter, deque
from threading import Condition
from typing import Generic, TypeVar, final

T = TypeVar("T")


@final
class FairQueue(Generic[T]):
    """A queue from which threads take the job of the client that has used the least time.

    A client with many long jobs is served between the jobs of others, never before all of them.
    Only time that is used while others could have used it counts: a client that has been busy
    alone for an hour has no disadvantage when a second client arrives.

    Any number of threads may use a queue at the same time.

    Args:
        max_waiting: The maximum number of jobs that wait for each client.
        max_total: The maximum number of jobs that wait for all clients.
        max_running: The maximum number of jobs that run at a time for each client.
    """

    def __init__(self, max_waiting: int, max_total: int, max_running: int) -> None:
        self._max_waiting = max_waiting
        self._max_total = max_total
        self._max_running = max_running
        self._waiting: dict[str, deque[T]] = {}
        self._running: Counter[str] = Counter()
        # Start-time fair queueing: the time that each client has used, in seconds, and the least
        # of these times among the clients that were served last. New clients begin there.
        self._used: dict[str, float] = {}
        self._least = 0.0
        self._changed = Condition()

    def __len__(self) -> int:
        """Return the number of waiting jobs."""
        with self._changed:
            return self._count()

    def has_room(self, client: str) -> bool:
        """Return whether a client may add a job."""
        with self._changed:
            return self._has_room(client)

    def put(self, client: str, job: T) -> bool:
        """Add a job if there is room; return whether it was added."""
        with self._changed:
            if not self._has_room(client):
                return False
            self._waiting.setdefault(client, deque()).append(job)
            self._used[client] = max(self._used.get(client, 0.0), self._least)
            self._changed.notify()
            return True

    def get(self) -> tuple[str, T]:
        """Wait for a job; return its client and the job. Call :meth:`done` when it has ended."""
        with self._changed:
            while not (ready := [each for each in self._waiting if self._may_run(each)]):
                self._changed.wait()
            # Among equals, the client that has waited longest is the first one.
            client = min(ready, key=self._used.__getitem__)
            self._least = max(self._least, self._used[client])
            self._running[client] += 1
            jobs = self._waiting.pop(client)
            job = jobs.popleft()
            if jobs:
                # The client moves behind the others.
                self._waiting[client] = jobs
            return client, job

    def done(self, client: str, seconds: float) -> None:
        """Count the time that a job of a client took."""
        with self._changed:
            self._used[client] += seconds
            self._running[client] -= 1
            self._running += Counter()
            self._forget()
            # The client may have been at its limit of running jobs.
            self._changed.notify()

    def _forget(self) -> None:
        """Forget clients that would be served just like new ones."""
        if not self._waiting and not self._running:
            self._used.clear()
            self._least = 0.0
        self._used = {
            client: used
            for client, used in self._used.items()
            if used > self._least or client in self._waiting or client in self._running
        }

    def _count(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _has_room(self, client: str) -> bool:
        is_full = self._count() >= self._max_total
        return not is_full and len(self._waiting.get(client, ())) < self._max_waiting

    def _may_run(self, client: str) -> bool:
        return self._running[client] < self._max_running
