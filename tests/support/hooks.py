"""A converter that keeps hooks, in place of one of cattrs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Converter:
    """The two methods of a converter that the package needs.

    Attributes:
        reading: The hooks that make values from data, by type.
        writing: The hooks that make data from values, by type.
    """

    def __init__(self) -> None:
        self.reading: dict[object, Callable[[Any, Any], Any]] = {}
        self.writing: dict[object, Callable[[Any], Any]] = {}

    def register_structure_hook(self, of: Any, read: Callable[[Any, Any], Any], /) -> object:
        self.reading[of] = read
        return read

    def register_unstructure_hook(self, of: Any, write: Callable[[Any], Any], /) -> object:
        self.writing[of] = write
        return write
