"""What the rules promise in every state that play can reach: pieces, groups and networks."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from support.oracle_geometry import (
    inner_point_in_common,
    point,
    points,
    points_under,
    reference_of,
    score_by_hand,
)
from support.reference import eight_neighbours
from support.strategies import Play, boards, plays, positions, share, states


@given(plays())
def test_groups_and_islands(play: Play) -> None:
    for state in play.states[-3:]:
        reference = reference_of(state.position)
        for color in pdd.Color:
            groups = reference.groups(color.value)
            for group in groups:
                assert len(group) <= 4
                if len(group) == 4:
                    neighbours = {near for tile in group for near in eight_neighbours(tile)} - group
                    assert not neighbours & reference.placed[color.value]
            found = state.position.groups(color)
            assert [points(group.cells) for group in found] == groups
            assert [group for group in found if group.is_island] == [
                group for group in found if len(group.cells) == 4
            ]
            assert state.position.islands(color) == tuple(
                group for group in found if group.is_island
            )


@given(states())
def test_no_cell_holds_two_things(state: pdd.GameState) -> None:
    position = state.position
    white, red = (points(position.tiles(color)) for color in pdd.Color)
    assert not white & red
    under = {
        below
        for color in pdd.Color
        for bridge in position.bridges(color)
        for below in points_under(*map(point, bridge.ends))
    }
    assert not under & (white | red)
    assert under == points(position.blocked)


@given(states())
def test_bridges(state: pdd.GameState) -> None:
    position = state.position
    built = [bridge for color in pdd.Color for bridge in position.bridges(color)]
    ends = Counter(end for bridge in built for end in bridge.ends)
    assert set(ends.values()) <= {1}
    for color in pdd.Color:
        for bridge in position.bridges(color):
            assert {position.color_at(end) for end in bridge.ends} == {color}
            (ax, ay), (bx, by) = map(point, bridge.ends)
            assert sorted((abs(ax - bx), abs(ay - by))) in ([0, 2], [1, 2], [2, 2])
    for one, other in combinations(built, 2):
        assert not inner_point_in_common(*map(point, one.ends), *map(point, other.ends))


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


@given(plays())
def test_supplies_last(play: Play) -> None:
    for state in play.states:
        for color in pdd.Color:
            supply, left = play.last.rules.tiles_per_color, state.tiles_left(color)
            if supply is None:
                assert left is None
            else:
                assert left == supply - len(state.position.tiles(color))
                assert left >= 0
        built = sum(len(state.position.bridges(color)) for color in pdd.Color)
        if play.last.rules.bridges is None:
            assert state.bridges_left is None
        else:
            assert state.bridges_left == play.last.rules.bridges - built
            assert state.bridges_left >= 0


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


@given(positions())
def test_networks_and_scores(position: pdd.Position) -> None:
    for color in pdd.Color:
        networks = position.networks(color)
        expected = reference_of(position).networks(color.value)
        assert {
            frozenset(frozenset(points(group.cells)) for group in network.groups)
            for network in networks
        } == set(map(frozenset, expected))
        assert sorted(bridge for network in networks for bridge in network.bridges) == list(
            position.bridges(color)
        )
        for network in networks:
            inside = {cell for group in network.groups for cell in group.cells}
            assert all(set(bridge.ends) <= inside for bridge in network.bridges)
        assert position.score(color) == score_by_hand(position, color)
        assert sum(network.points for network in networks) == position.score(color).points
