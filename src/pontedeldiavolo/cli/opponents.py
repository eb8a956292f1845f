"""Players of this library, as the command line names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.failures import needing_extras
from pontedeldiavolo.cli.options import LONGEST_WAIT, Decorator, seconds
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.registry import Spec, names, parse_spec

MOST_SIMULATIONS: Final = 10**9

Options = Mapping[str, int | float | None]
"""What options of a command say of players; ``None`` where they say nothing."""


def named(_context: click.Context, _parameter: click.Parameter, text: str) -> Spec:
    """Return what the name of a player says."""
    try:
        return parse_spec(text)
    except PonteError as error:
        raise click.BadParameter(str(error)) from error


def made(specs: tuple[Spec, ...], options: Options) -> tuple[Player, ...]:
    """Return players, with the options of a command for all that can have them.

    Raises:
        Unreadable: If what one needs is not installed.
        UsageError: If no player can have an option, or a number is out of range.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if not any(spec.takes(name) for spec in specs):
            whom = " and ".join(dict.fromkeys(spec.name for spec in specs)) or "people"
            raise click.UsageError(f"--{name} is not for {whom}.")
    try:
        with needing_extras():
            return tuple(spec.completed(given).player() for spec in specs)
    except PonteError as error:
        raise click.UsageError(str(error)) from error


PLAYERS: Final = "\b\nPlayers: " + ", ".join(names()) + "."
"""What help says about players."""

seconds_option: Decorator = click.option(
    "--seconds",
    type=click.FloatRange(0, LONGEST_WAIT, min_open=True),
    callback=seconds,
    metavar="S",
    help="How long players think about an action that can be told so.",
)
simulations_option: Decorator = click.option(
    "--simulations",
    type=click.IntRange(1, MOST_SIMULATIONS),
    metavar="N",
    help="How many games such players play in thought for an action, instead.",
)
