"""A numbering of all steps of a board: turns tile by tile."""

from __future__ import annotations

from typing import cast, final

from attrs import frozen

from pontedeldiavolo.actions import PlaceTile, Step
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.half_turn import HalfTurn
from pontedeldiavolo.spaces import _Space, as_bytes
from pontedeldiavolo.state import GameState


@final
@frozen
class StepSpace(_Space[Step]):
    """Every conceivable step on a board, numbered from 0: 679 on 10×10.

    The order is that of :attr:`GameState.legal_steps`: a tile on each cell, all bridges as in
    :attr:`Board.bridges`, white, red, pass. It will not change.

    Attributes:
        board: The board.

    Raises:
        TypeError: If *board* is not a :class:`Board`.
    """

    @property
    def _tiles(self) -> int:
        return len(self.board)

    def _encode_tiles(self, item: Step) -> int:
        require_type(item, Step, "step")
        # The base class has numbered all other steps.
        return self._index(cast(PlaceTile, item).cell)

    def _decode_tiles(self, code: int) -> Step:
        return PlaceTile(self.board.cells[code])

    def mask(self, state: GameState | HalfTurn) -> bytes:
        """Return a byte for every code, 1 where the step is legal in *state*, else 0.

        ``numpy.frombuffer(mask, numpy.uint8)`` takes it as it is.

        Raises:
            TypeError: If it is neither a :class:`GameState` nor a :class:`HalfTurn`.
            PonteError: If its board is of another size.
        """
        require_type(state, (GameState, HalfTurn), "state")
        self._require_board(state.rules.board)
        steps = state.legal_steps
        return as_bytes(steps.tile_mask, self._tiles) + self._others_mask(steps.others)
