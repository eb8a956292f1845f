"""The fields of boards, rules and diagrams in a document.

A form lists the fields of one kind of object with their types, in the order in which they are
written. It depends on no attribute's name elsewhere: what is stored stays readable.
"""

from __future__ import annotations

from attrs import frozen

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.json.error import JsonError, refusing
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.vocabulary import Tiebreak


@frozen(kw_only=True)
class BoardForm:
    """A :class:`Board`."""

    width: int
    height: int


@frozen(kw_only=True)
class RulesForm:
    """A :class:`Rules` value; ``null`` is an unlimited supply."""

    board: Board
    tiles_per_color: int | None
    bridges: int | None
    tiebreaks: tuple[Tiebreak, ...]


@frozen(kw_only=True)
class CellSetForm:
    """A :class:`CellSet` with its board."""

    board: Board
    cells: frozenset[Cell]

    @classmethod
    def of(cls, cells: CellSet) -> CellSetForm:
        """Return the fields of a set of cells."""
        geometry = cells._geometry
        return cls(board=Board(geometry.width, geometry.height), cells=frozenset(cells))

    def value(self) -> CellSet:
        """Return the set of cells.

        Raises:
            JsonError: If a cell is off the board.
        """
        with refusing("cells"):
            return self.board.cell_set(sorted(self.cells))


@frozen(kw_only=True)
class PiecesForm:
    """A :class:`Setup` or a :class:`Position`."""

    board: Board
    white: frozenset[Cell]
    red: frozenset[Cell]
    bridges: frozenset[Bridge]

    @classmethod
    def of_setup(cls, setup: Setup) -> PiecesForm:
        """Return the fields of a diagram."""
        return cls(
            board=setup.board,
            white=frozenset(setup.white),
            red=frozenset(setup.red),
            bridges=frozenset(setup.bridges),
        )

    @classmethod
    def of_position(cls, position: Position) -> PiecesForm:
        """Return the fields of a position."""
        return cls.of_setup(position.setup())

    def setup(self) -> Setup:
        """Return the diagram, which may break rules."""
        return Setup(self.board, self.white, self.red, self.bridges)

    def position(self) -> Position:
        """Return the position.

        Raises:
            InvalidPositionError: If it breaks a rule.
            JsonError: If no position has so many bridges.
        """
        # A tile carries one bridge, so more than these break a rule. They are refused by their
        # number, because judging every two of them against each other could take very long.
        most = len(self.board) // 2
        if len(self.bridges) > most:
            raise JsonError("bridges", f"at most {most} bridges on such a board")
        return self.setup().position()


@frozen(kw_only=True)
class SymmetryForm:
    """A :class:`Symmetry` with its board."""

    board: Board
    transposes: bool
    flips_columns: bool
    flips_rows: bool

    @classmethod
    def of(cls, symmetry: Symmetry) -> SymmetryForm:
        """Return the fields of a symmetry."""
        return cls(
            board=Board(symmetry.width, symmetry.height),
            transposes=symmetry.transposes,
            flips_columns=symmetry.flips_columns,
            flips_rows=symmetry.flips_rows,
        )

    def value(self) -> Symmetry:
        """Return the symmetry.

        Raises:
            PonteError: If a board that is not square would be transposed.
        """
        flips = (self.flips_columns, self.flips_rows)
        return Symmetry(self.board.width, self.board.height, self.transposes, *flips)
