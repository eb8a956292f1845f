"""Messages of commands: texts in the language of the user, and errors that end a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

import click

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import NotationError, PonteError, Reason, RecordError
from pontedeldiavolo.base.messages import LANGUAGES, Catalog, explain, filled

_KEY: Final = __name__


def _choose(context: click.Context, _parameter: click.Parameter, code: str) -> None:
    context.meta[_KEY] = code


OPTION: Final = click.Option(
    ["--lang"],
    type=click.Choice([*LANGUAGES]),
    default="en",
    envvar="PONTEDELDIAVOLO_LANG",
    expose_value=False,
    # Read first, so that errors in other options are in the language.
    is_eager=True,
    callback=_choose,
    help="The language of results, errors and prompts.",
)
"""The option that each command has."""


def language() -> str:
    """Return the code of the language of the running command."""
    context = click.get_current_context(silent=True)
    return "en" if context is None else str(context.meta.get(_KEY, "en"))


def catalog() -> Catalog:
    """Return the texts in the language of the running command."""
    return LANGUAGES[language()].catalog


def said(code: str, **values: int | str) -> str:
    """Return a text of commands."""
    return filled(catalog(), f"cli.{code}", values)


def amount(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 island``, ``2 islands``."""
    return said(noun if count == 1 else f"{noun}s", count=f"{count:,}")


def explained(what: PonteError | Reason) -> str:
    """Return an error, or something that was expected, in words."""
    texts = catalog()
    return str(what) if texts is ENGLISH else explain(what, texts)


class Refused(click.ClickException):
    """An input was read and is wrong: exit status 1."""

    exit_code = 1


class Unreadable(click.ClickException):
    """Something cannot be read, written or used: exit status 2."""

    exit_code = 2


class NobodyReads(SystemExit):
    """The reader of the output has gone: exit status 1, if nothing better can be done."""


@contextmanager
def reported() -> Iterator[None]:
    """Report the errors of all commands; a broken pipe is told from bad games by its class."""
    try:
        yield
    except BrokenPipeError as error:
        raise NobodyReads(1) from error
    except SystemExit as leaving:
        # Newer versions of rich exit by themselves.
        if isinstance(leaving.__context__, BrokenPipeError):
            raise NobodyReads(1) from leaving
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
    except UnicodeDecodeError as error:
        what = said("not-text", name=name, encoding=error.encoding.upper())
        raise Unreadable(what) from error
    except OSError as error:
        what = f"{name}: {(error.strerror or type(error).__name__).lower()}"
        raise Unreadable(what) from error


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
    return said("expected", place=place, what=explained(error.reason))
