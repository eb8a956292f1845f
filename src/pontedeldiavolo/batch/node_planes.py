"""What a network sees of one state or half turn, without compiled code."""

from __future__ import annotations

from functools import lru_cache
from types import NoneType
from typing import overload

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import Color, Phase
from pontedeldiavolo.batch.board_tables import board_tables
from pontedeldiavolo.batch.plane_layout import (
    BLOCKED,
    BRIDGES,
    CHOICE,
    FIRST_TILE,
    LAST,
    MOST_TOLD,
    OWN_IS_WHITE,
    OWN_MOVES,
    PLANES,
    TILES_LEFT,
    R,
    plane_type,
)
from pontedeldiavolo.board.geometry import FORWARD, bits
from pontedeldiavolo.state.state import GameState, HalfTurn

_UINT8 = np.dtype(np.uint8)


@overload
def planes(
    node: GameState | HalfTurn, color: Color | None = None, dtype: type[np.uint8] = ...
) -> npt.NDArray[np.uint8]: ...
@overload
def planes(
    node: GameState | HalfTurn,
    color: Color | None = None,
    *,
    dtype: type[R] | np.dtype[R],
) -> npt.NDArray[R]: ...
def planes(
    node: GameState | HalfTurn,
    color: Color | None = None,
    dtype: type[np.generic] | np.dtype[np.generic] = np.uint8,
) -> npt.NDArray[np.generic]:
    """Return what a network sees of one state or half turn.

    Shape (len(PLANES), height, width): see :data:`PLANES`. The same as :meth:`GameBatch.planes`
    gives for many, and sooner than by a batch of one. It needs no compiled code.

    Args:
        node: The state or half turn.
        color: From whose side it is looked at: by default that of the colour to move, white's
            where nobody moves.
        dtype: The type of the numbers, one that holds 0 to 255.

    Raises:
        TypeError: If something is not of its type.
    """
    require_type(node, (GameState, HalfTurn), "node")
    require_type(color, (Color, NoneType), "color")
    kind = plane_type(dtype)
    mover = node.to_move
    own = color or mover or Color.WHITE
    geometry = node._pieces.geometry
    cells = geometry.width * geometry.height
    marks = _marks(node, own, cells).to_bytes(TILES_LEFT * cells // 8, "little")
    # What is not marked is 0: so are the planes of what is left, at first.
    found = np.unpackbits(
        np.frombuffer(marks, np.uint8), count=len(PLANES) * cells, bitorder="little"
    ).reshape(len(PLANES), geometry.height, geometry.width)
    left = (node.tiles_left(own), node.tiles_left(own.opponent), node.bridges_left)
    for plane, number in enumerate(left, TILES_LEFT):
        if number:
            found[plane] = min(number, MOST_TOLD)
    return found if kind == _UINT8 else found.astype(kind)


def _marks(node: GameState | HalfTurn, own: Color, cells: int) -> int:
    """Return the planes of zeros and ones as one set, plane after plane."""
    pieces = node._pieces
    white, red, bridges = pieces.key()
    if own is Color.RED:
        white, red = red, white
    marks = white | red << cells | pieces.blocked << BLOCKED * cells
    first = node._first_index
    if first >= 0:
        marks |= 1 << FIRST_TILE * cells + first
    width, height = pieces.geometry.size
    for number in bits(bridges):
        marks |= _bridge_marks(width, height, number)
    whole = 1 if own is Color.WHITE else 0
    if node.to_move is own:
        whole |= 1 << (OWN_MOVES - OWN_IS_WHITE) * cells
    if node.phase is Phase.COLOR_CHOICE:
        whole |= 1 << (CHOICE - OWN_IS_WHITE) * cells
    elif node.phase is Phase.LAST_TURN:
        whole |= 1 << (LAST - OWN_IS_WHITE) * cells
    # One bit for each plane becomes a whole board of them.
    return marks | pieces.geometry.full * whole << OWN_IS_WHITE * cells


@lru_cache(maxsize=1024)
def _bridge_marks(width: int, height: int, number: int) -> int:
    """Return the marks of a bridge at both of its ends."""
    tables = board_tables(width, height)
    first, second = map(int, tables.ends[number])
    plane, cells = BRIDGES + int(tables.direction[number]), width * height
    at_first, at_second = plane * cells + first, (plane + len(FORWARD)) * cells + second
    return (1 << at_first) | (1 << at_second)
