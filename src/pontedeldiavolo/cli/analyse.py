"""``analyse``: comments of a player on recorded games."""

from __future__ import annotations

from functools import partial

import click

from pontedeldiavolo.base.messages import LANGUAGES, Catalog
from pontedeldiavolo.cli.console import Screen, check_output, noting, opened_output
from pontedeldiavolo.cli.options import (
    FORMAT_HELP,
    force_option,
    from_option,
    language_option,
    make_players,
    output_option,
    parsed_player,
    seconds_option,
    simulations_option,
)
from pontedeldiavolo.cli.scan import GameCopy
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.annotator import annotate
from pontedeldiavolo.players.player import Analyst
from pontedeldiavolo.players.registry import Spec
from pontedeldiavolo.records import Format, dumps


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo analyse game.pdd --seconds 5 -o analysed.pdd

{FORMAT_HELP}"""
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--player",
    "spec",
    callback=parsed_player,
    metavar="PLAYER",
    default="mcts",
    show_default=True,
    help="Who thinks about the games: a player that says what it thinks.",
)
@seconds_option
@simulations_option
@output_option
@from_option
@language_option("comments")
@force_option
def analyse(
    *,
    file: str,
    spec: Spec,
    seconds: float | None,
    simulations: int | None,
    output: str,
    source: Format | None,
    lang: str,
    force: bool,
) -> None:
    """Write into games what a player thinks of them.

    After each action a comment says its value for the player who acted, from -1, lost, to 1, won,
    and what is expected to follow. An action that loses 0.1 or more against the player's own
    choice gets the glyph ?!, from 0.2 it is ?, and from 0.3 ??; the comment says what would have
    been better.
    All games of FILE are written, as records.

    The exit status is 0 if all games are written, 1 if some are bad and left out, and 2 if FILE
    could not be read to its end, or OUTPUT not written.
    """
    (player,) = make_players((spec,), seconds=seconds, simulations=simulations)
    if not isinstance(player, Analyst):
        raise click.BadParameter(f"{spec.name} does not say what it thinks", param_hint="--player")
    check_output(output, (file,), force=force)
    screen = Screen()
    is_drawn = output != "-" and screen.console.is_interactive

    with noting(late=is_drawn) as note, opened_output(output, force=force) as write:
        text_of = partial(_text_of, screen, player, LANGUAGES[lang].catalog, hidden=not is_drawn)
        copy = GameCopy(output, text_of, note)
        for text in copy.texts((file,), source, lambda _octets: None):
            write("\n" * (copy.written > 1) + text)
    copy.exit(screen)


def _text_of(
    screen: Screen, player: Analyst, catalog: Catalog, place: str, game: Game, *, hidden: bool
) -> str:
    """Return the record of a game with comments."""
    with screen.progress(place, len(game.actions), hidden=hidden) as advance:
        annotated = annotate(game, player, catalog=catalog, on_move=lambda _number: advance(1))
    return dumps(annotated)
