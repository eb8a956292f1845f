"""Games as one page that needs nothing else: a file to send, to keep, to print.

``html.replay(game)`` makes a page whose reader goes through a game turn by turn, with keys,
buttons or a slider. The page asks nothing of any network. Without scripts it still shows the end
of the game and the list of its moves.
"""

from pontedeldiavolo.html.page import Html, replay

__all__ = ["Html", "replay"]
