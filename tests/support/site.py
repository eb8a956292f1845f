"""Run the example server in other processes, and send it requests."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from attrs import frozen

from support.paths import ROOT
from support.processes import PATIENCE, serving

if TYPE_CHECKING:
    import httpx
else:
    WHY = "the example of a server needs starlette, uvicorn and httpx"
    httpx = pytest.importorskip("httpx", reason=WHY)
    for needed in ("starlette", "uvicorn"):
        pytest.importorskip(needed, reason=WHY)

# These are needed besides the imports above.
__all__ = ["PATIENCE", "httpx"]

SERVER = ROOT / "examples" / "server.py"


def command() -> list[str]:
    """Return the command of the example's docstring, with a free port."""
    [line] = re.findall(r"^    python (-m uvicorn .*)$", SERVER.read_text("utf-8"), re.MULTILINE)
    return [sys.executable, *shlex.split(line), "--port", "0"]


@contextmanager
def running(database: Path) -> Iterator[str]:
    """Run a server with a database; yield its address, and finally kill it."""
    with serving(command(), database, {"PONTE_GAMES": str(database)}) as (address, _):
        yield address


@frozen
class Player:
    """A user with a seat in a game, or without one."""

    client: httpx.Client
    game: str
    token: str = ""

    def get(self, path: str = "", **params: str) -> httpx.Response:
        """Send a GET request about the game."""
        return self.client.get(f"/games/{self.game}{path}", params=params)

    def post(self, path: str, lang: str = "en", **data: Any) -> httpx.Response:
        """Send a POST request about the game."""
        return self.client.post(
            f"/games/{self.game}/{path}",
            params={"lang": lang},
            json=data,
            headers={"Authorization": f"Bearer {self.token}"} if self.token else {},
        )

    def see(self) -> dict[str, Any]:
        """Return the view of the game."""
        answer = self.get()
        assert answer.status_code == 200
        shown: dict[str, Any] = answer.json()
        return shown


def new_game(client: httpx.Client, rules: str) -> dict[str, Player]:
    answer = client.post("/games", json={"rules": rules})
    looking_on = Player(client, answer.json()["id"])
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/games/{looking_on.game}")
    return {seat: sit_down(looking_on, seat) for seat in ("first", "second")}


def sit_down(player: Player, seat: str) -> Player:
    """Return the player who takes a free seat."""
    answer = player.post("seats", seat=seat)
    assert (answer.status_code, answer.json()["seat"]) == (201, seat)
    return Player(player.client, player.game, answer.json()["token"])
