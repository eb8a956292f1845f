"""SGF properties for the parts of a game."""

from __future__ import annotations

import re
from typing import Final

from pontedeldiavolo.base.enums import Color, Ending, Phase, Seat
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import MAX_SECONDS, seconds_of, time_text
from pontedeldiavolo.state.state import GameState

ACTION: Final = "PD"
GLYPHS: Final = "PDGLYPHS"
ANNOTATIONS: Final = "PDANNOTATIONS"
START: Final = "PDSTART"
ENDING: Final = "PDENDING"
TAGS: Final = "PDTAGS"

TEXTS: Final = {
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "GN": "GameName",
    "AN": "Annotator",
    "SO": "Source",
    "CP": "Copyright",
}
"""Standard properties that say what a tag says."""

OF_FILE: Final = ("FF", "CA", "AP", "GM", "ST", "SZ")
"""Properties that are about the file, and not kept."""

LETTERS: Final = {Color.WHITE: "W", Color.RED: "B"}
"""The format's two colours: what is not white is black."""

CLOCKS: Final = {color: f"{letter}L" for color, letter in LETTERS.items()}
"""The clock of a colour after its move, in seconds."""

WON_BY: Final = {
    "r": Ending.RESIGNATION,
    "resign": Ending.RESIGNATION,
    "t": Ending.TIME,
    "time": Ending.TIME,
    "f": Ending.ADJUDICATION,
    "forfeit": Ending.ADJUDICATION,
}
"""Words in RE for games that were not won by a score."""

JUDGEMENTS: Final = {
    ("TE", "1"): 1,
    ("TE", "2"): 3,
    ("BM", "1"): 2,
    ("BM", "2"): 4,
    ("IT", ""): 5,
    ("DO", ""): 6,
}
"""Standard properties that judge a move, as glyphs."""

PLAYERS: Final = tuple(f"P{letter}" for letter in LETTERS.values())

KNOWN: Final = frozenset(
    (
        *(ACTION, GLYPHS, ANNOTATIONS, START, ENDING, TAGS, "C", "N", "DT", "RE", "RU"),
        *TEXTS,
        *OF_FILE,
        *PLAYERS,
        *(name for name, _ in JUDGEMENTS),
    )
)

FOREIGN: Final = "SGF_"
"""The prefix of tags that keep unknown root properties."""

FOREIGN_NAME: Final = re.compile(f"{FOREIGN}([A-Z]{{1,64}})")
FOREIGN_VALUE: Final = re.compile(r"(?:\[(?:[^\\\]]++|\\.)*+\])++")


def player(game: Game, color: Color) -> Seat:
    """Return the owner of a colour; before the choice, the first seat for white."""
    return game.state.owner(color) or (Seat.FIRST if color is Color.WHITE else Seat.SECOND)


_CHOICE: Final = {Phase.OPENING: 1, Phase.COLOR_CHOICE: 0}
_SECONDS: Final = re.compile(r"[0-9]{1,10}(?:\.[0-9]{1,9})?")


def mover(start: GameState, place: int) -> Color | None:
    """Return the colour of action *place* of a game; ``None`` for the choice of a colour."""
    choice = _CHOICE.get(start.phase)
    if choice is None:
        first, turns = start.to_move, place
    else:
        first, turns = Color.RED, place - choice - 1
    if turns < 0:
        return Color.WHITE if turns < -1 else None
    return first if first is None or turns % 2 == 0 else first.opponent


def clock_value(text: str) -> str | None:
    """Return the value of a clock property for an annotation; ``None`` if not exact."""
    seconds = seconds_of(text)
    if seconds is None or seconds > MAX_SECONDS or time_text(seconds) != text:
        return None
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def clock_text(value: str) -> str | None:
    """Return the annotation for a clock property; ``None`` if it is not a valid time."""
    is_time = _SECONDS.fullmatch(value) is not None and float(value) <= MAX_SECONDS
    return time_text(float(value)) if is_time else None
