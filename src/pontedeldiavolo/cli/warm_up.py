"""``warm-up``: compile ahead of the first use."""

from __future__ import annotations

from importlib import import_module
from logging import WARNING

import click

from pontedeldiavolo.cli.console import Screen
from pontedeldiavolo.cli.errors import Unreadable
from pontedeldiavolo.cli.language import said
from pontedeldiavolo.cli.options import options
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.registry import by_name
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState


@click.command(
    "warm-up",
    epilog="""\b
Examples:
  pontedeldiavolo warm-up
  NUMBA_CACHE_DIR=/opt/kernels pontedeldiavolo warm-up --rules '20x20 tiles=99'""",
)
@options("rules")
def warm_up(*, rules: Rules) -> None:
    """Compile what the player mcts, the solver and batch simulation need, ahead of their use.

    They are compiled for boards of four sizes, up to 16x16, 32x32, 16x64 and 64x64: this is done
    for the size of the rules' board. The code is kept for later processes, in the folder
    NUMBA_CACHE_DIR or, by default, beside the installed package.
    """
    _run_all(rules)
    jit, game = (import_module(f"pontedeldiavolo.batch.kernels.{name}") for name in ("jit", "game"))
    if WARNING in jit.TOLD:
        raise Unreadable(jit.TOLD[WARNING])
    columns, rows = game.set_shape(rules.board.width, rules.board.height)
    Screen().line(said("compiled", columns=columns, rows=rows))


def _run_all(rules: Rules) -> None:
    """Call each compiled function."""
    batch = import_module("pontedeldiavolo.batch")
    games = batch.GameBatch.initial(rules, 2).canonical()
    games = games.step(games.sample_steps(seed=0))
    games.playout(seed=0)
    games.planes()
    weights = games.legal_mask()
    pool = batch.GamePool.from_games(games, planes=True)
    pool.step(pool.sample(weights))
    pool.restart([0])
    batch.replay([Game.new(rules)])
    import_module("pontedeldiavolo.players").Solver(positions=1).value(GameState.initial(rules))
    player, state = by_name("mcts:simulations=100").for_game(0), GameState.initial(rules)
    for _ in range(2):
        state = state.apply(player.choose(state))
    # Results and the games of a pool are worked out when they are asked for.
    for source, name in ((games, "scores"), (pool, "games")):
        getattr(source, name)
