"""Every public callable refuses arguments of wrong types with the same kind of message.

The tests call every public function, constructor and method with values of wrong types for one
parameter, and with suitable values for the others. The message names the argument, its types and
the type of the value: "cell must be Cell, not str". A refused call changes nothing.
"""

from __future__ import annotations

import inspect
import re
from collections import abc
from collections.abc import Callable, Hashable, Iterator
from fnmatch import fnmatch
from functools import partial
from io import StringIO
from pathlib import Path
from random import Random
from threading import Thread
from types import NoneType, UnionType
from typing import (
    IO,
    Any,
    Literal,
    SupportsFloat,
    SupportsIndex,
    TextIO,
    TypeVar,
    Union,
    get_args,
    get_origin,
    is_typeddict,
)

import pytest
from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import text
from pontedeldiavolo.base.errors import PARSERS
from pontedeldiavolo.base.messages import Catalog, HasCode, HasEnding, HasOutcome
from pontedeldiavolo.base.values import ImmutableValue
from support import public_api
from support.hooks import Converter
from support.public_values import GAME, PAIR, RECORD, STATE
from support.public_values import VALUES as PUBLIC_VALUES
from support.stub_players import PlayoutPlayer

LONGEST = 250


class Nothing:
    """A type that no parameter accepts."""


def wrong_values() -> list[object]:
    """Return values of many types, from which wrong values for a parameter are selected."""
    return [
        *(Nothing(), "d4", b"d4", 7, 2.5, True, None, ["d4"], ("d4",), {"d4": 7}),
        *(pdd.Cell(0, 0), pdd.Seat.FIRST, pdd.Rules(), STATE, GAME, pdd.records.Format.SGF),
        *(pdd.Board().symmetries[1], object),
        # A class has the attributes of its instances, so protocols accept it as one.
        *(float, pdd.Game, pdd.Outcome, pdd.IllegalActionError, pdd.players.RandomPlayer),
    ]


RECEIVERS: list[object] = []
"""Further values whose methods are called, because they have mutable content."""

if "batch" in public_api.submodules():
    GAMES = pdd.batch.GameBatch.initial(pdd.Rules(pdd.Board(3, 3)), 2)
    RECEIVERS += [
        pdd.batch.GamePool.from_games(GAMES, seed=1),
        pdd.players.BatchedSearch(GAMES, simulations=2),
    ]

[HEADER] = (each for each in PUBLIC_VALUES if isinstance(each, pdd.records.Header))
FITTING_VALUES = [
    *(*RECEIVERS, *PUBLIC_VALUES, PlayoutPlayer(), text.Style.ASCII, Random(1), 1, True, "a1", b""),
    *(None, Path("no such file"), GAME.tags, HEADER._game_text),
]
"""A suitable value for every type of a parameter."""

FITTING: dict[str, object] = {
    "ActionSpace.encode.item": PAIR,
    "Game.with_variation.actions": [PAIR],
    "Game.with_variation.path": (0,),
    "Line.replace.part": GAME.line,
    "StepSpace.encode.item": pdd.Pass(),
    "html.replay.games": GAME,
    "json.dumps.value": STATE,
    "json.register_cattrs_hooks.converter": Converter(),
    "players.BatchedSearch.simulations": 1,
    "players.Match.draws": 1,
    "players.Match.losses": 0,
    "players.Match.pairs": (0, 0, 0, 1, 0),
    "players.SequentialTest.after.pairs": (0, 0, 0, 1, 0),
    "players.Tablebase.from_values.values": [0, 0],
    "records.dump.file": StringIO(),
    "records.*.dump.file": StringIO(),
    "records.write.target": StringIO(),
    "testing.strategies.damaged.texts": [RECORD],
    **{f"GameState.from_sets.{each}": 0 for each in ("white", "red", "bridges")},
    **{f"Game.{each}.path": (0,) for each in ("move_at", "state_before", "with_nags")},
    **{f"Game.{each}.path": (0, 0) for each in ("promote", "without")},
    **{f"batch.GameBatch.{each}": [0] for each in ("reset.rows", "step.codes", "take.rows")},
    **{f"batch.GamePool.{each}": [] for each in ("reset.rows", "step.codes")},
    "batch.GameBatch.replace.rows": [],
    **{f"players.BatchedSearch.backup.{each}": [] for each in ("priors", "values")},
    "players.BatchedSearch.advance.steps": [],
}
"""Suitable values for parameters that do not accept every value of their type."""

