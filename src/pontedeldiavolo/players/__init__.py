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

from .annotator import annotate
from .matches import Match, SequentialTest, match
from .pattern_player import PatternPlayer
from .player import (
    ActionStats,
    Analysis,
    AnalysisLine,
    Analyst,
    Clock,
    ClockPlayer,
    EngineError,
    MatchWarning,
    Player,
    PlayerError,
)
from .registry import by_name, names
from .simple_players import GreedyPlayer, RandomPlayer

__all__ = [
    "ActionStats",
    "Analysis",
    "AnalysisLine",
    "Analyst",
    "BatchedSearch",
    "Clock",
    "ClockPlayer",
    "EngineError",
    "ExternalPlayer",
    "GreedyPlayer",
    "Match",
    "MatchWarning",
    "MctsPlayer",
    "PatternPlayer",
    "Player",
    "PlayerError",
    "RandomPlayer",
    "SequentialTest",
    "Solution",
    "Solver",
    "Tablebase",
    "annotate",
    "by_name",
    "load_weights",
    "match",
    "names",
    "save_weights",
]

if TYPE_CHECKING:
    # For type checkers only: at run time these are imported when they are first used.
    from .external import ExternalPlayer
    from .mcts.batched_search import BatchedSearch
    from .mcts.player import MctsPlayer
    from .mcts.solver import Solution, Solver
    from .mcts.tablebase import Tablebase
    from .weights_file import load_weights, save_weights
else:
    _COMPILED = {
        "BatchedSearch": "mcts.batched_search",
        "MctsPlayer": "mcts.player",
        "Solution": "mcts.solver",
        "Solver": "mcts.solver",
        "Tablebase": "mcts.tablebase",
    }
    # Loaded late as well: browsers have no processes.
    _ARRAYS = {"load_weights": "weights_file", "save_weights": "weights_file"}
    _LATE = {"ExternalPlayer": "external", **_ARRAYS, **_COMPILED}
    _NEEDS = dict.fromkeys(_ARRAYS, ("numpy",)) | dict.fromkeys(_COMPILED, ("numpy", "numba"))
    __getattr__, __dir__ = lazy_attach(__name__, {*__all__} - _LATE.keys(), _NEEDS, _LATE)
