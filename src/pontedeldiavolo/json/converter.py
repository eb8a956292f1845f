"""The converter: what turns every type that a form mentions into plain JSON and back.

It goes by types, never by what the data looks like, and takes nothing for something else: 1 is
not ``True``, a text is no list of letters, and a field that a form does not list is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Final, TypeAlias, Union, cast, get_args, get_origin, get_type_hints

from attrs import NOTHING, AttrsInstance, fields_dict, frozen, has
from cattrs import BaseConverter, Converter

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.json import plain, texts
from pontedeldiavolo.json.error import JsonError, refused
from pontedeldiavolo.json.game_forms import NO_PLACE
from pontedeldiavolo.json.kinds import BY_TYPE, KINDS
from pontedeldiavolo.records.pdd.splitter import Place

Read: TypeAlias = Callable[[object, object], object]
"""From data and type to the value: what cattrs calls a structure hook."""
Write: TypeAlias = Callable[[object], object]
"""From the value to data: what cattrs calls an unstructure hook."""
Hooks: TypeAlias = tuple[Read, Write]

CONVERTER: Final = Converter()


def reader(of: object) -> Read:
    """Return what reads a type from data: it raises a :class:`JsonError` for anything else.

    Hooks ask for each other when they run, not when they are made: a line has moves, and a move
    has lines. They call what they get right away, to need few of Python's frames at every level.
    """
    hook: Read = CONVERTER.get_structure_hook(of)
    return hook


def writer(of: object) -> Write:
    """Return what writes a type as data: it raises a :class:`JsonError` if no document can."""
    hook: Write = CONVERTER.get_unstructure_hook(of)
    return hook


def register_hooks(converter: BaseConverter) -> None:
    """Teach another cattrs converter all values of this package.

    So they can be fields of your own classes. They have the same form as in a document, without
    its envelope; what is wrong with one raises a :class:`JsonError` with the path within it.

    Args:
        converter: A converter of cattrs, which is changed.

    Raises:
        TypeError: If it is none.
    """
    require_type(converter, BaseConverter, "converter")

    def structure(data: object, of: object) -> object:
        plain.require_shallow(data)
        return reader(of)(data, of)

    for applies in (_is_kind, _is_action):
        _register(converter, applies, lambda of: (structure, writer(of)))


def _register(
    converter: BaseConverter,
    applies: Callable[[object], bool],
    hooks_of: Callable[[object], Hooks],
) -> None:
    """Let the hooks of all types to which something applies be made by a function."""
    converter.register_structure_hook_factory(applies, lambda of: hooks_of(of)[0])
    converter.register_unstructure_hook_factory(applies, lambda of: hooks_of(of)[1])
    # Enumerations have a hook that older versions of cattrs ask first.
    for kind in KINDS:
        if issubclass(kind.of, Enum) and applies(kind.of):
            structure, unstructure = hooks_of(kind.of)
            converter.register_structure_hook(kind.of, structure)
            converter.register_unstructure_hook(kind.of, unstructure)


# Forms: objects with fields


@frozen
class _Field:
    """A field of a form: its type, and its value when it is left out."""

    type: object
    default: object

    @property
    def is_required(self) -> bool:
        return self.default is NOTHING


def _form_hooks(form: object) -> Hooks:
    """Return the hooks of a class that lists fields."""
    cls = cast("type[AttrsInstance]", form)
    attributes = fields_dict(cls)
    fields = {
        name: _Field(of, attributes[name].default) for name, of in get_type_hints(cls).items()
    }
    return _form_reader(cls, fields), _form_writer(fields)


def _form_reader(cls: type[object], fields: dict[str, _Field]) -> Read:
    def read_form(data: object, _: object) -> object:
        given = plain.fields_of(data)
        for name in given:
            if name not in fields:
                raise JsonError("", f"no field but {', '.join(fields)}").below(name)
        parts: dict[str, object] = {}
        for name, field in fields.items():
            if name in given:
                try:
                    parts[name] = reader(field.type)(given[name], field.type)
                except JsonError as error:
                    raise error.below(name) from error.__cause__
            elif field.is_required:
                raise JsonError("", f"the field '{name}'")
        return cls(**parts)

    return read_form


def _form_writer(fields: dict[str, _Field]) -> Write:
    def write_form(form: object) -> dict[str, object]:
        written: dict[str, object] = {}
        for name, field in fields.items():
            part = getattr(form, name)
            if field.is_required or part != field.default:
                try:
                    written[name] = writer(field.type)(part)
                except JsonError as error:
                    raise error.below(name) from error.__cause__
        return written

    return write_form


# Kinds: a form and what it stands for


def _is_kind(of: object) -> bool:
    return isinstance(of, type) and of in BY_TYPE


def _kind_hooks(of: object) -> Hooks:
    """Return the hooks of a public class."""
    kind = BY_TYPE[cast(type[object], of)]

    def read_kind(data: object, _: object) -> object:
        form = reader(kind.form)(data, kind.form)
        try:
            return kind.read(form)
        except JsonError:
            raise
        except PonteError as error:
            raise refused(error) from error

    def write_kind(value: object) -> object:
        if type(value) is not kind.of:
            raise JsonError("", f"a value of the class {kind.of.__name__}")
        try:
            form = kind.write(value)
        except JsonError:
            raise
        except PonteError as error:
            raise refused(error) from error
        return writer(kind.form)(form)

    return read_kind, write_kind


# Unions


def _origin(of: object) -> object:
    """Return ``tuple`` for ``tuple[X, ...]`` and so on, ``None`` for a plain class."""
    return get_origin(of)


def _members(of: object) -> tuple[object, ...]:
    """Return the types of a union, none for any other type."""
    return get_args(of) if _origin(of) in (Union, UnionType) else ()


def _is_action(of: object) -> bool:
    """Tell whether a type is a union of actions and steps, with or without ``None``."""
    members = set(_members(of)) - {NoneType}
    return bool(members) and members <= texts.EXAMPLES.keys()


def _action_hooks(of: object) -> Hooks:
    """Return the hooks of a union of actions, which no two kinds of write alike."""
    members = _members(of)
    expected = ", ".join(texts.EXAMPLES[cast(type[object], member)] for member in members)

    def read_action(data: object, _: object) -> object:
        try:
            action = texts.read_step(plain.string(data))
        except JsonError:
            action = None
        if type(action) not in members:
            raise JsonError("", f"an action such as {expected}")
        return action

    return read_action, lambda action: writer(type(action))(action)


def _is_optional(of: object) -> bool:
    return NoneType in _members(of)


def _optional_hooks(of: object) -> Hooks:
    """Return the hooks of a type that has ``None``, which is ``null``."""
    inner = reduce(or_, cast(list[type], [each for each in _members(of) if each is not NoneType]))

    def read_optional(data: object, _: object) -> object:
        if data is None:
            return None
        try:
            return reader(inner)(data, inner)
        except JsonError as error:
            if error.path:
                raise
            raise JsonError("", f"{error.expected}, or null") from error.__cause__

    return read_optional, lambda value: None if value is None else writer(inner)(value)


# Lists and mappings


def _list_hooks(of: object) -> Hooks:
    """Return the hooks of ``tuple[X, ...]``, and of ``frozenset[X]``, which repeats nothing."""
    inner, is_set = get_args(of)[0], _origin(of) is frozenset

    def read_list(data: object, _: object) -> object:
        values: list[object] = []
        found: set[object] = set()
        for place, item in enumerate(plain.items_of(data)):
            try:
                value = reader(inner)(item, inner)
            except JsonError as error:
                raise error.below(place) from error.__cause__
            if is_set:
                if value in found:
                    raise JsonError("", f"every item once, not {value} again").below(place)
                found.add(value)
            values.append(value)
        return frozenset(values) if is_set else tuple(values)

    def write_list(values: object) -> list[object]:
        written = []
        items = cast(Collection[str], values)
        for place, value in enumerate(sorted(items) if is_set else items):
            try:
                written.append(writer(inner)(value))
            except JsonError as error:
                raise error.below(place) from error.__cause__
        return written

    return read_list, write_list


def _mapping_hooks(of: object) -> Hooks:
    """Return the hooks of ``FrozenMapping[X]``: an object whose fields have any names."""
    (inner,) = get_args(of)

    def read_mapping(data: object, _: object) -> FrozenMapping[object]:
        values: dict[str, object] = {}
        for name, item in plain.fields_of(data).items():
            try:
                values[plain.string(name)] = reader(inner)(item, inner)
            except JsonError as error:
                raise error.below(name) from error.__cause__
        return FrozenMapping(values)

    def write_mapping(values: object) -> dict[str, object]:
        written: dict[str, object] = {}
        for name, value in cast(Mapping[str, object], values).items():
            try:
                written[plain.string(name)] = writer(inner)(value)
            except JsonError as error:
                raise error.below(name) from error.__cause__
        return written

    return read_mapping, write_mapping


# Leaves


def _place_hooks(_: object) -> Hooks:
    """Return the hooks of a line and a column."""

    def read_place(data: object, _: object) -> Place:
        numbers = cast(Place, reader(tuple[int, ...])(data, tuple[int, ...]))
        if len(numbers) != len(NO_PLACE) or 0 in numbers:
            raise JsonError("", "a line and a column, both from 1")
        return numbers

    return read_place, writer(tuple[int, ...])


_CHECKS: Final[dict[object, Callable[[object], object]]] = {
    bool: plain.truth,
    int: plain.whole_number,
    str: plain.string,
    int | str: plain.number_or_text,
}
"""What is the same in a form and in a document."""


def _leaf_reader(check: Callable[[object], object]) -> Read:
    return lambda data, _: check(data)


_MAKERS: Final[tuple[tuple[Callable[[object], bool], Callable[[object], Hooks]], ...]] = (
    # Of several that apply to a type, the last one makes its hooks.
    (lambda of: isinstance(of, type) and has(of), _form_hooks),
    (_is_kind, _kind_hooks),
    (_is_action, _action_hooks),
    (_is_optional, _optional_hooks),
    (lambda of: _origin(of) in (tuple, frozenset), _list_hooks),
    (lambda of: _origin(of) is FrozenMapping, _mapping_hooks),
    (lambda of: of == Place, _place_hooks),
)
for _applies, _hooks_of in _MAKERS:
    _register(CONVERTER, _applies, _hooks_of)
for _of, _check in _CHECKS.items():
    CONVERTER.register_structure_hook(_of, _leaf_reader(_check))
    CONVERTER.register_unstructure_hook(_of, _check)
