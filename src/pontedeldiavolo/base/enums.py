"""Enums and constants of the game: colours, seats, phases, endings, codes of violations.

``[S0]`` to ``[S4]`` in docstrings name the source of a rule: the page "Sources of
the rules" of the documentation lists these texts.
"""

from __future__ import annotations

from enum import Enum, StrEnum, unique
from typing import Final, final

ISLAND_SIZE: Final = 4
"""Number of connected tiles of one colour that make an island; larger groups are illegal [S0]."""

TILES_PER_TURN: Final = 2
"""Number of tiles in a turn that places tiles [S0]."""


@final
@unique
class Color(Enum):
    """A colour of tiles. White always makes the first move [S1].

    >>> pdd.Color.WHITE.opponent
    <Color.RED: 'red'>
    >>> [color.index for color in pdd.Color]
    [0, 1]
    """

    WHITE = "white"
    RED = "red"

    @property
    def opponent(self) -> Color:
        """The other colour."""
        return Color.RED if self is Color.WHITE else Color.WHITE

    @property
    def index(self) -> int:
        """0 for white, 1 for red: the colour's place in every pair of numbers."""
        return 0 if self is Color.WHITE else 1


@final
@unique
class Seat(Enum):
    """The first or the second player; the colour of a seat is chosen after move one [S2].

    Seats need not alternate: after the choice ``red`` the second seat moves twice in a row.

    >>> pdd.Seat.FIRST.opponent
    <Seat.SECOND: 'second'>
    """

    FIRST = "first"
    SECOND = "second"

    @property
    def opponent(self) -> Seat:
        """The other seat."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST

    @property
    def index(self) -> int:
        """0 for the first seat, 1 for the second."""
        return 0 if self is Seat.FIRST else 1


@final
@unique
class Phase(Enum):
    """The part of the game that a state is in.

    >>> pdd.GameState.initial().phase
    <Phase.OPENING: 'opening'>
    """

    OPENING = "opening"
    """White's first two tiles, placed by the first seat."""
    COLOR_CHOICE = "color-choice"
    """The second seat takes white or red [S0]."""
    PLAY = "play"
    """Red and white alternate, red first."""
    LAST_TURN = "last-turn"
    """White has passed; red has one more turn [S0]."""
    OVER = "over"
    """The game has ended: no action is legal."""


# Python 3.11 finds the names of a module much faster than the members of an enum.
WHITE: Final = Color.WHITE
RED: Final = Color.RED
OPENING: Final = Phase.OPENING
COLOR_CHOICE: Final = Phase.COLOR_CHOICE
PLAY: Final = Phase.PLAY
LAST_TURN: Final = Phase.LAST_TURN
OVER: Final = Phase.OVER


@final
@unique
class Tiebreak(Enum):
    """A comparison that breaks a tie on points. The rules list those that apply, in order.

    >>> pdd.presets.ORIGINAL.tiebreaks
    (<Tiebreak.ISLANDS: 'islands'>, <Tiebreak.BRIDGES: 'bridges'>)
    """

    ISLANDS = "islands"
    """More islands win."""
    BRIDGES = "bridges"
    """More bridges win."""


@final
@unique
class DecidedBy(Enum):
    """The comparison that decided a game that was played out.

    >>> rules = pdd.presets.ORIGINAL
    >>> rules.decide(pdd.Score(3, 2, 4), pdd.Score(3, 2, 5))
    (<Color.RED: 'red'>, <DecidedBy.BRIDGES: 'bridges'>)
    """

    POINTS = "points"
    ISLANDS = "islands"
    BRIDGES = "bridges"
    NOTHING = "nothing"
    """All comparisons are equal: a draw."""


@final
@unique
class Ending(Enum):
    """The way in which a recorded game ended.

    >>> game = pdd.Game.new().end(pdd.Ending.TIME, winner=pdd.Seat.FIRST)
    >>> game.ending
    <Ending.TIME: 'time'>
    """

    SCORED = "scored"
    """Played out and counted."""
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    ADJUDICATION = "adjudication"


@final
@unique
class ViolationCode(StrEnum):
    """The code of a rule that an action or a set-up can break: a stable text, suitable for storage.

    A member equals its text, and no error has a code of the same name.

    >>> [violation] = pdd.GameState.initial().violations(pdd.Pass())
    >>> violation.code
    <ViolationCode.PAIR_EXISTS: 'pair-exists'>
    >>> violation.code == "pair-exists"
    True
    >>> pdd.ViolationCode("pair-exists")
    <ViolationCode.PAIR_EXISTS: 'pair-exists'>
    """

    GAME_OVER = "game-over"
    """No action is legal after the end of the game. Always reported alone."""
    WRONG_PHASE = "wrong-phase"
    """A colour is chosen once, right after white's first move; no other action is legal then.
    Always reported alone."""
    OFF_BOARD = "off-board"
    """The cell is not on the board."""
    SAME_CELL = "same-cell"
    """The two tiles of a pair go on two different cells."""
    OCCUPIED = "occupied"
    """The cell already has a tile; in a set-up, tiles of both colours."""
    BLOCKED = "blocked"
    """No tile goes under a bridge [S0]."""
    GROUP_TOO_LARGE = "group-too-large"
    """No group has more than four tiles [S0]."""
    ISLAND_TOUCHED = "island-touched"
    """The distance rule: no other tile of an island's colour is around it, even diagonally [S0]."""
    NO_PARTNER = "no-partner"
    """The tile is legal alone, but no legal second tile would complete the turn."""
    NOT_A_BRIDGE_SHAPE = "not-a-bridge-shape"
    """A bridge spans two cells straight, two diagonally, or a knight's move [S1]."""
    NOT_YOUR_TILE = "not-your-tile"
    """Both ends of a bridge rest on tiles of the mover's colour [S2]."""
    END_USED = "end-used"
    """A tile carries at most one bridge end [S0]."""
    TILE_BENEATH = "tile-beneath"
    """No tile of either colour lies under a bridge [S0]."""
    CROSSES = "crosses"
    """Bridges never cross or overlap [S0]."""
    NO_TILES_LEFT = "no-tiles-left"
    """A pair takes two tiles from the supply."""
    NO_BRIDGES_LEFT = "no-bridges-left"
    """A bridge takes one from the supply that both colours share."""
    PAIR_EXISTS = "pair-exists"
    """Passing is for players who cannot place two tiles [S4]."""

    ENDS_DIFFER = "ends-differ"
    """Set-ups: both ends of a bridge rest on tiles of one colour."""
    BOARD_MISMATCH = "board-mismatch"
    """Set-ups: position and rules are for boards of different size."""
    TILES_EXCEED_SUPPLY = "tiles-exceed-supply"
    """Set-ups: more tiles of a colour than the rules supply."""
    BRIDGES_EXCEED_SUPPLY = "bridges-exceed-supply"
    """Set-ups: more bridges than the rules supply."""
    NOT_AN_OPENING = "not-an-opening"
    """Set-ups: the opening is played on an empty board."""
    NOT_A_COLOR_CHOICE = "not-a-color-choice"
    """Set-ups: colours are chosen over two white tiles, or over none where none could be placed."""
    NOT_A_LAST_TURN = "not-a-last-turn"
    """Set-ups: red has the last turn only when white cannot place a pair."""
    NOT_OVER = "not-over"
    """Set-ups: a game ends only when a colour cannot place a pair."""
    WRONG_TURN = "wrong-turn"
    """Set-ups: this colour is not to move in this phase."""
    WRONG_OWNERS = "wrong-owners"
    """Set-ups: colours have owners after the choice, and none before."""
