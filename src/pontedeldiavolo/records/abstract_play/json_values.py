"""JSON values, each with its place in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn, TypeAlias, TypeVar, final

from attrs import frozen

from pontedeldiavolo.base.errors import MessageValue
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.parsing import in_one_line

T = TypeVar("T")

_DEEPEST = 50
"""The maximum depth of nested arrays and objects."""

JsonData: TypeAlias = "bool | Digits | str | tuple[JsonValue, ...] | dict[str, JsonValue] | None"
"""The content of a value: an array is a tuple of values, an object a dictionary of values."""

_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*')
_DIGITS = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_WORDS = {"true": True, "false": False, "null": None}


class Digits(NamedTuple):
    """A number as written, because the identifier of a game may have any digits."""

    text: str


@final
@frozen(eq=False)
class JsonValue:
    """A value and its offset in the text that a scanner reads."""

    scanner: Scanner
    offset: int
    data: JsonData

    def fail(self, code: str, **values: MessageValue) -> NoReturn:
        """Raise the error with this code, which names the input expected in place of the value."""
        self.scanner.fail(code, self.offset, **values)

    def of(self, kind: type[T], code: str) -> T:
        """Return the data, or raise the error with this code if it is not of type *kind*."""
        if not isinstance(self.data, kind):
            self.fail(code)
        return self.data

    def find(self, *names: str) -> JsonValue | None:
        """Return the member at a path of names; ``None`` if it is missing or null."""
        found: JsonValue | None = self
        for name in names:
            found = found and found.of(dict, "json-object").get(name)
            found = None if found is None or found.data is None else found
        return found

    def member(self, name: str) -> JsonValue:
        """Return a required member of an object."""
        return self.find(name) or self.fail("json-object-with", name=name)

    def items(self) -> tuple[JsonValue, ...]:
        """Return the values of an array."""
        return self.of(tuple, "json-array")

    def text(self) -> str:
        """Return a string as a single line, as tags store it."""
        return in_one_line(self.of(str, "json-text"))


def read_value(scanner: Scanner, depth: int = 0) -> JsonValue:
    """Read one value.

    Raises:
        NotationError: If there is none, or something in it is not JSON.
    """
    scanner.blanks()
    start, first = scanner.offset, scanner.peek()
    if first in ("{", "[") and depth == _DEEPEST:
        scanner.fail("json-deep", most=_DEEPEST)
    return JsonValue(scanner, start, _read_data(scanner, first, depth + 1))


def _read_data(scanner: Scanner, first: str, depth: int) -> JsonData:
    if first == "{":
        return _read_object(scanner, depth)
    if first == "[":
        return tuple([read_value(scanner, depth) for _ in _items(scanner, "]")])
    if first == '"':
        return _read_string(scanner)
    for word, data in _WORDS.items():
        if scanner.text.startswith(word, scanner.offset):
            scanner.offset += len(word)
            return data
    return Digits(scanner.run(_DIGITS) or scanner.fail("json-value"))


def _read_object(scanner: Scanner, depth: int) -> dict[str, JsonValue]:
    items: dict[str, JsonValue] = {}
    for name_offset in _items(scanner, "}"):
        if scanner.peek() != '"':
            scanner.fail("json-name")
        name = _read_string(scanner)
        if name in items:
            scanner.fail("json-one-value", name_offset)
        scanner.blanks()
        scanner.expect(":")
        items[name] = read_value(scanner, depth)
    return items


def _items(scanner: Scanner, closing: str) -> Iterator[int]:
    """Iterate over the offsets of items; the caller reads each before it requests the next one."""
    is_first = True
    scanner.offset += 1
    scanner.blanks()
    while not scanner.take(closing):
        if not is_first and not scanner.take(","):
            scanner.fail("json-comma-or-end", closing=closing)
        is_first = False
        scanner.blanks()
        yield scanner.offset
        scanner.blanks()


def _read_string(scanner: Scanner) -> str:
    start = scanner.offset
    text = scanner.run(_STRING)
    if not scanner.take('"'):
        scanner.fail("json-end-of-text", start)
    return str(json.loads(f'{text}"'))
