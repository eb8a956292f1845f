"""The rules on one screen: short sections in every language, with boards as state texts."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from pontedeldiavolo.base.language_files import tables_of

_START: Final = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
_PLAY: Final = "phase=play to-move=white white=first"


@frozen
class SummaryBoard:
    """A board of the summary.

    Attributes:
        state: The state as text.
        actions: Actions that the board asks about, as texts; a single cell is one tile.
    """

    state: str
    actions: tuple[str, ...] = ()


@frozen
class SummarySection:
    """A section of the summary: a heading, a paragraph, and its boards."""

    key: str
    heading: str
    text: str
    boards: tuple[SummaryBoard, ...]


_BOARDS: Final[dict[str, tuple[SummaryBoard, ...]]] = {
    "start": (),
    "turn": (),
    "islands": (
        SummaryBoard(f"7x4 {_START} rows=w6/w3w2/ww5/7 built=- {_PLAY}", ("d2", "b3", "c3")),
    ),
    "bridges": (
        SummaryBoard(
            f"7x4 {_START} rows=2w4/4w1w/1w4r/w1w1w1w built=a1-c1 {_PLAY}",
            ("e1-e3", "e1-g3", "b2-c4", "c1-e1", "g1-g3"),
        ),
    ),
    "end": (),
    "score": (SummaryBoard(f"7x5 {_START} rows=rr3rr/rr3rr/7/ww1ww2/ww1ww2 built=b2-d2 {_PLAY}"),),
}


def rules_summary(code: str) -> tuple[str, tuple[SummarySection, ...]]:
    """Return title and sections of the summary in the language of a code."""
    texts = tables_of(code)["summary"]
    sections = (SummarySection(key, **texts[key], boards=_BOARDS[key]) for key in _BOARDS)
    return texts["title"], tuple(sections)
