"""``validate``: many records in many files, each checked against the rules."""

from __future__ import annotations

from typing import Final

import click
from attrs import define

from pontedeldiavolo.cli.failures import Unreadable, printable
from pontedeldiavolo.cli.formats import EPILOG, Entry, FileFormat, from_option
from pontedeldiavolo.cli.options import ascii_option
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.survey import survey
from pontedeldiavolo.cli.wording import amount

MANY: Final = 20
"""With more files than this, the table leaves out those without a fault."""


@define
class _Tally:
    """What was found in a file, or in all of them."""

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


@click.command(epilog=EPILOG)
@click.argument("files", metavar="FILE|-...", nargs=-1, required=True)
@click.option("--quiet", "-q", is_flag=True, help="Write the faults only: no bar and no table.")
@from_option
@ascii_option
def validate(
    *, files: tuple[str, ...], quiet: bool, source: FileFormat | None, ascii_only: bool
) -> None:
    """Check every game in files of records, in any format.

    Each bad game gives a line with its place and what is wrong there; a file without any game is
    bad too. Files may be of any length: they are read game by game.

    The exit status is 0 if all games are good, 1 if some are bad, and 2 if a file could not be
    read to its end.
    """
    screen = Screen(ascii_only=ascii_only)
    tallies = [_Tally(printable(file)) for file in files]

    def count(place: int, found: Entry | Unreadable) -> None:
        tally = tallies[place]
        if isinstance(found, Unreadable):
            tally.unreadable = True
        elif found.game is None:
            tally.bad += 1
            screen.line(found.fault)
        else:
            tally.good += 1

    survey(screen, "checking", files, source, on_found=count, hidden=quiet)
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
