"""A real browser that can reach only servers on this machine.

Without Chromium the tests are skipped; with PONTE_BROWSER=required, as in the session ``browser``
of the noxfile, they fail. Screenshots are stored in ``build/screenshots``, or in the folder that
PONTE_SCREENSHOTS names.

Many tests exist for each language, theme and size of a window. Every run tries one of these with
each test, and all of them with some test; the others are marked ``slow`` and run by night.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import urlsplit
from zlib import crc32

import pytest
from tools.browsers import OPTIONS, WITH_WINDOWS, chromium

from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from support.http_client import fixed_seed
from support.http_server import in_thread
from support.paths import screenshots
from support.screens import PATIENCE, Screen

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request

LOCAL = ("127.0.0.1", "localhost")
ONLY_LOCAL = ", ".join(("MAP * ~NOTFOUND", *(f"EXCLUDE {each}" for each in LOCAL)))
"""The rules of Chromium that leave the addresses of all other machines unknown."""
LOOKS = ("language", "theme", "size")
"""The parameters of tests that change how a page looks, and not what it does."""
REQUIRED = os.environ.get("PONTE_BROWSER") == "required"


def unavailable(reason: str) -> NoReturn:
    """Skip a test without a browser, or fail if a browser is required."""
    if REQUIRED:
        pytest.fail(reason)
    pytest.skip(reason)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the tests that differ only in how the page looks, leave one to every run."""
    alike: defaultdict[tuple[object, ...], list[pytest.Item]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and Path(__file__).parent in item.path.parents:
            values = item.callspec.params if hasattr(item, "callspec") else {}
            others = [(name, repr(value)) for name, value in values.items() if name not in LOOKS]
            alike[item.path, item.originalname, *others].append(item)
    for group in alike.values():
        # Every process chooses the same one. Another test has another language.
        chosen = crc32(group[0].nodeid.encode()) % len(group)
        for place, item in enumerate(group):
            if place != chosen:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - may not be there
    except ImportError:
        unavailable("playwright is not installed")
    with sync_playwright() as started:
        yield started


def launched(driver: Playwright, program: str | None) -> Browser:
    """Start a browser that finds no other machine."""
    if program is None:
        unavailable("Chromium is not installed")
    options = [*OPTIONS, f"--host-resolver-rules={ONLY_LOCAL}"]
    return driver.chromium.launch(executable_path=program, args=options)


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    started = launched(driver, chromium())
    yield started
    started.close()


@pytest.fixture
def strangers() -> list[str]:
    """Collect the addresses of refused requests to other machines, for tests to check."""
    return []


@pytest.fixture
def context(browser: Browser, strangers: list[str]) -> Iterator[BrowserContext]:
    """Open a browser context that notes requests to other machines, which the browser refuses."""
    opened = browser.new_context(viewport={"width": 1000, "height": 800})
    opened.set_default_timeout(20_000)

    # A route could refuse them, too, but then every request would wait for this process.
    def note(request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob", "file") and address.hostname not in LOCAL:
            strangers.append(request.url)

    opened.on("request", note)
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
def site(tmp_path: Path) -> Site:
    """Return a site whose games are in a folder."""
    return Site(FolderStore(tmp_path), fixed_seed)


@pytest.fixture
def address(site: Site) -> Iterator[str]:
    """Serve the site, and return its address."""
    with in_thread(site) as found:
        yield found


@pytest.fixture
def screen(page: Page, address: str) -> Screen:
    """Return the page as a player sees it, before it shows anything."""
    return Screen(page, address)


@pytest.fixture
def elsewhere(browser: Browser, address: str) -> Iterator[Screen]:
    """Open another browser, with a storage of its own."""
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    context.set_default_timeout(PATIENCE)
    yield Screen(context.new_page(), address)
    context.close()


@pytest.fixture
def windowed(driver: Playwright, address: str) -> Iterator[Screen]:
    """Open a page in a Chromium with windows, the only one that shows notifications."""
    started = launched(driver, chromium(WITH_WINDOWS))
    page = started.new_page()
    page.set_default_timeout(PATIENCE)
    yield Screen(page, address)
    started.close()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Screen]:
    """Open a page on a phone: a small window, and fingers instead of a pointer."""
    context = browser.new_context(
        viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(PATIENCE)
    yield Screen(context.new_page(), address)
    context.close()


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Path:
    """Return the path of a screenshot of the test, which people look at."""
    folder = screenshots()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{request.node.name.replace('/', '-')}.png"
