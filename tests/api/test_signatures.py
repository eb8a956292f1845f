"""The signatures that ``help()`` shows are real, correct and short enough to read."""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Callable, Iterator
from typing import Any, get_origin

import pytest

import pontedeldiavolo as pdd
from support import public_api

LONGEST = 500
"""The maximum length of a signature; svg.render and raster.png are as long."""

LONG = {"svg.Theme": "it has a parameter for each of its 28 colours"}
"""Longer signatures, each with a reason."""

UNHELPFUL = re.compile(r"NOTHING|functools\.partial|<bound method|<object object|\bat 0x|'T'")
"""Texts in signatures that users do not understand: internals of Python, attrs and this package."""


def callables() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield all public callables by name."""
    for name, value in public_api.public_values().items():
        if callable(value) and get_origin(value) is None:
            yield name, value
    for name, kind in public_api.public_classes().items():
        for method, _ in public_api.public_methods(kind):
            yield f"{name}.{method}", getattr(kind, method)


CALLABLES = dict(callables())


def test_the_functions_of_all_formats_are_among_them() -> None:
    assert {"records.loads", "records.sgf.iter_games", "svg.render", "Rules", "perft"} <= {
        *CALLABLES
    }


@pytest.mark.parametrize("name", CALLABLES)
def test_a_signature_can_be_read(name: str) -> None:
    value = CALLABLES[name]
    if inspect.isclass(value) and not public_api.has_constructor(value):
        return
    signature = str(inspect.signature(value))
    assert len(signature) <= LONGEST or name in LONG, signature
    assert not UNHELPFUL.search(signature), signature
    assert len(repr(value)) <= LONGEST


@pytest.mark.parametrize("name", [*public_api.public_values()])
def test_public_functions_are_functions(name: str) -> None:
    value: Any = public_api.public_values()[name]
    if callable(value) and not inspect.isclass(value) and get_origin(value) is None:
        assert inspect.isfunction(value), value


@pytest.mark.parametrize("path", ["", "sgf.", "boardspace.", "abstract_play."])
def test_readers_say_what_they_return(path: str) -> None:
    returned = {
        name: inspect.signature(CALLABLES[f"records.{path}{name}"]).return_annotation
        for name in ("load", "loads", "iter_games")
    }
    assert returned == {
        "load": "Game",
        "loads": "Game",
        "iter_games": "Iterator[Game | RecordError]",
    }


def test_help_shows_values_in_place_of_insides() -> None:
    shown = pydoc.plain(pydoc.render_doc(pdd.svg.render))
    assert "theme: 'Theme' = svg.LIGHT" in shown
    shown = pydoc.plain(pydoc.render_doc(pdd.Rules))
    assert "board: 'Board' = Board(width=10, height=10)" in shown
    shown = pydoc.plain(pydoc.render_doc(pdd.records.loads))
    # Newer versions of Python break long signatures into lines.
    assert re.search(r"loads\(\s*text: 'str \| bytes',", shown)
    assert "-> 'Game'" in shown


@pytest.mark.parametrize("name", public_api.public_classes())
def test_help_shows_no_constructor_of_attrs(name: str) -> None:
    assert "__attrs_init__" not in dir(public_api.public_classes()[name])


def test_named_themes_are_shown_by_their_names() -> None:
    assert [repr(theme) for theme in (pdd.svg.LIGHT, pdd.svg.DARK, pdd.svg.PRINT)] == [
        *("svg.LIGHT", "svg.DARK", "svg.PRINT")
    ]
    assert repr(pdd.svg.Theme(red="#5A189A")) == "Theme(red='#5a189a')"
    assert eval(repr(pdd.svg.Theme(water="#000000")), {"Theme": pdd.svg.Theme}) == pdd.svg.Theme(  # noqa: S307
        water="#000000"
    )
