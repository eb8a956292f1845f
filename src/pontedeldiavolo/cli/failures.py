"""What ends a command early: one line on standard error, and an exit status."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from pontedeldiavolo.base.errors import NotationError, PonteError, RecordError


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


class NobodyReads(SystemExit):
    """Whoever should read the output is gone: exit status 1, if nothing better can be done."""

    def __init__(self) -> None:
        super().__init__(1)


class Program(click.Group):
    """A group of commands that tells a broken pipe from bad games: both would end with 1."""

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read the command line, and write help."""
        with _broken_pipe_told():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _broken_pipe_told():
            return super().invoke(ctx)


@contextmanager
def _broken_pipe_told() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise NobodyReads from error
    except SystemExit as leaving:
        # What rich makes of it.
        if isinstance(leaving.__context__, BrokenPipeError):
            raise NobodyReads from leaving
        raise


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
