"""Checking what callers hand in: strict about types, open to ``__index__``."""

from __future__ import annotations

from operator import index
from types import UnionType
from typing import SupportsIndex


def whole_number(value: SupportsIndex, name: str) -> int:
    """Return *value* as a plain ``int``.

    Raises:
        TypeError: If it is a ``bool`` or has no ``__index__``.
    """
    if isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number, not a bool")
    try:
        return index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None


def require_type(value: object, kind: type | UnionType | tuple[type, ...], name: str) -> None:
    """Refuse a value of another type.

    Raises:
        TypeError: If *value* is not an instance of *kind*.
    """
    if not isinstance(value, kind):
        if isinstance(kind, type):
            kinds: tuple[type, ...] = (kind,)
        else:
            kinds = kind if isinstance(kind, tuple) else kind.__args__
        wanted = " or ".join(each.__name__ for each in kinds)
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")
