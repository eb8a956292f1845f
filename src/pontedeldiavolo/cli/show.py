"""``show`` and ``replay``: a board, and a recorded game turn by turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from textwrap import fill

import click
from rich.live import Live

from pontedeldiavolo.base.messages import explain
from pontedeldiavolo.base.rules_summary import rules_summary
from pontedeldiavolo.cli.console import (
    Screen,
    opened_output,
    situation,
    supply,
    turn_line,
    violation_values,
    write_json,
    write_result,
    write_scores,
)
from pontedeldiavolo.cli.errors import printable
from pontedeldiavolo.cli.inputs import Found, loaded, recorded_game
from pontedeldiavolo.cli.language import amount, catalog, language, said
from pontedeldiavolo.cli.options import MAX_SECONDS, checked_seconds, options
from pontedeldiavolo.cli.render import Look, subject_of, svg_of
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.json.codecs import fields_of
from pontedeldiavolo.json.snapshots import snapshot
from pontedeldiavolo.notation import format_rules, parse_state
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.records import Format
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState


@click.command(
    epilog="""\b
Examples:
  pontedeldiavolo rules --lang de | less"""
)
@options("ascii")
def rules(*, ascii_only: bool) -> None:
    """Print the rules on one page."""
    screen = Screen(ascii_only=ascii_only)
    title, sections = rules_summary(language())
    screen.line(title, "bold")
    for section in sections:
        screen.line(f"\n{section.heading}", "bold")
        screen.line(fill(section.text, 76, break_on_hyphens=False))
        for board in section.boards:
            screen.line()
            screen.board(parse_state(board.state))


@click.command(
    epilog="""\b
Examples:
  pontedeldiavolo show --rules brettspielnetz
  pontedeldiavolo show games.pdd --game 3
  echo 'w . w' | pontedeldiavolo show -"""
)
@options("what", "rules", "game", "from")
@click.option("--svg", "as_svg", is_flag=True, help="Write only a picture in SVG.")
@options("json", "ascii")
def show(
    *,
    what: str | None,
    rules: Rules,
    number: int,
    source: Format | None,
    as_svg: bool,
    as_json: bool,
    ascii_only: bool,
) -> None:
    """Show a board.

    STATE is a state's text, FILE a file with games of any format, with a state or with a diagram in
    letters, and - standard input. Of a game, the end is shown; of a diagram that breaks the rules,
    how. Without any of them an empty board is shown.
    """
    found = GameState.initial(rules) if what is None else next(loaded(what, number, source))
    if as_svg:
        with opened_output("-", force=False) as put:
            put(svg_of(subject_of(found), Look()))
        return
    if as_json:
        _write_json(found)
        return
    screen = Screen(ascii_only=ascii_only)
    match found:
        case Game() as game:
            _show_game(screen, game)
        case GameState() as state:
            screen.board(state)
            _show_state(screen, state)
        case setup:
            _show_setup(screen, setup)


def _write_json(found: Found) -> None:
    """Write a snapshot, or the faults of a diagram."""
    if isinstance(found, Setup):
        write_json("faults", {"faults": violation_values(found.faults())})
    else:
        write_json("snapshot", fields_of(snapshot(found, catalog=catalog())["value"]))


def _show_game(screen: Screen, game: Game) -> None:
    screen.board(game.state, game.actions[-1] if game.actions else None)
    screen.legend()
    write_result(screen, game)


def _show_state(screen: Screen, state: GameState) -> None:
    screen.legend()
    if state.turn:
        write_scores(screen, state, {})
    screen.line()
    left = "" if state.is_over else supply(state)
    screen.line(f"{situation(state, {})} {left}".rstrip())


def _show_setup(screen: Screen, setup: Setup) -> None:
    screen.board(setup)
    screen.legend()
    screen.line()
    faults = setup.faults()
    if not faults:
        screen.line(said("no-fault"))
        return
    screen.line(said("faults", places=amount(len(faults), "place")), "bold")
    for fault in faults:
        screen.line(f"  {explain(fault, catalog())}")


DELAY = 0.3
"""The seconds that a turn stays on a terminal."""


@click.command()
@options("file")
@click.option(
    "--delay",
    type=click.FloatRange(0, MAX_SECONDS),
    callback=checked_seconds,
    metavar="SECONDS",
    help=f"The pause after each turn. [default: {DELAY} on a terminal, else 0]",
)
@click.option("--step", is_flag=True, help="Wait for Enter after each turn.")
@click.option("--only-end", is_flag=True, help="Show the end only, not the turns.")
@options("game", "ascii")
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
    game, has_more = recorded_game(file, number)
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
    if has_more:
        screen.line(said("more-games", number=number + 1), "dim")


def _write_heading(screen: Screen, game: Game) -> None:
    for name, value in game.tags.items():
        screen.line(f"{name}: {printable(value)}")
    screen.line(said("rules", rules=format_rules(game.rules)))
    screen.line()


def _enter_awaited(screen: Screen) -> Callable[[], None]:
    """Return what waits for Enter, until there is no more input to wait for."""
    open_ended = True

    def wait() -> None:
        nonlocal open_ended
        if open_ended:
            open_ended = screen.ask(said("enter")) is not None

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
