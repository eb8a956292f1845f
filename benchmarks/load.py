"""Measure how much a hostile client slows down another client of the same server.

The program starts ``pontedeldiavolo serve`` on this machine, with a temporary folder. A polite
client plays against the computer, turn after turn. It is alone for some seconds; then a hostile
client sends as many requests of one kind as it can. The requests name different addresses, as if
they came through a proxy, so the server counts two clients. The hostile client is a separate
process. Unlike a client elsewhere, it shares the processors with the server.

    python -m benchmarks.load --write

``--write`` stores the figures in ``load.json``, from which the guide takes them. The program
contacts no other machine, and no part lasts longer than ``--seconds``, at most 60.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import platform
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any, Final, NamedTuple

from attrs import define, field

import pontedeldiavolo as pdd

FILE: Final = Path(__file__).with_suffix(".json")
HOST: Final = "127.0.0.1"
MAX_SECONDS: Final = 60.0
START_SECONDS: Final = 300.0
"""The maximum time in which the server starts and compiles the tree search."""
HOSTILE = "192.0.2.1"
POLITE = "198.51.100.1"
"""The addresses of the two clients, from ranges that are reserved for documentation."""
RULES: Final = "8x8 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
LARGE: Final = "26x26 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
LEAST_TURNS: Final = 3
"""The minimum number of turns for a median."""


class Answer(NamedTuple):
    """The status and the content of a response."""

    status: int
    data: Any


@define
class Client:
    """A client with one connection, which is opened again when it breaks."""

    port: int
    address: str
    asked: int = 0
    _connection: HTTPConnection | None = None

    def ask(self, method: str, path: str, token: str = "", **fields: object) -> Answer:
        """Send a request and return the answer; the status is 0 if there is none."""
        if self._connection is None:
            self._connection = HTTPConnection(HOST, self.port, timeout=MAX_SECONDS)
        headers = {"X-Forwarded-For": self.address}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        body = None
        if method == "POST":
            headers["Content-Type"] = "application/json"
            body = json.dumps(fields)
        self.asked += 1
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            content = response.read()
        except (OSError, HTTPException):
            self.close()
            return Answer(0, None)
        is_json = response.headers.get_content_type() == "application/json"
        return Answer(response.status, json.loads(content) if is_json else content.decode())

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


@define
class Player:
    """The polite client: it plays against the computer, and measures how long each turn takes."""

    client: Client
    rng: random.Random
    game: dict[str, Any] = field(factory=dict)
    refused: int = 0

    def turns(self, seconds: float) -> list[float]:
        """Play for some time; return the seconds from each action to the computer's answer."""
        took = []
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (found := self.turn()) is not None:
                took.append(found)
        return took

    def turn(self) -> float | None:
        """Play one turn; return its seconds, or ``None`` if the server refused something."""
        if not self.game or self.game["ending"]:
            begun = self.client.ask("POST", "/games", rules=RULES, opponent="level-1", seat="first")
            if begun.status != 201:
                return self._refused()
            self.game = begun.data
        played = act(self.client, self.game, self.rng)
        if played is None:
            return self._refused()
        begin, view = played
        while view["is_thinking"]:
            path = f"/games/{view['id']}?after={view['version']}"
            news = self.client.ask("GET", path)
            if news.status == 200:
                view = news.data
            elif news.status != 204:
                return self._refused()
        self.game = {**view, "token": self.game["token"]}
        return time.monotonic() - begin

    def _refused(self) -> float | None:
        """Count a refusal; then start a new game after a moment, as people do."""
        self.refused += 1
        self.game = {}
        time.sleep(0.1)
        return None


def act(
    client: Client, game: dict[str, Any], rng: random.Random
) -> tuple[float, dict[str, Any]] | None:
    """Play a random action; return the time when it was sent, and the next view of the game."""
    path = f"/games/{game['id']}"
    record = client.ask("GET", f"{path}/record")
    if record.status != 200:
        return None
    actions = pdd.records.loads(record.data).state.legal_actions
    action = pdd.format_action(actions.sample(rng))
    begin = time.monotonic()
    fields: dict[str, object] = {"version": game["version"], "action": action}
    played = client.ask("POST", f"{path}/actions", game["token"], **fields)
    is_played = played.status == 200 and "refused" not in played.data
    return (begin, played.data) if is_played else None


# The hostile client


