"""A real browser that can reach only servers on this machine.

Without Chromium the tests are skipped; with PONTE_BROWSER=required, as in the session ``browser``
of the noxfile, they fail. Screenshots are stored in ``build/screenshots``, or in the folder that
PONTE_SCREENSHOTS names.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit

import pytest

from support.paths import screenshots

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
LOCAL = ("127.0.0.1", "localhost", "::1")
REQUIRED = os.environ.get("PONTE_BROWSER") == "required"


def unavailable(reason: str) -> NoReturn:
    """Skip a test without a browser, or fail if a browser is required."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        unavailable("Chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - may not be there
    except ImportError:
        unavailable("playwright is not installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield started
        started.close()


@pytest.fixture
def strangers() -> list[str]:
    """Collect the addresses of refused requests to other machines, for tests to check."""
    return []


@pytest.fixture
def context(browser: Browser, strangers: list[str]) -> Iterator[BrowserContext]:
    """Open a browser context that can reach only this machine."""
    opened = browser.new_context(viewport={"width": 1000, "height": 800})
    opened.set_default_timeout(20_000)

    def guard(route: Route) -> None:
        address = urlsplit(route.request.url)
        if address.scheme in ("data", "blob", "file") or address.hostname in LOCAL:
            route.continue_()
        else:
            strangers.append(route.request.url)
            route.abort()

    opened.route("**/*", guard)
    yield opened
    opened.close()
    assert strangers == []


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Open a page, and fail if one of its scripts fails."""
    opened = context.new_page()
    failures: list[str] = []
    opened.on("pageerror", lambda error: failures.append(str(error)))
    yield opened
    assert failures == []


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Path:
    """Return the path of a screenshot of the test, which people look at."""
    folder = screenshots()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{request.node.name.replace('/', '-')}.png"
