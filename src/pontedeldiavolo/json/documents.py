"""Documents: values in envelopes that name the format, its version and the kind of the value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from enum import Enum
from importlib.resources import files
from typing import Any, Final, Protocol, TypeVar, cast, get_args, overload, runtime_checkable

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK, encoding_of
from pontedeldiavolo.base.errors import Reason, quoted, reason, require_type, whole_number
from pontedeldiavolo.base.file_formats import is_file_name
from pontedeldiavolo.base.json_text import find_too_deep
from pontedeldiavolo.base.values import FrozenMapping
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import Action, PlaceTile, Step
from pontedeldiavolo.rules.limits import Limits, exceeds, limits_or_default

from . import codecs
from .codecs import JSON, TEXT, Codec, JsonError, object_of, raise_below, require_shallow
from .kinds import ACTION, BY_NAME, BY_TYPE, KINDS, PARTS, STEP, Value
from .snapshots import SNAPSHOT, SNAPSHOT_SIDE

T = TypeVar("T", bound=Value)

_ANY: Final = Codec(lambda data: data, lambda data: data, {})
_ENVELOPE: Final = object_of(dict, format=_ANY, version=_ANY, kind=_ANY, value=_ANY)
_TEXTS: Final[dict[type, Callable[[Any], str]]] = {
    Cell: str,
    Bridge: str,
    **dict.fromkeys((*get_args(Action), PlaceTile), format_action),
}
_LONGEST = len(str(-codecs.MAX_NUMBER))


def schema() -> dict[str, JSON]:
    """Return the JSON Schema (draft 2020-12) of all documents, a new one at each call.

    A valid document can still break a rule of the game or exceed limits, which
    :func:`~pontedeldiavolo.json.from_json` detects.

    >>> pdd.json.schema()["$defs"]["cell"]["pattern"]
    '^[a-z]{1,6}[1-9][0-9]{0,8}$'
    """
    kinds = (*KINDS, SNAPSHOT)
    found: dict[str, JSON] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Document",
        "description": "A document of the Python library pontedeldiavolo, version "
        f"{codecs.VERSION}: one value of the board game Ponte del Diavolo. A value has the same "
        "shape wherever it stands. A field may be left out only where it is not listed as "
        "required; further ones of these can be added, and whatever else changes gives the schema "
        "a new version. What is valid here can still break a rule of the game or exceed the limits "
        "of a reader.",
        "oneOf": [_envelope(kind) for kind in kinds],
        "$defs": {codec.name: codec.definition for codec in (*kinds, *PARTS, SNAPSHOT_SIDE)},
    }
    # Parts that several fields share are copied, so that each gets its own description.
    return _described(json.loads(json.dumps(found)))


def _envelope(kind: Codec) -> JSON:
    """Return the schema of the documents of a kind."""
    parts: dict[str, JSON] = {"format": codecs.FORMAT, "version": codecs.VERSION, "kind": kind.name}
    constants = {name: TEXT.with_schema(const=part) for name, part in parts.items()}
    return object_of(dict, **constants, value=kind).schema


def _described(schema: dict[str, JSON]) -> dict[str, JSON]:
    """Return the schema with the descriptions of all definitions and fields, by their names."""
    text = files("pontedeldiavolo.json").joinpath("descriptions.json").read_text("utf-8")
    notes: dict[str, str] = json.loads(text)

    def describe(part: dict[str, Any], name: str) -> None:
        if name in notes:
            part["description"] = notes[name]
            if "$ref" in part:
                # Code generators treat a reference with a description beside it as a new type.
                part["allOf"] = [{"$ref": part.pop("$ref")}]
        fields = {**part.get("properties", {}), **part.get("items", {}).get("properties", {})}
        for field, inner in fields.items():
            describe(inner, f"{name}.{field}")

    for name, definition in cast(dict[str, dict[str, Any]], schema["$defs"]).items():
        describe(definition, name)
    return schema


def to_json(value: Value) -> JSON:
    """Return the document of *value*: plain dicts, lists, strings, whole numbers and so on.

    Equal values give equal documents, with all fields in the same order.

    Raises:
        JsonError: If no document can represent a part of the value: a number above 2⁵³ - 1, a lone
            surrogate, a cell with more than six letters and nine digits, or a wrong type.
    """
    kind = BY_TYPE.get(type(value))
    if kind is None:
        raise TypeError(f"value must be of a type with documents, not {type(value).__name__}")
    return kind.document(value)


@overload
def from_json(data: object, kind: None = None, *, limits: Limits | None = None) -> Value: ...
@overload
def from_json(data: object, kind: type[T], *, limits: Limits | None = None) -> T: ...
def from_json(
    data: object, kind: type[object] | None = None, *, limits: Limits | None = None
) -> Value:
    """Return the value of a document, checked as strictly as its constructor checks it.

    >>> document = pdd.json.to_json(pdd.Board(12, 9))
    >>> try:
    ...     pdd.json.from_json(document, limits=pdd.Limits(side=10))
    ... except pdd.json.JsonError as error:
    ...     print(error.expected)
    a board of at most 10x10

    Args:
        data: The document, as :func:`to_json` returns it or as Python's ``json`` reads it.
        kind: The class of the value; a document of another class is refused.
        limits: The limits of ``characters``, ``side`` and ``depth``; ``None`` for ``Limits()``.
            Each value in the data counts as one character, and each string and each name of a
            field as its own length as well, so no document counts more than its text.

    Raises:
        JsonError: If it is not the document of a value, or not of this kind, or if it exceeds the
            limits.
    """
    wanted = _wanted(kind)
    limits = limits_or_default(limits)
    require_shallow(data)
    _require_short(data, limits.characters)
    return _value_of(data, wanted, limits)


def _wanted(kind: type[object] | None) -> Codec | None:
    """Return the kind of values that a caller asks for, if any."""
    return None if kind is None else _kind_of(kind)


def _value_of(data: object, wanted: Codec | None, limits: Limits) -> Value:
    """Return the value of a document whose depth and length have been checked."""
    _require_small_boards(data, limits.side)
    found = _opened(data)
    if wanted is not None and wanted is not found:
        raise JsonError("kind", reason("literal", literal=wanted.name))
    try:
        value = found.read(codecs.fields_of(data)["value"])
        _require_depth(value, limits.depth)
    except JsonError as error:
        raise_below(error, "value")
    return cast(Value, value)


def dumps(value: Value, indent: int | None = None) -> str:
    """Return the document of *value* as text; equal values give equal texts.

    Args:
        value: The value.
        indent: The number of spaces of each level; ``None`` for a single line.

    Raises:
        JsonError: If no document can represent a part of the value, as for :func:`to_json`.
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
    """Return the value of a document given as text.

    Args:
        text: The text, or its bytes: UTF-8, or the encoding of its byte order mark.
        kind: The class of the value; a document of another class is refused.
        limits: The limits of ``characters``, ``side`` and ``depth``; ``None`` for ``Limits()``.

    Raises:
        JsonError: If it is not the document of a value, or not of this kind, if bytes are not
            text, or if it exceeds the limits.
    """
    require_type(text, (str, bytes), "text")
    require_type(kind, type | None, "kind")
    limits = limits_or_default(limits)
    if isinstance(text, str) and is_file_name(text):
        raise JsonError("", reason("text-not-path"))
    text = _decoded(text)
    if exceeds(len(text), limits.characters):
        raise _too_long(limits.characters)
    # Check the nesting before the recursive parser runs.
    if find_too_deep(text, codecs.MAX_NESTING) is not None:
        raise JsonError("", codecs.TOO_DEEP)
    try:
        data = json.loads(text, object_pairs_hook=_object, parse_int=_number)
    except json.JSONDecodeError as error:
        place = {"json_line": error.lineno, "json_column": error.colno}
        raise JsonError("", reason("json-syntax-at", problem=error.msg, **place)) from error
    return _value_of(data, _wanted(kind), limits)


