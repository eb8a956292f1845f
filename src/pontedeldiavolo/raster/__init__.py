"""Boards as pixels, in PNG, and games as pictures that move, in APNG and GIF.

Needs resvg-py and Pillow: ``pip install 'pontedeldiavolo[png]'``. Nothing that
``import pontedeldiavolo`` imports needs this package::

    import pontedeldiavolo as pdd

    picture = pdd.raster.png(pdd.GameState.initial())

What is drawn, and how, is what :func:`pontedeldiavolo.svg.render` draws.
"""

try:
    import PIL as _PIL  # noqa: F401  # asked for here, to say what to install
    import resvg_py as _resvg  # noqa: F401  # likewise
except ImportError as _error:
    raise ImportError(
        "pontedeldiavolo.raster needs Pillow and resvg-py: pip install 'pontedeldiavolo[png]'",
        name=_error.name,
    ) from _error

from pontedeldiavolo.raster.moving import animation
from pontedeldiavolo.raster.still import png

__all__ = ["animation", "png"]
