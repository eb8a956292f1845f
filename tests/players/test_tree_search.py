"""Search trees with rollouts."""

from __future__ import annotations

from functools import partial
from math import inf
from random import Random

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import worker_pool
from pontedeldiavolo.batch.kernels.game import SCRATCH
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.players import Solver
from pontedeldiavolo.players.mcts import alpha_beta, rollout_kernels
from pontedeldiavolo.players.mcts import rollout_tree as trees
from pontedeldiavolo.players.mcts.alpha_beta import ACTIONS_LEFT, NODES_SEARCHED
from pontedeldiavolo.players.mcts.rollout_kernels import USED
from pontedeldiavolo.players.mcts.rollout_tree import RolloutTree
from pontedeldiavolo.players.mcts.search import StepStats
from support.batches import beginnings, kernel, laid_out, played, sized

SMALL = pdd.Rules(pdd.Board(4, 4))
SPACE = pdd.StepSpace(SMALL.board)
MANY = sized(400, 40)
play_extension = kernel(rollout_kernels.play_extension)
simulated = partial(RolloutTree, solver=False)
LATE = pdd.parse_state(
    "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges "
    "rows=wwwwr1rrw1/rr3wwrr1/r2rr1w1w1/w1r1r2r2/1w1ww2rw1/wrw2wr1rw/r1ww2rww1/5w1r1w/2rwrr2rw/"
    "1rwrwr2r1 built=- phase=play to-move=white white=second"
)
"""A state in which proofs may take very long."""
BOARDS = [
    *((1, 1), (1, 9), (2, 1), (3, 3), (10, 10)),
    # All kernels are compiled again for this size.
    pytest.param((17, 5), marks=pytest.mark.slow),
]


def random_state(rules: pdd.Rules, turns: int, seed: int = 1) -> pdd.GameState:
    """Return a state after some random turns, before the end of the game."""
    rng = Random(seed)
    state = pdd.GameState.initial(rules)
    for _ in range(turns):
        after = state.apply_unchecked(state.legal_actions.sample(rng))
        if after.is_over:
            break
        state = after
    return state


def require_steps(search: RolloutTree, node: pdd.Node, root: int, depth: int) -> None:
    """Require that a tree has exactly the legal steps at visited nodes, down to a depth."""
    space = pdd.StepSpace(node.rules.board)
    found = [*search.children(root)]
    if found:
        codes = sorted(space.encode(step) for step in node.legal_steps)
        assert sorted(each.code for each in found) == codes
    for each in found:
        assert 0 <= each.total_reward <= 2 * each.visits
        assert 0 <= each.lower <= each.upper <= 2
        assert 0 <= each.hint_sum <= 2 * each.hint_count
        after = node.step(space.decode(each.code))
        if depth and each.visits and not after.is_over:
            require_steps(search, after, each.node, depth - 1)


