"""The errors of the package, the coded reasons that they carry, and checks of arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import inf, nan
from operator import index
from types import UnionType
from typing import Any, Final, SupportsFloat, SupportsIndex, TypeAlias, TypeVar, cast, final

from attrs import Attribute, frozen

from .catalogs import ENGLISH
from .enums import Rule, Tiebreak
from .values import FinalClass, FrozenMapping, ImmutableValue

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
    >>> pdd.messages.explain(reason, pdd.messages.GERMAN)
    'Eine Reihe mit 3 Feldern.'

    Attributes:
        code: A stable key of the catalogues in :mod:`pontedeldiavolo.messages`: a
            :class:`Rule` that was broken, or a text.
        values: The values of its sentence, by name.
    """

    code: str | Rule
    values: FrozenMapping[MessageValue]

    # Written out: a value can itself be a reason, and a converter's types cannot name this class.
    def __init__(self, code: str | Rule, values: Mapping[str, MessageValue] = NO_VALUES) -> None:
        require_type(code, str | Rule, "code")
        require_type(values, Mapping, "values")
        for name, value in values.items():
            require_type(name, str, "a name among the values")
            for each in value if isinstance(value, tuple) else (value,):
                if not isinstance(each, int | str | Tiebreak | Reason):
                    kind = type(each).__name__
                    raise TypeError(f"the value {name} must be int, str or Reason, not {kind}")
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "values", FrozenMapping(values) if values else NO_VALUES)

    def __str__(self) -> str:
        shown = {name: _shown(value) for name, value in self.values.items()}
        try:
            return ENGLISH[self.code].format(**shown)
        except LookupError:
            # A reason that a caller made may have no template: its code is shown instead.
            return self.code.value if isinstance(self.code, Rule) else self.code


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


def reason_of(text: str | Reason) -> Reason:
    """Return *text* as a reason; a string becomes a reason with an English sentence only."""
    require_type(text, str | Reason, "expected")
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
        # Defined for its signature: built-in constructors have none.
        super().__init__(*args)

    @property
    def reason(self) -> Reason:
        """The reason without the place, for a sentence in any language."""
        found = (each for each in self.args if isinstance(each, Reason))
        return next(found, None) or reason_of(super().__str__())

    @property
    def code(self) -> str:
        """A stable name for the fault; ``"value"`` if only a mistake in the program causes it."""
        code = self.reason.code
        return code.value if isinstance(code, Rule) else code

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values of a sentence about it, by name, including its place."""
        return self.reason.values


@final
class InvalidRulesError(PonteError, FinalClass):
    """Invalid rules: a side outside 1…64, a negative supply, a repeated tie-break.

    >>> pdd.Rules(tiles_per_color=-1)
    Traceback (most recent call last):
        ...
    pontedeldiavolo.InvalidRulesError: tiles_per_color must not be negative: -1
    """

    __module__ = "pontedeldiavolo"


@final
class NotationError(PonteError, FinalClass):
    """A text that is not in the notation.

    >>> pdd.parse_action("d4;g7")
    Traceback (most recent call last):
        ...
    pontedeldiavolo.NotationError: expected ',' or '-' at offset 2 of 'd4;g7'
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, text: str, offset: int, expected: str | Reason) -> None:
        super().__init__(text, offset, reason_of(expected))

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
        """The thing that was expected there."""
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
class RecordError(PonteError, FinalClass):
    """A game record that cannot be read, or that breaks a rule.

    >>> pdd.records.loads("1. d4;g7")
    Traceback (most recent call last):
        ...
    pontedeldiavolo.RecordError: game 1, line 1, column 6: expected ',' or '-'
    """

    __module__ = "pontedeldiavolo"

    def __init__(self, line: int, column: int, expected: str | Reason, number: int = 1) -> None:
        super().__init__(line, column, reason_of(expected), number)

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
        """The thing that was expected there, or the rules that are broken."""
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
    return f"{before}{piece!a}{after}"


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
    # Up to NumPy 2.2, NumPy's booleans have ``__index__``, too. NumPy is not imported here, so
    # they are recognised by the name of their class.
    if type(value).__name__ in ("bool", "bool_"):
        raise TypeError(f"{name} must be a whole number, not a bool")
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {type(value).__name__}") from None
    if abs(number) > MAX_INTEGER:
        raise error(reason("number-too-large", name=name, bits=number.bit_length()))
    return number


def real_number(value: SupportsFloat, name: str) -> float:
    """Return *value* as a plain ``float``; a number too large for it becomes infinity.

    Raises:
        TypeError: If it is a ``bool`` or has no ``__float__``.
    """
    if type(value).__name__ in ("bool", "bool_") or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    try:
        return float(value)
    except OverflowError:
        return inf
    except ValueError:
        # The signaling NaN of a Decimal.
        return nan


def require_callable(value: object, name: str) -> None:
    """Refuse a value that is neither callable nor ``None``.

    Raises:
        TypeError: If it is neither.
    """
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be callable, not {type(value).__name__}")


def require_type(value: object, kind: type | UnionType | tuple[type, ...], name: str) -> None:
    """Refuse a value of another type.

    Raises:
        TypeError: If *value* is not an instance of *kind*.
    """
    if not isinstance(value, kind):
        kinds: Any = kind if isinstance(kind, tuple) else getattr(kind, "__args__", (kind,))
        wanted = " or ".join(each.__name__ for each in kinds)
        raise TypeError(f"{name} must be {wanted}, not {type(value).__name__}")


def items_of(items: Iterable[T], kind: type[T], name: str) -> tuple[T, ...]:
    """Return items as a tuple; *name* is what the message calls each of them.

    Raises:
        TypeError: If one is not an instance of *kind*.
    """
    found = tuple(items)
    for item in found:
        require_type(item, kind, name)
    return found


Validator = Callable[[object, "Attribute[Any]", Any], None]
"""A function that attrs calls with an instance, the attribute and its value."""


def instance_of(kind: type | UnionType) -> Validator:
    """Return an attrs validator with a short error message."""

    def validate(_instance: object, attribute: Attribute[Any], value: object) -> None:
        if not isinstance(value, kind):
            require_type(value, kind, attribute.alias or attribute.name)

    return validate


def tuple_of(kind: type | UnionType) -> Validator:
    """Return an attrs validator for tuples of values of one type."""

    def validate(_instance: object, attribute: Attribute[Any], value: tuple[object]) -> None:
        require_type(value, tuple, attribute.name)
        for item in value:
            require_type(item, kind, f"an item of {attribute.name}")

    return validate
