"""The rule of islands on bit sets: what a colour's own tiles forbid it [S0].

A cell is *closed* to a colour when a tile of it there would make a group of more than four, or
an island with another tile of its colour around it. Legality only shrinks: a closed cell never
opens again, and a tile closes cells in its neighbourhood alone. Everything kept here only grows,
so a new tile means a few unions, and a close look at the few cells that could be affected.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.board.geometry import Geometry, bits


def group_around(geometry: Geometry, tiles: int, seed: int) -> int:
    """Return *seed* with all *tiles* connected to it side by side."""
    adjacent = geometry.adjacent
    group = fresh = seed
    while fresh:
        low = fresh & -fresh
        found = adjacent[low.bit_length() - 1] & tiles & ~group
        group |= found
        fresh = fresh ^ low | found
    return group


def groups(geometry: Geometry, tiles: int) -> list[int]:
    """Return all groups of *tiles*, by their first cells."""
    found = []
    while tiles:
        group = group_around(geometry, tiles, tiles & -tiles)
        found.append(group)
        tiles &= ~group
    return found


def surroundings(geometry: Geometry, cells: int) -> int:
    """Return the cells around *cells*, diagonals included, without *cells* themselves."""
    around = geometry.around
    found = 0
    rest = cells
    while rest:
        low = rest & -rest
        found |= around[low.bit_length() - 1]
        rest ^= low
    return found & ~cells


def outlined(geometry: Geometry, tiles: int, seed: int) -> tuple[int, int, int]:
    """Return the group around *seed*, the cells beside it, and those around it: all in one walk."""
    adjacent, around = geometry.adjacent, geometry.around
    group = fresh = seed
    beside = halo = 0
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


class Land:
    """The tiles of one colour, and what they mean for further tiles of it."""

    __slots__ = ("beside", "beside_pair", "beside_two", "closed", "completing", "tiles")

    def __init__(
        self,
        tiles: int = 0,
        closed: int = 0,
        beside: int = 0,
        beside_two: int = 0,
        beside_pair: int = 0,
        completing: int = 0,
    ) -> None:
        self.tiles: int = tiles
        self.closed: int = closed
        """Cells where no tile of the colour may go. Some of them may hold other pieces."""
        self.beside: int = beside
        """Cells beside at least one tile."""
        self.beside_two: int = beside_two
        """Cells beside at least two tiles."""
        self.beside_pair: int = beside_pair
        """Cells beside a group of at least two."""
        self.completing: int = completing
        """Cells where a tile makes a group of at least four: those beside a group of three, beside
        a group of two and another tile, or beside three tiles."""

    def __reduce__(self) -> tuple[type[Land], tuple[int, ...]]:
        return Land, (
            self.tiles,
            self.closed,
            self.beside,
            self.beside_two,
            self.beside_pair,
            self.completing,
        )

    def with_tiles(self, geometry: Geometry, cells: Iterable[int]) -> Land:
        """Return the land after the legal placing of tiles on *cells*."""
        tiles, closed, completing = self.tiles, self.closed, self.completing
        beside, beside_two, beside_pair = self.beside, self.beside_two, self.beside_pair
        for cell in cells:
            adjacent = geometry.adjacent[cell]
            joined = adjacent & tiles
            tile = 1 << cell
            tiles |= tile
            completing |= beside_two & adjacent
            beside_two |= beside & adjacent
            beside |= adjacent
            if joined:
                group, beside_group, halo = outlined(geometry, tiles, tile | joined)
                size = group.bit_count()
                if size == ISLAND_SIZE:
                    closed |= halo
                    continue
                beside_pair |= beside_group
                if size == ISLAND_SIZE - 1:
                    completing |= beside_group
            completing |= beside_pair & beside_two
            candidates = completing & geometry.near[cell] & ~(closed | tiles)
            while candidates:
                candidate = candidates & -candidates
                candidates ^= candidate
                island, _, halo = outlined(geometry, tiles, candidate)
                if island.bit_count() > ISLAND_SIZE or halo & tiles:
                    closed |= candidate
        return Land(tiles, closed, beside, beside_two, beside_pair, completing)

    def conflicts(self, geometry: Geometry, open_cells: int) -> Iterator[tuple[int, int]]:
        """Iterate over the open cells that exclude others, each with those it excludes.

        Two cells exclude each other when a tile is legal on each alone, but not on both. Every
        such pair of cells comes once. Which they can be depends on how many tiles a tile there
        would connect: four, three, two, or none but itself.
        """
        fours = open_cells & self.completing
        less = open_cells ^ fours
        threes = less & (self.beside_pair | self.beside_two)
        twos = less & self.beside & ~threes
        yield from self._conflicts_of_fours(geometry, fours, open_cells)
        yield from self._conflicts_of_threes(geometry, threes, less)
        yield from self._conflicts_of_twos(geometry, twos)

    def _conflicts_of_fours(
        self, geometry: Geometry, fours: int, rest: int
    ) -> Iterator[tuple[int, int]]:
        """An island: no tile may go anywhere around it."""
        for cell in bits(fours):
            rest ^= 1 << cell
            _, _, halo = outlined(geometry, self.tiles, 1 << cell)
            excluded = halo & rest
            if excluded:
                yield cell, excluded

    def _conflicts_of_threes(
        self, geometry: Geometry, threes: int, rest: int
    ) -> Iterator[tuple[int, int]]:
        """A fourth tile beside the three is legal only if nothing else is around the four."""
        around = geometry.around
        for cell in bits(threes):
            rest ^= 1 << cell
            group, beside, halo = outlined(geometry, self.tiles, 1 << cell)
            others = self.tiles & ~group
            excluded = beside & rest
            if excluded and not halo & others:
                for fourth in bits(excluded):
                    if not around[fourth] & others:
                        excluded ^= 1 << fourth
            if excluded:
                yield cell, excluded

    def _conflicts_of_twos(self, geometry: Geometry, twos: int) -> Iterator[tuple[int, int]]:
        """Two twos side by side are four: legal only if nothing else is around them."""
        # Few are side by side. At the ends of rows this keeps some that are not, which is no harm.
        width = geometry.width
        twos &= twos << 1 | twos >> 1 | twos << width | twos >> width
        for cell in bits(twos):
            twos ^= 1 << cell
            excluded = geometry.adjacent[cell] & twos
            for other in bits(excluded):
                _, _, halo = outlined(geometry, self.tiles, 1 << cell | 1 << other)
                if not halo & self.tiles:
                    excluded ^= 1 << other
            if excluded:
                yield cell, excluded


NO_LAND = Land()
