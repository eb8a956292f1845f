"""``engine``: a player as an engine for other programs."""

from __future__ import annotations

import sys
from functools import partial

import click

from pontedeldiavolo.cli.options import PLAYER, PLAYERS
from pontedeldiavolo.players.engine import Engine
from pontedeldiavolo.players.external import MAX_BYTES
from pontedeldiavolo.players.registry import Spec


@click.command(
    epilog=f"""{PLAYERS}

\b
Example:
  pontedeldiavolo engine mcts:seconds=0.5"""
)
@click.argument("player", metavar="PLAYER", **PLAYER)
def engine(*, player: Spec) -> None:
    """Speak the engine protocol for PLAYER on standard input and output."""
    lines = iter(partial(sys.stdin.buffer.readline, MAX_BYTES + 1), b"")
    Engine(player, partial(print, flush=True)).run(line.decode(errors="replace") for line in lines)