if "batch" in public_api.submodules():
    PLANES = pdd.batch.planes(pdd.GameState.initial())
    FITTING["batch.transform_planes.planes"] = PLANES
    FITTING["players.Tablebase.from_values.values"] = [0, 0]
    FITTING |= dict.fromkeys(
        ("batch.Playouts.*", "batch.Replays.*", "players.Tablebase.[kv]*"), PLANES
    )

HINTS: dict[str, Any] = {
    # A number is an array as well.
    "players.save_weights.arrays": abc.Mapping[str, Any],
    "ActionSpace.encode.item": pdd.Action,
    "StepSpace.encode.item": pdd.Step,
    # A text of no language is no wrong type, but a fault in data.
    "*.catalog": Catalog | str | None,
    **{
        f"{each}.catalog": Catalog | str
        for each in (
            *(
                "html.replay",
                "json.snapshot",
                "messages.explain",
                "messages.result",
                "messages.word",
            ),
            *("players.annotate", "raster.png", "svg.render"),
        )
    },
}
"""Types of parameters that are more precise than their annotations."""

EXEMPT = {
    "GameState.apply_unchecked.action": "with any other action its result is undefined, by promise",
    "GameState.from_sets_unchecked.*": "with any other sets its result is undefined, by promise",
    "LegalActions.index.*": "the protocol of Python's sequences, with Python's own sentences",
    "LegalSteps.index.*": "the protocol of Python's sequences, with Python's own sentences",
    "text.Span.*": "a plain tuple, as typing.NamedTuple makes it",
}
"""Parameters that are not tested, each with a reason.

Two more kinds are not tested: array-likes, whose errors name the shape and dtype and are tested in
tests/batch, and parameters that accept any object.
"""

WANTED: dict[object, str] = {
    SupportsIndex: "a whole number",
    int: "a whole number",
    SupportsFloat: "a number",
    float: "a number",
    abc.Callable: "callable",
    abc.Iterable: "an iterable of ",
    abc.Sequence: "a sequence of ",
    NoneType: "NoneType",
    IO: "a file",
    TextIO: "a file",
    HasCode: "Violation or PonteError",
    HasEnding: "Game",
    HasOutcome: "Outcome",
}
"""The words of messages for types that they do not name."""

OTHER_WORDS = {
    "json.dumps.value": "a type with documents",
    "json.to_json.value": "a type with documents",
    "testing.conformance.*.command": "str",
}
"""The words of messages about some parameters, which have too many types to name."""


@frozen
class Parameter:
    """A parameter of a public callable."""

    of: str
    name: str
    hint: Any
    call: Callable[..., object]
    others: dict[str, Any]
    """Return suitable arguments for the other required parameters."""

    def __str__(self) -> str:
        return f"{self.of}.{self.name}"


def entry(table: dict[str, Any], of: str, name: str) -> Any:
    """Return the entry of a table for a parameter; full names take precedence over patterns."""
    full = f"{of}.{name}"
    patterns = (full, *(key for key in table if fnmatch(full, key)))
    return next((table[key] for key in patterns if key in table), None)


# Types


def union_of(hint: object) -> tuple[Any, ...]:
    """Return the types that a hint allows."""
    if get_origin(hint) in (Union, UnionType):
        return tuple(each for part in get_args(hint) for each in union_of(part))
    return (hint,)


def is_array_like(hint: object) -> bool:
    """Return whether a type includes array-likes or dtype-likes."""
    kinds = [get_origin(kind) or kind for kind in union_of(hint)]
    others = [kind for kind in kinds if getattr(kind, "__name__", "") != "ndarray"]
    return any(getattr(kind, "__module__", "").startswith("numpy") for kind in others)


