"""Names of the library for the links in code.

The extension sphinx-codeautolink follows a value to the class that defines it. The reference has
the public names; this module says which they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType

import pontedeldiavolo

PACKAGE = pontedeldiavolo.__name__


def public_classes() -> Iterator[tuple[str, type]]:
    """Yield the public classes with their public names."""
    modules = [(PACKAGE, pontedeldiavolo)]
    for name in dir(pontedeldiavolo):
        found = getattr(pontedeldiavolo, name)
        if isinstance(found, ModuleType):
            modules.append((f"{PACKAGE}.{name}", found))
    for place, module in modules:
        for name in dir(module):
            found = getattr(module, name)
            if inspect.isclass(found) and found.__module__.startswith(PACKAGE):
                yield f"{place}.{name}", found


def public_names() -> dict[str, str]:
    """Return the public name of each public member of a class, by its full name in the code."""
    return {
        f"{found.__module__}.{found.__qualname__}.{member}": f"{public}.{member}"
        for public, found in public_classes()
        for member in dir(found)
        if not member.startswith("_")
    }
