"""The formats of game records, as the command line names them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

import click
from attrs import frozen

from pontedeldiavolo.base.errors import RecordError
from pontedeldiavolo.cli.failures import fault, needing_extras, printable
from pontedeldiavolo.cli.options import Decorator
from pontedeldiavolo.cli.screen import Advance
from pontedeldiavolo.cli.sources import LIMITS, Lines, opened, suffix_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records import Format, read
from pontedeldiavolo.records import formats as known


@final
@frozen
class FileFormat:
    """A format, and what help says about it."""

    format: Format
    about: str

    @property
    def name(self) -> str:
        """What options call it."""
        return self.format.value

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How names of its files end."""
        return self.dialect.suffixes

    @property
    def dialect(self) -> known.FormatSpec:
        """What there is to know of it."""
        return known.FORMATS[self.format]


FORMATS: Final = (
    FileFormat(Format.PDD, "records, as this library writes them"),
    FileFormat(Format.JSON, "documents of this library: one, or one a line"),
    FileFormat(Format.ABSTRACT_PLAY, "reports of Abstract Play"),
    FileFormat(Format.MOVES, "lists of moves, with empty lines between games"),
    FileFormat(Format.SGF, "Smart Game Format FF[4]"),
    FileFormat(Format.BOARDSPACE, "records of Boardspace; they are read only"),
)
"""All formats; where a suffix is that of several, the first is written if nothing else is said."""

EPILOG: Final = "\n".join(
    (
        "\b",
        "Formats:",
        *(f"  {each.name:<13} {', '.join(each.suffixes):<13} {each.about}" for each in FORMATS),
    )
)
"""What help says about the formats."""


def _named(
    _context: click.Context, _parameter: click.Parameter, name: str | None
) -> FileFormat | None:
    return next((each for each in FORMATS if each.name == name), None)


from_option: Decorator = click.option(
    "--from",
    "source",
    type=click.Choice([each.name for each in FORMATS]),
    callback=_named,
    metavar="FORMAT",
    help="What format the files are in, if their names and beginnings do not tell.",
)
to_option: Decorator = click.option(
    "--to",
    "target",
    type=click.Choice([each.name for each in FORMATS]),
    callback=_named,
    metavar="FORMAT",
    help="What format to write, if the name of OUTPUT does not tell.",
)


def recognised(path: str, lines: Lines) -> FileFormat:
    """Tell the format of a file by its suffix; between several, or without one, by its beginning.

    Raises:
        Unreadable: If it cannot be read.
    """
    found = known.detect_format(lines.start(), suffix_of(path))
    return next((each for each in FORMATS if each.format is found), FORMATS[0])


@frozen
class Entry:
    """What was found in a file.

    Attributes:
        place: Which game it is, of which file.
        game: The game; ``None`` if there is something wrong with it.
        fault: What that is, and where.
    """

    place: str
    game: Game | None
    fault: str = ""


def entries(path: str, source: FileFormat | None, advance: Advance) -> Iterator[Entry]:
    """Iterate over what is in a file; without any game it has a fault.

    Args:
        path: The file, or ``-`` for standard input.
        source: Its format; ``None`` to recognise it.
        advance: Is told how many bytes have been read.

    Raises:
        Unreadable: If it cannot be read to its end.
    """
    with opened(path) as lines:
        source = source or recognised(path, lines)
        number = before = 0
        with needing_extras():
            results = read(lines, format=source.format, limits=LIMITS)
        for number, result in enumerate(results, 1):
            lines.forget()
            place = f"{lines.name}: game {number}"
            if isinstance(result, RecordError):
                yield Entry(place, None, printable(fault(lines.name, result)))
            else:
                yield Entry(place, result)
            advance(lines.octets - before)
            before = lines.octets
        if not number:
            yield Entry(f"{lines.name}", None, f"{lines.name}:1:1: expected a game")
