"""Codecs: each reads and writes one type as plain JSON, and describes it as JSON Schema.

Codecs of objects and lists are composed of the codecs of their parts, so one recursion reads,
writes and describes every value. They are strict: 1 is not ``True``, a string is not a list, and
an object has only the listed fields. A codec refuses data with a :class:`JsonError`. Each codec
around it adds its field or index to the front of the path of the error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any, Final, NoReturn, TypeAlias, cast, final

from attrs import evolve, fields_dict, frozen

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.errors import MessageValue, NotationError, PonteError, Reason, reason
from pontedeldiavolo.base.json_text import path_below
from pontedeldiavolo.base.values import FrozenMapping
from pontedeldiavolo.board.cell import Cell, column_of
from pontedeldiavolo.rules.limits import MAX_DEPTH
from pontedeldiavolo.rules.rules import MAX_SUPPLY

JSON: TypeAlias = "bool | int | str | list[JSON] | dict[str, JSON] | None"
"""Plain JSON. No document contains a number with a fraction."""

Schema: TypeAlias = dict[str, JSON]

Maker: TypeAlias = Callable[..., object]
"""A function that makes a value from its parts: its class, or another one."""

FORMAT: Final = "pontedeldiavolo"
"""The value of the field ``format`` in every document."""

VERSION: Final = 1
"""The value of the field ``version``, which changes with the form of any kind of value.

A new optional field does not change it, because older documents can still be read.
"""

MAX_NUMBER: Final = MAX_SUPPLY
"""The largest number in a document, which every JSON parser reads exactly (RFC 7493)."""

MAX_NESTING: Final = 4 * MAX_DEPTH + 8
"""The maximum nesting of lists and objects, which suffices for the deepest variations."""

TOO_DEEP: Final = reason("json-nesting", max=MAX_NESTING)

_SURROGATE = re.compile("[\ud800-\udfff]")


@final
class JsonError(PonteError):
    """JSON is not the document of a value, or no document can represent a value.

    If the content breaks a rule, the error about that rule is the ``__cause__``.

    >>> try:
    ...     pdd.json.loads('{"format": "pontedeldiavolo", "version": 2}')
    ... except pdd.json.JsonError as error:
    ...     print(error.path, error.expected)
    version 1
    """

    __module__ = "pontedeldiavolo.json"

    def __init__(self, path: str, expected: str | Reason) -> None:
        errors.require_type(path, str, "path")
        super().__init__(path, errors.reason_of(expected))

    @property
    def path(self) -> str:
        """The place of the fault, such as ``value.line.moves[3].nags``; "" for the document."""
        return cast(str, self.args[0])

    @property
    def expected(self) -> str:
        """The expected content."""
        return str(self.reason)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values for the message, including ``path``."""
        return self.reason.values | {"path": self.path}

    def __str__(self) -> str:
        return f"{self.path or 'the document'}: expected {self.expected}"

    def below(self, step: str | int) -> JsonError:
        """Return the error with a step added to the front of its path.

        Args:
            step: The field or the index in a list that leads to the fault.
        """
        if not isinstance(step, str):
            step = errors.whole_number(step, "step")
        return JsonError(path_below(step, self.path), self.reason)


def raise_below(error: PonteError, *steps: str | int) -> NoReturn:
    """Raise an error as a :class:`JsonError` at a path; the outermost step comes first.

    Another error of the library becomes the cause.
    """
    cause: BaseException | None = error
    if isinstance(error, JsonError):
        found = error
        cause = error.__cause__
    elif isinstance(error, NotationError):
        found = JsonError("", error.reason)
    else:
        found = JsonError("", reason("json-content", reason=error.reason))
    for step in reversed(steps):
        found = found.below(step)
    raise found from cause


@frozen(eq=False)
class Codec:
    """The JSON of one type.

    Attributes:
        read: Returns the value of plain JSON, or raises a :class:`PonteError`.
        write: Returns the plain JSON of a value, or raises a :class:`JsonError`.
        definition: The JSON Schema.
        name: The name of its definition in the schema; a codec without a name is inlined.
        of: The class of the values, for kinds of documents.
    """

    read: Callable[[object], Any]
    write: Callable[[Any], Any]
    definition: Schema
    name: str = ""
    of: type = object

    @property
    def schema(self) -> Schema:
        """The definition, or a reference to it if the codec has a name."""
        return {"$ref": f"#/$defs/{self.name}"} if self.name else self.definition

    def named(self, name: str) -> Codec:
        """Return the codec with a name for its definition."""
        return evolve(self, name=name, definition=self.schema)

    def document(self, value: object) -> dict[str, JSON]:
        """Return the document of a value: its JSON in an envelope that names the kind."""
        try:
            written = self.write(value)
        except JsonError as error:
            raise_below(error, "value")
        return {"format": FORMAT, "version": VERSION, "kind": self.name, "value": written}

    def with_schema(self, **schema: JSON) -> Codec:
        """Return the codec with another schema."""
        return evolve(self, name="", definition=schema)


@frozen(eq=False)
class DuplicateKey:
    """Placeholder for an object in which the field *name* occurs twice."""

    name: str


