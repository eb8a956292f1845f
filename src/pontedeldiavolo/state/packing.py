"""A state in a few bytes."""

from __future__ import annotations

from typing import Final

from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.vocabulary import Color, Phase, Seat

_PHASES: Final = tuple(Phase)
_MOVERS: Final[tuple[Color | None, ...]] = (None, *Color)
_OWNERS: Final[tuple[Seat | None, ...]] = (None, *Seat)


def packed(
    rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None, white_owner: Seat | None
) -> bytes:
    """Return the parts of a state, rules aside, as :meth:`GameState.packed` describes."""
    head = _PHASES.index(phase) * len(_MOVERS) + _MOVERS.index(to_move)
    head = head * len(_OWNERS) + _OWNERS.index(white_owner)
    white, red, bridges = pieces.key()
    length = (len(rules.board) + 7) // 8
    return b"".join(
        (
            bytes([head]),
            white.to_bytes(length),
            red.to_bytes(length),
            *(number.to_bytes(2) for number in bits(bridges)),
        )
    )
