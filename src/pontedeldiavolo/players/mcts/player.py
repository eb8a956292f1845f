"""A player that uses Monte Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from math import inf
from threading import Event, Thread
from time import perf_counter
from typing import Final, SupportsFloat, SupportsIndex, cast, final, overload
from weakref import finalize

from attrs import evolve

from pontedeldiavolo.base.errors import (
    PonteError,
    require_optional_callable,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.exclusive import Calls, exclusive
from pontedeldiavolo.base.guesses import suggests_right_names
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.players.book import Book, sample_book_action
from pontedeldiavolo.players.book import digest_of as digest_of_book
from pontedeldiavolo.players.identity import Fact, checked_name, digest_of, exact
from pontedeldiavolo.players.interrupts import held_signals
from pontedeldiavolo.players.player import (
    ActionStats,
    Analysis,
    AnalysisLine,
    Clock,
    Rollout,
    make_rng,
    never,
    require_in_range,
    require_positive,
    require_rollout,
    require_unfinished,
)
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .batched_search import EXPLORATION
from .evaluated_tree import Evaluate, EvaluatedTree
from .proven_play import EFFORT_PER_SECOND, Effort, ProvenNode, ProvenPlay, is_after_color_choice
from .rollout_kernels import DRAW
from .rollout_tree import RolloutTree
from .search import (
    ActionSearch,
    Budget,
    SearchTree,
    StepStats,
    Stop,
    infer_actions,
    state_at_turn_start,
)

DEFAULT_SECONDS: Final = 1.0
"""The default time for an action."""
MAX_SIMULATIONS: Final = 10**9
TREE_BYTES: Final = 1 << 28
"""The default memory of a tree with evaluated leaves, in bytes: 256 MiB."""
MIN_TREE_BYTES: Final = 1 << 20
"""The minimum: enough for a simulation on the largest board."""
MAX_TREE_BYTES: Final = 1 << 50
TREE_SEED_BITS: Final = 63
"""The length of the seeds that the player draws for its trees, which take up to 64 bits."""
LEAST_SHARE: Final = 0.1
"""A choice between proven actions gets at least this share of the budget, even if the search has
used it up."""
MAX_OVERRUN_SHARE: Final = 0.5
"""The overrun of a search takes at most this share of the time for the next one."""
MAX_EFFORT: Final = 100_000
"""The maximum effort of a choice between proven actions."""
NODE_TYPES: Final = (GameState, HalfTurn)


def effort_of(budget: Budget) -> Effort:
    """Return the rollouts and nodes for which a budget is enough."""
    if budget.simulations is not None:
        return Effort(min(max(1, budget.simulations), MAX_EFFORT), stop=budget.stop)
    # The product may be infinite.
    number = max(1, int(min(EFFORT_PER_SECOND * budget.seconds, MAX_EFFORT)))
    return Effort(number, perf_counter() + budget.seconds, budget.stop)


@final
@suggests_right_names
class MctsPlayer:
    """Monte Carlo tree search: UCT with RAVE and proofs, compiled.

    Needs the extra ``batch``. The tree is kept from turn to turn where the game stays in it. With
    *simulations* and one thread, equal seeds give equal choices in equal games; with *seconds* or
    more threads, choices depend on the machine. The first call on a machine compiles the search,
    and the code is kept for later processes; ``pontedeldiavolo warm-up`` compiles in advance.

    Only one thread at a time may use a player: a call while another thread's call is in progress,
    or from *evaluate* or *stop*, raises a :class:`PonteError` and changes nothing. :attr:`name` and
    :meth:`for_game` may be used at any time: give each thread a player of its own, which
    ``for_game`` returns. A copy, or a player that was pickled, starts without a tree.

    >>> player = pdd.players.MctsPlayer(simulations=500, seed=1)
    >>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
    >>> player.choose(state) in state.legal_actions
    True

    In a match with clocks the time for an action is :attr:`Clock.share`, less the overrun of the
    last search, but at least half of the share; a player with *simulations* always uses that
    number.

    Args:
        seconds: The time for each action, by default 1 second. Where a win or a loss is proven,
            the choice between the actions that keep it may take up to a tenth more.
        simulations: The number of simulations for each action, instead of a time; all threads
            share them. Nodes that the solver searches count as simulations, but not as visits.
            There are fewer if the result is proven, or the *memory* of a tree with *evaluate* is
            full.
        threads: The number of threads that search one tree: one at a time works on it, while the
            others play rollouts. With *evaluate*, which can use threads itself, there is only one.
            The tree takes at most 300 MB of memory, and twice that while it is copied.
        seed: The seed of its random numbers.
        solver: Whether alpha-beta proves values: late in the game, and on boards of up to 20 cells
            from nearly the beginning.
        evaluate: A function that replaces rollouts, RAVE and the solver: it takes a
            :class:`~pontedeldiavolo.batch.GameBatch` of several leaves and returns priors and
            values, as in :meth:`BatchedSearch.backup`.
        exploration: The exploration constant of PUCT, by default 1.25; only with *evaluate*.
        memory: The maximum number of bytes for a tree, by default 256 MiB and at least 1 MiB; only
            with *evaluate*. A search ends when the memory is full, whatever time or number of
            simulations is left.
        temperature: If above 0, :meth:`choose` samples an action with its visits to the power of
            ``1 / temperature``, unless a win or a loss is proven.
        book: An opening book. In its states, :meth:`choose` and :meth:`search` take an action from
            it at once, one with at most 0.01 less than the best value. The seed decides which one.
            If the limit is a number of simulations, this holds only for states that the book has
            searched with at least as many; if it is a time, for all.
        rollout: ``heuristic`` rollouts complete and spoil islands, and build bridges, more often
            than random ones. In ``uniform`` ones every action is equally likely: the usual
            baseline, and a much weaker player.
        name: The player's name in matches and records; by default it lists the options. In a match
            with a folder, a player with *evaluate* needs one, unless the function, or the object
            whose method it is, has an attribute ``digest``: a text that is another one for
            another network.

    Raises:
        ImportError: If NumPy or Numba is not installed.
        PonteError: If a number is out of range, there is no such rollout, the name cannot be used,
            or *exploration* or *memory* is given without *evaluate*.
    """

    def __init__(
        self,
        seconds: SupportsFloat = DEFAULT_SECONDS,
        simulations: SupportsIndex | None = None,
        threads: SupportsIndex = 1,
        seed: SupportsIndex = 0,
        *,
        rollout: Rollout = "heuristic",
        solver: bool = True,
        evaluate: Evaluate | None = None,
        exploration: SupportsFloat = EXPLORATION,
        memory: SupportsIndex = TREE_BYTES,
        temperature: SupportsFloat = 0.0,
        book: Book | None = None,
        name: str | None = None,
    ) -> None:
        self._given_name: str | None = checked_name(name)
        self._calls = Calls()
        self._seconds = require_positive(seconds, "seconds")
        self._simulations = (
            None
            if simulations is None
            else require_in_range(simulations, "simulations", MAX_SIMULATIONS)
        )
        require_optional_callable(evaluate, "evaluate")
        self._threads = require_in_range(threads, "threads", 1024 if evaluate is None else 1)
        self._seed = whole_number(seed, "seed")
        self._rollout = require_rollout(rollout)
        require_type(solver, bool, "solver")
        self._solver = solver
        self._evaluate = evaluate
        self._exploration = require_positive(exploration, "exploration")
        self._memory = require_in_range(memory, "memory", MAX_TREE_BYTES)
        if self._memory < MIN_TREE_BYTES:
            raise PonteError(f"memory must be at least {MIN_TREE_BYTES}, not {self._memory}")
        is_default = self._exploration == EXPLORATION and self._memory == TREE_BYTES
        if evaluate is None and not is_default:
            raise PonteError("exploration and memory are options of a search with evaluate")
        self._temperature = require_positive(temperature, "temperature", or_zero=True)
        require_type(book, Book | None, "book")
        self._book = book
        self._rng = make_rng(seed)
        self._search: ActionSearch | None = None
        self._proven_play: ProvenPlay | None = None
        self._after_proven_win: GameState | None = None
        self._chosen: Action | None = None
        self._overrun_seconds = 0.0
        self._stopping = Event()
        self._has_failed = Event()
        self._pondering: Thread | None = None
        # The thread refers to the tree and the events, but not to the player.
        finalize(self, self._stopping.set)

    @property
    def name(self) -> str:
        """The name that was given, or ``mcts``, its budget, and all options but the defaults.

        The seed is not part of it: :meth:`for_game` replaces the seed.
        """
        if self._given_name is not None:
            return self._given_name
        has_time = self._simulations is None or self._seconds != DEFAULT_SECONDS
        words = [
            ("mcts", True),
            (f"{self._simulations}", self._simulations is not None),
            (f"{exact(self._seconds)} s", has_time),
            (f"{self._threads} threads", self._threads > 1),
            (self._rollout, self._rollout != "heuristic"),
            ("no solver", not self._solver),
            ("evaluated", self._evaluate is not None),
            (f"exploration {exact(self._exploration)}", self._exploration != EXPLORATION),
            (f"memory {self._memory}", self._memory != TREE_BYTES),
            (f"temperature {exact(self._temperature)}", self._temperature > 0),
            ("book", self._book is not None),
        ]
        return " ".join(word for word, is_shown in words if is_shown)

    def _facts(self) -> dict[str, Fact]:
        evaluate: str | None = None
        if self._evaluate is not None:
            evaluate = digest_of(self._evaluate)
            if evaluate is None and self._given_name is None:
                raise PonteError(
                    f"the function evaluate of {self.name} has no digest, so a folder could mix its"
                    " games with those of another function: give the player a name, or the function"
                    " an attribute digest"
                )
            evaluate = evaluate or "a function without a digest"
        return {
            "seconds": self._seconds,
            "simulations": self._simulations,
            "threads": self._threads,
            "rollout": self._rollout,
            "solver": self._solver,
            "evaluate": evaluate,
            "exploration": self._exploration,
            "memory": self._memory,
            "temperature": self._temperature,
            **({} if self._book is None else {"book": digest_of_book(self._book)}),
        }

    @property
    def _with_seed(self) -> partial[MctsPlayer]:
        """The constructor with the arguments of this player, except the seed."""
        return partial(
            MctsPlayer,
            seconds=self._seconds,
            simulations=self._simulations,
            threads=self._threads,
            rollout=self._rollout,
            solver=self._solver,
            evaluate=self._evaluate,
            exploration=self._exploration,
            memory=self._memory,
            temperature=self._temperature,
            book=self._book,
            name=self._given_name,
        )

    def __reduce__(self) -> tuple[partial[MctsPlayer], tuple[()]]:
        # A copy, or one in another process, starts without a tree.
        return partial(self._with_seed, seed=self._seed), ()

    @overload
    def choose(self, node: GameState, *, clock: Clock | None = None) -> Action: ...
    @overload
    def choose(self, node: HalfTurn, *, clock: Clock | None = None) -> PlaceTile: ...
    @exclusive
    def choose(self, node: Node, *, clock: Clock | None = None) -> Action | PlaceTile:
        """Return the best action of a state, or the best second tile of a half turn.

        A single legal action, or second tile, is returned without a search. Otherwise it is the
        most visited one, unless another is proven to be better. The most visited pair is the most
        visited first tile with its most visited second tile. Of actions that are proven to win, it
        is the one with the largest mean margin of points, then the shortest line; of losing ones,
        the one with the longest line, then the smallest margin.

        Args:
            node: A state or half turn.
            clock: Both clocks, in a game with clocks.

        Raises:
            PonteError: If the game is over.
        """
        begin = perf_counter()
        require_unfinished(node, NODE_TYPES, "node")
        require_type(clock, Clock | None, "clock")
        booked = self._take_from_book(node, self._simulations)
        if booked is not None:
            return booked.action
        with self._taking_search(node) as search:
            actions = [*islice(search.legal_actions(), 2)]
            if len(actions) > 1:
                chosen = self._choose_by_search(search, clock, begin)
            else:
                # A single action needs no simulations, but the tree must follow the game.
                chosen = actions[0]
                self._keep_proven_win(state_at_turn_start(node), chosen)
        self._chosen = chosen
        if not isinstance(node, HalfTurn):
            return chosen
        pair = cast(PlaceTiles, chosen)
        return PlaceTile(pair.b if pair.a == node.placed_tile else pair.a)

    def _take_from_book(self, node: Node, simulations: int | None) -> ActionStats | None:
        """Return an action of the book, or ``None``.

        With an action, pondering ends and the tree is dropped.

        Args:
            node: A state or half turn.
            simulations: The simulations of a search of the node, if that is the limit.
        """
        if self._book is None or isinstance(node, HalfTurn):
            return None
        found = sample_book_action(self._book, node, self._seed, simulations or 0)
        if found is not None:
            self._end_pondering()
            self._search = None
            self._chosen = None
        return found

    def _choose_by_search(self, search: ActionSearch, clock: Clock | None, begin: float) -> Action:
        """Return an action after a search; the clock has been running since *begin*."""
        seconds = self._seconds
        if clock is not None:
            overrun = min(self._overrun_seconds, MAX_OVERRUN_SHARE * clock.share)
            seconds = max(0.0, clock.share - overrun - (perf_counter() - begin))
        searching = perf_counter()
        self._search_and_prove(search, Budget(seconds, self._simulations, Stop()), 1)
        chosen = self._sampled(search) if self._temperature else search.best()
        self._overrun_seconds = max(0.0, perf_counter() - searching - seconds)
        return chosen

    def _search_and_prove(self, search: ActionSearch, budget: Budget, line_count: int) -> None:
        """Run simulations; with what is left, choose among the actions that keep a proven result.

        A win may also have been proven in the last turn. If *stop* ended the search, no proven
        action is chosen; the one chosen by an earlier call for this node stays.
        """
        begin = perf_counter()
        choice_before = search.proven_choice
        spent = search.run(budget, line_count)
        if budget.stop.is_set:
            search.proven_choice = choice_before
            return
        if budget.simulations is not None:
            left = budget.simulations - spent
            rest = budget._replace(simulations=max(left, int(LEAST_SHARE * budget.simulations)))
        else:
            seconds = budget.seconds - (perf_counter() - begin)
            rest = budget._replace(seconds=max(seconds, LEAST_SHARE * budget.seconds))
        effort = effort_of(rest)
        proven = self._proven_node(search, effort)
        if proven is None:
            return
        seed = self._rng.getrandbits(TREE_SEED_BITS)
        chosen = self._proven_play_for(search.node.rules).choose(proven, effort, seed)
        search.set_proven_choice(chosen, wins=proven.wins)
        if proven.wins:
            self._after_proven_win = state_at_turn_start(search.node).apply_unchecked(chosen)

    def _keep_proven_win(self, state: GameState, chosen: Action) -> None:
        """Keep a win that was proven in the last turn; *chosen* was chosen without a search."""
        if self._is_answer_to_proven_win(state):
            self._after_proven_win = state.apply_unchecked(chosen)

    def _is_answer_to_proven_win(self, state: GameState) -> bool:
        """Return whether one action leads from the last proven win to a state."""
        state_after_win = self._after_proven_win
        return state_after_win is not None and bool(infer_actions(state_after_win, None, state))

    @property
    def _may_prove(self) -> bool:
        """True if alpha-beta may search states that the tree does not prove."""
        return self._solver and self._evaluate is None

    def _proven_node(self, search: ActionSearch, effort: Effort) -> ProvenNode | None:
        """Return the node of a search with its actions, if a win or a loss is proven."""
        node = search.node
        root = search.root_stats()
        if not is_after_color_choice(node) or (root.is_proven and root.lower == DRAW):
            return None
        if root.is_proven:
            known, others = search.result_keeping_actions()
            # Without alpha-beta, only the tree proves that an action keeps the result.
            others = others if self._may_prove else []
            return ProvenNode(node, root.lower > 0, tuple(known), tuple(others))
        if not self._may_prove or not self._is_answer_to_proven_win(state_at_turn_start(node)):
            return None
        # The win was proven in the last turn, perhaps outside of the tree.
        found = self._proven_play_for(node.rules).first_proven_win(
            node, search.possible_wins(), effort
        )
        return None if found is None else ProvenNode(node, wins=True, known=(found,), others=())

    def _proven_play_for(self, rules: Rules) -> ProvenPlay:
        """Return what chooses between proven actions; it is kept for games with the same rules."""
        if self._proven_play is None or self._proven_play.rules != rules:
            self._proven_play = ProvenPlay(rules, heuristic=self._rollout == "heuristic")
        return self._proven_play

    def _sampled(self, search: ActionSearch) -> Action:
        """Return an action, sampled by visits from those that give no proven result up."""
        if search.proven_choice is not None:
            return search.proven_choice
        candidates = search.actions_to_sample()
        actions = search.analysis(1).actions
        found = [each for each in actions if each.visits and each.action in candidates]
        if not found:
            return search.best()
        max_visits = found[0].visits
        weights = [(each.visits / max_visits) ** (1 / self._temperature) for each in found]
        return self._rng.choices(found, weights)[0].action

    @exclusive
    def analyse(
        self, node: Node, multi_pv: SupportsIndex = 3, stop: Callable[[], bool] | None = None
    ) -> Analysis:
        """Return values and visit counts of actions, and the lines of the best ones.

        The value of the node is the mean result of all simulations, or the proven result.

        The tree of earlier calls is kept: a second call for the same state adds as many simulations
        again, while memory lasts and the value is not proven. The actions are ``best`` and those
        with visits, sorted by visit counts. Pairs are searched tile by tile, so the most visited
        pair is not always ``best``; a proven one may have no visits. An action has the same value
        among the actions as in its line.
        The actions of a half turn are the pairs that complete it.

        Args:
            node: A state or half turn.
            multi_pv: The number of lines; a quarter of the simulations is for the second tiles of
                this number of first ones.
            stop: Called from time to time until it is true, which ends the search; ``None`` if only
                the other limits end it.

        Raises:
            PonteError: If the game is over, or *multi_pv* is out of range.
        """
        require_unfinished(node, NODE_TYPES, "node")
        line_count = require_in_range(multi_pv, "multi_pv", 1000)
        require_optional_callable(stop, "stop")
        budget = Budget(self._seconds, self._simulations, Stop(stop or never))
        with self._taking_search(node) as search:
            self._search_and_prove(search, budget, line_count)
        analysis = search.analysis(line_count)
        self._chosen = analysis.best
        if self._book is not None and isinstance(node, GameState):
            return evolve(analysis, book=self._book.lookup(node))
        return analysis

    @exclusive
    def search(
        self,
        node: Node,
        stop: Callable[[], bool] | None = None,
        *,
        seconds: SupportsFloat | None = None,
        simulations: SupportsIndex | None = None,
    ) -> AnalysisLine:
        """Search within other limits, and return the line of the best action.

        Making the line takes a few milliseconds; :meth:`analyse` looks at all actions. The value
        is that of the node. For a pair, the visit count is that of its first tile.

        >>> player, rules = pdd.players.MctsPlayer(), pdd.Rules(pdd.Board(5, 5))
        >>> line = player.search(pdd.GameState.initial(rules), simulations=50)
        >>> len(line.actions) > 0
        True

        Args:
            node: A state or half turn.
            stop: Called from time to time until it is true, which ends the search; ``None`` if only
                the other limits end it.
            seconds: The time for the search.
            simulations: The number of simulations, in place of a time.

        Raises:
            PonteError: If the game is over, or a number is out of range.
        """
        require_unfinished(node, NODE_TYPES, "node")
        require_optional_callable(stop, "stop")
        budget = Budget(self._seconds, self._simulations, Stop(stop or never))
        if simulations is not None:
            number = require_in_range(simulations, "simulations", MAX_SIMULATIONS)
            budget = budget._replace(seconds=inf, simulations=number)
        elif seconds is not None:
            budget = budget._replace(seconds=require_positive(seconds, "seconds"), simulations=None)
        booked = self._take_from_book(node, budget.simulations)
        if booked is not None:
            return _line_of(booked)
        with self._taking_search(node) as search:
            self._search_and_prove(search, budget, 1)
        line = search.line()
        self._chosen = line.actions[0]
        return line

    @exclusive
    def prepare(self, rules: Rules) -> None:
        """Compile for a game with these rules and create its tree, before its clocks run.

        *evaluate* is called once, for a full batch: a network may compile as well, or be loaded.
        """
        require_type(rules, Rules, "rules")
        start = GameState.initial(rules)
        with self._taking_search(start):
            if self._evaluate is not None:
                # In a small tree of its own, so that later choices do not depend on this call.
                EvaluatedTree(
                    start,
                    evaluate=self._evaluate,
                    exploration=self._exploration,
                    memory=MIN_TREE_BYTES,
                ).run_until(0.0)

    @exclusive
    def ponder(self, node: Node) -> None:
        """Start to ponder: search a node in the background until the next call.

        In the node, the opponent is to move. :meth:`choose`, :meth:`search` and :meth:`analyse` end
        pondering and continue with its tree. Until then another thread calls *evaluate*. An error
        that *evaluate* raises there ends pondering: ``threading.excepthook`` reports it, and
        the next call begins with a new tree.

        >>> player = pdd.players.MctsPlayer(simulations=100)
        >>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
        >>> state = state.apply(player.choose(state))
        >>> player.ponder(state)
        >>> player.stop()

        Raises:
            PonteError: If the game is over.
            RuntimeError: If the system cannot start another thread. The player can still be used.
        """
        require_unfinished(node, NODE_TYPES, "node")
        with self._taking_search(node) as search:
            tree = search.tree
        events = self._stopping, self._has_failed
        thread = Thread(target=_ponder, args=(tree, *events), daemon=True)
        # Ctrl-C between the two would lose a thread that runs; one that does not start is dropped.
        with held_signals():
            thread.start()
            self._pondering = thread

    @exclusive
    def stop(self) -> None:
        """End the search in the background, if there is one; its tree is kept."""
        self._end_pondering()

    def _end_pondering(self) -> None:
        self._stopping.set()
        if self._pondering is not None:
            self._pondering.join()
            self._pondering = None
        self._stopping.clear()
        if self._has_failed.is_set():
            # A half-updated tree is useless.
            self._search = None
            self._chosen = None
            self._has_failed.clear()

    @contextmanager
    def _taking_search(self, node: Node) -> Iterator[ActionSearch]:
        """Take the search of a node away from the player, and put it back at the end.

        After an error or an interruption it is not put back, so no half-updated tree stays.
        """
        search = self._search_of(node)
        yield search
        self._search = search

    def _search_of(self, node: Node) -> ActionSearch:
        """Return the search of a node, with the earlier tree if that contains the node.

        The player has no search afterwards.
        """
        self._end_pondering()
        # Compile now, as for a new tree, before the time of a search begins.
        self._proven_play_for(node.rules)
        search = self._search
        chosen = self._chosen
        self._search = None
        self._chosen = None
        if search is not None and search.node == node:
            return search
        seed = self._rng.getrandbits(TREE_SEED_BITS)
        if search is not None and search.follow(chosen, node, seed):
            return search
        return ActionSearch(node, self._new_tree(node, seed))

    def _new_tree(self, node: Node, seed: int) -> SearchTree:
        """Return a tree that has only its root."""
        if self._evaluate is None:
            return RolloutTree(
                node,
                seed,
                heuristic=self._rollout == "heuristic",
                solver=self._solver,
                threads=self._threads,
            )
        return EvaluatedTree(
            node, evaluate=self._evaluate, exploration=self._exploration, memory=self._memory
        )

    def for_game(self, seed: SupportsIndex) -> MctsPlayer:
        """Return a player with the same options and another seed, without a tree."""
        return self._with_seed(seed=seed)


def _line_of(stats: ActionStats) -> AnalysisLine:
    """Return the line of an action of a book."""
    mean = StepStats(visits=stats.visits, total_reward=(stats.value + 1) * stats.visits)
    return AnalysisLine(
        actions=(stats.action,),
        value=stats.value,
        half_width=mean.half_width,
        visits=stats.visits,
        depth=0,
        proven=False,
    )


# Not a method: the thread would keep the player alive.
def _ponder(tree: SearchTree, stopping: Event, has_failed: Event) -> None:
    """Search until an event, and set another one if the search fails."""
    try:
        tree.run_until(inf, NONE, stopping.is_set)
    except BaseException:
        has_failed.set()
        raise
