"""Closing a class to subclassing, at run time as well as for type checkers."""

from __future__ import annotations


class Sealed:
    """Base of every public class: a class may derive from it, and no class from that one.

    A class whose name starts with an underscore is a layer in between and stays open.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for base in cls.__bases__:
            if issubclass(base, Sealed) and base is not Sealed and base.__name__[0] != "_":
                raise TypeError(f"{base.__name__} is final: it cannot be subclassed")
        super().__init_subclass__()
