"""Tables of measurements in pages come from files that benchmarks and examples wrote."""

from __future__ import annotations

import sys

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import measured  # the path to it is set above


def filled(text: str) -> str:
    source = [text]
    measured.fill_marks(None, "page", source)
    return source[0]


def test_rows_of_a_table_of_speeds_are_chosen() -> None:
    found = filled("@measured speed: Complete random games: turns per second | 10×10@")
    head, _dashes, *rows = found.split("\n")
    # A single row stands as a column.
    assert head == "| case | 10×10 |"
    assert rows[0].startswith("| apply_unchecked | ")
    figures = " | ".join(row.split(" | ")[1].removesuffix(" |") for row in rows)
    table = (ROOT / "docs/explanation/speed_table.md").read_text("utf-8")
    assert f"| 10×10 | {figures} |" in table
    whole = filled("@measured speed: Complete random games: turns per second@")
    assert whole.startswith("| case | apply_unchecked | apply | plain |")
    assert len(whole.split("\n")) > 6


def test_targets_are_left_out() -> None:
    assert "target" not in filled("@measured speed: Times and sizes@")


@pytest.mark.parametrize("rest", ["No such table", "Times and sizes | nothing begins so"])
def test_what_no_table_has_is_an_error(rest: str) -> None:
    with pytest.raises(ValueError, match=r"^(speed_table\.md has no table|no row of)"):
        filled(f"@measured speed: {rest}@")


def test_instructions_and_advice_have_a_row_for_each_figure() -> None:
    assert filled("@measured instructions@").count("\n") == 1 + len(measured.TASKS)
    assert "| centre | `white` | " in filled("@measured advice@")


def test_every_mark_of_the_pages_is_filled() -> None:
    for page in (ROOT / "docs" / "explanation").glob("*.md"):
        assert "@measured" not in filled(page.read_text("utf-8"))
