"""A greedy client that uses all that it can get does not prevent service for a second one.

Both clients are on this machine. Their requests name different addresses, as if they came through
a proxy; only for tests of connections do they have different addresses.
"""

from __future__ import annotations

import importlib
import logging
import logging.handlers
import select
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from threading import Event
from typing import Any

import pytest
from attrs import field, frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.web.analyses import MAX_ANALYSES
from pontedeldiavolo.web.requests import MAX_BODY_BYTES
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import MAX_JOBS, MAX_WAITING_ANALYSES, AnalysisJob, Thinkers
from support.http_client import SMALL, fixed_seed
from support.http_server import PATIENCE, httpx, in_thread, server
from support.waiting import assert_soon

logs = importlib.import_module("pontedeldiavolo.web.http.logs")

pytestmark = pytest.mark.slow

GREEDY = "192.0.2.1"
POLITE = "2001:db8::1"
MAX_REQUESTS = 12


@frozen
class Stranger:
    """A client with its own address."""

    client: httpx.Client
    address: str

    def post(self, path: str, token: str = "", **fields: object) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self.client.post(path, json=fields, headers=headers)

    def begin(self, **fields: object) -> httpx.Response:
        return self.post("/games", "", **{"rules": SMALL, **fields})

    def game(self, **fields: object) -> dict[str, Any]:
        answer = self.begin(**fields)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def act(self, game: dict[str, Any], action: str) -> httpx.Response:
        fields = {"version": game["version"], "action": action}
        return self.post(f"/games/{game['id']}/actions", game["token"], **fields)

    def analyse(self, game: dict[str, Any]) -> httpx.Response:
        return self.post(f"/games/{game['id']}/analyses", game["token"], ply=0)

    def news(self, game: dict[str, Any], after: int) -> httpx.Response:
        return self.client.get(f"/games/{game['id']}", params={"after": after})


