"""Thousands of games at once, as NumPy arrays: for search, training and archives.

Needs NumPy and Numba: ``pip install 'pontedeldiavolo[batch]'``. Nothing that
``import pontedeldiavolo`` imports needs this package::

    from pontedeldiavolo import batch

    games = batch.GameBatch.initial(size=4096)
    result = games.playout(seed=7)

The rules are exactly those of :class:`~pontedeldiavolo.GameState`, for every board and supply. They
are compiled when they are first used, which takes some seconds, and kept for later processes in
Numba's cache: beside the installed package, or where ``NUMBA_CACHE_DIR`` says.
"""

try:
    import numba as _numba  # noqa: F401  # asked for here, to say what to install; brings NumPy
except ImportError as _error:
    raise ImportError(
        "pontedeldiavolo.batch needs NumPy and Numba: pip install 'pontedeldiavolo[batch]'",
        name=_error.name,
    ) from _error

from pontedeldiavolo.batch.game_batch import GameBatch
from pontedeldiavolo.batch.planes import PLANES
from pontedeldiavolo.batch.playouts import Playouts
from pontedeldiavolo.batch.replays import Replays, replay

__all__ = ["PLANES", "GameBatch", "Playouts", "Replays", "replay"]
