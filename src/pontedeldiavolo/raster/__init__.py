"""Boards as pixels, in PNG, and games as animations, in APNG and GIF.

Needs resvg-py and Pillow: ``pip install 'pontedeldiavolo[png]'``. Nothing that
``import pontedeldiavolo`` imports needs this package. The pictures are those of
:func:`pontedeldiavolo.svg.render`.
"""

try:
    import PIL as _PIL  # noqa: F401  # asked for here, to say what to install
    import resvg_py as _resvg  # noqa: F401  # likewise
except ImportError as _error:
    raise ImportError(
        "pontedeldiavolo.raster needs Pillow and resvg-py: pip install 'pontedeldiavolo[png]'",
        name=_error.name,
    ) from _error

from pontedeldiavolo.raster.animator import animation
from pontedeldiavolo.raster.rasterizer import png

__all__ = ["animation", "png"]


def __dir__() -> list[str]:
    return __all__
