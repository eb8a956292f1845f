"""``moves`` and ``perft``: legal actions, why one is not legal, and how many there are."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from typing import Final, final

import click
from attrs import frozen

from pontedeldiavolo.base import messages
from pontedeldiavolo.base.errors import NotationError
from pontedeldiavolo.base.messages import filled
from pontedeldiavolo.cli.console import Screen, situation, violation_values, write_json
from pontedeldiavolo.cli.inputs import loaded_state, recorded_game
from pontedeldiavolo.cli.language import amount, catalog, said
from pontedeldiavolo.cli.options import completed_file, options
from pontedeldiavolo.notation import (
    format_action,
    format_state,
    format_step,
    parse_action,
    parse_cell,
)
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.legal_actions import LegalActions
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
@options("json", "rules", "game", "ascii")
def moves(
    *,
    what: str | None,
    record: str | None,
    limit: int,
    everything: bool,
    question: str | None,
    as_json: bool,
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
        raise click.exceptions.Exit(_explain(screen, start, question, as_json=as_json))
    most = None if everything else limit
    if as_json:
        kinds = {
            kind: {"count": len(actions), "actions": [*islice(actions, most)]}
            for kind, actions in _by_kind(start.legal_actions).items()
        }
        count = len(start.legal_actions)
        write_json("moves", {"state": format_state(start), "count": count, **kinds})
        return
    screen.line(situation(start, {}))
    write_moves(screen, start, most)


def _by_kind(legal: LegalActions) -> dict[str, Sequence[Action]]:
    """Return legal actions by their kinds."""
    return {
        "pairs": legal.pairs,
        "bridges": legal.bridges,
        "choices": [action for action in legal.others if isinstance(action, ChooseColor)],
        "passes": [action for action in legal.others if isinstance(action, Pass)],
    }


NOUNS: Final = {"pairs": "pair", "bridges": "bridge", "choices": "choice", "passes": "pass"}


def write_moves(screen: Screen, state: GameState, limit: int | None) -> None:
    """Write how many legal actions of each kind there are, and up to *limit* of each."""
    screen.line(said("in-all", actions=amount(len(state.legal_actions), "legal-action")), "bold")
    for kind, actions in _by_kind(state.legal_actions).items():
        if actions:
            screen.line(f"{amount(len(actions), NOUNS[kind])}:")
        shown = len(actions) if limit is None else min(limit, len(actions))
        for action in islice(actions, shown):
            screen.line(f"  {format_action(action)}")
        if shown < len(actions):
            screen.line(f"  {said('more', count=f'{len(actions) - shown:,}')}", "dim")


def _explain(screen: Screen, state: GameState, question: str, *, as_json: bool) -> int:
    """Explain why an action is legal or not, and return the exit status."""
    action, texts = _parsed(question), catalog()
    faults = state.violations(action)
    text = format_action(action) if isinstance(action, PlaceTiles) else format_step(action)
    verdict = "illegal" if faults else "legal"
    if as_json:
        found = violation_values(faults)
        write_json("explanation", {"action": text, "legal": not faults, "violations": found})
        return 1 if faults else 0
    screen.line(filled(texts, verdict, {"action": text}), "bold")
    if not faults:
        screen.line(filled(texts, REASONS[type(action)], {}))
    for fault in faults:
        screen.line(messages.explain(fault, texts))
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
@options("json", "rules", "game")
def perft(
    *,
    what: str | None,
    depth: int,
    divide: bool,
    as_json: bool,
    rules: Rules,
    number: int,
) -> None:
    """Count the sequences of legal actions up to a depth.

    The choice of a colour is one action, and a finished game has no sequences. STATE is a
    state's text, FILE a file with a state or with games, and - standard input. Of a game,
    the end is meant. Without any of them it is the start of a game.
    """
    start = GameState.initial(rules) if what is None else loaded_state(what, number)
    screen = Screen()
    levels = (_Level.of(screen, start, each) for each in range(min(depth, 1), depth + 1))
    if as_json:
        found = [*levels]
        rows = [
            {"depth": each.depth, "count": each.count, "seconds": each.seconds} for each in found
        ]
        parts = {"divide": dict(found[-1].by_action)} if divide else {}
        write_json("perft", {"state": format_state(start), "depths": rows, **parts})
        return
    heads = said("perft-heads").split(",")
    screen.line("{:>5} {:>20} {:>10} {:>14}".format(*heads), "bold")
    by_action: Sequence[tuple[str, int]] = ()
    for level in levels:
        # A clock that has not moved yet gives no speed.
        speed = f"{level.count / level.seconds:,.0f}" if level.seconds > 0 else "-"
        screen.line(f"{level.depth:>5} {level.count:>20,} {level.seconds:>10.3f} {speed:>14}")
        by_action = level.by_action
    if divide:
        screen.line()
        for text, count in by_action:
            screen.line(f"{text}: {count:,}")


@final
@frozen
class _Level:
    """The number of sequences of one depth, also by their first actions, and the time it took."""

    depth: int
    count: int
    seconds: float
    by_action: list[tuple[str, int]]

    @classmethod
    def of(cls, screen: Screen, state: GameState, depth: int) -> _Level:
        """Count with a bar where one can be seen."""
        started, by_action = time.perf_counter(), list[tuple[str, int]]()
        legal = state.legal_actions if depth else ()
        with screen.progress(f"depth {depth}", len(legal)) as advance:
            for action in legal:
                count = count_sequences(state.apply_unchecked(action), depth - 1)
                by_action.append((format_action(action), count))
                advance(1)
        total = sum(count for _, count in by_action) if depth else 1
        return cls(depth, total, time.perf_counter() - started, by_action)
