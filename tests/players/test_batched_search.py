"""PUCT in many games at once, compared with plain Python, and tree search with an evaluation."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from copy import copy
from math import inf, log, sqrt
from random import Random
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, RowError
from pontedeldiavolo.players import BatchedSearch, MctsPlayer, Solver
from pontedeldiavolo.players.mcts import batched_kernels
from pontedeldiavolo.players.mcts.batched_kernels import TREE_NODE
from pontedeldiavolo.players.mcts.batched_search import EDGE_BYTES, MAX_EDGES, SPARE_EDGES
from pontedeldiavolo.players.mcts.evaluated_tree import LEAVES, EvaluatedTree, simulations_within
from pontedeldiavolo.players.mcts.player import MIN_TREE_BYTES
from support.batch_rows import mixed
from support.batches import NONE, sized
from support.diagrams import state_of

SMALL = pdd.Rules(pdd.Board(4, 3))
RULES = [
    SMALL,
    *(pdd.Rules(pdd.Board(*sides)) for sides in ((1, 1), (2, 1), (5, 4))),
    pdd.Rules(pdd.Board(4, 4), tiles_per_color=5, bridges=1),
    pytest.param(pdd.Rules(pdd.Board(17, 2)), marks=pytest.mark.slow),
]
MAX_LATE_ACTIONS = 5
Arrays = tuple[npt.NDArray[np.float32], npt.NDArray[np.float64]]


def evaluate(games: GameBatch) -> Arrays:
    """Return priors with exact sums, and values that depend on the game."""
    hashes = games.hashes()[:, np.newaxis] >> np.arange(len(games.space), dtype=np.uint64) % 50
    values = (games.hashes() % np.uint64(2001)).astype(np.float64) / 1000 - 1
    return (hashes % np.uint64(16) + np.uint64(1)).astype(np.float32), values


def run(search: BatchedSearch, evaluation: Callable[[GameBatch], Arrays] = evaluate) -> None:
    while not search.done:
        search.backup(*evaluation(search.leaves()))


class Node:
    """A node of PUCT in plain Python; values are for the first seat."""

    def __init__(self, node: pdd.Node) -> None:
        self.node = node
        self.visits = 0
        self.total = 0.0
        self.value = 0.0
        self.priors: dict[int, float] = {}
        self.children: dict[int, Node] = {}

    @property
    def sign(self) -> int:
        return 1 if self.node.seat_to_move is pdd.Seat.FIRST else -1

    def expand(self) -> None:
        if self.node.is_over:
            assert self.node.outcome is not None
            self.value = self.node.outcome.value(pdd.Seat.FIRST)
            return
        (priors,), (value,) = evaluate(GameBatch.from_states([self.node]))
        space = pdd.StepSpace(self.node.rules.board)
        codes = sorted(space.encode(step) for step in self.node.legal_steps)
        scale = 1 / float(priors[codes].sum())
        self.priors = {code: float(np.float32(float(priors[code]) * scale)) for code in codes}
        self.value = self.sign * value

    def puct(self, code: int) -> float:
        """Return the PUCT value of a step."""
        bonus = log((self.visits + 1 + 19652) / 19652) + 1.25
        bonus = bonus * sqrt(self.visits) * self.priors[code]
        if code not in self.children:
            return bonus
        child = self.children[code]
        return self.sign * child.total / child.visits + bonus / (1 + child.visits)

    def simulate(self, forced: int = NONE) -> float:
        """Run a simulation; return the value of its leaf."""
        if not self.priors:
            self.expand()
            value = self.value
        else:
            code = max(self.priors, key=self.puct) if forced == NONE else forced
            if code not in self.children:
                step = pdd.StepSpace(self.node.rules.board).decode(code)
                self.children[code] = Node(self.node.step(step))
            value = self.children[code].simulate()
        self.visits += 1
        self.total += value
        return value


def require_equal(search: BatchedSearch, roots: list[Node]) -> None:
    """Require that the statistics of roots are equal to those of plain Python."""
    for row, root in enumerate(roots):
        visits = {code: child.visits for code, child in root.children.items()}
        assert {code: int(search.visits[row, code]) for code in root.children} == visits
        assert int(search.visits[row].sum()) == sum(visits.values())
        for code, child in root.children.items():
            mean = root.sign * child.total / child.visits
            assert search.step_values[row, code] == pytest.approx(mean, abs=1e-6)
        if not root.node.is_over:
            assert search.values[row] == pytest.approx(root.sign * root.total / root.visits)
            assert search.priors[row, [*root.priors]].tolist() == [*root.priors.values()]


@pytest.mark.parametrize("rules", RULES, ids=pdd.format_rules)
def test_visits_are_those_of_plain_python(rules: pdd.Rules) -> None:
    rows = mixed(rules, sized(12, 5))
    simulations = sized(40, 12)
    search = BatchedSearch(GameBatch.from_states(rows), simulations=simulations)
    roots = [Node(row) for row in rows]
    for _ in range(2):
        run(search)
        for root in roots:
            for _ in range(simulations):
                root.simulate()
        require_equal(search, roots)
        codes = search.best()
        # In games that are over, the code does not matter.
        assert (codes == NONE).tolist() == search.games.is_over.tolist()
        search.advance(codes)
        pairs = zip(roots, codes.tolist(), strict=True)
        roots = [root if code == NONE else root.children[code] for root, code in pairs]
        assert [root.node for root in roots] == [*search.games]
        # The memory holds the nodes of one search, so nothing is lost after the first simulation.
        require_equal(search, roots)


def test_first_steps_can_be_given() -> None:
    rng = Random(1)
    rows = mixed(SMALL, 6)
    search = BatchedSearch(GameBatch.from_states(rows), simulations=sized(60, 15))
    roots = [Node(row) for row in rows]
    space = pdd.StepSpace(SMALL.board)
    while not search.done:
        codes = [
            NONE
            if row.is_over or not rng.randrange(3)
            else space.encode(rng.choice(row.legal_steps))
            for row in rows
        ]
        search.backup(*evaluate(search.leaves(codes)))
        for root, code in zip(roots, codes, strict=True):
            root.simulate(code)
    require_equal(search, roots)


def test_several_leaves_of_a_root_are_different() -> None:
    rows = [*mixed(SMALL, 8), pdd.GameState.initial(SMALL)]
    games = GameBatch.from_states(rows)
    search = BatchedSearch(games, simulations=sized(64, 24), leaves_per_root=4)
    rounds = 0
    chosen = np.zeros(len(rows), int)
    while not search.done:
        leaves = search.leaves()
        assert leaves.size == 4 * len(rows)
        needed = search._leaves[search.needed].tolist()
        assert len({*needed}) == len(needed)
        chosen += (search._leaves != NONE).reshape(len(rows), 4).sum(axis=1)
        priors, values = evaluate(leaves)
        search.backup(priors, values)
        rounds += 1
    assert rounds == sized(64, 24) // 4
    roots = search._trees.nodes[search._trees.roots]
    assert roots["visits"].tolist() == chosen.tolist()
    assert (chosen < 4 * rounds).any()
    # Virtual losses are removed again, so the mean contains only values.
    assert (np.abs(search.step_values) <= 1).all()
    assert search.visits.sum(axis=1)[-1] == chosen[-1] - 1
    totals = (search.visits * search.step_values).sum(axis=1) + evaluate(games)[1]
    going = ~games.is_over
    second = np.where(games.seat_to_move == 1, -1, 1)
    assert totals[going] == pytest.approx((second * roots["total"])[going], abs=1e-4)


def test_finished_leaves_need_no_evaluation() -> None:
    rows = mixed(SMALL, 60)
    search = BatchedSearch(GameBatch.from_states(rows), simulations=sized(30, 8))
    poison = [row.is_over for row in rows]
    while not search.done:
        leaves = search.leaves()
        assert leaves is search.leaves()
        assert search.needed.tolist() == (~leaves.is_over).tolist()
        priors, values = evaluate(leaves)
        priors[~search.needed] = np.nan
        values[~search.needed] = np.inf
        priors[leaves.legal_mask() == 0] = np.nan
        search.backup(priors, values)
    assert any(poison)
    assert not search.visits[poison].any()
    assert not search.values[poison].any()
    assert not search.improved_policy[poison].any()
    sums = search.improved_policy.sum(axis=1)
    assert sums == pytest.approx(np.where(poison, 0, 1))


def test_the_improved_policy_follows_the_paper() -> None:
    search = BatchedSearch(GameBatch.initial(SMALL), simulations=sized(60, 20))
    run(search)
    visits = search.visits[0]
    priors = search.priors[0]
    values = search.step_values[0]
    seen = visits > 0
    raw = evaluate(search.games)[1][0]
    mean = (priors * values)[seen].sum() / priors[seen].sum()
    mixed_value = (raw + visits.sum() * mean) / (1 + visits.sum())
    with_defaults = (np.where(seen, values, mixed_value) + 1) / 2
    legal = search.games.legal_mask()[0] == 1
    weights = np.zeros(len(legal))
    weights[legal] = priors[legal] * np.exp((50 + visits.max()) * with_defaults[legal])
    assert search.improved_policy[0] == pytest.approx(weights / weights.sum())
    assert (search.improved_policy[0] > 0).tolist() == legal.tolist()


def test_nothing_is_known_of_roots_whose_evaluation_is_pending() -> None:
    """Their edges exist, but their memory is not initialised."""
    games = GameBatch.initial(pdd.Rules(pdd.Board(4, 4)), 8)
    search = BatchedSearch(games, simulations=10, leaves_per_root=2)
    search.leaves()
    search._trees.priors[:] = np.nan
    for found in (search.priors, search.improved_policy, search.visits, search.step_values):
        assert not found.any()
    with pytest.raises(pdd.PonteError):
        search.best()


def test_noise_changes_priors_by_its_seed() -> None:
    games = GameBatch.from_states(mixed(SMALL, 8))

    def noisy(seed: int, weight: float = 0.25) -> BatchedSearch:
        search = BatchedSearch(games, simulations=20, root_noise=(0.3, weight), seed=seed)
        run(search)
        return search

    plain = BatchedSearch(games, simulations=20)
    run(plain)
    one = noisy(1)
    again = noisy(1)
    other = noisy(2)
    all_noise = noisy(1, 1.0)
    assert np.array_equal(one.visits, again.visits)
    assert not np.array_equal(one.priors, other.priors)
    going = ~games.is_over
    assert one.priors.sum(axis=1)[going] == pytest.approx(1, abs=1e-5)
    mixture = 0.75 * plain.priors + 0.25 * all_noise.priors
    assert one.priors == pytest.approx(mixture, abs=1e-6)
    before = one.priors
    one.advance(one.best())
    run(one)
    assert one.priors.shape == before.shape


def test_kept_trees_are_bounded() -> None:
    # While only one step is legal, the whole tree is kept.
    search = BatchedSearch(GameBatch.initial(pdd.Rules(pdd.Board(4, 4)), 3), simulations=10)
    kept = 0
    for _ in range(sized(12, 8)):
        run(search)
        search.advance(search.best())
        used = int(search._trees.used[0])
        assert used <= 3 * 11
        kept = max(kept, int(search.visits.sum()))
    assert kept > 0
    # Without memory for edges, leaves are evaluated and not expanded.
    search._trees.used[1] = len(search._trees.codes)
    run(search)
    assert search._trees.used[1] == len(search._trees.codes)


def test_no_games() -> None:
    search = BatchedSearch(GameBatch.initial(SMALL, 0), simulations=2)
    run(search)
    assert search.visits.shape == (0, len(pdd.StepSpace(SMALL.board)))
    assert search.improved_policy.shape == search.visits.shape
    assert search.best().shape == search.values.shape == (0,)
    with pytest.raises(TypeError, match="a search cannot be copied"):
        copy(search)


START = GameBatch.initial(SMALL, 2)
SIZE = len(START.space)
FLAT = np.ones((2, SIZE))
EVEN = np.zeros(2)
BAD = np.vstack((np.ones(SIZE), np.zeros(SIZE)))


TOO_SMALL = "must be from 1 to"
NOT_POSITIVE = "must be positive and finite"


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"simulations": 0}, pdd.PonteError, TOO_SMALL),
        ({"simulations": 10, "leaves_per_root": 0}, pdd.PonteError, TOO_SMALL),
        ({"simulations": 10, "memory": 0}, pdd.PonteError, TOO_SMALL),
        ({"simulations": 10, "memory": 1000}, pdd.PonteError, "bytes, and 1000 are allowed: ask"),
        ({"simulations": 10, "exploration": 0}, pdd.PonteError, NOT_POSITIVE),
        ({"simulations": 10, "root_noise": (0, 0.25)}, pdd.PonteError, NOT_POSITIVE),
        ({"simulations": 10, "root_noise": (1, 1.5)}, pdd.PonteError, "weight must be from 0 to 1"),
        ({"simulations": 10, "root_noise": 0.3}, TypeError, "root_noise"),
        ({"simulations": 10, "root_noise": (0.3,)}, TypeError, "root_noise"),
        ({"simulations": 10, "seed": -1}, pdd.PonteError, "seed must not be negative: -1"),
        ({"simulations": 10, "games": SMALL}, TypeError, "games must be"),
    ],
)
def test_bad_searches(options: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        BatchedSearch(**{"games": START, **options})


WRONG_VALUE = "a value is from -1, lost, to 1, won"
WRONG_PRIORS = "the priors of legal steps must be 0 or more"


@pytest.mark.parametrize(
    ("priors", "values", "error", "said"),
    [
        (FLAT[:1], EVEN, pdd.PonteError, "priors must have shape"),
        (FLAT[:, 1:], EVEN, pdd.PonteError, "priors must have shape"),
        (FLAT, EVEN[:1], pdd.PonteError, r"values must have shape \(2,\), not \(1,\)"),
        (FLAT, [0.0, 1.5], RowError, WRONG_VALUE),
        (FLAT, [0.0, np.nan], RowError, WRONG_VALUE),
        (BAD, EVEN, RowError, WRONG_PRIORS),
        (np.where(BAD > 0, 1, -1), EVEN, RowError, WRONG_PRIORS),
        (np.where(BAD > 0, 1, np.inf), EVEN, RowError, WRONG_PRIORS),
        (np.where(BAD > 0, 1, np.nan), EVEN, RowError, WRONG_PRIORS),
        ([["a"] * SIZE] * 2, EVEN, TypeError, "priors must be real numbers"),
        (FLAT, ["a", "b"], TypeError, "values must be real numbers"),
    ],
)
def test_bad_evaluation(priors: Any, values: Any, error: type[Exception], said: str) -> None:
    search = BatchedSearch(START, simulations=3)
    leaves = search.leaves()
    with pytest.raises(error, match=said) as caught:
        search.backup(priors, values)
    if isinstance(caught.value, RowError):
        assert caught.value.row == 1
    assert search.leaves() is leaves
    assert not search.visits.any()
    FLAT.setflags(write=False)
    search.backup(FLAT, EVEN)
    FLAT.setflags(write=True)
    run(search)
    assert search.visits.sum(axis=1).tolist() == [2, 2]


def test_calls_out_of_turn_and_illegal_steps() -> None:
    search = BatchedSearch(START, simulations=2)
    space = START.space
    last = len(START.space) - 1
    out_of_range = [([0], pdd.PonteError), ([0, last + 1], RowError), ([-2, 0], RowError)]
    for wrong, error in (*out_of_range, ([NONE, last], pdd.IllegalActionError)):
        with pytest.raises(error) as caught:
            search.leaves(wrong)
        row = int(wrong[0] == NONE or wrong[-1] > last)
        assert getattr(caught.value, "row", None) in (None, row)
    with pytest.raises(pdd.PonteError, match="take turns"):
        search.backup(FLAT, EVEN)
    with pytest.raises(pdd.PonteError, match="take turns"):
        search.best()
    search.leaves()
    with pytest.raises(pdd.PonteError, match="take turns"):
        search.advance([0, 0])
    run(search)
    with pytest.raises(pdd.PonteError, match="take turns"):
        search.leaves()
    with pytest.raises(pdd.IllegalActionError):
        search.advance([0, last])
    search.advance([0, 1])
    search.advance([2, 3])  # before a simulation
    search = BatchedSearch(START, simulations=2)
    search.advance([0, 1])
    assert [*search.games] == [START[0].step(space.decode(code)) for code in (0, 1)]


SQUARE = pdd.Rules(pdd.Board(4, 4))
EMPTY = pdd.GameState.initial(SQUARE)
WON = """
    4 w w . r
    3 . w . r
    2 . . . .
    1 w w . r
