"""Players of the library as opponents: their levels, and threads in which they think."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from importlib.util import find_spec
from itertools import islice
from threading import Lock, Thread
from time import monotonic
from typing import Any, Final, Protocol, TypeAlias, cast, final, runtime_checkable

from attrs import define, field, frozen

from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.annotator import annotate
from pontedeldiavolo.players.player import Analysis, AnalysisLine, Analyst, Player
from pontedeldiavolo.players.registry import by_name
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState

from .queues import FairQueue
from .requests import SiteError

MAX_JOBS: Final = 32
"""The maximum number of a client's games that wait for a player of this library."""
MAX_WAITING_ANALYSES: Final = 4
"""The maximum number of a client's analyses that wait for others."""
MAX_BUSY_CLIENTS: Final = 32
"""The number of clients that may all have as many jobs as a client can have."""
MAX_KEPT_SIMULATIONS: Final = 800_000
"""The number of simulations of the levels whose trees are kept, which bounds their memory."""
MAX_KEPT_PLAYERS: Final = 32
"""The number of games whose trees are kept."""
MAX_SECONDS: Final = 3.0
"""The time after which the search of a level ends, with fewer simulations."""
PATIENCE_SECONDS: Final = 10.0
"""The time after which an analysis stops that no page asks for any more."""


@runtime_checkable
class _Searcher(Protocol):
    """A player whose search can be stopped."""

    def search(self, node: GameState, stop: Callable[[], bool]) -> AnalysisLine: ...


@final
@frozen
class Level:
    """A level of play.

    Attributes:
        player: The name and options of the player.
        max_cells: The maximum number of cells of a board on which it answers quickly.
        needs: The packages that it needs.
        simulations: The number of simulations of its search for each action; 0 without a search.
        has_book: Whether it plays the first turns from the opening book, if the game has its rules.
    """

    player: str
    max_cells: int = 16 * 16
    needs: tuple[str, ...] = ()
    simulations: int = 0
    has_book: bool = False

    @property
    def spec(self) -> str:
        """The name and all options of the player, the book among them."""
        return f"{self.player},book=bundled" if self.has_book else self.player

    @property
    def is_available(self) -> bool:
        """True if the packages that it needs are installed."""
        return all(map(find_spec, self.needs))

    def choose(
        self, player: Player, state: GameState, is_wanted: Callable[[], bool] = lambda: True
    ) -> Action:
        """Return the choice of its player.

        A search ends after :data:`MAX_SECONDS`, and as soon as *is_wanted* returns false.
        """
        has_choice = len([*islice(state.legal_actions, 2)]) > 1
        if not isinstance(player, _Searcher) or not has_choice:
            return player.choose(state)
        end = monotonic() + MAX_SECONDS
        return player.search(state, lambda: monotonic() > end or not is_wanted()).actions[0]


def _searching(simulations: int, *, has_book: bool = False) -> Level:
    """Return a level whose player searches; the largest search adds less than 64 MB to a tree."""
    player = f"mcts:simulations={simulations}"
    needs = ("numpy", "numba")
    return Level(player, needs=needs, simulations=simulations, has_book=has_book)


LEVELS: Final = {
    "level-1": Level("greedy:candidates=3", 64 * 64),
    "level-2": Level("greedy:candidates=10"),
    "level-3": Level("greedy:candidates=30"),
    "level-4": Level("greedy"),
    "level-5": _searching(250),
    "level-6": _searching(600),
    "level-7": _searching(1_600),
    "level-8": _searching(7_000, has_book=True),
    "level-9": _searching(25_000, has_book=True),
}
"""The levels by name, the weakest first. ``python -m tools.levels`` measures their steps."""
FORMER_NAMES: Final = {
    "random": "level-1",
    "greedy": "level-4",
    "pattern": "level-4",
    "mcts-200": "level-5",
    "mcts-2000": "level-7",
    "mcts-20000": "level-9",
    "mcts-200000": "level-9",
}
"""Names in games that were stored before the levels had numbers, and the nearest levels."""
SMALLEST_SEARCH: Final = LEVELS["level-5"]
ANALYSIS_PLAYER: Final = "mcts:seconds=5"
"""The player that analyses one state."""
REVIEW_PLAYER: Final = "mcts:simulations=2000"
"""The player that reviews a whole game."""


def _choose_once() -> None:
    """Choose one action by tree search, so that the search is compiled."""
    by_name(SMALLEST_SEARCH.player).for_game(0).choose(GameState.initial())


