"""The front door of a package: what is public there, and what is loaded only when it is touched."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec


def rooms(
    package: str,
    names: Iterable[str],
    needs: Mapping[str, tuple[str, ...]],
    late: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package with rooms.

    A room is a module below the package that comes without an import of its own. ``__dir__`` shows
    it only where what it needs is installed, so that going through all names works everywhere.

    Args:
        package: The package's name.
        names: What it has at once.
        needs: Its rooms, each with the foreign packages that it cannot be imported without.
        late: Single names that come late as well, each with the module below that defines it.
    """
    late = late or {}

    def get(name: str) -> object:
        if name in needs:
            return import_module(f"{package}.{name}")
        if name in late:
            found = getattr(import_module(f"{package}.{late[name]}"), name)
            setattr(sys.modules[package], name, found)
            return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def directory() -> list[str]:
        there = (room for room, foreign in needs.items() if all(map(find_spec, foreign)))
        return sorted({*names, *late, *there})

    return get, directory
