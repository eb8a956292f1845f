"""``render``: a picture in a file, of a moment or of a game that moves."""

from __future__ import annotations

import click

from pontedeldiavolo.cli.failures import Refused, printable
from pontedeldiavolo.cli.formats import suffix_of
from pontedeldiavolo.cli.options import game_option, rules_option
from pontedeldiavolo.cli.options import seconds as checked_seconds
from pontedeldiavolo.cli.output import check_output, opened_output
from pontedeldiavolo.cli.pictures import (
    EPILOG,
    FORMATS,
    THEMES,
    Look,
    PictureFormat,
    Subject,
    subject_of,
)
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.sources import loaded
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import Theme

LARGEST = 4096
"""The most pixels of the longer side."""


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
  pontedeldiavolo render game.pdd --turn 12 -o diagram.svg --theme print
  echo 'w . w' | pontedeldiavolo render - --format png > diagram.png

{EPILOG}"""
)
@click.argument("what", metavar="[STATE|FILE|-]", required=False)
@click.option(
    "--output",
    "-o",
    metavar="OUTPUT|-",
    default="-",
    help="Where to write; without it, or for -, standard output.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice([each.name for each in FORMATS]),
    callback=_named,
    metavar="FORMAT",
    help="What format to draw, if the name of OUTPUT does not tell.",
)
@click.option("--force", is_flag=True, help="Replace OUTPUT if it exists. It is never an input.")
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
@game_option
def render(
    *,
    what: str | None,
    output: str,
    kind: PictureFormat | None,
    force: bool,
    turn: int | None,
    theme: Theme,
    size: int | None,
    networks: bool,
    targets: bool,
    coordinates: bool,
    seconds: float,
    rules: Rules,
    number: int,
) -> None:
    """Draw a board into a file, or a whole game as a picture that moves.

    STATE is a state's text, FILE a file with a state, with records or with a diagram in letters,
    and - standard input. Of a record, the end is drawn, or the whole game, as the format has it.
    Without any of them an empty board is drawn. OUTPUT is complete or not there at all.
    """
    kind = kind or _kind(output)
    check_output(output, () if what is None else (what,), force=force)
    found = GameState.initial(rules) if what is None else loaded(what, number)
    subject = subject_of(found) if turn is None else _moment(found, turn)
    try:
        content = kind.draw(subject, Look(theme, size, networks, targets, coordinates, seconds))
    except PonteError as error:
        raise Refused(str(error)) from error
    with opened_output(output, force=force) as put:
        put(content)
    if output != "-":
        Screen().line(f"Picture written to {printable(output)}.")


def _kind(output: str) -> PictureFormat:
    """Return the format that the name of a file tells."""
    suffix = suffix_of(output)
    for each in FORMATS:
        if suffix in each.suffixes:
            return each
    raise click.UsageError("Say what to draw: --format FORMAT, or -o with a suffix that tells.")


def _moment(found: GameState | Setup | Game, turn: int) -> Subject:
    """Return a game after a turn, and after the choice of a colour that follows it."""
    if not isinstance(found, Game):
        raise Refused("only a recorded game has turns: a state or a diagram is drawn as it is")
    state = last = None
    for each, action in zip(found.states(), (None, *found.actions), strict=True):
        if each.turn == turn:
            state = each
            last = last if isinstance(action, ChooseColor) else action
    if state is None:
        raise Refused(f"no turn {turn}, the game has {found.start.turn} to {found.state.turn}")
    return Subject(state, last, None)
