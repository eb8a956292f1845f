"""The words of sets of cells: compiled, not compiled, and as sets of Python's."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from llvmlite import binding

import pontedeldiavolo as pdd
from pontedeldiavolo.batch.kernels import bigint_sets, cells, select_bit, vectors
from pontedeldiavolo.batch.kernels.game import SET_SHAPES, SETS, game_type, new_records
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED
from pontedeldiavolo.batch.kernels.sampling import playout
from pontedeldiavolo.batch.kernels.tables import rules_table
from support.strategies import share

Cell = tuple[int, int]
"""A column and a row."""
A, B, OUT = 0, 1, 2
"""Two sets of a game that are given, and the first that is written to."""
BAND = 16
MOST = 1024
"""No vector has more bits: of larger boards it holds some rows."""
WORD = 64

MOVES = (
    *((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (2, 1), (-2, 1), (1, -2), (-1, -2), (5, 3)),
    *((-5, -3), (0, 15), (15, 0), (-15, -15)),
)
assert OUT + len(MOVES) <= SETS


# What is done with words, in whichever vocabulary


def functions(words: Any, compiled: Callable[[Any], Any]) -> SimpleNamespace:
    """Return functions that use each word of a vocabulary."""
    return SimpleNamespace(
        **{
            make.__name__: compiled(make(words))
            for make in (
                *(combined, made, moves, asked, nth_cell, sizes, places),
                *(word_kept, row_kept, bits_asked, spread, gathered, filled),
                *(windows, window_places),
            )
        }
    )


def combined(words: Any) -> Any:
    load, store, nothing = words.load, words.store, words.empty

    def run(games: Any, row: int) -> None:
        game = games[0]
        a, b = load(game, A, row), load(game, B, row)
        store(game, OUT, row, a & b)
        store(game, OUT + 1, row, a | b)
        store(game, OUT + 2, row, a ^ b)
        store(game, OUT + 3, row, ~a)
        store(game, OUT + 4, row, nothing(a))
        both = either = one = a
        both &= b
        either |= b
        one ^= b
        store(game, OUT + 5, row, both)
        store(game, OUT + 6, row, either)
        store(game, OUT + 7, row, one)

    return run


def made(words: Any) -> Any:
    load, store, only, between = words.load, words.store, words.single, words.row_range

    def run(games: Any, row: int, place: int, begin: int, end: int) -> None:
        game = games[0]
        like = load(game, A, row)
        store(game, OUT, row, only(like, place))
        store(game, OUT + 1, row, between(like, begin, end))

    return run


def moves(words: Any) -> Any:
    load, store, moved = words.load, words.store, words.shift

    def run(games: Any, row: int) -> None:
        # By how much is to be known when it is compiled.
        game = games[0]
        a = load(game, A, row)
        store(game, OUT, row, moved(a, 0, 0))
        store(game, OUT + 1, row, moved(a, 1, 0))
        store(game, OUT + 2, row, moved(a, -1, 0))
        store(game, OUT + 3, row, moved(a, 0, 1))
        store(game, OUT + 4, row, moved(a, 0, -1))
        store(game, OUT + 5, row, moved(a, 2, 1))
        store(game, OUT + 6, row, moved(a, -2, 1))
        store(game, OUT + 7, row, moved(a, 1, -2))
        store(game, OUT + 8, row, moved(a, -1, -2))
        store(game, OUT + 9, row, moved(a, 5, 3))
        store(game, OUT + 10, row, moved(a, -5, -3))
        store(game, OUT + 11, row, moved(a, 0, 15))
        store(game, OUT + 12, row, moved(a, 15, 0))
        store(game, OUT + 13, row, moved(a, -15, -15))

    return run


def asked(words: Any) -> Any:
    load, some, count = words.load, words.is_any, words.count

    def run(games: Any, row: int) -> tuple[bool, int]:
        a = load(games[0], A, row)
        return some(a), count(a)

    return run


def nth_cell(words: Any) -> Any:
    load, nth = words.load, words.nth_bit

    def run(games: Any, row: int, number: int) -> int:
        found: int = nth(load(games[0], A, row), number)
        return found

    return run


def sizes(words: Any) -> Any:
    columns, rows, lanes = words.columns, words.rows, words.lanes

    def run(games: Any) -> tuple[int, int, int]:
        return columns(games[0]), rows(games[0]), lanes(games[0])

    return run


def places(words: Any) -> Any:
    row_of, column_of = words.row_of, words.column_of

    def run(games: Any, place: int) -> tuple[int, int]:
        return column_of(games[0], place), row_of(games[0], place)

    return run


def word_kept(words: Any) -> Any:
    word, keep_word = words.load_word, words.store_word

    def run(games: Any, index: int, value: np.uint64) -> np.uint64:
        found: np.uint64 = word(games[0], A, index)
        keep_word(games[0], A, index, value)
        return found

    return run


def row_kept(words: Any) -> Any:
    row_bits, keep_row = words.load_row, words.store_row

    def run(games: Any, row: int, value: np.uint64) -> np.uint64:
        found: np.uint64 = row_bits(games[0], A, row)
        keep_row(games[0], A, row, value)
        return found

    return run


def bits_asked(words: Any) -> Any:
    lowest, bits_in = words.lowest_bit, words.popcount

    def run(bits: np.uint64) -> tuple[int, int]:
        return lowest(bits), bits_in(bits)

    return run


def spread(words: Any) -> Any:
    load, spread_row, bytes_of = words.load, words.expand_row, words.bytes_of

    def run(games: Any, data: npt.NDArray[np.uint8], begin: int, at: int, bits: np.uint64) -> None:
        spread_row(load(games[0], A, 0), bytes_of(data, begin), at, bits)

    return run


def gathered(words: Any) -> Any:
    load, gather_row, bytes_of = words.load, words.compress_row, words.bytes_of

    def run(games: Any, data: npt.NDArray[np.uint8], begin: int, at: int, value: int) -> np.uint64:
        like = load(games[0], A, 0)
        found: np.uint64 = gather_row(like, bytes_of(data, begin), at, value)
        return found

    return run


def filled(words: Any) -> Any:
    bytes_of, fill, put, get = words.bytes_of, words.fill_bytes, words.store_byte, words.load_byte

    def run(data: npt.NDArray[np.uint8], begin: int, at: int, value: int, length: int) -> int:
        part = bytes_of(data, begin)
        fill(part, at, value, length)
        found: int = get(part, at + length)
        put(part, at + length, 255 - found)
        return found

    return run


def windows(words: Any) -> Any:
    view, add_cells, remove_cells = words.load_window, words.add_cells, words.remove_cells

    def run(games: Any, origin: int) -> None:
        game = games[0]
        a, b = view(game, A, origin), view(game, B, origin)
        add_cells(game, OUT, origin, a)
        remove_cells(game, OUT + 1, origin, a)
        add_cells(game, OUT + 2, origin, a & b)

    return run


def window_places(words: Any) -> Any:
    within, beyond = words.to_window, words.from_window

    def run(games: Any, origin: int, place: int) -> tuple[int, int]:
        found = within(games[0], origin, place)
        return found, beyond(games[0], origin, found) if found >= 0 else -1

    return run


class Kind:
    """A vocabulary, and games whose sets have so many columns and rows."""

    def __init__(self, words: Any, columns: int, rows: int) -> None:
        self.plain = words is bigint_sets
        self.columns, self.rows = columns, rows
        self.lanes = BAND if self.plain else min(rows, MOST // columns)
        self.does = functions(words, (lambda each: each) if self.plain else numba.njit)
        # Uncompiled, the fields of a record are wanted as attributes.
        found = new_records(1, game_type(columns, rows))
        self.games = found.view(np.recarray) if self.plain else found

    def keep(self, which: int, some: set[Cell]) -> None:
        """Make cells a set of the game."""
        for row in range(self.rows):
            self.games[0]["sets"][which, row] = sum(1 << x for x, y in some if y == row)

    def kept(self, which: int) -> set[Cell]:
        """Return a set of the game."""
        rows = self.games[0]["sets"][which].tolist()
        return {(x, y) for y, bits in enumerate(rows) for x in range(WORD) if bits >> x & 1}

    def band(self, row: int) -> set[Cell]:
        """Return the places of a set as a value, in its first row on."""
        return {(x, y) for x in range(self.columns) for y in range(row, row + self.lanes)}

    def place(self, cell: Cell, row: int) -> int:
        """Return the place of a cell in a set that begins in a row."""
        return self.columns * (cell[1] - row) + cell[0]


KINDS: dict[str, tuple[Any, int, int]] = {"plain": (bigint_sets, WORD, WORD)}
if not JIT_DISABLED:
    KINDS |= {f"{x} by {y}": (cells, x, y) for x, y in SET_SHAPES}


@cache
def kind_of(name: str) -> Kind:
    """Return one of the kinds: what it has compiled is kept."""
    return Kind(*KINDS[name])


@pytest.fixture(params=KINDS, scope="module")
def kind(request: pytest.FixtureRequest) -> Kind:
    return kind_of(request.param)


def drawn_sets(kind: Kind, data: DataObject) -> tuple[int, set[Cell], set[Cell]]:
    """Return a row from which sets are looked at, and two sets, few cells or nearly all."""
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


# Sets


@share(0.3)
@given(st.data())
def test_sets_are_combined(kind: Kind, data: DataObject) -> None:
    row, a, b = drawn_sets(kind, data)
    kind.does.combined(kind.games, row)
    wanted = [a & b, a | b, a ^ b, kind.band(row) - a, set(), a & b, a | b, a ^ b]
    assert [kind.kept(OUT + each) for each in range(len(wanted))] == wanted


@share(0.3)
@given(st.data())
def test_sets_are_moved_and_lose_what_leaves_them(kind: Kind, data: DataObject) -> None:
    row, a, _ = drawn_sets(kind, data)
    kind.does.moves(kind.games, row)
    for place, (east, north) in enumerate(MOVES):
        moved = {(x + east, y + north) for x, y in a}
        assert kind.kept(OUT + place) == moved & kind.band(row)


@share(0.3)
@given(st.data())
def test_sets_are_counted_and_numbered(kind: Kind, data: DataObject) -> None:
    row, a, _ = drawn_sets(kind, data)
    assert kind.does.asked(kind.games, row) == (bool(a), len(a))
    ordered = sorted(kind.place(cell, row) for cell in a)
    for number in {0, len(a) // 3, len(a) // 2, len(a) - 1} & {*range(len(a))}:
        assert kind.does.nth_cell(kind.games, row, number) == ordered[number]


def test_every_cell_of_a_full_set_and_of_a_single_one_is_found(kind: Kind) -> None:
    everywhere = kind.band(0)
    kind.keep(A, everywhere)
    ordered = sorted(kind.place(cell, 0) for cell in everywhere)
    found = [kind.does.nth_cell(kind.games, 0, number) for number in range(len(ordered))]
    assert found == ordered
    for cell in everywhere:
        kind.keep(A, {cell})
        assert kind.does.asked(kind.games, 0) == (True, 1)
        assert kind.does.nth_cell(kind.games, 0, 0) == kind.place(cell, 0)


@share(0.3)
@given(st.data())
def test_sets_are_made_of_places_and_rows(kind: Kind, data: DataObject) -> None:
    row, _, _ = drawn_sets(kind, data)
    number = kind.columns * kind.lanes
    far = st.sampled_from([-1, -kind.columns, number, -(2**40), 2**16 * kind.columns, 2**40])
    place = data.draw(st.integers(0, number - 1) | st.integers(-300, number + 300) | far)
    begin = data.draw(st.integers(0, kind.lanes))
    end = data.draw(st.integers(begin, kind.lanes))
    kind.does.made(kind.games, row, place, begin, end)
    y, x = divmod(place, kind.columns)
    assert kind.kept(OUT) == {(x, y + row)} & kind.band(row)
    assert kind.kept(OUT + 1) == {cell for cell in kind.band(row) if begin <= cell[1] - row < end}


def test_places_are_columns_and_rows(kind: Kind) -> None:
    assert kind.does.sizes(kind.games) == (kind.columns, kind.rows, kind.lanes)
    for cell in [(x, y) for x in range(kind.columns) for y in range(kind.rows)]:
        assert kind.does.places(kind.games, kind.place(cell, 0)) == cell


@share(0.3)
@given(st.data())
def test_windows_are_parts_of_sets(kind: Kind, data: DataObject) -> None:
    drawn_sets(kind, data)
    a, b = kind.kept(A), kind.kept(B)
    kind.keep(OUT, b)
    kind.keep(OUT + 1, b)
    left = data.draw(st.integers(0, kind.columns - BAND))
    low = data.draw(st.integers(0, kind.rows - BAND))
    origin = kind.place((left, low), 0)
    window = {(x, y) for x in range(left, left + BAND) for y in range(low, low + BAND)}
    kind.does.windows(kind.games, origin)
    assert kind.kept(OUT) == b | (a & window)
    assert kind.kept(OUT + 1) == b - (a & window)
    assert kind.kept(OUT + 2) == a & b & window
    # Uncompiled, a row of a window takes as many places as one of the board.
    side = kind.columns if kind.plain else BAND
    for x, y in [(x, y) for x in range(kind.columns) for y in range(kind.rows)]:
        place = kind.place((x, y), 0)
        there = side * (y - low) + x - left
        wanted = (there, place) if (x, y) in window else (-1, -1)
        assert kind.does.window_places(kind.games, origin, place) == wanted


# Numbers


@share(0.3)
@given(st.data())
def test_rows_and_words_are_parts_of_sets(kind: Kind, data: DataObject) -> None:
    drawn_sets(kind, data)
    whole = kind.kept(A)
    bits = data.draw(st.integers(0, (1 << kind.columns) - 1))
    row = data.draw(st.integers(0, kind.rows - 1))
    found = kind.does.row_kept(kind.games, row, np.uint64(bits))
    assert int(found) == sum(1 << x for x, y in whole if y == row)
    whole = {cell for cell in whole if cell[1] != row}
    whole |= {(x, row) for x in range(kind.columns) if bits >> x & 1}
    assert kind.kept(A) == whole
    bits = data.draw(st.integers(0, (1 << WORD) - 1))
    index = data.draw(st.integers(0, kind.columns * kind.rows // WORD - 1))
    found = kind.does.word_kept(kind.games, index, np.uint64(bits))
    here = {cell: kind.place(cell, 0) - WORD * index for cell in whole}
    assert int(found) == sum(1 << place for place in here.values() if 0 <= place < WORD)
    whole = {cell for cell, place in here.items() if not 0 <= place < WORD}
    for place in range(WORD):
        if bits >> place & 1:
            y, x = divmod(WORD * index + place, kind.columns)
            whole.add((x, y))
    assert kind.kept(A) == whole


@pytest.mark.parametrize("bits", [1, 2, 3, 1 << 63, (1 << 64) - 1, 0xF0F0 << 20, (1 << 40) + 5])
def test_bits_are_counted_and_found(kind: Kind, bits: int) -> None:
    lowest = next(place for place in range(64) if bits >> place & 1)
    assert kind.does.bits_asked(np.uint64(bits)) == (lowest, bits.bit_count())


# Bytes


@share(0.3)
@given(st.data())
def test_rows_become_bytes_and_bytes_become_rows(kind: Kind, data: DataObject) -> None:
    bits = data.draw(st.integers(0, (1 << kind.columns) - 1))
    begin, at = data.draw(st.integers(0, 20)), data.draw(st.integers(0, 20))
    memory = np.arange(200, dtype=np.uint8)
    kind.does.spread(kind.games, memory, begin, at, np.uint64(bits))
    wanted = np.arange(200, dtype=np.uint8)
    row = slice(begin + at, begin + at + kind.columns)
    wanted[row] = [bits >> x & 1 for x in range(kind.columns)]
    assert memory.tolist() == wanted.tolist()
    for value in (0, 1, 2):
        found = kind.does.gathered(kind.games, memory, begin, at, value)
        assert int(found) == sum(1 << x for x, each in enumerate(wanted[row]) if each == value)
    # Any bytes, and parts of an array that is not of bytes.
    numbers = data.draw(st.lists(st.integers(0, 255), min_size=160, max_size=160))
    numbers[begin + at] = 200
    some = np.array(numbers, np.uint8)
    found = kind.does.gathered(kind.games, some.view(np.int8), begin, at, 200)
    assert int(found) == sum(1 << x for x, each in enumerate(numbers[row]) if each == 200)


@pytest.mark.parametrize("length", [0, 1, 7, 64, 100])
def test_bytes_are_filled_got_and_put(kind: Kind, length: int) -> None:
    memory = np.arange(200, dtype=np.uint8)
    wanted = memory.copy()
    wanted[12 : 12 + length] = 0x5A
    assert kind.does.filled(memory, 5, 7, 0x5A, length) == 12 + length
    wanted[12 + length] = 255 - (12 + length)
    assert memory.tolist() == wanted.tolist()


# What is compiled


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
    for function, arguments in (
        (mixed, (small, large)),
        (with_number, (small,)),
        (not_known, (small, 1)),
    ):
        with pytest.raises(numba.TypingError):
            numba.njit(function)(*arguments)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
@pytest.mark.parametrize(("columns", "rows"), [(16, 16), (16, 64), (32, 32), (64, 64)])
def test_the_nth_cell_is_found_by_halves_too(
    columns: int, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "has_pdep", lambda: False)
    kind = Kind(cells, columns, rows)
    rng = Random(columns)
    for density in (0.02, 0.3, 1):
        some = {cell for cell in kind.band(0) if rng.random() < density}
        kind.keep(A, some)
        found = [kind.does.nth_cell(kind.games, 0, number) for number in range(len(some))]
        assert found == sorted(kind.place(cell, 0) for cell in some)


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_one_instruction_is_used_where_it_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def expect(quick: bool) -> None:  # noqa: FBT001  # the only thing there is to say
        assert select_bit.has_pdep() is quick

    features = {"bmi2": True}
    monkeypatch.setattr(binding, "get_host_cpu_features", lambda: features)
    for name, quick in (("znver1", False), ("znver2", False), ("znver3", True), ("haswell", True)):
        monkeypatch.setattr(binding, "get_host_cpu_name", lambda name=name: name)
        expect(quick)
    features["bmi2"] = False
    expect(quick=False)
    features.clear()
    expect(quick=False)
    # What code is compiled for goes before what it is compiled on.
    features["bmi2"] = True
    monkeypatch.setattr(numba.config, "CPU_NAME", "haswell")
    expect(quick=False)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "+avx2,+bmi2")
    expect(quick=True)
    monkeypatch.setattr(numba.config, "CPU_NAME", "")
    expect(quick=True)
    monkeypatch.setattr(numba.config, "CPU_FEATURES", "")
    expect(quick=False)


def references(function: Any, *arguments: Any) -> int:
    """Count where compiled code of a function, and of all that it calls, keeps an array alive."""
    afresh = numba.njit(nogil=True, error_model="numpy")(function)
    # What Numba has kept of earlier processes has no text any more.
    afresh.compile(tuple(map(numba.typeof, arguments)))
    [text] = afresh.inspect_asm().values()
    assert "ret" in text
    return len(re.findall("NRT_incref", text))


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_inner_functions_count_no_references() -> None:
    # An array that is handed on costs two locked instructions, a record costs none.
    table = rules_table(pdd.Rules(pdd.Board(10, 10)))
    games = new_records(1, game_type(16, 16))
    assert references(playout.py_func, table[0], games[0]) == 0  # type: ignore[attr-defined]

    # So it would be seen.
    @numba.njit(inline="never")
    def last(array: Any) -> Any:
        return array[:3] if len(array) < 9 else array

    def handing_on(array: Any) -> Any:
        return last(array), last(array)

    assert references(handing_on, np.arange(3)) > 0


# Other processors

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
    pool.step(pool.sample())
    found.update(pool.mask.tobytes() + pool.planes.tobytes() + pool.points.tobytes())
print(found.hexdigest())
"""


@cache
def played_here() -> str:
    """Return a digest of games as this processor plays them."""
    return run_games({})


def run_games(environment: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", GAMES],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.slow
@pytest.mark.timeout(900, method="thread")
@pytest.mark.skipif(
    os.environ.get("PONTE_PROCESSORS") != "all",
    reason="it compiles all for other processors, in the session `processors` of the noxfile",
)
@pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"},
    reason="the names of other processors are those of x86-64",
)
@pytest.mark.parametrize("name", ["generic", "nehalem", "haswell"])
def test_other_processors_play_the_same_games(name: str, tmp_path: Path) -> None:
    # Without wide vectors, without pdep: what is not there is made up of what is.
    there = {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert run_games(there) == played_here()
