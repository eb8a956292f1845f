"""Find the public names, classes and functions of the package."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from types import FunctionType, ModuleType
from typing import Any

import pontedeldiavolo as pdd

PACKAGE = pdd.__name__


def submodules() -> dict[str, ModuleType]:
    """Return the lazy submodules that can be imported here, by name."""
    found = {name: getattr(pdd, name) for name in sorted(set(dir(pdd)) - set(pdd.__all__))}
    return {
        name: submodule for name, submodule in found.items() if isinstance(submodule, ModuleType)
    }


def public_values() -> dict[str, object]:
    """Return all public values by the names of users, such as ``Cell`` or ``text.render``."""
    found: dict[str, object] = {name: getattr(pdd, name) for name in pdd.__all__}
    for submodule, module in submodules().items():
        # Adapters have types of frameworks, some of which cannot be evaluated.
        found |= values_of(submodule, module, enters=module is not getattr(pdd, "adapters", None))
    return found


def values_of(path: str, module: ModuleType, *, enters: bool = True) -> dict[str, object]:
    """Return all public values of a module and of its public submodules."""
    found: dict[str, object] = {}
    entered = {*module.__all__} & {*dir(module)}  # the extra of this value is not installed
    for name in sorted(entered):
        value = getattr(module, name)
        found[f"{path}.{name}"] = value
        if isinstance(value, ModuleType) and enters:
            found |= values_of(f"{path}.{name}", value)
    return found


def public_classes() -> dict[str, type]:
    """Return the public classes, without aliases of built-in types."""
    return classes_among(public_values())


def classes_among(values: dict[str, object]) -> dict[str, type]:
    """Return the classes of the package among some values."""
    return {
        name: value for name, value in values.items() if isinstance(value, type) and is_ours(value)
    }


def is_ours(value: object) -> bool:
    """Return whether the package defines a class or function."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] == PACKAGE


def public_functions() -> dict[str, FunctionType]:
    """Return the public functions, without methods."""
    return functions_among(public_values())


def functions_among(values: dict[str, object]) -> dict[str, FunctionType]:
    """Return the functions of the package among some values."""
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, FunctionType) and is_ours(value)
    }


def functions_of(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield all functions of a class, including inherited ones and those of properties."""
    for name in dir(kind):
        function = function_behind(inspect.getattr_static(kind, name))
        if function is not None and is_ours(function):
            yield name, function


def function_behind(member: object) -> FunctionType | None:
    """Return the function behind a member of a class, or ``None``."""
    if isinstance(member, property):
        member = member.fget
    elif isinstance(member, cached_property):
        member = member.func
    elif isinstance(member, (classmethod, staticmethod)):
        member = member.__func__
    return member if isinstance(member, FunctionType) else None


def public_methods(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Yield the methods that users call, without properties and operators."""
    for name, function in functions_of(kind):
        member = inspect.getattr_static(kind, name)
        is_method = isinstance(member, (FunctionType, classmethod, staticmethod))
        if is_method and not name.startswith("_"):
            yield name, function


def has_constructor(kind: type) -> bool:
    """Return whether users call a class to create its values."""
    return not issubclass(kind, Enum) and not getattr(kind, "_is_protocol", False)


Call = Callable[..., Any]
