"""A numbering of all whole actions of a board."""

from __future__ import annotations

from math import isqrt
from typing import cast, final

from attrs import frozen

from pontedeldiavolo.actions import Action, PlaceTiles
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.spaces import _Space, as_bytes
from pontedeldiavolo.state import GameState


@final
@frozen
class ActionSpace(_Space[Action]):
    """Every conceivable action of a board, numbered from 0: 5,529 on 10×10.

    The order is that of :attr:`GameState.legal_actions`: all n(n-1)/2 pairs of cells by (first,
    second), all bridges as in :attr:`Board.bridges`, white, red, pass. It will not change.

    Attributes:
        board: The board.

    Raises:
        TypeError: If *board* is not a :class:`Board`.
    """

    @property
    def _tiles(self) -> int:
        return len(self.board) * (len(self.board) - 1) // 2

    def _row(self, first: int) -> int:
        """Return the code of the pair of cell *first* and the one after it."""
        return first * (2 * len(self.board) - first - 1) // 2

    def _encode_tiles(self, item: Action) -> int:
        require_type(item, Action, "action")
        # The base class has numbered all other actions.
        pair = cast(PlaceTiles, item)
        first, second = self._index(pair.a), self._index(pair.b)
        if first == second:
            raise PonteError(f"{pair.a},{pair.b} is not a pair of two cells")
        return self._row(first) + second - first - 1

    def _decode_tiles(self, code: int) -> Action:
        # Counted from the end, the rows have 1, 2, 3 … codes: the triangular root finds the row.
        back = self._tiles - 1 - code
        first = len(self.board) - 2 - (isqrt(8 * back + 1) - 1) // 2
        second = code - self._row(first) + first + 1
        return PlaceTiles(self.board.cells[first], self.board.cells[second])

    def mask(self, state: GameState) -> bytes:
        """Return a byte for every code, 1 where the action is legal in *state*, else 0.

        ``numpy.frombuffer(mask, numpy.uint8)`` takes it as it is.

        Raises:
            TypeError: If it is not a :class:`GameState`.
            PonteError: If its board is of another size.
        """
        require_type(state, GameState, "state")
        self._require_board(state.rules.board)
        legal = state.legal_actions
        cells = len(self.board)
        rows = (
            as_bytes(legal.pairs.later_seconds(first) >> first + 1, cells - first - 1)
            for first in range(cells)
        )
        return b"".join((*rows, self._others_mask(legal.others)))
