"""Messages of commands: texts in the language of the user, and errors that end a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from textwrap import fill
from typing import IO, Any, Final

import click

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.errors import NotationError, PonteError, Reason, RecordError, printable
from pontedeldiavolo.base.messages import LANGUAGES, Catalog, explain, filled

from .signals import INTERRUPTED


def did_you_mean(text: str, words: Iterable[str]) -> str:
    """Return a question about a mistyped word, after a blank; "" if no word is similar."""
    similar = sorted(get_close_matches(text.lower(), [*words]))
    if not similar:
        return ""
    if len(similar) == 1:
        return f" Did you mean {similar[0]!r}?"
    return f" (Did you mean one of: {', '.join(map(repr, similar))}?)"


class Choice(click.Choice[str]):
    """One of some words; an error suggests those that are similar."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word.

        Raises:
            BadParameter: If there is no such word.
        """
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            text = f"{error.message}{did_you_mean(str(value), self.choices)}"
            raise click.BadParameter(text, ctx, param) from error


_LANGUAGE: Final = __name__
"""The key of the language in the data of a command."""


def _set_language(context: click.Context, _parameter: object, code: str) -> None:
    context.meta[_LANGUAGE] = code


OPTION: Final = click.Option(
    ["--lang"],
    type=Choice([*LANGUAGES]),
    default="en",
    envvar="PONTEDELDIAVOLO_LANG",
    show_envvar=True,
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
    return LANGUAGES[language()]


def message(code: str, **values: int | str) -> str:
    """Return a message of the command line in the user's language."""
    return filled(catalog(), f"cli.{code}", values)


def in_language(number: str) -> str:
    """Return a number such as ``1,234.5`` with the marks of the user's language."""
    texts = catalog()
    thousands = filled(texts, "thousands-mark", {})
    decimal = filled(texts, "decimal-mark", {})
    return number.translate({ord(","): thousands, ord("."): decimal})


def explained(what: PonteError | Reason) -> str:
    """Return an error, or a description of the expected text, in words."""
    texts = catalog()
    return str(what) if texts is ENGLISH else explain(what, texts)


def wrapped(text: str) -> str:
    """Return a text for standard error in lines that end between words, if it is a terminal."""
    columns = _columns_of_error()
    if columns is None:
        return text
    return "\n".join(
        fill(line, columns, break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )


def _columns_of_error() -> int | None:
    """Return the number of columns of standard error; ``None`` if it is not a terminal."""
    with suppress(OSError, ValueError, AttributeError):
        if sys.stderr.isatty():
            given = os.environ.get("COLUMNS")
            return int(given) if given else os.get_terminal_size(sys.stderr.fileno()).columns
    return None


def complain(text: str) -> None:
    """Write a line to standard error; on a terminal, it is wrapped."""
    click.echo(wrapped(text), err=True)


class _Failure(click.ClickException):
    """An error that ends a command, in the user's language. click reports faulty arguments."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self._text = message("error", message=problem)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the error."""
        click.echo(wrapped(self._text), file=file, err=True)


class Interrupted(_Failure):
    """Ctrl-C has interrupted the command; its exit status is 130."""

    exit_code = INTERRUPTED

    def __init__(self) -> None:
        super().__init__(message("interrupted"))
        self._text = self.message

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the sentence."""
        if _columns_of_error() is not None:
            # The terminal has written ^C at the beginning of the line.
            click.echo("\r", file=file, err=True, nl=False)
        super().show(file)


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
    except click.UsageError as error:
        # click writes "Error: " before the text.
        _, _, text = wrapped(f"Error: {error.format_message()}").partition(" ")
        raise click.UsageError(text, error.ctx) from error
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
