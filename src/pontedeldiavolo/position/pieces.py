"""The pieces on a board as integers, and the rule of islands on them [S0].

A cell is *closed* to a colour when a tile of that colour there would make a group of more than
four, or an island with another tile of the colour around it. All closed cells are found at once by
shifting the whole set of tiles: ``tiles >> width`` has the cells south of a tile, ``tiles >> 1``
the cells west of one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, final

from attrs import define, frozen

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.base.values import ImmutableValue, slot_setters
from pontedeldiavolo.board.geometry import Geometry, bits, permuted
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.rules.rules import Score

from .images import turned
from .networks import score_of

MANY_ROWS = 24
"""Boards with more rows than this are processed in strips."""


@define
class Survey:
    """Sets that follow from the tiles of one colour. They may contain cells above the board."""

    islands: int
    """The tiles in groups of four."""
    closed: int
    """Cells where no tile of the colour may go. Some of them may hold other pieces."""
    makes_four: int
    """Cells where a tile makes a group of four or more."""
    makes_three: int
    """Cells where a tile makes a group of three or more."""


@define(eq=False, repr=False)
class Side:
    """The pieces of one colour as sets. What follows from its tiles is computed on first use."""

    tiles: int
    one_end: int
    """Possible bridges with a tile of the colour on at least one end."""
    both_ends: int
    """Possible bridges with tiles of the colour on both ends."""
    bridges: int
    """The bridges that have been built."""
    _survey: Survey | None = None
    _score: Score | None = None

    def score(self, geometry: Geometry) -> Score:
        """Return the score of these pieces."""
        if self._score is None:
            islands = self.survey(geometry).islands
            self._score = score_of(geometry, self.tiles, islands, self.bridges)
        return self._score

    def survey(self, geometry: Geometry) -> Survey:
        """Return the sets that follow from these tiles."""
        if self._survey is None:
            self._survey = survey(geometry, self.tiles)
        return self._survey


_NO_SIDE: Final = Side(0, 0, 0, 0)

_new = object.__new__


@final
@frozen(init=False, eq=False, repr=False)
class Pieces(ImmutableValue):
    """The pieces on a board as integers, for engines: :attr:`GameState.pieces`.

    An integer is a set: bit *i* of a set of cells is ``board.cells[i]``, and bit *n* of a set of
    bridges is the bridge with the number *n* of :class:`Geometry`. White has the colour 0 and red
    1, as in :attr:`Color.index` and in batches. Methods do not check their arguments, and all but
    the ``with`` methods ignore supply and turn.

    Pieces are equal if the same pieces lie on boards of the same size.

    >>> pieces = pdd.parse_setup("w w w . . r").position().pieces
    >>> bin(pieces.tiles(0)), bin(pieces.tiles(1)), bin(pieces.open_cells(0))
    ('0b111', '0b100000', '0b11000')
    >>> [str(cell) for cell in pieces.geometry.cells_of(pieces.open_cells(0))]
    ['d1', 'e1']

    Attributes:
        geometry: The tables of the board.
        blocked: The cells under bridges.
        ruled_out: The bridges that can never be built any more: those that have been, those that
            cross one or share an end with one, and those over a tile.
    """

    geometry: Geometry
    blocked: int
    ruled_out: int
    _sides: tuple[Side, Side]

    def __init__(self) -> None:
        raise TypeError("pieces are those of a state or a position: GameState.pieces")

    def __reduce__(self) -> tuple[object, tuple[Geometry, int, int, int]]:
        return Pieces._of, (self.geometry, *self.key())

    @property
    def occupied(self) -> int:
        """The cells with a tile."""
        white, red = self._sides
        return white.tiles | red.tiles

    @property
    def bridges(self) -> int:
        """All bridges that have been built."""
        white, red = self._sides
        return white.bridges | red.bridges

    def tiles(self, color: int) -> int:
        """Return the cells with a tile of *color*."""
        return self._sides[color].tiles

    def bridges_of(self, color: int) -> int:
        """Return the bridges that *color* has built."""
        return self._sides[color].bridges

    def islands(self, color: int) -> int:
        """Return the cells with tiles of the islands of *color*."""
        return self._sides[color].survey(self.geometry).islands

    def score(self, color: int) -> Score:
        """Return the score of *color*."""
        return self._sides[color].score(self.geometry)

    def open_cells(self, color: int) -> int:
        """Return the cells where one tile of *color* is legal."""
        white, red = self._sides
        closed = self._sides[color].survey(self.geometry).closed
        full = self.geometry.full
        return full ^ full & (white.tiles | red.tiles | self.blocked | closed)

    def completing_cells(self, color: int) -> int:
        """Return the open cells where a tile of *color* completes an island."""
        return self.open_cells(color) & self._sides[color].survey(self.geometry).makes_four

    def open_bridges(self, color: int) -> int:
        """Return the bridges that *color* can build."""
        both_ends = self._sides[color].both_ends
        return both_ends ^ both_ends & self.ruled_out

    def reachable_bridges(self, color: int) -> int:
        """Return the bridges that *color* can build, now or after one more tile at an end."""
        one_end = self._sides[color].one_end
        return one_end ^ one_end & self.ruled_out

    def with_tiles(self, color: int, cells: Iterable[int]) -> Pieces:
        """Return the pieces after the placement of tiles of *color*, which must be legal.

        Args:
            color: The colour.
            cells: The indices of the cells.
        """
        geometry = self.geometry
        side = self._sides[color]
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
        """Return the pieces after *color* has built the bridge *number*, which must be legal."""
        side = self._sides[color]
        built = side.bridges | 1 << number
        after = Side(side.tiles, side.one_end, side.both_ends, built, side._survey)
        blocked = self.blocked | self.geometry.beneath(number)
        return self._with(color, after, blocked, self.ruled_out | self.geometry.excluded_by[number])

    def _with(self, color: int, side: Side, blocked: int, ruled_out: int) -> Pieces:
        pieces = _new(Pieces)
        _set_geometry(pieces, self.geometry)
        _set_blocked(pieces, blocked)
        _set_ruled_out(pieces, ruled_out)
        _set_sides(pieces, (self._sides[0], side) if color else (side, self._sides[1]))
        return pieces

    def with_action(self, color: int, action: Action) -> Pieces:
        """Return the pieces after an action of *color*, which must be legal."""
        if isinstance(action, PlaceTiles):
            width = self.geometry.width
            a = action.a
            b = action.b
            return self.with_tiles(color, (a.row * width + a.column, b.row * width + b.column))
        if isinstance(action, BuildBridge):
            return self.with_bridge(color, self.geometry.number_of(action))
        return self

    @classmethod
    def _none(cls, geometry: Geometry) -> Pieces:
        """Return the empty board."""
        pieces = _new(cls)
        _set_geometry(pieces, geometry)
        _set_blocked(pieces, 0)
        _set_ruled_out(pieces, 0)
        _set_sides(pieces, (_NO_SIDE, _NO_SIDE))
        return pieces

    @classmethod
    def _of(cls, geometry: Geometry, white: int, red: int, bridges: int) -> Pieces:
        """Return the pieces given as sets, which must form a valid position."""
        pieces = cls._none(geometry).with_tiles(0, bits(white)).with_tiles(1, bits(red))
        for number in bits(bridges):
            color = 0 if white >> geometry.ends(number)[0] & 1 else 1
            pieces = pieces.with_bridge(color, number)
        return pieces

    def key(self) -> tuple[int, int, int]:
        """Return the tiles of white, those of red, and the bridges; the rest follows from them."""
        white, red = self._sides
        return (white.tiles, red.tiles, white.bridges | red.bridges)

    def key_under(self, symmetry: Symmetry) -> tuple[int, int, int]:
        """Return the key of these pieces on the board rotated or reflected by *symmetry*."""
        white, red, bridges = self.key()
        return (
            turned(self.geometry, white, symmetry),
            turned(self.geometry, red, symmetry),
            permuted(bridges, self.geometry.bridge_permutation(symmetry)) if bridges else 0,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pieces):
            return NotImplemented
        return self.geometry is other.geometry and self.key() == other.key()

    def __hash__(self) -> int:
        return hash((self.geometry.size, self.key()))

    def __repr__(self) -> str:
        width, height = self.geometry.size
        white, red, bridges = self.key()
        return f"<Pieces {width}x{height} {white=:#x} {red=:#x} {bridges=:#x}>"


_set_geometry, _set_blocked, _set_ruled_out, _set_sides = slot_setters(Pieces)


def survey(geometry: Geometry, tiles: int) -> Survey:
    """Return the sets derived from *tiles*, whose groups must have at most four tiles."""
    width = geometry.width
    not_last = geometry.not_last
    not_first = geometry.not_first
    # Cells with a tile on that side of them, or at that corner.
    north = tiles >> width
    south = tiles << width
    east = tiles >> 1 & not_last
    west = tiles << 1 & not_first
    ne = east >> width
    nw = west >> width
    se = east << width
    sw = west << width
    upright = north | south
    level = east | west
    column = north & south
    row = east & west
    opposite = column | row
    three = column & level | row & upright
    # Cells where the corner differs from both sides beside it: either the sides have tiles of two
    # groups, which a tile on the cell joins, or the corner has a tile of another group.
    odd_north = (north ^ ne) & (east ^ ne) | (north ^ nw) & (west ^ nw)
    odd_south = (south ^ se) & (east ^ se) | (south ^ sw) & (west ^ sw)
    joining_north = north & odd_north
    joining_south = south & odd_south
    joining = opposite | joining_north | joining_south
    touching = odd_north ^ joining_north | odd_south ^ joining_south
    pairs = tiles & (upright | level)
    islands = 0
    closed = 0
    fours = 0
    by_pair = 0
    two_pairs = 0
    partners = 0
    inner = pairs & (opposite | upright & level)
    if inner:
        # The middle of three has two neighbours, which have no others. In a group of four, one
        # tile has three neighbours, or two adjacent tiles have two each.
        by_inner = geometry.beside(inner)
        middles = inner ^ inner & (three | by_inner)
        large = pairs & (inner | by_inner)
        islands, closed, fours = _large_groups(geometry, large, middles, touching, joining)
        pairs ^= large
    if pairs:
        by_pair, two_pairs, partners = _pairs(geometry, pairs, pairs & touching)
    # Cells that join a pair and a single tile, three single tiles, or more.
    joining_three = joining & (three | by_pair)
    if joining_three:
        refused = joining_three & (touching | two_pairs | three & by_pair)
        rest = joining_three ^ refused
        if rest:
            corners = ne | nw, se | sw, ne | se, nw | sw
            refused |= rest & _touching(geometry, tiles, partners, corners)
        closed |= refused | column & row
    return Survey(islands, closed, fours | joining_three, by_pair | joining)


def _large_groups(
    geometry: Geometry, large: int, middles: int, touching: int, joining: int
) -> tuple[int, int, int]:
    """Return the islands, cells closed by groups of three and four, and cells beside three.

    Args:
        geometry: The board.
        large: The tiles of these groups.
        middles: The tiles in the middle of three.
        touching: The cells with a tile of another group at a corner.
        joining: The cells with tiles of two groups beside them.
    """
    islands = large
    closed = 0
    fours = 0
    if middles:
        threes = middles | geometry.beside(middles) & large
        islands ^= threes
        fours = geometry.beside(threes)
        # A fourth tile beside a group of three is illegal if it or the group touches another group.
        closed = fours & (touching | joining)
        touched = threes & touching
        if touched:
            middles &= touched | geometry.beside(touched)
            closed |= geometry.beside(middles | geometry.beside(middles) & large)
    if islands:
        column = islands | islands >> geometry.width | islands << geometry.width
        closed |= column | column >> 1 & geometry.not_last | column << 1 & geometry.not_first
    return islands, closed, fours


def _pairs(geometry: Geometry, pairs: int, touched: int) -> tuple[int, int, int]:
    """Return the cells beside a pair, cells beside two pairs, and partners of *touched* tiles.

    *pairs* are the tiles of groups of two, *touched* those with another group at a corner.
    """
    width = geometry.width
    north = pairs >> width
    south = pairs << width
    east = pairs >> 1 & geometry.not_last
    west = pairs << 1 & geometry.not_first
    upright = north | south
    level = east | west
    two_pairs = north & south | east & west | upright & level
    return upright | level, two_pairs, touched and geometry.beside(touched) & pairs


def _touching(
    geometry: Geometry, tiles: int, partners: int, corners: tuple[int, int, int, int]
) -> int:
    """Return the cells beside a tile that touches another group, itself or through its pair.

    A tile is checked only at the two corners on its far side, seen from the cell: on the near side
    are the groups that the cell joins. *corners* are the cells with a tile at a corner in the
    north, south, east and west. *partners* are tiles whose pair touches with its other tile.
    """
    north, south, east, west = corners
    return (
        (tiles & (north | partners)) >> geometry.width
        | (tiles & (south | partners)) << geometry.width
        | (tiles & (east | partners)) >> 1 & geometry.not_last
        | (tiles & (west | partners)) << 1 & geometry.not_first
    )


def conflicts(geometry: Geometry, tiles: int, open_cells: int) -> Iterator[tuple[int, int]]:
    """Iterate over the open cells that exclude others, each with the cells it excludes.

    Two cells exclude each other when a tile is legal on each alone, but not on both. Every
    such pair of cells occurs once. The cells that a cell can exclude depend on the size of the
    group that a tile there would make: four, three, two or one.
    """
    found = survey(geometry, tiles)
    fours = open_cells & found.makes_four
    less = open_cells ^ fours
    threes = less & found.makes_three
    twos = less & geometry.beside(tiles) & ~threes
    # Few cells are side by side. At the ends of rows, this keeps some cells that are not: harmless.
    width = geometry.width
    twos &= twos << 1 | twos >> 1 | twos << width | twos >> width
    for cells, rest, excluded_by in (
        (fours, open_cells, _excluded_by_four),
        (threes, less, _excluded_by_three),
        (twos, twos, _excluded_by_two),
    ):
        later = rest
        for cell in bits(cells):
            later ^= 1 << cell
            excluded = excluded_by(geometry, tiles, cell, later)
            if excluded:
                yield cell, excluded


def _excluded_by_four(geometry: Geometry, tiles: int, cell: int, rest: int) -> int:
    """Return the cells around an island that a tile completes: no other tile may go there."""
    return group_and_borders(geometry, tiles, 1 << cell)[2] & rest


def _excluded_by_three(geometry: Geometry, tiles: int, cell: int, rest: int) -> int:
    """Return the cells where a fourth tile would make an island that touches other tiles."""
    group, beside, halo = group_and_borders(geometry, tiles, 1 << cell)
    excluded = beside & rest
    others = tiles & ~group
    if not halo & others:
        for fourth in bits(excluded):
            if not geometry.around[fourth] & others:
                excluded ^= 1 << fourth
    return excluded


def _excluded_by_two(geometry: Geometry, tiles: int, cell: int, rest: int) -> int:
    """Return the cells where joining two groups of two would make an island that touches others."""
    excluded = geometry.adjacent[cell] & rest
    for other in bits(excluded):
        if not group_and_borders(geometry, tiles, 1 << cell | 1 << other)[2] & tiles:
            excluded ^= 1 << other
    return excluded


def group_and_borders(geometry: Geometry, tiles: int, seed: int) -> tuple[int, int, int]:
    """Return the group around *seed*, the cells beside it, and the cells around it, in one walk.

    If the group has more than four tiles, some of them may be missing.
    """
    if geometry.height > MANY_ROWS:
        # Operations on a strip of the board are faster.
        strip = geometry.strip
        width = geometry.width
        down = max((seed.bit_length() - 1) // width - ISLAND_SIZE, 0) * width
        group, beside, halo = group_and_borders(strip, tiles >> down & strip.full, seed >> down)
        return group << down, beside << down, halo << down
    adjacent = geometry.adjacent
    around = geometry.around
    group = seed
    fresh = seed
    beside = 0
    halo = 0
    while fresh:
        low = fresh & -fresh
        cell = low.bit_length() - 1
        next_to = adjacent[cell]
        beside |= next_to
        halo |= around[cell]
        found = next_to & tiles & ~group
        group |= found
        fresh = fresh ^ low | found
    return group, beside & ~group, halo & ~group


def keeps_island_rule(geometry: Geometry, tiles: int, seed: int) -> bool:
    """Return whether the group around *seed* is under four tiles, or four with no others around."""
    group, _, halo = group_and_borders(geometry, tiles, seed)
    size = group.bit_count()
    return size < ISLAND_SIZE or (size == ISLAND_SIZE and not halo & tiles)
