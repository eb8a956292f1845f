"""Options that several commands share, and the players and formats that they name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import click

from pontedeldiavolo import presets
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.language import explained
from pontedeldiavolo.notation import parse_rules
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.registry import Spec, names, parse_spec
from pontedeldiavolo.records import Format
from pontedeldiavolo.records.formats import FORMATS

MAX_SECONDS: Final = 3600
MAX_SIMULATIONS: Final = 10**9

F = TypeVar("F", bound=Callable[..., object] | click.Command)
T = TypeVar("T")


def parsed_by(
    parse: Callable[[str], T],
) -> Callable[[click.Context, click.Parameter, str | None], T | None]:
    """Return a callback that parses the text of an option, if it is given."""

    def callback(_context: click.Context, _parameter: click.Parameter, text: Any) -> T | None:
        try:
            return None if text is None else parse(text)
        except PonteError as error:
            raise click.BadParameter(explained(error)) from error

    return callback


def completing(
    words: Iterable[str],
) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Return the completion of a parameter that is one of these words."""
    known = (*words,)
    return lambda _context, _parameter, start: [each for each in known if each.startswith(start)]


completed_file: Final = click.Path().shell_complete
"""The completion of a parameter that can be the name of a file."""


def checked_seconds(
    _context: click.Context, _parameter: click.Parameter, value: float | None
) -> float | None:
    """Return a number of seconds; click lets NaN pass any range."""
    if value is not None and math.isnan(value):
        raise click.BadParameter("not a number")
    return value


# Formats

ABOUT: Final = {
    Format.PDD: "records, as this library writes them",
    Format.JSON: "documents of this library: one, or one a line",
    Format.ABSTRACT_PLAY: "reports of Abstract Play",
    Format.MOVES: "lists of moves, with empty lines between games",
    Format.SGF: "Smart Game Format FF[4]",
    Format.BOARDSPACE: "records of Boardspace; they are read only",
}


def format_help(formats: Mapping[str, tuple[tuple[str, ...], str]]) -> str:
    """Return a list of formats for help: their names, suffixes and descriptions."""
    rows = [(name, ", ".join(suffixes), about) for name, (suffixes, about) in formats.items()]
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    lines = (f"  {row[0]:<{first}} {row[1]:<{second}} {row[2]}" for row in rows)
    return "\n".join(("\b", "Formats:", *lines))


FORMAT_HELP: Final = format_help(
    {each.value: (FORMATS[each].suffixes, about) for each, about in ABOUT.items()}
)
"""The formats of game records, for help."""


_FORMAT: Final[dict[str, Any]] = {
    "type": click.Choice([each.value for each in Format]),
    "callback": parsed_by(Format),
    "metavar": "FORMAT",
}

# Players

PLAYERS: Final = "\b\nPlayers: " + ", ".join(names()) + "."
"""The players, for help."""

PLAYER: Final[dict[str, Any]] = {
    "callback": parsed_by(parse_spec),
    "shell_complete": completing(names()),
}
"""The settings of a parameter that names a player."""


def make_players(specs: tuple[Spec, ...], **options: float | None) -> tuple[Player, ...]:
    """Return players, with the options of a command for all that can have them.

    Raises:
        UsageError: If no player can have an option, or a number is out of range.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in given:
        if not any(spec.takes(name) for spec in specs):
            whom = " and ".join(dict.fromkeys(spec.name for spec in specs)) or "people"
            raise click.UsageError(f"--{name} is not for {whom}.")
    try:
        return tuple(spec.completed(given).player() for spec in specs)
    except PonteError as error:
        raise click.UsageError(explained(error)) from error


# Options

_SHARED: Final[dict[str, Callable[[Any], Any]]] = {
    "what": click.argument(
        "what", metavar="[STATE|FILE|-]", required=False, shell_complete=completed_file
    ),
    "file": click.argument("file", metavar="FILE|-", shell_complete=completed_file),
    "files": click.argument(
        "files", metavar="FILE|-...", nargs=-1, required=True, shell_complete=completed_file
    ),
    "rules": click.option(
        "--rules",
        callback=parsed_by(parse_rules),
        shell_complete=completing(presets.names()),
        metavar="RULES",
        default="board-game-arena",
        show_default=True,
        help="A preset's name, a size such as 8x8, or rules in full:"
        " '8x8 tiles=20 bridges=unlimited tiebreaks=islands'.",
    ),
    "ascii": click.option(
        "--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters only."
    ),
    "json": click.option(
        "--json", "as_json", is_flag=True, help="Write JSON: format, version, kind and value."
    ),
    "output": click.option(
        *("--output", "-o"),
        shell_complete=completed_file,
        metavar="OUTPUT|-",
        default="-",
        help="The output file; without it, or for -, standard output.",
    ),
    "force": click.option(
        "--force", is_flag=True, help="Replace OUTPUT if it exists. It is never an input."
    ),
    "game": click.option(
        *("--game", "number"),
        type=click.IntRange(1),
        metavar="N",
        default=1,
        show_default=True,
        help="The number of the game in a file with several.",
    ),
    "from": click.option(
        *("--from", "source"),
        help="The format of the input, if names and contents do not show it.",
        **_FORMAT,
    ),
    "to": click.option(
        *("--to", "target"),
        shell_complete=completing(each.value for each in Format if FORMATS[each].writer),
        help="The format of the output, if the name of OUTPUT does not show it.",
        **_FORMAT,
    ),
    "seconds": click.option(
        "--seconds",
        type=click.FloatRange(0, MAX_SECONDS, min_open=True),
        callback=checked_seconds,
        metavar="S",
        help="The thinking time per action, for players that support it.",
    ),
    "simulations": click.option(
        "--simulations",
        type=click.IntRange(1, MAX_SIMULATIONS),
        metavar="N",
        help="The simulations per action, for players that support them.",
    ),
}


def options(*names: str) -> Callable[[F], F]:
    """Return the decorator that gives a command arguments and options that several have."""

    def decorate(command: F) -> F:
        for name in reversed(names):
            command = _SHARED[name](command)
        return command

    return decorate
