"""That the browser of these tests is one, and goes nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.paths import ROOT, screenshots

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


def test_pages_are_shown_and_scripts_run(page: Page, keep: Path) -> None:
    page.set_content("<title>Sea</title><p id='a'>land</p><script>a.textContent += '!'</script>")
    assert page.title() == "Sea"
    assert page.inner_text("#a") == "land!"
    page.screenshot(path=keep)
    assert keep.stat().st_size > 1_000
    assert keep.parent == screenshots()


def test_screenshots_are_kept_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PONTE_SCREENSHOTS", str(tmp_path))
    assert screenshots() == tmp_path
    monkeypatch.delenv("PONTE_SCREENSHOTS")
    assert screenshots() == ROOT / "build" / "screenshots"


def test_nothing_is_asked_of_other_machines(page: Page, strangers: list[str]) -> None:
    with page.expect_event("requestfailed"):
        page.set_content("<img src='https://example.invalid/a.png'>")
    assert strangers.pop() == "https://example.invalid/a.png"


def test_failing_scripts_are_noticed(page: Page) -> None:
    with pytest.raises(Exception, match="nothing_like_this"):
        page.evaluate("nothing_like_this()")
