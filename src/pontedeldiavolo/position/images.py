"""Sets of cells and bridges under the symmetries of a board."""

from __future__ import annotations

from collections.abc import Callable

from pontedeldiavolo.board.geometry import Geometry, permuted
from pontedeldiavolo.board.symmetry import Symmetry, symmetries_of


def turned(geometry: Geometry, cells: int, symmetry: Symmetry) -> int:
    """Return the image of a set of cells under *symmetry*."""
    if not cells:
        return 0
    width = geometry.width
    text = _text(geometry, cells)
    if symmetry.transposes:
        text = _transposed(text, width)
    if symmetry.flips_columns != symmetry.flips_rows:
        text = _mirrored(text, width)
    # Reversing the text mirrors both columns and rows.
    return int(text[::-1] if symmetry.flips_rows else text, 2)


def least_symmetry(geometry: Geometry, white: int, red: int, bridges: int, first: int) -> Symmetry:
    """Return the symmetry under which these sets, compared in this order, are smallest.

    Args:
        geometry: The board.
        white: The cells of white's tiles.
        red: The cells of red's tiles.
        bridges: The bridges.
        first: The cell of a first tile that is not placed yet, as a set; 0 if there is none.
    """
    symmetries = symmetries_of(geometry.width, geometry.height)
    left = list(range(len(symmetries)))
    for cells in (white, red):
        if len(left) > 1 and cells:
            left = _least(left, _turnings(geometry, cells).__getitem__)
    if len(left) > 1 and bridges:
        to = geometry.bridge_permutation
        left = _least(left, lambda number: permuted(bridges, to(symmetries[number])))
    if len(left) > 1 and first:
        left = _least(left, lambda number: turned(geometry, first, symmetries[number]))
    return symmetries[left[0]]


def _least(numbers: list[int], image: Callable[[int], int | str]) -> list[int]:
    """Return the numbers of the symmetries that give the smallest image."""
    images = [image(number) for number in numbers]
    least = min(images)
    return [number for number, own in zip(numbers, images, strict=True) if own == least]


def _text(geometry: Geometry, cells: int) -> str:
    return f"{cells:0{geometry.width * geometry.height}b}"


def _transposed(text: str, width: int) -> str:
    return "".join([text[column::width] for column in range(width)])


def _mirrored(text: str, width: int) -> str:
    """Exchange left and right."""
    return "".join([text[at : at + width][::-1] for at in range(0, len(text), width)])


def _turnings(geometry: Geometry, cells: int) -> list[str]:
    """Return the image of a set, as text, under every symmetry of the board, in order."""
    width = geometry.width
    text = _text(geometry, cells)
    found: list[str] = []
    for base in (text, _transposed(text, width)) if width == geometry.height else (text,):
        mirrored = _mirrored(base, width)
        found += [base, mirrored[::-1], mirrored, base[::-1]]
    return found
