"""Queues that are fair between clients."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections import Counter
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from pontedeldiavolo.web.queues import FairQueue
from support.http_server import PATIENCE

if TYPE_CHECKING:
    from pontedeldiavolo.web.http import logs, work_slots
else:
    logs = importlib.import_module("pontedeldiavolo.web.http.logs")
    work_slots = importlib.import_module("pontedeldiavolo.web.http.work_slots")


def new_queue(waiting: int = 9, total: int = 99, running: int = 9) -> FairQueue[int]:
    return FairQueue(waiting, total, running)


def served(queue: FairQueue[int], seconds: dict[str, float]) -> list[str]:
    """Return the order in which clients are served, whose jobs take some times."""
    order = []
    while len(queue):
        client, _ = queue.get()
        order.append(client)
        queue.done(client, seconds[client])
    return order


def test_a_client_is_served_between_the_jobs_of_another() -> None:
    queue = new_queue()
    for number in range(6):
        assert queue.put("greedy", number)
    assert queue.put("polite", 0)
    assert queue.put("polite", 1)
    assert served(queue, {"greedy": 1.0, "polite": 1.0})[:4] == ["greedy", "polite"] * 2


def test_the_time_of_jobs_counts_not_their_number() -> None:
    queue = new_queue()
    for number in range(4):
        queue.put("slow", number)
        queue.put("quick", number)
    order = served(queue, {"slow": 5.0, "quick": 0.1})
    assert order == ["slow", *["quick"] * 4, *["slow"] * 3]


def test_the_jobs_of_a_client_keep_their_order() -> None:
    queue = new_queue()
    for number in range(5):
        queue.put("a", number)
    assert [queue.get()[1] for _ in range(5)] == [0, 1, 2, 3, 4]


def test_time_that_nobody_else_could_use_does_not_count() -> None:
    queue = new_queue()
    for _ in range(50):
        queue.put("early", 0)
        queue.get()
        queue.done("early", 100.0)
    for number in range(4):
        queue.put("early", number)
        queue.put("late", number)
    order = served(queue, {"early": 1.0, "late": 1.0})
    assert Counter(order[:5]).keys() == {"early", "late"}


def test_a_queue_has_room_for_every_client() -> None:
    queue = new_queue(waiting=2, total=4)
    assert [queue.put("a", number) for number in range(4)] == [True, True, False, False]
    assert not queue.has_room("a")
    assert queue.has_room("b")
    assert [queue.put("b", number) for number in range(3)] == [True, True, False]
    assert not queue.put("c", 0)
    queue.get()
    assert queue.put("c", 0)


def test_a_client_never_has_all_threads() -> None:
    queue = new_queue(running=1)
    queue.put("greedy", 1)
    queue.put("greedy", 2)
    queue.put("polite", 3)
    assert queue.get() == ("greedy", 1)
    assert queue.get() == ("polite", 3)
    found: list[tuple[str, int]] = []
    thread = Thread(target=lambda: found.append(queue.get()), daemon=True)
    thread.start()
    thread.join(0.05)
    assert not found
    queue.done("greedy", 1.0)
    thread.join(PATIENCE)
    assert found == [("greedy", 2)]


def test_a_queue_forgets_clients() -> None:
    queue = new_queue()
    for number in range(1_000):
        queue.put(f"client {number}", 0)
        client, _ = queue.get()
        queue.done(client, 1.0)
    assert len(queue.__dict__["_used"]) < 10


def test_slots_go_round_between_clients() -> None:
    async def run() -> tuple[list[str], int]:
        found = work_slots.WorkSlots(max_working=3, max_working_each=2)
        order: list[str] = []
        most = 0

        async def work(client: str) -> None:
            nonlocal most
            await found.begin(client)
            order.append(client)
            most = max(most, len(order) - ended)
            await asyncio.sleep(0)
            end(client)

        ended = 0

        def end(client: str) -> None:
            nonlocal ended
            ended += 1
            found.end(client)

        clients = [*["greedy"] * 8, *["polite"] * 2]
        await asyncio.wait_for(asyncio.gather(*map(work, clients)), PATIENCE)
        return order, most

    order, most = asyncio.run(run())
    assert len(order) == 10
    assert order[:3] == ["greedy", "greedy", "polite"]
    assert most == 3


@pytest.mark.parametrize("moment", ["while it waits", "as its turn comes"])
def test_a_turn_whose_client_has_gone_is_given_to_others(moment: str) -> None:
    async def run() -> None:
        found = work_slots.WorkSlots(max_working=1, max_working_each=1)
        await found.begin("first")
        gone = asyncio.ensure_future(found.begin("gone"))
        last = asyncio.ensure_future(found.begin("last"))
        await asyncio.sleep(0)
        if moment == "as its turn comes":
            found.end("first")
            gone.cancel()
        else:
            gone.cancel()
            await asyncio.sleep(0)
            found.end("first")
        await asyncio.wait_for(last, PATIENCE)
        assert gone.cancelled()
        found.end("last")
        await asyncio.wait_for(found.begin("next"), PATIENCE)

    asyncio.run(run())


def test_repeated_lines_are_left_out_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(logs, "monotonic", lambda: now)
    logger = logging.getLogger(logs.LOGGERS[0])

    def flood(count: int) -> None:
        for number in range(count):
            logger.warning("bad request %d", number)

    with logs.bounded_log():
        flood(1_000)
        assert [record.getMessage() for record in caplog.records] == [
            *(f"bad request {number}" for number in range(4)),
            "bad request 4 More like this are left out until this minute is over.",
        ]
        # Other lines of the log are not omitted with them.
        logger.warning("something else")
        assert caplog.messages[-1] == "something else"
        caplog.clear()
        now = 61.0
        flood(2)
        assert caplog.messages == [
            "bad request 0 995 more like this were left out before.",
            "bad request 1",
        ]
    caplog.clear()
    flood(20)
    assert len(caplog.records) == 20