def fields_of(data: object) -> dict[str, object]:
    """Return *data* as a JSON object, or raise a :class:`JsonError`."""
    if isinstance(data, dict) and all(isinstance(name, str) for name in data):
        return data
    if isinstance(data, DuplicateKey):
        raise JsonError("", reason("json-field-once")).below(data.name)
    raise JsonError("", reason("json-names" if isinstance(data, dict) else "json-object"))


def require_shallow(data: object) -> None:
    """Raise a :class:`JsonError` for data that is nested too deeply, before any recursion into it.

    The check goes level by level, and visits each list and object once per level, so that even
    data that contains itself takes no longer.
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


# Plain data


def whole_number(data: object, lowest: int = 0) -> int:
    """Return *data* as a number up to :data:`MAX_NUMBER`, or raise a :class:`JsonError`."""
    if isinstance(data, bool) or not isinstance(data, int) or not lowest <= data <= MAX_NUMBER:
        what = reason("json-whole-number")
        raise JsonError("", reason("range", what=what, lowest=lowest, highest=MAX_NUMBER))
    return int(data)


def string(data: object) -> str:
    """Return *data* as a string without lone surrogates, or raise a :class:`JsonError`."""
    if not isinstance(data, str):
        raise JsonError("", reason("json-text"))
    if _SURROGATE.search(data):
        raise JsonError("", reason("json-surrogates"))
    return data


TEXT: Final = Codec(string, string, {"type": "string"})
_COUNT: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}
COUNT: Final = Codec(whole_number, whole_number, _COUNT).named("count")


# Strings with a fixed form


def require_class(value: object, of: type) -> None:
    """Raise a :class:`JsonError` for a value of another class."""
    if type(value) is not of:
        raise JsonError("", reason("json-class", name=of.__name__))


# A cell may be outside every board, up to a limit.
_CELL = "([a-z]{1,6})([1-9][0-9]{0,8})"


def kind(codec: Codec, **schema: JSON) -> Codec:
    """Return a codec for a kind of documents, named after its class, such as ``game-state``.

    Args:
        codec: The codec.
        schema: Another schema for it, if given.
    """
    name = re.sub("(?<=[a-z])(?=[A-Z])", "-", codec.of.__name__).lower()
    return (codec.with_schema(**schema) if schema else codec).named(name)


def _cell(letters: str, digits: str) -> Cell:
    return Cell(column_of(letters), int(digits) - 1)


def cells_of(
    of: type, code: str, text: Callable[[Any], str], example: str, make: Maker | None = None
) -> Codec:
    """Return the kind of a class whose values are texts of one cell, or of two in any order.

    Args:
        of: The class.
        code: The code of the expected input in errors.
        text: Returns the text of a value, which matches the form unless a cell is too far away.
        example: An example of the text, for the schema; it also shows the sign between cells.
        make: Makes a value from the cells; by default the class.
    """
    sign = re.sub("[a-z0-9]", "", example)
    pattern = sign.join([_CELL] * (1 + len(sign)))
    compiled = re.compile(pattern)
    expected = reason(code)

    def read(data: object) -> object:
        found = compiled.fullmatch(string(data))
        if found is None:
            raise JsonError("", expected)
        parts = found.groups()
        return (make or of)(*map(_cell, parts[::2], parts[1::2]))

    def write(value: object) -> str:
        require_class(value, of)
        written = text(value)
        if not compiled.fullmatch(written):
            raise JsonError("", reason("json-cell"))
        return written

    whole = f"^{re.sub('[()]', '', pattern)}$"
    schema: dict[str, JSON] = {"type": "string", "pattern": whole, "examples": [example]}
    return kind(Codec(read, write, schema, of=of))


def one_of(of: type, values: Iterable[Any], text: Callable[[Any], str]) -> Codec:
    """Return the codec of a class whose few values are written as words."""
    words = {text(value): value for value in values}
    expected = reason("one-of", words=errors.quoted(words))
    if len(words) == 1:
        expected = reason("literal", literal=next(iter(words)))

    def read(data: object) -> object:
        found = words.get(string(data))
        if found is None:
            raise JsonError("", expected)
        return found

    def write(value: object) -> str:
        require_class(value, of)
        return text(value)

    return Codec(read, write, {"enum": [*words]}, of=of)


# Composed codecs


def nullable(inner: Codec) -> Codec:
    """Return the codec of a value or ``None``."""

    def read(data: object) -> object:
        try:
            return None if data is None else inner.read(data)
        except JsonError as error:
            if error.path:
                raise
            raise JsonError("", reason("json-or-null", what=error.reason)) from error.__cause__

    def write(value: object) -> object:
        return None if value is None else inner.write(value)

    return Codec(read, write, {"anyOf": [inner.schema, {"type": "null"}]})


def list_of(inner: Codec) -> Codec:
    """Return the codec of a JSON list of inner values, read as a tuple."""

    def read(data: object) -> tuple[object, ...]:
        if not isinstance(data, list):
            raise JsonError("", reason("json-list"))
        return tuple(_each(inner.read, data))

    return Codec(read, partial(_each, inner.write), {"type": "array", "items": inner.schema})


def set_of(inner: Codec) -> Codec:
    """Return the codec of a frozen set, written as a sorted list without duplicates."""
    items = list_of(inner)

    def read(data: object) -> frozenset[object]:
        found: set[object] = set()
        for place, value in enumerate(items.read(data)):
            if value in found:
                raise JsonError("", reason("json-item-once", item=str(value))).below(place)
            found.add(value)
        return frozenset(found)

    schema: Schema = {**items.schema, "uniqueItems": True}
    return Codec(read, lambda found: items.write(sorted(found)), schema)


def _each(call: Callable[[object], object], items: Collection[object]) -> list[object]:
    """Return the result of *call* for each item; an error gets the index of its item."""
    done: list[object] = []
    for place, item in enumerate(items):
        try:
            done.append(call(item))
        except PonteError as error:
            raise_below(error, place)
    return done


def mapping_of(
    read: Callable[[str, object], object],
    schema: JSON,
    *,
    write: Callable[[str, Any], object] = lambda _, part: part,
    order: Callable[[Mapping[str, object]], Iterable[str]] = sorted,
    **more: JSON,
) -> Codec:
    """Return the codec of a mapping with any names as keys.

    Args:
        read: Reads the part with a name.
        schema: The schema of each part.
        write: Writes the part with a name; by default a part is already plain JSON.
        order: Returns the names in the order of documents.
        more: Further parts of the schema.
    """

    def mapped(call: Callable[[str, Any], object], data: Mapping[str, object]) -> dict[str, object]:
        values = {}
        for name, part in data.items():
            try:
                text = string(name)
                values[text] = call(text, part)
            except PonteError as error:
                raise_below(error, name)
        return values

    return Codec(
        lambda data: FrozenMapping(mapped(read, fields_of(data))),
        lambda values: mapped(write, {name: values[name] for name in order(values)}),
        {"type": "object", **more, "additionalProperties": schema},
    )


REQUIRED: Final = object()
"""Placeholder for the default of a required field."""


@frozen(eq=False)
class Field:
    """A field of an object.

    Attributes:
        codec: The codec of its part.
        get: Returns the part of a value; by default the attribute with the name of the field.
        default: The part that is not written, for an optional field; otherwise ``REQUIRED``.
    """

    codec: Codec
    get: Callable[[Any], object] | None = None
    default: object = REQUIRED


def object_of(of: type, make: Maker | None = None, /, **parts: Field | Codec) -> Codec:
    """Return the codec of a class whose values are JSON objects with these fields.

    Args:
        of: The class.
        make: Makes a value from the parts by name; by default the class.
        parts: The fields, in the order of documents.
    """
    fields = {key: Field(part) if isinstance(part, Codec) else part for key, part in parts.items()}
    required = [name for name, field in fields.items() if field.default is REQUIRED]
    schema: Schema = {
        "type": "object",
        "properties": {name: field.codec.schema for name, field in fields.items()},
        "required": [*required],
        "additionalProperties": False,
    }
    return Codec(_reader(of, fields, make or of), _writer(of, fields), schema, of=of)


def _reader(of: type, fields: Mapping[str, Field], make: Maker) -> Callable[[object], object]:
    """Return a function that reads an object field by field."""
    wanted = reason("json-no-field-but", names=", ".join(fields))
    parts = [
        (name, _judged(of, name, field), field.default is REQUIRED)
        for name, field in fields.items()
    ]

    def read(data: object) -> object:
        if not (isinstance(data, dict) and data.keys() <= fields.keys()):
            strange = next(name for name in fields_of(data) if name not in fields)
            raise JsonError("", wanted).below(strange)
        found = {}
        for name, read_part, needed in parts:
            if name in data:
                try:
                    found[name] = read_part(data[name])
                except PonteError as error:
                    raise_below(error, name)
            elif needed:
                raise JsonError("", reason("json-field", name=name))
        try:
            return make(**found)
        except PonteError as error:
            raise_below(error)

    return read


def _judged(of: type, name: str, field: Field) -> Callable[[object], object]:
    """Return the reader of a field; for an optional field, with its class's own check."""
    read = field.codec.read
    if field.default is REQUIRED or of is dict:
        return read
    check = cast(Callable[[object], object] | None, fields_dict(of)[name].converter)
    return read if check is None else lambda data: check(read(data))


def _writer(of: type, fields: Mapping[str, Field]) -> Callable[[object], dict[str, object]]:
    """Return a function that writes an object field by field."""
    part_of = cast(Callable[[str], Any], itemgetter if of is dict else attrgetter)
    parts = [
        (name, field.get or part_of(name), field.codec.write, field.default)
        for name, field in fields.items()
    ]

    def write(value: object) -> dict[str, object]:
        require_class(value, of)
        written: dict[str, object] = {}
        for name, get, write_part, default in parts:
            part = get(value)
            if default is REQUIRED or part != default:
                try:
                    written[name] = write_part(part)
                except JsonError as error:
                    raise_below(error, name)
        return written

    return write
