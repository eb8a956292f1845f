"""Names of the library for the links in code.

The extension sphinx-codeautolink follows a value to the class that defines it. The reference has
the public names; this module says which they are.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pontedeldiavolo

PACKAGE = pontedeldiavolo.__name__
NUMPY = "https://numpy.org/"
ANCHORS = {
    "np.bool_": "numpy.bool",
    "ArrayLike": "numpy.typing.ArrayLike",
    "npt.NDArray": "numpy.typing.NDArray",
}
"""The anchors of NumPy's pages for names that the signatures write in another way."""


def with_anchor(address: str) -> str:
    """Return an address with the anchor that NumPy's page has for a name."""
    page, _, anchor = address.partition("#")
    if not page.startswith(NUMPY) or not anchor:
        return address
    usual = f"numpy.{anchor.removeprefix('np.')}" if anchor.startswith("np.") else anchor
    return f"{page}#{ANCHORS.get(anchor, usual)}"


def correct_anchors(_app: Any, page: Any, _name: str) -> None:
    """Correct the anchors of NumPy's pages: version 1 of an inventory derives them from names."""
    from docutils import nodes  # noqa: PLC0415 - names can be listed without Sphinx

    for link in page.findall(nodes.reference):
        if "refuri" in link:
            link["refuri"] = with_anchor(link["refuri"])


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
