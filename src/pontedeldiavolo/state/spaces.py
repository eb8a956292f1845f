"""Action and step spaces, which number all actions and steps of a board; and perft."""

from __future__ import annotations

from abc import abstractmethod
from itertools import compress
from math import isqrt
from typing import Generic, SupportsIndex, TypeVar, cast, final, get_args

from attrs import field, frozen

from pontedeldiavolo.base.errors import PonteError, instance_of, reason, require_type, whole_number
from pontedeldiavolo.base.guesses import suggests_right_names
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.rules.actions import (
    WITHOUT_CELLS,
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)

from .legal_actions import CHOICE_BITS, PASS_BIT, NonTileActions, bridge_action, numbers_of_others
from .state import GameState, HalfTurn

T = TypeVar("T", bound=Action | Step)

# With tuples, isinstance is faster than with unions.
_ACTIONS = get_args(Action)
_STEPS = get_args(Step)

_ZERO_AND_ONE = bytes.maketrans(b"01", b"\x00\x01")


def as_bytes(mask: int, length: int) -> bytes:
    """Return the lowest *length* bits of a set as bytes of 0 and 1."""
    if not length:
        return b""
    return f"{mask:0{length}b}"[: -length - 1 : -1].encode().translate(_ZERO_AND_ONE)


@frozen
class Space(ImmutableValue, Generic[T]):
    """Base of spaces: tiles come first, then all bridges, the colours white and red, the pass."""

    board: Board = field(validator=instance_of(Board))

    @property
    @abstractmethod
    def _tiles(self) -> int:
        """Number of codes for tiles."""

    @abstractmethod
    def _encode_tiles(self, item: T) -> int:
        """Return the code of an item that places tiles."""

    @abstractmethod
    def _decode_tiles(self, code: int) -> T:
        """Return the item with a code for tiles."""

    def __len__(self) -> int:
        return self._tiles + self.board.geometry.bridge_count + len(WITHOUT_CELLS)

    def _encode(self, item: T) -> int:
        """Return the code of an item, legal or not."""
        geometry = self.board.geometry
        match item:
            case BuildBridge(a, b):
                number = geometry.bridge_number(self.board.index(a), self.board.index(b))
                if number < 0:
                    raise PonteError(reason("no-bridge-shape", a=str(a), b=str(b)))
                return self._tiles + geometry.bridge_rank(number)
            case ChooseColor() | Pass():
                return len(self) - len(WITHOUT_CELLS) + WITHOUT_CELLS.index(item)
        return self._encode_tiles(item)

    def _decode(self, code: SupportsIndex) -> T:
        """Return the item with a code."""
        number = whole_number(code, "code")
        if not 0 <= number < len(self):
            raise PonteError(reason("code-out-of-range", number=number, highest=len(self) - 1))
        if number < self._tiles:
            return self._decode_tiles(number)
        geometry = self.board.geometry
        rank = number - self._tiles
        if rank < geometry.bridge_count:
            return cast(T, bridge_action(geometry, geometry.bridge_at_rank(rank)))
        return cast(T, WITHOUT_CELLS[rank - geometry.bridge_count])

    def transform(self, code: SupportsIndex, symmetry: Symmetry) -> int:
        """Return the code that *symmetry* maps *code* to.

        Raises:
            PonteError: If the code is out of range, or the symmetry is for another board size.
        """
        require_type(symmetry, Symmetry, "symmetry")
        item: Action | Step = self._decode(code)
        return self._encode(cast(T, item.transform(symmetry)))

    def _require_board(self, board: Board) -> None:
        if board != self.board:
            own = f"{self.board.width}×{self.board.height}"
            other = f"{board.width}×{board.height}"
            raise PonteError(f"the state's board is {other}, the space's {own}")

    def _others_mask(self, others: NonTileActions) -> bytes:
        """Return a byte for each code that places no tile: 1 if its item is in *others*."""
        geometry = self.board.geometry
        every = numbers_of_others(geometry, geometry.all_bridges, CHOICE_BITS | PASS_BIT)
        length = every.bit_length()
        return bytes(compress(as_bytes(others._numbers, length), as_bytes(every, length)))


