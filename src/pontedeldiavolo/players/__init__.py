"""Who chooses actions: players to play against and to measure one's own by.

A :class:`Player` is anything that chooses; those here need nothing but attrs, except
:class:`MctsPlayer`, which needs the extra ``batch``::

    from pontedeldiavolo import GameState, players

    player = players.GreedyPlayer(seed=1)
    action = player.choose(GameState.initial())

A match says who of two is better, and how sure that is::

    players.match(players.GreedyPlayer(), players.RandomPlayer(), games=20).interval
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach
from pontedeldiavolo.players.analysis import Analysis, Analyst, Choice
from pontedeldiavolo.players.commentary import annotate
from pontedeldiavolo.players.greedy_player import GreedyPlayer
from pontedeldiavolo.players.match_result import Match
from pontedeldiavolo.players.matches import match
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.player_error import PlayerError
from pontedeldiavolo.players.random_player import RandomPlayer
from pontedeldiavolo.players.registry import by_name, names
from pontedeldiavolo.players.sequential_test import SequentialTest

__all__ = [
    "Analysis",
    "Analyst",
    "Choice",
    "GreedyPlayer",
    "Match",
    "MctsPlayer",
    "Player",
    "PlayerError",
    "RandomPlayer",
    "SequentialTest",
    "annotate",
    "by_name",
    "match",
    "names",
]

if TYPE_CHECKING:
    # For type checkers only: at run time it is imported lazily.
    from pontedeldiavolo.players.mcts.player import MctsPlayer
else:
    _COMPILED = {"MctsPlayer": "mcts.player"}
    _load, _ = lazy_attach(__name__, __all__, {}, _COMPILED)

    def __getattr__(name: str) -> object:
        for needed in ("numpy", "numba") if name in _COMPILED else ():
            try:
                import_module(needed)
            except ImportError as error:
                raise ImportError(
                    f"pontedeldiavolo.players.{name} needs NumPy and Numba: "
                    "pip install 'pontedeldiavolo[batch]'",
                    name=error.name,
                ) from error
        return _load(name)

    def __dir__() -> list[str]:
        there = find_spec("numpy") and find_spec("numba")
        return sorted(__all__ if there else {*__all__} - _COMPILED.keys())
