"""The marks on the board can be seen: in both themes, in print, and with forced colours."""

from __future__ import annotations

import io
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from support.http_client import BY_AN_ISLAND, SMALL
from support.screens import Screen, middle, press, walk

if TYPE_CHECKING:
    pass

Image = pytest.importorskip("PIL.Image", reason="not installed: extra png")

LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "print": {"media": "print", "color_scheme": "light"},
    "dark-print": {"media": "print", "color_scheme": "dark"},
    "forced": {"forced_colors": "active", "color_scheme": "light"},
    "dark-forced": {"forced_colors": "active", "color_scheme": "dark"},
}
LEAST = 3.0
"""The lowest contrast of a mark, as WCAG 2.2 requires it of graphics (1.4.11)."""
SHARE = 0.02
"""The share of the pixels of a cell that have this contrast where a mark is."""


def luminance(color: tuple[int, ...]) -> float:
    parts = [channel / 255 for channel in color[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def visible_share(before: list[tuple[int, ...]], after: list[tuple[int, ...]]) -> float:
    """Return the share of the pixels of two pictures whose colours have enough contrast."""
    # Few pairs of colours are different, and to compute a contrast takes long.
    pairs = Counter(zip(before, after, strict=True))
    return sum(count for pair, count in pairs.items() if contrast(*pair) >= LEAST) / len(before)


def pixels(screen: Screen, selector: str) -> list[tuple[int, ...]]:
    """Return the pixels of a part of the page."""
    box = screen.page.locator(selector).first.bounding_box()
    assert box is not None
    # The page may have been scrolled.
    octets = screen.page.screenshot(clip=box, animations="disabled")
    with Image.open(io.BytesIO(octets)) as image:
        flat = image.convert("RGB").tobytes()
    return [*zip(flat[::3], flat[1::3], flat[2::3], strict=True)]


def away(screen: Screen) -> None:
    """Move pointer and focus off the board."""
    screen.page.mouse.move(2, 2)
    screen.page.evaluate("document.activeElement.blur()")


def require_marks(screen: Screen, selectors: list[str], remove: str, share: float = SHARE) -> None:
    """Fail if the marks on some cells cannot be seen; take them away."""
    away(screen)
    marked = [pixels(screen, selector) for selector in selectors]
    screen.page.evaluate(remove)
    for selector, before in zip(selectors, marked, strict=True):
        after = pixels(screen, selector)
        assert visible_share(before, after) >= share, selector


@pytest.mark.parametrize("look", LOOKS)
def test_marks_can_be_seen(screen: Screen, look: str, keep: Path) -> None:
    page = screen.page
    page.emulate_media(**LOOKS[look])
    screen.begin(SMALL)
    # The cell with the focus, without the ghost of a tile, so that only the ring is compared.
    press(screen, "Tab", "Shift+Tab", "ArrowUp")
    cell = page.evaluate("document.activeElement.dataset.cell")
    page.mouse.move(2, 2)
    page.evaluate("document.querySelectorAll('#ghosts .shown').forEach(each => each.remove())")
    marked = pixels(screen, f"#cells [data-cell={cell}]")
    page.evaluate("document.activeElement.blur()")
    bare = pixels(screen, f"#cells [data-cell={cell}]")
    assert visible_share(marked, bare) >= SHARE
    # The first click, and the targets of the second one.
    screen.click("c3")
    away(screen)
    page.screenshot(path=keep)
    pressed = "document.querySelector('#cells [data-cell=c3]').setAttribute('aria-pressed', false)"
    require_marks(screen, ["#cells [data-cell=c3]"], pressed)
    choosing = "document.getElementById('cells').classList.remove('choosing')"
    require_marks(screen, ["#cells [data-cell=a1]", "#cells [data-cell=e5]"], choosing)
    # The reasons of a refusal: cells, and a bridge.
    page.keyboard.press("Escape")
    screen.begin(SMALL)
    for action in (*BY_AN_ISLAND, "a5,c5", "d5-f5"):
        screen.play(pdd.parse_action(action))
    screen.click("c3")
    names = page.eval_on_selector_all(
        "#cells [data-roles]", "found => found.map(each => each.dataset.cell)"
    )
    roles = page.eval_on_selector_all(
        "#cells [data-roles]", "found => found.map(each => each.dataset.roles)"
    )
    assert len({*roles}) > 1
    remove = "for (const each of document.querySelectorAll('#cells [data-roles]')) "
    remove += "each.removeAttribute('data-roles')"
    require_marks(screen, [f"#cells [data-cell={name}]" for name in names], remove)
    screen.click("e5")
    assert page.locator("#picture .culprit").count() > 0
    remove = "for (const each of document.querySelectorAll('.culprit')) "
    remove += "each.classList.remove('culprit')"
    require_marks(screen, ["#picture"], remove, SHARE / 10)
    # The move that is shown, and an earlier moment.
    page.keyboard.press("Escape")
    current = "document.querySelector('#moves [aria-current]').removeAttribute('aria-current')"
    require_marks(screen, ["#moves li:last-child a"], current)
    page.keyboard.press("Comma")
    require_marks(
        screen, ["#board"], "document.getElementById('board').classList.remove('past')", SHARE / 10
    )


def test_no_mark_covers_the_ghost_of_a_tile(screen: Screen) -> None:
    screen.begin(SMALL).click("c3")
    shown = "cell => getComputedStyle(document.querySelector(cell), '::after').display"
    cell = "#cells [data-cell=a1]"
    away(screen)
    assert screen.page.evaluate(shown, cell) != "none"
    screen.page.mouse.move(*middle(screen.cell("a1")))
    assert screen.page.evaluate(shown, cell) == "none"
    away(screen)
    press(screen, "Tab", "Shift+Tab")
    walk(screen, pdd.parse_cell("a1"))
    assert screen.page.evaluate(shown, cell) == "none"
