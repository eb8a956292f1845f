"""Boards as pixels, in PNG, and games as animations, in APNG and GIF.

Needs resvg-py and Pillow, which the extra ``png`` installs. ``import pontedeldiavolo`` alone
does not import this package. :func:`pontedeldiavolo.svg.render` draws the pictures.
"""

from pontedeldiavolo.base.lazy import needing

with needing(__name__, "Pillow and resvg-py", "png"):
    import PIL as _PIL  # noqa: F401  # imported here, so that an error can say what to install
    import resvg_py as _resvg  # noqa: F401  # likewise

from .animator import animation
from .rasterizer import png

__all__ = ["animation", "png"]


def __dir__() -> list[str]:
    return __all__
