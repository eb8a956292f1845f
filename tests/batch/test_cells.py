"""Operations on sets of cells: compiled, uncompiled, and with Python's sets."""

from __future__ import annotations

import os
import platform
import re
from functools import cache
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from llvmlite import binding

import pontedeldiavolo as pdd
from pontedeldiavolo.batch.kernels import cells, jit, vectors
from pontedeldiavolo.batch.kernels.game import (
    DIRECTIONS,
    SET_SHAPES,
    SETS,
    game_type,
    new_records,
    rules_table,
)
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED
from pontedeldiavolo.batch.kernels.numba_internals import KernelCompiler
from pontedeldiavolo.batch.kernels.playouts import playout
from pontedeldiavolo.board.bridge import beneath
from pontedeldiavolo.board.geometry import FORWARD, crossing_bridges
from support.processes import run_python
from support.strategies import share

with pytest.MonkeyPatch.context() as _patch:
    _patch.setattr(jit, "JIT_DISABLED", True)
    _spec: Any = find_spec(cells.__name__)
    PLAIN: Any = module_from_spec(_spec)
    """The functions for sets without compilation."""
    _spec.loader.exec_module(PLAIN)

Cell = tuple[int, int]
"""A column and a row."""
A = 0
B = 1
OUT = 2
"""The places of two input sets and of the output sets in a game."""
BAND = 16
MAX_BITS = 1024
"""The maximum number of bits of a vector; of larger boards it holds some rows."""
WORD = 64

SHIFTS = (
    *((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 1), (-2, 1), (1, -2), (-1, -2), (5, 3)),
    *((-5, -3), (0, 15), (15, 0), (-15, -15)),
)


def made_sets(words: Any) -> Any:
    def run(games: Any, row: int, place: int, begin: int, end: int) -> None:
        game = games[0]
        a = words.load(game, A, row)
        b = words.load(game, B, row)
        both = a
        either = a
        one = a
        both &= b
        either |= b
        one ^= b
        words.store(game, OUT, row, both)
        words.store(game, OUT + 1, row, either)
        words.store(game, OUT + 2, row, one)
        words.store(game, OUT + 3, row, a & b)
        words.store(game, OUT + 4, row, a | b)
        words.store(game, OUT + 5, row, a ^ b)
        words.store(game, OUT + 6, row, ~a)
        words.store(game, OUT + 7, row, words.empty(a))
        words.store(game, OUT + 8, row, words.single(a, place))
        words.store(game, OUT + 9, row, words.row_range(a, begin, end))
        # The compiler must know the distances.
        words.store(game, OUT + 10, row, words.shift(a, 0, 0))
        words.store(game, OUT + 11, row, words.shift(a, 1, 0))
        words.store(game, OUT + 12, row, words.shift(a, -1, 0))
        words.store(game, OUT + 13, row, words.shift(a, 0, 1))
        words.store(game, OUT + 14, row, words.shift(a, 0, -1))
        words.store(game, OUT + 15, row, words.shift(a, 2, 1))
        words.store(game, OUT + 16, row, words.shift(a, -2, 1))
        words.store(game, OUT + 17, row, words.shift(a, 1, -2))
        words.store(game, OUT + 18, row, words.shift(a, -1, -2))
        words.store(game, OUT + 19, row, words.shift(a, 5, 3))
        words.store(game, OUT + 20, row, words.shift(a, -5, -3))
        words.store(game, OUT + 21, row, words.shift(a, 0, 15))
        words.store(game, OUT + 22, row, words.shift(a, 15, 0))
        words.store(game, OUT + 23, row, words.shift(a, -15, -15))

    return run


def asked(words: Any) -> Any:
    def run(games: Any, row: int, n: int) -> Any:
        a = words.load(games[0], A, row)
        found = words.is_any(a), words.count(a), words.nth_bit(a, n)
        return found, (words.count_stored(games[0], A, row), words.nth_stored(games[0], A, row, n))

    return run


