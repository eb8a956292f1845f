"""``moves`` and ``perft``: legal actions, why one is not legal, and how many there are."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import click

from pontedeldiavolo.base import messages
from pontedeldiavolo.base.errors import NotationError
from pontedeldiavolo.base.messages import LANGUAGES, filled
from pontedeldiavolo.cli.console import Screen, amount, situation
from pontedeldiavolo.cli.inputs import loaded_state, recorded_game
from pontedeldiavolo.cli.options import completed_file, options
from pontedeldiavolo.notation import format_action, format_step, parse_action, parse_cell
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.perft import perft as count_sequences
from pontedeldiavolo.state.state import GameState

LISTED: Final = 20
"""The number of actions of a kind that are listed by default."""

REASONS: Final[dict[type, str]] = {
    PlaceTiles: "legal-tiles",
    PlaceTile: "legal-tile",
    BuildBridge: "legal-bridge",
    ChooseColor: "legal-choice",
    Pass: "legal-pass",
}
"""The codes of the sentences that say why an action of each kind is legal."""


@click.command(
    epilog="""\b
Examples:
  pontedeldiavolo moves --rules brettspielnetz
  pontedeldiavolo moves --record games.pdd --explain a1-c2"""
)
@options("what")
@click.option(
    "--record",
    metavar="FILE",
    shell_complete=completed_file,
    help="Ask about the end of a record in this file.",
)
@click.option(
    "--limit",
    type=click.IntRange(0),
    metavar="N",
    default=LISTED,
    show_default=True,
    help="List at most N actions of a kind.",
)
@click.option("--all", "everything", is_flag=True, help="List every action.")
@click.option(
    "--explain", "question", metavar="ACTION", help="Explain why an action is legal or not."
)
@options("lang", "rules", "game", "ascii")
def moves(
    *,
    what: str | None,
    record: str | None,
    limit: int,
    everything: bool,
    question: str | None,
    lang: str,
    rules: Rules,
    number: int,
    ascii_only: bool,
) -> None:
    """List the legal actions of a state.

    STATE is a state's text, FILE a file with a state or with games, and - standard input. Of a
    game, the end is meant. Without any of them it is the start of a game.

    With --explain, the exit status is 0 if the action is legal and 1 if it is not.
    """
    if what is not None and record is not None:
        raise click.UsageError("Give a state or --record, not both.")
    screen = Screen(ascii_only=ascii_only)
    if record is not None:
        start = recorded_game(record, number)[0].state
    else:
        start = GameState.initial(rules) if what is None else loaded_state(what, number)
    if question is not None:
        raise click.exceptions.Exit(_explain(screen, start, question, lang))
    screen.line(situation(start, {}))
    write_moves(screen, start, None if everything else limit)


def write_moves(screen: Screen, state: GameState, limit: int | None) -> None:
    """Write how many legal actions of each kind there are, and up to *limit* of each."""
    legal = state.legal_actions
    screen.line(f"{amount(len(legal), 'legal action')} in all.", "bold")
    choices = [action for action in legal.others if isinstance(action, ChooseColor)]
    passes = [action for action in legal.others if isinstance(action, Pass)]
    kinds: dict[tuple[str, str], Sequence[Action]] = {
        ("pair of tiles", "pairs of tiles"): legal.pairs,
        ("bridge", "bridges"): legal.bridges,
        ("choice of a colour", "choices of a colour"): choices,
        ("pass", "passes"): passes,
    }
    for (one, many), actions in kinds.items():
        if actions:
            screen.line(f"{len(actions):,} {one if len(actions) == 1 else many}:")
        shown = len(actions) if limit is None else min(limit, len(actions))
        for action in islice(actions, shown):
            screen.line(f"  {format_action(action)}")
        if shown < len(actions):
            screen.line(f"  ... and {len(actions) - shown:,} more", "dim")


def _explain(screen: Screen, state: GameState, question: str, lang: str) -> int:
    """Explain why an action is legal or not, and return the exit status."""
    action, catalog = _parsed(question), LANGUAGES[lang].catalog
    faults = state.violations(action)
    text = format_action(action) if isinstance(action, PlaceTiles) else format_step(action)
    verdict = "illegal" if faults else "legal"
    screen.line(filled(catalog, verdict, {"action": text}), "bold")
    if not faults:
        screen.line(filled(catalog, REASONS[type(action)], {}))
    for fault in faults:
        screen.line(messages.explain(fault, catalog))
    return 1 if faults else 0


def _parsed(question: str) -> Action | PlaceTile:
    """Return the action that is asked about, or the one tile if it is a single cell."""
    try:
        return parse_action(question)
    except NotationError as error:
        try:
            return PlaceTile(parse_cell(question))
        except NotationError:
            raise click.BadParameter(str(error), param_hint="--explain") from error


DEEPEST: Final = 100
"""Greater depths take too long, except on tiny boards, where games are over before."""


@click.command(
    epilog="""\b
Examples:
  pontedeldiavolo perft --depth 3
  pontedeldiavolo perft --rules abstract-play-8 --depth 2 --divide"""
)
@options("what")
@click.option(
    "--depth",
    type=click.IntRange(0, DEEPEST),
    metavar="N",
    required=True,
    help="The number of actions in a sequence.",
)
@click.option("--divide", is_flag=True, help="Count per first action as well.")
@options("rules", "game")
def perft(*, what: str | None, depth: int, divide: bool, rules: Rules, number: int) -> None:
    """Count the sequences of legal actions up to a depth.

    The choice of a colour is one action, and a finished game has no sequences. STATE is a
    state's text, FILE a file with a state or with games, and - standard input. Of a game,
    the end is meant. Without any of them it is the start of a game.
    """
    screen = Screen()
    start = GameState.initial(rules) if what is None else loaded_state(what, number)
    screen.line(f"{'depth':>5} {'count':>20} {'seconds':>10} {'nodes/s':>14}", "bold")
    by_action: list[tuple[Action, int]] = []
    for level in range(min(depth, 1), depth + 1):
        started = time.perf_counter()
        by_action = list(_counts(screen, start, level))
        spent = time.perf_counter() - started
        total = sum(count for _, count in by_action) if level else 1
        # A clock that has not moved yet gives no speed.
        speed = f"{total / spent:,.0f}" if spent > 0 else "-"
        screen.line(f"{level:>5} {total:>20,} {spent:>10.3f} {speed:>14}")
    if divide:
        screen.line()
        for action, count in by_action:
            screen.line(f"{format_action(action)}: {count:,}")


def _counts(screen: Screen, state: GameState, depth: int) -> Iterator[tuple[Action, int]]:
    """Count the sequences of a depth per first action, with a bar where one can be seen."""
    legal = state.legal_actions if depth else ()
    with screen.progress(f"depth {depth}", len(legal)) as advance:
        for action in legal:
            yield action, count_sequences(state.apply_unchecked(action), depth - 1)
            advance(1)
