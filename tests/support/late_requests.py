"""Requests of a page that reach the server when a test lets them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


class LateRequests:
    """Requests of a page that reach the server when a test lets them."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._waiting: list[Route] = []
        self._page = page
        self._is_open = False
        page.route(pattern, self._arrive)

    def _arrive(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self._waiting.append(route)

    def wait_for_one(self) -> None:
        """Wait until the page has sent a request."""
        while not self._waiting:
            self._page.wait_for_timeout(10)

    def release(self) -> None:
        """Let all requests reach the server, and further ones as usual."""
        self._is_open = True
        for route in self._waiting:
            route.continue_()
