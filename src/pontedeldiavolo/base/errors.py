"""The errors of the package, the coded reasons that they carry, and checks of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from math import inf, nan
from operator import index
from os import PathLike
from types import UnionType
from typing import Any, Final, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, cast, final

from attrs import Attribute, frozen

from .catalogs import ENGLISH, fill
from .enums import Tiebreak
from .values import FrozenMapping, ImmutableValue

T = TypeVar("T")

NO_VALUES: Final[FrozenMapping[int]] = FrozenMapping()
DEFAULT_CODE: Final = "value"
"""The code of errors with an English sentence only: mistakes of the calling program."""


@final
@frozen(init=False, order=False)
class Reason(ImmutableValue):
    """The reason for a refusal, for a sentence in any language; ``str`` gives the English one.

    >>> reason = pdd.Reason("row-width", {"width": 3})
    >>> str(reason)
    'a row of 3 cells'
    >>> pdd.messages.explain(reason, "de")
    'Eine Reihe mit 3 Feldern.'

    Attributes:
        code: A stable key of the catalogues in :mod:`pontedeldiavolo.messages`. That of a broken
            rule is the value of a :class:`ViolationCode`.
        values: The values of its sentence, by name.
    """

    code: str
    values: FrozenMapping[MessageValue]

    # Written out: a value can itself be a reason, and a converter's types cannot name this class.
    def __init__(self, code: str, values: Mapping[str, MessageValue] = NO_VALUES) -> None:
        require_type(code, str, "code")
        require_mapping(values, int | str | Tiebreak | Reason | tuple, "values")
        for name, value in values.items():
            if isinstance(value, tuple):
                require_items(value, int | str | Tiebreak | Reason, f"values[{name!r}]")
        # This turns a ViolationCode into plain text.
        object.__setattr__(self, "code", str(code))
        object.__setattr__(self, "values", FrozenMapping(values) if values else NO_VALUES)

    def __str__(self) -> str:
        shown = {name: _shown(value) for name, value in self.values.items()}
        try:
            return fill(ENGLISH[self.code], shown)
        except LookupError:
            # A reason that a caller made may have no template: its code is shown instead.
            return self.code


MessageValue: TypeAlias = int | str | Tiebreak | Reason | tuple[Reason, ...]
"""A value in a sentence: a number, a text, a word of the game, or other reasons."""


def reason(code: str, **values: MessageValue) -> Reason:
    """Return the reason with this code and these values.

    The names ``line``, ``offset``, ``path`` and ``row`` are reserved for the place of a fault.
    """
    return _shared(code, tuple(values.items()))


# Cached: callers may keep many errors, and these share few distinct reasons.
@lru_cache(maxsize=256)
def _shared(code: str, values: tuple[tuple[str, MessageValue], ...]) -> Reason:
    return Reason(code, dict(values))


def reason_of(text: str | Reason, name: str = "expected") -> Reason:
    """Return *text* as a reason; a string becomes a reason with an English sentence only.

    Raises:
        TypeError: If it is neither; *name* is the name of the parameter.
    """
    require_type(text, str | Reason, name)
    return text if isinstance(text, Reason) else Reason(DEFAULT_CODE, {"text": text})


def quoted(words: Iterable[str]) -> str:
    """Return words in quotes, separated by commas."""
    return ", ".join(f"'{each}'" for each in words)


def _shown(value: MessageValue) -> int | str:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, Tiebreak):
        return ENGLISH[value]
    return str(value) if isinstance(value, Reason) else value


class PonteError(ValueError):
    """The root of every error that this package raises for a bad value.

    >>> try:
    ...     pdd.Board().index(pdd.Cell(10, 0))
    ... except pdd.PonteError as error:
    ...     print(error.code, dict(error.values))
    cell-off-board {'cell': 'k1', 'width': 10, 'height': 10}
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, *args: object) -> None:
        # This method exists for its signature: built-in constructors have none.
        super().__init__(*args)

    @property
    def reason(self) -> Reason:
        """The reason without the place, for a sentence in any language."""
        found = (each for each in self.args if isinstance(each, Reason))
        return next(found, None) or reason_of(super().__str__())

    @property
    def code(self) -> str:
        """A stable name for the fault; ``"value"`` if only a mistake in the program causes it."""
        return self.reason.code

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values of a sentence about it, by name, including its place."""
        return self.reason.values


@final
class InvalidRulesError(PonteError):
    """Invalid rules: a side outside 1…64, a negative supply, a repeated tie-break.

    >>> pdd.Rules(tiles_per_color=-1)
    Traceback (most recent call last):
        ...
    pontedeldiavolo.InvalidRulesError: tiles_per_color must not be negative: -1
    """

    __module__ = "pontedeldiavolo"


@final
class NotationError(PonteError):
    """A text that is not in the notation.

    >>> pdd.parse_action("d4;g7")
    Traceback (most recent call last):
        ...
    pontedeldiavolo.NotationError: expected ',' or '-' at offset 2 of 'd4;g7'
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, text: str, offset: int, expected: str | Reason) -> None:
        require_type(text, str, "text")
        super().__init__(text, whole_number(offset, "offset"), reason_of(expected))

    # These properties read ``args`` instead of storing copies: callers may keep many errors.

    @property
    def text(self) -> str:
        """The text as it was given."""
        return cast(str, self.args[0])

    @property
    def offset(self) -> int:
        """The offset of the fault in the text, from 0; ``len(text)`` is its end."""
        return cast(int, self.args[1])

    @property
    def expected(self) -> str:
        """A description of the expected input, in English."""
        return str(self.reason)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values of a sentence, ``offset``, ``character`` and ``excerpt`` included."""
        return self.reason.values | {
            "offset": self.offset,
            "character": self.offset + 1,
            "excerpt": excerpt(self.text, self.offset),
        }

    def __str__(self) -> str:
        piece = excerpt(self.text, self.offset)
        return f"expected {self.expected} at offset {self.offset} of {piece}"


@final
class RecordError(PonteError):
    """A game record that cannot be read, or that breaks a rule.

    >>> pdd.records.loads("1. d4;g7")
    Traceback (most recent call last):
        ...
    pontedeldiavolo.RecordError: game 1, line 1, column 6: expected ',' or '-'
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, line: int, column: int, expected: str | Reason, number: int = 1) -> None:
        super().__init__(
            whole_number(line, "line"),
            whole_number(column, "column"),
            reason_of(expected),
            whole_number(number, "number"),
        )

    @property
    def line(self) -> int:
        """The line of the fault, from 1."""
        return cast(int, self.args[0])

    @property
    def column(self) -> int:
        """The column of the fault, from 1."""
        return cast(int, self.args[1])

    @property
    def number(self) -> int:
        """The number of the game in its file, from 1."""
        return cast(int, self.args[3])

    @property
    def expected(self) -> str:
        """A description of the expected input, or of the broken rules, in English."""
        return str(self.reason)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values of a sentence, ``line``, ``column`` and ``number`` included."""
        place = {"line": self.line, "column": self.column, "number": self.number}
        return self.reason.values | place

    def __str__(self) -> str:
        place = f"game {self.number}, line {self.line}, column {self.column}"
        return f"{place}: expected {self.expected}"


def excerpt(text: str, offset: int, width: int = 40) -> str | Reason:
    """Return a short, printable piece of *text* around *offset*, for an error message."""
    if not text:
        return reason("empty-text")
    start = max(0, offset - width // 2)
    piece = text[start : start + width]
    before = "…" if start else ""
    after = "…" if start + width < len(text) else ""
    return f"{before}{piece!r}{after}"


def printable(text: str) -> str:
    """Return *text* with escapes for characters that are invisible or control a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


