"""States in which few of many conceivable actions are legal."""

from __future__ import annotations

import pontedeldiavolo as pdd
from support.diagrams import state_of

MANY_CONFLICTS = """
    4 . w r . r
    3 . . . . .
    2 . w w w .
    1 . . . . .
      a b c d e
"""

ONE_PAIR = """
    4 r . r r
    3 w w w r
    2 . . . .
    1 w w w .
      a b c d
"""

NO_PAIR = """
    4 . w . w r r
    3 . w . w . r
    2 r w . w . w
    1 r . r r r w
      a b c d e f
"""

HAVING_TO_MOVE = """
    5 . w . . r r
    4 r w r . r r
    3 r w r w . .
    2 r w r w . .
    1 r . r w w .
      a b c d e f
"""

OLD_BRIDGES = """
    5 w . w . w
    4 . . . . .
    3 w . w . w
    2 . . . . .
    1 w . w . w
      a b c d e
    bridges a1-c3 e1-e3
"""

DRAWN = {
    "many conflicts": state_of(MANY_CONFLICTS),
    "many conflicts, one bridge left": state_of(MANY_CONFLICTS, bridges=1),
    "many conflicts, no bridges": state_of(MANY_CONFLICTS, bridges=0),
    "one pair": state_of(ONE_PAIR),
    "one pair, no bridges": state_of(ONE_PAIR, bridges=0),
    "no pair": state_of(NO_PAIR),
    "no pair, no bridges": state_of(NO_PAIR, bridges=0),
    "one tile left": state_of(ONE_PAIR, tiles=7),
    "two tiles left": state_of(ONE_PAIR, tiles=8),
    "bridges in the way": state_of(OLD_BRIDGES),
    "no tiles left, bridges in the way": state_of(OLD_BRIDGES, tiles=9),
    "one tile left, bridges in the way": state_of(OLD_BRIDGES, tiles=10),
    "having to move": state_of(HAVING_TO_MOVE),
    "red": state_of(ONE_PAIR, pdd.Color.RED),
    "last turn": state_of(NO_PAIR, pdd.Color.RED, phase=pdd.Phase.LAST_TURN),
}
