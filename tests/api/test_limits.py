"""Every public reader refuses texts and data beyond its limits, and can be told other limits."""

from __future__ import annotations

import inspect
import json as standard
import time
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any, Final

import pytest
from attrs import field, frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import json, records
from pontedeldiavolo.json.kinds import Value
from pontedeldiavolo.records import Format, abstract_play, boardspace, sgf
from support import public_api
from support.checks import error_of
from support.hooks import Converter
from support.samples import new_report

MOST: Final = 1_000_000
"""The number of characters that readers take by default."""

MAX_SECONDS: Final = 20.0
"""The processor time in which ten million characters are refused; quadratic time takes hours."""

STATE = pdd.GameState.initial(pdd.Rules(pdd.Board(2, 2)))
RULES = pdd.format_rules(STATE.rules)
TAGS = '"tags": {'


@frozen
class Reader:
    """A public reader.

    Attributes:
        name: Its public name, and the format if it reads several.
        read: Reads a text or data.
        parts: The beginning of a valid text, and its end if it has one. Between the two, blanks or
            letters make it as long as needed.
        make: Makes the argument from the text.
        error: The class of its errors.
        code: The code of the error for a text that is too long.
        filler: What the text can have any number of.
        has_limits: Whether it takes limits.
    """

    name: str
    read: Callable[..., object]
    parts: tuple[str, ...]
    make: Callable[[str], object] = field(default=lambda text: text)
    error: type[pdd.PonteError] = pdd.RecordError
    code: str = "limit-characters"
    filler: str = "x"
    has_limits: bool = True

    @property
    def shortest(self) -> int:
        """The length of the parts."""
        return len("".join(self.parts))

    def of_length(self, length: int) -> object:
        """Return a valid argument of a length in characters."""
        before, after = self.parts[0], "".join(self.parts[1:])
        return self.make(before + self.filler * (length - self.shortest) + after)

    def whole(self, argument: object, **limits: object) -> object:
        """Return what the reader makes of an argument; raise the first error that it yields."""
        found = self.read(argument, **limits)
        if not isinstance(found, Iterator):
            return found
        results = [*found]
        for each in results:
            if isinstance(each, pdd.RecordError):
                raise each
        return results


def hooked(data: object, *, limits: pdd.Limits | None = None) -> object:
    """Read a game with the hooks for cattrs."""
    converter = Converter()
    json.register_cattrs_hooks(converter, limits=limits)
    return converter.reading[pdd.Game](data, pdd.Game)


def value_of(text: str) -> object:
    return standard.loads(text)["value"]


PDD = ("1. a1,b1 {", "} *")
SGF = ("(;C[", "])")
CLICKS = ("(;GM[pontedeldiavolo]P0[id a];P0[Start P0]C[", "])")
MOVES = ("a1,b1", "white")
REPORT = tuple(
    standard.dumps(new_report("a1,b1")).replace("Abstract Play", "Abstract Play@").split("@")
)
DOCUMENT = tuple(json.dumps(pdd.Game.new(STATE.rules, tags={"A": "@"})).split("@"))

VARIED = pdd.Game.new().play("a1,b1")

parser = partial(Reader, error=pdd.NotationError, code="limit-text", filler=" ")
short = partial(parser, has_limits=False)
document = partial(Reader, error=json.JsonError, code="json-characters")

READERS: Final = [
    *(Reader(f"records.{each.__name__}", each, PDD) for each in (records.load, records.loads)),
    Reader("records.iter_games", records.iter_games, PDD),
    Reader("records.iter_headers", records.iter_headers, PDD),
    Reader("records.iter_records", records.iter_records, PDD),
    *(
        Reader(f"records.{module.__name__.rpartition('.')[2]}.{each}", getattr(module, each), parts)
        for module, parts in ((sgf, SGF), (boardspace, CLICKS), (abstract_play, REPORT))
        for each in ("load", "loads", "iter_games")
    ),
    *(
        Reader(
            f"records.read {form.value}", partial(records.read, format=form), parts, filler=filler
        )
        for form, parts, filler in (
            (Format.PDD, PDD, "x"),
            (Format.SGF, SGF, "x"),
            (Format.BOARDSPACE, CLICKS, "x"),
            (Format.ABSTRACT_PLAY, REPORT, "x"),
            (Format.MOVES, MOVES, " "),
            (Format.JSON, DOCUMENT, "x"),
        )
    ),
    document("json.loads", json.loads, DOCUMENT),
    document("json.loads bytes", json.loads, DOCUMENT, make=lambda text: text.encode()),
    document("json.from_json", json.from_json, DOCUMENT, make=standard.loads),
    document("json.register_cattrs_hooks", hooked, DOCUMENT, make=value_of),
    parser("parse_rules", pdd.parse_rules, (RULES,)),
    parser("parse_state", pdd.parse_state, (pdd.format_state(STATE),)),
    parser("parse_node", pdd.parse_node, (pdd.format_state(STATE),)),
    parser("parse_setup", pdd.parse_setup, (". .\n. .",)),
    short("parse_cell", pdd.parse_cell, ("a1",)),
    short("parse_action", pdd.parse_action, ("a1,b1",)),
    short("parse_step", pdd.parse_step, ("a1",)),
    short("Game.play", pdd.Game.new().play, ("a1,b1",)),
    short("Game.from_actions", lambda text: pdd.Game.from_actions(None, [text]), ("a1,b1",)),
    short("Game.with_variation", lambda text: VARIED.with_variation((0,), [text]), ("a1,b2",)),
]

