"""Chromium and Firefox on this machine, for tests, pictures and measurements."""

from __future__ import annotations

import shutil
from typing import Final

WITH_WINDOWS: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The names under which systems install Chromium."""
PROGRAMS: Final = ("chromium-headless-shell", *WITH_WINDOWS)
"""The same, after the name of Chromium without windows and menus, in which a new page takes less
than half the processor time. The noxfile, which imports nothing from here, has them, too."""
FIREFOXES: Final = ("firefox-esr", "firefox")
"""The names under which systems install Firefox; the noxfile has them, too."""
OPTIONS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Options with which Chromium works without a screen and contacts no other machine."""


def chromium(names: tuple[str, ...] = PROGRAMS) -> str | None:
    """Return the path of the first installed program of these; ``None`` if there is none."""
    return next(filter(None, map(shutil.which, names)), None)


def firefox() -> str | None:
    """Return the path of Firefox; ``None`` if it is not installed."""
    return next(filter(None, map(shutil.which, FIREFOXES)), None)