def asked_of_board(words: Any) -> Any:
    def run(games: Any, place: int, bits: np.uint64) -> Any:
        game = games[0]
        sizes = words.columns(game), words.rows(game), words.lanes(game)
        where = words.column_of(game, place), words.row_of(game, place)
        return sizes, where, words.lowest_bit(bits), words.popcount(bits)

    return run


def exchanged(words: Any) -> Any:
    def run(games: Any, row: int, row_bits: np.uint64, index: int, word: np.uint64) -> Any:
        game = games[0]
        found = words.load_row(game, A, row), words.load_word(game, B, index)
        words.store_row(game, A, row, row_bits)
        words.store_word(game, B, index, word)
        return found

    return run


def windows(words: Any) -> Any:
    def run(games: Any, origin: int, place: int) -> Any:
        game = games[0]
        a = words.load_window(game, A, origin)
        b = words.load_window(game, B, origin)
        words.add_cells(game, OUT, origin, a)
        words.remove_cells(game, OUT + 1, origin, a)
        words.add_cells(game, OUT + 2, origin, a & b)
        found = words.to_window(game, origin, place)
        return found, words.from_window(game, origin, found) if found >= 0 else -1

    return run


def as_bytes(words: Any) -> Any:
    def run(games: Any, data: Any, begin: int, at: int, bits: np.uint64, value: int) -> Any:
        like = words.load(games[0], A, 0)
        part = words.bytes_of(data, begin)
        words.expand_bits(part, at, bits, 64)
        words.expand_bits(part, at + 64, bits, 32)
        return words.compress_row(like, part, at, value)

    return run


def packed(words: Any) -> Any:
    def run(games: Any, index: int, width: int) -> Any:
        return words.rows_in_word(games[0]), words.load_cells(games[0], A, index, width)

    return run


def with_pattern(words: Any) -> Any:
    def run(tables: Any, games: Any, index: int, place: int) -> None:
        words.add_cells(games[0], OUT, 0, words.load_pattern(tables[0], index, place))

    return run


def divided(words: Any) -> Any:
    def run(number: int, divisor: int) -> Any:
        return words.quotient(number, divisor)

    return run


def filled(words: Any) -> Any:
    def run(data: Any, begin: int, at: int, value: int, length: int) -> Any:
        part = words.bytes_of(data, begin)
        words.fill_bytes(part, at, value, length)
        found = words.load_byte(part, at + length)
        words.store_byte(part, at + length, 255 - found)
        return found

    return run