def _decoded(text: str | bytes) -> str:
    """Decode bytes, and remove a byte order mark.

    Raises:
        JsonError: If bytes are not text in their encoding.
    """
    if isinstance(text, bytes):
        encoding = encoding_of(text)
        try:
            text = text.decode(encoding)
        except UnicodeDecodeError as error:
            raise JsonError("", reason("text-in-encoding", name=encoding.upper())) from error
    return text.removeprefix(BYTE_ORDER_MARK)


def _too_long(characters: int | None) -> JsonError:
    """Return the error for a document that is too long."""
    return JsonError("", reason("json-characters", max=cast(int, characters)))


def _require_short(data: object, characters: int | None) -> None:
    """Raise a :class:`JsonError` for data whose text would be too long.

    Data can contain one list many times. The count ends as soon as it exceeds the limit, so this
    takes no longer than the limit allows.
    """
    if characters is None:
        return
    count = 1
    parts = [data]
    while parts:
        part = parts.pop()
        if isinstance(part, str):
            count += len(part)
        elif isinstance(part, dict):
            count += len(part) + sum(len(name) for name in part if isinstance(name, str))
            parts += part.values()
        elif isinstance(part, list):
            count += len(part)
            parts += part
        if count > characters:
            raise _too_long(characters)


def _require_depth(value: object, depth: int | None) -> None:
    """Raise a :class:`JsonError` for a value whose variations are nested too deeply."""
    line = value.line if isinstance(value, Game | Record) else value
    if isinstance(line, Line | Move) and exceeds(line.depth, depth):
        raise JsonError("", reason("limit-depth", max=cast(int, depth)))


def _require_small_boards(data: object, side: int | None) -> None:
    """Raise a :class:`JsonError` for a large board, before anything is built from it."""
    if side is None or side >= Board.MAX_SIDE:
        return
    parts = [data]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            sides = [part.get("width"), part.get("height")]
            if any(isinstance(each, int) and each > side for each in sides):
                raise JsonError("", reason("limit-side", max=side))
            parts += part.values()
        elif isinstance(part, list):
            parts += part


