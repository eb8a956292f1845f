"""``render``: pictures in files, of moments and of games that move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias, final

import click
from attrs import frozen

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.failures import Refused, printable
from pontedeldiavolo.cli.formats import FileFormat, from_option
from pontedeldiavolo.cli.options import force_option, rules_option
from pontedeldiavolo.cli.options import seconds as checked_seconds
from pontedeldiavolo.cli.output import check_output, opened_output, write_all
from pontedeldiavolo.cli.pictures import (
    EPILOG,
    FORMATS,
    THEMES,
    Look,
    PictureFormat,
    Subject,
    moment,
    moments,
    subject_of,
)
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.sources import all_loaded, loaded, suffix_of
from pontedeldiavolo.cli.wording import amount
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import Theme

LARGEST = 4096
"""The most pixels of the longer side."""
GAME: Final = "{game}"
TURN: Final = "{turn}"
"""What stands in a name for the number of a game, and of a turn."""

Found: TypeAlias = GameState | Setup | Game


def _theme(_context: click.Context, _parameter: click.Parameter, name: str) -> Theme:
    return THEMES[name]


def _named(
    _context: click.Context, _parameter: click.Parameter, name: str | None
) -> PictureFormat | None:
    return next((each for each in FORMATS if each.name == name), None)


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo render game.pdd -o game.gif
  pontedeldiavolo render game.sgf --turn 12 -o diagram.svg --theme print
  pontedeldiavolo render game.pdd -o 'turn-{{turn}}.png'
  pontedeldiavolo render games.jsonl -o games.html
  echo 'w . w' | pontedeldiavolo render - --format png > diagram.png

{EPILOG}"""
)
@click.argument("what", metavar="[STATE|FILE|-]", required=False)
@click.option(
    "--output",
    "-o",
    metavar="OUTPUT|-",
    default="-",
    help="Where to write; without it, or for -, standard output. A name with {turn} or {game} in it"
    " makes a file for every turn or game.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice([each.name for each in FORMATS]),
    callback=_named,
    metavar="FORMAT",
    help="What format to draw, if the name of OUTPUT does not tell.",
)
@force_option
@click.option(
    "--turn",
    type=click.IntRange(0),
    metavar="N",
    help="Draw a game after this turn, and not its end; 0 is the start.",
)
@click.option(
    "--theme",
    type=click.Choice([*THEMES]),
    callback=_theme,
    default="light",
    show_default=True,
    help="The colours.",
)
@click.option(
    "--size",
    type=click.IntRange(1, LARGEST),
    metavar="PIXELS",
    help="How long the longer side is.",
)
@click.option("--networks", is_flag=True, help="Tint networks, and write what they are worth.")
@click.option("--targets", is_flag=True, help="Mark what the player to move can do.")
@click.option(
    "--no-coordinates", "coordinates", flag_value=False, default=True, help="Write no coordinates."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.02, 20),
    callback=checked_seconds,
    default=1.0,
    show_default=True,
    help="How long a game that moves shows each turn.",
)
@rules_option
@click.option(
    "--game",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="Which game of a file with several; without it the first, or all in html and with {game}.",
)
@from_option
def render(
    *,
    what: str | None,
    output: str,
    kind: PictureFormat | None,
    force: bool,
    turn: int | None,
    number: int | None,
    source: FileFormat | None,
    rules: Rules,
    **look: Any,
) -> None:
    """Draw a board into a file, or a whole game as a picture that moves.

    STATE is a state's text, FILE a file with games of any format, with a state or with a diagram in
    letters, and - standard input. Of a game, the end is drawn, or the whole of it, as the format
    has it. Without any of them an empty board is drawn.

    OUTPUT is complete or not there at all. Of several files none is there before all are drawn.
    """
    work = _Work(what, source, rules, number, turn, output, kind or _kind(output), Look(**look))
    if GAME in output or TURN in output:
        count = write_all(work.pictures(force=force), force=force)
        Screen().line(f"{amount(count, 'picture')} written to {printable(output)}.")
        return
    check_output(output, work.inputs, force=force)
    [(_, content)] = work.pictures(force=force)
    with opened_output(output, force=force) as put:
        put(content)
    if output != "-":
        Screen().line(f"Picture written to {printable(output)}.")


@final
@frozen
class _Work:
    """What is to be drawn, how, and where it goes."""

    what: str | None
    source: FileFormat | None
    rules: Rules
    number: int | None
    turn: int | None
    output: str
    kind: PictureFormat
    look: Look

    @property
    def inputs(self) -> tuple[str, ...]:
        """What must not be written over."""
        return () if self.what is None else (self.what,)

    def pictures(self, *, force: bool) -> Iterator[tuple[str, str | bytes]]:
        """Iterate over the names of files, each with what is to be in it.

        Raises:
            Refused: If something cannot be drawn.
            Unreadable: If something cannot be read, or a file is there that must stay.
        """
        for number, found in self._found():
            place = f"game {number}: " if GAME in self.output else ""
            try:
                for turn, subject in self._subjects(found):
                    name = self.output.replace(GAME, str(number)).replace(TURN, str(turn))
                    check_output(name, self.inputs, force=force)
                    yield name, self.kind.draw(subject, self.look)
            except (PonteError, Refused) as error:
                raise Refused(f"{place}{error}") from error

    def _found(self) -> Iterator[tuple[int, tuple[Found, ...]]]:
        """Iterate over what goes into the same files: a game, or all of them, with a number."""
        form = None if self.source is None else self.source.format
        if self.what is None:
            yield 1, (GameState.initial(self.rules),)
        elif GAME in self.output and self.number is None:
            for number, found in enumerate(all_loaded(self.what, form), 1):
                yield number, (found,)
        elif self.kind.holds_games and self.number is None:
            yield 1, tuple(all_loaded(self.what, form))
        else:
            number = self.number or 1
            yield number, (loaded(self.what, number, form),)

    def _subjects(self, found: tuple[Found, ...]) -> Iterator[tuple[int, Subject]]:
        """Iterate over what there is to be drawn of it, with the turns that this shows."""
        if self.turn is not None:
            yield self.turn, moment(found[0], self.turn)
        elif TURN in self.output:
            yield from moments(found[0])
        else:
            yield 0, subject_of(*found)


def _kind(output: str) -> PictureFormat:
    """Return the format that the name of a file tells."""
    suffix = suffix_of(output)
    for each in FORMATS:
        if suffix in each.suffixes:
            return each
    raise click.UsageError("Say what to draw: --format FORMAT, or -o with a suffix that tells.")
