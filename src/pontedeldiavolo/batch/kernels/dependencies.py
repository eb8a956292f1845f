"""The constants and functions that compiled code contains.

Numba compiles the value that a constant of a module has at that moment. The sources say which value
it is, unless a program has set another one; the same is true of functions. So compiled code is kept
under these dependencies as well as under the sources.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import numpy as np

from .numba_internals import python_function

PACKAGE: Final = "pontedeldiavolo."
KINDS: Final = (bool, int, float, str, np.generic)

FIRST_VALUES: dict[str, str] = {}
"""The constants and functions in the compiled code of this process, with their first values."""


def dependencies_of(function: Any) -> dict[str, str]:
    """Return what a function and all functions that it calls contain, by name, as text."""
    found: dict[str, str] = {}
    waiting = [(f"{function.__module__}.{function.__qualname__}", function)]
    while waiting:
        name, value = waiting.pop()
        plain = python_function(value)
        if is_constant(value):
            found[name] = repr(value)
        elif plain is not None and name not in found:
            found[name] = plain.__code__.co_code.hex()
            waiting.extend(values_of(plain))
    return found


def values_of(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Iterate over the names that a function uses of this package, and their values."""
    home = function.__module__
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        yield f"{home}.{function.__qualname__}.{name}", cell.cell_contents
    names = set(names_in(function.__code__))
    for name in names & function.__globals__.keys():
        value = function.__globals__[name]
        if not isinstance(value, ModuleType):
            yield f"{home}.{name}", value
        elif value.__name__.startswith(PACKAGE):
            for inner in names & vars(value).keys():
                yield f"{value.__name__}.{inner}", vars(value)[inner]


def names_in(code: CodeType) -> Iterator[str]:
    """Iterate over all names in the code of a function, including functions inside it."""
    yield from code.co_names
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from names_in(each)


def is_constant(value: object) -> bool:
    """Return whether a value is a number, a text, or a tuple of these."""
    if isinstance(value, tuple):
        return all(map(is_constant, value))
    return isinstance(value, KINDS)


def have_changed(dependencies: dict[str, str]) -> bool:
    """Return whether one of them is not what the compiled code of this process contains."""
    return any(FIRST_VALUES.setdefault(name, text) != text for name, text in dependencies.items())
