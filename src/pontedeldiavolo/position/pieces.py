"""The pieces on a board as integers, under all symmetries."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import define

from pontedeldiavolo.board.geometry import Geometry, bits, permuted
from pontedeldiavolo.board.symmetry import Symmetry, symmetries_of
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.rules.rules import Score

from .islands import Survey, survey
from .networks import score_of


def turned(geometry: Geometry, cells: int, symmetry: Symmetry) -> int:
    """Return the image of a set of cells under *symmetry*."""
    if not cells:
        return 0
    width = geometry.width
    text = _text(geometry, cells)
    if symmetry.transposes:
        text = _transposed(text, width)
    if symmetry.flips_columns != symmetry.flips_rows:
        text = _mirrored(text, width)
    # Reversing the text mirrors both columns and rows.
    return int(text[::-1] if symmetry.flips_rows else text, 2)


def least_symmetry(geometry: Geometry, white: int, red: int, bridges: int, first: int) -> Symmetry:
    """Return the symmetry under which these sets, compared in this order, are smallest.

    Args:
        geometry: The board.
        white: The cells of white's tiles.
        red: The cells of red's tiles.
        bridges: The bridges.
        first: The cell of a first tile that is not placed yet, as a set; 0 without one.
    """
    symmetries = symmetries_of(geometry.width, geometry.height)
    left = list(range(len(symmetries)))
    for cells in (white, red):
        if len(left) > 1 and cells:
            left = _least(left, _turnings(geometry, cells).__getitem__)
    if len(left) > 1 and bridges:
        to = geometry.bridge_permutation
        left = _least(left, lambda number: permuted(bridges, to(symmetries[number])))
    if len(left) > 1 and first:
        left = _least(left, lambda number: turned(geometry, first, symmetries[number]))
    return symmetries[left[0]]


def _least(numbers: list[int], image: Callable[[int], int | str]) -> list[int]:
    """Return those of the numbers whose image is smallest."""
    images = [image(number) for number in numbers]
    least = min(images)
    return [number for number, own in zip(numbers, images, strict=True) if own == least]


def _text(geometry: Geometry, cells: int) -> str:
    return f"{cells:0{geometry.width * geometry.height}b}"


def _transposed(text: str, width: int) -> str:
    return "".join([text[column::width] for column in range(width)])


def _mirrored(text: str, width: int) -> str:
    """Exchange left and right."""
    return "".join([text[at : at + width][::-1] for at in range(0, len(text), width)])


def _turnings(geometry: Geometry, cells: int) -> list[str]:
    """Return the texts of a set under every symmetry of the board, in order."""
    width = geometry.width
    text = _text(geometry, cells)
    found: list[str] = []
    for base in (text, _transposed(text, width)) if width == geometry.height else (text,):
        mirrored = _mirrored(base, width)
        found += [base, mirrored[::-1], mirrored, base[::-1]]
    return found


@define(eq=False, repr=False)
class Side:
    """The pieces of one colour, and data derived from them."""

    tiles: int
    """The cells with its tiles."""
    one_end: int
    """Possible bridges with a tile of the colour on at least one end."""
    both_ends: int
    """Possible bridges with tiles of the colour on both ends."""
    bridges: int
    """The bridges that have been built."""
    _survey: Survey | None = None
    _score: Score | None = None

    def score(self, geometry: Geometry) -> Score:
        """Return its score, computed on first use."""
        if self._score is None:
            self._score = score_of(geometry, self.tiles, self.bridges)
        return self._score

    def survey(self, geometry: Geometry) -> Survey:
        """Return the sets derived from its tiles, computed on first use."""
        if self._survey is None:
            self._survey = survey(geometry, self.tiles)
        return self._survey


NO_SIDE = Side(0, 0, 0, 0)


@define(eq=False, repr=False)
class Pieces:
    """All pieces on a board of one size."""

    geometry: Geometry
    sides: tuple[Side, Side] = (NO_SIDE, NO_SIDE)
    blocked: int = 0
    """Cells under bridges."""
    ruled_out: int = 0
    """Bridges that cannot be built any more, even with further tiles: built ones, bridges that
    cross or share an end with a built one, and bridges over a tile."""

    def __reduce__(self) -> tuple[object, tuple[Geometry, int, int, int]]:
        return Pieces.of, (self.geometry, *self.key())

    @property
    def occupied(self) -> int:
        """Cells with a tile."""
        return self.sides[0].tiles | self.sides[1].tiles

    @property
    def bridges(self) -> int:
        """Every bridge that has been built."""
        return self.sides[0].bridges | self.sides[1].bridges

    def open_cells(self, color: int) -> int:
        """Return the cells where one tile of *color* is legal, ignoring supply and turn."""
        white, red = self.sides
        closed = self.sides[color].survey(self.geometry).closed
        full = self.geometry.full
        return full ^ full & (white.tiles | red.tiles | self.blocked | closed)

    def open_bridges(self, color: int) -> int:
        """Return the bridges that *color* could build, ignoring supply and turn."""
        both_ends = self.sides[color].both_ends
        return both_ends ^ both_ends & self.ruled_out

    def with_tiles(self, color: int, cells: Iterable[int]) -> Pieces:
        """Return the pieces after the legal placement of tiles of *color* on *cells*."""
        geometry = self.geometry
        side = self.sides[color]
        ruled_out = self.ruled_out
        tiles = side.tiles
        one_end = side.one_end
        both_ends = side.both_ends
        for cell in cells:
            tiles |= 1 << cell
            bridges = geometry.bridges_at[cell]
            both_ends |= one_end & bridges
            one_end |= bridges
            ruled_out |= geometry.bridges_over[cell]
        after = Side(tiles, one_end, both_ends, side.bridges)
        return self._with(color, after, self.blocked, ruled_out)

    def with_bridge(self, color: int, number: int) -> Pieces:
        """Return the pieces after the legal building of bridge *number* by *color*."""
        side = self.sides[color]
        built = side.bridges | 1 << number
        after = Side(side.tiles, side.one_end, side.both_ends, built, side._survey)
        blocked = self.blocked | self.geometry.beneath(number)
        return self._with(color, after, blocked, self.ruled_out | self.geometry.excluded_by[number])

    def _with(self, color: int, side: Side, blocked: int, ruled_out: int) -> Pieces:
        sides = (self.sides[0], side) if color else (side, self.sides[1])
        return Pieces(self.geometry, sides, blocked, ruled_out)

    def with_action(self, color: int, action: Action) -> Pieces:
        """Return the pieces after a legal action of *color*."""
        if isinstance(action, PlaceTiles):
            width = self.geometry.width
            a = action.a
            b = action.b
            return self.with_tiles(color, (a.row * width + a.column, b.row * width + b.column))
        if isinstance(action, BuildBridge):
            return self.with_bridge(color, self.geometry.number_of(action))
        return self

    @classmethod
    def of(cls, geometry: Geometry, white: int, red: int, bridges: int) -> Pieces:
        """Return the pieces of a valid position, computed from sets."""
        pieces = cls(geometry).with_tiles(0, bits(white)).with_tiles(1, bits(red))
        for number in bits(bridges):
            color = 0 if white >> geometry.ends(number)[0] & 1 else 1
            pieces = pieces.with_bridge(color, number)
        return pieces

    def key(self) -> tuple[int, int, int]:
        """Return a key that is unique among pieces on the same board."""
        white, red = self.sides
        return (white.tiles, red.tiles, white.bridges | red.bridges)

    def key_under(self, symmetry: Symmetry) -> tuple[int, int, int]:
        """Return the key that these pieces have after *symmetry*."""
        white, red, bridges = self.key()
        return (
            turned(self.geometry, white, symmetry),
            turned(self.geometry, red, symmetry),
            permuted(bridges, self.geometry.bridge_permutation(symmetry)) if bridges else 0,
        )
