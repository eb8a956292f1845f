"""Checks of arguments: strict about types, open to ``__index__``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from operator import index
from types import UnionType
from typing import Any, SupportsFloat, SupportsIndex

from attrs import Attribute

from pontedeldiavolo.base.errors import PonteError, reason

LARGEST = 10**100
"""No number that callers hand in is larger: each can be written out and calculated with."""


def whole_number(value: SupportsIndex, name: str, error: type[PonteError] = PonteError) -> int:
    """Return *value* as a plain ``int``.

    Raises:
        TypeError: If it is a ``bool`` or has no ``__index__``.
        PonteError: If it is further from 0 than :data:`LARGEST`; of the kind *error*.
    """
    if type(value) is int and -LARGEST <= value <= LARGEST:
        return value
    # NumPy's booleans are numbers, too, up to NumPy 2.2: none is known here but by its name.
    if type(value).__name__ in ("bool", "bool_"):
        raise TypeError(f"{name} must be a whole number, not a bool")
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if abs(number) > LARGEST:
        raise error(reason("number-too-large", name=name, bits=number.bit_length()))
    return number


def real_number(value: SupportsFloat, name: str) -> float:
    """Return *value* as a plain ``float``; what is too large for one is endless.

    Raises:
        TypeError: If it is a ``bool`` or has no ``__float__``.
    """
    if type(value).__name__ in ("bool", "bool_") or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        return inf


def require_callable(value: object, name: str) -> None:
    """Refuse what is neither callable nor ``None``.

    Raises:
        TypeError: If it is neither.
    """
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be callable, not {type(value).__name__}")


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


def require_iterable(value: object, name: str) -> None:
    """Refuse what cannot be gone through item by item.

    Raises:
        TypeError: If *value* is not iterable.
    """
    require_type(value, Iterable, name)


def require_list(value: object, name: str) -> None:
    """Refuse anything but a list to add to, or ``None``.

    Raises:
        TypeError: If *value* is neither.
    """
    require_type(value, (list, type(None)), name)


Validator = Callable[[object, "Attribute[Any]", Any], None]
"""A function that attrs calls with an instance, the attribute and its value."""


def instance_of(kind: type | UnionType) -> Validator:
    """Return an attrs validator whose error says no more than a caller wants to know."""

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        if not isinstance(value, kind):
            require_type(value, kind, attribute.alias or attribute.name)

    return validate


def tuple_of(kind: type | UnionType) -> Validator:
    """Return an attrs validator for tuples of values of one type."""

    def validate(_instance: object, attribute: Attribute[Any], value: tuple[object]) -> None:
        require_type(value, tuple, attribute.name)
        for item in value:
            require_type(item, kind, f"an item of {attribute.name}")

    return validate
