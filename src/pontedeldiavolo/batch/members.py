"""What stands in rows for members of the vocabulary, and for none of them."""

from __future__ import annotations

from pontedeldiavolo.base.enums import Color, Phase, Seat

PHASES = tuple(Phase)
COLORS = tuple(Color)
SEATS = tuple(Seat)

OPENING, COLOR_CHOICE, PLAY, LAST_TURN, OVER = map(PHASES.index, Phase)

NONE = -1
"""Nobody, or no cell."""
