"""The plain types that JSON has, and how strictly they are taken."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from pontedeldiavolo.game.line import MAX_DEPTH
from pontedeldiavolo.json.error import JsonError

JSON: TypeAlias = "bool | int | str | list[JSON] | dict[str, JSON] | None"
"""What documents are made of. No document holds a number with a fraction."""

MAX_NUMBER: Final = 2**53 - 1
"""The largest number in a document: what every reader of JSON keeps exactly (RFC 7493)."""

MAX_NESTING: Final = 4 * MAX_DEPTH + 8
"""How deep lists and objects may lie in each other: enough for the deepest variations."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def fields_of(data: object) -> dict[str, object]:
    """Return *data* as an object of JSON.

    Raises:
        JsonError: If it is not one, or has a field twice.
    """
    if not isinstance(data, dict) or not all(isinstance(name, str) for name in data):
        raise JsonError("", "an object")
    if isinstance(data, Repeating):
        raise JsonError("", "every field once").below(data.name)
    return data


def items_of(data: object) -> list[object]:
    """Return *data* as a list.

    Raises:
        JsonError: If it is not one.
    """
    if not isinstance(data, list):
        raise JsonError("", "a list")
    return data


class Repeating(dict[str, object]):
    """An object of a text in which a field stands twice: to be refused where it is met."""

    name: str


def whole_number(data: object, lowest: int = 0) -> int:
    """Return *data* as a number from *lowest* to :data:`MAX_NUMBER`.

    Raises:
        JsonError: If it is not one; neither ``True`` nor 1.0 is.
    """
    if isinstance(data, bool) or not isinstance(data, int) or not lowest <= data <= MAX_NUMBER:
        raise JsonError("", f"a whole number from {lowest} to {MAX_NUMBER}")
    return int(data)


def truth(data: object) -> bool:
    """Return *data* as a truth value.

    Raises:
        JsonError: If it is not one.
    """
    if not isinstance(data, bool):
        raise JsonError("", "true or false")
    return data


def string(data: object) -> str:
    """Return *data* as a text that every encoding of Unicode can hold.

    Raises:
        JsonError: If it is not a text, or has a lone surrogate.
    """
    if not isinstance(data, str):
        raise JsonError("", "a text")
    if _SURROGATE.search(data):
        raise JsonError("", "a text without lone surrogates")
    return data


def number_or_text(data: object) -> int | str:
    """Return *data* as a number, negative or not, or as a text.

    Raises:
        JsonError: If it is neither, or one that documents do not hold.
    """
    if isinstance(data, str):
        return string(data)
    try:
        return whole_number(data, -MAX_NUMBER)
    except JsonError as error:
        raise JsonError("", f"{error.expected}, or a text") from None


def require_shallow(data: object) -> None:
    """Refuse what is nested too deeply, before anything follows it down.

    Level by level, each list and object once a level: nothing that refers to itself lasts longer.

    Raises:
        JsonError: If it is.
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
    raise JsonError("", f"lists and objects at most {MAX_NESTING} deep in each other")
