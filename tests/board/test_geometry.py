"""The tables of a board size are correct, and are built only when they are needed."""

from __future__ import annotations

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations_with_replacement, product, starmap
from weakref import ref

import pytest

from pontedeldiavolo import Board, Bridge, Cell
from pontedeldiavolo.board import geometry as geometries
from pontedeldiavolo.board.geometry import FAR_DISTANCE, Geometry, LazyTable, _GeometryCache, bits
from pontedeldiavolo.position.pieces import Pieces

SIZES = [*product(range(1, 6), range(1, 6)), (1, 64), (64, 1), (2, 9), (9, 2), (7, 6), (13, 3)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_tables_say_what_the_board_shows(width: int, height: int) -> None:
    geometry = Geometry._of(width, height)
    cells = Board(width, height).cells
    spans = starmap(Bridge, combinations_with_replacement(cells, 2))
    bridges = [bridge for bridge in spans if bridge.has_bridge_shape]
    assert geometry.bridge_count == len(bridges)
    assert list(geometry.bridges) == bridges == sorted(bridges)

    def cell_set(found: list[Cell]) -> int:
        return sum(1 << cells.index(cell) for cell in found)

    numbers = [geometry.bridge_number(*map(cells.index, bridge.ends)) for bridge in bridges]
    assert numbers == list(bits(geometry.all_bridges))

    def bridge_set(found: list[Bridge]) -> int:
        return sum(1 << numbers[bridges.index(bridge)] for bridge in found)

    for rank, (number, bridge) in enumerate(zip(numbers, bridges, strict=True)):
        a, b = map(cells.index, bridge.ends)
        assert (geometry.bridge_rank(number), geometry.bridge_at_rank(rank)) == (rank, number)
        assert geometry.ends(number) == (a, b)
        assert geometry.bridge_number(b, a) == -1
        assert geometry.beneath(number) == cell_set(list(bridge.cells_beneath))
        ends = set(bridge.ends)
        excluded = [each for each in bridges if ends & {*each.ends} or each.crosses(bridge)]
        assert geometry.excluded_by[number] == bridge_set(excluded)
    for index, cell in enumerate(cells):
        steps = [(abs(each.column - cell.column), abs(each.row - cell.row)) for each in cells]

        def those(rule: list[bool]) -> int:
            return cell_set([each for each, fits in zip(cells, rule, strict=True) if fits])

        assert geometry.adjacent[index] == those([x + y == 1 for x, y in steps])
        assert geometry.around[index] == those([max(x, y) == 1 for x, y in steps])
        near = [0 < x + y < FAR_DISTANCE and max(x, y) < FAR_DISTANCE - 1 for x, y in steps]
        assert geometry.near[index] == those(near)
        assert geometry.bridges_at[index] == bridge_set([b for b in bridges if cell in b.ends])
        over = [bridge for bridge in bridges if cell in bridge.cells_beneath]
        assert geometry.bridges_over[index] == bridge_set(over)
        assert geometry.bridge_number(index, -1) == geometry.bridge_number(-1, index) == -1


def test_a_first_pair_on_the_largest_board_asks_for_little() -> None:
    geometry = Geometry._of(64, 63)
    Pieces._none(geometry).with_tiles(0, (5, 700))
    tables = [each for each in vars(geometry).values() if isinstance(each, LazyTable)]
    assert 0 < sum(map(len, tables)) < 100
    assert "cells" not in vars(geometry)
    assert "bridges" not in vars(geometry)


def test_boards_of_one_size_share_tables_which_pickle_as_their_size() -> None:
    board = Board(11, 3)
    assert board.geometry is Board(11, 3).geometry
    assert pickle.loads(pickle.dumps(board.geometry)) is board.geometry
    assert pickle.loads(pickle.dumps(board)) == board
    assert len(pickle.dumps(board)) < 100


def test_tables_are_kept_within_a_bound_and_while_in_use() -> None:
    kept = geometries._GeometryCache()
    first = kept.get(64, 64)
    for width in range(33, 64):
        kept.get(width, 64)
    assert kept.get(64, 64) is first
    sizes = [size[0] * size[1] for size in kept._last]
    assert sum(sizes) == kept._cells <= geometries.MAX_CACHED_CELLS
    assert len(sizes) < 31


def test_tables_that_fill_the_bound_are_kept() -> None:
    kept = geometries._GeometryCache()
    sizes = [(64, 64), (64, 28), *((64, height) for height in range(57, 64))]
    assert sum(width * height for width, height in sizes) == geometries.MAX_CACHED_CELLS
    for width, height in sizes:
        kept.get(width, height)
    assert [*kept._last] == sizes


def test_threads_that_ask_at_once_get_the_same_tables() -> None:
    kept = geometries._GeometryCache()
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: kept.get(40, 40), range(200)))
    assert len(set(map(id, found))) == 1


def test_recently_used_tables_are_kept() -> None:
    kept = _GeometryCache()
    first = ref(kept.get(64, 64))
    for _ in range(500):
        kept.get(9, 8)
    assert first() is not None
    for height in range(40, 64):
        kept.get(64, height)
    assert first() is None


def test_tables_that_are_no_longer_kept_are_gone_at_once() -> None:
    geometry = Geometry._of(9, 8)
    assert geometry.around[3]
    gone = ref(geometry)
    gc.disable()
    try:
        del geometry
        assert gone() is None
    finally:
        gc.enable()
