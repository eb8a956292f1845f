"""JSON with the place of every value, so that errors can say where they are."""

from __future__ import annotations

import json
import re
from typing import TypeAlias, final

from attrs import frozen

from pontedeldiavolo.notation.scanner import Scanner

_DEEPEST = 50
"""How deep arrays and objects may lie in each other."""

JsonData: TypeAlias = "bool | Numeral | str | tuple[JsonValue, ...] | dict[str, JsonValue] | None"
"""What a value holds: an array is a tuple of values, an object a dictionary of them."""

_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4}))*+')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")
_LONGEST_WHOLE = 18
_WORDS = {"true": True, "false": False, "null": None}


@final
@frozen(eq=False)
class Numeral:
    """A number as it stands in the text: what a site calls a game may have any digits."""

    text: str

    @property
    def whole(self) -> int | None:
        """The whole number that it is; ``None`` for any other one, or one with many digits."""
        is_plain = len(self.text) <= _LONGEST_WHOLE and self.text.lstrip("-").isdecimal()
        return int(self.text) if is_plain else None


@final
@frozen(eq=False)
class JsonValue:
    """A value, and where in the text it begins."""

    data: JsonData
    offset: int


def read_value(scanner: Scanner, depth: int = 0) -> JsonValue:
    """Read one value.

    Raises:
        NotationError: If there is none, or something in it is not JSON.
    """
    scanner.blanks()
    start = scanner.offset
    first = scanner.peek()
    if first in ("{", "[") and depth == _DEEPEST:
        scanner.fail("json-deep", most=_DEEPEST)
    if first == "{":
        return JsonValue(_read_object(scanner, depth + 1), start)
    if first == "[":
        return JsonValue(_read_array(scanner, depth + 1), start)
    if first == '"':
        return JsonValue(_read_string(scanner), start)
    for word, data in _WORDS.items():
        if scanner.text.startswith(word, start):
            scanner.offset += len(word)
            return JsonValue(data, start)
    return JsonValue(_read_number(scanner), start)


def _read_object(scanner: Scanner, depth: int) -> dict[str, JsonValue]:
    items: dict[str, JsonValue] = {}
    scanner.offset += 1
    scanner.blanks()
    while not scanner.take("}"):
        if items:
            _read_comma(scanner, "}")
        scanner.blanks()
        name_offset = scanner.offset
        if scanner.peek() != '"':
            scanner.fail("json-name")
        name = _read_string(scanner)
        if name in items:
            scanner.fail("json-one-value", name_offset)
        scanner.blanks()
        scanner.expect(":")
        items[name] = read_value(scanner, depth)
        scanner.blanks()
    return items


def _read_array(scanner: Scanner, depth: int) -> tuple[JsonValue, ...]:
    items: list[JsonValue] = []
    scanner.offset += 1
    scanner.blanks()
    while not scanner.take("]"):
        if items:
            _read_comma(scanner, "]")
        items.append(read_value(scanner, depth))
        scanner.blanks()
    return tuple(items)


def _read_comma(scanner: Scanner, closing: str) -> None:
    if not scanner.take(","):
        scanner.fail("json-comma-or-end", closing=closing)


def _read_string(scanner: Scanner) -> str:
    start = scanner.offset
    text = scanner.run(_STRING)
    if not scanner.take('"'):
        scanner.fail("json-end-of-text", start)
    return str(json.loads(f'{text}"'))


def _read_number(scanner: Scanner) -> Numeral:
    text = scanner.run(_NUMBER)
    if not text:
        scanner.fail("json-value")
    return Numeral(text)
