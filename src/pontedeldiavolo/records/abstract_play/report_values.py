"""The JSON of reports: Python's own parser reads it, and each value knows its path."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final, NamedTuple, NoReturn, TypeAlias, TypeVar, final

from attrs import evolve, frozen

from pontedeldiavolo.base.errors import MessageValue, NotationError, Reason, reason
from pontedeldiavolo.base.json_text import find_too_deep, path_of
from pontedeldiavolo.game.tags import length_fault
from pontedeldiavolo.records.reading import GameText, end_of_match
from pontedeldiavolo.records.splitting import REPORT_BEGINNING
from pontedeldiavolo.records.tag_texts import tag_text

T = TypeVar("T")

MAX_NESTING: Final = 50
"""The maximum depth of nested arrays and objects."""

_BETWEEN_REPORTS = re.compile(r"[ \t\r\n\[\],]*+")
_REPORT_BEGINNING = re.compile(REPORT_BEGINNING, re.ASCII)

Steps: TypeAlias = tuple[str | int, ...]
"""The names and indexes that lead from a report to a value in it."""


@final
@frozen
class Number:
    """A number as written, because the identifier of a game may have any digits."""

    text: str


@final
@frozen
class Fault:
    """Placeholder for a value that Python's parser reads although it is not JSON.

    Attributes:
        expected: The expected input.
        steps: The path from the value to its fault.
    """

    expected: Reason
    steps: Steps = ()


JsonData: TypeAlias = "bool | Number | Fault | str | list[JsonData] | dict[str, JsonData] | None"
"""A value as Python's parser returns it."""


@final
@frozen(eq=False)
class ReportValue:
    """A value in a report.

    Attributes:
        game_text: The text with the report.
        offset: The offset of the report, which is the place of all faults in it.
        data: The value.
        steps: The path from the report to the value.
    """

    game_text: GameText
    offset: int
    data: JsonData
    steps: Steps = ()

    def below(self, step: str | int, data: JsonData) -> ReportValue:
        """Return a part of the value: the member or the item with this name or index."""
        return evolve(self, data=data, steps=(*self.steps, step))

    def located(self, expected: Reason) -> Reason:
        """Return the expected input with the path of the value."""
        if not self.steps:
            return expected
        return reason("json-path", what=expected, path=path_of(self.steps))

    def error(self, expected: Reason) -> NotationError:
        """Return the error that names the input expected in place of the value."""
        return NotationError(self.game_text.text, self.offset, self.located(expected))

    def fail(self, code: str, **values: MessageValue) -> NoReturn:
        """Raise the error with this code, which names the input expected in place of the value."""
        raise self.error(reason(code, **values))

    def require(self, kind: type[T], code: str) -> T:
        """Return the data, or raise the error with this code if it is not exactly of type *kind*.

        No type is taken for another one: ``true`` is not a number, a number is not a text.
        """
        if type(self.data) is not kind:
            self.fail(code)
        return self.data

    def find(self, *names: str) -> ReportValue | None:
        """Return the member at a path of names; ``None`` if it is missing or null."""
        found = self
        for name in names:
            members: dict[str, JsonData] = found.require(dict, "json-object")
            data = members.get(name)
            if data is None:
                return None
            found = found.below(name, data)
        return found

    def member(self, name: str) -> ReportValue:
        """Return a required member of an object."""
        return self.find(name) or self.fail("json-object-with", name=name)

    def members(self) -> dict[str, ReportValue]:
        """Return the members of an object by name."""
        members: dict[str, JsonData] = self.require(dict, "json-object")
        return {name: self.below(name, data) for name, data in members.items()}

    def items(self, code: str = "json-list") -> Iterator[ReportValue]:
        """Iterate over the values of an array; the error for any other value has this code."""
        items: list[JsonData] = self.require(list, code)
        return (self.below(index, data) for index, data in enumerate(items))

    def text(self) -> str:
        """Return a string as a single line, as tags store it."""
        return tag_text(self.require(str, "json-text"))

    def text_of_tag(self, tag: str) -> str:
        """Return a string as the text of a tag, unless it is longer than a game can have."""
        text = self.text()
        self.require_short(len(text), tag)
        return text

    def require_short(self, count: int, tag: str) -> None:
        """Refuse a tag of *count* characters if these are too many."""
        found = length_fault(count, "tag", tag)
        if found is not None:
            self.fail("fitting-content", reason=found)

    def require_json(self) -> None:
        """Refuse a value with a part that is not JSON."""
        found = _find_fault(self.data)
        if found is not None:
            raise evolve(self, steps=found.steps).error(found.expected)


