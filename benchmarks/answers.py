"""Measure whole HTTP requests to ``pontedeldiavolo serve``, one after the other, without a browser.

    python -m benchmarks.answers --write

The program starts a server on this machine with a temporary folder, plays a game at random to its
middle, and sends requests of each kind over one connection. A figure is the median of many
requests: the milliseconds from the request to the last byte of its answer, and the milliseconds of
processor time that the server spends on one, which other programs on the machine change little.
``--write`` stores the figures in ``answers.json``, with the average load. It contacts no other
machine. The processor time of the server is known on Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

import pontedeldiavolo as pdd

from .clicks import MIDDLES, begun
from .load import POLITE, Answer, Client, processor, started

FILE: Final = Path(__file__).with_suffix(".json")
REQUESTS: Final = 200
MILLISECONDS: Final = 1000
OK: Final = (200, 201)


def processor_seconds(process_id: int) -> float:
    """Return the processor time that the threads of a process have used, from Linux."""
    paths = Path(f"/proc/{process_id}/task").glob("*/schedstat")
    # The first number counts the nanoseconds on a processor.
    return sum(int(path.read_text("ascii").split()[0]) for path in paths) / 1e9


def succeeded(answer: Answer) -> Any:
    """Return the content of an answer that is no refusal."""
    if answer.status not in OK or (isinstance(answer.data, dict) and "refused" in answer.data):
        raise SystemExit(f"the server has refused a request: {answer}")
    return answer.data


class Request(NamedTuple):
    """A request to measure.

    Attributes:
        ask: Sends the request and reads its answer.
        restore: Restores the state of the server afterwards; its time does not count.
    """

    ask: Callable[[], object]
    restore: Callable[[], object] = bool


def measured(process_id: int, request: Request, requests: int) -> dict[str, float]:
    """Return the median milliseconds of a request, and those of the server's processor time."""
    took: list[float] = []
    spent: list[float] = []
    for _ in range(requests):
        before = processor_seconds(process_id)
        begin = perf_counter()
        request.ask()
        took.append(perf_counter() - begin)
        spent.append(processor_seconds(process_id) - before)
        request.restore()
    return {
        "milliseconds": float(f"{MILLISECONDS * median(took):.2g}"),
        "processor_milliseconds": float(f"{MILLISECONDS * median(spent):.2g}"),
    }


def kinds(client: Client, game: dict[str, Any]) -> dict[str, Request]:
    """Return the requests to measure in a game."""
    path = f"/games/{game['id']}"
    token = game["token"]
    version = game["version"]
    record = succeeded(client.ask("GET", f"{path}/record"))
    pairs = pdd.records.loads(record).state.legal_actions.pairs
    rng = random.Random(1)

    def act() -> None:
        nonlocal version
        action = pdd.format_action(pairs.sample(rng))
        answer = client.ask("POST", f"{path}/actions", token, version=version, action=action)
        version = succeeded(answer)["version"]

    def undo() -> None:
        nonlocal version
        version = succeeded(client.ask("POST", f"{path}/undo", token, version=version))["version"]

    return {
        "action": Request(act, undo),
        "view": Request(lambda: succeeded(client.ask("GET", path, token))),
        "record": Request(lambda: succeeded(client.ask("GET", f"{path}/record"))),
    }


def main() -> None:
    """Measure and print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--requests", type=int, default=REQUESTS, help="the number of each kind")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    asked = parser.parse_args()
    boards: dict[str, dict[str, dict[str, float]]] = {}
    with started() as (process, port):
        for board in MIDDLES:
            client = Client(port, POLITE)
            game = begun(client, board)
            boards[board] = {
                kind: measured(process.pid, request, asked.requests)
                for kind, request in kinds(client, game).items()
            }
            client.close()
            print(f"{board}: {json.dumps(boards[board])}", flush=True)
    report = {
        "command": "python -m benchmarks.answers --write",
        "machine": f"{processor()} ({os.cpu_count()}), {platform.system()}",
        "python": platform.python_version(),
        "date": datetime.now(UTC).date().isoformat(),
        "requests": asked.requests,
        "boards": boards,
        "load": round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else 0,
    }
    if asked.write:
        FILE.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
