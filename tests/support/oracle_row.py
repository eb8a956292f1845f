"""A short game on a board of one row, and its records."""

from __future__ import annotations

from pontedeldiavolo import Board, Game, Rules

ROW_TAGS = {"Zebra": "striped", "Second": "Bob", "Annotator": 'Zoë "Z." \\o/', "First": "Alice"}
ROW_TAGS |= {"Date": "2026.11.??", "Event": "Cup of [Venice]; {1}"}
RULES_TAG = '[Rules "7x1 tiles=3 bridges=2 tiebreaks=islands,bridges"]'
ACTIONS = "a1,c1 white e1,g1 a1-c1 e1-g1 pass pass"


def row_game(**tags: str) -> Game:
    """Return a short complete game, which is drawn."""
    rules = Rules(Board(7, 1), tiles_per_color=3, bridges=2)
    return Game.from_actions(rules, ACTIONS.split(), tags=tags)


ROW_TEXT = """\
[Event "Cup of [Venice]; {1}"]
[Date "2026.11.??"]
[First "Alice"]
[Second "Bob"]
[Rules "7x1 tiles=3 bridges=2 tiebreaks=islands,bridges"]
[Result "draw"]
[Annotator "Zoë \\"Z.\\" \\\\o/"]
[Zebra "striped"]

1. a1,c1 white 2. e1,g1 3. a1-c1 4. e1-g1 5. pass 6. pass draw
"""

OPENED = "a1,c1 red e1,g1"
WON = '[Rules "5x2 tiles=4 bridges=0 tiebreaks=none"]\n'
WON_ACTIONS = "a1,b1 red a2,e2 c1,d1 c2,e1 pass pass"

MANY = f"""\
[Event "one"]
a1,b1 red

[Event "two"]
a1;b1 red

[Event "three"]
a1,b1 red
a1,b1

{RULES_TAG}
[Event "four"]
{ACTIONS}
[Event "five"]

[Oops
*
[Event "six"]
"""

GOLDEN = """\
[Event "A comment's life"]
[Rules "6x6 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]
[Result "*"]

{Start of it} 1. a1,b2 $1 $14 red 2. c3,d4 {after} ({before} 2. c4,d4 3. e5,f5
(3. e1,f1 {inner})) 3. e5,f6 4. a3,b6 {A \\} and a \\\\ in a comment\\nof two
lines, the second of which is broken where there is a blank, so that no line of
the file is too long} *
"""
