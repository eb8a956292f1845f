"""Ctrl-C during a call whose rows several threads share."""

from __future__ import annotations

from threading import Event, current_thread, main_thread

import pytest

from pontedeldiavolo.batch import worker_pool


def test_an_interrupted_call_begins_no_more_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "processors", lambda: 2)
    begun = list[int]()
    other_has_begun = Event()
    may_end = Event()

    def work(start: int, _end: int) -> None:
        begun.append(start)
        if current_thread() is main_thread():
            assert other_has_begun.wait(60)
            # The other thread ends a moment after the interrupt.
            may_end.set()
            raise KeyboardInterrupt
        other_has_begun.set()
        assert may_end.wait(60)

    with pytest.raises(KeyboardInterrupt):
        worker_pool.map_chunks(work, 1000, 2)
    # The other thread may have begun a second one of the eight chunks.
    assert 2 <= len(begun) <= 3
