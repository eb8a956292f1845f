"""The legal steps of a state or of a half turn: a turn tile by tile."""

from __future__ import annotations

from typing import final

from attrs import frozen

from pontedeldiavolo.actions import Step
from pontedeldiavolo.views import Others, SingleTiles, _TilesAndOthers


@final
@frozen(slots=False, eq=False, repr=False)
class LegalSteps(_TilesAndOthers[Step]):
    """Every legal step, as a sequence: :class:`PlaceTile` by cell, then as in legal actions.

    A :class:`PlaceTile` is listed only if some second tile completes it. Uniform steps are not
    uniform actions.
    """

    _tiles: SingleTiles
    _others: Others

    @property
    def tile_mask(self) -> int:
        """The cells of the tiles, as an integer used as a bit set."""
        return self._tiles.mask

    @property
    def others(self) -> Others:
        """What can be done besides placing tiles: a view of the same kind."""
        return self._others
