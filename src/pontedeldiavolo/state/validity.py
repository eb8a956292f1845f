"""Validity of a state whose position is valid: supply, phase, turn, owners."""

from __future__ import annotations

from collections.abc import Iterator

from pontedeldiavolo.base.enums import TILES_PER_TURN, Color, Phase, Rule, Seat
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import Violation, violation
from pontedeldiavolo.state.views import legal_pairs, supply_faults


def state_faults(
    rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None, white_owner: Seat | None
) -> Iterator[Violation]:
    """Judge a state whose position is valid.

    Before the choice *white_owner* must be ``None``; *to_move* must be white in the opening, red
    on the last turn, ``None`` while the colour is chosen and when the game is over.
    """
    board, geometry = rules.board, pieces.geometry
    if (board.width, board.height) != (geometry.width, geometry.height):
        yield violation(
            Rule.BOARD_MISMATCH,
            width=geometry.width,
            height=geometry.height,
            rules_width=board.width,
            rules_height=board.height,
        )
        return
    white, red = (side.tiles.bit_count() for side in pieces.sides)
    yield from supply_faults(rules, white, red, pieces.bridges.bit_count())
    yield from _phase_faults(rules, pieces, phase)
    yield from turn_faults(phase, to_move, white_owner)


def turn_faults(
    phase: Phase, to_move: Color | None, white_owner: Seat | None
) -> Iterator[Violation]:
    """Judge whose turn it is and who owns what."""
    movers = {
        Phase.OPENING: (Color.WHITE,),
        Phase.COLOR_CHOICE: (None,),
        Phase.PLAY: (Color.WHITE, Color.RED),
        Phase.LAST_TURN: (Color.RED,),
        Phase.OVER: (None,),
    }
    if to_move not in movers[phase]:
        yield violation(Rule.WRONG_TURN)
    if (white_owner is None) != (phase in (Phase.OPENING, Phase.COLOR_CHOICE)):
        yield violation(Rule.WRONG_OWNERS)


def _phase_faults(rules: Rules, pieces: Pieces, phase: Phase) -> Iterator[Violation]:
    white, red = pieces.sides
    empty = not pieces.occupied
    white_stuck = not legal_pairs(rules, pieces, 0)
    red_stuck = not legal_pairs(rules, pieces, 1)
    if phase is Phase.OPENING and not empty:
        yield violation(Rule.NOT_AN_OPENING)
    opened = white.tiles.bit_count() == TILES_PER_TURN and not red.tiles and not pieces.bridges
    if phase is Phase.COLOR_CHOICE and not opened and not (empty and white_stuck):
        yield violation(Rule.NOT_A_COLOR_CHOICE)
    if phase is Phase.LAST_TURN and not white_stuck:
        yield violation(Rule.NOT_A_LAST_TURN)
    if phase is Phase.OVER and not white_stuck and not red_stuck:
        yield violation(Rule.NOT_OVER)
