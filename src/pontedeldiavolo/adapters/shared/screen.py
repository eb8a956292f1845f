"""How an environment is drawn."""

from __future__ import annotations

import sys
from importlib import import_module
from io import BytesIO
from types import NoneType
from typing import Final, SupportsIndex, final

import numpy as np
import numpy.typing as npt
from gymnasium import logger

from pontedeldiavolo import text
from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState, HalfTurn

ANSI, PIXELS, HUMAN = "ansi", "rgb_array", "human"
MODES: Final = (HUMAN, PIXELS, ANSI)

Picture = str | npt.NDArray[np.uint8] | None
"""Lines of characters; pixels, of shape (height, width, 3); nothing where a person has seen it."""


@final
class Screen(FinalClass):
    """What shows a game: in characters, in pixels, or to a person at the terminal.

    Args:
        mode: ``ansi``, ``rgb_array``, ``human``, or ``None`` to draw nothing.
        size: The pixels of the longer side, for ``rgb_array``.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If there is no such mode, or the size is out of range.
        ImportError: If pixels are wanted and the extra ``png`` is not installed.
    """

    def __init__(self, mode: str | None, size: SupportsIndex | None) -> None:
        require_type(mode, (str, NoneType), "render_mode")
        if mode is not None and mode not in MODES:
            raise PonteError(f"render_mode must be one of {', '.join(MODES)}, not {mode}")
        self.mode: str | None = mode
        self.size: int | None = None if size is None else whole_number(size, "render_size")
        if mode == PIXELS:
            # It says what to install, and which sizes there are.
            import_module("pontedeldiavolo.raster.sheet").pixels_of(self.size)

    def is_dark(self) -> bool:
        """Tell whether nothing can be drawn, and warn of it."""
        if self.mode is None:
            logger.warn("render() draws nothing: the environment was made without a render_mode")
        return self.mode is None

    def draw(self, node: GameState | HalfTurn, last: Action | None) -> Picture:
        """Return a picture, or show it to a person."""
        if self.is_dark():
            return None
        if self.mode == PIXELS:
            return _pixels(node, last, self.size)
        drawn = text.render(node, last=last)
        if self.mode == ANSI:
            return f"{drawn}\n"
        sys.stdout.write(f"{drawn}\n\n")
        sys.stdout.flush()
        return None

    def refresh(self, node: GameState | HalfTurn, last: Action | None) -> None:
        """Show what has changed, if there is a person who looks on."""
        if self.mode == HUMAN:
            self.draw(node, last)


def _pixels(
    node: GameState | HalfTurn, last: Action | None, size: int | None
) -> npt.NDArray[np.uint8]:
    from PIL import Image  # noqa: PLC0415  # comes with an extra of its own

    from pontedeldiavolo.raster import png  # noqa: PLC0415  # likewise

    with Image.open(BytesIO(png(node, last=last, size=size))) as picture:
        return np.array(picture.convert("RGB"))
