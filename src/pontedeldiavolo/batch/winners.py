"""Who wins with given scores, for many games at once [S0]."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.scoring import BRIDGES, ISLANDS, POINTS
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.vocabulary import Tiebreak

DRAW = -1
_COLUMNS = {Tiebreak.ISLANDS: ISLANDS, Tiebreak.BRIDGES: BRIDGES}


def winners(rules: Rules, scores: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """Return for each of *scores*, of shape (n, 2, 3), the colour that wins, or :data:`DRAW`."""
    found = np.full(len(scores), DRAW, np.int8)
    for column in (POINTS, *(_COLUMNS[each] for each in rules.tiebreaks)):
        white, red = scores[:, 0, column], scores[:, 1, column]
        decided = (found == DRAW) & (white != red)
        found[decided] = (red > white)[decided]
    return found
