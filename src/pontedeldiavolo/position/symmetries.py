"""Sets of cells turned and mirrored, and which symmetry makes the least of a position.

A set is turned as a text of zeros and ones, the last cell first: a row is a slice of it, and so
is a column. Texts of one board compare as the sets do.
"""

from __future__ import annotations

from pontedeldiavolo.board.geometry import Geometry, permuted
from pontedeldiavolo.board.symmetry import Symmetry, symmetries_of


def turned(geometry: Geometry, cells: int, symmetry: Symmetry) -> int:
    """Return where *symmetry* takes a set of cells."""
    if not cells:
        return 0
    width = geometry.width
    text = _text(geometry, cells)
    if symmetry.transposes:
        text = _transposed(text, width)
    if symmetry.flips_columns and symmetry.flips_rows:
        text = text[::-1]
    elif symmetry.flips_columns:
        text = _mirrored(text, width)
    elif symmetry.flips_rows:
        text = _mirrored(text, width)[::-1]
    return int(text, 2)


def least_symmetry(
    geometry: Geometry, white: int, red: int, bridges: int, first: int = 0
) -> Symmetry:
    """Return the symmetry that makes the least of these sets, compared in their order.

    Args:
        geometry: The board.
        white: The cells of white's tiles.
        red: The cells of red's tiles.
        bridges: The bridges.
        first: The cell of a first tile that is not yet down, as a set.
    """
    symmetries = symmetries_of(geometry.width, geometry.height)
    left = list(range(len(symmetries)))
    for cells in (white, red):
        if len(left) > 1 and cells:
            texts = _turnings(geometry, cells)
            least = min(texts[number] for number in left)
            left = [number for number in left if texts[number] == least]
    if len(left) > 1 and bridges:
        sets = {
            number: permuted(bridges, geometry.bridge_permutation(symmetries[number]))
            for number in left
        }
        least_set = min(sets.values())
        left = [number for number in left if sets[number] == least_set]
    if len(left) > 1 and first:
        return min((symmetries[n] for n in left), key=lambda each: turned(geometry, first, each))
    return symmetries[left[0]]


def _text(geometry: Geometry, cells: int) -> str:
    return f"{cells:0{geometry.width * geometry.height}b}"


def _transposed(text: str, width: int) -> str:
    return "".join([text[column::width] for column in range(width)])


def _mirrored(text: str, width: int) -> str:
    """Exchange left and right."""
    return "".join([text[at : at + width][::-1] for at in range(0, len(text), width)])


def _turnings(geometry: Geometry, cells: int) -> list[str]:
    """Return a set under every symmetry of the board, in their order."""
    width, text = geometry.width, _text(geometry, cells)
    found: list[str] = []
    for base in (text, _transposed(text, width)) if width == geometry.height else (text,):
        mirrored = _mirrored(base, width)
        found += [base, mirrored[::-1], mirrored, base[::-1]]
    return found