"""
"""A state in which white wins with a1-b3 and with some pairs."""
Evaluation = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def flat(games: GameBatch) -> Evaluation:
    """Return equal priors and values of 0."""
    return np.ones((games.size, len(games.space))), np.zeros(games.size)


def test_a_win_is_found_with_batches_of_leaves() -> None:
    sizes = Counter[int]()

    def counted(games: GameBatch) -> Evaluation:
        sizes[games.size] += 1
        return flat(games)

    player = MctsPlayer(simulations=sized(2000, 300), evaluate=counted)
    analysis = player.analyse(state_of(WON))
    assert pdd.format_action(analysis.best) in ("a1-b3", "c1,c3", "d2,a3", "d2,c4")
    assert analysis.value >= 0
    assert analysis.lines[0].actions[0] == analysis.best
    assert set(sizes) == {8}
    found = (analysis, player.analyse(state_of(WON)))
    first, second = (sum(each.visits for each in one.actions) for one in found)
    # A proof ends both.
    assert first <= second


def test_whole_games_and_half_turns() -> None:
    state = EMPTY
    player = MctsPlayer(simulations=sized(60, 20), evaluate=flat)
    while not state.is_over:
        action = player.choose(state)
        state = state.apply(action)
        # The tree has followed the game.
        if not state.is_over:
            assert len(player.analyse(state).actions) > 0
    half = EMPTY.step(pdd.PlaceTile(SQUARE.board.cells[5]))
    assert isinstance(half, pdd.HalfTurn)
    assert half.is_legal(player.choose(half))


def test_a_search_that_is_stopped_at_once_has_a_line() -> None:
    player = MctsPlayer(simulations=50, evaluate=flat)
    assert player.search(EMPTY, lambda: True).actions[0] in EMPTY.legal_actions


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_failure_while_pondering_leaves_no_tree_behind() -> None:
    failing = False

    def evaluate(games: GameBatch) -> Evaluation:
        if failing:
            raise SystemExit
        return flat(games)

    player = MctsPlayer(simulations=20, evaluate=evaluate)
    state = EMPTY.apply(player.choose(EMPTY))
    failing = True
    player.ponder(state)
    assert player._pondering is not None
    player._pondering.join()
    failing = False
    assert player.choose(state) in state.legal_actions


def test_priors_steer_the_search() -> None:
    def biased(games: GameBatch) -> Evaluation:
        priors, values = flat(games)
        priors[:, [3, 9]] = 1000
        return priors, values

    best = MctsPlayer(simulations=sized(200, 40), evaluate=biased).choose(EMPTY)
    cells = SQUARE.board.cells
    assert best == pdd.PlaceTiles(cells[3], cells[9])


def test_temperature_samples_by_visits() -> None:
    def chosen(temperature: float) -> set[pdd.Action]:
        player = MctsPlayer(simulations=sized(60, 20), evaluate=flat, temperature=temperature)
        return {player.for_game(seed).choose(EMPTY) for seed in range(6)}

    assert len(chosen(0.0)) == 1
    assert len(chosen(1.0)) > 1
    # Without visited pairs, the sample has no weights.
    player = MctsPlayer(simulations=1, evaluate=flat, temperature=1.0)
    assert EMPTY.is_legal(player.choose(EMPTY))


def test_memory_bounds_the_tree() -> None:
    player = MctsPlayer(simulations=10_000, evaluate=flat, memory=MIN_TREE_BYTES)
    assert 0 < sum(each.visits for each in player.analyse(EMPTY).actions) < 5000
    timed = MctsPlayer(seconds=0.01, evaluate=flat, memory=MIN_TREE_BYTES)
    assert EMPTY.is_legal(timed.choose(EMPTY))


def test_the_memory_is_enough_for_any_board_or_refused_at_once() -> None:
    too_small = f"^memory must be at least {MIN_TREE_BYTES}, not {MIN_TREE_BYTES - 1}$"
    with pytest.raises(pdd.PonteError, match=too_small):
        MctsPlayer(evaluate=flat, memory=MIN_TREE_BYTES - 1)
    cells = pdd.Board.MAX_SIDE**2
    nodes = 2 * simulations_within(MIN_TREE_BYTES, cells) + LEAVES
    node_bytes = TREE_NODE.itemsize + EDGE_BYTES * (cells + SPARE_EDGES)
    assert nodes > LEAVES
    # Subtrees that are kept are copied.
    assert 2 * nodes * node_bytes <= MIN_TREE_BYTES


def test_games_that_are_over_are_not_evaluated() -> None:
    number_needed = []
    tree: EvaluatedTree

    def counted(games: GameBatch) -> Evaluation:
        number_needed.append(int(tree._search.needed.sum()))
        return flat(games)

    for seed in range(6):
        rng = Random(seed)
        state = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4)))
        while state.to_move is None or len(state.legal_actions) > MAX_LATE_ACTIONS:
            state = state.apply(state.legal_actions.sample(rng))
        number_needed.clear()
        tree = EvaluatedTree(state, evaluate=counted, exploration=1.25, memory=1 << 24)
        tree.run(10_000)
        assert min(number_needed) > 0
        # The tree has enough ends of the game, so the search ends early with the exact value.
        assert tree.visits < 1_000
        require_true_bounds(state, tree)
        before = tree.visits
        tree.run_until(inf)
        assert tree.visits == before
        # The same holds below another root.
        for first in tree.children():
            after = state.step(pdd.StepSpace(state.rules.board).decode(first.code))
            if first.visits and not after.is_over:
                tree.reroot(first.node, after, 0)
                tree.run(10_000)
                require_true_bounds(after, tree)
                break


def require_true_bounds(node: pdd.Node, tree: EvaluatedTree) -> None:
    """Require that a tree has proven the value of its root, and wrong bounds nowhere below it."""
    solver = Solver()
    space = pdd.StepSpace(node.rules.board)
    lowest = 0
    highest = 0
    for each in tree.children():
        after = node.step(space.decode(each.code))
        lowest = max(lowest, each.lower)
        highest = max(highest, each.upper)
        if not after.is_over:
            value = solver.value(after)
            assert value is not None
            value = value if after.seat_to_move is node.seat_to_move else -value
            assert each.lower <= 1 + value <= each.upper
    assert lowest == highest


def test_numbers_of_edges_have_a_limit() -> None:
    large = pdd.Board(48, 48)
    games = GameBatch.initial(pdd.Rules(large), 1)
    most = simulations_within(1 << 50, len(large))
    assert 0 < most < simulations_within(1 << 50, len(pdd.Board(10, 10)))
    # More than that is refused, whatever the memory.
    with pytest.raises(pdd.PonteError, match=f"edges, and the maximum is {MAX_EDGES}: ask for few"):
        BatchedSearch(games, simulations=most + LEAVES, memory=1 << 50)
    assert (2 * most + LEAVES) * (len(large) + SPARE_EDGES) <= MAX_EDGES


def test_options_are_kept() -> None:
    player = MctsPlayer(simulations=50, evaluate=flat, temperature=0.5, exploration=2.0)
    assert player.name == "mcts 50 evaluated exploration 2 temperature 0.5"
    kept = [pickle.loads(pickle.dumps(player)), player.for_game(0)]
    assert [each.name for each in kept] == [player.name] * 2
    assert [each.choose(EMPTY) for each in kept] == [player.choose(EMPTY)] * 2


def test_wrong_arguments_and_evaluations() -> None:
    wrong: list[dict[str, Any]] = [{"exploration": 0}, {"temperature": -1}, {"memory": 0}]
    for options in wrong:
        with pytest.raises(pdd.PonteError, match=next(iter(options))):
            MctsPlayer(evaluate=flat, **options)
    with pytest.raises(TypeError, match="evaluate must be callable"):
        MctsPlayer(evaluate=cast(Any, 3))
    with pytest.raises(pdd.PonteError, match="priors must have shape"):
        MctsPlayer(evaluate=lambda games: (np.ones(3), np.zeros(games.size))).choose(EMPTY)


def test_an_evaluation_is_called_by_one_thread() -> None:
    with pytest.raises(pdd.PonteError, match="threads must be from 1 to 1, not 2"):
        MctsPlayer(threads=2, evaluate=flat)


@pytest.mark.parametrize(
    ("kernel", "count"),
    [("select_leaves", 0), ("mix_noise", 1), ("backup_leaves", 0), ("keep_subtrees", 5)],
)
def test_an_interrupted_search_is_refused(
    monkeypatch: pytest.MonkeyPatch, kernel: str, count: int
) -> None:
    """Ctrl-C during compiled code raises an error before the result of the code is stored."""
    search = BatchedSearch(
        GameBatch.initial(SMALL, 2), simulations=5, root_noise=(1.0, 0.25), leaves_per_root=1
    )
    for _ in range(count):
        search.backup(*evaluate(search.leaves()))
    function = getattr(batched_kernels, kernel)

    def interrupted(*given: Any) -> None:
        function(*given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(batched_kernels, kernel, interrupted)
        with pytest.raises(KeyboardInterrupt):
            search.advance(search.best()) if search.done else search.backup(
                *evaluate(search.leaves())
            )
    games = search.games
    for use in (
        search.leaves,
        search.best,
        lambda: search.visits,
        lambda: search.values,
        lambda: search.improved_policy,
        lambda: search.advance([0, 0]),
        lambda: search.backup(*evaluate(games)),
    ):
        with pytest.raises(pdd.PonteError, match="was interrupted"):
            use()
    assert games.size == 2
