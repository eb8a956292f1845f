"""Closing classes to subclassing, at run time and for type checkers; and what values share."""

from __future__ import annotations

from typing import Self


class Closed:
    """Base of every public class: a class may derive from it, and no class from that one."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for base in cls.__bases__:
            is_open = base.__module__ == __name__ or Unsealed in base.__bases__
            if issubclass(base, Closed) and not is_open:
                raise TypeError(f"{base.__name__} is final: it cannot be subclassed")
        super().__init_subclass__()


class Sealed(Closed):
    """Base of every public class of values: a value cannot change, so a copy of it is itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self


class Unsealed(Sealed):
    """Base of what several public classes share: a class that names it as a base stays open."""

    __slots__ = ()
