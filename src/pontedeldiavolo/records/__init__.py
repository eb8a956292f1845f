"""Game records: this library's own text format, similar to PGN; SGF; and formats of two sites.

``load``, ``loads``, ``dump``, ``dumps`` and the three ``iter_…`` functions read and write this
library's own format. The modules ``sgf``, ``boardspace`` and ``abstract_play`` have the same
functions as far as their formats allow. ``read``, ``write``, ``detect`` and ``unsupported`` (what a
format cannot hold) take any format.

The page *Architecture* of the documentation follows a record from file to file, lists what readers
do with bad games, and has the steps for adding a format.

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

if TYPE_CHECKING:
    # For type checkers only: at run time all names are imported when they are first used.
    from pontedeldiavolo.game.record import Record as Record

    from . import abstract_play as abstract_play
    from . import boardspace as boardspace
    from . import sgf as sgf
    from .formats import Format as Format
    from .formats import detect as detect
    from .formats import read as read
    from .formats import unsupported as unsupported
    from .formats import write as write
    from .native import Header as Header
    from .native import iter_games as iter_games
    from .native import iter_headers as iter_headers
    from .native import iter_records as iter_records
    from .native import load as load
    from .native import loads as loads
    from .native_writer import dump as dump
    from .native_writer import dumps as dumps

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazy_attach(
        __name__,
        {
            ".game.record": ("Record",),
            "formats": ("Format", "detect", "read", "unsupported", "write"),
            "native": ("Header", "iter_games", "iter_headers", "iter_records", "load", "loads"),
            "native_writer": ("dump", "dumps"),
        },
        ("abstract_play", "boardspace", "sgf"),
    )