class Attack(NamedTuple):
    """A kind of request that the hostile client sends as often as it can.

    Attributes:
        connections: The number of connections that it uses at a time.
        prepare: Prepares the attack on a port; returns the function that each connection repeats.
        needs_search: Whether the server runs the tree search, which must be compiled before.
    """

    connections: int
    prepare: Callable[[int], Callable[[Client], object]]
    needs_search: bool = False

    def run(self, port: int, seconds: float) -> int:
        """Attack for some time; return the number of requests."""
        work = self.prepare(port)
        clients = [Client(port, HOSTILE) for _ in range(self.connections)]
        print("ready", flush=True)
        end = time.monotonic() + seconds

        def go_on(client: Client) -> None:
            while time.monotonic() < end:
                work(client)

        for client in clients:
            Thread(target=go_on, args=[client], daemon=True).start()
        # Some threads may still wait for an answer. They end with the process.
        time.sleep(seconds)
        return sum(client.asked for client in clients)


def new_games(port: int, count: int, **fields: object) -> list[dict[str, Any]]:
    """Start as many games as the server allows the hostile client, and return them."""
    client = Client(port, HOSTILE)
    answers = [client.ask("POST", "/games", "", **{"rules": RULES, **fields}) for _ in range(count)]
    client.close()
    return [answer.data for answer in answers if answer.status == 201]


def analyses(port: int) -> Callable[[Client], object]:
    """Request analyses of 33 games."""
    games = new_games(port, 33)

    def work(client: Client) -> None:
        game = random.choice(games)
        path = f"/games/{game['id']}"
        client.ask("POST", f"{path}/analyses", game["token"], ply=0)
        client.ask("GET", f"{path}/analysis")

    return work


def strong_players(port: int) -> Callable[[Client], object]:
    """Play against the strongest player in 30 games."""
    games = new_games(port, 30, opponent="level-9", seat="first")

    def work(client: Client) -> None:
        game = random.choice(games)
        found = client.ask("GET", f"/games/{game['id']}")
        if found.status == 200 and not found.data["is_thinking"] and not found.data["ending"]:
            act(client, {**found.data, "token": game["token"]}, random.Random())

    return work


def large_views(port: int) -> Callable[[Client], object]:
    """Request the view of a game on 26×26."""
    [game] = new_games(port, 1, rules=LARGE)
    return lambda client: client.ask("GET", f"/games/{game['id']}")


def uploads(_port: int) -> Callable[[Client], object]:
    """Start games from the record of a whole game on 26×26."""
    rng = random.Random(1)
    game = pdd.Game.new(pdd.parse_rules(LARGE))
    while not game.state.is_over:
        game = game.play(game.state.legal_actions.sample(rng))
    start = pdd.records.dumps(game)
    return lambda client: client.ask("POST", "/games", rules=LARGE, start=start)


def refusals(port: int) -> Callable[[Client], object]:
    """Send requests that are refused while 190 requests wait for a game to change."""
    [game] = new_games(port, 1)
    head = f"Host: {HOST}\r\nX-Forwarded-For: {HOSTILE}\r\n\r\n"
    request = f"GET /games/{game['id']}?after={game['version']} HTTP/1.1\r\n{head}".encode()
    waiting = []
    for _ in range(190):
        connection = socket.create_connection((HOST, port), MAX_SECONDS)
        connection.sendall(request)
        waiting.append(connection)
    path = f"/games/{'0' * 32}/actions"

    def work(client: Client) -> None:
        # The connections stay open as long as this function exists.
        if waiting:
            client.ask("POST", path)

    return work


def silent_connections(port: int) -> Callable[[Client], object]:
    """Open connections without sending a request, and open them again when they are closed."""
    opened: list[socket.socket] = []
    # On Linux this machine has further local addresses, so the server sees another client.
    source = "127.0.0.2" if sys.platform == "linux" else HOST

    def work(client: Client) -> None:
        client.asked += 1
        with suppress(OSError):
            opened.append(socket.create_connection((HOST, port), 0.2, (source, 0)))
        if len(opened) >= 2_000:
            opened.pop(0).close()

    return work


KINDS: Final[dict[str, Attack]] = {
    "analyses of 33 games": Attack(33, analyses, needs_search=True),
    "30 games against the strongest player": Attack(8, strong_players, needs_search=True),
    "views of a game on 26×26, 32 at a time": Attack(32, large_views),
    "records of whole games on 26×26, 32 at a time": Attack(32, uploads),
    "refused requests, while 190 others wait": Attack(4, refusals),
    "silent connections, up to 2,000": Attack(1, silent_connections),
}


# The measurement


@contextmanager
def served() -> Iterator[int]:
    """Run a server with a temporary folder; yield its port."""
    with started() as (_process, port):
        yield port


