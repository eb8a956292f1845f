"""Spaces, rendering and the game of environments, for both Gymnasium and PettingZoo."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final, Literal, SupportsIndex, TypeAlias, cast, final, get_args

import numpy as np
import numpy.typing as npt
from gymnasium import logger, spaces

from pontedeldiavolo import text
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError, require_choice, require_type, whole_number
from pontedeldiavolo.base.exclusive import Calls
from pontedeldiavolo.batch.feature_planes import MAX_BYTE, PLANES, TILES_LEFT, planes
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn

from .seats import side_of

Form: TypeAlias = Literal["planes", "flat"]
"""The shape of observations: (planes, height, width), or one dimension."""
Mask: TypeAlias = Literal["observation", "info"]
"""The place of the mask: only in ``info``, or in the observation as well."""
DTYPES: Final = ("uint8", "int16", "int32", "int64", "float16", "float32", "float64")

Array: TypeAlias = npt.NDArray[np.generic]
Observation: TypeAlias = dict[str, Array]
"""A dictionary of ``observation`` (the planes) and ``action_mask``."""
Space: TypeAlias = spaces.Space[Observation | Array]
"""The space of observations, or of planes alone."""

OnIllegal: TypeAlias = Literal["raise", "lose"]
"""The result of an illegal action: an error, or a lost game."""

ANSI = "ansi"
PIXELS = "rgb_array"
HUMAN = "human"
MODES: Final = (HUMAN, PIXELS, ANSI)

Picture: TypeAlias = str | npt.NDArray[np.uint8] | None
"""Text; pixels of shape (height, width, 3); ``None`` if it was written to the terminal."""


def planes_space(
    rules: Rules, form: Form = "planes", dtype: npt.DTypeLike = np.uint8
) -> spaces.Box:
    """Return the space of the planes of games with some rules.

    Its bounds are the largest values that each plane can hold. With 0 to 255 for all of them,
    Stable-Baselines3 would treat them as an image: swap the axes and divide by 255.
    """
    board = rules.board
    high: npt.NDArray[Any] = np.ones((len(PLANES), board.height, board.width), np.uint8)
    supplies = (rules.tiles_per_color, rules.tiles_per_color, rules.bridges)
    for plane, supply in enumerate(supplies, TILES_LEFT):
        high[plane] = min(supply or 1, MAX_BYTE)
    high = (high.ravel() if form == "flat" else high).astype(dtype)
    return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)


def observation_space(rules: Rules, box: spaces.Box) -> spaces.Space[Observation]:
    """Return the space of observations: *box* for the planes, and one for the masks."""
    mask = spaces.Box(0, 1, (len(StepSpace(rules.board)),), np.int8)
    found = spaces.Dict({"observation": box, "action_mask": mask})
    # For Gymnasium's types, this is a space of dictionaries with any values.
    return cast("spaces.Space[Observation]", found)


def action_space(board: Board) -> spaces.Space[np.int64]:
    """Return the space of step codes."""
    return spaces.Discrete(len(StepSpace(board)))


@final
class Renderer:
    """The renderer of an environment.

    Args:
        mode: ``ansi``, ``rgb_array``, ``human``, or ``None`` for none.
        size: The length of the longer side in pixels, for ``rgb_array``.

    Raises:
        PonteError: If there is no such mode, or the size is out of range.
        ImportError: For ``rgb_array`` without the extra ``png``.
    """

    def __init__(
        self, mode: str | None, size: SupportsIndex | None, modes: tuple[str, ...] = MODES
    ) -> None:
        if mode is not None:
            require_choice(mode, modes, "render_mode")
        self.mode: str | None = mode
        self.size: int | None = None if size is None else whole_number(size, "render_size")
        if mode == PIXELS:
            # Render one cell now, to refuse sizes out of range and to report a missing extra.
            _pixels(GameState.initial(Rules(Board(1, 1))), None, self.size)

    def is_off(self) -> bool:
        """Return whether there is no render mode, and warn if so."""
        if self.mode is None:
            logger.warn("render() draws nothing: the environment was made without a render_mode")
        return self.mode is None

    def render(self, node: GameState | HalfTurn, last: Action | None) -> Picture:
        """Return a picture; in the mode ``human``, write it to the terminal instead."""
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


class PlayedGame:
    """The common base of environments of a single game, which is played in place.

    Args:
        rules: The rules of the game, by default a 10×10 board with unlimited supply.
        form: The shape of observations.
        dtype: The type of the numbers in observations.
        mask: The place of the mask.
        render_mode: As for :class:`Renderer`.
        render_size: As for :class:`Renderer`.
    """

    def __init__(
        self,
        rules: Rules | None,
        form: Form,
        dtype: npt.DTypeLike,
        mask: Mask,
        render_mode: str | None,
        render_size: SupportsIndex | None,
    ) -> None:
        self._calls = Calls()
        rules = Rules() if rules is None else rules
        require_type(rules, Rules, "rules")
        self._rules = rules
        self._step_space = StepSpace(rules.board)
        self._set(GameState.initial(rules), None)
        self._renderer = Renderer(render_mode, render_size)
        self.render_mode: str | None = render_mode
        require_choice(form, get_args(Form), "observation")
        require_choice(mask, get_args(Mask), "mask")
        self._dtype: np.dtype[Any] = np.dtype(dtype)
        require_choice(self._dtype.name, DTYPES, "dtype")
        self._has_mask = mask == "observation"
        self._box = planes_space(rules, form, self._dtype)
        space = observation_space(rules, self._box) if self._has_mask else self._box
        self._space = cast("Space", space)

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._rules

    @property
    def node(self) -> GameState | HalfTurn:
        """The current state or half turn."""
        return self._node

    def _restart(self, options: Mapping[str, object] | None) -> None:
        """Start a game, at ``options["start"]`` if given.

        Raises:
            PonteError: If the start has other rules, or its game is over.
        """
        require_type(options, (Mapping, type(None)), "options")
        node: Any = (options or {}).get("start")
        node = GameState.initial(self.rules) if node is None else node
        require_type(node, (GameState, HalfTurn), "start")
        if node.rules != self.rules:
            raise PonteError("start has other rules than the environment")
        if node.is_over:
            raise PonteError("start is over: there is nothing to play")
        self._set(node, None)

    def _play(self, action: SupportsIndex) -> None:
        """Play the step with a code.

        Raises:
            PonteError: If *action* is not a code of the space.
            IllegalActionError: If it is not legal. After an error, the game is unchanged.
        """
        step = self._step_space.decode(whole_number(action, "action"))
        node = self.node
        last: Action | None = None if isinstance(step, PlaceTile) else step
        if isinstance(step, PlaceTile) and isinstance(node, HalfTurn):
            last = PlaceTiles(node.placed_tile, step.cell)
        self._set(node.step(step), last)

    def _set(self, node: GameState | HalfTurn, last: Action | None) -> None:
        """Set the node and the action that led to it.

        There is no action at the start of a game, and none after the first of two tiles.
        """
        self._node = node
        self._last = last
        self._legal = self._step_space.legal_mask(node)

    def _mask(self, seat: Seat) -> npt.NDArray[np.int8]:
        """Return a new array with 1 for each step that *seat* may play now, else 0."""
        if self.node.seat_to_move is seat:
            return np.frombuffer(bytearray(self._legal), np.int8)
        return np.zeros(len(self._legal), np.int8)

    def _seen(self, seat: Seat) -> Observation | Array:
        """Return the observation of a seat, in new arrays."""
        found = planes(self.node, side_of(self.node, seat))
        found = found.astype(self._dtype, copy=False).reshape(self._box.shape)
        if not self._has_mask:
            return found
        return {"observation": found, "action_mask": self._mask(seat)}

    def _show(self) -> None:
        """Write the board to the terminal if the mode is ``human``."""
        if self.render_mode == HUMAN:
            self.render()

    def render(self) -> Picture:
        """Return a picture of the board."""
        return self._renderer.render(self.node, self._last)


def _pixels(node: GameState | HalfTurn, last: Action | None, size: int | None) -> Picture:
    # These come with the extra "png"; without it, the first import raises the error to report.
    from pontedeldiavolo.raster import png  # noqa: PLC0415, I001
    from PIL import Image  # noqa: PLC0415

    with Image.open(BytesIO(png(node, last=last, size=size))) as picture:
        return np.array(picture.convert("RGB"))
