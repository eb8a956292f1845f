"""What the rules promise in every state that play can reach, on boards of every shape.

Each property is checked against something that does not use the code it checks: sets of points
and exact fractions here, or a second way through the library.
"""

from __future__ import annotations

import copy
import io
import pickle
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import sqrt
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from strategies import (
    Play,
    actions,
    attempts,
    boards,
    cells,
    games,
    plays,
    positions,
    rules,
    setups,
    share,
    small_boards,
    small_states,
    spans,
    states,
)

Point = tuple[int, int]

WHITE, RED = pdd.Color


# The board in plain points, worked out here and nowhere else


def point(cell: pdd.Cell) -> Point:
    return cell.column, cell.row


def points(found: pdd.CellSet) -> set[Point]:
    return {point(cell) for cell in found}


def beside(at: Point) -> set[Point]:
    x, y = at
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


def around(at: Point) -> set[Point]:
    x, y = at
    return {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {at}


def components(links: dict[Point, set[Point]]) -> list[frozenset[Point]]:
    """Return what hangs together in a graph."""
    left, found = set(links), []
    while left:
        component: set[Point] = set()
        waiting = {next(iter(left))}
        while waiting:
            component |= waiting
            waiting = {near for each in waiting for near in links[each]} - component
        left -= component
        found.append(frozenset(component))
    return found


def group_links(tiles: set[Point]) -> dict[Point, set[Point]]:
    return {tile: beside(tile) & tiles for tile in tiles}


def network_links(position: pdd.Position, color: pdd.Color) -> dict[Point, set[Point]]:
    links = group_links(points(position.tiles(color)))
    for bridge in position.bridges(color):
        a, b = map(point, bridge.ends)
        links[a] = links[a] | {b}
        links[b] = links[b] | {a}
    return links


def score_by_hand(position: pdd.Position, color: pdd.Color) -> pdd.Score:
    groups = components(group_links(points(position.tiles(color))))
    islands = [group for group in groups if len(group) == 4]
    counts = [
        sum(island <= network for island in islands)
        for network in components(network_links(position, color))
    ]
    total = sum(sum(range(1, count + 1)) for count in counts)
    return pdd.Score(total, len(islands), len(position.bridges(color)))


def points_under(a: Point, b: Point) -> set[Point]:
    """Return the cells, but for those of the ends, whose inside a segment runs through."""
    half = Fraction(1, 2)
    found = set()
    for cell in (around(a) | around(b)) - {a, b}:
        # The part of the segment, from 0 to 1, that is inside the cell's column and its row.
        enter, leave = Fraction(0), Fraction(1)
        for start, end, centre in zip(a, b, cell, strict=True):
            if start == end:
                inside = abs(start - centre) < half
                crossings = [Fraction(0), Fraction(int(inside))]
            else:
                crossings = [(centre + each - start) / (end - start) for each in (-half, half)]
            enter, leave = max(enter, min(crossings)), min(leave, max(crossings))
        if enter < leave:
            found.add(cell)
    return found


def inner_point_in_common(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Tell whether two segments share a point that is an end of neither, in exact fractions."""
    (ux, uy), (vx, vy) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    wx, wy = c[0] - a[0], c[1] - a[1]
    determinant = ux * vy - uy * vx
    if determinant:
        # a + s·u and c + t·v are the same point.
        s = Fraction(wx * vy - wy * vx, determinant)
        t = Fraction(wx * uy - wy * ux, determinant)
        return 0 < s < 1 and 0 < t < 1
    if wx * uy - wy * ux:
        return False
    # On one line: the places of c and d along ab, where a is 0 and b is 1.
    square = ux * ux + uy * uy
    places = [Fraction((x - a[0]) * ux + (y - a[1]) * uy, square) for x, y in (c, d)]
    return max(Fraction(0), min(places)) < min(Fraction(1), max(places))


def conceivable_actions(board: pdd.Board) -> Iterator[pdd.Action]:
    """Iterate over every action on the board, in no particular order."""
    for a, b in combinations_with_replacement(board.cells, 2):
        yield pdd.PlaceTiles(a, b)
        yield pdd.BuildBridge(a, b)
    yield from map(pdd.ChooseColor, pdd.Color)
    yield pdd.Pass()


# What lies on the board


@given(plays())
def test_groups_and_islands(play: Play) -> None:
    for state in play.states[-3:]:
        for color in pdd.Color:
            tiles = points(state.position.tiles(color))
            groups = components(group_links(tiles))
            for group in groups:
                assert len(group) <= 4
                if len(group) == 4:
                    neighbours = {near for tile in group for near in around(tile)} - group
                    assert not neighbours & tiles
            found = state.position.groups(color)
            assert {frozenset(points(group.cells)) for group in found} == set(groups)
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
        expected = components(network_links(position, color))
        assert {
            frozenset(spot for group in network.groups for spot in points(group.cells))
            for network in networks
        } == set(expected)
        assert sorted(bridge for network in networks for bridge in network.bridges) == list(
            position.bridges(color)
        )
        for network in networks:
            inside = {cell for group in network.groups for cell in group.cells}
            assert all(set(bridge.ends) <= inside for bridge in network.bridges)
        assert position.score(color) == score_by_hand(position, color)
        assert sum(network.points for network in networks) == position.score(color).points


# Legality only shrinks


@given(plays())
def test_a_closed_cell_stays_closed(play: Play) -> None:
    for color in pdd.Color:
        for earlier, later in pairwise(play.states):
            assert later.position.open_cells(color) <= earlier.position.open_cells(color)


@share(0.5)
@given(plays(small_boards()), st.data())
def test_a_legal_pair_was_legal_before(play: Play, data: st.DataObject) -> None:
    later = data.draw(st.sampled_from(play.states))
    assume(later.to_move is not None)
    for earlier in play.states[: play.states.index(later)]:
        if earlier.phase is pdd.Phase.PLAY and later.to_move is not None:
            before = earlier.with_to_move(later.to_move)
            assert set(later.legal_actions.pairs) <= set(before.legal_actions.pairs)


@given(states())
def test_each_tile_of_a_legal_pair_is_legal_alone(state: pdd.GameState) -> None:
    assume(state.to_move is not None)
    legal = state.legal_actions
    color = state.to_move or WHITE
    open_cells = state.position.open_cells(color)
    for pair in legal.pairs[:40]:
        assert set(pair.cells) <= open_cells
        assert all(state.is_legal(pdd.PlaceTile(cell)) for cell in pair.cells)
        assert all(state.violations(pdd.PlaceTile(cell)) == () for cell in pair.cells)


@given(positions(small_boards()))
def test_an_open_cell_is_a_valid_set_up(position: pdd.Position) -> None:
    setup = position.setup()
    for cell in position.board:
        white = pdd.Setup(position.board, [*setup.white, cell], setup.red, setup.bridges)
        red = pdd.Setup(position.board, setup.white, [*setup.red, cell], setup.bridges)
        taken = position.color_at(cell) is not None
        assert (cell in position.open_cells(WHITE)) == (not taken and not white.faults())
        assert (cell in position.open_cells(RED)) == (not taken and not red.faults())


@given(positions(small_boards()))
def test_an_open_bridge_is_a_valid_set_up(position: pdd.Position) -> None:
    setup = position.setup()
    for color in pdd.Color:
        tiles = position.tiles(color)
        expected = [
            bridge
            for bridge in position.board.bridges
            if set(bridge.ends) <= tiles
            and bridge not in setup.bridges
            and not pdd.Setup(
                position.board, setup.white, setup.red, [*setup.bridges, bridge]
            ).faults()
        ]
        assert list(position.open_bridges(color)) == expected


# Three ways to ask what is legal


@share(0.5)
@given(small_states())
def test_listing_and_judging_agree_on_everything(state: pdd.GameState) -> None:
    listed = list(state.legal_actions)
    legal = set(listed)
    assert len(legal) == len(listed)
    for action in conceivable_actions(state.rules.board):
        expected = action in legal
        assert (action in state.legal_actions) is expected
        assert state.is_legal(action) is expected
        assert (state.violations(action) == ()) is expected
    assert legal <= set(conceivable_actions(state.rules.board))


@given(states(), st.data())
def test_listing_and_judging_agree(state: pdd.GameState, data: st.DataObject) -> None:
    legal = set(state.legal_actions)
    for _ in range(10):
        action = data.draw(attempts(state))
        if isinstance(action, pdd.PlaceTile):
            expected = any(
                action.cell in pair.cells for pair in legal if isinstance(pair, pdd.PlaceTiles)
            )
            assert (action in state.legal_steps) is expected
        else:
            expected = action in legal
            assert (action in state.legal_actions) is expected
        assert state.is_legal(action) is expected
        assert (state.violations(action) == ()) is expected


@given(states(), st.data())
def test_an_illegal_action_is_refused_with_its_violations(
    state: pdd.GameState, data: st.DataObject
) -> None:
    action = data.draw(actions(state.rules.board))
    assume(not state.is_legal(action))
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.apply(action)
    assert caught.value.violations == state.violations(action)
    assert str(caught.value) == " ".join(map(pdd.messages.explain, caught.value.violations))


@given(states(), st.data())
def test_a_half_turn_judges_as_the_pair_is_judged(
    state: pdd.GameState, data: st.DataObject
) -> None:
    firsts = tuple(state.legal_actions.first_tiles)
    assume(firsts)
    half = state.step(pdd.PlaceTile(data.draw(st.sampled_from(firsts))))
    assert isinstance(half, pdd.HalfTurn)
    for _ in range(5):
        second = pdd.PlaceTile(data.draw(cells(state.rules.board)))
        pair = pdd.PlaceTiles(half.first, second.cell)
        assert half.is_legal(second) is state.is_legal(pair)
        assert half.violations(second) == state.violations(pair)
        assert (second in half.legal_steps) is state.is_legal(pair)
        if not state.is_legal(pair):
            with pytest.raises(pdd.IllegalActionError) as caught:
                half.step(second)
            assert caught.value.violations == state.violations(pair)


# The view of legal actions is a sequence


@given(states(), st.data())
def test_legal_actions_are_what_a_list_would_be(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    listed = list(legal)
    assert len(legal) == len(listed)
    assert bool(legal) is bool(listed)
    assert bool(legal) is not state.is_over
    assert sorted(legal) == listed
    assert list(reversed(legal)) == listed[::-1]
    length = len(listed)
    places = st.integers(-length, length - 1) if listed else st.nothing()
    bound = st.none() | st.integers(-length - 2, length + 2)
    for _ in range(5 if listed else 0):
        place = data.draw(places)
        assert legal[place] == listed[place]
        assert legal.index(legal[place]) == place % length
        assert legal.count(legal[place]) == 1
    step = data.draw(st.sampled_from([None, 1, 2, 7, -1, -3]))
    cut = slice(data.draw(bound), data.draw(bound), step)
    assert legal[cut] == tuple(listed[cut])
    for place in (length, -length - 1):
        with pytest.raises(IndexError):
            legal[place]


@share(0.5)
@given(small_states())
def test_every_index_is_right(state: pdd.GameState) -> None:
    for view in (state.legal_actions, state.legal_actions.pairs, state.legal_steps):
        listed: list[object] = list(view)
        assert [view[place] for place in range(len(view))] == listed
        assert [view[place - len(view)] for place in range(len(view))] == listed
        assert [view.index(item) for item in listed] == list(range(len(view)))


@given(states(), st.data())
def test_index_takes_the_bounds_that_lists_take(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    assume(legal)
    listed = list(legal)
    place = data.draw(st.integers(0, len(listed) - 1))
    start = data.draw(st.integers(-len(listed) - 1, len(listed) + 1))
    stop = data.draw(st.integers(-len(listed) - 1, len(listed) + 1))
    if place in range(len(listed))[start:stop]:
        assert legal.index(legal[place], start, stop) == place
    else:
        with pytest.raises(ValueError, match="is not in"):
            legal.index(legal[place], start, stop)


@given(states(), st.data())
def test_parts_of_the_view_agree_with_the_list(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    pairs = [action for action in legal if isinstance(action, pdd.PlaceTiles)]
    bridges = [action for action in legal if isinstance(action, pdd.BuildBridge)]
    assert list(legal.pairs) == pairs
    assert len(legal.pairs) == len(pairs)
    assert bool(legal.pairs) is bool(pairs)
    assert legal.bridges == tuple(bridges)
    assert set(legal.first_tiles) == {cell for pair in pairs for cell in pair.cells}
    for _ in range(5):
        cell = data.draw(cells(state.rules.board))
        partners = {other for pair in pairs for other in pair.cells if cell in pair.cells}
        assert set(legal.second_tiles(cell)) == partners - {cell}
        from_here = [bridge for bridge in bridges if cell in (bridge.a, bridge.b)]
        assert legal.bridges_from(cell) == tuple(from_here)


@given(states())
def test_legal_actions_by_phase(state: pdd.GameState) -> None:
    legal = state.legal_actions
    kinds = {type(action) for action in legal}
    if state.phase is pdd.Phase.COLOR_CHOICE:
        assert list(legal) == [pdd.ChooseColor(WHITE), pdd.ChooseColor(RED)]
    elif state.phase is pdd.Phase.OVER:
        assert list(legal) == []
    else:
        assert pdd.ChooseColor not in kinds
        assert (pdd.Pass in kinds) is (pdd.PlaceTiles not in kinds)
        assert state.to_move is not None
        left, bridges_left = state.tiles_left(state.to_move), state.bridges_left
        assert pdd.PlaceTiles not in kinds or left is None or left >= 2
        assert pdd.BuildBridge not in kinds or bridges_left is None or bridges_left >= 1
        expected = () if bridges_left == 0 else state.position.open_bridges(state.to_move)
        assert tuple(action.bridge for action in legal.bridges) == expected


@given(states())
def test_legal_steps_are_the_legal_actions_by_halves(state: pdd.GameState) -> None:
    others = [action for action in state.legal_actions if not isinstance(action, pdd.PlaceTiles)]
    firsts = [pdd.PlaceTile(cell) for cell in state.legal_actions.first_tiles]
    steps = state.legal_steps
    assert list(steps) == [*firsts, *others]
    assert len(steps) == len(firsts) + len(others)
    assert bool(steps) is bool(state.legal_actions)
    assert sorted(steps) == list(steps)
    assert all(step in steps and state.is_legal(step) for step in steps)


# Drawing at random


@given(states(), st.integers(0, 2**32))
def test_a_sample_is_legal(state: pdd.GameState, seed: int) -> None:
    legal = state.legal_actions
    rng = Random(seed)
    if legal:
        assert all(legal.sample(rng) in legal for _ in range(10))
        assert legal.sample(Random(seed)) == legal.sample(Random(seed))
    for view in (legal, legal.pairs, state.legal_steps):
        if view:
            assert view.sample(rng) in view
        else:
            with pytest.raises(IndexError):
                view.sample(rng)


# Red to move; of 45 pairs of open cells 23 exclude each other, and there are three bridges.
CROWDED = """
    4 . . . r .
    3 . r . . .
    2 w r r . w
    1 . . w . w
      a b c d e
    bridges c1-e1
"""
# Red to move; of 36 pairs of open cells seven are legal, and there are two bridges.
CRAMPED = """
    4 w . r . .
    3 w . r . w
    2 w . r . w
    1 r . . . w
      a b c d e
"""


# White to move; three cells are open and each excludes the others: four bridges and the pass.
STUCK = """
    5 w w r r r
    4 . w . w w
    3 . w . . w
    2 r . . . .
    1 r r w r r
      a b c d e
"""
# Red to move; of a hundred cells five are open, with six legal pairs, and there are 16 bridges.
LATE = """
    10 . r r r w w w r . w
     9 r w w . w r . r r r
     8 w r r . r r w . w w
     7 w r w w . . . r w w
     6 w . w w r w . . r r
     5 r r . . r w . . w .
     4 w w r r . w r w w r
     3 w . . r . r w . r r
     2 r r w w w . w w r w
     1 r r w r r r r . w w
       a b c d e f g h i j
    bridges c7-e9
"""


@pytest.mark.parametrize(
    ("diagram", "mover", "open_cells", "pairs", "bridges"),
    [
        pytest.param(CROWDED, RED, 10, 22, 3, id="crowded"),
        pytest.param(CRAMPED, RED, 9, 7, 2, id="cramped"),
        pytest.param(STUCK, WHITE, 3, 0, 4, id="stuck"),
        pytest.param(LATE, RED, 5, 6, 16, id="late"),
    ],
)
def test_samples_are_uniform(
    diagram: str, mover: pdd.Color, open_cells: int, pairs: int, bridges: int
) -> None:
    position = pdd.parse_setup(diagram).position()
    state = pdd.GameState.from_position(position, to_move=mover)
    legal = state.legal_actions
    assert len(position.open_cells(mover)) == open_cells
    assert (len(list(legal.pairs)), len(legal.bridges)) == (pairs, bridges)
    for view in (legal, legal.pairs, state.legal_steps):
        rng = Random(2002)
        expected = 400
        counts = Counter(view.sample(rng) for _ in range(expected * len(view)))
        assert set(counts) == set(view)
        chi_square = sum((counts[item] - expected) ** 2 / expected for item in view)
        freedom = max(0, len(view) - 1)
        # Five standard deviations: true of a fair draw in all but one of a million seeds.
        assert chi_square < freedom + 5 * sqrt(2 * freedom) + 5


# Applying an action


@given(plays())
def test_the_old_state_stays_as_it_was(play: Play) -> None:
    texts = [pdd.format_state(state) for state in play.states]
    lengths = [len(state.legal_actions) for state in play.states]
    again = pdd.GameState.initial(play.last.rules)
    for action, after in zip(play.actions, play.states[1:], strict=True):
        before, text = again, pdd.format_state(again)
        again = before.apply(action)
        assert again == after
        assert before != again
        assert pdd.format_state(before) == text
        assert before.apply_unchecked(action) == after
    assert [pdd.format_state(state) for state in play.states] == texts
    assert [len(state.legal_actions) for state in play.states] == lengths


@given(plays())
def test_an_action_changes_what_it_says(play: Play) -> None:
    for action, (before, after) in zip(play.actions, pairwise(play.states), strict=True):
        old, new = before.position, after.position
        for color in pdd.Color:
            mine = color is before.to_move
            tiles = set(action.cells) if isinstance(action, pdd.PlaceTiles) and mine else set()
            assert points(new.tiles(color)) == points(old.tiles(color)) | set(map(point, tiles))
            built = {action.bridge} if isinstance(action, pdd.BuildBridge) and mine else set()
            assert set(new.bridges(color)) == set(old.bridges(color)) | built
        assert after.rules == before.rules


@given(plays())
def test_turns_phases_and_movers(play: Play) -> None:
    turns, choice, white_passed = 0, None, False
    mover: pdd.Color | None = WHITE
    for place, state in enumerate(play.states):
        assert state.turn == turns
        assert state.to_move is mover
        if place == 0:
            assert state.phase is pdd.Phase.OPENING
        elif place == 1:
            assert state.phase is pdd.Phase.COLOR_CHOICE
        elif mover is None:
            assert state.phase is pdd.Phase.OVER
        else:
            assert state.phase is (pdd.Phase.LAST_TURN if white_passed else pdd.Phase.PLAY)
        white_owner = {None: None, WHITE: pdd.Seat.SECOND, RED: pdd.Seat.FIRST}[choice]
        assert state.owner(WHITE) is white_owner
        assert state.owner(RED) is (white_owner and white_owner.opponent)
        for seat in pdd.Seat:
            color = state.color_of(seat)
            assert color is None if white_owner is None else state.owner(color or WHITE) is seat
        seat_to_move = {0: pdd.Seat.FIRST, 1: pdd.Seat.SECOND}.get(place)
        assert state.seat_to_move is (seat_to_move or (mover and state.owner(mover)))
        assert state.is_over is (state.phase is pdd.Phase.OVER)
        if place == len(play.actions):
            break
        action = play.actions[place]
        turns += not isinstance(action, pdd.ChooseColor)
        last = white_passed and mover is RED
        white_passed = white_passed or (mover is WHITE and action == pdd.Pass())
        if isinstance(action, pdd.ChooseColor):
            choice, mover = action.color, RED
        elif place == 0 or last or (mover is RED and action == pdd.Pass()):
            mover = None
        else:
            mover = RED if mover is WHITE else WHITE


@given(states(), st.data())
def test_a_pair_in_two_steps_in_either_order(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    assume(legal.pairs)
    pair = data.draw(st.integers(0, len(legal.pairs) - 1).map(legal.pairs.__getitem__))
    after = state.apply(pair)
    for first, second in (pair.cells, pair.cells[::-1]):
        assert pdd.PlaceTiles(first, second) == pair
        half = state.step(pdd.PlaceTile(first))
        assert isinstance(half, pdd.HalfTurn)
        assert (half.state, half.first, half.is_over) == (state, first, False)
        assert (half.to_move, half.seat_to_move) == (state.to_move, state.seat_to_move)
        assert half.step(pdd.PlaceTile(second)) == after


@given(states())
def test_every_first_step_has_a_partner(state: pdd.GameState) -> None:
    for step in state.legal_steps:
        then = state.step(step)
        if isinstance(step, pdd.PlaceTile):
            assert isinstance(then, pdd.HalfTurn)
            assert then.second_tiles
            assert then.second_tiles == state.legal_actions.second_tiles(step.cell)
            assert list(then.legal_steps) == [pdd.PlaceTile(cell) for cell in then.second_tiles]
        else:
            assert then == state.apply(step)


@given(states(), st.data())
def test_a_cell_without_partner_is_refused_as_a_first_step(
    state: pdd.GameState, data: st.DataObject
) -> None:
    step = pdd.PlaceTile(data.draw(cells(state.rules.board)))
    assume(step not in state.legal_steps)
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.step(step)
    assert caught.value.violations == state.violations(step) != ()


# Kept up to date, and worked out anew


def assert_same_legality(one: pdd.GameState, other: pdd.GameState) -> None:
    assert len(one.legal_actions) == len(other.legal_actions)
    assert list(one.legal_actions[:200]) == list(other.legal_actions[:200])
    assert one.legal_actions.first_tiles == other.legal_actions.first_tiles
    for color in pdd.Color:
        assert one.position.open_cells(color) == other.position.open_cells(color)
        assert one.position.open_bridges(color) == other.position.open_bridges(color)
    assert one.position.blocked == other.position.blocked


@given(states())
def test_a_state_is_what_its_pieces_make(state: pdd.GameState) -> None:
    setup = state.position.setup()
    position = pdd.Position.from_pieces(
        state.rules.board,
        # From the last cell back: no order in which the pieces come may matter.
        reversed(setup.white),
        reversed(setup.red),
        reversed(setup.bridges),
    )
    assert position == state.position
    again = pdd.GameState.from_position(
        position,
        rules=state.rules,
        to_move=state.to_move,
        white_owner=state.owner(WHITE),
        phase=state.phase,
    )
    assert again == state
    assert hash(again) == hash(state)
    assert again.turn == state.turn
    assert again.outcome == state.outcome
    assert_same_legality(again, state)


@given(plays())
def test_transpositions_are_equal(play: Play) -> None:
    # White's first two pairs change places. No bridge can stand before white's second turn, and
    # what is legal with more tiles down is legal with fewer.
    assume(len(play.actions) > 3)
    opening, choice, reply, second, *rest = play.actions
    assume(all(isinstance(each, pdd.PlaceTiles) for each in (opening, reply, second)))
    state = pdd.GameState.initial(play.last.rules)
    for action in (second, choice, reply, opening, *rest):
        state = state.apply(action)
    assert state == play.last
    assert hash(state) == hash(play.last)
    assert state.position == play.last.position
    assert pdd.format_state(state) == pdd.format_state(play.last)
    assert_same_legality(state, play.last)


@given(states())
def test_with_to_move(state: pdd.GameState) -> None:
    for color in pdd.Color:
        if state.phase not in (pdd.Phase.PLAY, pdd.Phase.LAST_TURN):
            with pytest.raises(pdd.InvalidPositionError):
                state.with_to_move(color)
            continue
        other = state.with_to_move(color)
        assert (other.phase, other.to_move) == (pdd.Phase.PLAY, color)
        assert (other.rules, other.position) == (state.rules, state.position)
        assert other.owner(WHITE) == state.owner(WHITE)
        assert (other == state) is (state.phase is other.phase and state.to_move is color)
        assert_same_legality(
            other,
            pdd.GameState.from_position(
                state.position, rules=state.rules, to_move=color, white_owner=state.owner(WHITE)
            ),
        )


# The outcome


@given(plays())
def test_scores_and_outcome(play: Play) -> None:
    for state in (*play.states[::5], play.last):
        white, red = (score_by_hand(state.position, color) for color in pdd.Color)
        assert (state.score(WHITE), state.score(RED)) == (white, red)
        outcome = state.outcome
        assert (outcome is not None) is state.is_over
        if outcome is None:
            continue
        compared = [(white.points, red.points, pdd.DecidedBy.POINTS)]
        for tiebreak in state.rules.tiebreaks:
            name = tiebreak.value
            compared.append((getattr(white, name), getattr(red, name), pdd.DecidedBy(name)))
        unequal = [row for row in compared if row[0] != row[1]]
        if unequal:
            of_white, of_red, decided_by = unequal[0]
            winner = WHITE if of_white > of_red else RED
            seat = state.owner(winner)
            assert outcome == pdd.Outcome(winner, seat, decided_by, white, red)
            assert [outcome.value(each) for each in pdd.Seat] == (
                [1, -1] if seat is pdd.Seat.FIRST else [-1, 1]
            )
        else:
            assert outcome == pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, white, red)
            assert [outcome.value(each) for each in pdd.Seat] == [0, 0]
        assert state.rules.decide(white, red) == (outcome.winner, outcome.decided_by)


# Text


@given(boards(), st.data())
def test_actions_as_text(board: pdd.Board, data: st.DataObject) -> None:
    action = data.draw(actions(board))
    text = pdd.format_action(action)
    assert pdd.parse_action(text) == action
    assert pdd.parse_action(f"\t {text.upper()}\n") == action
    if isinstance(action, pdd.PlaceTiles | pdd.BuildBridge):
        separator = "," if isinstance(action, pdd.PlaceTiles) else "-"
        assert text == f"{action.a}{separator}{action.b}"
        assert pdd.parse_action(f"{action.b} {separator} {action.a}") == action


@given(boards(), st.data())
def test_cells_as_text(board: pdd.Board, data: st.DataObject) -> None:
    cell = data.draw(cells(board, beyond=50))
    assert pdd.parse_cell(pdd.format_cell(cell)) == cell
    assert str(cell) == pdd.format_cell(cell)


@given(rules())
def test_rules_as_text(drawn: pdd.Rules) -> None:
    assert pdd.parse_rules(pdd.format_rules(drawn)) == drawn


@given(states())
def test_states_as_text(state: pdd.GameState) -> None:
    text = pdd.format_state(state)
    assert "\n" not in text
    again = pdd.parse_state(text)
    assert again == state
    assert pdd.format_state(again) == text
    assert pdd.parse_state(text.upper()) == state
    assert_same_legality(again, state)


@given(states(), st.data())
def test_unequal_states_have_unequal_texts(state: pdd.GameState, data: st.DataObject) -> None:
    assume(not state.is_over)
    legal = state.legal_actions
    first, second = (
        state.apply(legal[data.draw(st.integers(0, len(legal) - 1))]) for _ in range(2)
    )
    assert (first == second) is (pdd.format_state(first) == pdd.format_state(second))


@given(setups())
def test_setups_as_text(setup: pdd.Setup) -> None:
    text = pdd.format_setup(setup)
    assert pdd.parse_setup(text) == setup
    assert pdd.format_setup(pdd.parse_setup(text)) == text


@given(positions())
def test_positions_as_setups(position: pdd.Position) -> None:
    setup = position.setup()
    assert setup.faults() == ()
    assert setup.position() == position
    assert pdd.parse_setup(pdd.format_setup(setup)).position() == position


@given(setups())
def test_a_setup_is_a_position_or_says_why_not(setup: pdd.Setup) -> None:
    faults = setup.faults()
    if faults:
        with pytest.raises(pdd.InvalidPositionError) as caught:
            setup.position()
        assert caught.value.faults == faults
    else:
        assert setup.position().setup() == setup


# Games and records


@given(games())
def test_a_record_gives_the_game_back(game: pdd.Game) -> None:
    text = pdd.records.dumps(game)
    again = pdd.records.loads(text)
    assert again == game
    assert hash(again) == hash(game)
    assert again.state == game.state
    assert (again.ending, again.winning_seat, again.result) == (
        game.ending,
        game.winning_seat,
        game.result,
    )
    assert pdd.records.dumps(again) == text
    assert pdd.records.load(io.StringIO(text)) == game


@share(0.3)
@given(st.lists(games(small_boards()), max_size=4))
def test_many_records_in_one_file(some: list[pdd.Game]) -> None:
    file = io.StringIO()
    for game in some:
        pdd.records.dump(game, file)
    assert list(pdd.records.iter_games(io.StringIO(file.getvalue()))) == some
    found = list(pdd.records.iter_records(io.StringIO(file.getvalue())))
    assert all(isinstance(record, pdd.records.Record) for record in found)
    assert [record.result for record in found if isinstance(record, pdd.records.Record)] == [
        game.result for game in some
    ]


@given(games())
def test_the_turns_of_a_game(game: pdd.Game) -> None:
    states_ = list(game.states())
    assert states_[0] == pdd.GameState.initial(game.rules)
    assert states_[-1] == game.state
    assert len(states_) == len(game.actions) + 1
    assert [turn.action for turn in game.turns] == list(game.actions)
    for turn, (before, after) in zip(game.turns, pairwise(states_), strict=True):
        assert turn.number == after.turn
        assert turn.seat is before.seat_to_move
        assert turn.color is before.to_move
        assert before.apply(turn.action) == after


@given(games(), st.data())
def test_undoing(game: pdd.Game, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, len(game.actions)))
    undone = game.undo(count)
    kept = len(game.actions) - count
    assert undone.actions == game.actions[:kept]
    assert undone.state == list(game.states())[kept]
    assert undone.tags == game.tags
    assert undone.ending is (pdd.Ending.SCORED if undone.state.is_over else None)
    for action in game.actions[kept:]:
        undone = undone.play(pdd.format_action(action))
    assert undone.actions == game.actions
    assert undone.state == game.state


@given(games(small_boards()))
def test_the_result_names_the_winner(game: pdd.Game) -> None:
    seat = game.winning_seat
    if game.ending is None:
        assert (game.result, seat) == ("*", None)
    elif seat is None:
        assert game.result == "draw"
    else:
        color = game.state.color_of(seat)
        assert game.result == (seat.value if color is None else color.value)
    if game.ending is not None:
        with pytest.raises(pdd.IllegalActionError):
            game.play("pass")
        with pytest.raises(pdd.IllegalActionError):
            game.end(pdd.Ending.AGREEMENT)


# Values: equality, hashing, pickling, copying


def assert_is_a_value(value: object) -> None:
    hash(value)
    copies = [
        pickle.loads(pickle.dumps(value, protocol))
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ]
    for same in (*copies, copy.copy(value), copy.deepcopy(value)):
        assert type(same) is type(value)
        assert same == value
        assert not same != value  # noqa: SIM202
        assert hash(same) == hash(value)
        assert repr(same) == repr(value)
    assert value != object()
    assert value is not None


@given(states())
def test_states_and_positions_are_values(state: pdd.GameState) -> None:
    # An answer that is remembered is no part of the value.
    len(state.legal_actions)
    assert_is_a_value(state)
    assert_is_a_value(state.position)
    assert_is_a_value(state.position.setup())
    assert_is_a_value(state.rules)
    assert_is_a_value(state.rules.board)
    again = pickle.loads(pickle.dumps(state))
    assert_same_legality(again, state)
    if state.outcome is not None:
        assert_is_a_value(state.outcome)


@given(states(), st.data())
def test_what_a_state_consists_of_are_values(state: pdd.GameState, data: st.DataObject) -> None:
    assert_is_a_value(tuple(state.legal_actions[:20]))
    assert_is_a_value(tuple(state.legal_steps[-20:]))
    assert_is_a_value(state.legal_actions.first_tiles)
    for color in pdd.Color:
        assert_is_a_value(state.score(color))
        assert_is_a_value(state.position.groups(color))
        assert_is_a_value(state.position.networks(color))
        assert_is_a_value(state.position.bridges(color))
    assert_is_a_value(state.violations(data.draw(actions(state.rules.board))))
    firsts = tuple(state.legal_actions.first_tiles)
    if firsts:
        assert_is_a_value(state.step(pdd.PlaceTile(data.draw(st.sampled_from(firsts)))))


@share(0.5)
@given(games())
def test_games_turns_and_records_are_values(game: pdd.Game) -> None:
    assert_is_a_value(game)
    assert_is_a_value(game.tags)
    assert_is_a_value(game.turns)
    (record,) = pdd.records.iter_records(io.StringIO(pdd.records.dumps(game)))
    assert isinstance(record, pdd.records.Record)
    assert_is_a_value(record)
    assert record.game() == game


@given(plays(small_boards()))
def test_equal_means_equal_parts(play: Play) -> None:
    parts = [
        (
            state.rules,
            state.position,
            state.phase,
            state.to_move,
            state.owner(WHITE),
        )
        for state in play.states
    ]
    for (one, its), (other, others) in combinations(zip(play.states, parts, strict=True), 2):
        assert (one == other) is (its == others)
        assert (one.position == other.position) is (one.position.setup() == other.position.setup())
    assert len(set(play.states)) == len(set(parts))


@share(0.5)
@given(positions())
def test_a_position_belongs_to_its_board(position: pdd.Position) -> None:
    board, setup = position.board, position.setup()
    assert position == pdd.Position.from_pieces(board, setup.white, setup.red, setup.bridges)
    for size in ((board.width, board.height + 1), (board.width + 1, board.height)):
        larger = pdd.Board(*size)
        other = pdd.Position.from_pieces(larger, setup.white, setup.red, setup.bridges)
        assert other != position
        for color in pdd.Color:
            assert other.tiles(color) == position.tiles(color)
            assert other.bridges(color) == position.bridges(color)
            assert other.score(color) == position.score(color)


@given(plays(small_boards()))
def test_owners_and_rules_tell_states_apart(play: Play) -> None:
    state = play.last
    if len(play.actions) > 1:
        flipped = pdd.GameState.initial(state.rules)
        for action in play.actions:
            if isinstance(action, pdd.ChooseColor):
                flipped = flipped.apply(pdd.ChooseColor(action.color.opponent))
            else:
                flipped = flipped.apply(action)
        assert flipped != state
        assert flipped.position == state.position
        assert list(flipped.legal_actions) == list(state.legal_actions)
        assert flipped.owner(WHITE) is state.owner(RED)
    # A supply that is larger than the board can take makes no difference but that one.
    plenty = 1_000
    other_rules = pdd.Rules(state.rules.board, plenty, plenty, state.rules.tiebreaks)
    other = pdd.GameState.initial(other_rules)
    if state.rules.tiles_per_color is None and state.rules.bridges is None:
        for action in play.actions:
            other = other.apply(action)
        assert list(other.legal_actions) == list(state.legal_actions)
        assert other.position == state.position
    assert other != state
    assert pdd.format_state(other) != pdd.format_state(state)


@given(boards(), st.data())
def test_bridges_are_ordered_pairs_of_cells(board: pdd.Board, data: st.DataObject) -> None:
    a, b = data.draw(spans(board))
    bridge = pdd.Bridge(a, b)
    assert bridge == pdd.Bridge(b, a)
    assert_is_a_value(bridge)
    assert bridge.ends == tuple(sorted((a, b)))
    assert pdd.BuildBridge(b, a).bridge == bridge
    assert pdd.PlaceTiles(a, b) == pdd.PlaceTiles(b, a)
    dx, dy = abs(a.column - b.column), abs(a.row - b.row)
    assert bridge.has_bridge_shape is (sorted((dx, dy)) in ([0, 2], [1, 2], [2, 2]))
    assert (bridge in board.bridges) is (bridge.has_bridge_shape and a in board and b in board)
