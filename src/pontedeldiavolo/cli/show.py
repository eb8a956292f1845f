"""``show``: a picture of a state, of a game's end, of a diagram, or of an empty board."""

from __future__ import annotations

import click

from pontedeldiavolo.base.messages import explain
from pontedeldiavolo.cli.formats import FileFormat, from_option
from pontedeldiavolo.cli.options import ascii_option, game_option, rules_option
from pontedeldiavolo.cli.output import opened_output
from pontedeldiavolo.cli.pictures import Look, subject_of, svg_of
from pontedeldiavolo.cli.scores import write_result, write_scores
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.sources import loaded
from pontedeldiavolo.cli.wording import amount, situation, supply
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState


@click.command(
    epilog="""\b
Examples:
  pontedeldiavolo show --rules brettspielnetz
  pontedeldiavolo show games.pdd --game 3
  echo 'w . w' | pontedeldiavolo show -"""
)
@click.argument("what", metavar="[STATE|FILE|-]", required=False)
@rules_option
@game_option
@from_option
@click.option("--svg", "as_svg", is_flag=True, help="Write a picture in SVG, and nothing else.")
@ascii_option
def show(
    *,
    what: str | None,
    rules: Rules,
    number: int,
    source: FileFormat | None,
    as_svg: bool,
    ascii_only: bool,
) -> None:
    """Show a board.

    STATE is a state's text, FILE a file with games of any format, with a state or with a diagram in
    letters, and - standard input. Of a game, the end is shown; of a diagram that breaks the rules,
    how. Without any of them an empty board is shown.
    """
    form = None if source is None else source.format
    found = GameState.initial(rules) if what is None else loaded(what, number, form)
    if as_svg:
        with opened_output("-", force=False) as put:
            put(svg_of(subject_of(found), Look()))
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
        screen.line("This diagram breaks no rule.")
        return
    screen.line(f"This diagram breaks the rules in {amount(len(faults), 'place')}:", "bold")
    for fault in faults:
        screen.line(f"  {explain(fault)}")