@contextmanager
def started() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run a server with a temporary folder; yield its process and its port."""
    line = [
        sys.executable,
        "-m",
        "pontedeldiavolo",
        "serve",
        "--no-open",
        "--port",
        "0",
        "--expose",
    ]
    with tempfile.TemporaryDirectory(prefix="load-") as folder:
        log = Path(folder, "log")
        with log.open("wb") as file:
            command = [*line, "--host", HOST, "--folder", str(Path(folder, "games"))]
            process = subprocess.Popen(command, stdout=file, stderr=file)
        try:
            yield process, port_of(process, log)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def port_of(process: subprocess.Popen[bytes], log: Path) -> int:
    """Wait until a server has started; return its port."""
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        if found := re.search(rf"http://{re.escape(HOST)}:(\d+)/", log.read_text("utf-8")):
            return int(found[1])
        time.sleep(0.05)
    raise SystemExit(f"the server does not start: {log.read_text('utf-8')}")


def warmed_up(port: int) -> None:
    """Make the server compile the tree search, so that compilation is not measured."""
    client = Client(port, POLITE)
    if not client.ask("GET", "/words").data["levels"]["level-5"]:
        raise SystemExit("some attacks need the extra batch")
    begun = client.ask("POST", "/games", rules=RULES, opponent="level-5", seat="second").data
    end = time.monotonic() + START_SECONDS
    while client.ask("GET", f"/games/{begun['id']}?after=1").status != 200:
        if time.monotonic() > end:
            raise SystemExit("the tree search is not compiled in time")
    client.close()


def measured(kind: str, port: int, player: Player, seconds: float) -> dict[str, float]:
    """Return the figures for a kind of attack: alone, attacked, and alone again."""
    before = player.turns(seconds)
    refused = player.refused
    line = [sys.executable, "-m", "benchmarks.load", "--attack", kind, str(port), str(seconds + 1)]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        if process.stdout.readline() != "ready\n":
            raise SystemExit(f"{kind}: the attack does not begin")
        during = player.turns(seconds)
        refused = player.refused - refused
        asked = int(process.communicate()[0])
    # The server finishes what it has begun for the hostile client.
    time.sleep(1)
    after = player.turns(seconds)
    alone = before + after
    if len(alone) < LEAST_TURNS:
        raise SystemExit(f"{len(alone)} turns alone, too few for a figure: take more --seconds")
    # If no turn was completed, a turn takes longer than this part.
    latencies = during or [seconds]
    return {
        "asked": asked,
        "alone": len(alone) / (2 * seconds),
        "attacked": len(during) / seconds,
        "alone_latency": median(alone),
        "attacked_latency": median(latencies),
        "slowest": max(latencies),
        "ratio": median(latencies) / median(alone),
        "refused": refused,
    }


def processor() -> str:
    """Return the name of the processor, if the system knows it."""
    with suppress(OSError):
        text = Path("/proc/cpuinfo").read_text("utf-8")
        if found := re.search(r"model name\s*: (.*)", text):
            return found[1]
    return platform.processor() or platform.machine()


def main() -> None:
    """Measure and print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="the length of each part")
    parser.add_argument("--only", choices=KINDS, help="measure one kind of attack")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    parser.add_argument("--attack", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.attack:
        kind, port, seconds = given.attack
        print(KINDS[kind].run(int(port), min(MAX_SECONDS, float(seconds))), flush=True)
        # Threads that still wait for an answer end with the process.
        os._exit(0)
    if not 0 < given.seconds <= MAX_SECONDS - 1:
        parser.error(f"--seconds must be at most {MAX_SECONDS - 1:.0f}")
    found: dict[str, Any] = {
        "machine": f"{processor()} ({os.cpu_count()}), {platform.system()}",
        "python": platform.python_version(),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "seconds": given.seconds,
        "attacks": {},
    }
    kinds = [given.only] if given.only else [*KINDS]
    with served() as port:
        if any(KINDS[kind].needs_search for kind in kinds):
            warmed_up(port)
        player = Player(Client(port, POLITE), random.Random(1))
        for kind in kinds:
            figures = measured(kind, port, player, given.seconds)
            found["attacks"][kind] = {name: round(each, 4) for name, each in figures.items()}
            print(
                f"{kind}: {figures['alone']:.1f} turns a second alone, "
                f"{figures['attacked']:.1f} attacked by {figures['asked']:,.0f} requests; "
                f"a turn takes {figures['ratio']:.1f} times as long, "
                f"at most {figures['slowest']:.2f} s",
                flush=True,
            )
        found["load"] = round(os.getloadavg()[1], 1) if hasattr(os, "getloadavg") else 0
    if given.write:
        text = json.dumps(found, indent=1, ensure_ascii=False)
        FILE.write_text(f"{text}\n", "utf-8")


if __name__ == "__main__":
    main()
