"""``validate``, and what all commands share that go through many files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, NoReturn, final

import click
from attrs import define, field, frozen

from pontedeldiavolo.base.errors import RecordError
from pontedeldiavolo.cli.console import Advance, Screen
from pontedeldiavolo.cli.errors import Unreadable, fault, printable
from pontedeldiavolo.cli.inputs import judged, opened, size_of, suffix_of
from pontedeldiavolo.cli.options import FORMAT_HELP, ascii_option, from_option
from pontedeldiavolo.cli.text import amount
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records import Format
from pontedeldiavolo.records.formats import detect_format


@frozen
class Entry:
    """A game of a file, or the fault in its place.

    Attributes:
        place: The file, and the number of the game.
        game: The game; ``None`` if it has a fault.
        fault: The fault, and its place.
    """

    place: str
    game: Game | None
    fault: str = ""


def entries(path: str, source: Format | None, advance: Advance) -> Iterator[Entry]:
    """Iterate over the games and faults of a file; a file without any game has a fault.

    Args:
        path: The file, or ``-`` for standard input.
        source: Its format; ``None`` to detect it.
        advance: Is called with the number of bytes that were read.

    Raises:
        Unreadable: If the file cannot be read to its end.
    """
    with opened(path) as lines:
        source = source or detect_format(lines.start(), suffix_of(path)) or Format.PDD
        number = before = 0
        for number, result in enumerate(lines.results(source), 1):
            place = f"{lines.name}: game {number}"
            try:
                yield Entry(place, judged(result))
            except RecordError as error:
                yield Entry(place, None, printable(fault(lines.name, error)))
            advance(lines.octets - before)
            before = lines.octets
        if not number:
            yield Entry(f"{lines.name}", None, f"{lines.name}:1:1: expected a game")


def scan(
    files: Iterable[str], source: Format | None, advance: Advance
) -> Iterator[tuple[int, Entry | Unreadable]]:
    """Iterate over the games and faults of files, each with the index of its file.

    A file that cannot be read to its end gives its error, and the next one follows.
    """
    for index, file in enumerate(files):
        try:
            for entry in entries(file, source, advance):
                yield index, entry
        except Unreadable as error:
            yield index, error


def scan_with_bar(
    screen: Screen,
    what: str,
    files: tuple[str, ...],
    source: Format | None,
    *,
    on_found: Callable[[int, Entry | Unreadable], None],
    hidden: bool,
) -> None:
    """Scan files with a progress bar; report those that cannot be read on standard error.

    Args:
        screen: The screen of the bar.
        what: The text beside the bar.
        files: The files.
        source: Their format; ``None`` to detect it.
        on_found: Is called with the index of a file and what was found in it.
        hidden: Whether to show no bar.
    """
    complaints = []
    with screen.progress(what, size_of(files), hidden=hidden) as advance:
        for index, found in scan(files, source, advance):
            on_found(index, found)
            if isinstance(found, Unreadable):
                complaints.append(found.message)
    # Written only now: a bar that moves would write over them.
    for complaint in complaints:
        click.echo(f"Error: {complaint}", err=True)


MANY: Final = 20
"""With more files than this, the table leaves out those without a fault."""


@define
class _Tally:
    """The games of a file, or of all of them."""

    name: str
    good: int = 0
    bad: int = 0
    unreadable: bool = False

    @property
    def is_fine(self) -> bool:
        return not self.bad and not self.unreadable

    def add(self, other: _Tally) -> None:
        self.good += other.good
        self.bad += other.bad
        self.unreadable = self.unreadable or other.unreadable

    def row(self) -> tuple[str, str, str, str]:
        verdict = "unreadable" if self.unreadable else "bad" if self.bad else "good"
        return (self.name, f"{self.good:,}", f"{self.bad:,}", verdict)


@click.command(epilog=FORMAT_HELP)
@click.argument("files", metavar="FILE|-...", nargs=-1, required=True)
@click.option("--quiet", "-q", is_flag=True, help="Write the faults only: no bar and no table.")
@from_option
@ascii_option
def validate(
    *, files: tuple[str, ...], quiet: bool, source: Format | None, ascii_only: bool
) -> None:
    """Check every game in files of records, in any format.

    Each bad game gives a line with its place and what is wrong there; a file without any game is
    bad too. Files may be of any length: they are read game by game.

    The exit status is 0 if all games are good, 1 if some are bad, and 2 if a file could not be
    read to its end.
    """
    screen = Screen(ascii_only=ascii_only)
    tallies = [_Tally(printable(file)) for file in files]

    def count(index: int, found: Entry | Unreadable) -> None:
        tally = tallies[index]
        if isinstance(found, Unreadable):
            tally.unreadable = True
        elif found.game is None:
            tally.bad += 1
            screen.line(found.fault)
        else:
            tally.good += 1

    scan_with_bar(screen, "checking", files, source, on_found=count, hidden=quiet)
    total = _Tally("all files")
    for tally in tallies:
        total.add(tally)
    if not quiet:
        _write_summary(screen, tallies, total)
    raise click.exceptions.Exit(2 if total.unreadable else 1 if total.bad else 0)


def _write_summary(screen: Screen, tallies: list[_Tally], total: _Tally) -> None:
    """Write a table of the files, and a sentence about all of them."""
    shown = [tally for tally in tallies if len(tallies) <= MANY or not tally.is_fine]
    if shown:
        screen.table(("file", ">good", ">bad", "verdict"), [tally.row() for tally in shown])
    games, files = amount(total.good, "good game"), amount(len(tallies), "file")
    unread = sum(tally.unreadable for tally in tallies)
    screen.line(f"{games}, {total.bad:,} bad, in {files}, {unread:,} unreadable.", "bold")


@final
@define
class GameCopy:
    """Games on their way from files to an output.

    Attributes:
        output: The file to write, or ``-``.
        text_of: Returns the text of a game to write, ``None`` to leave it out.
        note: Writes a line on standard error.
    """

    output: str
    text_of: Callable[[str, Game], str | None]
    note: Callable[[str], None]
    written: int = field(default=0, init=False)
    left_out: int = field(default=0, init=False)
    has_unreadable: bool = field(default=False, init=False)

    def texts(self, files: Iterable[str], source: Format | None, advance: Advance) -> Iterator[str]:
        """Iterate over the texts of all games that can be written."""
        for _, found in scan(files, source, advance):
            if isinstance(found, Unreadable):
                self.has_unreadable = True
                self.note(f"Error: {found.message}")
                continue
            if found.game is None:
                self.note(found.fault)
                text = None
            else:
                text = self.text_of(found.place, found.game)
            if text is None:
                self.left_out += 1
            else:
                self.written += 1
                yield text

    def exit(self, screen: Screen) -> NoReturn:
        """End the command with a sentence about what was written, and its status."""
        if self.output != "-":
            done = f"{amount(self.written, 'game')} written to {printable(self.output)}"
            done = done if self.written else "Nothing written"
            screen.line(f"{done}, {self.left_out:,} left out.")
        raise click.exceptions.Exit(2 if self.has_unreadable else 1 if self.left_out else 0)
