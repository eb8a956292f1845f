"""``convert``: games from any format to another."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISREG
from typing import TextIO

import click
from attrs import define, field

from pontedeldiavolo.cli.failures import Unreadable, printable, reason
from pontedeldiavolo.cli.formats import (
    EPILOG,
    FORMATS,
    Entry,
    Format,
    Write,
    entries,
    from_option,
    suffix_of,
    to_option,
)
from pontedeldiavolo.cli.screen import Advance, Screen
from pontedeldiavolo.cli.sources import size_of
from pontedeldiavolo.cli.wording import amount
from pontedeldiavolo.errors import PonteError


@define
class _Conversion:
    """Games on their way from files to texts.

    Attributes:
        target: The format to write.
        write: What writes a game in it.
        strict: Whether a game that would lose something is left out.
        note: What says on standard error what is lost or left out.
        written: How many games have been written.
        left_out: How many have not.
        has_unreadable: Whether a file could not be read.
    """

    target: Format
    write: Write
    strict: bool
    note: Callable[[str], None]
    written: int = field(default=0, init=False)
    left_out: int = field(default=0, init=False)
    has_unreadable: bool = field(default=False, init=False)

    def texts(
        self, inputs: tuple[str, ...], source: Format | None, advance: Advance
    ) -> Iterator[str]:
        """Iterate over the texts of all games that can be written."""
        for path in inputs:
            try:
                for entry in entries(path, source, advance):
                    text = self._text(entry)
                    self.written += text is not None
                    self.left_out += text is None
                    if text is not None:
                        yield text
            except Unreadable as error:
                self.has_unreadable = True
                self.note(f"Error: {error.message}")

    def _text(self, entry: Entry) -> str | None:
        """Return the text of a game, ``None`` if there is none, and say what is lost."""
        if entry.game is None:
            self.note(entry.fault)
            return None
        name = self.target.name
        try:
            text = self.write(entry.game)
        except PonteError as error:
            self.note(f"{entry.place}: cannot be written as {name}: {error}")
            return None
        lost = ", ".join(self.target.losses(entry.game))
        if lost and self.strict:
            self.note(f"{entry.place}: left out: {name} would lose {lost}")
            return None
        if lost:
            self.note(f"{entry.place}: lost: {lost}")
        return text


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo convert games.pdd -o games.jsonl
  pontedeldiavolo convert --to pdd *.sgf > games.pdd

{EPILOG}"""
)
@click.argument("inputs", metavar="INPUT|-...", nargs=-1, required=True)
@click.option(
    "--output",
    "-o",
    metavar="OUTPUT|-",
    default="-",
    help="Where to write; without it, or for -, standard output.",
)
@from_option
@to_option
@click.option("--strict", is_flag=True, help="Leave out games of which anything would be lost.")
@click.option("--force", is_flag=True, help="Replace OUTPUT if it exists. It is never an input.")
def convert(
    *,
    inputs: tuple[str, ...],
    output: str,
    source: Format | None,
    target: Format | None,
    strict: bool,
    force: bool,
) -> None:
    """Convert games from any format to another.

    All games of all inputs are written one after the other. What is lost of a game, and which
    games are bad and left out, is said on standard error. OUTPUT is complete or not there at all.

    The exit status is 0 if all games are written, 1 if some are left out, and 2 if a file could
    not be read to its end, or not written.
    """
    target = target or _target(output)
    if target.writer is None:
        raise click.UsageError(f"Nothing is written as {target.name}: it is read only.")
    write = target.writer()
    _check_output(output, inputs, force=force)
    screen, late = Screen(), list[str]()
    is_drawn = output != "-" and screen.console.is_interactive

    def note(text: str) -> None:
        # A bar that moves would write over it.
        if is_drawn:
            late.append(text)
        else:
            click.echo(printable(text), err=True)

    work = _Conversion(target, write, strict, note)
    try:
        with (
            screen.progress("converting", size_of(inputs), hidden=not is_drawn) as advance,
            _opened(output, force=force) as put,
        ):
            texts = work.texts(inputs, source, advance)
            for text in target.joined(texts, suffix_of(output)):
                put(text)
    finally:
        for text in late:
            click.echo(printable(text), err=True)
    if output != "-":
        done = f"{amount(work.written, 'game')} written to {printable(output)}"
        screen.line(f"{done if work.written else 'Nothing written'}, {work.left_out:,} left out.")
    raise click.exceptions.Exit(2 if work.has_unreadable else 1 if work.left_out else 0)


def _target(output: str) -> Format:
    """Return the format that the name of a file tells."""
    suffix = suffix_of(output)
    for each in FORMATS:
        if suffix in each.suffixes:
            return each
    raise click.UsageError("Say what to write: --to FORMAT, or -o with a suffix that tells.")


def _check_output(output: str, inputs: tuple[str, ...], *, force: bool) -> None:
    """Refuse to write where something is that must stay."""
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
def _opened(output: str, *, force: bool) -> Iterator[Callable[[str], None]]:
    """Open the output, and give what writes to it."""
    if output == "-":
        # Not what the terminal takes: what is written is to be read again.
        with click.open_file(output, "w", encoding="utf-8") as file:
            yield lambda text: click.echo(text, file, nl=False)
    else:
        with _made_anew(Path(os.path.realpath(output)), printable(output), force=force) as put:
            yield put


@contextmanager
def _made_anew(path: Path, name: str, *, force: bool) -> Iterator[Callable[[str], None]]:
    """Write a file under another name first; it gets its own when it is complete."""

    @contextmanager
    def writing() -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise Unreadable(f"{name}: {reason(error)}") from error

    def put(text: str) -> None:
        with writing():
            file.write(text)

    draft = path.with_name(f".{token_hex(8)}.tmp")
    with writing():
        file = draft.open("x", encoding="utf-8", newline="\n")
    try:
        try:
            yield put
        finally:
            with writing():
                file.close()
        if draft.stat().st_size:
            _rename(draft, path, name, force=force)
    finally:
        draft.unlink(missing_ok=True)


def _rename(draft: Path, path: Path, name: str, *, force: bool) -> None:
    """Give a file its name, and the rights of the one that it replaces."""
    try:
        if path.exists():
            if not force:
                raise Unreadable(f"{name}: exists by now; --force replaces it")
            draft.chmod(S_IMODE(path.stat().st_mode))
        draft.replace(path)
    except OSError as error:
        raise Unreadable(f"{name}: {reason(error)}") from error
