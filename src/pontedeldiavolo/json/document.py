"""Documents: a value with its envelope, which says what it is and how to read it."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib import import_module
from importlib.resources import files
from itertools import accumulate
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, overload

from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK, encoding_of
from pontedeldiavolo.base.errors import quoted, reason
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.json import plain
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.kinds import BY_NAME, BY_TYPE, Kind, Value
from pontedeldiavolo.json.plain import JSON, Repeating, fields_of, require_shallow

if TYPE_CHECKING:
    from cattrs import BaseConverter
else:
    # For whoever asks for the types of a signature: cattrs may not be there.
    BaseConverter = object

T = TypeVar("T", bound=Value)

FORMAT: Final = "pontedeldiavolo"
"""What the field ``format`` of every document says."""

VERSION: Final = 1
"""What the field ``version`` says: it changes with the shape of any kind of value.

A new field that may be left out is no such change: older documents are read as they were.
"""

SNAPSHOT: Final = "snapshot"
"""The kind of the documents that are written only."""

_FIELDS: Final = ("format", "version", "kind", "value")
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}
_LONGEST = len(str(-plain.MAX_NUMBER))


def schema() -> dict[str, JSON]:
    """Return the JSON Schema (draft 2020-12) of all documents, a new one at each call.

    It says what a schema can say. What it takes for a document can still break a rule of the game,
    which :func:`~pontedeldiavolo.json.from_json` finds out.
    """
    text = files("pontedeldiavolo.json").joinpath("schema.json").read_text("utf-8")
    return cast(dict[str, JSON], json.loads(text))


def to_json(value: Value) -> JSON:
    """Return the document of *value*: plain dicts, lists, strings, whole numbers and so on.

    Equal values give equal documents, with all fields in the same order.

    Raises:
        TypeError: If it is no value of this package.
        JsonError: If it holds what no document can: a number above 2⁵³ - 1, a lone surrogate, a
            cell that is out of all proportion, or something of a wrong type.
        ImportError: If cattrs is not installed.
    """
    kind = _kind_of(type(value))
    converter = need_cattrs().CONVERTER
    try:
        written = converter.get_unstructure_hook(kind.of)(value)
    except JsonError as error:
        raise error.below("value") from error.__cause__
    return dict(zip(_FIELDS, (FORMAT, VERSION, kind.name, written), strict=True))


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
        ImportError: If cattrs is not installed.
    """
    wanted = None if kind is None else _kind_of(kind)
    converter = need_cattrs().CONVERTER
    require_shallow(data)
    found = _opened(data)
    if wanted is not None and wanted is not found:
        raise JsonError("kind", reason("literal", literal=wanted.name))
    try:
        value = converter.get_structure_hook(found.of)(fields_of(data)["value"], found.of)
    except JsonError as error:
        raise error.below("value") from error.__cause__
    return cast(Value, value)


def dumps(value: Value, indent: int | None = None) -> str:
    """Return the document of *value* as text, the same for equal values.

    Args:
        value: The value.
        indent: How many blanks to indent each level by; ``None`` for a single line.

    Raises:
        TypeError: If it is no value of this package, or *indent* is not a whole number.
        JsonError: If it holds what no document can, as for :func:`to_json`.
        ImportError: If cattrs is not installed.
    """
    blanks = None if indent is None else whole_number(indent, "indent")
    return json.dumps(to_json(value), ensure_ascii=False, allow_nan=False, indent=blanks)


