"""Properties of the rules in every reachable state: pieces, groups and networks."""

from __future__ import annotations

from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing.strategies import boards, states
from support.oracle_geometry import inner_point_in_common, point, points_under
from support.strategies import share


@share(0.5)
@given(boards())
def test_a_board_knows_every_bridge_in_order(board: pdd.Board) -> None:
    at = [(row, column) for row in range(board.height) for column in range(board.width)]
    assert [(cell.row, cell.column) for cell in board.cells] == at
    expected = [
        ((x, y), (u, v))
        for (y, x), (v, u) in combinations(at, 2)
        if sorted((abs(x - u), abs(y - v))) in ([0, 2], [1, 2], [2, 2])
    ]
    assert [tuple(map(point, bridge.ends)) for bridge in board.bridges] == expected


@given(boards(), st.data())
def test_crossing_is_exact(board: pdd.Board, data: st.DataObject) -> None:
    assume(len(board.bridges) > 1)
    one = data.draw(st.sampled_from(board.bridges))
    a, b = map(point, one.ends)
    for other in board.bridges:
        c, d = map(point, other.ends)
        expected = not {a, b} & {c, d} and inner_point_in_common(a, b, c, d)
        assert one.crosses(other) is expected
        assert other.crosses(one) is expected
    assert set(map(point, one.cells_beneath)) == points_under(a, b)


@given(states(), st.data())
def test_color_at_and_group_at_agree_with_the_sets(
    state: pdd.GameState, data: st.DataObject
) -> None:
    position = state.position
    cell = data.draw(st.sampled_from(state.rules.board.cells))
    holders = [color for color in pdd.Color if cell in position.tiles(color)]
    assert position.color_at(cell) == (holders[0] if holders else None)
    group = position.group_at(cell)
    if group is None:
        assert not holders
    else:
        assert group in position.groups(holders[0])
        assert cell in group.cells