@final
@suggests_right_names
@frozen
class ActionSpace(Space[Action]):
    """Every conceivable action of a board, numbered from 0: 5,529 on 10×10.

    The order is that of :attr:`GameState.legal_actions`: all n(n-1)/2 pairs of cells by (first,
    second), all bridges as in :attr:`Board.bridges`, white, red, pass. It will not change.

    >>> space = pdd.ActionSpace(pdd.Board())
    >>> len(space), space.encode(pdd.Pass())
    (5529, 5528)
    >>> pdd.format_action(space.decode(3))
    'a1,e1'
    >>> sum(space.legal_mask(pdd.GameState.initial()))
    4950

    Attributes:
        board: The board.
    """

    def encode(self, item: Action) -> int:
        """Return the code of an action, legal or not.

        Raises:
            PonteError: If it has no code: it is off the board, has the same cell twice, or
                its cells do not form a bridge.
        """
        return self._encode(item)

    def decode(self, code: SupportsIndex) -> Action:
        """Return the action with this code.

        Raises:
            PonteError: If the code is not from 0 to ``len(space) - 1``.
        """
        return self._decode(code)

    @property
    def _tiles(self) -> int:
        return len(self.board) * (len(self.board) - 1) // 2

    def _row(self, first: int) -> int:
        """Return the code of the pair of the cell *first* and the next cell."""
        return first * (2 * len(self.board) - first - 1) // 2

    def _encode_tiles(self, item: Action) -> int:
        # The base class has numbered all other actions; a Bridge has two cells, too.
        require_type(item, _ACTIONS, "item")
        pair = cast(PlaceTiles, item)
        first = self.board.index(pair.a)
        second = self.board.index(pair.b)
        if first == second:
            raise PonteError(reason("not-a-pair", a=str(pair.a), b=str(pair.b)))
        return self._row(first) + second - first - 1

    def _decode_tiles(self, code: int) -> Action:
        # Counted from the end, rows have 1, 2, 3 … codes, so the triangular root gives the row.
        back = self._tiles - 1 - code
        first = len(self.board) - 2 - (isqrt(8 * back + 1) - 1) // 2
        second = code - self._row(first) + first + 1
        return PlaceTiles(self.board.cells[first], self.board.cells[second])

    def legal_mask(self, state: GameState) -> bytes:
        """Return a byte for every code, 1 where the action is legal in *state*, else 0.

        ``numpy.frombuffer(mask, numpy.uint8)`` accepts it as it is.

        Raises:
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


@final
@suggests_right_names
@frozen
class StepSpace(Space[Step]):
    """Every conceivable step on a board, numbered from 0: 679 on 10×10.

    The order is that of :attr:`GameState.legal_steps`: a tile on each cell, all bridges as in
    :attr:`Board.bridges`, white, red, pass. It will not change.

    >>> space = pdd.StepSpace(pdd.Board())
    >>> len(space), pdd.format_action(space.decode(33))
    (679, 'd4')
    >>> sum(space.legal_mask(pdd.GameState.initial()))
    100

    Attributes:
        board: The board.
    """

    def encode(self, item: Step) -> int:
        """Return the code of a step, legal or not.

        Raises:
            PonteError: If it has no code: it is off the board, or its cells do not form a bridge.
        """
        return self._encode(item)

    def decode(self, code: SupportsIndex) -> Step:
        """Return the step with this code.

        Raises:
            PonteError: If the code is not from 0 to ``len(space) - 1``.
        """
        return self._decode(code)

    @property
    def _tiles(self) -> int:
        return len(self.board)

    def _encode_tiles(self, item: Step) -> int:
        # The base class has numbered all other steps.
        require_type(item, _STEPS, "item")
        return self.board.index(cast(PlaceTile, item).cell)

    def _decode_tiles(self, code: int) -> Step:
        return PlaceTile(self.board.cells[code])

    def legal_mask(self, state: GameState | HalfTurn) -> bytes:
        """Return a byte for every code, 1 where the step is legal in *state*, else 0.

        ``numpy.frombuffer(mask, numpy.uint8)`` accepts it as it is.

        Raises:
            PonteError: If its board is of another size.
        """
        require_type(state, (GameState, HalfTurn), "state")
        self._require_board(state.rules.board)
        steps = state.legal_steps
        return as_bytes(steps.tile_mask, self._tiles) + self._others_mask(steps.others)


def perft(state: GameState, depth: SupportsIndex) -> int:
    """Return the number of sequences of exactly *depth* legal actions from *state*.

    The choice of a colour is one action. Depth 0 gives 1; a finished game gives 0 at any other
    depth. The states of the last level are counted but not created.

    >>> [pdd.perft(pdd.GameState.initial(), depth) for depth in range(3)]
    [1, 4950, 9900]

    Raises:
        PonteError: If *depth* is negative.
    """
    require_type(state, GameState, "state")
    levels = whole_number(depth, "depth")
    if levels < 0:
        raise PonteError(f"depth must not be negative: {levels}")
    return _count(state, levels)


def _count(state: GameState, depth: int) -> int:
    if depth == 0:
        return 1
    legal = state.legal_actions
    if depth == 1:
        return len(legal)
    return sum(_count(state.apply_unchecked(action), depth - 1) for action in legal)
