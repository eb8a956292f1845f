"""The command ``pontedeldiavolo`` and what all its subcommands have in common."""

from __future__ import annotations

from textwrap import fill
from typing import Final

import click

from pontedeldiavolo import presets
from pontedeldiavolo._version import __version__
from pontedeldiavolo.cli.errors import Program

COMMANDS: Final = {
    "play": "play",
    "match": "match",
    "engine": "engine",
    "serve": "serve",
    "replay": "show",
    "analyse": "convert",
    "rules": "show",
    "show": "show",
    "render": "render",
    "moves": "moves",
    "validate": "scan",
    "convert": "convert",
    "stats": "scan",
    "perft": "moves",
    "warm-up": "warm_up",
}
"""The module of each command, which is imported when the command is used."""


@click.group(
    cls=Program,
    modules=COMMANDS,
    invoke_without_command=True,
    epilog="\b\n"
    + fill(f"Presets for --rules: {', '.join(presets.names())}.", 76, break_on_hyphens=False),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "--version", "-V", prog_name="pontedeldiavolo")
@click.pass_context
def main(context: click.Context) -> None:
    """Play, replay, draw, check, analyse, convert and count games of Ponte del Diavolo.

    White and red put tiles on a board of water; four connected tiles of a colour are an island,
    and bridges join islands to networks that score. COMMAND --help says more about each command.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
