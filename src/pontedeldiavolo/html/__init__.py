"""Games as self-contained HTML pages: files to send, keep or print.

``html.replay(game)`` creates a page for stepping through a game turn by turn, with keys, buttons or
a slider. The page makes no network requests. Without scripts it still shows the end of the game and
the list of its moves.
"""

from .page import Html, replay

__all__ = ["Html", "replay"]


def __dir__() -> list[str]:
    return __all__
