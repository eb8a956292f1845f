"""The example of a server in processes of its own, asked over HTTP."""

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

# Besides what is defined here.
__all__ = ["PATIENCE", "httpx"]

SERVER = ROOT / "examples" / "server.py"


def command() -> list[str]:
    """Return the command that the example's docstring tells, at a free port."""
    [line] = re.findall(r"^    python (-m uvicorn .*)$", SERVER.read_text("utf-8"), re.MULTILINE)
    return [sys.executable, *shlex.split(line), "--port", "0"]


@contextmanager
def running(database: Path) -> Iterator[str]:
    """Run a server on a database; yield its address, and kill it in the end."""
    with serving(command(), database, {"PONTE_GAMES": str(database)}) as (address, _):
        yield address


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
    answer = client.post("/games", json={"rules": rules})
    looking_on = Player(client, answer.json()["id"])
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/games/{looking_on.game}")
    return {seat: sit_down(looking_on, seat) for seat in ("first", "second")}


def sit_down(player: Player, seat: str) -> Player:
    """Return the player who takes a free seat."""
    answer = player.post("seats", seat=seat)
    assert (answer.status_code, answer.json()["seat"]) == (201, seat)
    return Player(player.client, player.game, answer.json()["token"])
