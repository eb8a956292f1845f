"""Batch simulation: arrays of games with NumPy, for search, training and archives.

Needs NumPy and Numba, which the extra ``batch`` installs. ``import pontedeldiavolo`` alone does not
import this package::

    from pontedeldiavolo import batch

    games = batch.GameBatch.initial(size=4096)
    result = games.playout(seed=7)

The rules are exactly those of :class:`~pontedeldiavolo.GameState`, for every board and supply. They
are compiled when they are first used on a machine, and kept for later processes in the user's cache
folder, or in the folder ``NUMBA_CACHE_DIR``. ``pontedeldiavolo warm-up`` compiles in advance.

Planes of single games and the symmetries of planes and codes need NumPy alone. Numba is imported
when a compiled class or function is first used.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import BATCH, lazy_attach, needing

with needing(__name__, *BATCH):
    import numpy as _numpy  # noqa: F401, ICN001 - only to find out whether it is installed

if TYPE_CHECKING:
    # For type checkers only: at run time all names are imported when they are first used.
    from .arguments import RowError as RowError
    from .feature_planes import PLANES as PLANES
    from .feature_planes import PLANES_VERSION as PLANES_VERSION
    from .feature_planes import planes as planes
    from .game_batch import GameBatch as GameBatch
    from .game_pool import GamePool as GamePool
    from .results import Playouts as Playouts
    from .results import Replays as Replays
    from .results import replay as replay
    from .symmetries import permutation as permutation
    from .symmetries import step_codes as step_codes
    from .symmetries import transform_planes as transform_planes

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazy_attach(
        __name__,
        {
            "arguments": ("RowError",),
            "feature_planes": ("PLANES", "PLANES_VERSION", "planes"),
            "game_batch": ("GameBatch",),
            "game_pool": ("GamePool",),
            "results": ("Playouts", "Replays", "replay"),
            "symmetries": ("permutation", "step_codes", "transform_planes"),
        },
        needs=dict.fromkeys(("game_batch", "game_pool", "results"), ("numpy", "numba")),
    )