NO_READERS: Final = {
    "NotationError": "it keeps the text about which it is",
    "html.Html": "it holds a page",
    "svg.Svg": "it holds a picture",
    "svg.Theme": "its text is a colour",
    "text.Span": "it holds a part of a drawing",
    "records.detect": "it reads the beginning of a source and keeps nothing",
    "records.Record": "it holds the limits with which it was read",
    "GameState.unpack": "the length of the octets follows from the rules",
    "HalfTurn.unpack": "the length of the octets follows from the rules",
}
"""Callables with a text, data or limits that read no text of any length, each with the reason."""


TEXTS: Final = frozenset({"limits", "text", "source", "data", "diagram"})
"""The parameters of readers."""


def candidates() -> Iterator[str]:
    """Yield the names of the public callables that take limits, a text, data or actions."""
    for name, call in callables():
        parameters = inspect.signature(call).parameters
        is_action = any("Action | str" in str(each.annotation) for each in parameters.values())
        if is_action or not TEXTS.isdisjoint(parameters):
            yield name


def callables() -> Iterator[tuple[str, Callable[..., object]]]:
    yield from public_api.public_functions().items()
    for name, kind in public_api.public_classes().items():
        if public_api.has_constructor(kind):
            yield name, kind
        for method, function in public_api.public_methods(kind):
            yield f"{name}.{method}", function


def test_every_public_reader_is_tested() -> None:
    tested = {each.name.partition(" ")[0] for each in READERS}
    found = {*candidates()}
    assert found - tested == NO_READERS.keys()
    assert tested <= found
    assert {"json.from_json", "records.read", "parse_state", "Game.play"} <= found


NAME = attrgetter("name")
each_reader = pytest.mark.parametrize("reader", READERS, ids=NAME)


@each_reader
def test_a_text_beyond_the_default_limit_is_refused(reader: Reader) -> None:
    reader.whole(reader.of_length(200 + reader.shortest))
    # A document has marks that are no characters of its values.
    argument = reader.of_length(MOST + 1 + reader.shortest)
    for more in ({}, {"limits": None}, {"limits": pdd.Limits()})[: 3 if reader.has_limits else 1]:
        error = error_of(reader.error, partial(reader.whole, **more), argument)
        assert (error.code, dict(error.values)["max"]) == (reader.code, MOST)


@pytest.mark.parametrize("reader", [each for each in READERS if each.has_limits], ids=NAME)
def test_a_reader_takes_other_limits(reader: Reader) -> None:
    length = MOST + 2
    argument = reader.of_length(length)
    more = pdd.Limits(characters=2 * MOST)
    found = reader.whole(argument, limits=more)
    assert found == reader.whole(argument, limits=pdd.Limits.NONE)
    tight = pdd.Limits(characters=100)
    long = reader.of_length(300 + reader.shortest)
    error = error_of(reader.error, partial(reader.whole, limits=tight), long)
    assert (error.code, dict(error.values)["max"]) == (reader.code, 100)


@each_reader
def test_a_very_long_text_is_refused_in_little_time(reader: Reader) -> None:
    argument = reader.of_length(10 * MOST)
    start = time.process_time()
    error = error_of(reader.error, reader.whole, argument)
    assert time.process_time() - start < MAX_SECONDS
    assert error.code == reader.code
    assert len(str(error)) < 1_000


# The other limits of documents

LINE = VARIED.with_variation((0,), ["a1,b2"])
LIMITED: Final[dict[str, Callable[[Value, pdd.Limits], object]]] = {
    "loads": lambda value, limits: json.loads(json.dumps(value), limits=limits),
    "from_json": lambda value, limits: json.from_json(json.to_json(value), limits=limits),
}


@pytest.mark.parametrize("name", LIMITED)
def test_documents_have_limits_of_sides_and_depth(name: str) -> None:
    read = LIMITED[name]
    large = pdd.Board(12, 9)
    values: list[Value] = [large, pdd.Rules(large), pdd.Game.new(pdd.Rules(large))]
    for value in values:
        assert read(value, pdd.Limits(side=12)) == value
        error = error_of(json.JsonError, read, value, pdd.Limits(side=11))
        assert (error.code, dict(error.values)["max"]) == ("limit-side", 11)
    varied: list[Value] = [LINE, LINE.line, LINE.line.moves[0]]
    for value in varied:
        assert read(value, pdd.Limits(depth=1)) == value
        error = error_of(json.JsonError, read, value, pdd.Limits(depth=0))
        assert (error.code, error.path) == ("limit-depth", "value")


def test_hooks_have_limits_of_sides_and_depth() -> None:
    data: Any = json.to_json(LINE)
    assert hooked(data["value"]) == LINE
    for limits, code in (
        (pdd.Limits(side=9), "limit-side"),
        (pdd.Limits(depth=0), "limit-depth"),
        (pdd.Limits(characters=50), "json-characters"),
    ):
        assert error_of(json.JsonError, partial(hooked, limits=limits), data["value"]).code == code


def test_data_counts_no_more_than_its_text() -> None:
    values: list[Value] = [VARIED, LINE, LINE.line, STATE, pdd.Board(2, 2), pdd.Seat.FIRST]
    values += [*LINE.state.legal_actions, LINE.with_comment('"\\\n')]
    for value in values:
        text = standard.dumps(json.to_json(value), ensure_ascii=False, separators=(",", ":"))
        limits = pdd.Limits(characters=len(text))
        assert json.from_json(standard.loads(text), limits=limits) == value
        assert json.loads(text, limits=limits) == value


def test_data_that_contains_one_list_very_often_is_refused_at_once() -> None:
    parts: list[object] = [[], {}, "x" * 100]
    for part in parts:
        wide = part
        for _ in range(100):
            wide = [wide] * 100
        start = time.process_time()
        error = error_of(json.JsonError, json.from_json, wide)
        assert error.code == "json-characters"
        assert time.process_time() - start < MAX_SECONDS
