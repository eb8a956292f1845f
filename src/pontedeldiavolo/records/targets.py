"""Checks of what games are written to."""

from __future__ import annotations

from os import PathLike


def require_file(file: object, name: str) -> None:
    """Refuse an object that is not open for writing; *name* is the name of the parameter."""
    if not callable(getattr(file, "write", None)):
        raise TypeError(f"{name} must be a file, not {type(file).__name__}")


def require_target(target: object, name: str) -> None:
    """Refuse what is neither a path nor a file; *name* is the name of the parameter."""
    if not isinstance(target, str | PathLike) and not callable(getattr(target, "write", None)):
        raise TypeError(f"{name} must be str, a PathLike or a file, not {type(target).__name__}")
