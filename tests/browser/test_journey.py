"""The scripts that run between a click on the page and its answer."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from support.http_client import SMALL
from support.paths import ROOT
from support.screens import Screen

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

PAGE = ROOT / "docs" / "explanation" / "architecture.md"
HEADING = "### A click on the page\n"


def scripts_that_ran(session: CDPSession) -> set[str]:
    """Return the names of the scripts whose functions have run since the last call."""
    scripts = session.send("Profiler.takePreciseCoverage")["result"]
    # A function without a name may be the module, which runs when it is imported.
    ran = [
        script
        for script in scripts
        if any(each["functionName"] and each["ranges"][0]["count"] for each in script["functions"])
    ]
    paths = [PurePosixPath(urlsplit(script["url"]).path) for script in ran]
    # The other scripts are those of the tool that drives the browser.
    return {path.name for path in paths if path.suffix == ".js"}


def test_architecture_page_lists_scripts_of_a_click(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.click("d4")
    session = screen.page.context.new_cdp_session(screen.page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": False})
    screen.click("b2")
    ran = scripts_that_ran(session)
    _, _, text = PAGE.read_text("utf-8").partition(HEADING)
    section = text.partition("\n#")[0]
    listed = {PurePosixPath(path).name for path in re.findall(r"`([a-z/]+\.js)`", section)}
    counted = {PurePosixPath(path).name for path in re.findall(r"\n\| `([a-z/]+\.js)` \|", section)}
    assert counted
    assert counted <= ran
    assert ran <= listed