def accepts(hint: Any, value: Any) -> bool:  # noqa: C901, PLR0911, PLR0912 - a table of types
    """Return whether a parameter with this annotation accepts a value."""
    origin = get_origin(hint) or hint
    parts = get_args(hint)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if origin in (Union, UnionType):
        return any(accepts(part, value) for part in parts)
    if origin in (object, Any):
        return True
    if origin in (None, NoneType):
        return value is None
    if origin in (SupportsIndex, int):
        return is_number and isinstance(value, int)
    if origin in (SupportsFloat, float):
        return is_number
    if origin is Literal:
        return any(type(value) is type(part) for part in parts)
    if origin is abc.Callable:
        return callable(value)
    if origin is type:
        return isinstance(value, type)
    if origin is abc.Mapping:
        return isinstance(value, abc.Mapping) and all(
            accepts(parts[0], key) and accepts(parts[1], each)
            for key, each in value.items()
            if parts[0] is not Hashable
        )
    if origin is tuple and isinstance(value, tuple) and parts[1:] != (...,):
        # A wrong length is a wrong value, not a wrong type.
        fits = [accepts(part, each) for part, each in zip(parts, value, strict=False)]
        return len(value) != len(parts) or all(fits)
    if origin in (abc.Iterable, abc.Sequence, tuple):
        is_text = isinstance(value, str | bytes)
        is_right = not is_text and isinstance(value, origin)
        return is_right and all(accepts(parts[0], each) for each in value)
    if isinstance(value, type):
        return False
    is_protocol = getattr(origin, "_is_protocol", False)
    if is_protocol and not getattr(origin, "_is_runtime_protocol", False):
        return False
    return isinstance(value, origin)


def tried(hint: Any) -> Iterator[object]:
    """Yield values that a parameter must refuse, alone or inside a suitable value."""
    yield from (value for value in wrong_values() if not accepts(hint, value))
    for kind in union_of(hint):
        origin = get_origin(kind)
        parts = get_args(kind)
        if origin in (abc.Iterable, abc.Sequence, tuple):
            count = 1 if origin is not tuple or parts[1:] == (...,) else len(parts)
            for value in wrong_values():
                items = (value,) * count
                whole = items if origin is tuple else [*items]
                is_right = accepts(hint, whole) and origin is not tuple
                if not accepts(parts[0], value) and not is_right:
                    yield whole
        if origin is abc.Mapping and parts[0] is not Hashable:
            keys = (7, None, pdd.Cell(0, 0))
            yield from ({key: None} for key in keys if not accepts(parts[0], key))


def words_for(hint: object) -> Iterator[str]:
    """Yield the words with which a message names the types of a hint."""
    for kind in union_of(hint):
        origin = get_origin(kind) or kind
        parts = get_args(kind)
        if isinstance(origin, TypeVar):
            yield from words_for(origin.__bound__)
        elif origin is Literal:
            yield from {type(part).__name__ for part in parts}
        else:
            yield WANTED.get(origin, getattr(origin, "__name__", "?"))
            for part in parts if origin is not abc.Callable else ():
                if part is not ...:
                    yield from words_for(part)


def names_of_types(value: object) -> set[str]:
    """Return the names of the types of a value and of its items."""
    found = {type(value).__name__}
    if isinstance(value, abc.Mapping):
        found |= {type(each).__name__ for each in (*value.keys(), *value.values())}
    elif isinstance(value, list | tuple):
        found |= {type(each).__name__ for each in value}
    return found


# Calls


def fitting(of: str, name: str, hint: object) -> object:
    found = entry(FITTING, of, name)
    if found is not None:
        return found
    for kind in union_of(hint):
        origin = get_origin(kind) or kind
        if origin in (abc.Iterable, abc.Sequence, tuple):
            return ()
        if origin is abc.Mapping or is_typeddict(origin):
            return {}
        if origin is Literal:
            return get_args(kind)[0]
        for value in FITTING_VALUES:
            if isinstance(origin, type) and isinstance(value, origin):
                return value
    raise LookupError(f"add a value for {of}.{name}: {hint}")


def parameters_of(of: str, call: Callable[..., object]) -> list[Parameter]:
    """Return the parameters of a callable, without exempt ones."""
    given = {
        each.name: each.replace(annotation=entry(HINTS, of, each.name) or each.annotation)
        for each in inspect.signature(call, eval_str=True).parameters.values()
        if each.kind is not each.VAR_POSITIONAL
    }
    asked = [
        each
        for each in given.values()
        if each.annotation is not object
        and not is_array_like(each.annotation)
        and entry(EXEMPT, of, each.name) is None
    ]
    if not asked:
        return []
    required = [
        each
        for each in given.values()
        if each.default is each.empty and each.kind is not each.VAR_KEYWORD
    ]
    # If there is only one argument, the wrong value replaces it.
    is_single = len(required) == len(given) == 1
    needed = {
        each.name: fitting(of, each.name, each.annotation)
        for each in (() if is_single else required)
    }
    return [
        Parameter(
            of,
            each.name,
            each.annotation,
            partial(called, call, each),
            {name: value for name, value in needed.items() if name != each.name},
        )
        for each in asked
    ]


