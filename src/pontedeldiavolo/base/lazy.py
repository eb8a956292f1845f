"""Names and submodules of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from .guesses import no_such_name
from .install import PLACE, install_command

BATCH = ("NumPy and Numba", "batch")
"""The packages that compiled code needs, and the extra that installs them."""


def lazy_attach(
    package: str,
    names: Mapping[str, tuple[str, ...]],
    submodules: tuple[str, ...] = (),
    needs: Mapping[str, tuple[str, ...]] | None = None,
    *,
    exports_submodules: bool = True,
) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a package.

    Everything is imported when it is first used. ``__dir__`` shows only what can be imported, so
    that a loop over all names works everywhere. If a requirement of a name is missing, the error
    says what to install.

    Args:
        package: The package's name.
        names: Its names, by the submodule that defines them.
        submodules: The names of its public submodules.
        needs: The third-party packages that submodules require.
        exports_submodules: Whether ``from package import *`` imports the submodules, too.
    """
    needs = needs or {}
    home = {name: module for module, defined in names.items() for name in defined}

    def get(name: str) -> object:
        if name in home:
            with needing(f"{package}.{name}", *BATCH):
                list(map(import_module, needs.get(home[name], ())))
            found = getattr(import_module(f".{home[name]}", package), name)
            setattr(sys.modules[package], name, found)
            return found
        if name in submodules:
            return import_module(f"{package}.{name}")
        raise no_such_name(package, name)

    def directory() -> list[str]:
        defined_by = home | {name: name for name in submodules}
        return sorted(
            name
            for name, module in defined_by.items()
            if all(map(find_spec, needs.get(module, ())))
        )

    exported = [*home, *submodules] if exports_submodules else [*home]
    return sorted(exported), get, directory


@contextmanager
def needing(subject: str, packages: str, extra: str) -> Iterator[None]:
    """Run a block that imports third-party packages for a part of this package.

    Raises:
        ImportError: If one is missing; the message says what to install.
    """
    try:
        yield
    except ImportError as error:
        said = f"{subject} needs {packages}: {install_command(extra)}{PLACE}"
        raise ImportError(said, name=error.name) from error
