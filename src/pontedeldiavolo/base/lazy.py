"""Lazy submodules of a package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

BATCH = ("NumPy and Numba", "batch")
"""The packages that compiled code needs, and the extra that brings them."""


def lazy_attach(
    package: str,
    names: Iterable[str],
    needs: Mapping[str, tuple[str, ...]],
    late: Mapping[str, str] | None = None,
    *,
    compiled: Collection[str] = (),
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package with lazy submodules.

    A lazy submodule is imported when it is first used. ``__dir__`` shows it only where its
    requirements are installed, so that a loop over all names works everywhere. If a
    requirement of a single name is missing, the error says what to install.

    Args:
        package: The package's name.
        names: The names that the package has at once.
        needs: The lazy submodules, each with the third-party packages that it requires.
        late: Single names that are imported lazily, each with the submodule that defines it.
        compiled: Those of them that need NumPy and Numba.
    """
    late = late or {}
    late_needs = {name: ("numpy", "numba") if name in compiled else () for name in late}

    def get(name: str) -> object:
        if name in needs:
            return import_module(f"{package}.{name}")
        if name in late:
            with needing(f"{package}.{name}", *BATCH):
                list(map(import_module, late_needs[name]))
            found = getattr(import_module(f"{package}.{late[name]}"), name)
            setattr(sys.modules[package], name, found)
            return found
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def directory() -> list[str]:
        lazy = {**needs, **late_needs}
        return sorted({*names, *(name for name in lazy if all(map(find_spec, lazy[name])))})

    return get, directory


@contextmanager
def needing(subject: str, packages: str, extra: str) -> Iterator[None]:
    """Import packages that a part of this one needs.

    Raises:
        ImportError: If one is missing; it says what to install.
    """
    try:
        yield
    except ImportError as error:
        said = f"{subject} needs {packages}: pip install 'pontedeldiavolo[{extra}]'"
        raise ImportError(said, name=error.name) from error
