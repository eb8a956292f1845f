"""``convert``: games from any format to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click
from attrs import define, field

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.failures import Unreadable, printable
from pontedeldiavolo.cli.formats import (
    EPILOG,
    FORMATS,
    Entry,
    FileFormat,
    from_option,
    to_option,
)
from pontedeldiavolo.cli.options import force_option, output_option
from pontedeldiavolo.cli.output import check_output, noting, opened_output
from pontedeldiavolo.cli.screen import Advance, Screen
from pontedeldiavolo.cli.sources import size_of, suffix_of
from pontedeldiavolo.cli.survey import entries_of
from pontedeldiavolo.cli.wording import amount
from pontedeldiavolo.records.codec import Writer


@define
class _Conversion:
    """Games on their way from files to texts.

    Attributes:
        name: What the format to write is called.
        writing: What writes games in it.
        strict: Whether a game that would lose something is left out.
        note: What says on standard error what is lost or left out.
        written: How many games have been written.
        left_out: How many have not.
        has_unreadable: Whether a file could not be read.
    """

    name: str
    writing: Writer
    strict: bool
    note: Callable[[str], None]
    written: int = field(default=0, init=False)
    left_out: int = field(default=0, init=False)
    has_unreadable: bool = field(default=False, init=False)

    def texts(
        self, inputs: tuple[str, ...], source: FileFormat | None, advance: Advance
    ) -> Iterator[str]:
        """Iterate over the texts of all games that can be written."""
        for _, found in entries_of(inputs, source, advance):
            if isinstance(found, Unreadable):
                self.has_unreadable = True
                self.note(f"Error: {found.message}")
                continue
            text = self._text(found)
            self.written += text is not None
            self.left_out += text is None
            if text is not None:
                yield text

    def _text(self, entry: Entry) -> str | None:
        """Return the text of a game, ``None`` if there is none, and say what is lost."""
        if entry.game is None:
            self.note(entry.fault)
            return None
        try:
            text = self.writing.dumps(entry.game)
        except PonteError as error:
            self.note(f"{entry.place}: cannot be written as {self.name}: {error}")
            return None
        lost = ", ".join(self.writing.losses(entry.game))
        if lost and self.strict:
            self.note(f"{entry.place}: left out: {self.name} would lose {lost}")
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
@output_option
@from_option
@to_option
@click.option("--strict", is_flag=True, help="Leave out games of which anything would be lost.")
@force_option
def convert(
    *,
    inputs: tuple[str, ...],
    output: str,
    source: FileFormat | None,
    target: FileFormat | None,
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
    writing = _writing(target)
    check_output(output, inputs, force=force)
    screen = Screen()
    is_drawn = output != "-" and screen.console.is_interactive
    with (
        noting(late=is_drawn) as note,
        screen.progress("converting", size_of(inputs), hidden=not is_drawn) as advance,
        opened_output(output, force=force) as put,
    ):
        work = _Conversion(target.name, writing, strict, note)
        texts = target.dialect.join(work.texts(inputs, source, advance), suffix_of(output))
        _put_all(texts, put)
    if output != "-":
        done = f"{amount(work.written, 'game')} written to {printable(output)}"
        screen.line(f"{done if work.written else 'Nothing written'}, {work.left_out:,} left out.")
    raise click.exceptions.Exit(2 if work.has_unreadable else 1 if work.left_out else 0)


def _put_all(texts: Iterator[str], put: Callable[[str], object]) -> None:
    try:
        for text in texts:
            put(text)
    except PonteError as error:
        # Each game can be written, but not all of them there.
        raise Unreadable(str(error)) from error


def _target(output: str) -> FileFormat:
    """Return the format that the name of a file tells."""
    suffix = suffix_of(output)
    for each in FORMATS:
        if suffix in each.suffixes:
            return each
    raise click.UsageError("Say what to write: --to FORMAT, or -o with a suffix that tells.")


def _writing(target: FileFormat) -> Writer:
    """Return what writes games in a format."""
    writing = target.dialect.writer
    if writing is None:
        raise click.UsageError(f"Nothing is written as {target.name}: it is read only.")
    return writing
