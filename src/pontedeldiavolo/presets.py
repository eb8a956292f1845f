"""Rules under which the game is published and played, by name.

Several presets are equal: a name says where a game is played by these rules. Where a recorded
game came from is a tag of its record.

>>> import pontedeldiavolo as pdd
>>> pdd.presets.by_name("brettspielnetz").board
Board(width=12, height=12)
>>> pdd.presets.names_of(pdd.presets.ORIGINAL)
('original', 'boardspace')
"""

from pontedeldiavolo.base.lazy import public_dir
from pontedeldiavolo.rules.presets import (
    ABSTRACT_PLAY,
    ABSTRACT_PLAY_8,
    ABSTRACT_PLAY_12,
    BOARD_GAME_ARENA,
    BOARDSPACE,
    BRETTSPIELNETZ,
    ORIGINAL,
    WIKIPEDIA,
    YOUR_TURN_MY_TURN,
    by_name,
    names,
    names_of,
)

__all__ = [
    "ABSTRACT_PLAY",
    "ABSTRACT_PLAY_8",
    "ABSTRACT_PLAY_12",
    "BOARDSPACE",
    "BOARD_GAME_ARENA",
    "BRETTSPIELNETZ",
    "ORIGINAL",
    "WIKIPEDIA",
    "YOUR_TURN_MY_TURN",
    "by_name",
    "names",
    "names_of",
]
__dir__ = public_dir(__all__)
