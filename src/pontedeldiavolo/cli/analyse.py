"""``analyse``: what a player thinks of recorded games, written into them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click
from attrs import define, field

from pontedeldiavolo.base.messages import LANGUAGES, Catalog
from pontedeldiavolo.cli.failures import Unreadable, printable
from pontedeldiavolo.cli.formats import EPILOG, FileFormat, from_option
from pontedeldiavolo.cli.opponents import (
    made,
    named,
    seconds_option,
    simulations_option,
)
from pontedeldiavolo.cli.options import force_option, output_option
from pontedeldiavolo.cli.output import check_output, noting, opened_output
from pontedeldiavolo.cli.screen import Screen
from pontedeldiavolo.cli.survey import entries_of
from pontedeldiavolo.cli.wording import amount
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.annotator import annotate
from pontedeldiavolo.players.player import Analyst
from pontedeldiavolo.players.registry import Spec
from pontedeldiavolo.records import dumps


@define
class _Survey:
    """Games on their way through the thoughts of a player."""

    screen: Screen
    player: Analyst
    catalog: Catalog
    is_drawn: bool
    note: Callable[[str], None]
    written: int = field(default=0, init=False)
    left_out: int = field(default=0, init=False)
    has_unreadable: bool = field(default=False, init=False)

    def texts(self, file: str, source: FileFormat | None) -> Iterator[str]:
        """Iterate over the records of all games, with what is thought of them."""
        for _, found in entries_of((file,), source, lambda _octets: None):
            if isinstance(found, Unreadable):
                self.has_unreadable = True
                self.note(f"Error: {found.message}")
            elif found.game is None:
                self.left_out += 1
                self.note(found.fault)
            else:
                game = self._annotated(found.game)
                yield "\n" * bool(self.written) + dumps(game)
                self.written += 1

    def _annotated(self, game: Game) -> Game:
        total, what = len(game.actions), f"game {self.written + 1}"
        with self.screen.progress(what, total, hidden=not self.is_drawn) as advance:
            return annotate(
                game, self.player, catalog=self.catalog, on_move=lambda _number: advance(1)
            )


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo analyse game.pdd --seconds 5 -o analysed.pdd

{EPILOG}"""
)
@click.argument("file", metavar="FILE|-")
@click.option(
    "--player",
    "spec",
    callback=named,
    metavar="PLAYER",
    default="mcts",
    show_default=True,
    help="Who thinks about the games: a player that says what it thinks.",
)
@seconds_option
@simulations_option
@output_option
@from_option
@click.option(
    "--lang",
    type=click.Choice([*LANGUAGES]),
    default="en",
    show_default=True,
    help="The language of the comments.",
)
@force_option
def analyse(
    *,
    file: str,
    spec: Spec,
    seconds: float | None,
    simulations: int | None,
    output: str,
    source: FileFormat | None,
    lang: str,
    force: bool,
) -> None:
    """Write into games what a player thinks of them.

    After each action a comment says what it is worth to whoever acted, from -1, lost, to 1, won,
    and what is expected to follow. An action that loses 0.1 or more against the player's own
    choice gets the glyph ?!, from 0.2 it is ?, and from 0.3 ??; the comment says what would have
    been better.
    All games of FILE are written, as records.

    The exit status is 0 if all games are written, 1 if some are bad and left out, and 2 if FILE
    could not be read to its end, or OUTPUT not written.
    """
    (player,) = made((spec,), {"seconds": seconds, "simulations": simulations})
    if not isinstance(player, Analyst):
        raise click.BadParameter(f"{spec.name} does not say what it thinks", param_hint="--player")
    check_output(output, (file,), force=force)
    screen = Screen()
    is_drawn = output != "-" and screen.console.is_interactive
    with noting(late=is_drawn) as note, opened_output(output, force=force) as put:
        work = _Survey(screen, player, LANGUAGES[lang].catalog, is_drawn, note)
        for text in work.texts(file, source):
            put(text)
    if output != "-":
        done = f"{amount(work.written, 'game')} written to {printable(output)}"
        screen.line(f"{done if work.written else 'Nothing written'}, {work.left_out:,} left out.")
    raise click.exceptions.Exit(2 if work.has_unreadable else 1 if work.left_out else 0)
