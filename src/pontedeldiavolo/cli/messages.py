"""Messages of commands: texts in the language of the user, and errors that end a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

import click

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import NotationError, PonteError, Reason, RecordError, printable
from pontedeldiavolo.base.messages import LANGUAGES, Catalog, explain, filled

from .signals import INTERRUPTED

_LANGUAGE: Final = __name__
"""The key of the language in the data of a command."""


def _set_language(context: click.Context, _parameter: object, code: str) -> None:
    context.meta[_LANGUAGE] = code


OPTION: Final = click.Option(
    ["--lang"],
    type=click.Choice([*LANGUAGES]),
    default="en",
    envvar="PONTEDELDIAVOLO_LANG",
    # click reads this option before the others.
    is_eager=True,
    callback=_set_language,
    expose_value=False,
    help="The language of results and prompts, and of what is wrong with games.",
)
"""The option that every command has."""


def language() -> str:
    """Return the code of the language of the running command."""
    context = click.get_current_context(silent=True)
    return "en" if context is None else str(context.meta.get(_LANGUAGE, "en"))


def catalog() -> Catalog:
    """Return the texts in the language of the running command."""
    return LANGUAGES[language()].catalog


def message(code: str, **values: int | str) -> str:
    """Return a message of the command line in the user's language."""
    return filled(catalog(), f"cli.{code}", values)


def amount(count: int, noun: str) -> str:
    """Return a number with its noun: ``1 island``, ``2 islands``."""
    return message(noun if count == 1 else f"{noun}s", count=f"{count:,}")


def explained(what: PonteError | Reason) -> str:
    """Return an error, or a description of the expected text, in words."""
    texts = catalog()
    return str(what) if texts is ENGLISH else explain(what, texts)


class _Failure(click.ClickException):
    """An error that ends a command, in the user's language. click reports faulty arguments."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self._text = message("error", message=problem)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the error."""
        click.echo(self._text, file=file, err=True)


class Interrupted(_Failure):
    """Ctrl-C has interrupted the command; its exit status is 130."""

    exit_code = INTERRUPTED

    def __init__(self) -> None:
        super().__init__(message("interrupted"))
        self._text = self.message


class Refused(_Failure):
    """An input was read and is wrong: exit status 1."""

    exit_code = 1


class Unreadable(_Failure):
    """Something cannot be read, written or used: exit status 2."""

    exit_code = 2


@contextmanager
def reported() -> Iterator[None]:
    """Report the errors of all commands."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted from error
    except BrokenPipeError as error:
        # The function that runs the command line looks at the cause of this error.
        raise SystemExit(1) from error
    except ImportError as error:
        # The error names the extra that is not installed.
        raise Unreadable(str(error)) from error
    except PonteError as error:
        kind = Refused if _has_failed(error) else Unreadable
        raise kind(printable(explained(error))) from error


def _has_failed(error: PonteError) -> bool:
    """Return whether a player has failed in a game."""
    from pontedeldiavolo.players.player import (  # noqa: PLC0415 - few commands need players
        EngineError,
        PlayerError,
    )

    if isinstance(error, EngineError):
        return error.ending is not None
    return isinstance(error, PlayerError)


@contextmanager
def file_errors(name: str) -> Iterator[None]:
    """Report a file that cannot be read or written, but let broken pipes pass.

    Raises:
        Unreadable: If the file cannot be read or written.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except UnicodeDecodeError as error:
        raise Unreadable(message("not-text", name=name, encoding=error.encoding.upper())) from error
    except OSError as error:
        raise Unreadable(f"{name}: {(error.strerror or type(error).__name__).lower()}") from error


def fault(name: str | None, error: PonteError) -> str:
    """Return an error in a text and its place; *name* is the file, ``None`` if there is none."""
    match error:
        case RecordError() if name is not None:
            place = f"{name}:{error.line}:{error.column}"
            place = message("of-game", place=place, number=error.number)
        case NotationError() if name is not None:
            line = error.text.count("\n", 0, error.offset) + 1
            column = error.offset - error.text.rfind("\n", 0, error.offset)
            place = f"{name}:{line}:{column}"
        case _:
            return explained(error) if name is None else f"{name}: {explained(error)}"
    return message("expected", place=place, what=explained(error.reason))