MAX_INTEGER = 10**100
"""Larger numbers are refused, so that each accepted one can be printed and calculated with."""


def whole_number(value: SupportsIndex, name: str, error: type[PonteError] = PonteError) -> int:
    """Return *value* as a plain ``int``.

    Raises:
        TypeError: If it is a ``bool`` or has no ``__index__``.
        PonteError: If it is further from 0 than :data:`MAX_INTEGER`; its class is *error*.
    """
    if type(value) is int and -MAX_INTEGER <= value <= MAX_INTEGER:
        return value
    kind = type(value).__name__
    # Up to NumPy 2.2, NumPy's booleans have ``__index__``, too. NumPy is not imported here, so
    # they are recognised by the name of their class.
    if kind in ("bool", "bool_"):
        raise TypeError(f"{name} must be a whole number, not {kind}")
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {kind}") from None
    if abs(number) > MAX_INTEGER:
        raise error(reason("number-too-large", name=name, bits=number.bit_length()))
    return number


def real_number(value: SupportsFloat, name: str) -> float:
    """Return *value* as a plain ``float``; a number too large for it becomes infinity.

    Raises:
        TypeError: If it is a ``bool`` or has no ``__float__``.
    """
    kind = type(value).__name__
    # The class ``float`` has ``__float__``, too, but is not a number.
    is_class = isinstance(value, type)
    if is_class or kind in ("bool", "bool_") or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name} must be a number, not {kind}")
    try:
        return float(value)
    except OverflowError:
        return inf
    except ValueError:
        # A signalling NaN of Decimal raises this.
        return nan
    except TypeError:
        # An array of NumPy has __float__, but not every array is a number.
        raise TypeError(f"{name} must be a number, not {kind}") from None


