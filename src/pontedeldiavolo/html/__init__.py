"""Games as self-contained HTML pages: a file to send, to keep, to print.

``html.replay(game)`` makes a page whose reader goes through a game turn by turn, with keys,
buttons or a slider. The page makes no network requests. Without scripts it still shows the end
of the game and the list of its moves.
"""

from pontedeldiavolo.html.page import Html, replay

__all__ = ["Html", "replay"]


def __dir__() -> list[str]:
    return __all__
