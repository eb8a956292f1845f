"""Options that several commands share."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

import click

from pontedeldiavolo.base.errors import NotationError
from pontedeldiavolo.notation import parse_rules
from pontedeldiavolo.rules.rules import Rules

LONGEST_WAIT: Final = 3600

F = TypeVar("F", bound=Callable[..., object] | click.Command)


class Decorator(Protocol):
    """Gives a command an option."""

    @abstractmethod
    def __call__(self, command: F, /) -> F:
        """Return the command with it."""


def _rules(_context: click.Context, _parameter: click.Parameter, value: str) -> Rules:
    try:
        return parse_rules(value)
    except NotationError as error:
        raise click.BadParameter(str(error)) from error


def seconds(
    _context: click.Context, _parameter: click.Parameter, value: float | None
) -> float | None:
    """Check a time to wait."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("not a number")
    return value


rules_option: Decorator = click.option(
    "--rules",
    callback=_rules,
    metavar="RULES",
    default="board-game-arena",
    show_default=True,
    help="A preset's name, or rules in full: '8x8 tiles=20 bridges=unlimited tiebreaks=islands'.",
)
ascii_option: Decorator = click.option(
    "--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only."
)
output_option: Decorator = click.option(
    "--output",
    "-o",
    metavar="OUTPUT|-",
    default="-",
    help="Where to write; without it, or for -, standard output.",
)
force_option: Decorator = click.option(
    "--force", is_flag=True, help="Replace OUTPUT if it exists. It is never an input."
)
game_option: Decorator = click.option(
    "--game",
    "number",
    type=click.IntRange(1),
    metavar="N",
    default=1,
    show_default=True,
    help="Which game of a file with several.",
)
