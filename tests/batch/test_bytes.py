"""Batches as bytes and as numbers of 64 bits."""

from __future__ import annotations

from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from support.batch_rows import RULES, SHAPES, SMALL, is_compiled_first, mixed, set_ups
from support.batches import FACTORS, STEP, WORD, Row, beginnings


def unpacked(rules: pdd.Rules, row: Row, data: bytes) -> Row:
    """Return what bytes say, of the kind of a row."""
    return type(row).unpack(rules, data)


def require_packed(rows: list[Row], found: npt.NDArray[np.uint8]) -> None:
    """Require that bytes are those of the core, with zeros, and that the core reads both."""
    longest = max(len(row.packed()) for row in rows)
    assert found.dtype == np.uint8
    assert found.shape == (len(rows), longest)
    for row, each in zip(rows, found, strict=True):
        assert each.tobytes() == row.packed().ljust(longest, b"\0")
        assert unpacked(row.rules, row, each.tobytes()) == row


@pytest.mark.parametrize("rules", SHAPES, ids=pdd.format_rules)
def test_bytes_are_those_of_the_core(rules: pdd.Rules) -> None:
    rows = [*mixed(rules), *beginnings(rules, 8, Random(7))]
    games = GameBatch.from_states(rows)
    require_packed(rows, games.packed())
    # Whatever else is in the batch: half turns and bridges make the others longer.
    for row in rows:
        require_packed([row], GameBatch.from_states([row]).packed())


@given(set_ups(), st.data())
def test_bytes_of_set_ups(state: pdd.GameState, data: st.DataObject) -> None:
    cells = list(state.legal_actions.first_tiles)
    rows: list[Row] = [pdd.GameState.initial(state.rules), state]
    if cells:
        rows.append(state.step(pdd.PlaceTile(data.draw(st.sampled_from(cells)))))
    require_packed(rows, GameBatch.from_states(rows).packed())


def test_bytes_of_none() -> None:
    none = GameBatch.initial(SMALL, 0)
    assert none.packed().shape == (0, 1 + 2 * 3)
    assert none.packed().dtype == np.uint8
    assert none.hashes().shape == (0,)
    assert none.hashes().dtype == np.uint64


# Hashes


def hashed(row: Row) -> int:
    """Return the hash of a row as its documentation says, recomputed."""
    found = 0
    for data in (pdd.format_rules(row.rules).encode(), row.packed().rstrip(b"\0")):
        for at in range(0, len(data), 8):
            state = (found ^ int.from_bytes(data[at : at + 8], "little")) + STEP
            mixed_once = (state % WORD ^ state % WORD >> 30) * FACTORS[0] % WORD
            mixed_twice = (mixed_once ^ mixed_once >> 27) * FACTORS[1] % WORD
            found = mixed_twice ^ mixed_twice >> 31
    return found


@pytest.mark.parametrize("rules", RULES, ids=pdd.format_rules)
def test_hashes_are_what_is_documented(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    found = games.hashes()
    assert found.dtype == np.uint64
    assert found.shape == (len(rows),)
    assert found.tolist() == [hashed(row) for row in rows]
    assert [int(GameBatch.from_states([row]).hashes()[0]) for row in rows] == found.tolist()
    assert games.take([2, 0, 2]).hashes().tolist() == found[[2, 0, 2]].tolist()


def test_different_games_have_different_hashes() -> None:
    # A hundred thousand of them share one with a chance of one in four thousand millions.
    numbers: set[int] = set()
    keys: set[int] = set()
    nodes: set[tuple[pdd.Rules, bytes]] = set()
    for rules in RULES:
        if not is_compiled_first(rules.board.width, rules.board.height):
            continue
        rows = [*mixed(rules, 200)]
        nodes |= {(rules, row.packed()) for row in rows}
        games = GameBatch.from_states(rows)
        numbers |= {*games.hashes().tolist()}
        keys |= {*games.keys.tolist()}
    assert len(keys) == len(numbers) == len(nodes) > 3000


@pytest.mark.parametrize("rules", SHAPES, ids=pdd.format_rules)
def test_keys_are_equal_for_equal_games(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    assert games.keys.dtype == np.uint64
    assert games.take([2, 0, 2]).keys.tolist() == games.keys[[2, 0, 2]].tolist()
    again = GameBatch.from_states(type(row).unpack(row.rules, row.packed()) for row in rows)
    assert games[1:].keys.tolist() == again.keys[1:].tolist()


def test_every_bit_of_a_hash_is_used() -> None:
    cells = [pdd.PlaceTile(cell) for cell in pdd.Board()]
    start = pdd.GameState.initial()
    rows = [
        start.step(first).step(second)
        for first in cells
        for second in cells[:40]
        if first != second
    ]
    found = np.unique(GameBatch.from_states(rows).hashes())
    ones = np.unpackbits(found.view(np.uint8).reshape(-1, 8), axis=1).mean(axis=0)
    assert len(found) > 3000
    assert ((ones > 0.45) & (ones < 0.55)).all()
