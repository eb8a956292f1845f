"""``convert``: games from any format to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.console import Screen, check_output, noting, opened_output
from pontedeldiavolo.cli.inputs import size_of, suffix_of
from pontedeldiavolo.cli.options import (
    FORMAT_HELP,
    force_option,
    from_option,
    output_option,
    to_option,
)
from pontedeldiavolo.cli.scan import GameCopy
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records import Format
from pontedeldiavolo.records.codec import Writer
from pontedeldiavolo.records.formats import FORMATS


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo convert games.pdd -o games.jsonl
  pontedeldiavolo convert --to pdd *.sgf > games.pdd

{FORMAT_HELP}"""
)
@click.argument("inputs", metavar="INPUT|-...", nargs=-1, required=True)
@output_option
@from_option
@to_option
@click.option("--strict", is_flag=True, help="Leave out games of which anything would be lost.")
@force_option
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

    All games of all inputs are written one after the other. What is lost of a game, and which
    games are bad and left out, is said on standard error. OUTPUT is complete or not there at all.

    The exit status is 0 if all games are written, 1 if some are left out, and 2 if a file could
    not be read to its end, or not written.
    """
    target = target or _format_of(output)
    writer = FORMATS[target].writer
    if writer is None:
        raise click.UsageError(f"Nothing is written as {target.value}: it is read only.")
    check_output(output, inputs, force=force)

    screen = Screen()
    is_drawn = output != "-" and screen.console.is_interactive
    with (
        noting(late=is_drawn) as note,
        screen.progress("converting", size_of(inputs), hidden=not is_drawn) as advance,
        opened_output(output, force=force) as write,
    ):
        copy = GameCopy(output, partial(_text_of, target.value, writer, note, strict=strict), note)
        for text in FORMATS[target].join(copy.texts(inputs, source, advance), suffix_of(output)):
            write(text)
    copy.exit(screen)


def _text_of(
    name: str,
    writer: Writer,
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
        note(f"{place}: cannot be written as {name}: {error}")
        return None
    lost = ", ".join(writer.losses(game))
    if lost and strict:
        note(f"{place}: left out: {name} would lose {lost}")
        return None
    if lost:
        note(f"{place}: lost: {lost}")
    return text


def _format_of(output: str) -> Format:
    """Return the format that the name of a file tells."""
    suffix = suffix_of(output)
    for format_, spec in FORMATS.items():
        if suffix in spec.suffixes:
            return format_
    raise click.UsageError("Say what to write: --to FORMAT, or -o with a suffix that tells.")
