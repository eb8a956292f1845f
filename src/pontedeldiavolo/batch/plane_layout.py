"""Which planes there are, and of what type their numbers are."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, TypeVar

import numpy as np

from pontedeldiavolo.batch.board_tables import DIRECTIONS

_COMPASS: Final = {
    (2, 0): "east",
    (2, 1): "east-northeast",
    (2, 2): "northeast",
    (1, 2): "north-northeast",
    (0, 2): "north",
    (-1, 2): "north-northwest",
    (-2, 2): "northwest",
    (-2, 1): "west-northwest",
    (-2, 0): "west",
    (-2, -1): "west-southwest",
    (-2, -2): "southwest",
    (-1, -2): "south-southwest",
    (0, -2): "south",
    (1, -2): "south-southeast",
    (2, -2): "southeast",
    (2, -1): "east-southeast",
}

PLANES: Final[tuple[str, ...]] = (
    "own tiles",
    "other tiles",
    "blocked cells",
    "first tile",
    *(f"bridges {_COMPASS[step]}" for step in DIRECTIONS),
    "own is white",
    "own moves",
    "colour choice",
    "last turn",
    "own tiles left",
    "other tiles left",
    "bridges left",
)
"""The names of the planes that :func:`planes` and :meth:`GameBatch.planes` give, in their order.

*Own* is the colour from whose side the board is seen. *First tile* is the first of two tiles in a
half turn. A bridge is seen at both ends, each time in the plane of the direction towards its other
end, north being the way of growing rows. The last seven fill a whole board each. What is left of
tiles and bridges is told by its number: at most 255, and 0 where the supply is unlimited. All
others are 0 or 1.
"""

PLANES_VERSION: Final[int] = 2
"""Which layout :data:`PLANES` is. It grows whenever a plane comes, goes or changes its meaning."""

TILES, BLOCKED, FIRST_TILE, BRIDGES = 0, 2, 3, 4
"""The first planes: of tiles, own and other, of the cells beneath bridges, and so on."""
OWN_IS_WHITE = BRIDGES + len(DIRECTIONS)
OWN_MOVES, CHOICE, LAST, TILES_LEFT, BRIDGES_LEFT = (
    OWN_IS_WHITE + each for each in (1, 2, 3, 4, 6)
)
"""The planes that fill a whole board: of tiles left there are two, own and other."""

MOST_TOLD = 255
"""No plane holds a larger number."""

R = TypeVar("R", bound=np.generic)


def plane_type(dtype: type[R] | np.dtype[R]) -> np.dtype[R]:
    """Return a type of numbers for planes.

    Raises:
        TypeError: If it is none, or does not hold all whole numbers from 0 to 255.
    """
    given: object = dtype
    found = None
    if given is not None:  # NumPy would take it for float64
        with suppress(SyntaxError, TypeError, ValueError):
            found = np.dtype(dtype)
    if found is None or not (found.kind in "uf" or (found.kind == "i" and found.itemsize > 1)):
        name = type(given).__name__ if found is None else found.name
        raise TypeError(f"dtype must be a type of real numbers that holds 0 to 255, not {name}")
    return found
