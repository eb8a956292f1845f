"""What is in many files: all their games, and why one cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import click

from pontedeldiavolo.cli.failures import Unreadable
from pontedeldiavolo.cli.formats import Entry, FileFormat, entries
from pontedeldiavolo.cli.screen import Advance, Screen
from pontedeldiavolo.cli.sources import size_of


def entries_of(
    files: Iterable[str], source: FileFormat | None, advance: Advance
) -> Iterator[tuple[int, Entry | Unreadable]]:
    """Iterate over what is in files, each with the place of its file among them.

    A file that cannot be read to its end gives why, and the next one follows.
    """
    for place, file in enumerate(files):
        try:
            for entry in entries(file, source, advance):
                yield place, entry
        except Unreadable as error:
            yield place, error


def survey(
    screen: Screen,
    what: str,
    files: tuple[str, ...],
    source: FileFormat | None,
    *,
    on_found: Callable[[int, Entry | Unreadable], None],
    hidden: bool,
) -> None:
    """Go through files with a bar, and say on standard error which ones cannot be read.

    Args:
        screen: Where the bar is.
        what: What is being done.
        files: The files.
        source: Their format; ``None`` to recognise it.
        on_found: Is told the place of a file, and what was found in it.
        hidden: Whether to show no bar.
    """
    complaints = []
    with screen.progress(what, size_of(files), hidden=hidden) as advance:
        for place, found in entries_of(files, source, advance):
            on_found(place, found)
            if isinstance(found, Unreadable):
                complaints.append(found.message)
    # Written only now: a bar that moves would write over them.
    for complaint in complaints:
        click.echo(f"Error: {complaint}", err=True)
