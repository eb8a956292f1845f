"""Lazy submodules of a package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from .guesses import no_such_name

BATCH = ("NumPy and Numba", "batch")
"""The packages that compiled code needs, and the extra that installs them."""


def lazy_attach(
    package: str,
    names: Iterable[str],
    needs: Mapping[str, tuple[str, ...]],
    late: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package with lazy submodules.

    A lazy submodule is imported when it is first used. ``__dir__`` shows it only where its
    requirements are installed, so that a loop over all names works everywhere. If a
    requirement of a single name is missing, the error says what to install.

    Args:
        package: The package's name.
        names: The names that the package defines on import.
        needs: The third-party packages that lazy submodules and *late* names require.
        late: Single names that are imported lazily, each with the submodule that defines it.
    """
    late = late or {}

    def get(name: str) -> object:
        if name in late:
            with needing(f"{package}.{name}", *BATCH):
                list(map(import_module, needs.get(name, ())))
            found = getattr(import_module(f"{package}.{late[name]}"), name)
            setattr(sys.modules[package], name, found)
            return found
        if name in needs:
            return import_module(f"{package}.{name}")
        raise no_such_name(package, name)

    def directory() -> list[str]:
        lazy = dict.fromkeys(late, ()) | dict(needs)
        return sorted({*names, *(name for name in lazy if all(map(find_spec, lazy[name])))})

    return get, directory


@contextmanager
def needing(subject: str, packages: str, extra: str) -> Iterator[None]:
    """Run a block that imports third-party packages for a part of this package.

    Raises:
        ImportError: If one is missing; the message says what to install.
    """
    try:
        yield
    except ImportError as error:
        said = f"{subject} needs {packages}: pip install 'pontedeldiavolo[{extra}]'"
        raise ImportError(said, name=error.name) from error
