"""A mapping that cannot change, can be hashed and keeps its order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar, final

from pontedeldiavolo.base.values import ImmutableValue

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
        items: dict[str, V_co | W] = {**other, **self}
        return FrozenMapping(items)

    def __eq__(self, other: object) -> bool:
        # Type checkers let a mapping be compared with what its own __eq__ accepts.
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __reduce__(self) -> tuple[type[FrozenMapping[V_co]], tuple[dict[str, V_co]]]:
        return FrozenMapping, (self._items,)

    def __repr__(self) -> str:
        return repr(self._items)