@overload
def loads(text: str | bytes, kind: None = None, *, limits: Limits | None = None) -> Value: ...
@overload
def loads(text: str | bytes, kind: type[T], *, limits: Limits | None = None) -> T: ...
def loads(
    text: str | bytes, kind: type[object] | None = None, *, limits: Limits | None = None
) -> Value:
    """Return the value of a document that is a text.

    Args:
        text: The text, or its bytes: UTF-8, or what a byte order mark in front says.
        kind: The class of the value, to refuse a document of any other.
        limits: How much of it is read; ``None`` for whatever there is.

    Raises:
        TypeError: If *text* is neither a string nor bytes, *kind* no class of values of this
            package, or *limits* no :class:`Limits`.
        JsonError: If it is not the document of a value, or not of this kind, if bytes are not
            text, or if it goes beyond the limits.
        ImportError: If cattrs is not installed.
    """
    need_cattrs()
    require_type(text, (str, bytes), "text")
    require_type(limits, (Limits, type(None)), "limits")
    limits = limits or Limits.NONE
    text = _decoded(text)
    if limits.characters is not None and len(text) > limits.characters:
        raise JsonError("", reason("json-characters", most=limits.characters))
    # Before the parser follows it down.
    steps = (_STEPS.get(found[0], 0) for found in _BRACKET.finditer(text))
    if any(depth > plain.MAX_NESTING for depth in accumulate(steps)):
        raise JsonError("", plain.TOO_DEEP)
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_int=_number)
    except json.JSONDecodeError as error:
        place = {"json_line": error.lineno, "json_column": error.colno}
        raise JsonError("", reason("json-syntax-at", problem=error.msg, **place)) from error
    _require_small_boards(data, limits.side)
    value = cast(Value, from_json(data, cast(type[Any], kind)))
    line = value.line if isinstance(value, Game | Record) else value
    if isinstance(line, Line | Move) and limits.depth is not None and line.depth > limits.depth:
        raise JsonError("value", reason("limit-depth", most=limits.depth))
    return value


def _decoded(text: str | bytes) -> str:
    """Return a text without a byte order mark.

    Raises:
        JsonError: If bytes are no text.
    """
    if isinstance(text, bytes):
        encoding = encoding_of(text)
        try:
            text = text.decode(encoding)
        except UnicodeDecodeError as error:
            raise JsonError("", reason("text-in-encoding", name=encoding.upper())) from error
    return text.removeprefix(BYTE_ORDER_MARK)


def _require_small_boards(data: object, side: int | None) -> None:
    """Raise a :class:`JsonError` for a large board, before anything is made of it."""
    if side is None or side >= Board.MAX_SIDE:
        return
    parts = [data]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            sides = [part.get("width"), part.get("height")]
            if any(isinstance(each, int) and each > side for each in sides):
                raise JsonError("", reason("limit-side", most=side))
            parts += part.values()
        elif isinstance(part, list):
            parts += part


def register_hooks(converter: BaseConverter) -> None:
    """Teach another cattrs converter all values of this package.

    So they can be fields of your own classes. They have the same form as in a document, without
    its envelope; what is wrong with one raises a :class:`JsonError` with the path within it.

    Args:
        converter: A converter of cattrs, which is changed.

    Raises:
        TypeError: If it is none.
        ImportError: If cattrs is not installed.
    """
    need_cattrs().teach(converter)


def need_cattrs() -> ModuleType:
    """Return the one module here that imports cattrs, or raise an ImportError that says how to."""
    try:
        return import_module("pontedeldiavolo.json.converter")
    except ImportError as error:
        raise ImportError(
            "pontedeldiavolo.json needs cattrs: pip install 'pontedeldiavolo[json]'", name="cattrs"
        ) from error


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
    for name, only in (("format", FORMAT), ("version", VERSION)):
        if name not in fields:
            raise JsonError("", reason("json-field", name=name))
        if type(fields[name]) is not type(only) or fields[name] != only:
            raise JsonError(name, reason("json-only", value=repr(only)))
    for name in fields:
        if name not in _FIELDS:
            raise JsonError("", reason("json-no-field-but", names=", ".join(_FIELDS))).below(name)
    for name in _FIELDS:
        if name not in fields:
            raise JsonError("", reason("json-field", name=name))
    kind = fields["kind"]
    if kind == SNAPSHOT:
        raise JsonError("kind", reason("json-snapshot"))
    if not isinstance(kind, str) or kind not in BY_NAME:
        raise JsonError("kind", reason("one-of", words=quoted(BY_NAME)))
    return BY_NAME[kind]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | Repeating:
    """Return the fields of an object, or what stands for one that has a field twice."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    counts = Counter(name for name, _ in pairs)
    return Repeating(next(name for name, _ in reversed(pairs) if counts[name] > 1))


def _number(digits: str) -> int | float:
    """Return a whole number, but one that is too long for any document as if it had a fraction."""
    return int(digits) if len(digits) <= _LONGEST else float(digits)
