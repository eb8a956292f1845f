"""The public face of the package, found by looking at it: names, classes, what can be called."""

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
    """Return everything public by its name as users write it: ``Cell``, ``text.render``."""
    found: dict[str, object] = {name: getattr(pdd, name) for name in pdd.__all__}
    for submodule, module in submodules().items():
        # The types of adapters are those of frameworks, which cannot all be evaluated.
        found |= values_of(submodule, module, enters=module is not getattr(pdd, "adapters", None))
    return found


def values_of(path: str, module: ModuleType, *, enters: bool = True) -> dict[str, object]:
    """Return everything public in a module, and in the public modules below it."""
    found: dict[str, object] = {}
    entered = {*module.__all__} & {*dir(module)}  # what needs more than is installed is not
    for name in sorted(entered):
        value = getattr(module, name)
        found[f"{path}.{name}"] = value
        if isinstance(value, ModuleType) and enters:
            found |= values_of(f"{path}.{name}", value)
    return found


def public_classes() -> dict[str, type]:
    """Return the public classes; an alias of a built-in type is none of them."""
    return classes_among(public_values())


def classes_among(values: dict[str, object]) -> dict[str, type]:
    """Return the classes of ours among some values."""
    return {
        name: value for name, value in values.items() if isinstance(value, type) and is_ours(value)
    }


def is_ours(value: object) -> bool:
    """Tell whether a class or function was made in the package."""
    return (getattr(value, "__module__", None) or "").partition(".")[0] == PACKAGE


def public_functions() -> dict[str, FunctionType]:
    """Return the public functions, those of classes aside."""
    return functions_among(public_values())


def functions_among(values: dict[str, object]) -> dict[str, FunctionType]:
    """Return the functions of ours among some values."""
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, FunctionType) and is_ours(value)
    }


def functions_of(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Iterate over all functions that make up a class, inherited ones, and those of properties."""
    for name in dir(kind):
        function = function_behind(inspect.getattr_static(kind, name))
        if function is not None and is_ours(function):
            yield name, function


def function_behind(member: object) -> FunctionType | None:
    """Return the function that a member of a class is made of, if it is."""
    if isinstance(member, property):
        member = member.fget
    elif isinstance(member, cached_property):
        member = member.func
    elif isinstance(member, (classmethod, staticmethod)):
        member = member.__func__
    return member if isinstance(member, FunctionType) else None


def public_methods(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Iterate over what users call on a class or its values, properties and operators aside."""
    for name, function in functions_of(kind):
        member = inspect.getattr_static(kind, name)
        is_method = isinstance(member, (FunctionType, classmethod, staticmethod))
        if is_method and not name.startswith("_"):
            yield name, function


def has_constructor(kind: type) -> bool:
    """Tell whether a class is called to make its values."""
    return not issubclass(kind, Enum) and not getattr(kind, "_is_protocol", False)


Call = Callable[..., Any]
