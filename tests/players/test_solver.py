"""Exact values: the solver and its tables compared with plain minimax."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED
from pontedeldiavolo.players import Solution, Solver, Tablebase
from pontedeldiavolo.players.mcts import alpha_beta
from pontedeldiavolo.players.mcts import solver as solver_module

ISLANDS, BRIDGES = pdd.Tiebreak
QUICK = [
    *(pdd.Rules(pdd.Board(*size)) for size in ((1, 1), (2, 1), (1, 5), (2, 2), (3, 2))),
    pdd.Rules(pdd.Board(3, 2), tiles_per_color=3, bridges=1, tiebreaks=()),
]
SLOW = [
    *(pdd.Rules(pdd.Board(*size)) for size in ((6, 1), (2, 4), (5, 2), (3, 3), (4, 3))),
    pdd.Rules(pdd.Board(4, 2), tiebreaks=(BRIDGES,)),
    pdd.Rules(pdd.Board(4, 2), tiles_per_color=0),
    pdd.Rules(pdd.Board(5, 2), tiles_per_color=5, bridges=2, tiebreaks=(BRIDGES, ISLANDS)),
    pdd.Rules(pdd.Board(3, 3), tiles_per_color=3, tiebreaks=(BRIDGES,)),
    pdd.Rules(pdd.Board(3, 3), bridges=0, tiebreaks=()),
]
BIG = "4x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"


def children(node: pdd.Node) -> dict[pdd.Action | pdd.Step, pdd.Node]:
    """Return the node after each action or step."""
    if isinstance(node, pdd.HalfTurn):
        return {step: node.step(step) for step in node.legal_steps}
    return {action: node.apply(action) for action in node.legal_actions}


class Minimax:
    """Values by exhaustive search with a cache."""

    def __init__(self) -> None:
        self.known: dict[bytes, int] = {}

    def first(self, node: pdd.Node) -> int:
        """Return the value for the first seat."""
        key = node.canonical_packed()
        if key not in self.known:
            if isinstance(node, pdd.GameState) and node.outcome is not None:
                self.known[key] = node.outcome.value(pdd.Seat.FIRST)
            else:
                best = max if node.seat_to_move is pdd.Seat.FIRST else min
                self.known[key] = best(map(self.first, children(node).values()))
        return self.known[key]

    def solution(self, node: pdd.Node) -> tuple[int, tuple[pdd.Action | pdd.Step, ...]]:
        """Return the value for the seat to move, and the best actions or steps."""
        value = self.first(node)
        sign = 1 if node.seat_to_move is pdd.Seat.FIRST else -1
        after = children(node).items()
        return sign * value, tuple(each for each, child in after if self.first(child) == value)


def nodes_of(rules: pdd.Rules, games: int) -> list[pdd.Node]:
    """Return states and half turns of random games that are not over."""
    rng = Random(3)
    found = dict[pdd.Node, None]()
    for _ in range(games):
        node: pdd.Node = pdd.GameState.initial(rules)
        while not node.is_over:
            found[node] = None
            node = node.step(rng.choice(node.legal_steps))
    return [*found]


@pytest.mark.parametrize(
    "rules",
    [*QUICK, *(pytest.param(rules, marks=pytest.mark.slow) for rules in SLOW)],
    ids=pdd.format_rules,
)
def test_values_and_best_actions_are_those_of_minimax(rules: pdd.Rules) -> None:
    minimax = Minimax()
    solver = Solver()
    for node in nodes_of(rules, 12):
        value, best = minimax.solution(node)
        found = solver.solve(node)
        assert (found.value, found.best) == (value, best)
        assert solver.value(node) == value


def test_endings_on_a_board_without_room_around() -> None:
    minimax = Minimax()
    solver = Solver()
    for node in nodes_of(pdd.Rules(pdd.Board(1, 16)), 1)[-6:]:
        found = solver.solve(node)
        assert (found.value, found.best) == minimax.solution(node)


@pytest.mark.parametrize(("rows", "best"), [("r3/4/w1rw", "a2,d2"), ("w3/4/rwr1", "d1,b3")])
@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_a_single_action_wins(rows: str, best: str) -> None:
    state = pdd.parse_state(f"{BIG} rows={rows} built=- phase=play to-move=white white=first")
    found = Solver(max_nodes=10_000).solve(state)
    assert (found.value, found.best) == (1, (pdd.parse_action(best),))


def test_a_lead_that_cannot_be_made_up_for_ends_a_search() -> None:
    for rows, color, positions in (("rr1/rr1", "white", 1), ("ww1/ww1", "red", 2)):
        rules = "3x2 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
        state = pdd.parse_state(
            f"{rules} rows={rows} built=- phase=play to-move={color} white=first"
        )
        assert Solver().solve(state) == Solution(-1, tuple(state.legal_actions), positions)


def start(width: int, height: int) -> pdd.GameState:
    return pdd.GameState.initial(pdd.Rules(pdd.Board(width, height)))


def test_limits_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(max_nodes=5)
    assert solver.solve(start(5, 5)) == Solution(None, (), 5)
    assert solver.value(start(5, 5)) is None
    assert solver.nodes_searched == 10
    # Finding the value needs fewer positions than finding all best actions.
    needed = next(n for n in range(1, 99) if Solver(max_nodes=n).value(start(3, 2)) is not None)
    assert Solver(max_nodes=needed).solve(start(3, 2)) == Solution(0, (), needed)
    assert Solver(seconds=1e-9).solve(start(3, 2)) == Solution(None, (), 0)
    monkeypatch.setattr(alpha_beta, "MAX_ACTIONS", 9)
    assert Solver().solve(start(3, 2)) == Solution(None, (), 0)


def test_a_full_table_forgets_and_a_small_one_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Solver().solve(start(3, 2)).nodes
    monkeypatch.setattr(solver_module, "FIRST_BUCKETS", 1)
    monkeypatch.setattr(solver_module, "CHUNK_NODES", 3)
    few, all_ = (Solver(memory=memory) for memory in (1, 1 << 20))
    assert few.solve(start(3, 2)).best == all_.solve(start(3, 2)).best
    assert few.nodes_searched > all_.nodes_searched >= whole
    # The solver reuses known values until the rules change.
    assert all_.solve(start(3, 2)).nodes < all_.nodes_searched
    assert all_.solve(start(2, 2)).nodes == all_.nodes_searched


def test_a_solver_pauses_for_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(3)
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(7, 7)))
    for _ in range(10):
        state = state.apply(state.legal_actions.sample(rng))
    solutions = []
    for actions in (1, 1 << 40):
        monkeypatch.setattr(alpha_beta, "PAUSE_ACTIONS", actions)
        monkeypatch.setattr(solver_module, "CHUNK_NODES", 30)
        solutions.append(Solver(max_nodes=500).solve(state))
    assert solutions[0] == solutions[1]
    monkeypatch.undo()
    # Between two looks at the clock, there are not many actions.
    now = 0.0
    prove = alpha_beta.prove

    def prove_in_time(stack: alpha_beta.Stack, *values: Any) -> int:
        nonlocal now
        left = int(stack.counters[alpha_beta.ACTIONS_LEFT])
        answer = prove(stack, *values)
        now += 1e-6 * (left - int(stack.counters[alpha_beta.ACTIONS_LEFT]))
        return answer

    monkeypatch.setattr(alpha_beta, "prove", prove_in_time)
    monkeypatch.setattr(solver_module, "perf_counter", lambda: now)
    assert Solver(seconds=0.1).value(state) is None
    assert 0.1 <= now < 0.13


def test_searches_are_repeatable_and_threads_take_turns() -> None:
    solver = Solver(memory=1 << 20)
    copy = pickle.loads(pickle.dumps(solver))
    nodes = [node for node in nodes_of(pdd.Rules(pdd.Board(3, 2)), 3) for _ in range(3)]
    assert [*map(solver.solve, nodes)] == [*map(copy.solve, nodes)]
    fresh = Solver()
    with ThreadPoolExecutor(3) as threads:
        assert [*threads.map(fresh.value, nodes)] == [*map(solver.value, nodes)]


def test_finished_games_have_nothing_to_solve(table: Tablebase) -> None:
    state = start(1, 1)
    while not state.is_over:
        state = state.apply(state.legal_actions[0])
    for solve in (Solver().solve, Solver().value, table.probe):
        with pytest.raises(pdd.PonteError, match="nothing to choose"):
            solve(state)


@pytest.fixture
def table() -> Tablebase:
    found = Tablebase.bundled(pdd.Rules(pdd.Board(3, 2)))
    assert found is not None
    return found


def test_tables_are_of_unlimited_rules_and_small_boards() -> None:
    sizes = [2, 2, 6], [3, 2, 44], [4, 2, 326], [5, 2, 3031], [6, 2, 23684], [3, 3, 608]
    for width, height, size in (*sizes, [4, 3, 31044]):
        rules = pdd.Rules(pdd.Board(width, height))
        found = Tablebase.bundled(rules)
        assert found is not None
        assert (found.rules, len(found)) == (rules, size)
        assert Tablebase.bundled(pdd.Rules(rules.board, bridges=1)) is None
    assert Tablebase.bundled(pdd.Rules()) is None


@pytest.mark.parametrize(
    "size",
    [(3, 2), *(pytest.param(size, marks=pytest.mark.slow) for size in [(4, 2), (3, 3), (4, 3)])],
)
def test_tables_have_the_values_of_minimax(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    minimax = Minimax()
    table = Tablebase.bundled(rules)
    assert table is not None
    nodes = nodes_of(rules, 3)
    games = GameBatch.from_states(nodes)
    values, masks, exact = table.probe(games)
    assert exact.all()
    for row, node in enumerate(nodes):
        value, best = minimax.solution(node)
        assert table.probe(node) == Solution(value, best, 0)
        assert values[row] == value
        steps = {each for each in node.legal_steps if masks[row, games.space.encode(each)]}
        firsts = {each for each in steps if isinstance(each, pdd.PlaceTile)}
        if isinstance(node, pdd.HalfTurn):
            assert steps == {*best}
        else:
            tiles = [each for each in best if isinstance(each, pdd.PlaceTiles)]
            assert firsts == {pdd.PlaceTile(cell) for each in tiles for cell in (each.a, each.b)}
            assert steps - firsts == {*best} - {*tiles}


def test_unknown_positions_are_not_exact(table: Tablebase) -> None:
    other = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 2), bridges=1))
    setup = pdd.parse_setup("w . .\n. . .").position()
    for state in (other, pdd.GameState.from_position(setup, to_move=pdd.Color.WHITE)):
        assert table.probe(state) == Solution(None, (), 0)
    over = start(3, 2)
    while not over.is_over:
        over = over.apply(over.legal_actions[-1])
    values, best, exact = table.probe(GameBatch.from_states([over, start(3, 2)]))
    assert (values.tolist(), exact.tolist()) == ([0, 0], [False, True])
    assert best.any(axis=1).tolist() == [False, True]


def test_tables_can_be_made_and_kept(tmp_path: Path, table: Tablebase) -> None:
    nodes = nodes_of(table.rules, 5)
    solver = Solver()
    games = GameBatch.from_states(nodes)
    values = np.array([solver.value(node) for node in nodes])
    made = Tablebase.from_values(games, values)
    made.save(tmp_path / "some")
    read = Tablebase.open(tmp_path / "some")
    assert 0 < len(read) == len(made) < len(table)
    stored = [
        node for node in nodes if isinstance(node, pdd.GameState) and node.to_move and node.turn
    ]
    for node in stored:
        assert read.probe(node).value == table.probe(node).value
    for wrong in (values[1:], values + 9):
        with pytest.raises(pdd.PonteError):
            Tablebase.from_values(games, wrong)
