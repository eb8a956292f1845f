"""The example of a server in processes of its own, asked over HTTP."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attrs import frozen

from support.paths import ROOT

if TYPE_CHECKING:
    import httpx
else:
    WHY = "the example of a server needs starlette, uvicorn and httpx"
    httpx = pytest.importorskip("httpx", reason=WHY)
    for needed in ("starlette", "uvicorn"):
        pytest.importorskip(needed, reason=WHY)

__all__ = [
    "PATIENCE",
    "SERVER",
    "Player",
    "command",
    "httpx",
    "new_game",
    "running",
    "sit_down",
]

SERVER = ROOT / "examples" / "server.py"
PATIENCE = 60.0
"""After so many seconds a server does not start or answer: then it has failed."""


def command() -> list[str]:
    """Return the command that the example's docstring tells, at a free port."""
    [line] = re.findall(r"^    python (-m uvicorn .*)$", SERVER.read_text("utf-8"), re.MULTILINE)
    return [sys.executable, *shlex.split(line), "--port", "0"]


@contextmanager
def running(database: Path) -> Iterator[str]:
    """Run a server on a database; yield its address, and kill it in the end."""
    log = database.with_name(f"{database.name}-{time.monotonic_ns()}.log")
    with log.open("wb") as file:
        process = subprocess.Popen(
            command(),
            cwd=ROOT,
            env={**os.environ, "PONTE_GAMES": str(database), "PYTHONWARNINGS": "error"},
            stdout=file,
            stderr=file,
        )
        try:
            yield _address(process, log)
        finally:
            process.kill()
            process.wait()
    # Nothing is a fault of the server unless a test says so.
    assert "Traceback" not in log.read_text("utf-8")


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"http://127\.0\.0\.1:\d+", log.read_text("utf-8"))
        if found:
            return found.group()
        time.sleep(0.02)
    raise AssertionError(f"the server does not run: {log.read_text('utf-8')}")


@frozen
class Player:
    """Somebody who sits in a game, or only looks on."""

    client: httpx.Client
    game: str
    token: str = ""

    def get(self, path: str = "", **params: str) -> httpx.Response:
        """Ask for something of the game."""
        return self.client.get(f"/games/{self.game}{path}", params=params)

    def post(self, path: str, lang: str = "en", **data: Any) -> httpx.Response:
        """Do something in the game."""
        return self.client.post(
            f"/games/{self.game}/{path}",
            params={"lang": lang},
            json=data,
            headers={"Authorization": f"Bearer {self.token}"} if self.token else {},
        )

    def see(self) -> dict[str, Any]:
        """Return what the server shows of the game."""
        answer = self.get()
        assert answer.status_code == 200
        shown: dict[str, Any] = answer.json()
        return shown


def new_game(client: httpx.Client, rules: str) -> dict[str, Player]:
    """Create a game in which both seats are taken."""
    answer = client.post("/games", json={"rules": rules})
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/games/{answer.json()['id']}"
    looking_on = Player(client, answer.json()["id"])
    return {seat: sit_down(looking_on, seat) for seat in ("first", "second")}


def sit_down(player: Player, seat: str) -> Player:
    """Return the player who takes a free seat."""
    answer = player.post("seats", seat=seat)
    assert (answer.status_code, answer.json()["seat"]) == (201, seat)
    return Player(player.client, player.game, answer.json()["token"])
