"""The worked examples of the published rules.

Every position is drawn, so that the example can be checked by eye. [S0] to [S4] are the sources.
"""

from __future__ import annotations

from itertools import product

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, DecidedBy, Phase, Score, Seat, ViolationCode
from support.diagrams import (
    RED,
    SCORING,
    WHITE,
    act,
    bridge,
    cells,
    draw,
    faults_of,
    names,
    play,
    state_of,
)

# Islands and sandbanks: examples 1 to 6 [S0, S3, S4]


def test_example_1_islands_keep_their_distance_and_sandbanks_may_touch_at_corners() -> None:
    setup = pdd.parse_setup("""
        6 . . . . w w
        5 w w . w . .
        4 w . . w . .
        3 w . . . . w
        2 . . . w . w
        1 w . w . . .
          a b c d e f
    """)
    assert setup.violations() == ()
    position = setup.position()
    assert [names(island.cells) for island in position.islands(WHITE)] == ["a3 a4 a5 b5"]
    groups = [names(group.cells) for group in position.groups(WHITE)]
    assert groups == ["a1", "c1", "d2", "f2 f3", "a3 a4 a5 b5", "d4 d5", "e6 f6"]


TWO_SANDBANKS_AND_A_THIRD = """
    5 . . . . . .
    4 . . . . . w
    3 . w w . w .
    2 . . . . . .
    1 . . . . . .
      a b c d e f
"""


def test_example_2_no_island_of_two_sandbanks_where_a_third_is_touched() -> None:
    state = state_of(TWO_SANDBANKS_AND_A_THIRD)
    assert faults_of(state.violations(act("d3,a1"))) == ["island-touched b3 c3 d3 e3 f4"]
    assert not state.is_legal(act("d3"))
    assert act("d3") not in state.legal_steps
    # The sandbanks may touch at a corner.
    assert state.position.group_at(*cells("f4")) == pdd.Group(
        WHITE, state.rules.board.cell_set(cells("f4"))
    )


def test_example_3_an_island_of_two_sandbanks() -> None:
    state = state_of("""
        5 . . . . . .
        4 . . . . . .
        3 . w w . w .
        2 . . . . . .
        1 w . . . . w
          a b c d e f
    """)
    after = play(state, "d3,c5")
    assert [names(island.cells) for island in after.position.islands(WHITE)] == ["b3 c3 d3 e3"]
    assert after.score(WHITE) == Score(points=1, islands=1, bridges=0)


def test_example_4_a_sandbank_is_extended_beside_another_one() -> None:
    after = play(state_of(TWO_SANDBANKS_AND_A_THIRD), "e2,f5")
    groups = [names(group.cells) for group in after.position.groups(WHITE)]
    assert groups == ["e2 e3", "b3 c3", "f4 f5"]
    assert after.score(WHITE) == Score(points=0, islands=0, bridges=0)


def test_example_5_no_group_of_five() -> None:
    state = state_of("""
        5 . . . w . .
        4 . . . w . .
        3 . w w . . .
        2 . . . . . .
        1 . . . . . .
          a b c d e f
    """)
    assert faults_of(state.violations(act("d3,a1"))) == ["group-too-large b3 c3 d3 d4 d5"]
    assert not state.is_legal(act("d3"))


def test_example_6_colours_touch_each_other_freely() -> None:
    state = state_of("""
        5 . . . . .
        4 . r r . .
        3 w r r w .
        2 w w . w .
        1 w r . w .
          a b c d e
    """)
    assert names(state.position.islands(WHITE)[0].cells) == "a1 a2 b2 a3"
    assert names(state.position.islands(RED)[0].cells) == "b3 c3 b4 c4"
    # d4 completes a white island with red's island beside it.
    after = play(state, "d4,a5")
    assert names(after.position.islands(WHITE)[1].cells) == "d1 d2 d3 d4"
    # c1 lies between both colours. Islands of different colours may touch.
    assert after.is_legal(act("c1,e4"))


# Bridges and blocked cells: examples 7 to 9 [S0, S3, S4]

THREE_KINDS_OF_BRIDGES = """
    5 w . . . w . .
    4 . . . . . . .
    3 w . w . . . w
    2 . . . . . . .
    1 . . w . w . .
      a b c d e f g
"""


KNIGHTS = """
    5 . w . w .
    4 w . . . w
    3 . . w . .
    2 w . . . w
    1 . w . w .
      a b c d e
"""


