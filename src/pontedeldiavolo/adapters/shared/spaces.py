"""What there is to see and to do, in Gymnasium's words."""

from __future__ import annotations

from typing import cast

import numpy as np
from gymnasium import spaces

from pontedeldiavolo.adapters.shared.table import Observation
from pontedeldiavolo.batch.plane_layout import MOST_TOLD, PLANES
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.state.spaces import StepSpace


def planes_space(board: Board) -> spaces.Box:
    """Return the space of the planes of a board."""
    shape = (len(PLANES), board.height, board.width)
    return spaces.Box(0, MOST_TOLD, shape, np.uint8)


def observation_space(board: Board) -> spaces.Space[Observation]:
    """Return the space of what a seat sees."""
    mask = spaces.Box(0, 1, (len(StepSpace(board)),), np.int8)
    found = spaces.Dict({"observation": planes_space(board), "action_mask": mask})
    # Gymnasium itself says no more of it than that it is a space of dictionaries.
    return cast("spaces.Space[Observation]", found)


def action_space(board: Board) -> spaces.Space[np.int64]:
    """Return the space of the codes of steps."""
    return spaces.Discrete(len(StepSpace(board)))
