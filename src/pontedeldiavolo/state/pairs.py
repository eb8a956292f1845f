"""The legal pairs of tiles of one colour: counted, found and drawn without listing them.

Two cells that are each legal alone can exclude each other, so the pairs are all pairs of open
cells less the conflicts among them. Conflicts are few and short-ranged: that is what makes
counting cheap.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import final

from attrs import frozen

from pontedeldiavolo.board.cell_pair import in_order
from pontedeldiavolo.board.geometry import Geometry, bits, nth_bit
from pontedeldiavolo.position.islands import Land
from pontedeldiavolo.rules.actions import PlaceTiles
from pontedeldiavolo.state.sequences import View, below


@final
@frozen(slots=False, eq=False, repr=False)
class Pairs(View[PlaceTiles]):
    """A sequence of all legal pairs of tiles, by (first cell, second cell)."""

    _geometry: Geometry
    _land: Land
    _open: int

    def seconds(self, first: int) -> int:
        """Return the cells that make a legal pair with cell *first*; -1 is off the board."""
        if first < 0 or not self._open >> first & 1:
            return 0
        return self._open & ~self._land.with_tiles(self._geometry, (first,)).closed & ~(1 << first)

    @cached_property
    def firsts(self) -> int:
        """The cells that are half of some legal pair."""
        if not self._open:
            return 0
        # Whatever is far from some other open cell has a partner in it: look at the rest only.
        near = self._geometry.near
        lowest, highest = nth_bit(self._open, 0), self._open.bit_length() - 1
        found = self._open & ~(near[lowest] & near[highest]) & ~(1 << lowest | 1 << highest)
        for cell in bits(self._open ^ found):
            if self._open & ~near[cell] & ~(1 << cell) or self.seconds(cell):
                found |= 1 << cell
        return found

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return any(self.seconds(first) for first in bits(self._open))

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, PlaceTiles):
            return False
        a, b = self._geometry.index(item.a), self._geometry.index(item.b)
        return a >= 0 and b >= 0 and self.allows(a, b)

    def __iter__(self) -> Iterator[PlaceTiles]:
        cells = self._geometry.cells
        for first in bits(self._open):
            for second in bits(self.later_seconds(first)):
                yield in_order(PlaceTiles, cells[first], cells[second])

    def allows(self, a: int, b: int) -> bool:
        """Tell whether tiles on cells *a* and *b* are legal together."""
        both = 1 << a | 1 << b
        if a == b or self._open & both != both:
            return False
        # Far apart, or with nothing of its colour around one of them: no conflict.
        geometry, own = self._geometry, self._land.tiles | both
        if (
            not geometry.near[a] >> b & 1
            or not geometry.around[a] & own
            or not geometry.around[b] & own
        ):
            return True
        return bool(self.seconds(a) >> b & 1)

    def draw(self, rng: Random) -> PlaceTiles | None:
        """Return two open cells at random, or ``None`` if they happen to exclude each other."""
        a, b = self._random_open_cell(rng), self._random_open_cell(rng)
        while a == b:
            b = self._random_open_cell(rng)
        if a > b:
            a, b = b, a
        if not self.allows(a, b):
            return None
        return in_order(PlaceTiles, self._geometry.cells[a], self._geometry.cells[b])

    def _random_open_cell(self, rng: Random) -> int:
        open_cells = self._open
        count, width = open_cells.bit_count(), open_cells.bit_length().bit_length()
        if count << 4 < 1 << width:
            return nth_bit(open_cells, below(rng, count))
        # Where open cells are not rare, trying numbers finds one sooner than counting to it.
        cell = rng.getrandbits(width)
        while not open_cells >> cell & 1:
            cell = rng.getrandbits(width)
        return cell

    @property
    def candidates(self) -> int:
        """How many ordered pairs of open cells there are, conflicts included."""
        count = self._open.bit_count()
        return count * (count - 1)

    @cached_property
    def _length(self) -> int:
        conflicts = self._land.conflicts(self._geometry, self._open)
        return self.candidates // 2 - sum(mask.bit_count() for _, mask in conflicts)

    @cached_property
    def conflicts(self) -> dict[int, int]:
        """For each open cell that has any, the open cells that it excludes."""
        found: dict[int, int] = {}
        for cell, excluded in self._land.conflicts(self._geometry, self._open):
            found[cell] = found.get(cell, 0) | excluded
            for other in bits(excluded):
                found[other] = found.get(other, 0) | 1 << cell
        return found

    def later_seconds(self, first: int) -> int:
        """Return the cells after *first* that make a legal pair with it."""
        if not self._open >> first & 1:
            return 0
        later = self._open & -2 << first
        return later & ~self.conflicts.get(first, 0)

    @cached_property
    def _rows(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The first cells, and how many pairs there are up to and including each."""
        firsts = tuple(bits(self._open))
        counts = (self.later_seconds(first).bit_count() for first in firsts)
        return firsts, tuple(accumulate(counts))

    def _at(self, place: int) -> PlaceTiles:
        firsts, totals = self._rows
        row = bisect_right(totals, place)
        first = firsts[row]
        before = totals[row - 1] if row else 0
        second = nth_bit(self.later_seconds(first), place - before)
        return in_order(PlaceTiles, self._geometry.cells[first], self._geometry.cells[second])

    def _rank(self, item: PlaceTiles) -> int:
        first, second = self._geometry.index(item.a), self._geometry.index(item.b)
        firsts, totals = self._rows
        row = firsts.index(first)
        before = totals[row - 1] if row else 0
        return before + (self.later_seconds(first) & (1 << second) - 1).bit_count()
