"""The annotations of all public callables can be evaluated at run time."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import attrs
import pytest

import pontedeldiavolo as pdd
from support.public_api import functions_of, public_classes, public_functions, public_values


def is_written_by_attrs(function: FunctionType) -> bool:
    """Return whether attrs has generated a function, which has no annotations of ours."""
    return not Path(function.__code__.co_filename).is_relative_to(Path(pdd.__file__).parent)


CLASSES = public_classes()
FUNCTIONS = {
    **public_functions(),
    **{
        f"{name}.{method}": function
        for name, kind in CLASSES.items()
        for method, function in functions_of(kind)
        if method == "__init__" or not is_written_by_attrs(function)
    },
}
PUBLIC = public_values().items()
ALIASES = {name: value for name, value in PUBLIC if get_args(value) and not isinstance(value, type)}
UNIONS = [name for name, value in ALIASES.items() if get_origin(value) in (Union, UnionType)]
ARRAY = "numpy.ndarray"
"""A type that contains Any in NumPy's own definition."""


def parts(hint: object) -> Iterator[object]:
    """Yield a type and all types inside it."""
    yield hint
    origin = get_origin(hint)
    if f"{getattr(origin, '__module__', '')}.{getattr(origin, '__name__', '')}" == ARRAY:
        return
    for part in get_args(hint):
        for each in part if isinstance(part, list) else but_for_arrays(part):
            yield from parts(each)


def but_for_arrays(hint: object) -> tuple[object, ...]:
    """Return the members of a union, without those of NumPy's array-likes if all are there."""
    numpy = sys.modules.get("numpy.typing")
    allowed = get_args(hint)
    is_union = get_origin(hint) in (Union, UnionType)
    if numpy is None or not is_union or not {*get_args(numpy.ArrayLike)} <= {*allowed}:
        return (hint,)
    return tuple(each for each in allowed if each not in get_args(numpy.ArrayLike))


def assert_says_all(hints: dict[str, Any], names: Iterator[str] | list[str]) -> None:
    """Check that every parameter has a type, and that no type is Any."""
    for name in names:
        assert name in hints
        for hint in but_for_arrays(hints[name]):
            assert Any not in parts(hint), name


def test_the_tested_names_include_known_ones() -> None:
    assert len(CLASSES) > len(ALIASES) > 0
    assert {"Cell", "GameState", "HalfTurn", "text.Span"} <= {*CLASSES}
    assert {"perft", "presets.by_name", "text.render", "Cell.__init__", "Game.play"} <= {*FUNCTIONS}
    assert {"Action", "Step", "Node"} <= {*UNIONS}
    assert {*ALIASES} - {*UNIONS} == set()


@pytest.mark.parametrize("name", CLASSES)
def test_types_of_attributes_are_found(name: str) -> None:
    kind = CLASSES[name]
    hints = get_type_hints(kind)
    if attrs.has(kind):
        attrs.resolve_types(kind)
        fields = attrs.fields(kind)
        assert [field.type for field in fields] == [hints[field.name] for field in fields]
        assert_says_all(hints, [field.name for field in fields])


@pytest.mark.parametrize("owner", dict.fromkeys(name.partition(".")[0] for name in FUNCTIONS))
def test_types_of_functions_methods_and_properties_are_found(owner: str) -> None:
    for name in (each for each in FUNCTIONS if each.partition(".")[0] == owner):
        function = FUNCTIONS[name]
        signature = inspect.signature(function, eval_str=True)
        names = list(signature.parameters)
        first = names[:1] if "." in name and names[:1] in (["self"], ["cls"]) else []
        hints = get_type_hints(function)
        given = [each for each in names if each not in first]
        assert_says_all(hints, [*given, "return"])
        annotations = [signature.parameters[each].annotation for each in given]
        assert [hints[each] for each in given] == annotations, name


@pytest.mark.parametrize("name", UNIONS)
def test_aliases_are_unions_that_isinstance_takes(name: str) -> None:
    assert all(isinstance(part, type) for part in get_args(ALIASES[name]))
    assert not isinstance(object(), ALIASES[name])  # type: ignore[arg-type]


def test_a_plain_converter_takes_values_apart() -> None:
    cattrs = pytest.importorskip("cattrs")
    state = pdd.GameState.initial()
    half = state.step(pdd.PlaceTile(pdd.Cell(2, 3)))
    apart = cattrs.Converter().unstructure(half)
    assert apart["placed_tile"] == {"column": 2, "row": 3}
    assert apart["state"]["phase"] == "opening"
    rules = {"tiles_per_color": None, "bridges": None, "tiebreaks": ["islands", "bridges"]}
    assert apart["state"]["rules"] == {"board": {"width": 10, "height": 10}, **rules}
