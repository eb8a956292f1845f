"""The docstrings say the values of defaults that signatures show as names."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

import pontedeldiavolo as pdd

pytest.importorskip("numba", reason="not installed: numba")

MODULES = (pdd, pdd.batch, pdd.html, pdd.json, pdd.players, pdd.records, pdd.svg, pdd.text)
UNITS = {1 << 30: "GiB", 1 << 20: "MiB"}


def functions(module: ModuleType) -> Iterator[tuple[str, FunctionType, str]]:
    """Yield public functions, constructors and methods, with the docstrings of their arguments."""
    for name in module.__all__:
        found: Any = getattr(module, name)
        if inspect.isfunction(found):
            yield name, found, inspect.getdoc(found) or ""
        elif inspect.isclass(found) and found.__module__.startswith("pontedeldiavolo"):
            for member, each in vars(found).items():
                function = getattr(each, "__func__", each)
                if inspect.isfunction(function) and (member == "__init__" or member[0] != "_"):
                    owner = found if member == "__init__" else function
                    yield f"{name}.{member}", function, inspect.getdoc(owner) or ""


def named_defaults(function: FunctionType) -> dict[str, float]:
    """Return the numbers that are defaults and have a name in the source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except OSError:  # attrs has written it
        return {}
    definition = next(each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
    given = definition.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(reversed(positional), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    values = inspect.signature(function).parameters
    return {
        argument.arg: values[argument.arg].default
        for argument, default in pairs
        if isinstance(default, ast.Name) and type(values[argument.arg].default) in (int, float)
    }


def shown(value: float) -> str:
    """Return a number as docstrings write it."""
    for size, unit in UNITS.items():
        if value >= size and value % size == 0:
            return f"{value / size:g} {unit}"
    return f"{value:,}".removesuffix(".0")


FOUND = [
    (f"{module.__name__}.{name}", argument, value, text)
    for module in MODULES
    for name, function, text in functions(module)
    for argument, value in named_defaults(function).items()
]


def test_named_defaults_are_found() -> None:
    names = {(name.partition(".")[2], argument) for name, argument, _, _ in FOUND}
    assert ("players.BatchedSearch.__init__", "exploration") in names
    assert ("players.match", "openings") in names
    assert len(names) > 6


@pytest.mark.parametrize(
    ("argument", "value", "text"),
    [pytest.param(*each[1:], id=f"{each[0]}-{each[1]}") for each in FOUND],
)
def test_the_description_of_an_argument_has_its_default(
    argument: str, value: float, text: str
) -> None:
    described = re.search(rf"(?ms)^ +{argument}: (.*?)(?=^ {{1,4}}\w+: |^\S|\Z)", text)
    assert described is not None
    assert re.search(
        rf"\bby default {re.escape(shown(value))}(?![\d.,]*\d)", " ".join(described[1].split())
    )