def called(
    call: Callable[..., object], parameter: inspect.Parameter, value: object, /, **others: object
) -> object:
    """Call a callable with a value, and exhaust an iterator that it returns."""
    if parameter.kind is parameter.POSITIONAL_ONLY:
        result = call(value, **others)
    else:
        result = call(**others, **{parameter.name: value})
    return list(result) if isinstance(result, Iterator) else result


def holder_of(kind: type) -> object:
    found = next((value for value in FITTING_VALUES if isinstance(value, kind)), None)
    assert found is not None, f"add a value of {kind.__name__}"
    return found


def callables() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield all public callables by name."""
    values = public_api.public_values() | public_api.values_of("adapters", pdd.adapters)
    yield from public_api.functions_among(values).items()
    for name, kind in public_api.classes_among(values).items():
        if getattr(kind, "_is_protocol", False) or is_typeddict(kind):
            continue
        if public_api.has_constructor(kind):
            yield name, kind
        if kind in (pdd.Geometry, pdd.Pieces):
            # Engines call their methods millions of times: they promise no checks.
            continue
        if name.startswith("adapters."):
            # The protocol of a framework prescribes their methods, which tests/adapters checks.
            continue
        for method, _ in public_api.public_methods(kind):
            is_of_class = inspect.ismethod(getattr(kind, method))
            yield f"{name}.{method}", getattr(kind if is_of_class else holder_of(kind), method)


PARAMETERS = [each for name, call in callables() for each in parameters_of(name, call)]
BY_CALL: dict[str, list[Parameter]] = {}
for found in PARAMETERS:
    BY_CALL.setdefault(found.of, []).append(found)


def test_the_tested_parameters_include_known_ones() -> None:
    names = {str(each) for each in PARAMETERS}
    assert {"Cell.column", "Game.play.action", "perft.depth", "text.render.drawable"} <= names
    assert {"GameState.initial.rules", "Setup.white", "messages.explain.catalog"} <= names
    assert {"records.loads.text", "records.sgf.loads.text", "json.loads.text"} <= names
    assert {"svg.render.theme", "html.replay.games", "testing.strategies.states.phase"} <= names
    assert {"players.match.folder", "testing.conformance.run.command"} <= names


@pytest.mark.parametrize("pattern", EXEMPT)
def test_exempt_parameters_exist(pattern: str) -> None:
    of, _, name = pattern.rpartition(".")
    call = next(call for each, call in callables() if each == of)
    assert name == "*" or name in inspect.signature(call).parameters


@pytest.mark.parametrize("of", BY_CALL)
def test_a_wrong_type_is_refused(of: str) -> None:
    for parameter in BY_CALL[of]:
        for value in tried(parameter.hint):
            with pytest.raises(TypeError) as caught:
                parameter.call(value, **parameter.others)
            assert_helps(str(caught.value), parameter, value)


def assert_helps(sentence: str, parameter: Parameter, value: object) -> None:
    """Check that a message names the argument, one of its types, and the type of the value."""
    about = rf"(a key of )?{parameter.name}(\[.*\])?"
    if is_source(parameter.hint):
        # A message about a file names no item, because lines are read one by one.
        about = rf"({about}|a line of the file)"
    said = re.match(rf"{about} must be (?P<wanted>.+), not (?P<given>\w+)(: use .+)?$", sentence)
    assert said is not None, f"{parameter}: {sentence}"
    assert said["given"] in names_of_types(value), f"{parameter}: {sentence}"
    words = [entry(OTHER_WORDS, parameter.of, parameter.name) or "", *words_for(parameter.hint)]
    assert any(word and word in said["wanted"] for word in words), f"{parameter}: {sentence}"
    assert len(sentence) < LONGEST


def is_source(hint: object) -> bool:
    """Return whether an argument is a source of games."""
    return any(get_origin(kind) is IO for kind in union_of(hint))


# Refused calls change nothing


def contents(value: object, depth: int = 4) -> object:
    """Return the whole content of an object in a comparable form."""
    if type(value).__module__ == "numpy":
        return repr(value.dtype), value.tobytes()  # type: ignore[attr-defined]
    if isinstance(value, Random):
        return value.getstate()
    if isinstance(value, list | tuple):
        return type(value), [contents(each, depth) for each in value]
    if isinstance(value, Thread | ImmutableValue) or depth == 0:
        return id(value)
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    names = [*getattr(value, "__dict__", ()), *slots]
    if not names or not public_api.is_ours(type(value)):
        return repr(value)
    parts = {name: getattr(value, name) for name in names if hasattr(value, name)}
    return {name: contents(part, depth - 1) for name, part in parts.items()}


MUTABLE = {
    name: call
    for name, call in callables()
    if inspect.ismethod(call)
    and not isinstance(call.__self__, type)
    and not isinstance(call.__self__, ImmutableValue | pdd.PonteError)
}


@pytest.mark.parametrize("of", [of for of in BY_CALL if of in MUTABLE])
def test_a_refusal_changes_nothing(of: str) -> None:
    receiver = MUTABLE[of].__self__
    for parameter in BY_CALL[of]:
        before = contents(receiver)
        for value in tried(parameter.hint):
            with pytest.raises(TypeError):
                parameter.call(value, **parameter.others)
        assert contents(receiver) == before


# Messages


def test_the_functions_that_read_texts_are_there() -> None:
    classes = {name.rpartition(".")[2] for name in public_api.public_classes()}
    assert {*PARSERS} <= classes
    for call in PARSERS.values():
        found: object = pdd
        for name in call.partition("(")[0].split("."):
            found = getattr(found, name)
        assert callable(found)


def test_an_error_about_a_text_names_its_parser() -> None:
    state = pdd.GameState.initial()
    wrong: Any = "d4,g7"
    half = state.step(pdd.parse_step("d4"))
    of_state: list[Callable[[Any], object]] = [
        *(state.apply, state.effects, state.is_legal, state.violations, state.step),
    ]
    for call in of_state:
        with pytest.raises(TypeError, match=r", not str: use .*\bparse_action\b"):
            call(wrong)
    of_half_turn: list[Callable[[Any], object]] = [half.step, half.is_legal, half.violations]
    for call in of_half_turn:
        with pytest.raises(TypeError, match=r"^step must be .*, not str: use .*\bparse_step\b"):
            call(wrong)
    with pytest.raises(TypeError, match=r"^seat must be Seat, not str: use Seat\('first'\)$"):
        pdd.Game.new().resign("first")  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(TypeError, match=r"^highlights\[0\] must be Cell, not str: use parse_cell$"):
        pdd.svg.render(state, highlights=["d4"])  # type: ignore[list-item]  # the point of the test
    with pytest.raises(TypeError, match=r"^drawable must be .*, not str: use .*\bparse_setup\b"):
        pdd.svg.render("w . r")  # type: ignore[arg-type]  # the point of the test


def test_a_catalogue_is_given_as_such_or_by_the_code_of_its_language() -> None:
    [violation] = pdd.GameState.initial().violations(pdd.Pass())
    german = pdd.messages.LANGUAGES["de"]
    assert pdd.messages.explain(violation, german) == pdd.messages.explain(violation, "de")
    assert pdd.messages.explain(violation, "en") == pdd.messages.explain(violation)
    with pytest.raises(TypeError, match=r"^catalog must be Mapping or 'en' or 'de', not int$"):
        pdd.messages.explain(violation, 7)  # type: ignore[arg-type]  # the point of the test


CATALOGS = [each for each in PARAMETERS if each.name == "catalog"]


def test_functions_with_a_catalogue_are_found() -> None:
    found = {each.of for each in CATALOGS}
    assert {"messages.explain", "json.snapshot", "svg.render", "html.replay"} <= found
    assert {"messages.result", "messages.word", "players.annotate", "raster.png"} <= found


@pytest.mark.parametrize("parameter", CATALOGS, ids=str)
@pytest.mark.parametrize("language", ["fr", "de-AT", "DE", "", "../en", "\ud800", "x" * 10_000])
def test_an_unknown_language_is_an_error_of_data(parameter: Parameter, language: str) -> None:
    with pytest.raises(pdd.PonteError) as caught:
        parameter.call(language, **parameter.others)
    assert caught.value.code == "unknown-language"
    assert caught.value.values["names"] == "en, de"
    assert str(caught.value).isascii()
    assert len(pdd.messages.explain(caught.value, "de")) < LONGEST
