"""``perft``: how many sequences of actions there are, and how fast they are counted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import click

from pontedeldiavolo.cli.options import game_option, rules_option
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.sources import loaded_state
from pontedeldiavolo.notation import format_action
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.perft import perft as count_sequences
from pontedeldiavolo.state.state import GameState

DEEPEST: Final = 100
"""Deeper counts end in nobody's lifetime, save on boards whose games are over long before."""


@click.command(
    epilog="""\b
Examples:
  pontedeldiavolo perft --depth 3
  pontedeldiavolo perft --rules abstract-play-8 --depth 2 --divide"""
)
@click.argument("state", metavar="[STATE|FILE|-]", required=False)
@click.option(
    "--depth",
    type=click.IntRange(0, DEEPEST),
    metavar="N",
    required=True,
    help="How many actions a sequence has.",
)
@click.option("--divide", is_flag=True, help="Count per first action as well.")
@rules_option
@game_option
def perft(*, state: str | None, depth: int, divide: bool, rules: Rules, number: int) -> None:
    """Count the sequences of legal actions up to a depth.

    The choice of a colour is one action, and a finished game has no sequences. STATE is a
    state's text, FILE a file with a state or with games, and - standard input. Of a game,
    the end is meant. Without any of them it is the start of a game.
    """
    screen = Screen()
    start = GameState.initial(rules) if state is None else loaded_state(state, number)
    screen.line(f"{'depth':>5} {'count':>20} {'seconds':>10} {'nodes/s':>14}", "bold")
    by_action: list[tuple[Action, int]] = []
    for level in range(min(depth, 1), depth + 1):
        begun = time.perf_counter()
        by_action = list(_counted(screen, start, level))
        spent = time.perf_counter() - begun
        total = sum(count for _, count in by_action) if level else 1
        # A clock that has not moved yet gives no speed.
        speed = f"{total / spent:,.0f}" if spent > 0 else "-"
        screen.line(f"{level:>5} {total:>20,} {spent:>10.3f} {speed:>14}")
    if divide:
        screen.line()
        for action, count in by_action:
            screen.line(f"{format_action(action)}: {count:,}")


def _counted(screen: Screen, state: GameState, depth: int) -> Iterator[tuple[Action, int]]:
    """Count the sequences of a depth per first action, with a bar where one can be seen."""
    legal = state.legal_actions if depth else ()
    with screen.progress(f"depth {depth}", len(legal)) as advance:
        for action in legal:
            yield action, count_sequences(state.apply_unchecked(action), depth - 1)
            advance(1)
