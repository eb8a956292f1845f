"""Tools for testing programs that use the rules, or that implement them in another language.

Each is a lazy submodule. ``strategies`` generates values for property tests, and needs Hypothesis,
which the extra ``testing`` installs. ``conformance`` compares an implementation in any language
with stored answers, and needs no extra.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach

if TYPE_CHECKING:
    # For type checkers only: at run time all names are imported when they are first used.
    from . import conformance as conformance
    from . import strategies as strategies

    __all__: list[str]
else:
    __all__, __getattr__, __dir__ = lazy_attach(
        __name__,
        {},
        ("conformance", "strategies"),
        needs={"strategies": ("hypothesis",)},
    )
