"""Base classes of values: final, immutable, ordered, rendered in notebooks and failed tests."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import total_ordering
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar, cast, final

from attrs import AttrsInstance, fields

if TYPE_CHECKING:
    from pontedeldiavolo.game.board_view import Drawable


class ImmutableValue:
    """Base of every public class of values: a value cannot change, so a copy of it is itself."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        if "__attrs_init__" in vars(cls):
            # attrs adds it where a class has a constructor of its own, and help() would show it.
            delattr(cls, "__attrs_init__")
        super().__init_subclass__()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self


def slot_setters(kind: type[AttrsInstance]) -> tuple[Callable[[object, object], None], ...]:
    """Return functions that fill the slots of a new value of a class, in their order.

    On an immutable value they work like ``object.__setattr__``, in half the time.
    """
    return tuple(vars(kind)[each.name].__set__ for each in fields(kind))


F_contra = TypeVar("F_contra", contravariant=True)


@total_ordering
class Ordered(ImmutableValue, Generic[F_contra]):
    """Orders the values of one family by a key.

    A family is a direct subclass and all classes derived from it; the type parameter names it for
    type checkers.
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
    """Return the placeholder for a long text in the representation of a value."""
    return f"<{len(text):,} characters>"


class _Printer(Protocol):
    """The printer that IPython and Hypothesis provide."""

    def text(self, text: str, /) -> object:
        """Print a text."""


class Rendered(ImmutableValue):
    """Base of boards and games: notebooks show pictures of them, failed tests expressions."""

    __slots__ = ()

    # The two methods import higher layers when they are called: the only such imports, which the
    # contracts in pyproject.toml name.

    def _repr_svg_(self) -> str:
        """Return the picture as a text."""
        from pontedeldiavolo.svg.document import notebook_picture  # noqa: PLC0415 - a higher layer

        return notebook_picture(cast("Drawable", self))._repr_svg_()

    def _repr_pretty_(self, printer: _Printer, _cycle: object) -> None:
        """Print an expression that recreates the value, where ``pdd`` is the package."""
        from pontedeldiavolo.records.reprs import (  # noqa: PLC0415 - a higher layer
            expression_of,
        )

        printer.text(expression_of(cast("Drawable", self)))


V_co = TypeVar("V_co", covariant=True)
W = TypeVar("W")


@final
class FrozenMapping(Mapping[str, V_co], ImmutableValue):
    """An immutable mapping from names. Equal to any mapping with the same items."""

    __slots__ = ("__weakref__", "_items")
    _items: dict[str, V_co]

    def __init__(self, items: Mapping[str, V_co] | Iterable[tuple[str, V_co]] = ()) -> None:
        object.__setattr__(self, "_items", dict(items))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a FrozenMapping cannot change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a FrozenMapping cannot change")

    def __getitem__(self, name: str) -> V_co:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __or__(self, other: Mapping[str, W]) -> FrozenMapping[V_co | W]:
        if not isinstance(other, Mapping):
            return NotImplemented
        items: dict[str, V_co | W] = {**self, **other}
        return FrozenMapping(items)

    def __ror__(self, other: Mapping[str, W]) -> FrozenMapping[V_co | W]:
        if not isinstance(other, Mapping):
            return NotImplemented
        return FrozenMapping(other) | self

    def __eq__(self, other: object) -> bool:
        # Defined for type checkers: they allow a comparison with any type that __eq__ accepts.
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __reduce__(self) -> tuple[type[FrozenMapping[V_co]], tuple[dict[str, V_co]]]:
        return FrozenMapping, (self._items,)

    def __repr__(self) -> str:
        return repr(self._items)
