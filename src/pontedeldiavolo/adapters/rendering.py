"""Spaces and pictures of environments, for Gymnasium and PettingZoo alike."""

from __future__ import annotations

import sys
from io import BytesIO
from types import NoneType
from typing import Final, Literal, SupportsIndex, TypeAlias, cast, final, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces

from pontedeldiavolo import text
from pontedeldiavolo.adapters.session import Observation
from pontedeldiavolo.base.errors import PonteError, reason, require_type, whole_number
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch.feature_planes import MAX_BYTE, PLANES, TILES_LEFT
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

OnIllegal: TypeAlias = Literal["raise", "lose"]
"""The result of an illegal action: an error, or a lost game."""

ANSI, PIXELS, HUMAN = "ansi", "rgb_array", "human"
MODES: Final = (HUMAN, PIXELS, ANSI)

Picture: TypeAlias = str | npt.NDArray[np.uint8] | None
"""Text; pixels of shape (height, width, 3); ``None`` where it was shown on the terminal."""


def planes_space(rules: Rules) -> spaces.Box:
    """Return the space of the planes of games with some rules.

    Its bounds are what the planes can hold. With 0 to 255 for all of them, Stable-Baselines3 would
    take them for an image: exchange the axes, and divide by 255.
    """
    board = rules.board
    high = np.ones((len(PLANES), board.height, board.width), np.uint8)
    supplies = (rules.tiles_per_color, rules.tiles_per_color, rules.bridges)
    for plane, supply in enumerate(supplies, TILES_LEFT):
        high[plane] = min(supply or 1, MAX_BYTE)
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)


def observation_space(rules: Rules) -> spaces.Space[Observation]:
    """Return the space of the observations of a seat."""
    mask = spaces.Box(0, 1, (len(StepSpace(rules.board)),), np.int8)
    found = spaces.Dict({"observation": planes_space(rules), "action_mask": mask})
    # Gymnasium types it as a space of dictionaries of anything.
    return cast("spaces.Space[Observation]", found)


def action_space(board: Board) -> spaces.Space[np.int64]:
    """Return the space of step codes."""
    return spaces.Discrete(len(StepSpace(board)))


def require_on_illegal(value: object) -> None:
    """Refuse anything but ``raise`` and ``lose``.

    Raises:
        PonteError: If it is another text.
    """
    require_type(value, str, "on_illegal")
    if value not in get_args(OnIllegal):
        raise PonteError(reason("unknown-on-illegal", value=str(value)))


@final
class Renderer(FinalClass):
    """The renderer of an environment.

    Args:
        mode: ``ansi``, ``rgb_array``, ``human``, or ``None`` for none.
        size: The pixels of the longer side, for ``rgb_array``.

    Raises:
        PonteError: If there is no such mode, or the size is out of range.
        ImportError: For ``rgb_array`` without the extra ``png``.
    """

    def __init__(
        self, mode: str | None, size: SupportsIndex | None, modes: tuple[str, ...] = MODES
    ) -> None:
        require_type(mode, (str, NoneType), "render_mode")
        if mode is not None and mode not in modes:
            names = ", ".join(modes)
            raise PonteError(reason("unknown-render-mode", names=names, mode=mode))
        self.mode: str | None = mode
        self.size: int | None = None if size is None else whole_number(size, "render_size")
        if mode == PIXELS:
            # A picture of one cell, to refuse sizes out of range and to say what to install.
            _pixels(GameState.initial(Rules(Board(1, 1))), None, self.size)

    def is_off(self) -> bool:
        """Tell whether there is no mode, and warn of it."""
        if self.mode is None:
            logger.warn("render() draws nothing: the environment was made without a render_mode")
        return self.mode is None

    def render(self, node: GameState | HalfTurn, last: Action | None) -> Picture:
        """Return a picture, or write it to the terminal."""
        if self.is_off():
            return None
        if self.mode == PIXELS:
            return _pixels(node, last, self.size)
        drawn = text.render(node, last=last)
        if self.mode == ANSI:
            return f"{drawn}\n"
        sys.stdout.write(f"{drawn}\n\n")
        sys.stdout.flush()
        return None

    def update(self, node: GameState | HalfTurn, last: Action | None) -> None:
        """Write the board to the terminal if the mode is ``human``."""
        if self.mode == HUMAN:
            self.render(node, last)


def _pixels(
    node: GameState | HalfTurn, last: Action | None, size: int | None
) -> npt.NDArray[np.uint8]:
    # These come with the extra "png"; where it is missing, the first import says so.
    from pontedeldiavolo.raster import png  # noqa: PLC0415, I001
    from PIL import Image  # noqa: PLC0415

    with Image.open(BytesIO(png(node, last=last, size=size))) as picture:
        return np.array(picture.convert("RGB"))
