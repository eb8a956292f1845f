"""Batch simulation: arrays of games with NumPy, for search, training and archives.

Needs NumPy and Numba: ``pip install 'pontedeldiavolo[batch]'``. ``import pontedeldiavolo`` alone
does not import this package::

    from pontedeldiavolo import batch

    games = batch.GameBatch.initial(size=4096)
    result = games.playout(seed=7)

The rules are exactly those of :class:`~pontedeldiavolo.GameState`, for every board and supply. They
are compiled when they are first used on a machine, and kept for later processes in the user's cache
folder, or in the folder ``NUMBA_CACHE_DIR``. ``pontedeldiavolo warm-up`` compiles in advance.

Planes of single games and the symmetries of planes and codes need NumPy alone. Numba is imported
when a compiled class or function is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import BATCH, lazy_attach, needing

with needing(__name__, *BATCH):
    import_module("numpy")  # imported here, so that an error can say what to install

from .arguments import RowError
from .feature_planes import PLANES, PLANES_VERSION, planes
from .symmetries import permutation, step_codes, transform_planes

__all__ = [
    "PLANES",
    "PLANES_VERSION",
    "GameBatch",
    "GamePool",
    "Playouts",
    "Replays",
    "RowError",
    "permutation",
    "planes",
    "replay",
    "step_codes",
    "transform_planes",
]

if TYPE_CHECKING:
    # Imports for type checkers only: at run time these are loaded when they are first used.
    from .game_batch import GameBatch
    from .game_pool import GamePool
    from .results import Playouts, Replays, replay
else:
    _COMPILED = {"GameBatch": "game_batch", "GamePool": "game_pool"}
    _COMPILED |= dict.fromkeys(("Playouts", "Replays", "replay"), "results")
    _NEEDS = dict.fromkeys(_COMPILED, ("numpy", "numba"))
    __getattr__, __dir__ = lazy_attach(__name__, {*__all__} - _COMPILED.keys(), _NEEDS, _COMPILED)
