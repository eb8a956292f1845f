"""The converter: what turns every type that a document mentions into plain JSON and back.

A converter of cattrs keeps two hooks for every type: one makes a value of data, the other data of
a value. They go by types, never by what the data looks like, and take nothing for something else:
1 is not ``True``, a text is no list of letters, and a field that no form lists is an error. What
they refuse is a :class:`JsonError`, with the path from where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Final, NoReturn, TypeAlias, Union, cast, get_args, get_origin

from attrs import NOTHING, fields, fields_dict
from cattrs import BaseConverter, ClassValidationError, Converter
from cattrs.errors import AttributeValidationNote
from cattrs.gen import make_dict_structure_fn_from_attrs, override

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.json.error import JsonError, refused
from pontedeldiavolo.json.kinds import BY_TYPE, OBJECTS, Kind, Place, Roles
from pontedeldiavolo.json.plain import PLAIN, fields_of, mapping, require_shallow
from pontedeldiavolo.json.texts import STEPS, TEXTS

Read: TypeAlias = Callable[[object, object], object]
"""From data and type to the value: what cattrs calls a structure hook."""
Write: TypeAlias = Callable[[Any], object]
"""From the value to data: what cattrs calls an unstructure hook."""


def _make() -> Converter:
    converter = Converter()
    leaves = PLAIN | {of: (text.read, text.write) for of, text in TEXTS.items()}
    for of, (read, write) in leaves.items():
        if isinstance(of, type):
            converter.register_structure_hook(of, read)
            converter.register_unstructure_hook(of, write)
    converter.register_structure_hook_factory(_is_action, _action_reader)
    # No type is of two sorts, so their order does not matter.
    for applies, reader, writer in (
        (_is_list, _list_reader, _list_writer),
        (lambda of: of == Place, _place_reader, _list_writer),
        (lambda of: of == Roles, _roles_reader, _roles_writer),
        (PLAIN.__contains__, lambda of: PLAIN[of][0], lambda of: PLAIN[of][1]),
        (OBJECTS.__contains__, _object_reader, _object_writer),
    ):
        converter.register_structure_hook_factory(applies, reader)
        converter.register_unstructure_hook_factory(applies, writer)
    return converter


def teach(other: BaseConverter) -> None:
    """Let another converter do the same with all values of the package."""
    require_type(other, BaseConverter, "converter")

    def read(data: object, of: object) -> object:
        require_shallow(data)
        return CONVERTER.get_structure_hook(of)(data, of)

    for of in BY_TYPE:
        other.register_structure_hook(of, read)
        other.register_unstructure_hook(of, CONVERTER.get_unstructure_hook(of))
    other.register_structure_hook_factory(_is_action, lambda _: read)


def _is_action(of: object) -> bool:
    """Tell whether a type is a union of actions and steps, with or without ``None``."""
    return get_origin(of) in (Union, UnionType) and {*get_args(of)} <= {*STEPS, NoneType}


def _action_reader(of: object) -> Read:
    texts = [STEPS[each] for each in get_args(of) if each in STEPS]
    or_null = NoneType in get_args(of)
    expected = reason("json-action", examples=", ".join(text.example for text in texts))
    if or_null:
        expected = reason("json-or-null", what=expected)

    def read_action(data: object, _: object) -> object:
        for text in texts:
            found = isinstance(data, str) and text.pattern.fullmatch(data)
            if found:
                return text.value(found)
        if data is None and or_null:
            return None
        raise JsonError("", expected)

    return read_action


def _is_list(of: object) -> bool:
    """Tell whether a type is ``tuple[X, ...]``, or ``frozenset[X]``, which repeats nothing."""
    return get_args(of)[1:] == (...,) or get_origin(of) is frozenset


def _list_reader(of: object, converter: BaseConverter) -> Read:
    inner, is_set = get_args(of)[0], get_origin(of) is frozenset

    def read_list(data: object, _: object) -> object:
        # Asked for only now: a line has moves, and a move has lines.
        read = converter.get_structure_hook(inner)
        if not isinstance(data, list):
            raise JsonError("", reason("json-list"))
        values: list[object] = []
        found: set[object] = set()
        for place, item in enumerate(data):
            try:
                value = read(item, inner)
            except JsonError as error:
                raise error.below(place) from error.__cause__
            if is_set:
                if value in found:
                    twice = reason("json-item-once", item=str(value))
                    raise JsonError("", twice).below(place)
                found.add(value)
            values.append(value)
        return frozenset(values) if is_set else tuple(values)

    return read_list


def _list_writer(of: object, converter: BaseConverter) -> Write:
    inner, is_set = get_args(of)[0], get_origin(of) is frozenset

    def write_list(items: Collection[Any]) -> list[object]:
        write = converter.get_unstructure_hook(inner)
        written = []
        for place, value in enumerate(sorted(items) if is_set else items):
            try:
                written.append(write(value))
            except JsonError as error:
                raise error.below(place) from error.__cause__
        return written

    return write_list


def _place_reader(_: object, converter: BaseConverter) -> Read:
    read = converter.get_structure_hook(tuple[int, ...])

    def read_place(data: object, of: object) -> object:
        numbers = cast(Place, read(data, of))
        if len(numbers) != len(get_args(of)) or 0 in numbers:
            raise JsonError("", reason("json-place"))
        return numbers

    return read_place


def _roles_reader(of: object, converter: BaseConverter) -> Read:
    cells = get_args(of)[0]
    read = converter.get_structure_hook(cells)
    return lambda data, _: FrozenMapping(mapping(data, lambda _, part: read(part, cells)))


def _roles_writer(of: object, converter: BaseConverter) -> Write:
    write = converter.get_unstructure_hook(get_args(of)[0])
    return lambda roles: mapping(dict(roles), lambda _, cells: write(cells))


def _object_reader(of: object, converter: BaseConverter) -> Read:
    kind = OBJECTS[of]
    listed = {each.name: each for each in fields(kind.form)}
    optional = [name for name in listed if listed[name].default is not NOTHING]
    hooks: dict[str, Any]
    hooks = {name: override(struct_hook=_judged(kind, name, converter)) for name in optional}
    make = cast(type[object], kind.make)
    build = make_dict_structure_fn_from_attrs([*listed.values()], make, converter, **hooks)

    def read_object(data: object, _: object) -> object:
        if not (isinstance(data, dict) and data.keys() <= listed.keys()):
            strange = next(name for name in fields_of(data) if name not in listed)
            wanted = reason("json-no-field-but", names=", ".join(listed))
            raise JsonError("", wanted).below(strange)
        try:
            return build(data, of)
        except ClassValidationError as group:
            _refuse(group)

    return read_object


def _judged(kind: Kind, name: str, converter: BaseConverter) -> Read:
    """Return what reads a field that may be left out: what its class refuses is its own fault."""
    read = converter.get_structure_hook(fields_dict(kind.form)[name].type)
    judge = cast(Callable[[object], object] | None, fields_dict(kind.of)[name].converter)
    return read if judge is None else lambda data, of: judge(read(data, of))


def _refuse(group: ClassValidationError) -> NoReturn:
    """Raise the first error in an object, at the field that cattrs has put down in a note."""
    error = group.exceptions[0]
    notes = getattr(error, "__notes__", ())
    fields = [each for each in notes if isinstance(each, AttributeValidationNote)]
    if isinstance(error, KeyError):
        raise JsonError("", reason("json-field", name=fields[0].name)) from None
    if not isinstance(error, PonteError):
        raise error
    found = error if isinstance(error, JsonError) else refused(error)
    for field in fields:
        if NoneType in get_args(field.type) and not found.path:
            found = JsonError("", reason("json-or-null", what=found.reason))
        found = found.below(field.name)
    raise found from (error.__cause__ if isinstance(error, JsonError) else error)


def _object_writer(of: object, converter: BaseConverter) -> Write:
    kind = OBJECTS[of]
    parts = [
        (
            each.name,
            each.default,
            kind.getters.get(each.name, attrgetter(each.name)),
            converter.get_unstructure_hook(each.type),
        )
        for each in fields(kind.form)
    ]

    def write_object(value: object) -> dict[str, object]:
        if type(value) is not of:
            raise JsonError("", reason("json-class", name=kind.of.__name__))
        written: dict[str, object] = {}
        for name, default, get, write in parts:
            part = get(value)
            if default is NOTHING or part != default:
                # By hand: where an error was, cattrs puts down only when it reads.
                try:
                    written[name] = write(part)
                except JsonError as error:
                    raise error.below(name) from error.__cause__
        return written

    return write_object


CONVERTER: Final = _make()
