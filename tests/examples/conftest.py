"""A server for all tests of a file, and one who asks."""

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
    # Here and not above: modules of tests can be skipped, where something is missing, this cannot.
    from support import site  # noqa: PLC0415

    database = tmp_path_factory.mktemp("site") / "games.sqlite3"
    with (
        site.running(database) as address,
        site.httpx.Client(base_url=address, timeout=site.PATIENCE) as asking,
    ):
        yield asking


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Give what the server defines, with a database of its own."""
    monkeypatch.setenv("PONTE_GAMES", str(tmp_path / "games.sqlite3"))
    return runpy.run_path(str(ROOT / "examples" / "server.py"))
