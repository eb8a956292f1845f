"""What the numberings of actions and of steps share: everything but the tiles."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, SupportsIndex, TypeVar, cast

from attrs import field, frozen
from attrs.validators import instance_of

from pontedeldiavolo.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    Step,
)
from pontedeldiavolo.board import Board
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.checks import whole_number
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.symmetry import Symmetry
from pontedeldiavolo.views import COLORS, Others

T = TypeVar("T", bound=Action | Step)

_ZERO_AND_ONE = bytes.maketrans(b"01", b"\x00\x01")


def as_bytes(mask: int, length: int) -> bytes:
    """Return the lowest *length* bits of a set as bytes of 0 and 1."""
    if not length:
        return b""
    return f"{mask:0{length}b}"[: -length - 1 : -1].encode().translate(_ZERO_AND_ONE)


@frozen
class _Space(Sealed, Generic[T]):
    """Tiles come first, then all bridges, the colours white and red, and the pass."""

    board: Board = field(validator=instance_of(Board))

    @property
    @abstractmethod
    def _tiles(self) -> int:
        """How many codes are for tiles."""

    @abstractmethod
    def _encode_tiles(self, item: T) -> int:
        """Return the code of something with tiles on the board."""

    @abstractmethod
    def _decode_tiles(self, code: int) -> T:
        """Return what a code for tiles means."""

    def __len__(self) -> int:
        return self._tiles + len(self.board.geometry.ends) + len(COLORS) + 1

    def encode(self, item: T) -> int:
        """Return the number of *item*, legal or not.

        Raises:
            TypeError: If it is not of the kinds that the space numbers.
            PonteError: If it has no number: off the board, twice the same cell, no bridge's shape.
        """
        match item:
            case BuildBridge(a, b):
                ends = self._index(a), self._index(b)
                number = self.board.geometry.bridge_number.get(ends)
                if number is None:
                    raise PonteError(f"{a}-{b} has no bridge's shape")
                return self._tiles + number
            case ChooseColor(color):
                return len(self) - 1 - len(COLORS) + color.index
            case Pass():
                return len(self) - 1
        return self._encode_tiles(item)

    def decode(self, code: SupportsIndex) -> T:
        """Return what has the number *code*.

        Raises:
            TypeError: If it is not a whole number.
            PonteError: If it is not from 0 to ``len(space) - 1``.
        """
        number = whole_number(code, "code")
        if not 0 <= number < len(self):
            raise PonteError(f"code {number} is outside 0 to {len(self) - 1}")
        if number < self._tiles:
            return self._decode_tiles(number)
        number -= self._tiles
        bridges = self.board.bridges
        if number < len(bridges):
            return cast(T, BuildBridge(*bridges[number].ends))
        rest: tuple[ChooseColor | Pass, ...] = (*map(ChooseColor, COLORS), Pass())
        return cast(T, rest[number - len(bridges)])

    def transform(self, code: SupportsIndex, symmetry: Symmetry) -> int:
        """Return the number of what *symmetry* makes of what has the number *code*.

        Raises:
            TypeError: If something is not of its type.
            PonteError: If the code is out of range or the symmetry for another board.
        """
        item: Action | Step = self.decode(code)
        return self.encode(cast(T, item.transform(symmetry)))

    def _index(self, cell: Cell) -> int:
        return self.board.index(cell)

    def _require_board(self, board: Board) -> None:
        if board != self.board:
            raise PonteError(
                f"the state's board is {board.width}×{board.height}, "
                f"the space's {self.board.width}×{self.board.height}"
            )

    def _others_mask(self, others: Others) -> bytes:
        return b"".join(
            (
                as_bytes(others.bridge_mask, len(self.board.geometry.ends)),
                bytes([others.choosing]) * len(COLORS),
                bytes([others.passing]),
            )
        )
