"""A server and a client for all tests of a file."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.paths import ROOT

if TYPE_CHECKING:
    import httpx


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    # Import here: without the package, test modules are skipped, but this file is always loaded.
    from support import site  # noqa: PLC0415

    database = tmp_path_factory.mktemp("site") / "games.sqlite3"
    with (
        site.running(database) as address,
        site.httpx.Client(base_url=address, timeout=site.PATIENCE) as asking,
    ):
        yield asking


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the names of the server, which uses a temporary database."""
    monkeypatch.setenv("PONTE_GAMES", str(tmp_path / "games.sqlite3"))
    return runpy.run_path(str(ROOT / "examples" / "server.py"))