@pytest.mark.parametrize(
    ("diagram", "bridges"),
    [
        (THREE_KINDS_OF_BRIDGES, {"a3-a5": "a4", "a3-c3": "b3", "c3-c1": "c2", "c1-e1": "d1"}),
        (THREE_KINDS_OF_BRIDGES, {"c3-e5": "d4", "a5-c3": "b4", "c3-e1": "d2", "e1-g3": "f2"}),
        (KNIGHTS, {"c3-d5": "c4 d4", "c3-e4": "d3 d4", "c3-e2": "d2 d3", "d1-c3": "c2 d2"}),
        (KNIGHTS, {"b1-c3": "b2 c2", "a2-c3": "b2 b3", "c3-a4": "b3 b4", "c3-b5": "b4 c4"}),
    ],
    ids=["straight", "diagonal", "knights to the right", "knights to the left"],
)
def test_example_7_bridges_of_all_shapes(diagram: str, bridges: dict[str, str]) -> None:
    for action, beneath in bridges.items():
        after = play(state_of(diagram), action)
        assert after.position.bridges(WHITE) == (bridge(action),)
        assert names(after.position.blocked) == beneath


ONE_BRIDGE_PER_TILE = """
    5 w . . . . .
    4 . . . w . w
    3 w . . . r .
    2 . . . w . w
    1 w . . . . .
      a b c d e f
    bridges a1-a3
"""


def test_example_8_a_tile_carries_one_bridge() -> None:
    state = state_of(ONE_BRIDGE_PER_TILE)
    assert faults_of(state.violations(act("a3-a5"))) == ["end-used a3 | a1-a3"]


def test_example_8_no_bridge_over_a_tile_of_either_colour() -> None:
    state = state_of(ONE_BRIDGE_PER_TILE)
    assert faults_of(state.violations(act("d2-f4"))) == ["tile-beneath e3"]
    over_own = state_of("w w w")
    assert faults_of(over_own.violations(act("a1-c1"))) == ["tile-beneath b1"]
    # The straight bridges beside that tile are legal.
    assert names(each.bridge for each in state.legal_actions.bridges) == "d2-f2 d2-d4 f2-f4 d4-f4"


def test_example_9_four_cells_are_blocked_for_both_colours() -> None:
    state = state_of("""
        5 . . . . . w .
        4 . . . . . . .
        3 w . w w . . r
        2 . . . . . . .
        1 . . . . . r .
          a b c d e f g
        bridges a3-c3 d3-f5 f1-g3
    """)
    assert names(state.position.blocked) == "f2 g2 b3 e4"
    for each, cell in product(map(state.with_to_move, Color), state.position.blocked):
        (fault,) = each.violations(pdd.PlaceTile(cell))
        assert fault.code is ViolationCode.BLOCKED
        assert not each.is_legal(pdd.PlaceTile(cell))


# Scoring: the example on a small board [S0, S3, S4]


def test_the_scoring_example() -> None:
    position = draw(SCORING)
    (network,) = position.networks(WHITE)
    assert (len(network.islands), network.points) == (4, 10)
    assert position.score(WHITE) == Score(points=10, islands=4, bridges=3)
    assert sorted(each.points for each in position.networks(RED)) == [1, 1, 3]
    joined = max(position.networks(RED), key=lambda each: each.points)
    groups = [names(group.cells) for group in joined.groups]
    assert groups == ["g1 h1 g2 h2", "h4 h5", "g7 h7 g8 h8"]
    assert position.score(RED) == Score(points=5, islands=4, bridges=2)


def test_the_scoring_example_decides_a_game() -> None:
    outcome = state_of(SCORING, phase=Phase.OVER, tiles=18).outcome
    assert outcome == pdd.Outcome(
        WHITE, Seat.FIRST, DecidedBy.POINTS, Score(10, 4, 3), Score(5, 4, 2)
    )


POINTS = (1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)


@pytest.mark.parametrize(("islands", "points"), [*enumerate(POINTS, 1)])
def test_the_table_of_points(islands: int, points: int) -> None:
    # A row of squares, each joined to the next by a bridge between their lower edges.
    white = [pdd.Cell(3 * i + dx, dy) for i in range(islands) for dx in (0, 1) for dy in (0, 1)]
    bridges = [
        pdd.Bridge(pdd.Cell(3 * i + 1, i % 2), pdd.Cell(3 * i + 3, i % 2))
        for i in range(islands - 1)
    ]
    board = pdd.Board(3 * islands - 1, 2)
    position = pdd.Position.from_pieces(board, white=white, bridges=bridges)
    assert position.score(WHITE) == Score(points, islands, islands - 1)
