"""The ends of commands: one line on standard error, and an exit status."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from pontedeldiavolo.base.errors import NotationError, PonteError, RecordError
from pontedeldiavolo.cli.language import OPTION, expected, explained, said


class Refused(click.ClickException):
    """An input was read and is wrong: exit status 1."""

    exit_code = 1


class Unreadable(click.ClickException):
    """Something cannot be read, written or used: exit status 2."""

    exit_code = 2


class NobodyReads(SystemExit):
    """The reader of the output has gone: exit status 1, if nothing better can be done."""

    def __init__(self) -> None:
        super().__init__(1)


class Program(click.Group):
    """A group of commands that turns errors into lines on standard error and exit statuses.

    Args:
        modules: The module of each command, which is imported when the command is used.
    """

    def __init__(self, *, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(**options)
        self._modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in order."""
        del ctx
        return sorted(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, ``None`` if there is none of this name."""
        if cmd_name in self._modules and cmd_name not in self.commands:
            module = import_module(f"pontedeldiavolo.cli.{self._modules[cmd_name]}")
            command = getattr(module, cmd_name.replace("-", "_"))
            command.params.append(OPTION)
            self.add_command(command)
        return super().get_command(ctx, cmd_name)

    def make_context(self, *args: Any, **options: Any) -> click.Context:
        """Read the command line, and write help."""
        with _reported():
            return super().make_context(*args, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with _reported():
            return super().invoke(ctx)


@contextmanager
def _reported() -> Iterator[None]:
    """Report the errors of all commands; a broken pipe is told from bad games by its class."""
    try:
        yield
    except BrokenPipeError as error:
        raise NobodyReads from error
    except SystemExit as leaving:
        # Newer versions of rich exit by themselves.
        if isinstance(leaving.__context__, BrokenPipeError):
            raise NobodyReads from leaving
        raise
    except ImportError as error:
        # The error names the extra that is not installed.
        raise Unreadable(str(error)) from error
    except PonteError as error:
        # Imported only here: most commands have no players.
        player_error = import_module("pontedeldiavolo.players.player").PlayerError
        kind = Refused if isinstance(error, player_error) else Unreadable
        raise kind(printable(explained(error))) from error


@contextmanager
def file_errors(name: str) -> Iterator[None]:
    """Report a file that cannot be read or written; a broken pipe is none.

    Raises:
        Unreadable: If it cannot.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(name, error) from error


def unreadable(name: str, error: OSError | UnicodeDecodeError) -> Unreadable:
    """Return an error about a file, or a place in it, that cannot be read or written."""
    if isinstance(error, UnicodeDecodeError):
        return Unreadable(said("not-text", name=name, encoding=error.encoding.upper()))
    return Unreadable(f"{name}: {(error.strerror or type(error).__name__).lower()}")


def printable(text: str) -> str:
    """Return *text* with escapes for characters that are invisible or control a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def fault(name: str | None, error: PonteError) -> str:
    """Return what is wrong in a text, and where; *name* is its file, ``None`` if it has none."""
    match error:
        case RecordError() if name is not None:
            place = f"{name}:{error.line}:{error.column}"
            place = said("of-game", place=place, number=error.number)
        case NotationError() if name is not None:
            line = error.text.count("\n", 0, error.offset) + 1
            column = error.offset - error.text.rfind("\n", 0, error.offset)
            place = f"{name}:{line}:{column}"
        case _:
            return explained(error) if name is None else f"{name}: {explained(error)}"
    what = expected(error.reason)
    return said("expected", place=place, what=what)
