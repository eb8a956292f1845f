"""Chromium and Firefox on this machine, for tests, pictures and measurements."""

from __future__ import annotations

import shutil
from typing import Final

PROGRAMS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The names under which systems install Chromium; the noxfile, which imports nothing from here,
has them, too."""
FIREFOXES: Final = ("firefox-esr", "firefox")
"""The names under which systems install Firefox; the noxfile has them, too."""
OPTIONS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Options with which Chromium works without a screen and contacts no other machine."""


def chromium() -> str | None:
    """Return the path of Chromium; ``None`` if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def firefox() -> str | None:
    """Return the path of Firefox; ``None`` if it is not installed."""
    return next(filter(None, map(shutil.which, FIREFOXES)), None)