@final
class KeptPlayers:
    """Players of the library that keep the search trees of their games, within a bound.

    A search continues in the tree of the last one. A player without a tree, because the server has
    begun again or has given the tree up, may choose another action of about the same strength.

    Players are taken out while they choose, because only one thread may use a player. If another
    thread needs one for the same game meanwhile, it gets a new one. Threads may share this object.

    Args:
        max_simulations: The number of simulations of all levels whose players are kept.
        max_players: The maximum number of players that are kept.
    """

    def __init__(
        self, max_simulations: int = MAX_KEPT_SIMULATIONS, max_players: int = MAX_KEPT_PLAYERS
    ) -> None:
        self._max_simulations = max_simulations
        self._max_players = max_players
        self._players: OrderedDict[str, tuple[str, Player]] = OrderedDict()
        self._lock = Lock()

    def take(self, game: str, level: str) -> Player | None:
        """Take out the player of a game; ``None`` if there is none of this level."""
        with self._lock:
            found = self._players.pop(game, None)
        return found[1] if found is not None and found[0] == level else None

    def keep(
        self, game: str, level: str, player: Player, is_wanted: Callable[[], bool] = lambda: True
    ) -> None:
        """Keep the player of a game, and give up those that were not used longest.

        Args:
            game: The ID of the game.
            level: The level of the player.
            player: The player.
            is_wanted: Returns whether the game still waits for the player's action. A player of a
                game that has ended, or has changed meanwhile, is not kept.
        """
        simulations = LEVELS[level].simulations
        if not simulations or simulations > self._max_simulations:
            return
        with self._lock:
            # Checked under the lock: a game that ends after this is forgotten after this.
            if not is_wanted():
                return
            self._players[game] = (level, player)
            self._players.move_to_end(game)
            while len(self._players) > self._max_players or self._total() > self._max_simulations:
                self._players.popitem(last=False)

    def forget(self, game: str) -> None:
        """Give up the player of a game, which has ended or was removed."""
        with self._lock:
            self._players.pop(game, None)

    def __len__(self) -> int:
        return len(self._players)

    def _total(self) -> int:
        return sum(LEVELS[level].simulations for level, _ in self._players.values())


class _StoppedError(Exception):
    """The analysis was stopped, or is no longer asked for."""


@final
@define(eq=False)
class AnalysisJob:
    """The analysis of a state of a game, or of all its actions.

    One thread runs it. Other threads may read it, stop it, and ask for it.

    Attributes:
        game: The game.
        ply: The number of actions before the state; ``None`` for the whole game.
        catalog: The language of comments.
        is_stopped: Whether it has been stopped. For a state, *found* is then the analysis so far;
            for a whole game, or if it had not begun, *found* stays ``None``.
        asked_at: The time at which it was last asked for.
        is_over: Whether it has ended.
        has_failed: Whether it has ended with an error.
        found: The analysis, or the annotated game.
        client: The name of the client that asked for it.
        on_progress: Called after each action of a whole game.
        done: The number of actions that have been analysed.
        review: The latest analysis of the whole game, before that of a state.
    """

    game: Game
    ply: int | None
    catalog: Catalog
    is_stopped: bool = False
    asked_at: float = field(factory=monotonic)
    is_over: bool = False
    has_failed: bool = False
    found: Analysis | Game | None = None
    client: str = ""
    on_progress: Callable[[], object] = lambda: None
    done: int = 0
    review: AnalysisJob | None = None

    @property
    def total(self) -> int:
        """The number of actions to analyse; 1 for a state."""
        return len(self.game.actions) if self.ply is None else 1

    @property
    def state(self) -> GameState:
        """The state; for the whole game, its start."""
        return next(islice(self.game.states(), self.ply or 0, None))

    def is_of(self, game: Game) -> bool:
        """Return whether a game still has the state, or all the actions, of the analysis."""
        mine = self.game.actions[: self.ply]
        return mine == game.actions[: self.ply] and self.game.start == game.start

    def run(self) -> None:
        """Search until the time is over or the analysis is stopped."""
        if self._is_unwanted():
            # It was stopped while it waited for a thread.
            self.is_over = True
            return
        try:
            if self.ply is None:
                player = cast(Analyst, by_name(REVIEW_PLAYER))
                check = self._require_wanted
                with suppress(_StoppedError):
                    self.found = annotate(self.game, player, catalog=self.catalog, on_move=check)
            else:
                self.found = cast(Any, by_name(ANALYSIS_PLAYER)).analyse(
                    self.state, stop=self._is_unwanted
                )
        except BaseException:
            # Nothing may end the thread: others wait for it.
            self.has_failed = True
            logging.getLogger(__name__).exception("An analysis has failed.")
        finally:
            self.is_over = True

    def _is_unwanted(self) -> bool:
        return self.is_stopped or monotonic() - self.asked_at > PATIENCE_SECONDS

    def _require_wanted(self, count: int) -> None:
        self.done = count
        if self._is_unwanted():
            raise _StoppedError
        self.on_progress()


