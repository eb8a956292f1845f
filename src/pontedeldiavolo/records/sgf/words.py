"""The properties that stand in an SGF file for what a game has."""

from __future__ import annotations

import re
from typing import Final

from pontedeldiavolo.game.game import Game
from pontedeldiavolo.vocabulary import Color, Ending, Seat

ACTION: Final = "PD"
GLYPHS: Final = "PDGLYPHS"
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

WON_BY: Final = {
    "r": Ending.RESIGNATION,
    "resign": Ending.RESIGNATION,
    "t": Ending.TIME,
    "time": Ending.TIME,
    "f": Ending.ADJUDICATION,
    "forfeit": Ending.ADJUDICATION,
}
"""What RE says of how a game was won, if not by a score."""

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
        *(ACTION, GLYPHS, START, ENDING, TAGS, "C", "N", "DT", "RE", "RU"),
        *TEXTS,
        *OF_FILE,
        *PLAYERS,
        *(name for name, _ in JUDGEMENTS),
    )
)

FOREIGN: Final = "SGF_"
"""How tags begin that keep a root property which means nothing here."""

FOREIGN_NAME: Final = re.compile(f"{FOREIGN}([A-Z]{{1,64}})")
FOREIGN_VALUE: Final = re.compile(r"(?:\[(?:[^\\\]]++|\\.)*+\])++")


def player(game: Game, color: Color) -> Seat:
    """Return the seat that stands for a colour: its owner, or first for white before the choice."""
    return game.state.owner(color) or (Seat.FIRST if color is Color.WHITE else Seat.SECOND)
