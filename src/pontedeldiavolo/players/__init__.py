"""Who chooses actions: players to play against and to measure one's own by.

A :class:`Player` is anything that chooses; those here need nothing but attrs::

    from pontedeldiavolo import GameState, players

    player = players.GreedyPlayer(seed=1)
    action = player.choose(GameState.initial())

A match says who of two is better, and how sure that is::

    players.match(players.GreedyPlayer(), players.RandomPlayer(), games=20).interval
"""

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
    "Player",
    "PlayerError",
    "RandomPlayer",
    "SequentialTest",
    "annotate",
    "by_name",
    "match",
    "names",
]
