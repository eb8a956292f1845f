"""``convert`` and ``analyse``: write games in another format, or with a player's analysis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import click

from pontedeldiavolo import json
from pontedeldiavolo.base.errors import PonteError, printable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.annotator import annotate
from pontedeldiavolo.players.player import Analyst
from pontedeldiavolo.players.registry import Spec
from pontedeldiavolo.records import Format, dumps
from pontedeldiavolo.records.formats import FORMATS

from .arguments import FORMAT_HELP, PLAYER, make_players, named_by, options, size_of, suffix_of
from .console import Screen, check_output, error_lines, opened_output
from .messages import catalog, explained, in_language, message
from .scan import Verdict, scan


def _copy(
    screen: Screen,
    inputs: tuple[str, ...],
    output: str,
    target: Format,
    text_of: Callable[[str, Game], tuple[str | None, str]],
    *,
    source: Format | None,
    force: bool,
    shows_bar: bool,
) -> NoReturn:
    """Write the texts of all games in files, and end the command.

    *text_of* returns, for the place of a game and the game, a text (``None`` to leave it out) and a
    line for standard error ("" for none). If *source* is ``None``, the format is detected.
    """
    check_output(output, inputs, force=force)
    counts = Counter[Verdict]()
    is_file = output != "-"
    # On a terminal that shows the games, a progress bar would get in the way.
    shows_bar = shows_bar and (is_file or not screen.console.is_terminal)
    has_bar = shows_bar and screen.has_bar(beside_data=not is_file)

    def texts() -> Iterator[str]:
        for _, entry in scan(inputs, source, advance):
            text, remark = text_of(entry.place, entry.game) if entry.game else (None, entry.fault)
            if remark:
                note(remark)
            counts[max(entry.verdict, Verdict.BAD if text is None else Verdict.GOOD)] += 1
            if text is not None:
                yield text

    with (
        error_lines(late=has_bar) as note,
        screen.progress(
            message("converting"), size_of(inputs), hidden=not shows_bar, beside_data=not is_file
        ) as advance,
        opened_output(output, force=force) as write,
    ):
        for text in FORMATS[target].join(texts(), suffix_of(output)):
            write(text)
    if is_file:
        good = counts[Verdict.GOOD]
        bad = in_language(f"{counts[Verdict.BAD]:,}")
        code = "written" if good else "nothing-written"
        screen.line(
            message(code, what=message("game", count=good), name=printable(output), bad=bad)
        )
    raise click.exceptions.Exit(max(counts))


@click.command(epilog=FORMAT_HELP)
@options("files", "output", "from", "to")
@click.option("--strict", is_flag=True, help="Leave out games that would lose anything.")
@options("force")
def convert(
    *, files: tuple[str, ...], output: str, target: Format | None, strict: bool, **copying: Any
) -> None:
    """Convert games from any format to another.

    All games of all files are written one after the other. Standard error lists data that the
    format cannot hold, and bad games, which are left out. OUTPUT is written completely or not at
    all.

    The exit status is 0 if all games are written, 1 if some are left out, and 2 if a file could
    not be read to its end, or not written.

    Examples:
      pontedeldiavolo convert games.pdd -o games.jsonl
      pontedeldiavolo convert --to pdd *.sgf > games.pdd
    """
    target = target or named_by(output, FORMATS, "write", "--to")
    dumps_game = FORMATS[target].dumps
    if dumps_game is None:
        raise click.UsageError(f"Nothing is written as {target.value}: it is read only.")

    def text_of(place: str, game: Game) -> tuple[str | None, str]:
        try:
            text = dumps_game(game)
        except PonteError as error:
            return None, message("unwritable", place=place, name=target.value, why=explained(error))
        lost = ", ".join(FORMATS[target].unsupported(game))
        if lost and strict:
            return None, message("would-lose", place=place, name=target.value, lost=lost)
        return text, message("lost", place=place, lost=lost) if lost else ""

    _copy(Screen(), files, output, target, text_of, shows_bar=True, **copying)


@click.command(epilog=FORMAT_HELP)
@options("file")
@click.option("--player", **PLAYER, default="mcts", help="The player that analyses the games.")
@options("seconds", "simulations", "output", "json", "from", "force")
def analyse(*, file: str, player: Spec, output: str, as_json: bool, **settings: Any) -> None:
    """Add a player's analysis to games.

    The comment after each action has its value for player 1, from -1, lost, to 1, won,
    and the expected continuation. An action that loses 0.2 or more against the player's own
    choice is marked ?!, from 0.4 ?, and from 0.6 ??; the better line is a variation.
    For programs, [%eval] has the value for the first seat. All games of FILE are written, as
    records, or as JSON with one game per line.

    The exit status is 0 if all games are written, 1 if some are bad and left out, and 2 if FILE
    could not be read to its end, or OUTPUT not written.

    Examples:
      pontedeldiavolo analyse game.pdd --seconds 5 -o analysed.pdd
    """
    limits = {name: settings.pop(name) for name in ("seconds", "simulations")}
    (analyst,) = make_players((player,), **limits)
    if not isinstance(analyst, Analyst):
        problem = f"{player.name} does not say what it thinks"
        raise click.BadParameter(problem, param_hint="--player")
    target, write = (Format.JSON, json.dumps) if as_json else (Format.PDD, dumps)
    screen = Screen()

    def text_of(place: str, game: Game) -> tuple[str, str]:
        # The bar of a game is gone before its record is written.
        with screen.progress(place, len(game.actions), beside_data=output == "-") as advance:
            found = annotate(game, analyst, catalog=catalog(), on_move=lambda _number: advance(1))
        return write(found), ""

    _copy(screen, (file,), output, target, text_of, shows_bar=False, **settings)
