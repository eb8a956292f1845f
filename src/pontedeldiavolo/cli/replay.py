"""``replay``: a recorded game, turn by turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice

import click
from rich.live import Live

from pontedeldiavolo.cli.failures import printable
from pontedeldiavolo.cli.options import LONGEST_WAIT, ascii_option, game_option, seconds
from pontedeldiavolo.cli.scores import write_result
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.sources import chosen_game, has_more, opened, results_in
from pontedeldiavolo.cli.wording import turn_line
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.notation import format_rules
from pontedeldiavolo.state.state import GameState

DELAY = 0.3
"""How long a turn stays on a terminal, in seconds."""


@click.command()
@click.argument("file", metavar="FILE|-")
@click.option(
    "--delay",
    type=click.FloatRange(0, LONGEST_WAIT),
    callback=seconds,
    metavar="SECONDS",
    help=f"Wait so long after each turn. [default: {DELAY} on a terminal, else 0]",
)
@click.option("--step", is_flag=True, help="Wait for Enter after each turn.")
@click.option("--only-end", is_flag=True, help="Show the end only, not the turns.")
@game_option
@ascii_option
def replay(
    *, file: str, delay: float | None, step: bool, only_end: bool, number: int, ascii_only: bool
) -> None:
    """Replay a recorded game.

    The whole game is checked first. Then its turns are shown one after the other; at the end the
    final board, the networks and points of both colours, the winner and what decided it.
    """
    if step and file == "-":
        raise click.UsageError("--step waits for input, which cannot be the file as well.")
    screen = Screen(ascii_only=ascii_only)
    with opened(file) as lines:
        results = results_in(file, lines)
        game = chosen_game(lines, results, number)
        more = has_more(lines, results)
    _write_heading(screen, game)
    if delay is None:
        delay = DELAY if screen.console.is_terminal else 0
    if only_end or not game.actions:
        screen.board(game.state, game.actions[-1] if game.actions else None)
    elif step:
        _write_turns(screen, game, _enter_awaited(screen))
    elif screen.console.is_interactive and screen.fits(screen.picture(game.state)):
        _animate(screen, game, delay)
    else:
        _write_turns(screen, game, lambda: time.sleep(delay))
    screen.legend()
    write_result(screen, game)
    if more:
        screen.line(f"The file has more games: --game {number + 1} shows the next one.", "dim")


def _write_heading(screen: Screen, game: Game) -> None:
    for name, value in game.tags.items():
        screen.line(f"{name}: {printable(value)}")
    screen.line(f"Rules: {format_rules(game.rules)}")
    screen.line()


def _enter_awaited(screen: Screen) -> Callable[[], None]:
    """Return what waits for Enter, until there is no more input to wait for."""
    open_ended = True

    def wait() -> None:
        nonlocal open_ended
        if open_ended:
            open_ended = screen.ask("Enter: the next turn ") is not None

    return wait


def _write_turns(screen: Screen, game: Game, wait: Callable[[], None]) -> None:
    """Write every turn and the board after it."""
    for turn, state in _turns(game):
        screen.line(turn_line(turn, state, game.tags))
        screen.board(state, turn.action)
        screen.line()
        wait()


def _animate(screen: Screen, game: Game, delay: float) -> None:
    """Write every turn above one board that changes in place."""
    with Live(console=screen.console, auto_refresh=False) as live:
        for turn, state in _turns(game):
            screen.line(turn_line(turn, state, game.tags))
            live.update(screen.picture(state, turn.action), refresh=True)
            time.sleep(delay)


def _turns(game: Game) -> Iterator[tuple[Turn, GameState]]:
    """Iterate over the turns, each with the state after it."""
    return zip(game.turns, islice(game.states(), 1, None), strict=True)
