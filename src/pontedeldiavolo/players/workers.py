"""Play pairs of games in several processes, and return them in order.

Before Python 3.14, ``concurrent.futures`` cannot end a game in progress, and the interpreter waits
for it on exit; here a match that is over or interrupted terminates its workers at once.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from time import monotonic
from traceback import format_exc
from typing import Final, TypeAlias, cast, final

from attrs import evolve

from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.game.game import Game

from .interrupts import uninterrupted_children
from .pairing import Pair, Pairing, seated_player

NOT_SENT: Final = "a player cannot be sent to another process"
STOP_SECONDS: Final = 5.0
"""The time that all processes together have to close their engines."""

_Answer: TypeAlias = tuple[int, Pair | PonteError]


def in_processes(
    pairing: Pairing, pairs: Sequence[int], processes: int, keep: Callable[[int, Pair], object]
) -> Generator[Pair]:
    """Iterate over pairs of games in the order of their numbers.

    Closing the generator abandons games in progress.

    Args:
        pairing: The players, the rules and the seed.
        pairs: The numbers of the pairs, in order.
        processes: The number of processes.
        keep: Called with a number and its pair as soon as it is over.

    Raises:
        PlayerError: If a player fails or chooses something illegal.
        PonteError: If a player cannot be sent to another process, or a process ends.
    """
    sent = _packed(pairing)
    with ExitStack() as stack:
        workers = list[_Worker]()
        stack.callback(_close, workers)
        for _ in range(min(processes, len(pairs))):
            workers.append(_Worker(sent))
            workers[-1].start()
        yield from _collected(workers, pairs, keep)


def _packed(pairing: Pairing) -> bytes:
    """Pickle a pairing, with the players that ``for_game`` of its players returns."""
    game = Game.new(pairing.rules, pairing.tags(1, 1, pairing.opening(1)))
    a = seated_player(pairing.a, pairing.names[0], 0, game)
    b = seated_player(pairing.b, pairing.names[1], 0, game)
    try:
        return pickle.dumps(evolve(pairing, a=a, b=b))
    except Exception as error:
        # Pickling calls code of the player, which may raise anything.
        raise PonteError(f"{NOT_SENT}: {error}") from error


def _collected(
    workers: list[_Worker], pairs: Sequence[int], keep: Callable[[int, Pair], object]
) -> Generator[Pair]:
    """Assign pairs to workers, and yield their games in order."""
    left = iter(pairs)
    busy = {worker.connection: worker for worker in workers}
    for worker in workers:
        worker.ask(next(left))
    answers: dict[int, Pair | PonteError] = {}
    for pair in pairs:  # pragma: no branch - nobody asks for more after the last
        while pair not in answers:
            for each in wait([*busy]):
                worker = busy[cast(Connection, each)]
                number, answer = worker.answer()
                answers[number] = answer
                if not isinstance(answer, PonteError):
                    keep(number, answer)
                if (following := next(left, None)) is None:
                    del busy[worker.connection]
                else:
                    worker.ask(following)
        found = answers.pop(pair)
        if isinstance(found, PonteError):
            raise found
        yield found


@final
class _Worker:
    """A process that plays pairs, one at a time."""

    def __init__(self, sent: bytes) -> None:
        context = get_context("spawn")
        self.connection, self._theirs = context.Pipe()
        arguments = (self._theirs, sent)
        self._process: BaseProcess = context.Process(target=work, args=arguments, daemon=True)

    def start(self) -> None:
        """Start the process."""
        with uninterrupted_children():
            self._process.start()
        # Close this process's copy, so that the end of the worker closes the connection.
        self._theirs.close()

    def ask(self, pair: int) -> None:
        """Tell the worker to play a pair."""
        # If the process has ended, answer() raises.
        with suppress(OSError):
            self.connection.send(pair)

    def answer(self) -> _Answer:
        """Return the number of a pair, and its games or an error."""
        try:
            return cast(_Answer, self.connection.recv())
        except (EOFError, OSError) as error:
            # It has ended, or is about to; if it hangs, close() kills it.
            self._process.join(STOP_SECONDS)
            code = self._process.exitcode
            raise PonteError(reason("worker-ended", status=str(code))) from error

    def terminate(self) -> None:
        """Ask the process to end; it closes its engines first."""
        if self._process.pid is not None:
            self._process.terminate()

    def close(self, deadline: float) -> None:
        """Wait for the end of the process, and kill it after a time of ``time.monotonic``."""
        if self._process.pid is not None:
            self._process.join(max(0.0, deadline - monotonic()))
            self._process.kill()
            self._process.join()
        self.connection.close()
        self._theirs.close()


def _close(workers: Iterable[_Worker]) -> None:
    """End all workers."""
    for worker in workers:
        worker.terminate()
    deadline = monotonic() + STOP_SECONDS
    for worker in workers:
        worker.close(deadline)


def work(connection: Connection, sent: bytes) -> None:
    """Play the requested pairs: the main function of a process."""
    # Ctrl-C reaches all processes; the parent process terminates the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":  # pragma: no branch - there are no masks on Windows
        # The parent blocked this signal while the process started; engines need not inherit that.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    # A normal exit closes the engines of its players.
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # pragma: no branch - Windows has only one
            signal.signal(getattr(signal, name), _leave)
    Thread(target=_leave_with_parent, daemon=True).start()
    pairing: Pairing | PonteError
    try:
        pairing = pickle.loads(sent)  # noqa: S301 - it comes from the process that started this one
    except Exception as error:  # noqa: BLE001 - code of the player may raise anything
        pairing = PonteError(f"{NOT_SENT}: {error}")
    # The connection closes when the parent process ends.
    with suppress(EOFError, OSError):
        while True:
            pair = connection.recv()
            connection.send((pair, _answer(pairing, pair)))


def _leave(number: int, _frame: object) -> None:
    """End this process; a further signal does not interrupt that.

    Raises:
        SystemExit: Always.
    """
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(0)


def _leave_with_parent() -> None:
    """End this process when its parent has been killed, even in the middle of a game."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)


def _answer(pairing: Pairing | PonteError, pair: int) -> Pair | PonteError:
    if isinstance(pairing, PonteError):
        return pairing
    try:
        return pairing.play(pair)
    except PonteError as error:
        # Causes cannot be pickled, so a note contains the traceback.
        error.add_note(format_exc())
        return error