def require_callable(value: object, name: str) -> None:
    """Refuse a value that cannot be called.

    Raises:
        TypeError: If it is not callable.
    """
    if not callable(value):
        raise TypeError(f"{name} must be callable, not {type(value).__name__}")


def require_optional_callable(value: object, name: str) -> None:
    """Refuse a value that is neither ``None`` nor can be called.

    Raises:
        TypeError: If it is neither.
    """
    if value is not None:
        require_callable(value, name)


Kinds: TypeAlias = type | UnionType | tuple[type, ...]
"""The types that an argument may have, as ``isinstance`` takes them."""

PARSERS: Final[Mapping[str, str]] = {
    "BuildBridge": "parse_action",
    "Cell": "parse_cell",
    "Game": "records.loads",
    "GameState": "parse_state",
    "HalfTurn": "parse_node",
    "PlaceTile": "parse_step",
    "PlaceTiles": "parse_action",
    "Player": "players.by_name",
    "Position": "parse_setup(...).position()",
    "Record": "records.iter_records",
    "Rules": "parse_rules",
    "Setup": "parse_setup",
}
"""The calls that read a value from a text, by the name of its class.

They are named when a text is given where a value is wanted. The classes are in higher layers, so
they are known here by their names.
"""


def require_type(value: object, kinds: Kinds, name: str) -> None:
    """Refuse a value of another type.

    Args:
        value: The argument.
        kinds: The types that it may have.
        name: The name of the parameter.

    Raises:
        TypeError: If *value* is not an instance of one of *kinds*.
    """
    # A class has the methods of its values, so protocols take it for one of them.
    if not isinstance(value, kinds) or isinstance(value, type):
        _require_type(value, kinds, name)


def _require_type(value: object, kinds: Kinds, name: str) -> None:
    """Raise the error about an argument, unless a class was given and a class is allowed."""
    allowed = types_of(kinds)
    if isinstance(value, type) and (type in allowed or object in allowed):
        return
    given = type(value).__name__
    if given in names_of(allowed).split(" or "):
        # Another class of the same name, such as NumPy's bool.
        given = f"{type(value).__module__}.{given}"
    sentence = f"{name} must be {names_of(allowed)}, not {given}"
    advice = _advice(value, allowed) if isinstance(value, str) else ""
    raise TypeError(f"{sentence}: use {advice}" if advice else sentence)


def types_of(kinds: Kinds) -> tuple[type, ...]:
    """Return the types in an argument for ``isinstance``: a type, a union or a tuple."""
    if isinstance(kinds, tuple):
        return kinds
    return kinds.__args__ if isinstance(kinds, UnionType) else (kinds,)


_WORDS: Final[Mapping[object, str]] = {
    SupportsFloat: "a number",
    SupportsIndex: "a whole number",
}
"""The words for types whose names say little."""


def names_of(kinds: Kinds) -> str:
    """Return the names of types, joined by "or"."""
    return " or ".join(_WORDS.get(each, each.__name__) for each in types_of(kinds))