@runtime_checkable
class HookConverter(Protocol):
    """The two methods of a cattrs converter that :func:`register_cattrs_hooks` needs."""

    def register_structure_hook(self, of: Any, read: Callable[[Any, Any], Any], /) -> object:
        """Register a function that makes a value from data and a type."""

    def register_unstructure_hook(self, of: Any, write: Callable[[Any], Any], /) -> object:
        """Register a function that makes data from a value."""


def register_cattrs_hooks(converter: HookConverter, *, limits: Limits | None = None) -> None:
    """Register hooks with a cattrs converter for all values that documents can hold.

    The values can then be fields of your own classes. They have the same form as in a document,
    without its envelope; a faulty value raises a :class:`JsonError` with the path within it. The
    converter also reads the unions ``Action`` and ``Step``, and both of them or ``None``.

    >>> import cattrs
    >>> converter = cattrs.Converter()
    >>> pdd.json.register_cattrs_hooks(converter)
    >>> converter.unstructure({pdd.Seat.FIRST: [pdd.parse_cell("c4")]})
    {'first': ['c4']}

    Args:
        converter: The converter, which is changed.
        limits: The limits of each value, as in :func:`~pontedeldiavolo.json.from_json`; ``None``
            for ``Limits()``.
    """
    require_type(converter, HookConverter, "converter")
    limits = limits_or_default(limits)
    for kind in KINDS:
        converter.register_structure_hook(kind.of, _hook(kind, limits))
        converter.register_unstructure_hook(kind.of, kind.write)
    for union, codec in ((Action, ACTION), (Step, STEP)):
        converter.register_structure_hook(union, _hook(codec, limits))
        converter.register_structure_hook(union | None, _hook(codecs.nullable(codec), limits))


def _hook(codec: Codec, limits: Limits) -> Callable[[object, object], object]:
    """Return a function that reads data for another converter, which also passes the type."""

    def read(data: object, _: object) -> object:
        require_shallow(data)
        _require_short(data, limits.characters)
        _require_small_boards(data, limits.side)
        value = codec.read(data)
        _require_depth(value, limits.depth)
        return value

    return read


def default(value: object) -> object:
    """Return the JSON of a simple value, for ``json.dumps(..., default=pdd.json.default)``.

    Members of enums, cells, bridges, actions and steps become strings, as in documents. Sets become
    sorted lists. The package's mappings become dicts, and so does a :class:`Reason`, with ``code``
    and ``values``. For all other values, use :func:`to_json`. ``json`` never passes the keys of a
    dict to this function.

    >>> import json
    >>> json.dumps({"last": pdd.parse_action("d4,g7")}, default=pdd.json.default)
    '{"last": "d4,g7"}'

    Raises:
        TypeError: If it is any other value.
    """
    text = _TEXTS.get(type(value))
    if text is not None:
        return text(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, AbstractSet):
        return _sorted(value)
    if isinstance(value, FrozenMapping):
        return dict(value)
    if isinstance(value, Reason):
        return {"code": value.code, "values": value.values}
    raise TypeError(f"{type(value).__name__} is not among the simple values that JSON can show")


def _sorted(items: AbstractSet[object]) -> list[object]:
    """Return the items sorted, by their texts if they cannot be compared."""
    # For sets "<" means a subset, which does not sort them.
    if not any(isinstance(item, AbstractSet) for item in items):
        try:
            return sorted(cast(AbstractSet[Any], items))
        except TypeError:
            pass
    plain = bool | int | float | str | None
    return sorted((each if isinstance(each, plain) else default(each) for each in items), key=str)


def _kind_of(of: type[object]) -> Codec:
    """Return the kind of values of a class."""
    require_type(of, type, "kind")
    if of not in BY_TYPE:
        raise TypeError(f"there are no documents of {of.__name__}")
    return BY_TYPE[of]


def _opened(data: object) -> Codec:
    """Return the kind of value that an envelope names.

    The version is checked first, so that new fields of a later version are not reported.
    """
    fields = codecs.fields_of(data)
    for name, only in (("format", codecs.FORMAT), ("version", codecs.VERSION)):
        if name not in fields:
            raise JsonError("", reason("json-field", name=name))
        if type(fields[name]) is not type(only) or fields[name] != only:
            raise JsonError(name, reason("json-only", value=repr(only)))
    kind = _ENVELOPE.read(data)["kind"]
    if kind == SNAPSHOT.name:
        raise JsonError("kind", reason("json-snapshot"))
    if not isinstance(kind, str) or kind not in BY_NAME:
        raise JsonError("kind", reason("one-of", words=quoted(BY_NAME)))
    return BY_NAME[kind]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object] | codecs.DuplicateKey:
    """Return the fields of an object, or a placeholder if a field occurs twice."""
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    counts = Counter(name for name, _ in pairs)
    return codecs.DuplicateKey(next(name for name, _ in reversed(pairs) if counts[name] > 1))


def _number(digits: str) -> int | float:
    """Return an integer, or a float if it is too long for any document."""
    return int(digits) if len(digits) <= _LONGEST else float(digits)
