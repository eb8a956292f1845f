"""A real Firefox that can reach only servers on this machine.

The session ``firefox`` of the noxfile runs these tests every night. Without Firefox or
``marionette_driver`` they are skipped; with PONTE_FIREFOX=required they fail. Screenshots are
stored as those of ``tests/browser`` are.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest
from tools.browsers import firefox

from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.thinkers import Thinkers
from support.firefox import Firefox, started
from support.folders import served
from support.http_client import fixed_seed
from support.http_server import in_thread
from support.paths import ROOT, screenshots

SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))


def unavailable(reason: str) -> NoReturn:
    """Skip a test without Firefox, or fail if Firefox is required."""
    if os.environ.get("PONTE_FIREFOX") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = firefox()
    if program is None:
        unavailable("Firefox is not installed")
    if find_spec("marionette_driver") is None:
        unavailable("marionette_driver is not installed")
    with started(program, tmp_path_factory.mktemp("firefox")) as found:
        yield found


@pytest.fixture
def fox(window: Firefox) -> Iterator[Firefox]:
    """Return Firefox with an empty page, and fail if a script of a page fails."""
    window.goes("about:blank")
    window.errors()
    yield window
    assert window.errors() == []


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve the page for playing; its games are in a folder."""
    folder = tmp_path / "games"
    folder.mkdir()
    with in_thread(Site(FolderStore(folder), fixed_seed, thinkers=Thinkers())) as found:
        yield found


@pytest.fixture(scope="session")
def documentation() -> Iterator[str]:
    """Serve the documentation, which must have been built with Pyodide."""
    if not (SITE / "_static" / "play" / "console.py").exists():
        if "PONTE_SITE" in os.environ:
            pytest.fail(f"no pages with Pyodide in {SITE}")
        pytest.skip("the documentation is not built with Pyodide: nox -s docs")
    with served(SITE) as found:
        yield found


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Path:
    """Return the path of a screenshot of the test, which people look at."""
    folder = screenshots()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"firefox-{request.node.name.replace('/', '-')}.png"