@frozen
class Scene:
    """A server with two clients; the greedy one acts until the end of the test."""

    site: Site
    address: str
    greedy: Stranger
    polite: Stranger
    released: Event
    stack: ExitStack
    threads: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(64))

    def in_background(self, work: Callable[[], object]) -> None:
        """Do something in a thread, without waiting for its end."""
        self.threads.submit(work)

    def connect(self, request: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
        """Open a connection until the end of the test."""
        host, _, port = self.address.removeprefix("http://").partition(":")
        found = socket.create_connection((host, int(port)), PATIENCE, (source, 0))
        self.stack.callback(found.close)
        found.sendall(request)
        return found

    def fill(self, request: bytes) -> list[socket.socket]:
        """Send requests that wait, until the server refuses further ones of the greedy client."""
        sent = [self.connect(request) for _ in range(MAX_REQUESTS)]
        while self.greedy.begin().status_code != 503:
            # One of the requests may have come at the same time as the check.
            sent.append(self.connect(request))
        return sent


@contextmanager
def scene(
    max_games: int | None = None, total: int = 200, wait: float = PATIENCE
) -> Iterator[Scene]:
    site = Site(MemoryStore(max_games), fixed_seed, thinkers=Thinkers(2))
    limits = server.ConnectionLimits(PATIENCE, total=total)
    options: dict[str, Any] = {"wait_seconds": wait, "max_requests": MAX_REQUESTS}
    released = Event()
    with in_thread(site, limits=limits, **options) as address, ExitStack() as stack:

        def stranger(of: str) -> Stranger:
            client = httpx.Client(
                base_url=address,
                headers={"X-Forwarded-For": of},
                timeout=PATIENCE,
                limits=httpx.Limits(max_connections=None),
            )
            return Stranger(stack.enter_context(client), of)

        found = Scene(site, address, stranger(GREEDY), stranger(POLITE), released, stack)
        # The threads end before their connections are closed.
        stack.callback(found.threads.shutdown, cancel_futures=True)
        stack.callback(released.set)
        yield found


def is_one_answered(connections: list[socket.socket], status: str) -> bool:
    """Return whether one of some connections gets a response with a status in time."""
    left = connections
    while left:
        answered, _, _ = select.select(left, [], [], PATIENCE)
        if not answered:
            return False
        if any(each.recv(20).startswith(f"HTTP/1.1 {status} ".encode()) for each in answered):
            return True
        # Some of the last ones were refused.
        left = [each for each in left if each not in answered]
    return False


def served(client: Stranger) -> None:
    """Begin a game, play, and get an answer of the computer."""
    game = client.game(opponent="level-1", seat="first")
    assert client.act(game, "a1,b1").status_code == 200
    assert client.news(game, 2).json()["version"] >= 3


@pytest.fixture(autouse=True)
def _all_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", bool)
    monkeypatch.setattr(Thinkers, "warm_up", lambda _self: None)


def test_games_against_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The greedy client plays slow games against the computer, as many as it can."""
    with scene() as found:
        choose = players.GreedyPlayer.choose

        def slow(player: players.GreedyPlayer, state: pdd.GameState) -> pdd.Action:
            found.released.wait(PATIENCE)
            return choose(player, state)

        monkeypatch.setattr(players.GreedyPlayer, "choose", slow)
        answers = [found.greedy.begin(opponent="level-4", seat="second") for _ in range(50)]
        refused = [answer for answer in answers if answer.status_code == 503]
        # The computer thinks in one game, and the others wait.
        assert len(answers) - len(refused) == MAX_JOBS + 1
        assert {answer.json()["code"] for answer in refused} == {"thinkers-busy"}
        for _ in range(3):
            served(found.polite)


def test_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    with scene() as found:

        def run(job: AnalysisJob) -> None:
            if job.client == GREEDY:
                found.released.wait(PATIENCE)
            job.is_over = True

        monkeypatch.setattr(AnalysisJob, "run", run)
        games = [found.greedy.game() for _ in range(MAX_WAITING_ANALYSES + 9)]
        assert_soon(lambda: 503 in [found.greedy.analyse(game).status_code for game in games])
        # Analyses and games of the other client do not wait for them.
        served(found.polite)
        game = found.polite.game()
        assert found.polite.analyse(game).status_code == 202
        path = f"/games/{game['id']}/analysis"
        assert found.polite.client.get(path).status_code == 200


def test_results_of_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    with scene() as found:
        monkeypatch.setattr(AnalysisJob, "run", lambda job: setattr(job, "is_over", True))
        mine = found.polite.game()
        assert found.polite.analyse(mine).status_code == 202
        path = f"/games/{mine['id']}/analysis"
        assert_soon(lambda: found.polite.client.get(path).status_code == 200)
        for _ in range(MAX_ANALYSES + 5):
            game = found.greedy.game()
            assert_soon(lambda game=game: found.greedy.analyse(game).status_code == 202)  # type: ignore[misc]
        assert len(found.site.analyses) == MAX_ANALYSES
        assert found.polite.client.get(path).status_code == 200


def test_requests_that_wait() -> None:
    """Requests that must make room get the response for an unchanged game."""
    with scene() as found:
        game = found.greedy.game()
        get = f"GET /games/{game['id']}?after=1 HTTP/1.1\r\nHost: localhost\r\n"
        request = f"{get}X-Forwarded-For: {GREEDY}\r\n\r\n".encode()
        waiting = found.fill(request)
        served(found.polite)
        assert is_one_answered(waiting, "204")


def test_requests_whose_bodies_do_not_come() -> None:
    with scene() as found:
        head = (
            "POST /games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"X-Forwarded-For: {GREEDY}\r\nContent-Length: {MAX_BODY_BYTES}\r\n\r\n{{"
        )
        slow = found.fill(head.encode())
        served(found.polite)
        assert is_one_answered(slow, "503")


def test_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow requests of the greedy client must not occupy all threads of the server."""
    with scene() as found:
        respond = Site.respond
        working: list[str] = []

        def slow(site: Site, handler: Any, request: Any) -> Any:
            if request.client == GREEDY:
                working.append(request.client)
                found.released.wait(PATIENCE)
            return respond(site, handler, request)

        monkeypatch.setattr(Site, "respond", slow)
        for _ in range(60):
            found.in_background(found.greedy.begin)
        assert_soon(lambda: len(working) == 1)
        for _ in range(3):
            served(found.polite)
        assert len(working) == 1


def test_uploads() -> None:
    """The greedy client uploads long records over all its connections."""
    moves = "".join(f"{number}. a1,a{number} " for number in range(2, 900))
    start = f"{SMALL}\n1. a1,b1 {moves}"[: MAX_BODY_BYTES - 200]
    with scene() as found:
        count = [0]

        def upload() -> None:
            while not found.released.is_set():
                found.greedy.begin(start=start)
                count[0] += 1

        for _ in range(20):
            found.in_background(upload)
        assert_soon(lambda: count[0] > 20)
        for _ in range(3):
            served(found.polite)


def test_places_for_games() -> None:
    with scene(max_games=10) as found:
        answers = [found.greedy.begin() for _ in range(20)]
        assert [answer.status_code for answer in answers].count(201) == 5
        assert answers[-1].json()["code"] == "too-many-own-games"
        served(found.polite)


@pytest.mark.skipif(sys.platform != "linux", reason="needs further addresses of this machine")
def test_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four clients together use all connections, each as many as it may have."""
    monkeypatch.setattr(server, "is_this_machine", lambda _address: False)
    with scene(total=8) as found:
        for number in range(40):
            found.connect(source=f"127.0.0.{2 + number % 4}")
        served(found.polite)


def test_wake_ups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.http.app.LOOK_SECONDS", 3600.0)
    with scene() as found:
        game = found.polite.game()
        looks = [0]
        load = MemoryStore.load

        def noted(store: Any, name: str) -> Any:
            looks[0] += name == game["id"]
            return load(store, name)

        monkeypatch.setattr(MemoryStore, "load", noted)
        waiting = found.threads.submit(found.polite.news, game, 1)
        assert_soon(lambda: looks[0] == 1)
        mine = found.greedy.game()
        for action in ("a1,b1", "red", "f1,f5", "a1,a1"):
            mine |= found.greedy.act(mine, action).json()
            found.greedy.post(f"/games/{'0' * 32}/actions")
            found.greedy.begin(rules="x")
        assert looks[0] == 1
        found.polite.act(game, "a1,b1")
        assert waiting.result(PATIENCE).json()["version"] == 2


def test_lines_of_the_log() -> None:
    """Each malformed request causes a line of the log, which must not hide other lines."""
    handler = logging.handlers.BufferingHandler(10_000)
    loggers = [logging.getLogger("uvicorn.error"), logging.getLogger("pontedeldiavolo.web")]
    with scene() as found:
        for logger in loggers:
            logger.addHandler(handler)
            found.stack.callback(logger.removeHandler, handler)
        for _ in range(200):
            malformed = found.connect(b"nonsense\r\n\r\n")
            assert malformed.recv(20).startswith(b"HTTP/1.1 400 ")
        assert 0 < len(handler.buffer) <= logs.MAX_RECORDS
        logging.getLogger("pontedeldiavolo.web.thinkers").error("Something else.")
        assert handler.buffer[-1].getMessage() == "Something else."
        served(found.polite)