def _advice(text: str, allowed: tuple[type, ...]) -> str:
    """Return the calls that make a value of an allowed type from a text; ``""`` if none do."""
    found: dict[str, None] = {}
    for kind in allowed:
        if kind.__name__ in PARSERS:
            found[PARSERS[kind.__name__]] = None
        elif issubclass(kind, Enum) and any(text == member.value for member in kind):
            found[f"{kind.__name__}({text!r})"] = None
    return " or ".join(found)


def require_iterable(items: object, wanted: str, name: str) -> None:
    """Refuse a text, and a value that cannot be iterated over.

    Args:
        items: The argument.
        wanted: The type of its items, as the sentence names it.
        name: The name of the parameter.

    Raises:
        TypeError: If *items* is not an iterable, or is a text, whose characters are not the items.
    """
    if isinstance(items, str | bytes | bytearray) or not isinstance(items, Iterable):
        raise TypeError(f"{name} must be an iterable of {wanted}, not {type(items).__name__}")


def require_sequence(items: object, wanted: str, name: str) -> None:
    """Refuse a text, and a value that is not a sequence.

    Args:
        items: The argument.
        wanted: The type of its items, as the sentence names it.
        name: The name of the parameter.

    Raises:
        TypeError: If *items* is not a sequence, or is a text.
    """
    if isinstance(items, str | bytes | bytearray) or not isinstance(items, Sequence):
        raise TypeError(f"{name} must be a sequence of {wanted}, not {type(items).__name__}")


def items_of(items: Iterable[T], kinds: type[T] | Kinds, name: str) -> tuple[T, ...]:
    """Return items as a tuple; *name* is the name of the parameter.

    Raises:
        TypeError: If *items* is a text or not an iterable, or one of them is not an instance of
            one of *kinds*.
    """
    if type(items) not in (tuple, list):
        require_iterable(items, names_of(kinds), name)
    found = tuple(items)
    require_items(found, kinds, name)
    return found


def require_items(items: Iterable[object], kinds: Kinds, name: str) -> None:
    """Refuse an item of another type; the sentence names its place.

    Raises:
        TypeError: If one of *items* is not an instance of one of *kinds*.
    """
    for place, item in enumerate(items):
        if not isinstance(item, kinds):
            require_type(item, kinds, f"{name}[{place}]")


def require_tuple(items: object, kinds: Kinds, name: str) -> None:
    """Refuse an argument that is not a tuple of values of these types.

    Raises:
        TypeError: If *items* is not a tuple, or one of them has another type.
    """
    require_type(items, tuple, name)
    require_items(cast(tuple[object, ...], items), kinds, name)


def require_mapping(values: object, kinds: Kinds, name: str) -> None:
    """Refuse an argument that is not a mapping from texts to values of these types.

    Raises:
        TypeError: If *values* is not a mapping, or a key or a value has another type.
    """
    require_type(values, Mapping, name)
    for key, value in cast(Mapping[object, object], values).items():
        if not isinstance(key, str):
            require_type(key, str, f"a key of {name}")
        if not isinstance(value, kinds):
            require_type(value, kinds, f"{name}[{key!r}]")


def require_path(value: object, name: str) -> None:
    """Refuse an argument that is neither a text nor a path.

    Raises:
        TypeError: If it is neither.
    """
    require_type(value, (str, PathLike), name)


def require_choice(value: object, choices: tuple[str, ...], name: str) -> None:
    """Refuse an argument that is not one of these texts.

    Raises:
        TypeError: If *value* is not a text.
        PonteError: If it is another text.
    """
    require_type(value, str, name)
    if value not in choices:
        raise PonteError(f"{name} must be {' or '.join(map(repr, choices))}, not {value!r}")


Validator = Callable[[object, "Attribute[Any]", Any], None]
"""A function that attrs calls with an instance, the attribute and its value."""


def instance_of(kinds: Kinds) -> Validator:
    """Return an attrs validator that raises the errors of :func:`require_type`."""

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        if not isinstance(value, kinds):
            require_type(value, kinds, attribute.alias or attribute.name)

    return validate


def tuple_of(kinds: Kinds) -> Validator:
    """Return an attrs validator for tuples of values of these types."""

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        require_tuple(value, kinds, attribute.alias or attribute.name)

    return validate
