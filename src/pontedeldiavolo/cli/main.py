"""The command ``pontedeldiavolo`` and what all its subcommands have in common."""

from __future__ import annotations

from textwrap import fill

import click

from pontedeldiavolo import presets
from pontedeldiavolo._version import __version__
from pontedeldiavolo.cli.convert import analyse, convert
from pontedeldiavolo.cli.errors import Program
from pontedeldiavolo.cli.match import match
from pontedeldiavolo.cli.moves import moves, perft
from pontedeldiavolo.cli.play import play
from pontedeldiavolo.cli.render import render
from pontedeldiavolo.cli.scan import stats, validate
from pontedeldiavolo.cli.serve import serve
from pontedeldiavolo.cli.show import replay, show
from pontedeldiavolo.cli.warm_up import warm_up


@click.group(
    cls=Program,
    invoke_without_command=True,
    epilog="\b\n"
    + fill(f"Presets for --rules: {', '.join(presets.names())}.", 76, break_on_hyphens=False),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="pontedeldiavolo")
@click.pass_context
def main(context: click.Context) -> None:
    """Play, replay, draw, check, analyse, convert and count games of Ponte del Diavolo.

    White and red put tiles on a board of water; four connected tiles of a colour are an island,
    and bridges join islands to networks that score. COMMAND --help says more about each command.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for _command in (
    *(play, match, serve, replay, analyse, show, render, moves),
    *(validate, convert, stats, perft, warm_up),
):
    main.add_command(_command)
