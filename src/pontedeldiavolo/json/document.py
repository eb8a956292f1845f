"""A value with its envelope, which says what it is and how to read it."""

from __future__ import annotations

from typing import Final, TypeVar, cast, overload

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.json.converter import reader, writer
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.kinds import BY_NAME, BY_TYPE, Kind, Value
from pontedeldiavolo.json.plain import JSON, fields_of, require_shallow

T = TypeVar("T", bound=Value)

FORMAT: Final = "pontedeldiavolo"
"""What the field ``format`` of every document says."""

VERSION: Final = 1
"""What the field ``version`` says: it changes with the shape of any kind of value."""

_FIELDS: Final = ("format", "version", "kind", "value")


def to_json(value: Value) -> JSON:
    """Return the document of *value*: plain dicts, lists, strings, whole numbers and so on.

    Equal values give equal documents, with all fields in the same order.

    Raises:
        TypeError: If it is no value of this package.
        JsonError: If it holds what no document can: a number above 2⁵³ - 1, a lone surrogate, a
            cell that is out of all proportion, or something of a wrong type.
    """
    kind = _kind_of(type(value))
    try:
        written = writer(kind.of)(value)
    except JsonError as error:
        raise error.below("value") from error.__cause__
    parts = (FORMAT, VERSION, kind.name, cast(JSON, written))
    return dict(zip(_FIELDS, parts, strict=True))


@overload
def from_json(data: object, kind: None = None) -> Value: ...
@overload
def from_json(data: object, kind: type[T]) -> T: ...
def from_json(data: object, kind: type[object] | None = None) -> Value:
    """Return the value of a document, checked as strictly as if it was made anew.

    Args:
        data: The document, as :func:`to_json` gives it or as Python's ``json`` reads it.
        kind: The class of the value, to refuse a document of any other.

    Raises:
        TypeError: If *kind* is no class of values of this package.
        JsonError: If it is not the document of a value, or not of this kind.
    """
    return value_of(data, kind)


def value_of(data: object, kind: type[object] | None) -> Value:
    """Return the same as :func:`from_json`."""
    wanted = None if kind is None else _kind_of(kind)
    require_shallow(data)
    found = _opened(data)
    if wanted is not None and wanted is not found:
        raise JsonError("kind", f"'{wanted.name}'")
    try:
        value = reader(found.of)(fields_of(data)["value"], found.of)
    except JsonError as error:
        raise error.below("value") from error.__cause__
    return cast(Value, value)


def _kind_of(of: type[object]) -> Kind:
    """Return the kind of values of a class."""
    require_type(of, type, "kind")
    if of not in BY_TYPE:
        raise TypeError(f"there are no documents of {of.__name__}")
    return BY_TYPE[of]


def _opened(data: object) -> Kind:
    """Return what kind of value an envelope says it has.

    The version is looked at early: what a later one has besides is nothing to complain about.
    """
    fields = fields_of(data)
    _require(fields, "format", FORMAT, f"'{FORMAT}'")
    _require(fields, "version", VERSION, str(VERSION))
    for name in fields:
        if name not in _FIELDS:
            raise JsonError("", f"no field but {', '.join(_FIELDS)}").below(name)
    for name in ("kind", "value"):
        if name not in fields:
            raise JsonError("", f"the field '{name}'")
    kind = fields["kind"]
    if not isinstance(kind, str) or kind not in BY_NAME:
        raise JsonError("kind", f"one of {', '.join(map(repr, BY_NAME))}")
    return BY_NAME[kind]


def _require(fields: dict[str, object], name: str, only: object, shown: str) -> None:
    """Require a field with the only value that it can have."""
    if name not in fields:
        raise JsonError("", f"the field '{name}'")
    if type(fields[name]) is not type(only) or fields[name] != only:
        raise JsonError(name, shown)