class Kind:
    """Functions for sets, and games whose sets have these numbers of columns and rows."""

    def __init__(self, words: Any, columns: int, rows: int) -> None:
        self.plain = words is PLAIN
        self.columns = columns
        self.rows = rows
        self.lanes = BAND if self.plain else min(rows, MAX_BITS // columns)
        make = numba.njit(pipeline_class=KernelCompiler)
        compiled: Any = (lambda each: each) if self.plain else make
        makers = (
            *(made_sets, asked, asked_of_board, exchanged, windows, as_bytes, filled),
            *(packed, with_pattern, divided),
        )
        self.does = SimpleNamespace(**{each.__name__: compiled(each(words)) for each in makers})
        # Uncompiled functions need the fields of a record as attributes.
        found = new_records(1, game_type(columns, rows))
        self.games = found.view(np.recarray) if self.plain else found

    def keep(self, which: int, some: set[Cell]) -> None:
        for row in range(self.rows):
            self.games[0]["sets"][which, row] = sum(1 << x for x, y in some if y == row)

    def kept(self, which: int) -> set[Cell]:
        rows = self.games[0]["sets"][which].tolist()
        return {(x, y) for y, bits in enumerate(rows) for x in range(WORD) if bits >> x & 1}

    def band(self, row: int) -> set[Cell]:
        """Return the value of a set from a row on."""
        return {(x, y) for x in range(self.columns) for y in range(row, row + self.lanes)}

    def place(self, cell: Cell, row: int) -> int:
        """Return the place of a cell in a set that begins in a row."""
        return self.columns * (cell[1] - row) + cell[0]

    def cell(self, place: int, row: int) -> Cell:
        """Return the cell of a place in a set that begins in a row."""
        y, x = divmod(place, self.columns)
        return x, y + row


KINDS: dict[str, tuple[Any, int, int]] = {"plain": (PLAIN, WORD, WORD)}
if not JIT_DISABLED:
    KINDS |= {f"{x} by {y}": (cells, x, y) for x, y in SET_SHAPES}


@cache
def kind_of(name: str) -> Kind:
    """Return a kind, whose compiled functions are shared by tests."""
    return Kind(*KINDS[name])


@pytest.fixture(params=KINDS, scope="module")
def kind(request: pytest.FixtureRequest) -> Kind:
    return kind_of(request.param)


def drawn_sets(kind: Kind, data: DataObject) -> tuple[int, set[Cell], set[Cell]]:
    """Return the first row of a window, and two sets with few or nearly all cells."""
    cell = st.tuples(st.integers(0, kind.columns - 1), st.integers(0, kind.rows - 1))
    everywhere = {(x, y) for x in range(kind.columns) for y in range(kind.rows)}
    row = data.draw(st.integers(0, kind.rows - kind.lanes))
    found = []
    for which in (A, B):
        some = data.draw(st.sets(cell, max_size=30))
        some = everywhere - some if data.draw(st.booleans()) else some
        kind.keep(which, some)
        found.append(some & kind.band(row))
    for which in range(OUT, SETS):
        kind.keep(which, set())
    return row, found[0], found[1]


@pytest.mark.slow
@share(0.6)
@given(st.data())
def test_sets_are_made_of_sets_places_and_rows(kind: Kind, data: DataObject) -> None:
    row, a, b = drawn_sets(kind, data)
    band = kind.band(row)
    number = kind.columns * kind.lanes
    far = st.sampled_from([-1, -kind.columns, number, -(2**40), 2**16 * kind.columns, 2**40])
    place = data.draw(st.integers(0, number - 1) | st.integers(-300, number + 300) | far)
    begin = data.draw(st.integers(0, kind.lanes))
    end = data.draw(st.integers(begin, kind.lanes))
    kind.does.made_sets(kind.games, row, place, begin, end)
    wanted = [
        *([a & b, a | b, a ^ b] * 2),
        band - a,
        set(),
        {kind.cell(place, row)} & band,
        {cell for cell in band if begin <= cell[1] - row < end},
        *({(x + east, y + north) for x, y in a} & band for east, north in SHIFTS),
    ]
    assert [kind.kept(OUT + each) for each in range(len(wanted))] == wanted


@share(0.3)
@given(st.data())
def test_sets_are_counted_and_numbered(kind: Kind, data: DataObject) -> None:
    row, a, _ = drawn_sets(kind, data)
    ordered = sorted(kind.place(cell, row) for cell in a)
    found, stored = kind.does.asked(kind.games, row, 0)
    assert found[:2] == (bool(a), len(a))
    assert stored[0] == len(a)
    for n in {0, len(a) // 3, len(a) // 2, len(a) - 1} & {*range(len(a))}:
        wanted = (True, len(a), ordered[n]), (len(a), ordered[n])
        assert kind.does.asked(kind.games, row, n) == wanted


def test_every_cell_of_a_full_set_and_of_a_single_one_is_found(kind: Kind) -> None:
    everywhere = sorted(kind.band(0), key=lambda cell: kind.place(cell, 0))
    kind.keep(A, {*everywhere})
    for n, cell in enumerate(everywhere):
        place = kind.place(cell, 0)
        wanted = (True, len(everywhere), place), (len(everywhere), place)
        assert kind.does.asked(kind.games, 0, n) == wanted
    for cell in everywhere:
        kind.keep(A, {cell})
        place = kind.place(cell, 0)
        assert kind.does.asked(kind.games, 0, 0) == ((True, 1, place), (1, place))


@pytest.mark.parametrize("bits", [1, 2, 3, 1 << 63, (1 << 64) - 1, 0xF0F0 << 20, (1 << 40) + 5])
def test_places_are_columns_and_rows_and_bits_are_counted(kind: Kind, bits: int) -> None:
    lowest = next(place for place in range(64) if bits >> place & 1)
    sizes = (kind.columns, kind.rows, kind.lanes)
    for x, y in [(x, y) for x in range(kind.columns) for y in range(kind.rows)]:
        found = kind.does.asked_of_board(kind.games, kind.place((x, y), 0), np.uint64(bits))
        assert found == (sizes, (x, y), lowest, bits.bit_count())


@pytest.mark.slow
@share(0.3)
@given(st.data())
def test_windows_are_parts_of_sets(kind: Kind, data: DataObject) -> None:
    drawn_sets(kind, data)
    a = kind.kept(A)
    b = kind.kept(B)
    left = data.draw(st.integers(0, kind.columns - BAND))
    low = data.draw(st.integers(0, kind.rows - BAND))
    origin = kind.place((left, low), 0)
    window = {(x, y) for x in range(left, left + BAND) for y in range(low, low + BAND)}
    kind.keep(OUT, b)
    kind.keep(OUT + 1, b)
    # In uncompiled functions, the rows of windows and of boards are equally long.
    side = kind.columns if kind.plain else BAND
    for x, y in [(x, y) for x in range(kind.columns) for y in range(kind.rows)]:
        place = kind.place((x, y), 0)
        there = side * (y - low) + x - left
        wanted = (there, place) if (x, y) in window else (-1, -1)
        assert kind.does.windows(kind.games, origin, place) == wanted
    assert kind.kept(OUT) == b | (a & window)
    assert kind.kept(OUT + 1) == b - (a & window)
    assert kind.kept(OUT + 2) == a & b & window


@share(0.3)
@given(st.data())
def test_rows_and_words_are_parts_of_sets(kind: Kind, data: DataObject) -> None:
    drawn_sets(kind, data)
    a = kind.kept(A)
    b = kind.kept(B)
    row = data.draw(st.integers(0, kind.rows - 1))
    bits = data.draw(st.integers(0, (1 << kind.columns) - 1))
    index = data.draw(st.integers(0, kind.columns * kind.rows // WORD - 1))
    word = data.draw(st.integers(0, (1 << WORD) - 1))
    found = kind.does.exchanged(kind.games, row, np.uint64(bits), index, np.uint64(word))
    in_row = {(x, row): x for x in range(kind.columns)}
    in_word = {kind.cell(WORD * index + place, 0): place for place in range(WORD)}
    both = ((a, A, in_row, found[0], bits), (b, B, in_word, found[1], word))
    for some, which, here, before, after in both:
        assert int(before) == sum(1 << here[cell] for cell in some & here.keys())
        new = {cell for cell, place in here.items() if after >> place & 1}
        assert kind.kept(which) == some - here.keys() | new


@share(0.3)
@given(st.data())
def test_bits_become_bytes_and_bytes_become_rows(kind: Kind, data: DataObject) -> None:
    bits = data.draw(st.integers(0, (1 << WORD) - 1))
    begin = data.draw(st.integers(0, 20))
    at = data.draw(st.integers(0, 20))
    first = begin + at
    for value in (0, 1, 2):
        memory = np.arange(200, dtype=np.uint8)
        wanted = np.arange(200, dtype=np.uint8)
        found = kind.does.as_bytes(kind.games, memory, begin, at, np.uint64(bits), value)
        wanted[first : first + 64] = [bits >> x & 1 for x in range(64)]
        wanted[first + 64 : first + 96] = [bits >> x & 1 for x in range(32)]
        assert memory.tolist() == wanted.tolist()
        row = wanted[first : first + kind.columns]
        assert int(found) == sum(1 << x for x, each in enumerate(row) if each == value)


@share(0.3)
@given(st.data())
def test_rows_of_a_board_become_consecutive_bits(kind: Kind, data: DataObject) -> None:
    width = data.draw(st.integers(1, kind.columns))
    cell = st.tuples(st.integers(0, width - 1), st.integers(0, kind.rows - 1))
    some = data.draw(st.sets(cell))
    kind.keep(A, some)
    together = WORD // kind.columns
    for index in range(kind.rows // together):
        wanted = 0
        for x, y in some:
            if y // together == index:
                wanted |= 1 << y % together * width + x
        found = kind.does.packed(kind.games, index, width)
        assert (int(found[0]), int(found[1])) == (together, wanted)


@pytest.mark.parametrize("direction", range(DIRECTIONS))
def test_patterns_are_the_crossings_ends_and_cells_beneath(kind: Kind, direction: int) -> None:
    tables: Any = rules_table(pdd.Rules(pdd.Board(min(kind.columns, 64), min(kind.rows, 64))))
    tables = tables.view(np.recarray) if kind.plain else tables
    side = kind.columns if kind.plain else BAND
    end = FORWARD[direction]
    patterns: list[list[Cell]] = [[] for _ in range(DIRECTIONS)]
    for x, y, crossed in crossing_bridges()[direction]:
        patterns[crossed].append((x, y))
    patterns += [[(0, 0), end], [*beneath((0, 0), end)]]
    for number, cells_of_pattern in enumerate(patterns):
        index = direction * len(patterns) + number
        for x, y in [(x, y) for x in range(BAND) for y in range(BAND)]:
            kind.keep(OUT, set())
            kind.does.with_pattern(tables, kind.games, index, side * y + x)
            there = {(x + dx, y + dy) for dx, dy in cells_of_pattern}
            assert kind.kept(OUT) == {each for each in there if {*each} <= {*range(BAND)}}


@given(number=st.integers(0, 2**32 - 1), divisor=st.integers(1, 2**32 - 1))
def test_quotients(kind: Kind, number: int, divisor: int) -> None:
    assert kind.does.divided(number, divisor) == number // divisor


@pytest.mark.parametrize("length", [0, 1, 7, 64, 100])
def test_bytes_are_filled_loaded_and_stored(kind: Kind, length: int) -> None:
    memory = np.arange(200, dtype=np.uint8)
    wanted = memory.copy()
    wanted[12 : 12 + length] = 0x5A
    assert kind.does.filled(memory, 5, 7, 0x5A, length) == 12 + length
    wanted[12 + length] = 255 - (12 + length)
    assert memory.tolist() == wanted.tolist()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_sets_have_only_their_own_operators() -> None:
    load = cells.load

    def mixed(games: Any, others: Any) -> int:
        return load(games[0], A, 0) & load(others[0], A, 0)

    def with_number(games: Any) -> int:
        return load(games[0], A, 0) | 1

    def not_known(games: Any, east: int) -> Any:
        return cells.shift(load(games[0], A, 0), east, 0)

    small, large = (new_records(1, game_type(columns, columns)) for columns in (16, 32))
    wrong: list[Any] = [(mixed, (small, large)), (with_number, (small,)), (not_known, (small, 1))]
    for function, arguments in wrong:
        with pytest.raises(numba.TypingError):
            numba.njit(function)(*arguments)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(("columns", "rows"), [(16, 16), (16, 64), (32, 32), (64, 64)])
def test_nth_cell_by_halves(columns: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "has_pdep", lambda: False)
    kind = Kind(cells, columns, rows)
    rng = Random(columns)
    for density in (0.02, 0.3, 1):
        some = {cell for cell in kind.band(0) if rng.random() < density}
        kind.keep(A, some)
        answers = [kind.does.asked(kind.games, 0, number) for number in range(len(some))]
        places = sorted(kind.place(cell, 0) for cell in some)
        assert [found[2] for found, _ in answers] == places
        assert [stored[1] for _, stored in answers] == places


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_pdep_is_used_where_it_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    features = {"bmi2": True}
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    for name, quick in (("znver1", False), ("znver2", False), ("znver3", True), ("haswell", True)):
        monkeypatch.setattr(binding, "get_host_cpu_name", lambda name=name: name)
        assert vectors.has_pdep() is quick
    for found in ({"bmi2": False}, {}):
        monkeypatch.setattr(binding, "get_host_cpu_features", found.copy)
        assert not vectors.has_pdep()
    # The configured processor takes precedence over that of the machine.
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    monkeypatch.setattr(numba.config, "CPU_NAME", "haswell")
    assert not vectors.has_pdep()
    given = [("haswell", "+avx2,+bmi2", True), ("", "+avx2,+bmi2", True), ("", "", False)]
    for name, has, quick in given:
        monkeypatch.setattr(numba.config, "CPU_NAME", name)
        monkeypatch.setattr(numba.config, "CPU_FEATURES", has)
        assert vectors.has_pdep() is quick


def references(function: Any, *arguments: Any) -> int:
    """Count where compiled code of a function and its callees increments references to arrays."""
    compiled = numba.njit(nogil=True, error_model="numpy", pipeline_class=KernelCompiler)
    afresh = compiled(function)
    # Code from a cache of Numba has no text.
    afresh.compile(tuple(map(numba.typeof, arguments)))
    [text] = afresh.inspect_asm().values()
    assert "ret" in text
    return len(re.findall("NRT_incref", text))


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_inner_functions_count_no_references() -> None:
    # Passing an array to a function costs two locked instructions; passing a record costs none.
    table = rules_table(pdd.Rules(pdd.Board(10, 10)))
    games = new_records(1, game_type(16, 16))
    assert references(playout.py_func, table[0], games[0]) == 0  # type: ignore[attr-defined]

    # The test would notice such code.
    @numba.njit(inline="never")
    def last(array: Any) -> Any:
        return array[:3] if len(array) < 9 else array

    def handing_on(array: Any) -> Any:
        return last(array), last(array)

    assert references(handing_on, np.arange(3)) > 0


GAMES = """
import hashlib, sys
import numpy as np
import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool
found = hashlib.sha256()
for sides in ((10, 10), (20, 9), (3, 40)):
    games = GameBatch.initial(pdd.Rules(pdd.Board(*sides)), 20)
    ends = games.playout(5)
    found.update(ends.turns.tobytes() + ends.points.tobytes() + ends.winner.tobytes())
pool = GamePool(pdd.Rules(pdd.Board(10, 10)), 20, seed=5, planes=True)
for step in range(150):
    pool.step(pool.sample_steps())
    found.update(pool.legal_mask.tobytes() + pool.planes.tobytes() + pool.points.tobytes())
print(found.hexdigest())
"""
IS_X86_64 = platform.machine() in {"x86_64", "AMD64"}
IS_ASKED = IS_X86_64 and os.environ.get("PONTE_PROCESSORS") == "all"


@pytest.mark.slow
@pytest.mark.timeout(900, method="thread")
@pytest.mark.skipif(not IS_ASKED, reason="it compiles everything again: nox -s nightly")
@pytest.mark.parametrize("name", ["generic", "nehalem", "haswell"])
def test_other_processors_play_the_same_games(name: str, tmp_path: Path) -> None:
    # Processors without wide vectors or the instruction pdep use other instructions instead.
    there = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    found = run_python(GAMES, **there)
    usual = run_python(GAMES)
    assert found.stderr == usual.stderr == ""
    assert found.stdout == usual.stdout != ""
