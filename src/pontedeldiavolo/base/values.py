"""Base classes of values: final, immutable, ordered, rendered in notebooks and failed tests."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import total_ordering
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

from attrs import AttrsInstance, fields


class FinalClass:
    """Base of every public class: its direct subclasses cannot be subclassed."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for base in cls.__bases__:
            is_open = base.__module__ == __name__ or OpenBase in base.__bases__
            if issubclass(base, FinalClass) and not is_open:
                raise TypeError(f"{base.__name__} is final: it cannot be subclassed")
        super().__init_subclass__()


class ImmutableValue(FinalClass):
    """Base of every public class of values: a value cannot change, so a copy of it is itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self


class OpenBase(ImmutableValue):
    """Base of what several public classes share: a class that names it as a base stays open."""

    __slots__ = ()


def slot_setters(kind: type[AttrsInstance]) -> tuple[Callable[[object, object], None], ...]:
    """Return functions that fill the slots of a new value of a class, in their order.

    They do what ``object.__setattr__`` does to an immutable value, in half the time.
    """
    return tuple(vars(kind)[each.name].__set__ for each in fields(kind))


F_contra = TypeVar("F_contra", contravariant=True)


@total_ordering
class Ordered(OpenBase, Generic[F_contra]):
    """Orders values by a key, among those of one family.

    A family is a direct subclass, with all that derive from it; type checkers know it by the
    parameter.
    """

    __slots__ = ()
    _family: type[Ordered[Any]]

    def __init_subclass__(cls) -> None:
        if Ordered in cls.__bases__:
            cls._family = cls
        super().__init_subclass__()

    @abstractmethod
    def _key(self) -> tuple[int, ...]:
        """Return the sort key."""

    def __lt__(self, other: F_contra) -> bool:
        if not isinstance(other, self._family):
            return NotImplemented
        return self._key() < other._key()


def shortened(text: str) -> str:
    """Return the place of a long text in the representation of a value."""
    return f"<{len(text):,} characters>"


Writer: TypeAlias = Callable[[object], str]

_WRITERS: list[Writer] = []


def set_renderers(picture: Writer, source: Writer) -> None:
    """Set the functions that draw a value as SVG, and write it as an expression."""
    _WRITERS[:] = [picture, source]


class _Printer(Protocol):
    """The printer that IPython and Hypothesis provide."""

    def text(self, text: str, /) -> object:
        """Print a text."""


class Rendered(OpenBase):
    """Base of values that notebooks show as a picture, and failed tests as an expression."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return the picture as a text."""
        return _WRITERS[0](self)

    def _repr_pretty_(self, printer: _Printer, _cycle: object) -> None:
        """Print an expression that makes the value again, where ``pdd`` is the package."""
        printer.text(_WRITERS[1](self))
