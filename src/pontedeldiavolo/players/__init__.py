"""Who chooses actions: players to play against and to measure one's own by.

A :class:`Player` is anything that chooses; those here need nothing but attrs, except
:class:`MctsPlayer`, which needs the extra ``batch``::

    from pontedeldiavolo import GameState, players

    player = players.GreedyPlayer(seed=1)
    action = player.choose(GameState.initial())
"""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import rooms
from pontedeldiavolo.players.analysis import Analysis, Choice
from pontedeldiavolo.players.greedy_player import GreedyPlayer
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.random_player import RandomPlayer

__all__ = ["Analysis", "Choice", "GreedyPlayer", "MctsPlayer", "Player", "RandomPlayer"]

if TYPE_CHECKING:
    # For type checkers only: at run time it is loaded when it is first touched.
    from pontedeldiavolo.players.mcts_player import MctsPlayer
else:
    _COMPILED = {"MctsPlayer": "mcts_player"}
    _load, _ = rooms(__name__, __all__, {}, _COMPILED)

    def __getattr__(name: str) -> object:
        if name in _COMPILED:
            for needed in ("numpy", "numba"):
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
