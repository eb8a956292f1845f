"""Feature planes, the input of neural networks: their layout, and the planes of one state."""

from __future__ import annotations

from contextlib import suppress
from types import NoneType
from typing import Final, TypeVar, overload

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Color, Phase
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.board.geometry import DIRECTIONS, FORWARD, bits
from pontedeldiavolo.state.state import GameState, HalfTurn

OFFSETS = (*FORWARD, *((-dx, -dy) for dx, dy in FORWARD))
"""The steps from one end of a bridge to the other, from the first end and from the second."""


def _compass(step: tuple[int, int]) -> str:
    """Return the name of a direction: ``east``, ``northeast``, ``east-northeast``."""
    dx, dy = step
    level = ("", "east", "west")[np.sign(dx)]
    upright = ("", "north", "south")[np.sign(dy)]
    if abs(dx) == abs(dy) or not (dx and dy):
        return upright + level
    return f"{level if abs(dx) > abs(dy) else upright}-{upright}{level}"


PLANES: Final[tuple[str, ...]] = (
    "own tiles",
    "other tiles",
    "blocked cells",
    "first tile",
    *(f"bridges {_compass(step)}" for step in OFFSETS),
    "own is white",
    "own moves",
    "colour choice",
    "last turn",
    "own tiles left",
    "other tiles left",
    "bridges left",
)
"""The names of the feature planes of :func:`planes` and :meth:`GameBatch.planes`, in order.

*Own* is the colour from whose side the board is seen. The value for a cell is
``planes[p, row, column]``; row 0 is the row with the number 1. The first tile of a half turn is in
*first tile* alone: it is not yet among the own tiles, and the tiles left still include it. A bridge
is marked at both ends, each time in the plane of the direction towards its other end; north is the
direction of increasing rows. Bridges of both colours are in the same planes: the tiles at their
ends tell whose they are.

Each of the last seven planes has one value on all cells. *Own is white* is 1 if own is white, *own
moves* if own is to move (0 while a colour is chosen), *colour choice* while a colour is chosen, and
*last turn* in red's turn after white's pass. Tiles and bridges left are numbers up to 255, and 0
where the supply is unlimited. All other values are 0 or 1.

>>> pdd.batch.PLANES[3]
'first tile'
"""

PLANES_VERSION: Final[int] = 2
"""The version of :data:`PLANES`, incremented when a plane is added, removed or redefined."""

TILES = 0
BLOCKED = 2
FIRST_TILE = 3
BRIDGES = 4
"""The indices of the first planes: tiles (own, then other), cells beneath bridges, and so on."""
OWN_IS_WHITE = BRIDGES + len(OFFSETS)
TILES_LEFT = OWN_IS_WHITE + 4
"""The first planes with one value for the whole board: 0 or 1, then numbers of pieces."""

MAX_BYTE = 255
"""No plane holds a larger number."""

R = TypeVar("R", bound=np.generic)


def plane_type(dtype: type[R] | np.dtype[R]) -> np.dtype[R]:
    """Return the NumPy type of the numbers in planes; refuse a type that cannot hold them."""
    given: object = dtype
    found = None
    if given is not None:  # NumPy would take it for float64
        with suppress(SyntaxError, TypeError, ValueError):
            found = np.dtype(dtype)
    if found is None or not (found.kind in "uf" or (found.kind == "i" and found.itemsize > 1)):
        name = type(given).__name__ if found is None else found.name
        raise TypeError(f"dtype must be a type of real numbers that holds 0 to 255, not {name}")
    return found


@overload
def planes(
    node: GameState | HalfTurn, color: Color | None = None, dtype: type[np.uint8] = ...
) -> npt.NDArray[np.uint8]: ...
@overload
def planes(
    node: GameState | HalfTurn, color: Color | None = None, *, dtype: type[R] | np.dtype[R]
) -> npt.NDArray[R]: ...
def planes(
    node: GameState | HalfTurn,
    color: Color | None = None,
    dtype: type[np.generic] | np.dtype[np.generic] = np.uint8,
) -> npt.NDArray[np.generic]:
    """Return the feature planes of one state or half turn.

    Shape (len(PLANES), height, width): see :data:`PLANES`. :meth:`GameBatch.planes` returns the
    same for many games; for one, this function is faster, and it needs no compiled code.

    Args:
        node: The state or half turn.
        color: The colour from whose side the board is seen: by default the colour to move, or
            white if there is none.
        dtype: The type of the numbers, one that holds 0 to 255.

    >>> state = pdd.GameState.initial().apply(pdd.parse_action("a1,b3"))
    >>> planes = pdd.batch.planes(state, pdd.Color.WHITE)
    >>> planes.shape
    (27, 10, 10)
    >>> planes[pdd.batch.PLANES.index("own tiles")].nonzero()
    (array([0, 2]), array([0, 1]))
    """
    require_type(node, (GameState, HalfTurn), "node")
    require_type(color, (Color, NoneType), "color")
    kind = plane_type(dtype)
    own = color or node.to_move or Color.WHITE
    geometry = node.pieces.geometry
    cells = geometry.width * geometry.height
    marks = _marks(node, own, cells).to_bytes(TILES_LEFT * cells // 8, "little")
    # Unmarked cells are 0. So are the planes of pieces left, which are filled in below.
    found = np.unpackbits(
        np.frombuffer(marks, np.uint8), count=len(PLANES) * cells, bitorder="little"
    ).reshape(len(PLANES), geometry.height, geometry.width)
    left = (node.tiles_left(own), node.tiles_left(own.opponent), node.bridges_left)
    for plane, number in enumerate(left, TILES_LEFT):
        if number:
            found[plane] = min(number, MAX_BYTE)
    return found.astype(kind, copy=False)


def _marks(node: GameState | HalfTurn, own: Color, cells: int) -> int:
    """Return all planes of zeros and ones as one integer, plane after plane."""
    pieces = node.pieces
    white, red, bridges = pieces.key()
    if own is Color.RED:
        white, red = red, white
    marks = white | red << cells | pieces.blocked << BLOCKED * cells
    if isinstance(node, HalfTurn):
        marks |= 1 << FIRST_TILE * cells + pieces.geometry.index(node.placed_tile)
    for number in bits(bridges):
        a, b = pieces.geometry.ends(number)
        plane = BRIDGES + number % DIRECTIONS
        marks |= 1 << plane * cells + a | 1 << (plane + DIRECTIONS) * cells + b
    is_choice = node.phase is Phase.COLOR_CHOICE
    is_last = node.phase is Phase.LAST_TURN
    values = (own is Color.WHITE, node.to_move is own, is_choice, is_last)
    whole = sum(value << plane * cells for plane, value in enumerate(values))
    # The multiplication turns one bit for each plane into a whole board of ones.
    return marks | pieces.geometry.full * whole << OWN_IS_WHITE * cells
