"""Play pairs of games in several processes, and return them in order.

Before Python 3.14, ``concurrent.futures`` cannot end a game in progress, and the interpreter waits
for it on exit; here a match that is over or interrupted terminates its workers at once.
"""

from __future__ import annotations

import pickle
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, closing, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from traceback import format_exc
from typing import Final, TypeAlias, cast, final

from attrs import evolve

from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.game.game import Game

from .pairing import Pair, Pairing, seated_player

STOP_SECONDS: Final = 5.0
"""The time that a process has to close its engines."""

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
        number = min(processes, len(pairs))
        workers = [stack.enter_context(closing(_Worker(sent))) for _ in range(number)]
        yield from _collected(workers, pairs, keep)


def _packed(pairing: Pairing) -> bytes:
    """Pickle a pairing, with the players that ``for_game`` of its players returns."""
    game = Game.new(pairing.rules, pairing.tags(1, 1))
    a = seated_player(pairing.a, pairing.names[0], 0, game)
    b = seated_player(pairing.b, pairing.names[1], 0, game)
    try:
        return pickle.dumps(evolve(pairing, a=a, b=b))
    except Exception as error:
        # Pickling calls code of the player, which may raise anything.
        raise PonteError(reason("player-not-sent", problem=str(error))) from error


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
        self.connection, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(target=work, args=(theirs, sent), daemon=True)
        self._process.start()
        # Close this process's copy, so that the end of the worker closes the connection.
        theirs.close()

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
            self._process.join()
            code = self._process.exitcode
            raise PonteError(reason("worker-ended", status=str(code))) from error

    def close(self) -> None:
        """Terminate the process, which first closes its engines."""
        self._process.terminate()
        self._process.join(STOP_SECONDS)
        self._process.kill()
        self._process.join()
        self.connection.close()


def work(connection: Connection, sent: bytes) -> None:
    """Play the requested pairs: the main function of a process."""
    # Ctrl-C reaches all processes; the parent process terminates the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A normal exit closes the engines of its players.
    signal.signal(signal.SIGTERM, _leave)
    pairing: Pairing | PonteError
    try:
        pairing = pickle.loads(sent)  # noqa: S301 - it comes from the process that started this one
    except Exception as error:  # noqa: BLE001 - code of the player may raise anything
        pairing = PonteError(reason("player-not-sent", problem=str(error)))
    # The connection closes when the parent process ends.
    with suppress(EOFError, OSError):
        while True:
            pair = connection.recv()
            connection.send((pair, _answer(pairing, pair)))


def _leave(_signal: int, _frame: object) -> None:
    raise SystemExit(0)


def _answer(pairing: Pairing | PonteError, pair: int) -> Pair | PonteError:
    if isinstance(pairing, PonteError):
        return pairing
    try:
        return pairing.play(pair)
    except PonteError as error:
        # Causes cannot be pickled, so a note contains the traceback.
        error.add_note(format_exc())
        return error