def _find_fault(data: JsonData) -> Fault | None:
    """Return the first fault in a value, with the whole path to it; ``None`` if it has none."""
    if isinstance(data, Fault):
        return data
    parts: Iterator[tuple[str | int, JsonData]] = iter(())
    if isinstance(data, dict):
        parts = iter(data.items())
    elif isinstance(data, list):
        parts = iter(enumerate(data))
    for step, part in parts:
        # Most parts are texts and numbers.
        if isinstance(part, dict | list | Fault):
            found = _find_fault(part)
            if found is not None:
                return evolve(found, steps=(step, *found.steps))
    return None


def _object(pairs: list[tuple[str, JsonData]]) -> dict[str, JsonData] | Fault:
    """Return the members of an object, or a placeholder if one name occurs twice."""
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    counts = Counter(name for name, _ in pairs)
    repeated = next(name for name in members if counts[name] > 1)
    return Fault(reason("json-field-once"), (repeated,))


def _constant(name: str) -> Fault:
    """Return the placeholder for NaN or an infinity, which JSON does not have."""
    return Fault(reason("json-constant", name=name))


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=Number, parse_float=Number, parse_constant=_constant
)


class ParsedValue(NamedTuple):
    """A value in a text, and the offset where it begins."""

    offset: int
    data: JsonData


class SyntaxFault(NamedTuple):
    """A text that is not JSON.

    Attributes:
        offset: The offset where the value begins.
        fault: The offset of the fault.
        expected: The expected input.
    """

    offset: int
    fault: int
    expected: Reason


Parsed: TypeAlias = ParsedValue | SyntaxFault


def parse_values(text: str) -> Iterator[Parsed]:
    """Iterate over the JSON values in a text; a fault hides no report that begins after it."""
    last: Parsed | None = None
    for last in _values_until_fault(text, 0):
        yield last
    if not isinstance(last, SyntaxFault):
        return
    # Each text that looks like the beginning of a report is tried, up to the next one: a parser
    # that read to the end at each of them would take quadratic time.
    continuation = max(last.fault, last.offset + 1)
    beginnings = (found.start() for found in _REPORT_BEGINNING.finditer(text, continuation))
    for start, stop in pairwise(chain(beginnings, [len(text)])):
        yield from _values_until_fault(text[start:stop], start)


def _values_until_fault(text: str, shift: int) -> Iterator[Parsed]:
    """Iterate over the JSON values in a text up to the first fault, which is the last item.

    Args:
        text: The text.
        shift: Its offset in the whole text, which is added to all offsets.
    """
    offset = end_of_match(_BETWEEN_REPORTS, text, 0)
    while offset < len(text):
        # Nothing else nests here: the brackets of lists are skipped between the values.
        is_object = text.startswith("{", offset)
        too_deep = find_too_deep(text, MAX_NESTING, offset) if is_object else None
        if too_deep is not None:
            expected = reason("json-nesting", max=MAX_NESTING)
            yield SyntaxFault(shift + offset, shift + too_deep, expected)
            return
        try:
            data, end = _DECODER.raw_decode(text, offset)
        except json.JSONDecodeError as error:
            expected = reason("json-syntax", problem=error.msg)
            yield SyntaxFault(shift + offset, shift + error.pos, expected)
            return
        yield ParsedValue(shift + offset, data)
        offset = end_of_match(_BETWEEN_REPORTS, text, end)
