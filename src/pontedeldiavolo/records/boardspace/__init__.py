"""Game records of Boardspace (boardspace.net): a variant of SGF, read but not written.

A record contains the players' clicks one by one. Only the site itself makes such records, so there
is no ``dumps`` here: write a game that was played elsewhere in another format.

>>> clicks = "(;GM[pontedeldiavolo]P0[id ada];P0[Start P0];P0[Pick W];P0[Dropb D 4])"
>>> text = clicks.replace(")", ";P0[Pick W];P0[Dropb G 7];P0[Done])")
>>> game = pdd.records.boardspace.loads(text)
>>> (game.tags["First"], *map(pdd.format_action, game.actions))
('ada', 'd4,g7')
"""

from typing import Final

from .reader import READER

__all__ = ["iter_games", "iter_results", "load", "loads"]

load: Final = READER.load
loads: Final = READER.loads
iter_games: Final = READER.iter_games
iter_results: Final = READER.iter_results


def __dir__() -> list[str]:
    return __all__