_Queue: TypeAlias = FairQueue[tuple[Hashable, Callable[[], object]]]


def _queue(threads: int, max_jobs: int) -> _Queue:
    """Return a queue for some threads; one of them, if there are several, is left to others."""
    return FairQueue(max_jobs, MAX_BUSY_CLIENTS * max_jobs, max_running=max(1, threads - 1))


@final
class Thinkers:
    """Threads in which players of the library choose their actions, and analyse games.

    Analyses have threads of their own: they take seconds, and must not delay a player's answer.
    Both kinds of jobs are shared fairly between clients. If there are several threads, one client's
    jobs never run in all of them, so another client need not wait for a long job to end.

    Any thread may call the methods.

    Args:
        count: The number of threads for players, and as many again for analyses.
        max_jobs: The maximum number of waiting jobs of a client.

    Attributes:
        is_preparing: Whether the tree search is being compiled.
        failure: Why the tree search could not be compiled; ``None`` if nothing has failed.
    """

    def __init__(self, count: int = 1, max_jobs: int = MAX_JOBS) -> None:
        self._known: set[Hashable] = set()
        self._lock = Lock()
        self.is_preparing: bool = False
        self.failure: SiteError | None = None
        self._is_warm = False
        self._jobs = _queue(count, max_jobs)
        self._analyses = _queue(count, MAX_WAITING_ANALYSES)
        for queue in (self._jobs, self._analyses):
            for _ in range(count):
                Thread(target=self._work, args=[queue], daemon=True).start()

    def require_capacity(self, client: str = "") -> None:
        """Refuse a request for a player of this library if too many of the client's games wait."""
        if not self._jobs.has_room(client):
            raise SiteError("thinkers-busy", 503)

    def submit(self, key: Hashable, job: Callable[[], object], client: str = "") -> bool:
        """Queue a job of a player, unless its key is queued or has failed, or the queue is full.

        Return whether it was queued.
        """
        return self._submit(self._jobs, key, job, client)

    def submit_analysis(self, key: Hashable, job: Callable[[], object], client: str = "") -> bool:
        """Queue an analysis, as :meth:`submit` does with a job of a player."""
        return self._submit(self._analyses, key, job, client)

    def _submit(self, queue: _Queue, key: Hashable, job: Callable[[], object], client: str) -> bool:
        with self._lock:
            if key in self._known or not queue.put(client, (key, job)):
                return False
            self._known.add(key)
            return True

    @property
    def is_ready(self) -> bool:
        """True if the tree search has been compiled, so that a short one takes no time."""
        return self._is_warm and not self.is_preparing and self.failure is None

    def warm_up(self) -> None:
        """Compile the tree search, if it is installed, while the first game is set up."""
        if not SMALLEST_SEARCH.is_available:
            return
        with self._lock:
            if self._is_warm:
                return
            self._is_warm = True
            self.is_preparing = True
        # A separate thread, not a job: games against other levels need not wait for it.
        try:
            Thread(target=self._prepare, daemon=True).start()
        except RuntimeError:
            logging.getLogger(__name__).exception("The system has no thread to prepare a search.")
            self.failure = SiteError("search-not-prepared", 500)
            self.is_preparing = False

    def _prepare(self) -> None:
        try:
            _choose_once()
        except BaseException:
            logging.getLogger(__name__).exception("The tree search could not be prepared.")
            self.failure = SiteError("search-not-prepared", 500)
        finally:
            self.is_preparing = False

    def _work(self, queue: _Queue) -> None:
        while True:
            client, (key, job) = queue.get()
            began = monotonic()
            try:
                job()
            except BaseException:
                # Log the error and go on, so that other jobs run; this job is not tried again.
                logging.getLogger(__name__).exception("A player of the library has failed.")
            else:
                with self._lock:
                    self._known.discard(key)
            finally:
                queue.done(client, monotonic() - began)
