"""What documents hold besides classes of the package, and how strictly it is taken.

What reads data is handed the type as well, by cattrs, and leaves it alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from attrs import frozen

from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.game.line import MAX_DEPTH
from pontedeldiavolo.game.tags import ROSTER, checked_annotations, checked_tags
from pontedeldiavolo.json.error import JsonError, refused

JSON: TypeAlias = "bool | int | str | list[JSON] | dict[str, JSON] | None"
"""What documents are made of. No document holds a number with a fraction."""

MAX_NUMBER: Final = 2**53 - 1
"""The largest number in a document: what every reader of JSON keeps exactly (RFC 7493)."""

MAX_NESTING: Final = 4 * MAX_DEPTH + 8
"""How deep lists and objects may lie in each other: enough for the deepest variations."""

TOO_DEEP: Final = reason("json-nesting", most=MAX_NESTING)

_SURROGATE = re.compile("[\ud800-\udfff]")


@frozen
class Repeating:
    """What stands for an object of a text in which the field *name* stands twice."""

    name: str


def fields_of(data: object) -> dict[str, object]:
    """Return *data* as an object of JSON, or raise a :class:`JsonError`."""
    if isinstance(data, dict) and all(isinstance(name, str) for name in data):
        return data
    if isinstance(data, Repeating):
        raise JsonError("", reason("json-field-once")).below(data.name)
    raise JsonError("", reason("json-names" if isinstance(data, dict) else "json-object"))


def truth(data: object, _: object = None) -> bool:
    """Return *data* as a truth value, or raise a :class:`JsonError`."""
    if not isinstance(data, bool):
        raise JsonError("", reason("json-truth"))
    return data


def whole_number(data: object, _: object = None, lowest: int = 0) -> int:
    """Return *data* as a number up to :data:`MAX_NUMBER`, or raise a :class:`JsonError`."""
    if isinstance(data, bool) or not isinstance(data, int) or not lowest <= data <= MAX_NUMBER:
        what = reason("json-whole-number")
        raise JsonError("", reason("range", what=what, lowest=lowest, highest=MAX_NUMBER))
    return int(data)


def string(data: object, _: object = None) -> str:
    """Return *data* as a text that any encoding can hold, or raise a :class:`JsonError`."""
    if not isinstance(data, str):
        raise JsonError("", reason("json-text"))
    if _SURROGATE.search(data):
        raise JsonError("", reason("json-surrogates"))
    return data


def _number_or_text(_: str, data: object) -> int | str:
    if isinstance(data, str):
        return string(data)
    try:
        return whole_number(data, lowest=-MAX_NUMBER)
    except JsonError as error:
        raise JsonError("", reason("json-or-text", what=error.reason)) from None


def _tag(name: str, data: object) -> str:
    text = string(data)
    try:
        checked_tags({name: text})
    except PonteError as error:
        raise refused(error) from error
    return text


def _annotation(name: str, data: object) -> str:
    text = string(data)
    try:
        checked_annotations({name: text})
    except PonteError as error:
        raise refused(error) from error
    return text


def mapping(data: object, check: Callable[[str, object], object]) -> dict[str, object]:
    """Return an object whose fields have any names, each of them checked."""
    values = {}
    for name, part in fields_of(data).items():
        try:
            text = string(name)
            values[text] = check(text, part)
        except JsonError as error:
            raise error.below(name) from error.__cause__
    return values


def _in_order(tags: Mapping[str, str]) -> dict[str, str]:
    """Return tags as records have them, so that equal games are written alike."""
    first = [name for name in ROSTER if name in tags]
    rest = sorted(name for name in tags if name not in ROSTER)
    return {name: tags[name] for name in (*first, *rest)}


PLAIN: Final[dict[object, tuple[Callable[[object, object], object], Callable[[Any], object]]]] = {
    bool: (truth, truth),
    int: (whole_number, whole_number),
    str: (string, string),
    FrozenMapping[str]: (lambda data, _: FrozenMapping(mapping(data, _tag)), _in_order),
    Mapping[str, str]: (
        lambda data, _: FrozenMapping(mapping(data, _annotation)),
        lambda annotations: dict(sorted(annotations.items())),
    ),
    FrozenMapping[int | str]: (
        lambda data, _: FrozenMapping(mapping(data, _number_or_text)),
        lambda values: mapping(dict(sorted(values.items())), _number_or_text),
    ),
}
"""What reads and what writes a type.

The mappings are a game's tags, a move's annotations and a violation's values.
"""


def require_shallow(data: object) -> None:
    """Raise a :class:`JsonError` for what is nested too deeply, before anything follows it down.

    Level by level, each list and object once a level: nothing that refers to itself lasts longer.
    """
    level = [data]
    for _ in range(MAX_NESTING):
        inner: dict[int, object] = {}
        for part in level:
            if isinstance(part, dict | list):
                parts = part.values() if isinstance(part, dict) else part
                inner.update((id(each), each) for each in parts if isinstance(each, dict | list))
        if not inner:
            return
        level = list(inner.values())
    raise JsonError("", TOO_DEEP)
