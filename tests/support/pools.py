"""Compare pools of games with the same games of the core."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GamePool, planes
from support.batches import Arrays, Row, any_step, arrays_of, index_of, rewards_of

End = pdd.GameState | None
"""The final state of a game that ended in a step."""


def shown(pool: GamePool, *, pictures: bool = True) -> Arrays:
    """Return the views of the arrays that a pool keeps."""
    return (
        *(pool.legal_mask, pool.seat_to_move, pool.is_over, pool.rewards, pool.points, pool.turns),
        *((pool.planes,) if pictures else ()),
    )


def everything(pool: GamePool, *, pictures: bool = True) -> Arrays:
    """Return copies of all arrays and states of a pool."""
    last = (pool.final_planes,) if pictures else ()
    found = (*shown(pool, pictures=pictures), *last, *arrays_of(pool.games))
    return tuple(each.copy() for each in found)


def require_shown(
    pool: GamePool, rows: Sequence[Row], ended: Sequence[End], *, pictures: bool = True
) -> None:
    """Require that a pool has these rows, and that these games ended in its last step."""
    assert len(pool) == pool.size == len(rows)
    assert [mask.tobytes() for mask in pool.legal_mask] == [
        pool.space.legal_mask(row) for row in rows
    ]
    assert pool.seat_to_move.tolist() == [index_of(row.seat_to_move) for row in rows]
    assert pool.is_over.tolist() == [end is not None for end in ended]
    assert pool.rewards.tolist() == [rewards_of(end) for end in ended]
    assert pool.points.tolist() == [
        [0, 0] if end is None else [end.score(color).points for color in pdd.Color] for end in ended
    ]
    assert pool.turns.tolist() == [0 if end is None else end.turn for end in ended]
    assert pool.games.states() == tuple(rows)
    assert pool.games.rules == pool.rules
    if pictures:
        for row, found in zip(rows, unpacked(pool.rules.board, pool.planes), strict=True):
            assert np.array_equal(found, planes(row))
        ends = [end for end in ended if end is not None]
        for end, final in zip(ends, unpacked(pool.rules.board, pool.final_planes), strict=True):
            assert np.array_equal(final, planes(end, pdd.Color.WHITE))


def unpacked(board: pdd.Board, found: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return planes as bytes; packed bits are unpacked."""
    if found.ndim > 3:
        return found
    shape = (*found.shape[:2], board.height, board.width)
    planes = np.unpackbits(found, axis=-1, count=len(board), bitorder="little").reshape(shape)
    planes[:, -3:] = found[:, -3:, :1, np.newaxis]
    # The bits beyond the board are 0.
    assert not np.unpackbits(found[:, :-3], axis=-1, bitorder="little")[..., len(board) :].any()
    return planes


def advance(
    pool: GamePool, rows: Sequence[Row], rng: Random, *, autoreset: bool
) -> tuple[list[Row], list[End]]:
    """Play a random legal step in every game of a pool, and the same steps in rows."""
    codes = [any_step(row, pool.space.legal_mask(row), rng) for row in rows]
    pool.step(codes)
    after: list[Row] = []
    ended: list[End] = []
    for row, code in zip(rows, codes, strict=True):
        following = row if row.is_over else row.step(pool.space.decode(code))
        end = following if following.is_over and not row.is_over else None
        assert end is None or isinstance(end, pdd.GameState)
        ended.append(end)
        after.append(pdd.GameState.initial(pool.rules) if end and autoreset else following)
    return after, ended
