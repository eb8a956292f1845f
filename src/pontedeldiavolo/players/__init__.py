"""Who chooses actions: players to play against and to measure one's own by.

A :class:`Player` is anything that chooses; those here need nothing but attrs::

    from pontedeldiavolo import GameState, players

    player = players.GreedyPlayer(seed=1)
    action = player.choose(GameState.initial())
"""

from pontedeldiavolo.players.greedy_player import GreedyPlayer
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.random_player import RandomPlayer

__all__ = ["GreedyPlayer", "Player", "RandomPlayer"]
