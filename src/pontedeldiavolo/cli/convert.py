"""``convert`` and ``analyse``: games in another format, and with comments of a player."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NoReturn, TypeAlias

import click

from pontedeldiavolo import json
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.console import Screen, check_output, noting, opened_output
from pontedeldiavolo.cli.errors import printable
from pontedeldiavolo.cli.inputs import named_by, size_of, suffix_of
from pontedeldiavolo.cli.language import amount, catalog, explained, said
from pontedeldiavolo.cli.options import FORMAT_HELP, PLAYER, completed_file, make_players, options
from pontedeldiavolo.cli.scan import Entry, Tally, scan
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.annotator import annotate
from pontedeldiavolo.players.player import Analyst
from pontedeldiavolo.players.registry import Spec
from pontedeldiavolo.records import Format, dumps
from pontedeldiavolo.records.codec import Writer
from pontedeldiavolo.records.formats import FORMATS

TextOf: TypeAlias = Callable[[Screen, Callable[[str], None], str, Game], str | None]
"""Returns the text of a game, ``None`` to leave it out.

It gets the screen, a function that writes a line on standard error, the place of the game, and the
game.
"""


def _copy(
    inputs: tuple[str, ...],
    output: str,
    formats: tuple[Format | None, Format],
    text_of: TextOf,
    *,
    force: bool,
    shows_bar: bool,
) -> NoReturn:
    """Write all games of files that have a text, and end the command.

    Args:
        inputs: The files.
        output: The file to write, or ``-``.
        formats: The format of the files, ``None`` to detect it, and that of the output.
        text_of: Says what to write of a game.
        force: Whether to replace a file.
        shows_bar: Whether to show a progress bar of all files.
    """
    check_output(output, inputs, force=force)
    source, target = formats
    screen, tally, is_file = Screen(), Tally(), output != "-"
    with (
        noting(late=is_file and screen.console.is_interactive) as note,
        screen.progress("converting", size_of(inputs), hidden=not shows_bar) as advance,
        opened_output(output, force=force) as write,
    ):
        texts = _texts(
            (entry for _, entry in scan(inputs, source, advance)),
            partial(text_of, screen, note),
            note,
            tally,
        )
        for text in FORMATS[target].join(texts, suffix_of(output)):
            write(text)
    if is_file:
        values = {"what": amount(tally.good, "game"), "name": printable(output)}
        code = "written" if tally.good else "nothing-written"
        screen.line(said(code, **values, bad=f"{tally.bad:,}"))
    tally.exit()


def _texts(
    entries: Iterable[Entry],
    text_of: Callable[[str, Game], str | None],
    note: Callable[[str], None],
    tally: Tally,
) -> Iterator[str]:
    """Iterate over the texts of games, and note the faults."""
    for entry in entries:
        text = None
        if entry.game is None:
            note(entry.fault)
        else:
            text = text_of(entry.place, entry.game)
        tally.add(entry, is_good=text is not None)
        if text is not None:
            yield text


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo convert games.pdd -o games.jsonl
  pontedeldiavolo convert --to pdd *.sgf > games.pdd

{FORMAT_HELP}"""
)
@click.argument(
    "inputs", metavar="INPUT|-...", nargs=-1, required=True, shell_complete=completed_file
)
@options("output", "from", "to")
@click.option("--strict", is_flag=True, help="Leave out games that would lose anything.")
@options("force")
def convert(
    *,
    inputs: tuple[str, ...],
    output: str,
    source: Format | None,
    target: Format | None,
    strict: bool,
    force: bool,
) -> None:
    """Convert games from any format to another.

    All games of all inputs are written one after the other. Standard error lists data that the
    format cannot hold, and bad games, which are left out. OUTPUT is complete or not there at all.

    The exit status is 0 if all games are written, 1 if some are left out, and 2 if a file could
    not be read to its end, or not written.
    """
    suffixes = {format_: spec.suffixes for format_, spec in FORMATS.items()}
    target = target or named_by(output, suffixes, "Say what to write: --to FORMAT")
    writer = FORMATS[target].writer
    if writer is None:
        raise click.UsageError(f"Nothing is written as {target.value}: it is read only.")
    text_of = partial(_converted, target.value, writer, strict=strict)
    _copy(inputs, output, (source, target), text_of, force=force, shows_bar=output != "-")


def _converted(
    name: str,
    writer: Writer,
    _screen: Screen,
    note: Callable[[str], None],
    place: str,
    game: Game,
    *,
    strict: bool,
) -> str | None:
    """Return the text of a game, ``None`` to leave it out; report what is lost."""
    try:
        text = writer.dumps(game)
    except PonteError as error:
        note(said("unwritable", place=place, name=name, why=explained(error)))
        return None
    lost = ", ".join(writer.losses(game))
    if lost and strict:
        note(said("would-lose", place=place, name=name, lost=lost))
        return None
    if lost:
        note(said("lost", place=place, lost=lost))
    return text


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo analyse game.pdd --seconds 5 -o analysed.pdd

{FORMAT_HELP}"""
)
@options("file")
@click.option(
    "--player",
    "spec",
    **PLAYER,
    metavar="PLAYER",
    default="mcts",
    show_default=True,
    help="The player that analyses the games.",
)
@options("seconds", "simulations", "output", "json", "from", "force")
def analyse(
    *,
    file: str,
    spec: Spec,
    seconds: float | None,
    simulations: int | None,
    output: str,
    as_json: bool,
    source: Format | None,
    force: bool,
) -> None:
    """Add a player's analysis to games.

    The comment after each action has its value for the player who acted, from -1, lost, to 1, won,
    and the expected continuation. An action that loses 0.1 or more against the player's own
    choice gets the glyph ?!, from 0.2 it is ?, and from 0.3 ??; the better line is a variation.
    For programs, [%eval] has the value for the first seat. All games of FILE are written, as
    records, or as JSON with one game a line.

    The exit status is 0 if all games are written, 1 if some are bad and left out, and 2 if FILE
    could not be read to its end, or OUTPUT not written.
    """
    (player,) = make_players((spec,), seconds=seconds, simulations=simulations)
    if not isinstance(player, Analyst):
        raise click.BadParameter(f"{spec.name} does not say what it thinks", param_hint="--player")
    target, write = (Format.JSON, json.dumps) if as_json else (Format.PDD, dumps)
    text_of = partial(_annotated, player, output, write)
    _copy((file,), output, (source, target), text_of, force=force, shows_bar=False)


def _annotated(
    player: Analyst,
    output: str,
    write: Callable[[Game], str],
    screen: Screen,
    _note: Callable[[str], None],
    place: str,
    game: Game,
) -> str:
    """Return the record of a game with comments."""
    with screen.progress(place, len(game.actions), hidden=output == "-") as advance:
        annotated = annotate(game, player, catalog=catalog(), on_move=lambda _number: advance(1))
    return write(annotated)
