"""Lazy submodules of a package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec


def lazy_attach(
    package: str,
    names: Iterable[str],
    needs: Mapping[str, tuple[str, ...]],
    late: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package with lazy submodules.

    A lazy submodule is imported when it is first used. ``__dir__`` shows it only where its
    requirements are installed, so that a loop over all names works everywhere.

    Args:
        package: The package's name.
        names: The names that the package has at once.
        needs: The lazy submodules, each with the third-party packages that it requires.
        late: Single names that are imported lazily, each with the submodule that defines it.
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
        available = (name for name, foreign in needs.items() if all(map(find_spec, foreign)))
        return sorted({*names, *late, *available})

    return get, directory
