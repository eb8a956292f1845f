"""The command ``pontedeldiavolo``: its subcommands and their common behaviour."""

from __future__ import annotations

import os
from importlib import import_module
from inspect import cleandoc
from textwrap import fill
from typing import Any, Final

import click

from pontedeldiavolo import presets
from pontedeldiavolo._version import __version__
from pontedeldiavolo.base.errors import printable

from .messages import OPTION, did_you_mean, reported
from .signals import running

MODULES: Final[dict[str, tuple[str, ...]]] = {
    "convert": ("analyse", "convert"),
    "match": ("engine", "match", "warm-up"),
    "play": ("play",),
    "render": ("render",),
    "scan": ("stats", "validate"),
    "serve": ("serve",),
    "show": ("moves", "perft", "replay", "rules", "show"),
}
"""The commands of each module."""
COMMANDS: Final = {name: module for module, names in MODULES.items() for name in names}
"""The module of each command."""


class Program(click.Group):
    """A group of commands that turns errors into lines on standard error and exit statuses.

    The module of a command is imported when the command is used.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in order."""
        del ctx
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command; ``None`` if there is none of this name."""
        if cmd_name in COMMANDS and cmd_name not in self.commands:
            module = import_module(f"pontedeldiavolo.cli.{COMMANDS[cmd_name]}")
            command = getattr(module, cmd_name.replace("-", "_"))
            command.params.append(OPTION)
            # The examples of a docstring come last, each on a separate line.
            text, _, examples = cleandoc(command.help or "").partition("Examples:\n")
            command.help = text
            command.epilog = f"\b\nExamples:\n{examples}\n\n{command.epilog or ''}"
            self.add_command(command)
        return super().get_command(ctx, cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names, or suggest one with a similar name."""
        name = args[0]
        # click knows only the commands that have been used.
        question = did_you_mean(name, COMMANDS)
        if os.path.isfile(name):  # noqa: PTH113 - unlike pathlib, it accepts every text
            question = f" Did you mean 'show {printable(name)}'?"
        is_option = not name[:1].isalnum()
        if name in COMMANDS or is_option or ctx.resilient_parsing or not question:
            return super().resolve_command(ctx, args)
        raise click.UsageError(f"No such command {name!r}.{question}", ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, and write help."""
        with reported():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with reported(), running():
            return super().invoke(ctx)


@click.group(
    cls=Program,
    invoke_without_command=True,
    epilog="\b\n"
    + fill(f"Presets for --rules: {', '.join(presets.names())}.", 76, break_on_hyphens=False),
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "show_default": True,
    },
)
@click.version_option(__version__, "--version", "-V", prog_name="pontedeldiavolo")
@click.pass_context
def main(context: click.Context) -> None:
    """Play, replay, draw, check, analyse, convert and count games of Ponte del Diavolo.

    White and red put tiles on a board of water; four connected tiles of a colour are an island,
    and bridges join islands to networks that score. COMMAND --help explains a command.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
