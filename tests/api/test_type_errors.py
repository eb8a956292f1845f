"""Arguments of a wrong type, wherever one can be handed in: refused, never answered.

Everything public is called once for each of its parameters, with fitting values for all others.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import pytest
from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import text
from support import public_api
from support.public_values import GAME, PAIR
from support.public_values import VALUES as PUBLIC_VALUES
from support.stub_players import PlayoutPlayer

LONGEST = 200


class Nothing:
    """Of no type that anything takes, and with no method that anything could use."""


VALUES = [*PUBLIC_VALUES, PlayoutPlayer(), text.Style.ASCII, Random(1), 1, True, "a1", b"", None]
"""A value of every type that is asked for."""

FITTING: dict[str, object] = {
    "ActionSpace.encode.item": PAIR,
    "Game.with_variation.actions": [PAIR],
    "Line.replaced.part": GAME.line,
    "StepSpace.encode.item": pdd.Pass(),
    "messages.explain_all.violations": [pdd.Violation(pdd.Rule.GAME_OVER)],
    "players.BatchedSearch.simulations": 1,
    "players.Tablebase.from_values.values": [0, 0],
    **{f"Game.{each}.path": (0,) for each in ("move_at", "state_before", "with_glyphs")},
    **{f"Game.{each}.path": (0, 0) for each in ("promote", "without")},
    "Game.with_variation.path": (0,),
    **{f"Symmetry.require_board.{side}": 10 for side in ("height", "width")},
    **{f"batch.GameBatch.{each}": [0] for each in ("restarted.rows", "step.steps", "take.rows")},
    **{f"batch.GamePool.{each}": [] for each in ("restart.rows", "step.codes")},
    "batch.GameBatch.replaced.rows": [],
    **{f"players.BatchedSearch.backup.{each}": [] for each in ("priors", "values")},
    "players.BatchedSearch.advance.steps": [],
    "players.save_network.sizes": [1, 1, 1, 1],
    "players.save_network.places": [0],
    "players.save_network.layers": [],
}
"""Arguments that not every value of their type will do for."""

if "batch" in public_api.submodules():
    FITTING["batch.transform_planes.planes"] = pdd.batch.planes(pdd.GameState.initial())

MADE_ELSEWHERE = {
    *("LegalActions", "LegalSteps", "batch.Playouts", "batch.Replays"),
    # An error says what it is told, and a piece of a picture is a plain tuple.
    *("InvalidRulesError", "NotationError", "PonteError", "RecordError", "text.Span"),
    *("batch.RowError", "players.Solution", "players.Tablebase"),
}
"""Classes whose values are the package's own to make."""

UNCHECKED = {
    # Promised to be undefined.
    "GameState.apply_unchecked.action",
    # Python's own protocol of sequences, with Python's own sentences.
    *("LegalActions.index.start", "LegalActions.index.stop"),
    *("LegalSteps.index.start", "LegalSteps.index.stop"),
}

ELSEWHERE = ("json.", "records.")
"""Submodules whose arguments are files, texts and foreign data, with tests of their own."""


@frozen
class Parameter:
    """A parameter of something public, and how to call that."""

    of: str
    name: str
    hint: Any
    call: Callable[..., object]
    others: dict[str, Any]
    """Return arguments for the other required parameters."""

    def __str__(self) -> str:
        return f"{self.of}.{self.name}"


def union_of(hint: object) -> tuple[Any, ...]:
    """Return the types that a hint allows."""
    if isinstance(hint, TypeVar):
        return (hint,)
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def fitting(of: str, name: str, hint: object) -> object:
    if f"{of}.{name}" in FITTING:
        return FITTING[f"{of}.{name}"]
    for kind in union_of(hint):
        origin = get_origin(kind) or kind
        if origin in (Iterable, Sequence, tuple):
            return ()
        if origin is Mapping:
            return {}
        for value in VALUES:
            if isinstance(value, origin):
                return value
    raise LookupError(f"add a value for {of}.{name}: {hint}")


def wrong(hint: object) -> list[object]:
    kinds = union_of(hint)
    found: list[object] = [Nothing()]
    if NoneType not in kinds:
        found.append(None)
    if any(get_origin(kind) is Mapping and get_args(kind)[0] is str for kind in kinds):
        found += [[], {1: "a"}, {"a": Nothing()}]
    if any(get_origin(kind) in (Iterable, Sequence) for kind in kinds):
        found.append([Nothing()])
    if any(get_origin(kind) is tuple for kind in kinds):
        found += [[], (Nothing(),)]
    return found


def parameters_of(of: str, call: Callable[..., object]) -> list[Parameter]:
    """Return what can be handed in to a call; what takes any object, or its truth, is left out."""
    given = {
        each.name: each
        for each in inspect.signature(call, eval_str=True).parameters.values()
        if f"{of}.{each.name}" not in UNCHECKED and each.annotation not in (bool, object)
    }
    required = (each for each in given.values() if each.default is each.empty)
    needed = {each.name: fitting(of, each.name, each.annotation) for each in required}
    return [
        Parameter(of, name, each.annotation, call, {k: v for k, v in needed.items() if k != name})
        for name, each in given.items()
    ]


def parameters() -> list[Parameter]:
    found: list[Parameter] = []
    for name, function in public_api.public_functions().items():
        if not name.startswith(ELSEWHERE):
            found += parameters_of(name, function)
    for name, kind in public_api.public_classes().items():
        if name.startswith(ELSEWHERE):
            continue
        if public_api.has_constructor(kind) and name not in MADE_ELSEWHERE:
            found += parameters_of(name, kind)
        for method, _ in public_api.public_methods(kind):
            holder: object = kind
            if not inspect.ismethod(getattr(kind, method)):
                holder = next(value for value in VALUES if isinstance(value, kind))
            found += parameters_of(f"{name}.{method}", getattr(holder, method))
    return found


PARAMETERS = parameters()


def test_everything_is_called() -> None:
    names = {str(each) for each in PARAMETERS}
    assert {"Cell.column", "Game.play.action", "perft.depth", "text.render.drawable"} <= names
    assert {"GameState.initial.rules", "Setup.white", "messages.explain.catalog"} <= names


REFUSALS = (TypeError, AttributeError, LookupError, pdd.PonteError)
ITEM = (
    r"an? [\w' ]+|the (annotation|tag|value) \w+|(batch|record|state) \d"
    "|action|bridge|cell|glyph|move|tie-break|variation|violation"
)
"""The names of parts of an argument in sentences."""


@pytest.mark.parametrize("of", dict.fromkeys(each.of for each in PARAMETERS))
def test_a_wrong_type_is_never_answered(of: str) -> None:
    for parameter in (each for each in PARAMETERS if each.of == of):
        for value in wrong(parameter.hint):
            with pytest.raises(REFUSALS) as caught:
                parameter.call(**parameter.others, **{parameter.name: value})
            said = str(caught.value)
            if " must be " in said:
                assert re.match(rf"('?{parameter.name}'?|{ITEM}) must be ", said), said
            assert len(said) < LONGEST
            assert "\n" not in said
