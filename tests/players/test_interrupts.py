"""Signals during the start of processes, and workers that do not start or lose their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from pontedeldiavolo import players
from pontedeldiavolo.cli.signals import handled_by
from pontedeldiavolo.players import workers
from pontedeldiavolo.players.interrupts import held_signals, uninterrupted_children

SHOW_MASK = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"
MASKS = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="there are no masks")


@pytest.fixture
def received() -> Iterator[list[int]]:
    """The signals that the handler of this process receives."""
    found = list[int]()
    before = signal.signal(signal.SIGINT, lambda number, _frame: found.append(number))
    yield found
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("guard", [held_signals, uninterrupted_children])
def test_a_signal_waits_for_the_end_of_the_block(guard: object, received: list[int]) -> None:
    with guard():  # type: ignore[operator]
        for _ in range(2):
            signal.raise_signal(signal.SIGINT)
        assert received == []
    # Two signals raise one interrupt.
    assert received == [signal.SIGINT]
    with guard():  # type: ignore[operator]
        pass
    assert received == [signal.SIGINT]


class Ended(BaseException):
    """Raised when the signal ends the command."""


def _end(_number: int, _frame: object) -> None:
    raise Ended


@pytest.mark.parametrize("guard", [held_signals, partial(handled_by, lambda *_: None)])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_handlers_are_exchanged_loses_none(
    guard: Callable[[], AbstractContextManager[None]],
    number: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {each: signal.signal(each, _end) for each in numbers}
    exchange = signal.signal
    try:
        for moment in range(8):
            calls = count()

            def send(each: int, handler: Any, calls: Any = calls, moment: int = moment) -> Any:
                found = exchange(each, handler)
                if next(calls) == moment:
                    signal.raise_signal(number)
                return found

            with monkeypatch.context() as patch, suppress(Ended):
                patch.setattr(signal, "signal", send)
                with guard():
                    pass
            assert [signal.getsignal(each) for each in numbers] == [_end, _end]
            if hasattr(signal, "pthread_sigmask"):
                assert number not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    finally:
        for each, handler in before.items():
            exchange(each, handler)


def test_other_threads_hold_nothing_back(received: list[int]) -> None:
    handlers = list[object]()

    def look() -> None:
        with held_signals():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = Thread(target=look)
    thread.start()
    thread.join()
    assert handlers == [signal.getsignal(signal.SIGINT)]
    assert received == []


@MASKS
def test_children_start_without_interrupts() -> None:
    command = [sys.executable, "-IS", "-c", SHOW_MASK]
    with uninterrupted_children():
        assert subprocess.run(command, capture_output=True, check=True).stdout.strip() == b"True"
    assert subprocess.run(command, capture_output=True, check=True).stdout.strip() == b"False"


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len([*folder.iterdir()]) if folder.is_dir() else 0


def test_workers_that_do_not_start_leave_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_worker: object) -> None:
        raise OSError(11, "no process is left")

    monkeypatch.setattr(workers._Worker, "start", fail)
    before = _open_files()
    with pytest.raises(OSError, match="no process is left"):
        players.match(players.RandomPlayer(), players.RandomPlayer(), 8, processes=2)
    assert _open_files() <= before


def test_a_worker_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = get_context("spawn").Pipe()
    theirs.close()
    ended = list[tuple[int, int]]()
    monkeypatch.setattr(workers, "parent_process", lambda: SimpleNamespace(sentinel=ours))
    monkeypatch.setattr(os, "kill", lambda process, number: ended.append((process, number)))
    workers._leave_with_parent()
    assert ended == [(os.getpid(), signal.SIGTERM)]
    ours.close()
    # Only workers have a parent process.
    monkeypatch.setattr(workers, "parent_process", lambda: None)
    workers._leave_with_parent()
    assert len(ended) == 1
