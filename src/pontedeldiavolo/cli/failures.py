"""What ends a command early: one line on standard error, and an exit status."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from pontedeldiavolo.errors import NotationError, PonteError, RecordError


class Refused(click.ClickException):
    """What was read is not what it should be: exit status 1."""

    exit_code = 1


class Unreadable(click.ClickException):
    """What should be read or written cannot be: exit status 2."""

    exit_code = 2


@contextmanager
def needing_extras() -> Iterator[None]:
    """End the command where something is not installed.

    Raises:
        Unreadable: If it is not; it says what to install.
    """
    try:
        yield
    except ImportError as error:
        raise Unreadable(str(error)) from error


def printable(text: str) -> str:
    """Return *text* with escapes for all that would not show, or do worse to a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def reason(error: OSError) -> str:
    """Say in a few words why a file cannot be read or written."""
    return (error.strerror or type(error).__name__).lower()


def fault(name: str | None, error: PonteError) -> str:
    """Say what is wrong in a text, and where; *name* is its file, ``None`` if it has none."""
    match error:
        case RecordError() if name is not None:
            place = f"{name}:{error.line}:{error.column}: game {error.number}"
            return f"{place}: expected {error.expected}"
        case NotationError() if name is not None:
            line = error.text.count("\n", 0, error.offset) + 1
            column = error.offset - error.text.rfind("\n", 0, error.offset)
            return f"{name}:{line}:{column}: expected {error.expected}"
        case _:
            return str(error) if name is None else f"{name}: {error}"
