"""Documents as text."""

from __future__ import annotations

import json
import math
import re
from typing import TypeVar, overload

from pontedeldiavolo.checks import require_type, whole_number
from pontedeldiavolo.json.document import to_json, value_of
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.kinds import Value
from pontedeldiavolo.json.plain import MAX_NESTING, MAX_NUMBER, Repeating

T = TypeVar("T", bound=Value)

_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_LONGEST = len(str(-MAX_NUMBER))


def dumps(value: Value, indent: int | None = None) -> str:
    """Return the document of *value* as text, the same for equal values.

    Args:
        value: The value.
        indent: How many blanks to indent each level by; ``None`` for a single line.

    Raises:
        TypeError: If it is no value of this package, or *indent* is not a whole number.
        JsonError: If it holds what no document can, as for :func:`to_json`.
    """
    blanks = None if indent is None else whole_number(indent, "indent")
    return json.dumps(to_json(value), ensure_ascii=False, allow_nan=False, indent=blanks)


@overload
def loads(text: str, kind: None = None) -> Value: ...
@overload
def loads(text: str, kind: type[T]) -> T: ...
def loads(text: str, kind: type[object] | None = None) -> Value:
    """Return the value of a document that is a text.

    Args:
        text: The text.
        kind: The class of the value, to refuse a document of any other.

    Raises:
        TypeError: If *text* is not a string, or *kind* no class of values of this package.
        JsonError: If it is not the document of a value, or not of this kind.
    """
    require_type(text, str, "text")
    _require_shallow(text)
    try:
        data = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole_number,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise JsonError("", f"JSON ({error.msg}: {place})") from error
    return value_of(data, kind)


def _require_shallow(text: str) -> None:
    """Refuse a text that is nested too deeply before the parser follows it down."""
    depth = 0
    for found in _BRACKET.finditer(text):
        bracket = found.group()
        if bracket in ("[", "{"):
            depth += 1
            if depth > MAX_NESTING:
                raise JsonError("", f"lists and objects at most {MAX_NESTING} deep in each other")
        elif bracket in ("]", "}"):
            depth -= 1


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the fields of an object, marked if one of them stands twice."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    repeating, seen = Repeating(fields), set()
    for name, _ in pairs:
        if name in seen:
            repeating.name = name
        seen.add(name)
    return repeating


def _whole_number(digits: str) -> int | float:
    """Return a number, or one that nothing takes if it is too long for any document."""
    return int(digits) if len(digits) <= _LONGEST else math.nan


def _no_number(_: str) -> float:
    """Return a number that nothing takes, wherever it stands."""
    return math.nan
