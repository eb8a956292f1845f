"""Closing a class to subclassing, at run time as well as for type checkers."""

from __future__ import annotations


class Sealed:
    """Base of every public class: a class may derive from it, and no class from that one."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for base in cls.__bases__:
            if base is Sealed or not issubclass(base, Sealed):
                continue
            if base is not Unsealed and Unsealed not in base.__bases__:
                raise TypeError(f"{base.__name__} is final: it cannot be subclassed")
        super().__init_subclass__()


class Unsealed(Sealed):
    """Base of what several public classes share: a class that names it as a base stays open."""

    __slots__ = ()
