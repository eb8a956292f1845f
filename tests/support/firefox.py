"""Firefox, driven by Marionette, and the actions of a reader or player in it."""

from __future__ import annotations

import atexit
import base64
import gc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

import pytest
from attrs import frozen

PATIENCE: Final = 20.0
"""The maximum number of seconds in which a page must react."""
PREFERENCES: Final = {
    # Requests to other machines go to a proxy that does not exist, so they fail.
    "network.proxy.type": 1,
    **{f"network.proxy.{kind}": "127.0.0.1" for kind in ("http", "ssl", "socks")},
    **{f"network.proxy.{kind}_port": 9 for kind in ("http", "ssl", "socks")},
    "network.proxy.no_proxies_on": "127.0.0.1, localhost",
    # What is saved goes to a folder without a question.
    "browser.download.folderList": 2,
    "browser.download.useDownloadDir": True,
    "browser.download.alwaysOpenPanel": False,
    "intl.accept_languages": "en",
    "layout.css.prefers-color-scheme.content-override": 1,
}
ERRORS: Final = """
return Services.console.getMessageArray()
  .filter((each) => each instanceof Ci.nsIScriptError && !(each.flags & 1))
  .filter((each) => /^(http|file)/.test(each.sourceName))
  .map((each) => `${each.sourceName}:${each.lineNumber}: ${each.errorMessage}`);
"""
"""A script of Firefox itself that returns the errors of pages, and violations of their policy."""


@frozen
class Firefox:
    """A window of Firefox."""

    driver: Any
    """The object of ``marionette_driver``."""
    saved: Path
    """The folder of the files that pages save."""

    # Look

    def all(self, selector: str) -> list[Any]:
        """Return all elements that fit a selector of CSS."""
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def sees(self, selector: str) -> bool:
        """Return whether an element is on the page and is displayed."""
        return any(each.is_displayed() for each in self.all(selector))

    def text(self, selector: str) -> str:
        """Return the displayed text of the first element."""
        return str(self.all(selector)[0].text).strip()

    def script(self, text: str, *values: object) -> Any:
        """Run a script in the page, and return what it returns."""
        return self.driver.execute_script(text, script_args=[*values])

    def look(self, path: Path) -> None:
        """Store a picture of the window, as soon as nothing moves on the page."""
        self.waits(lambda: self.script("return document.getAnimations().length") == 0)
        path.write_bytes(base64.b64decode(self.driver.screenshot(full=False)))

    # Wait

    def waits(self, what: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until a condition is true; a replaced element makes it false for a moment."""
        from marionette_driver.errors import (  # noqa: PLC0415 - may not be there
            NoSuchElementException,
            StaleElementException,
        )

        end = monotonic() + seconds
        while True:
            try:
                if what():
                    return
            except (IndexError, NoSuchElementException, StaleElementException):
                pass
            if monotonic() > end:
                pytest.fail(f"not after {seconds} seconds; the page says: {self.text('body')}")
            sleep(0.05)

    def waits_for(self, selector: str, seconds: float = PATIENCE) -> None:
        """Wait until an element is displayed."""
        self.waits(lambda: self.sees(selector), seconds)

    def waits_without(self, selector: str) -> None:
        """Wait until no such element is displayed."""
        self.waits(lambda: not self.sees(selector))

    def waits_for_text(self, selector: str, text: str, seconds: float = PATIENCE) -> None:
        """Wait until an element says something, perhaps among other words."""
        self.waits(lambda: text in self.text(selector), seconds)

    # Act

    def goes(self, address: str) -> None:
        """Open an address; a change of the part after "#" alone does not load the page again."""
        self.driver.navigate(address)

    def clicks(self, selector: str) -> None:
        """Click on the first displayed element with the mouse, as soon as there is one."""

        def click() -> bool:
            part = next((each for each in self.all(selector) if each.is_displayed()), None)
            if part is None:
                return False
            part.click()
            return True

        self.waits(click)

    def chooses(self, selector: str, value: str) -> None:
        """Choose an option of a list."""
        # For a list in the window Firefox scrolls no further, even if something lies over it.
        self.script(
            "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", selector
        )
        self.clicks(f"{selector} option[value='{value}']")

    def fills(self, selector: str, text: str) -> None:
        """Replace the text of a field."""
        [field] = self.all(selector)
        field.clear()
        field.send_keys(text)

    def presses(self, *keys: str) -> None:
        """Press keys, each of which is a character or a name in ``Keys``."""
        from marionette_driver.keys import Keys  # noqa: PLC0415 - may not be there

        for key in keys:
            typed = key if len(key) == 1 else getattr(Keys, key)
            self.driver.actions.sequence("key", "keyboard").send_keys(typed).perform()

    def downloads(self, selector: str) -> Path:
        """Click on something that saves a file, and return its path when it is complete."""
        before = {*self.saved.iterdir()}
        self.clicks(selector)

        def new() -> list[Path]:
            found = [*self.saved.iterdir()]
            if any(each.suffix == ".part" for each in found):
                return []
            return [each for each in found if each not in before and each.stat().st_size]

        self.waits(new)
        [path] = new()
        return path

    # Settings and other windows

    @contextmanager
    def prefers(self, **preferences: object) -> Iterator[None]:
        """Change settings of Firefox for a while; ``__`` in a name stands for a full stop."""
        named = {name.replace("__", "."): value for name, value in preferences.items()}
        with self.driver.using_prefs(named):
            yield

    @contextmanager
    def elsewhere(self) -> Iterator[tuple[str, str]]:
        """Open a window with a storage of its own; yield the first window and the new one."""
        here = self.driver.current_window_handle
        there = self.driver.open(type="window", focus=True, private=True)["handle"]
        yield here, there
        self.turns_to(there)
        self.driver.close()
        self.turns_to(here)

    def turns_to(self, window: str) -> None:
        """Look at another window, and act there."""
        self.driver.switch_to_window(window)

    def errors(self) -> list[str]:
        """Return the errors of pages since the last call."""
        with self.driver.using_context("chrome"):
            found: list[str] = self.driver.execute_script(ERRORS)
            self.driver.execute_script("Services.console.reset()")
        return found


@contextmanager
def started(program: str, folder: Path) -> Iterator[Firefox]:
    """Start Firefox without a screen and with an empty profile; end it at last."""
    saved = folder / "saved"
    saved.mkdir()
    with warnings.catch_warnings():
        # Packages that it imports are deprecated, and it leaves sockets open while Firefox starts.
        warnings.simplefilter("ignore")
        from marionette_driver.marionette import Marionette  # noqa: PLC0415 - may not be there

        driver = Marionette(
            bin=program,
            headless=True,
            prefs={**PREFERENCES, "browser.download.dir": str(saved)},
            gecko_log=str(folder / "firefox.log"),
            port=0,
        )
    # Finalizers of its objects import modules, so they must not run later than this.
    atexit.register(gc.collect)
    try:
        driver.start_session()
        driver.set_window_rect(width=1280, height=900)
        yield Firefox(driver, saved)
    finally:
        driver.quit(in_app=False, clean=True)
        driver.cleanup()
