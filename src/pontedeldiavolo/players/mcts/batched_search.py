"""PUCT search of many games at once, with evaluations by the caller."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NoReturn, SupportsFloat, SupportsIndex, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.errors import PonteError, real_number, require_type
from pontedeldiavolo.base.exclusive import Calls, exclusive
from pontedeldiavolo.base.guesses import suggests_right_names
from pontedeldiavolo.batch import arguments
from pontedeldiavolo.batch.arguments import RowError, codes_for, real_numbers
from pontedeldiavolo.batch.game_batch import GameBatch
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.rows import NONE, Rows
from pontedeldiavolo.players.player import require_in_range, require_positive
from pontedeldiavolo.rules.violations import IllegalActionError

from . import batched_kernels
from .batched_kernels import EXPANDED, TREE_NODE, Float32s, Int32s, Trees

OTHER_ORDER: Final = (
    "leaves() and backup() take turns until the search is done; advance() and best() follow a"
    " backup()"
)
MAX_SIMULATIONS_PER_ROOT: Final = 10**6
MAX_EDGES: Final = 2**31 - 1
"""The maximum number of edges of all trees: their numbers have 32 bits."""
SPARE_EDGES: Final = 3
"""Edges reserved for a node in addition to one per cell: few nodes need more."""
EDGE_BYTES: Final = 10
EXPLORATION: Final = 1.25
MEMORY: Final = 1 << 32
"""The default limit on the memory of trees, in bytes: 4 GiB."""
SCALE_VISITS: Final = 50.0
"""A constant added to the maximum visit count in the improved policy: c_visit."""


def root_noise_of(noise: tuple[SupportsFloat, SupportsFloat] | None) -> tuple[float, float]:
    """Return alpha and the weight of the noise at the root; for ``None`` the weight is 0.

    Raises:
        PonteError: If alpha is not positive and finite, or the weight is not from 0 to 1.
    """
    if noise is None:
        return 1.0, 0.0
    require_type(noise, tuple, "root_noise")
    if len(noise) != 2:  # noqa: PLR2004 - alpha and a weight
        raise TypeError(f"root_noise must be alpha and a weight, not a tuple of {len(noise)}")
    alpha, weight = noise
    require_positive(alpha, "root_noise[0]")
    share = real_number(weight, "root_noise[1]")
    if not 0 <= share <= 1:
        raise PonteError(f"weight must be from 0 to 1, not {share}")
    return require_positive(alpha, "alpha"), share


@final
@suggests_right_names
class BatchedSearch:
    """PUCT search of many games at once, with any evaluation: a network's, for instance.

    Needs the extra ``batch``. The edges of a tree are steps, so the two orders of a pair of tiles
    lead to separate nodes. Every round selects one leaf for each game, takes a value and a prior
    for each of its steps, and adds the value to all nodes on the path. Selection, expansion and
    backup are compiled, and use the formula of AlphaZero (D. Silver et al., *A general
    reinforcement learning algorithm that masters chess, shogi, and Go through self-play*, Science
    362, 2018). *n* is the number of games.

    Only one thread at a time may use a search. A call, or the reading of a result, while another
    thread's call is in progress raises a :class:`PonteError` and changes nothing. All arrays that
    a search returns are new, and its batches are values. Different searches may be used in
    different threads. A search cannot be copied or pickled: :attr:`games` can. If Ctrl-C interrupts
    a call while it changes the trees, every later call raises a :class:`PonteError`.

    >>> import numpy as np
    >>> games = pdd.batch.GameBatch.initial(pdd.Rules(pdd.Board(4, 4)), 8)
    >>> search = pdd.players.BatchedSearch(games, simulations=50)
    >>> while not search.done:
    ...     leaves = search.leaves()
    ...     search.backup(np.ones((leaves.size, len(leaves.space))), np.zeros(leaves.size))
    ...
    >>> search.visits.sum(axis=1).tolist()
    [49, 49, 49, 49, 49, 49, 49, 49]

    Args:
        games: The roots. A game that is over takes part without effect.
        simulations: The number of leaves that are backed up for each game. The first leaf of a new
            root is the root itself, so the visits of its steps add up to one less.
        exploration: The exploration constant *c_init* of PUCT, by default 1.25.
        root_noise: Alpha and weight of Dirichlet noise in the priors of the roots, for self-play:
            ``(0.1, 0.25)``, for instance.
        memory: The maximum number of bytes for the trees, by default 4 GiB; :attr:`memory` is the
            number needed.
        seed: The seed of the noise.
        leaves_per_root: The number of leaves selected for each game in a round: with more, a few
            games fill a batch. They are selected with virtual losses; a leaf that is selected again
            is not counted.

    Raises:
        ImportError: If NumPy or Numba is not installed.
        PonteError: If a number is out of range, or the trees need more memory, or too many edges.
    """

    __module__ = "pontedeldiavolo.players"

    def __init__(
        self,
        games: GameBatch,
        *,
        simulations: SupportsIndex,
        exploration: SupportsFloat = EXPLORATION,
        root_noise: tuple[SupportsFloat, SupportsFloat] | None = None,
        memory: SupportsIndex = MEMORY,
        seed: SupportsIndex = 0,
        leaves_per_root: SupportsIndex = 1,
    ) -> None:
        self._calls = Calls()
        self._is_whole = True
        require_type(games, GameBatch, "games")
        self._simulations = require_in_range(simulations, "simulations", MAX_SIMULATIONS_PER_ROOT)
        self._exploration = require_positive(exploration, "exploration")
        self._alpha, self._noise = root_noise_of(root_noise)
        self._rng = np.random.default_rng(int(arguments.random_seed(seed)))
        board = games.rules.board
        limit = require_in_range(memory, "memory", 1 << 62)
        self._leaves_per_root = require_in_range(leaves_per_root, "leaves_per_root", 1024)
        self._nodes = games.size * (2 * self._simulations + self._leaves_per_root)
        self._edges = self._nodes * (len(board) + SPARE_EDGES)
        if self._edges > MAX_EDGES:
            needed = f"the trees need {self._edges} edges, and the maximum is {MAX_EDGES}"
            raise PonteError(f"{needed}: ask for fewer games or simulations")
        if self.memory > limit:
            needed = f"the trees need {self.memory} bytes, and {limit} are allowed"
            advice = "ask for fewer games or simulations, or allow more memory"
            raise PonteError(f"{needed}: {advice}")
        self._tables = rules_table(games.rules)
        self._games = new_records(games.size + 1, game_type(board.width, board.height))
        self._unused_trees: Trees | None = None
        self._begin(games, self._new_trees())

    def __reduce__(self) -> NoReturn:
        raise TypeError("a search cannot be copied or pickled; its games can")

    @property
    def memory(self) -> int:
        """The maximum number of bytes for the trees; unused pages take no memory."""
        # Twice the arrays, because subtrees that are kept are copied.
        return 2 * (self._nodes * TREE_NODE.itemsize + self._edges * EDGE_BYTES)

    def _new_trees(self) -> Trees:
        size = len(self._games) - 1
        return Trees(
            nodes=new_records(self._nodes, TREE_NODE),
            priors=np.empty(self._edges, np.float32),
            codes=np.empty(self._edges, np.uint16),
            children=np.empty(self._edges, np.int32),
            roots=np.full(size, NONE, np.int32),
            used=np.zeros(2, np.int64),
        )

    def _begin(self, games: GameBatch, trees: Trees) -> None:
        """Begin the simulations of some roots."""
        batched_kernels.add_roots(self._tables, self._games, games._rows, trees)
        self._roots = games
        self._trees = trees
        self._done = 0
        self._leaves_in_round = self._leaves_per_root
        self._pending: GameBatch | None = None
        self._needs_noise = ~games.is_over if self._noise else np.zeros(games.size, np.bool_)
        self._leaves = np.empty(games.size * self._leaves_per_root, np.int32)
        self._needed = np.zeros(self._leaves.size, np.bool_)

    @property
    @exclusive
    def games(self) -> GameBatch:
        """The roots."""
        return self._roots

    @property
    @exclusive
    def done(self) -> bool:
        """True if every game has had its simulations."""
        return self._is_done()

    def _is_done(self) -> bool:
        return self._done >= self._simulations

    @property
    @exclusive
    def needed(self) -> npt.NDArray[np.bool_]:
        """Shape (n,), bool: the leaves whose priors and values count.

        In the others the game is over, or the same leaf comes in an earlier row.
        """
        return self._needed.copy()

    @exclusive
    def leaves(self, root_steps: npt.ArrayLike | None = None) -> GameBatch:
        """Return one leaf of each game, to be evaluated.

        With *leaves_per_root* = *k* there are *k* rows of game 0, then *k* of game 1, and so on;
        priors and values need the same number of rows.

        Args:
            root_steps: Shape (n,), whole numbers: the codes of the first steps; -1 leaves the
                choice to PUCT. They are ignored for roots that are new or over.

        Raises:
            PonteError: If the search is done, or steps are not of that shape.
            RowError: If a code is out of range; the error names the first such row.
            IllegalActionError: If a step is illegal; the error names the first such row.
        """
        return self._leaves_of_round(root_steps, self._leaves_per_root)

    def _leaves_of_round(self, root_steps: npt.ArrayLike | None, count: int) -> GameBatch:
        """Return *count* leaves of each game, in a batch of the usual size.

        It may be less than *leaves_per_root* if there is only one game. The last rows are then the
        root, and are not needed.
        """
        self._require_whole()
        if self._pending is None:
            if self._is_done():
                raise PonteError(OTHER_ORDER)
            forced = self._forced(root_steps)
            after = Rows._make(
                each.repeat(self._leaves_per_root, axis=0) for each in self._roots._rows
            )
            self._leaves_in_round = count
            self._leaves[:] = NONE
            self._needed[:] = False
            used = self._used_rows
            given = (
                forced[used],
                self._exploration,
                count,
                Rows._make(each[used] for each in after),
                self._leaves[used],
                self._needed[used],
            )
            with self._changing():
                self._mix_noise()
                batched_kernels.select_leaves(self._tables, self._games, self._trees, *given)
                self._pending = GameBatch._make(self._roots.rules, after)
        return self._pending

    @property
    def _used_rows(self) -> slice:
        """The rows of this round that have leaves: the first ones."""
        return slice(self._roots.size * self._leaves_in_round)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Change the trees; an interruption leaves them unusable."""
        self._is_whole = False
        yield
        self._is_whole = True

    def _require_whole(self) -> None:
        """Refuse a search that was interrupted while it changed its trees."""
        if not self._is_whole:
            raise PonteError(
                "this BatchedSearch was interrupted while it changed its trees: make another one"
            )

    def _forced(self, root_steps: npt.ArrayLike | None) -> npt.NDArray[np.int64]:
        """Return the first step towards each leaf, -1 where the choice is free."""
        if root_steps is None:
            return np.full(self._leaves.size, NONE, np.int64)
        games = self._roots
        codes = codes_for(root_steps, games.size, "root_steps")
        codes[games.is_over] = NONE
        used = np.where(codes == NONE, 0, codes)
        arguments.require_codes(used, len(games.space))
        chosen = np.flatnonzero(codes != NONE)
        is_legal = games.take(chosen).legal_mask()[np.arange(chosen.size), codes[chosen]]
        if not is_legal.all():
            row = int(chosen[is_legal.argmin()])
            step = games.space.decode(codes[row])
            raise IllegalActionError(games[row].violations(step), row)
        return codes.repeat(self._leaves_per_root)

    def _mix_noise(self) -> None:
        """Mix noise into the priors of expanded roots that have none yet."""
        if not self._needs_noise.any():
            return
        roots = self._trees.nodes[self._trees.roots]
        which = self._needs_noise & (roots["state"] == EXPANDED)
        noise = self._rng.standard_gamma(self._alpha, int(roots["edge_count"][which].sum()))
        batched_kernels.mix_noise(self._trees, which, noise, self._noise)
        self._needs_noise &= ~which

    @exclusive
    def backup(self, priors: npt.ArrayLike, values: npt.ArrayLike) -> None:
        """Expand the leaves, and add their values to all nodes on the paths to them.

        Rows that are not :attr:`needed` are ignored.

        Args:
            priors: Shape (n, len(space)): for each leaf the probabilities of steps, with any sum;
                those of illegal steps are ignored.
            values: Shape (n,): the expected results, from -1 to 1, for the seat to move in the
                leaf.

        Raises:
            PonteError: If no leaves are waiting for evaluation, or arrays are not of that shape.
            RowError: If the prior of a legal step is negative or not a number, their sum is 0 or
                infinite, or a value is out of range; the error names the first such row. The search
                is unchanged.
        """
        self._require_whole()
        if self._pending is None:
            raise PonteError(OTHER_ORDER)
        size = self._leaves.size
        given = real_numbers(priors, (size, len(self._roots.space)), np.float32, "priors")
        results = real_numbers(values, (size,), np.float64, "values")
        wrong = np.flatnonzero(self._needed & ~(np.abs(results) <= 1))
        if wrong.size:
            row = int(wrong[0])
            raise RowError(row, f"a value is from -1, lost, to 1, won, not {results[row]}")
        with self._changing():
            used = self._used_rows
            row = batched_kernels.backup_leaves(
                self._trees, self._leaves[used], self._needed[used], given, results
            )
            if row == NONE:
                self._pending = None
                self._done += self._leaves_in_round
        if row != NONE:
            problem = "the priors of legal steps must be 0 or more, with a finite sum that is not 0"
            raise RowError(row, problem)

    @exclusive
    def advance(self, steps: npt.ArrayLike) -> None:
        """Play a step in every game, and continue with the subtrees after these steps.

        The subtrees keep their visits, and each game gets *simulations* more. With *root_noise*,
        the priors of every new root are mixed with noise of their own.

        Args:
            steps: As in :meth:`~pontedeldiavolo.batch.GameBatch.step`, whose errors it raises.

        Raises:
            PonteError: If leaves have not been backed up.
        """
        self._require_whole()
        if self._pending is not None:
            raise PonteError(OTHER_ORDER)
        codes = codes_for(steps, self._roots.size, "steps")
        games = self._roots.step(codes)
        kept = self._unused_trees or self._new_trees()
        with self._changing():
            self._unused_trees = self._trees
            kept.used[:] = 0
            batched_kernels.keep_subtrees(self._trees, codes, self._simulations, kept)
            self._begin(games, kept)

    # Results

    def _read(self) -> tuple[Int32s, Float32s, Float32s]:
        """Return visits, priors and values of all steps of the roots."""
        self._require_whole()
        shape = self._roots.size, len(self._roots.space)
        found = np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        batched_kernels.read_roots(self._trees, *found)
        return found

    @property
    @exclusive
    def visits(self) -> npt.NDArray[np.int32]:
        """Shape (n, len(space)), int32: the visits of each step."""
        return self._read()[0]

    @property
    @exclusive
    def priors(self) -> npt.NDArray[np.float32]:
        """Shape (n, len(space)), float32: the priors of the roots, with their noise."""
        return self._read()[1]

    @property
    @exclusive
    def step_values(self) -> npt.NDArray[np.float32]:
        """Shape (n, len(space)), float32: mean values for the seat to move; 0 without visits."""
        return self._read()[2]

    @property
    @exclusive
    def values(self) -> npt.NDArray[np.float64]:
        """Shape (n,), float64: the mean value for the seat to move; 0 where the game is over."""
        self._require_whole()
        roots = self._trees.nodes[self._trees.roots]
        return self._for_mover(roots["total"] / np.maximum(roots["visits"], 1))

    def _for_mover(self, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return values of the first seat converted to the seat to move."""
        return np.array([0.0, 1.0, -1.0])[self._roots.seat_to_move + 1] * values

    @property
    @exclusive
    def improved_policy(self) -> npt.NDArray[np.float64]:
        """Shape (n, len(space)), float64: Gumbel MuZero's policy target.

        It is the softmax of ``ln(prior) + (50 + maximum visit count) * value`` over the legal
        steps, with values from 0 to 1 (I. Danihelka et al., *Policy improvement by planning with
        Gumbel*, ICLR 2022). Steps without visits get the mixed value of the root. The row of a game
        that is over contains zeros.
        """
        visits, priors, values = self._read()
        seen = np.where(visits > 0, priors, 0)
        count = visits.sum(axis=1)
        mean = (seen * values).sum(axis=1) / np.maximum(seen.sum(axis=1), np.finfo(np.float32).tiny)
        own = self._for_mover(self._trees.nodes[self._trees.roots]["value"])
        mixed = (own + count * mean) / (1 + count)
        completed = np.where(visits > 0, values, mixed[:, np.newaxis])
        scale = (SCALE_VISITS + visits.max(axis=1, initial=0)) / 2
        with np.errstate(divide="ignore"):
            logits = np.log(priors.astype(np.float64)) + scale[:, np.newaxis] * completed
        highest = logits.max(axis=1, keepdims=True, initial=np.finfo(np.float64).min)
        weights = np.exp(logits - highest)
        total = weights.sum(axis=1, keepdims=True)
        found: npt.NDArray[np.float64] = weights / np.maximum(total, 1e-300)
        return found

    @exclusive
    def best(self) -> npt.NDArray[np.int32]:
        """Return the most visited step of each game.

        Shape (n,), int32: codes for :meth:`advance`; if visits are equal, the step with the highest
        prior; -1 where the game is over.

        Raises:
            PonteError: If a root has not been backed up.
        """
        visits, priors, _ = self._read()
        is_over = self._roots.is_over
        if not (is_over | (priors > 0).any(axis=1)).all():
            raise PonteError(OTHER_ORDER)
        found = (visits + priors / 2).argmax(axis=1)
        return np.where(is_over, NONE, found).astype(np.int32)
