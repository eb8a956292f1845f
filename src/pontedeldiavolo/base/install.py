"""The command that installs the packages of an extra.

Errors, sentences and the pages of the documentation take the command from here, so the first
release changes it in one place.
"""

from __future__ import annotations

from typing import Final

IS_RELEASED: Final = False
"""Whether the package is on PyPI. The first release sets this to True."""
SOURCE: Final = "pontedeldiavolo" if IS_RELEASED else "."
"""The name to install: that of the package, or before the first release the project's folder."""
PLACE: Final = "" if IS_RELEASED else " in the project's folder"
"""The folder in which the command must run, as words that follow it."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra.

    >>> install_command("batch")
    "pip install '.[batch]'"
    """
    return f"pip install '{SOURCE}[{extra}]'"
