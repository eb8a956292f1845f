"""Where commands write: a file that is complete or not there at all, or standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import TextIO

import click

from pontedeldiavolo.cli.failures import Unreadable, printable, reason
from pontedeldiavolo.records.atomic_file import atomic_write


def check_output(output: str, inputs: tuple[str, ...], *, force: bool) -> None:
    """Refuse to write where something is that must stay.

    Raises:
        Unreadable: If it is an input, or no file, or is not to be replaced.
    """
    name = "standard output" if output == "-" else printable(output)
    try:
        there = _stat(output, sys.stdout)
    except FileNotFoundError:
        return
    except OSError as error:
        if output == "-":
            return
        raise Unreadable(f"{name}: {reason(error)}") from error
    is_file = S_ISREG(there.st_mode)
    for path in inputs if is_file else ():
        with suppress(OSError):
            if os.path.samestat(there, _stat(path, sys.stdin)):
                raise Unreadable(f"{name}: is an input, and is not written over")
    if output != "-" and not is_file:
        raise Unreadable(f"{name}: is no file that could be replaced")
    if output != "-" and not force:
        raise Unreadable(f"{name}: exists already; --force replaces it")


def _stat(path: str, standard: TextIO) -> os.stat_result:
    """Return what is known of a file; for ``-``, of a standard stream.

    Raises:
        OSError: If it does not exist, or is not a file of the system.
    """
    return os.fstat(standard.fileno()) if path == "-" else Path(path).stat()


@contextmanager
def opened_output(output: str, *, force: bool) -> Iterator[Callable[[str | bytes], object]]:
    """Open the output, and give what writes to it.

    Raises:
        Unreadable: If it cannot be written.
    """
    if output == "-":
        # Not what the terminal takes: what is written is to be read again.
        with click.open_file(output, "w", encoding="utf-8") as standard:
            yield lambda content: click.echo(content, standard, nl=False)
        return
    with _replaced(output, force=force) as file:
        yield lambda content: _put(file, content)


def write_all(contents: Iterable[tuple[str, str | bytes]], *, force: bool) -> int:
    """Write files, whose names they get when the last one is complete; return how many.

    Raises:
        Unreadable: If one cannot be written.
    """
    count = 0
    with ExitStack() as stack:
        for output, content in contents:
            count += 1
            file = stack.enter_context(_replaced(output, force=force))
            _put(file, content)
            # Systems let a program have few files open at a time.
            file.close()
    return count


def _put(file: TextIO, content: str | bytes) -> None:
    if isinstance(content, str):
        file.write(content)
    else:
        file.buffer.write(content)


@contextmanager
def _replaced(output: str, *, force: bool) -> Iterator[TextIO]:
    """Open a file, which gets its name when it is complete."""
    with (
        _told(output, force=force),
        atomic_write(output, exclusive=not force, may_be_empty=False) as file,
    ):
        yield file


@contextmanager
def _told(output: str, *, force: bool) -> Iterator[None]:
    """Say why a file cannot be written."""
    try:
        yield
    except BrokenPipeError:
        # Nobody reads what is said on standard error.
        raise
    except OSError as error:
        is_there = isinstance(error, FileExistsError) and not force
        why = "exists by now; --force replaces it" if is_there else reason(error)
        raise Unreadable(f"{printable(output)}: {why}") from error


@contextmanager
def noting(*, late: bool) -> Iterator[Callable[[str], None]]:
    """Give what writes lines on standard error, in the end if a bar would write over them."""
    kept: list[str] = []

    def write(text: str) -> None:
        click.echo(printable(text), err=True)

    try:
        yield kept.append if late else write
    finally:
        for text in kept:
            write(text)
