"""The whole board, in bands of rows.

What is asked of the whole board is asked of one band after another, each for its own rows, with two
more to either side in sight: no bridge reaches further.

Boards whose sets in memory have up to 1,024 places are one band that begins in row 0; compiled,
nothing of what is written here remains of it. Of larger ones a band has 16 rows, or 32 if they have
32 columns.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.cells import Cells, between, lanes, rows
from pontedeldiavolo.batch.kernels.compiled import inlined

REACH = 2
OWN_ROWS = 12
"""So many rows of a band are its own, at most: 16 less the reach to either side."""


@inlined
def band_count(game: np.record, height: int) -> int:
    """Return how many bands there are on a board of so many rows."""
    if height <= lanes(game):
        return 1
    return (height + OWN_ROWS - 1) // OWN_ROWS


@inlined
def band_row(game: np.record, band: int) -> int:
    """Return the first row of a band."""
    # Where there is a single one, nothing of this is left when it is compiled.
    return min(max(band * OWN_ROWS - REACH, 0), rows(game) - lanes(game))


@inlined
def own_rows(game: np.record, height: int, band: int, like: Cells) -> Cells:
    """Return the places of a band's own rows."""
    if height <= lanes(game):
        return between(like, 0, lanes(game))
    begin = band * OWN_ROWS - band_row(game, band)
    return between(like, begin, min(begin + OWN_ROWS, lanes(game)))