def test_rollouts_may_be_uniform() -> None:
    state = random_state(SMALL, 2)
    searches = [RolloutTree(state, 3, heuristic=each) for each in (True, False, False)]
    for search in searches:
        search.run(MANY // 4)
    heuristic, uniform, again = searches
    assert [*uniform.children()] == [*again.children()] != [*heuristic.children()]
    require_steps(uniform, state, 0, depth=2)


@pytest.mark.parametrize("size", [(6, 6), pytest.param((17, 5), marks=pytest.mark.slow)])
def test_rollouts_extend_pairs_and_complete_islands(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    rng = Random(5)
    made = 0
    for row in beginnings(rules, sized(120, 40), rng):
        before = laid_out(row)
        if isinstance(row, pdd.HalfTurn) or row.to_move is None:
            continue
        after = before.copy()
        after.random = rng.getrandbits(64)
        if not play_extension(after, after.to_move):
            # The sets from there on are free for use.
            assert (before.sets[:SCRATCH] == after.sets[:SCRATCH]).all()
            continue
        action = played(rules, before, after)
        made = made + 1
        assert isinstance(action, pdd.PlaceTiles)
        assert row.is_legal(action)
        islands = [{*each.position.islands(row.to_move)} for each in (row, row.apply(action))]
        new = islands[1] - islands[0]
        assert any({action.a, action.b} & {*each.cells} for each in new)
        groups = row.apply(action).position.groups(row.to_move)
        assert all(len(each.cells) > 2 for each in groups if {action.a, action.b} & {*each.cells})
    assert made > 3


@pytest.mark.parametrize("size", BOARDS)
def test_a_tree_has_the_legal_steps(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    for turns in (0, 1, 2, 5):
        state = random_state(rules, turns)
        search = simulated(state, seed=3)
        assert search.visits == 0
        assert not [*search.children()]
        search.run(MANY // 4)
        # No search takes place after all is proven.
        assert search.visits == MANY // 4 or not search._can_continue(0)
        assert [*search.children()]
        require_steps(search, state, 0, depth=2)
        assert sum(each.visits for each in search.children()) == search.visits


def test_bridges_and_passes_are_steps_too() -> None:
    kinds = set()
    for seed in range(8):
        state = random_state(SMALL, 50, seed)
        search = RolloutTree(state, seed=1)
        search.run(MANY)
        require_steps(search, state, 0, depth=3)
        kinds |= {type(SPACE.decode(each.code)) for each in search.children()}
    assert kinds >= {pdd.BuildBridge, pdd.Pass}


def test_equal_seeds_give_equal_trees() -> None:
    state = random_state(SMALL, 2)
    one, two, other = (simulated(state, seed) for seed in (1, 1, 2))
    for search in (one, two, other):
        search.run(MANY)
    assert [*one.children()] == [*two.children()] != [*other.children()]
    # Two searches of half the length give the same tree.
    one.run(MANY)
    for _ in range(MANY // 20):
        two.run(20)
    assert [*one.children()] == [*two.children()]


@pytest.mark.parametrize("first", [32, trees.MIN_NODES])
def test_threads_share_a_tree(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MIN_NODES", first)
    monkeypatch.setattr(worker_pool, "processors", lambda: 3)
    state = random_state(SMALL, 2)
    search = simulated(state, seed=1, threads=3)
    for times in (1, 2):
        search.run(10 * MANY)
        # No simulation is lost or incomplete.
        assert search.visits == 10 * MANY * times
        assert sum(each.visits for each in search.children()) == search.visits
        require_steps(search, state, 0, depth=3)
    best = max(search.children(), key=lambda each: each.visits)
    search.reroot(best.node, state.step(SPACE.decode(best.code)), 2)
    before = search.visits
    search.run_until(0)
    assert search.visits == before + 1


def test_a_search_goes_on_below_a_node() -> None:
    state = random_state(SMALL, 2)
    search = simulated(state, seed=1)
    search.run(4 * MANY)
    first = max(search.children(), key=lambda each: each.visits)
    second = max(search.children(first.node), key=lambda each: each.visits)
    assert search.find([first.code, second.code]) == second
    below = [each[:3] for each in search.children(second.node)]
    after = state.step(SPACE.decode(first.code)).step(SPACE.decode(second.code))
    assert isinstance(after, pdd.GameState)
    search.reroot(second.node, after, 2)
    assert [each[:3] for each in search.children()] == below
    assert search.visits == second.visits
    search.run(MANY)
    assert search.visits == second.visits + MANY
    require_steps(search, after, 0, depth=3)


def test_a_leaf_can_be_the_root() -> None:
    state = pdd.GameState.initial(SMALL)
    search = simulated(state, seed=1)
    search.run(2)
    leaf = next(each for each in search.children() if not [*search.children(each.node)])
    search.reroot(leaf.node, state.step(SPACE.decode(leaf.code)), 2)
    assert not [*search.children()]
    search.run(3)
    assert [*search.children()]


def test_steps_outside_the_tree_are_not_found() -> None:
    search = RolloutTree(pdd.GameState.initial(SMALL), seed=1)
    assert search.find([0]) is None
    search.run(1)
    assert isinstance(search.find([0]), StepStats)
    assert search.find([0, 1, 2, 3]) is None
    assert search.find([len(SPACE) - 1]) is None


def test_memory_grows_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MIN_NODES", 32)
    state = random_state(SMALL, 2)
    grown = simulated(state, seed=1)
    grown.run(4 * MANY)
    monkeypatch.undo()
    usual = simulated(state, seed=1)
    usual.run(4 * MANY)
    assert [*grown.children()] == [*usual.children()]
    for first, most in ((64, 64), (32, 64), (64, 128)):
        monkeypatch.setattr(trees, "MIN_NODES", first)
        monkeypatch.setattr(trees, "MAX_NODES", most)
        narrow = simulated(state, seed=1)
        narrow.run(8 * MANY)
        assert narrow.visits == 8 * MANY
        require_steps(narrow, state, 0, depth=3)
        # No memory is left for the steps of another node.
        assert most - 30 <= narrow._counters[USED] <= most
    # Without memory even for the steps of the root, games are still played.
    monkeypatch.setattr(trees, "MIN_NODES", 4)
    monkeypatch.setattr(trees, "MAX_NODES", 4)
    none = simulated(state, seed=1)
    none.run(5)
    assert (none.visits, [*none.children()]) == (5, [])


def test_games_are_counted_as_far_as_numbers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    assert np.iinfo(np.int32).max >= rollout_kernels.WIN * trees.MAX_VISITS
    monkeypatch.setattr(trees, "MAX_VISITS", 30)
    search = simulated(random_state(SMALL, 1), seed=1)
    search.run(20)
    search.run(20)
    assert search.visits == 30
    search.run_until(inf)
    search.run(1)
    assert search.visits == 30


def test_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    search = simulated(random_state(SMALL, 1), seed=1)
    run = RolloutTree._run_within
    now = 0.0

    def run_in_time(search: RolloutTree, wanted: int, code: int, seconds: float) -> int:
        nonlocal now
        now += wanted / 1000
        return run(search, wanted, code, seconds)

    monkeypatch.setattr(trees, "perf_counter", lambda: now)
    monkeypatch.setattr(RolloutTree, "_run_within", run_in_time)
    search.run_until(0.5)
    assert search.visits == pytest.approx(500, abs=2)
    before = search.visits
    # If the time is over at the start, one game is played.
    search.run_until(0.1)
    assert search.visits == before + 1


def test_alpha_beta_keeps_to_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = random_state(pdd.Rules(pdd.Board(5, 5)), 7)
    found = {}
    for most in (0, 1000, trees.ANY_NODES):
        search = RolloutTree(state, seed=1)
        search._run_within(3_000, NONE, most / trees.MAX_NODES_PER_SECOND)
        found[most] = int(search._prover.stack.counters[NODES_SEARCHED])
    assert found[0] == 0
    assert found[1000] == 1000 < found[trees.ANY_NODES]
    seen = []
    now = 0.0
    run = RolloutTree._run_within

    def run_in_time(search: RolloutTree, wanted: int, code: int, seconds: float) -> int:
        nonlocal now
        now += 0.01
        seen.append(seconds)
        return run(search, wanted, code, seconds)

    monkeypatch.setattr(trees, "perf_counter", lambda: now)
    monkeypatch.setattr(RolloutTree, "_run_within", run_in_time)
    search = RolloutTree(state, seed=1)
    search.run_until(0.035)
    assert seen == pytest.approx([0, 0.025, 0.015, 0.005])
    assert search._prover.nodes_left[0] == trees.ANY_NODES


def nodes_of(search: RolloutTree) -> int:
    """Return the number of nodes that alpha-beta has searched in a tree."""
    return int(search._prover.stack.counters[NODES_SEARCHED])


@pytest.mark.parametrize("end", [0.5, inf])
def test_a_proof_pauses_for_the_clock_and_the_stop(
    end: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Proofs then take all the time.
    monkeypatch.setattr(trees, "NODES_PER_VISIT", 1 << 20)
    now = 0.0
    simulate = RolloutTree._simulate

    def simulate_in_time(search: RolloutTree, *values: int) -> int:
        nonlocal now
        done = simulate(search, *values)
        actions = alpha_beta.PAUSE_ACTIONS - int(search._prover.stack.counters[ACTIONS_LEFT])
        now += 1e-4 + 1e-6 * actions
        return done

    monkeypatch.setattr(trees, "perf_counter", lambda: now)
    monkeypatch.setattr(RolloutTree, "_simulate", simulate_in_time)
    search = RolloutTree(LATE, seed=2)
    now = 0.0
    search.run_until(end, stop=lambda: now >= 0.5)
    assert search._has_paused
    assert 0.5 <= now < 0.55
    # The next search goes on with the proof.
    nodes = nodes_of(search)
    visits = search.visits
    search.run_until(now)
    assert search.visits == visits
    assert nodes_of(search) > nodes
    # Another root drops it.
    best = max(search.children(), key=lambda each: each.visits)
    after = LATE.step(pdd.StepSpace(LATE.rules.board).decode(best.code))
    search.reroot(best.node, after, 2)
    assert not search._has_paused
    monkeypatch.setattr(search, "_prover", search._prover._replace(nodes_per_visit=1))
    search.run(30)
    require_steps(search, after, 0, depth=1)


def test_simulations_after_a_paused_proof_keep_to_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    slowest = 0.0
    simulate = RolloutTree._simulate

    def simulate_in_time(search: RolloutTree, *values: int) -> int:
        nonlocal now, slowest
        begin = now
        visits = search.visits
        done = simulate(search, *values)
        # A pause comes before the time of a look at the clock is over.
        now += 5e-6 * (search.visits - visits) + (0.003 if search._has_paused else 0)
        slowest = max(slowest, now - begin)
        return done

    monkeypatch.setattr(trees, "perf_counter", lambda: now)
    monkeypatch.setattr(RolloutTree, "_simulate", simulate_in_time)
    has_paused = False

    def stop() -> bool:
        nonlocal has_paused
        has_paused = has_paused or search._has_paused
        # Beyond this, a broken search would go on practically for ever.
        return now > 0.5

    for end in (0.1, 0.15, 0.2):
        search = RolloutTree(pdd.GameState.initial(pdd.Rules(pdd.Board(5, 4))), 1)
        now = 0.0
        search.run_until(end, stop=stop)
        assert end <= now < end + 2 * trees.CLOCK_SECONDS
    assert has_paused
    assert slowest < 4 * trees.CLOCK_SECONDS


def test_a_number_of_simulations_can_be_stopped_in_a_proof() -> None:
    state = random_state(pdd.Rules(pdd.Board(5, 4)), 2)
    search = RolloutTree(state, seed=1)
    looks = [0]

    def stop() -> bool:
        looks.append(nodes_of(search))
        return len(looks) > 100

    search.run(10**9, stop=stop)
    gaps = np.diff(looks)
    # Each node has an action.
    assert gaps.max() <= alpha_beta.PAUSE_ACTIONS
    # Some of the looks are between two parts of a proof.
    assert (gaps >= trees.CHUNK_SIMULATIONS).any() or search._has_paused


@pytest.mark.parametrize(("side", "turns"), [(4, 4), (5, 5), (6, 12)])
def test_pauses_do_not_change_a_search(
    side: int, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = random_state(pdd.Rules(pdd.Board(side, side)), turns)
    found = []
    for actions in (1, 300, 1 << 40):
        monkeypatch.setattr(trees, "PAUSE_ACTIONS", actions)
        search = RolloutTree(state, seed=1)
        done = search.run(10 * MANY)
        found.append((done, search.visits, nodes_of(search), [*search.children()]))
    assert found[0][2] > 0
    assert found[0] == found[1] == found[2]


def test_bounds_are_stored_only_under_keys_of_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alpha_beta, "MAX_ACTIONS", alpha_beta.stack_size(SMALL, 16) - 1)
    state = pdd.GameState.initial(SMALL)
    search = RolloutTree(state, seed=1)
    search.run(MANY)
    # The game before the second tile has enough water for it, and alpha-beta begins.
    first = max(search.children(), key=lambda each: each.visits)
    second = max(search.children(first.node), key=lambda each: each.visits)
    after = state.step(SPACE.decode(first.code)).step(SPACE.decode(second.code))
    search.reroot(second.node, after, 2)
    assert search._prover.nodes_per_visit > 0
    # From now on keys are not written.
    search._memories[0].path_keys[:] = 7
    search.run(50 * MANY)
    assert not search._can_continue(0)
    assert not (search._prover.entries[:, :, 0] == 7).any()


def test_alpha_beta_begins_when_its_stack_is_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    monkeypatch.setattr(alpha_beta, "MAX_ACTIONS", alpha_beta.stack_size(rules, 25) - 1)
    state = pdd.GameState.initial(rules)
    space = pdd.StepSpace(rules.board)
    first = state.legal_steps[0]
    for solver in (True, False):
        search = RolloutTree(state, seed=1, solver=solver)
        search.run(1)
        search.run(20, space.encode(first))
        assert search._prover.nodes_per_visit == 0
        # Two cells less are enough.
        child = search.find([space.encode(first)])
        assert child is not None
        second = next(search.children(child.node))
        after = state.step(first).step(space.decode(second.code))
        search.reroot(second.node, after, 1)
        assert search._prover.nodes_per_visit == (trees.NODES_PER_VISIT if solver else 0)


@pytest.mark.parametrize("size", [(4, 4), (5, 4), (5, 5)])
@pytest.mark.parametrize("first_nodes", [64, trees.MIN_NODES])
def test_a_number_of_simulations_is_kept(
    size: tuple[int, int], first_nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "MIN_NODES", first_nodes)
    limit = 20_000
    simulate = RolloutTree._simulate
    fruitless: list[int] = []

    def noted(search: RolloutTree, *values: int) -> int:
        before = search.visits
        done = simulate(search, *values)
        if done > 1 and search.visits == before and not search._has_paused:
            fruitless.append(done)
        return done

    monkeypatch.setattr(RolloutTree, "_simulate", noted)
    for number in (0, 3, 6):
        state = random_state(pdd.Rules(pdd.Board(*size)), number)
        fruitless.clear()
        search = RolloutTree(state, seed=1)
        cost = search.run(limit)
        # A search of alpha-beta answers two questions, each of which may end a node too late.
        assert cost <= limit + 2
        # A full memory is enlarged at once: no search is repeated because memory is full.
        assert len(fruitless) <= len(search._nodes).bit_length()


def ends(state: pdd.GameState) -> set[pdd.Seat | None]:
    """Return the possible winners."""
    if state.is_over:
        assert state.outcome is not None
        return {state.outcome.winning_seat}
    return {seat for action in state.legal_actions for seat in ends(state.apply_unchecked(action))}


def test_decided_games_have_their_value() -> None:
    found = 0
    for seed in range(100):
        state = random_state(SMALL, 50, seed)
        if len(state.legal_actions) > 4:
            continue
        [*seats] = ends(state)
        if len(seats) > 1:
            continue
        found += 1
        search = simulated(state, seed=1)
        search.run(20)
        worth = 1 if seats[0] is None else 2 * (seats[0] is state.seat_to_move)
        assert all(each.total_reward == worth * each.visits for each in search.children())
    assert found > 10


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("solver", [False, True])
def test_bounds_hold_for_real_games(
    threads: int, monkeypatch: pytest.MonkeyPatch, *, solver: bool
) -> None:
    monkeypatch.setattr(worker_pool, "processors", lambda: threads)
    # With this, most proofs pause, and other threads may go on with them.
    monkeypatch.setattr(trees, "PAUSE_ACTIONS", 50)
    exact = Solver(max_nodes=100_000)
    proven = 0
    for seed in range(12):
        rules = pdd.Rules(pdd.Board(sized(4, 3), sized(3, 2)), (None, 3)[seed // 6], seed % 3)
        state = random_state(rules, seed % 6, seed)
        search = RolloutTree(state, seed, solver=solver, threads=threads)
        search.run(MANY)
        nodes: list[tuple[pdd.Node, int]] = [(state, 0)]
        for node, root in nodes:
            for child in search.children(root):
                after = node.step(pdd.StepSpace(node.rules.board).decode(child.code))
                if after.is_over or (child.lower == 0 and child.upper == 2):
                    continue
                value = exact.value(after)
                assert value is not None
                reward = 1 + value * (1 if after.seat_to_move is node.seat_to_move else -1)
                assert child.lower <= reward <= child.upper
                proven += 1
                if len(nodes) < 60:
                    nodes.append((after, child.node))
    assert proven


def test_both_orders_of_a_pair_share_what_follows() -> None:
    search = simulated(random_state(SMALL, 2), seed=1)
    search.run(20 * MANY)
    shared = 0
    for first in search.children():
        for second in search.children(first.node):
            other = search.find([second.code, first.code])
            if other is not None:
                one, two = (search._child_places(each.node) for each in (second, other))
                shared += one == two and one.stop > one.start
    assert shared > 1
    # They also agree below another root, after being copied once.
    best = max(search.children(), key=lambda each: each.visits)
    used = int(search._counters[USED])
    search.reroot(best.node, random_state(SMALL, 2).step(SPACE.decode(best.code)), 2)
    assert 0 < search._counters[USED] < used


def test_simulations_may_begin_with_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    search = simulated(pdd.GameState.initial(SMALL), seed=1)
    search.run(20)
    search.run(MANY, 5)
    chosen = search.find([5])
    assert chosen is not None
    assert chosen.visits >= MANY
    assert search.depth(chosen.node) > 0
    # Some simulations precede the first check.
    monkeypatch.setattr(trees, "CHUNK_SIMULATIONS", 30)
    search.run(100, stop=lambda: True)
    search.run_until(inf, stop=lambda: True)
    assert search.visits == 20 + MANY + 30 + 1
