"""A server for all tests of a file, and one who asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

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
