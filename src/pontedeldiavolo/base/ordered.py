"""The four comparisons, written once."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Generic, TypeVar

from pontedeldiavolo.base.sealed import Unsealed

F_contra = TypeVar("F_contra", contravariant=True)


class Ordered(Unsealed, Generic[F_contra]):
    """Orders values by a key, among those of one family.

    A family is a class that derives from this one at first hand, with all that derive from it; it
    names itself to type checkers.
    """

    __slots__ = ()
    _family: type[Ordered[Any]]

    def __init_subclass__(cls) -> None:
        if Ordered in cls.__bases__:
            cls._family = cls
        super().__init_subclass__()

    @abstractmethod
    def _key(self) -> tuple[int, ...]:
        """Return what the order goes by."""

    def __lt__(self, other: F_contra) -> bool:
        if not isinstance(other, self._family):
            return NotImplemented
        return self._key() < other._key()

    def __le__(self, other: F_contra) -> bool:
        if not isinstance(other, self._family):
            return NotImplemented
        return self._key() <= other._key()

    def __gt__(self, other: F_contra) -> bool:
        if not isinstance(other, self._family):
            return NotImplemented
        return self._key() > other._key()

    def __ge__(self, other: F_contra) -> bool:
        if not isinstance(other, self._family):
            return NotImplemented
        return self._key() >= other._key()
