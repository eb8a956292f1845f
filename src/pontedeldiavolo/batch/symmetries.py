"""Boards as arrays, symmetries of planes and codes, and actions as codes of steps."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
from attrs import evolve

from pontedeldiavolo.base.errors import PonteError, require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.board.symmetry import Symmetry, require_board, symmetries_of
from pontedeldiavolo.state.spaces import ActionSpace, StepSpace

from .arguments import RowError, require_shape, row_outside, whole_numbers
from .feature_planes import BRIDGES, OFFSETS, OWN_IS_WHITE, PLANES, R
from .rows import NONE

T = TypeVar("T", bound=np.generic)
Index = TypeVar("Index", bound=np.integer)
Numbers = npt.NDArray[np.int32]


class BridgeTables(NamedTuple):
    """The places for bridges on boards of one size, numbered in the order of ``Board.bridges``."""

    number: Numbers
    """(cells, directions): the bridge from a cell in a direction; -1 if there is none."""
    direction: Numbers
    """(bridges,): the direction from its first end."""
    ends: Numbers
    """(bridges, 2): its first and its second cell."""


@lru_cache(maxsize=16)
def bridge_tables(width: int, height: int) -> BridgeTables:
    """Return the places for bridges on boards of a size."""
    row, column = np.divmod(np.arange(width * height), width)
    dx, dy = np.array(FORWARD).T
    x = column[:, np.newaxis] + dx
    y = row[:, np.newaxis] + dy
    first, direction = np.nonzero((x >= 0) & (x < width) & (y < height))
    second = first + dy[direction] * width + dx[direction]
    bridges = np.arange(len(first))
    number = np.full((width * height, len(OFFSETS)), -1, np.int32)
    number[first, direction] = bridges
    number[second, direction + len(FORWARD)] = bridges
    ends = np.stack((first, second), axis=1)
    return BridgeTables(number, direction.astype(np.int32), ends.astype(np.int32))


class SymmetryTables(NamedTuple):
    """The symmetries of boards of one size, numbered as in ``board.symmetries``."""

    cell_to: Numbers
    """(symmetries, cells): the cell that each cell is mapped to."""
    cell_from: Numbers
    """(symmetries, cells): the cell that is mapped to each cell."""
    link_to: Numbers
    """(symmetries, 1 + directions): the new value of each link, as in ``Rows.links``."""


@lru_cache(maxsize=16)
def symmetry_tables(width: int, height: int) -> SymmetryTables:
    """Return the symmetries of boards of a size."""
    symmetries = symmetries_of(width, height)
    grid = np.arange(width * height, dtype=np.int32).reshape(height, width)
    cell_from = np.array([transformed(grid, each).ravel() for each in symmetries])
    return SymmetryTables(
        cell_to=np.argsort(cell_from, axis=1).astype(np.int32),
        cell_from=cell_from,
        link_to=np.array([_links_to(symmetry) for symmetry in symmetries], np.int32),
    )


def transformed(array: npt.NDArray[T], symmetry: Symmetry) -> npt.NDArray[T]:
    """Return a view of an array of shape (…, height, width), rotated or reflected."""
    if symmetry.transposes:
        array = array.swapaxes(-1, -2)
    if symmetry.flips_columns:
        array = array[..., ::-1]
    return array[..., ::-1, :] if symmetry.flips_rows else array


def _links_to(symmetry: Symmetry) -> list[int]:
    """Return the new value of each link: 0, no bridge, stays 0, and the others are 1 + a direction.

    A direction is transformed as the step from the middle of a board of 5×5 cells, which no bridge
    leaves.
    """
    around = evolve(symmetry, width=5, height=5)
    found = [0]
    for dx, dy in OFFSETS:
        x, y = around.point(2 + dx, 2 + dy)
        found.append(1 + OFFSETS.index((x - 2, y - 2)))
    return found


def bridges_to(board: Board, symmetry: int) -> Numbers:
    """Return for each bridge the number of the bridge that a symmetry maps it to."""
    bridges = bridge_tables(board.width, board.height)
    symmetries = symmetry_tables(board.width, board.height)
    firsts = symmetries.cell_to[symmetry, bridges.ends[:, 0]]
    directions = symmetries.link_to[symmetry, 1 + bridges.direction] - 1
    found: Numbers = bridges.number[firsts, directions]
    return found


_MAX_CACHED_CODES = 1 << 17
"""Permutations of more codes are not cached: a few of them would fill the memory."""


def symmetry_number(board: Board, symmetry: Symmetry) -> int:
    """Return the index of a symmetry among the symmetries of a board.

    Raises:
        PonteError: If it belongs to a board of another size.
    """
    require_type(symmetry, Symmetry, "symmetry")
    require_board(symmetry, board.width, board.height)
    return symmetries_of(board.width, board.height).index(symmetry)


def transform_planes(planes: npt.NDArray[R], symmetry: Symmetry) -> npt.NDArray[R]:
    """Return planes transformed by *symmetry*: exactly the planes of the transformed games.

    Args:
        planes: Shape (…, len(PLANES), height, width), of any type: see :data:`PLANES`. They are not
            changed; the result has the same shape and type.
        symmetry: The symmetry to apply to all of them.

    Raises:
        PonteError: If they have another shape, or *symmetry* belongs to a board of another size.

    >>> state = pdd.GameState.initial().apply(pdd.parse_action("a1,b3"))
    >>> turn = state.rules.board.symmetries[3]
    >>> planes = pdd.batch.transform_planes(pdd.batch.planes(state), turn)
    >>> bool((planes == pdd.batch.planes(state.transform(turn))).all())
    True
    """
    require_type(planes, np.ndarray, "planes")
    require_type(symmetry, Symmetry, "symmetry")
    shape = (len(PLANES), symmetry.height, symmetry.width)
    if planes.shape[-3:] != shape:
        expected = f"(..., {shape[0]}, {shape[1]}, {shape[2]})"
        raise PonteError(f"planes must have shape {expected}, not {planes.shape}")
    board = Board(symmetry.width, symmetry.height)
    links = symmetry_tables(board.width, board.height).link_to[symmetry_number(board, symmetry)]
    comes_from = np.arange(len(PLANES))
    comes_from[BRIDGES:OWN_IS_WHITE] = BRIDGES + np.argsort(links[1:])
    return transformed(planes, symmetry).take(comes_from, axis=-3)


def permutation(space: StepSpace | ActionSpace, symmetry: Symmetry) -> npt.NDArray[np.int32]:
    """Return the new code of every code of a space under *symmetry*.

    Shape (len(space),), int32: ``permutation(space, symmetry)[code]`` is
    ``space.transform(code, symmetry)``. So ``mask[permutation(space, symmetry.inverse)]`` is the
    mask of the transformed board.

    Raises:
        PonteError: If the symmetry belongs to a board of another size.

    >>> board = pdd.Board(3, 2)
    >>> space, turn = pdd.StepSpace(board), board.symmetries[1]
    >>> turned = pdd.batch.permutation(space, turn)
    >>> int(turned[4]) == space.transform(4, turn)
    True
    """
    require_type(space, (StepSpace, ActionSpace), "space")
    number = symmetry_number(space.board, symmetry)
    if len(space) > _MAX_CACHED_CODES:
        return _permutation(space, number)
    return _kept_permutation(space, number).copy()


def _permutation(space: StepSpace | ActionSpace, symmetry: int) -> npt.NDArray[np.int32]:
    to = symmetry_tables(space.board.width, space.board.height).cell_to[symmetry]
    if isinstance(space, ActionSpace):
        to = pair_codes(len(to), *(to[each] for each in np.triu_indices(len(to), 1)))
    bridges = len(to) + bridges_to(space.board, symmetry)
    others = np.arange(len(to) + len(bridges), len(space))
    return np.concatenate((to, bridges, others), dtype=np.int32)


_kept_permutation = lru_cache(maxsize=64)(_permutation)


def step_codes(action_space: ActionSpace) -> npt.NDArray[np.int32]:
    """Return the codes of the steps of every action, for networks that are trained on steps.

    Shape (len(action_space), 2), int32: codes of the :class:`StepSpace` of the same board. A pair
    of tiles is two steps, the first cell first; any other action is one step and -1.

    >>> space = pdd.ActionSpace(pdd.Board(2, 2))
    >>> pdd.batch.step_codes(space)[:3].tolist()
    [[0, 1], [0, 2], [0, 3]]
    """
    require_type(action_space, ActionSpace, "action_space")
    cells = len(action_space.board)
    pairs = cells * (cells - 1) // 2
    found = np.full((len(action_space), 2), NONE, np.int32)
    found[:pairs] = np.stack(np.triu_indices(cells, 1), axis=1)
    found[pairs:, 0] = np.arange(cells, cells + len(found) - pairs)
    return found


def symmetry_numbers(
    board: Board, symmetries: Symmetry | npt.ArrayLike, size: int
) -> npt.NDArray[np.intp]:
    """Return the index of a symmetry for each of *size* rows.

    Raises:
        PonteError: If there is not one for each row, or one does not belong to this board.
    """
    if isinstance(symmetries, Symmetry):
        return np.full(size, symmetry_number(board, symmetries), np.intp)
    # A copy: the array is read twice, and the caller may change its own in between.
    found = whole_numbers(symmetries, "symmetries").copy()
    require_shape(found, (size,), "symmetries")
    count = len(symmetry_tables(board.width, board.height).cell_to)
    row = row_outside(found, count)
    if row != NONE:
        raise RowError(row, f"symmetry {found[row]} is outside 0 to {count - 1}")
    return found.astype(np.intp)


def pair_codes(cells: int, a: npt.NDArray[Index], b: npt.NDArray[Index]) -> npt.NDArray[Index]:
    """Return the codes of pairs of cells in :class:`ActionSpace`."""
    low = np.minimum(a, b)
    high = np.maximum(a, b)
    found: npt.NDArray[Index] = low * (2 * cells - low - 1) // 2 + high - low - 1
    return found
