"""Game records: a text format that resembles PGN, SGF, and the formats of two sites.

``load``, ``loads``, ``dump``, ``dumps`` and the three ``iter_…`` functions read and write this
library's own format. The modules ``sgf``, ``boardspace`` and ``abstract_play`` have the same
functions as far as their formats allow. ``read``, ``write``, ``detect`` and ``unsupported`` (what a
format cannot hold) take any format.

A string is always the text of games. The name of a file, such as ``"game.sgf"``, is refused with
the code ``text-not-path``: pass a ``pathlib.Path``.

>>> game = pdd.Game.new(tags={"First": "Ada"}).play("d4,g7").play("red")
>>> text = pdd.records.dumps(game)
>>> print(text)
[First "Ada"]
[Rules "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]
[Result "*"]
<BLANKLINE>
1. d4,g7 red *
<BLANKLINE>
>>> pdd.records.loads(text) == game
True
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach
from pontedeldiavolo.game.record import Record

from .native import Header, iter_games, iter_headers, iter_records, load, loads
from .native_writer import dump, dumps

__all__ = [
    "Format",
    "Header",
    "Record",
    "abstract_play",
    "boardspace",
    "detect",
    "dump",
    "dumps",
    "iter_games",
    "iter_headers",
    "iter_records",
    "load",
    "loads",
    "read",
    "sgf",
    "unsupported",
    "write",
]

if TYPE_CHECKING:
    # Imports for type checkers only: at run time these are loaded on first use.
    from . import abstract_play, boardspace, sgf
    from .formats import Format, detect, read, unsupported, write
else:
    __getattr__, __dir__ = lazy_attach(
        __name__,
        __all__,
        dict.fromkeys(("abstract_play", "boardspace", "sgf"), ()),
        dict.fromkeys(("Format", "detect", "read", "unsupported", "write"), "formats"),
    )
