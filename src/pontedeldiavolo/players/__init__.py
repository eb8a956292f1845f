"""Players, matches between them, and annotated games.

A :class:`Player` is any object with ``name``, ``choose(state)`` and ``for_game(seed)``. These need
nothing but attrs, except :class:`MctsPlayer`, :class:`BatchedSearch`, :class:`Solver`,
:class:`Tablebase`, :func:`load_weights` and :func:`save_weights`, which need the extra ``batch``.

>>> player = pdd.players.GreedyPlayer(seed=1)
>>> action = player.choose(pdd.GameState.initial())
>>> rules = pdd.Rules(pdd.Board(5, 5))
>>> match = pdd.players.match(player, pdd.players.RandomPlayer(), games=20, rules=rules)
>>> match.games, match.elo > 0
(20, True)
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach

if TYPE_CHECKING:
    # For type checkers only: at run time all names are imported when they are first used.
    from .annotator import annotate as annotate
    from .book import Book as Book
    from .external import ExternalPlayer as ExternalPlayer
    from .matches import Match as Match
    from .matches import SequentialTest as SequentialTest
    from .matches import match as match
    from .mcts.batched_search import BatchedSearch as BatchedSearch
    from .mcts.player import MctsPlayer as MctsPlayer
    from .mcts.solver import Solution as Solution
    from .mcts.solver import Solver as Solver
    from .mcts.tablebase import Tablebase as Tablebase
    from .player import ActionStats as ActionStats
    from .player import Analysis as Analysis
    from .player import AnalysisLine as AnalysisLine
    from .player import Analyst as Analyst
    from .player import Clock as Clock
    from .player import ClockPlayer as ClockPlayer
    from .player import EngineError as EngineError
    from .player import MatchWarning as MatchWarning
    from .player import Player as Player
    from .player import PlayerError as PlayerError
    from .registry import by_name as by_name
    from .registry import names as names
    from .simple_players import GreedyPlayer as GreedyPlayer
    from .simple_players import RandomPlayer as RandomPlayer
    from .weights_file import load_weights as load_weights
    from .weights_file import save_weights as save_weights

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazy_attach(
        __name__,
        {
            "annotator": ("annotate",),
            "book": ("Book",),
            "external": ("ExternalPlayer",),
            "matches": ("Match", "SequentialTest", "match"),
            "mcts.batched_search": ("BatchedSearch",),
            "mcts.player": ("MctsPlayer",),
            "mcts.solver": ("Solution", "Solver"),
            "mcts.tablebase": ("Tablebase",),
            "player": (
                "ActionStats",
                "Analysis",
                "AnalysisLine",
                "Analyst",
                "Clock",
                "ClockPlayer",
                "EngineError",
                "MatchWarning",
                "Player",
                "PlayerError",
            ),
            "registry": ("by_name", "names"),
            "simple_players": ("GreedyPlayer", "RandomPlayer"),
            "weights_file": ("load_weights", "save_weights"),
        },
        needs={
            "mcts.batched_search": ("numpy", "numba"),
            "mcts.player": ("numpy", "numba"),
            "mcts.solver": ("numpy", "numba"),
            "mcts.tablebase": ("numpy", "numba"),
            "weights_file": ("numpy",),
        },
    )
