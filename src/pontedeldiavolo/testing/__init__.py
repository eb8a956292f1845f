"""Tools for testing programs that use the rules, or that implement them in another language.

Each is a lazy submodule. ``strategies`` generates values for property tests, and needs Hypothesis:
``pip install 'pontedeldiavolo[testing]'``. ``conformance`` compares an implementation in any
language with stored answers, and needs no extra.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach

__all__ = ["conformance", "strategies"]

if TYPE_CHECKING:
    # For type checkers only: at run time these are imported when they are first used.
    from . import conformance, strategies
else:
    __getattr__, __dir__ = lazy_attach(
        __name__, (), {"conformance": (), "strategies": ("hypothesis",)}
    )
