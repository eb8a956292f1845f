"""Pairs of games played in several processes, and handed over in their order."""

from __future__ import annotations

import pickle
import signal
from collections.abc import Generator, Sequence
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from traceback import format_exc
from typing import Final, cast, final

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.fixture import Fixture, Pair, sat_down

UNSENT: Final = "a player cannot be sent to another process"

_Answer = tuple[int, Pair | PonteError]


def in_processes(fixture: Fixture, pairs: Sequence[int], processes: int) -> Generator[Pair]:
    """Iterate over pairs of games in the order of their numbers.

    What has been begun is given up when nobody asks for more.

    Raises:
        PlayerError: If a player does not play by the rules.
        PonteError: If a player cannot be sent to another process, or a process ends.
    """
    sent = _packed(fixture)
    with ExitStack() as stack:
        workers = []
        for _ in range(min(processes, len(pairs))):
            workers.append(_Worker(sent))
            stack.callback(workers[-1].stop)
        yield from _collected(workers, pairs)


def _packed(fixture: Fixture) -> bytes:
    """Return a fixture as other processes read it: what a player gives for a game is sent."""
    game = Game.new(fixture.rules, fixture.tags(1, 1))
    a, b = (sat_down(player, 0, game) for player in (fixture.a, fixture.b))
    try:
        return pickle.dumps(Fixture(a, b, fixture.rules, fixture.seed))
    except Exception as error:
        # Whoever wrote the players, anything may come out of them.
        raise PonteError(f"{UNSENT}: {error}") from error


def _collected(workers: list[_Worker], pairs: Sequence[int]) -> Generator[Pair]:
    """Hand out numbers and take in games."""
    left = iter(pairs)
    busy = {worker.connection: worker for worker in workers}
    for worker in workers:
        worker.ask(next(left))
    answers: dict[int, Pair | PonteError] = {}
    for pair in pairs:
        while pair not in answers:
            for each in wait([*busy]):
                worker = busy[cast(Connection, each)]
                number, answer = worker.answer()
                answers[number] = answer
                following = next(left, None)
                if following is None:
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
        # It is theirs alone: so the end of the process is the end of the connection.
        theirs.close()

    def ask(self, pair: int) -> None:
        """Have a pair played."""
        # If the process has ended, there will be no answer, and that is told then.
        with suppress(OSError):
            self.connection.send(pair)

    def answer(self) -> _Answer:
        """Return what was asked for, with its number."""
        try:
            return cast(_Answer, self.connection.recv())
        except (EOFError, OSError) as error:
            self._process.join()
            code = self._process.exitcode
            raise PonteError(
                f"a process that played games has ended, with exit code {code}"
            ) from error

    def stop(self) -> None:
        """End the process, whatever it does."""
        self._process.terminate()
        self._process.join()
        self.connection.close()


def work(connection: Connection, sent: bytes) -> None:
    """Play all pairs that are asked for: the life of a process."""
    # Ctrl-C goes to all processes; the one that started these ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    fixture: Fixture | PonteError
    try:
        fixture = pickle.loads(sent)  # noqa: S301 - it comes from the process that started this one
    except Exception as error:  # noqa: BLE001 - whoever wrote the players, anything may come out
        fixture = PonteError(f"{UNSENT}: {error}")
    # The connection ends with the process that started this one.
    with suppress(EOFError, OSError):
        while True:
            pair = connection.recv()
            connection.send((pair, _answer(fixture, pair)))


def _answer(fixture: Fixture | PonteError, pair: int) -> Pair | PonteError:
    if isinstance(fixture, PonteError):
        return fixture
    try:
        return fixture.play(pair)
    except PonteError as error:
        # Causes are not sent: what they say is.
        error.add_note(format_exc())
        return error
