"""``render``: pictures in files, of positions and of games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar, final

import click
from attrs import asdict, frozen

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.cli.console import Screen, check_output, opened_output, write_all
from pontedeldiavolo.cli.errors import Refused, printable
from pontedeldiavolo.cli.inputs import Found, loaded, named_by
from pontedeldiavolo.cli.language import amount, catalog, explained, said
from pontedeldiavolo.cli.options import (
    checked_seconds,
    completed_file,
    format_help,
    options,
    parsed_by,
)
from pontedeldiavolo.game.drawable import Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.html import replay
from pontedeldiavolo.records import Format
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import DARK, LIGHT, PRINT, Theme
from pontedeldiavolo.svg import render as render_svg

THEMES: Final = {"light": LIGHT, "dark": DARK, "print": PRINT}
MAX_PIXELS: Final = 4096
"""The longest side of a picture."""
GAME: Final = "{game}"
TURN: Final = "{turn}"
"""The placeholders for the number of a game, and of a turn, in the name of a file."""

T = TypeVar("T")


@final
@frozen
class Subject:
    """The subject of a picture.

    Attributes:
        board: One moment of it.
        last: The action that led there, if that is known.
        games: Whole games; without any, there is one moment alone.
    """

    board: Drawable
    last: Action | None = None
    games: tuple[Game, ...] = ()


def subject_of(found: Found, *more: Found) -> Subject:
    """Return the subject of a picture: of a game the end, and of several games all of them."""
    if isinstance(found, Game):
        games = (found, *(each for each in more if isinstance(each, Game)))
        return Subject(found, found.actions[-1] if found.actions else None, games)
    return Subject(found)


def moment(found: Found, turn: int) -> Subject:
    """Return a game after a turn, and after the choice of a colour that follows it.

    Raises:
        Refused: If it is no game, or has no such turn.
    """
    game = _with_turns(found)
    subject = next((each for number, each in moments(game) if number == turn), None)
    if subject is None:
        raise Refused(said("no-turn", turn=turn, first=game.start.turn, last=game.state.turn))
    return subject


def moments(found: Found) -> Iterator[tuple[int, Subject]]:
    """Iterate over the turns of a game, each with the board after it.

    Raises:
        Refused: If it is no game.
    """
    game = _with_turns(found)
    last: Action | None = None
    before = game.start
    for action, after in zip(game.actions, islice(game.states(), 1, None), strict=True):
        if after.turn != before.turn:
            yield before.turn, Subject(before, last)
            last = action
        before = after
    yield before.turn, Subject(before, last)


def _with_turns(found: Found) -> Game:
    if not isinstance(found, Game):
        raise Refused(said("no-turns"))
    return found


@final
@frozen
class Look:
    """The options of a picture."""

    theme: Theme = LIGHT
    size: int | None = None
    networks: bool = False
    targets: bool = False
    coordinates: bool = True
    seconds: float = 1.0

    def options(self, *, but: str) -> dict[str, Any]:
        """Return the options by their names, save one that a picture lacks."""
        found = asdict(self, recurse=False)
        return {name: value for name, value in found.items() if name != but}


@final
@frozen
class PictureFormat:
    """A format of pictures.

    Attributes:
        suffixes: The suffixes of its files.
        about: Its description, for help.
        draw: Returns a picture.
        holds_games: Whether one file holds several games.
    """

    suffixes: tuple[str, ...]
    about: str
    draw: Callable[[Subject, Look], str | bytes]
    holds_games: bool = False


def _draw(render_: Callable[..., T], subject: Subject, look: Look, **more: Any) -> T:
    """Return one moment as a picture."""
    return render_(subject.board, last=subject.last, **look.options(but="seconds"), **more)


def svg_of(subject: Subject, look: Look) -> str:
    """Return a picture in SVG, with a line's end."""
    return f"{_draw(render_svg, subject, look, catalog=catalog())}\n"


def _png(subject: Subject, look: Look) -> bytes:
    from pontedeldiavolo.raster import png  # noqa: PLC0415 - needs its extra

    return _draw(png, subject, look, catalog=catalog())


def _animation(name: str, subject: Subject, look: Look) -> bytes:
    if look.targets:
        raise click.UsageError(f"--targets is for one moment, and {name} shows a whole game.")
    if not subject.games:
        raise Refused(said("whole-game", name=name))
    from pontedeldiavolo.raster import animation  # noqa: PLC0415 - needs its extra

    options = look.options(but="targets")
    return animation(subject.games[0], name, **options, catalog=catalog())


def _html(subject: Subject, look: Look) -> str:
    if look != Look():
        raise click.UsageError("html follows its reader: no options on how it looks go with it.")
    if not subject.games:
        raise Refused(said("whole-game", name="html"))
    return f"{replay(subject.games, catalog=catalog())}\n"


FORMATS: Final = {
    "svg": PictureFormat((".svg",), "one moment, in SVG", svg_of),
    "png": PictureFormat((".png",), "one moment, in pixels", _png),
    "apng": PictureFormat((".apng",), "a game that moves", partial(_animation, "apng")),
    "gif": PictureFormat((".gif",), "the same, for older programs", partial(_animation, "gif")),
    "html": PictureFormat(
        (".html", ".htm"), "games as a page to go through", _html, holds_games=True
    ),
}
PICTURE_HELP: Final = format_help(
    {name: (each.suffixes, each.about) for name, each in FORMATS.items()}
)


@click.command(
    epilog=f"""\b
Examples:
  pontedeldiavolo render game.pdd -o game.gif
  pontedeldiavolo render game.sgf --turn 12 -o diagram.svg --theme print
  pontedeldiavolo render game.pdd -o 'turn-{{turn}}.png'
  pontedeldiavolo render games.jsonl -o games.html
  echo 'w . w' | pontedeldiavolo render - --format png > diagram.png

{PICTURE_HELP}"""
)
@options("what")
@click.option(
    *("--output", "-o"),
    shell_complete=completed_file,
    metavar="OUTPUT|-",
    default="-",
    help="The output file; without it, or for -, standard output. A name with {turn} or {game}"
    " makes a file for every turn or game.",
)
@click.option(
    *("--format", "kind"),
    type=click.Choice([*FORMATS]),
    callback=parsed_by(FORMATS.__getitem__),
    metavar="FORMAT",
    help="The format of the picture, if the name of OUTPUT does not show it.",
)
@options("force")
@click.option(
    "--turn",
    type=click.IntRange(0),
    metavar="N",
    help="Draw a game after this turn instead of its end; 0 is the start.",
)
@click.option(
    "--theme",
    type=click.Choice([*THEMES]),
    callback=parsed_by(THEMES.__getitem__),
    default="light",
    show_default=True,
    help="The colours.",
)
@click.option(
    "--size",
    type=click.IntRange(1, MAX_PIXELS),
    metavar="PIXELS",
    help="The length of the longer side.",
)
@click.option("--networks", is_flag=True, help="Tint networks, and write their points.")
@click.option("--targets", is_flag=True, help="Mark the legal actions of the player to move.")
@click.option(
    "--no-coordinates", "coordinates", flag_value=False, default=True, help="Write no coordinates."
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.02, 20),
    callback=checked_seconds,
    default=1.0,
    show_default=True,
    help="The time that an animation shows each turn.",
)
@options("rules")
@click.option(
    *("--game", "number"),
    type=click.IntRange(1),
    metavar="N",
    help="The number of the game in a file; by default the first, or all with html or {game}.",
)
@options("from")
def render(
    *,
    what: str | None,
    output: str,
    kind: PictureFormat | None,
    force: bool,
    turn: int | None,
    number: int | None,
    source: Format | None,
    rules: Rules,
    **look: Any,
) -> None:
    """Draw a board into a file, or a whole game as a picture that moves.

    STATE is a state's text, FILE a file with games of any format, with a state or with a diagram in
    letters, and - standard input. Of a game, the end is drawn, or the whole of it, as the format
    has it. Without any of them an empty board is drawn.

    OUTPUT is complete or not there at all. Of several files none is there before all are drawn.
    """
    suffixes = {each: each.suffixes for each in FORMATS.values()}
    kind = kind or named_by(output, suffixes, "Say what to draw: --format FORMAT")
    work = _Work(what, source, rules, number, turn, output, kind, Look(**look))
    if GAME in output or TURN in output:
        count = write_all(work.pictures(force=force), force=force)
        name, what = printable(output), amount(count, "picture")
        Screen().line(said("pictures-written", what=what, name=name))
        return
    check_output(output, work.inputs, force=force)
    [(_, content)] = work.pictures(force=force)
    with opened_output(output, force=force) as put:
        put(content)
    if output != "-":
        Screen().line(said("picture-written", name=printable(output)))


@final
@frozen
class _Work:
    """The arguments of the command."""

    what: str | None
    source: Format | None
    rules: Rules
    number: int | None
    turn: int | None
    output: str
    kind: PictureFormat
    look: Look

    @property
    def inputs(self) -> tuple[str, ...]:
        """The files that must not be written over."""
        return () if self.what is None else (self.what,)

    def pictures(self, *, force: bool) -> Iterator[tuple[str, str | bytes]]:
        """Iterate over the names of files, each with its content.

        Raises:
            Refused: If something cannot be drawn.
            Unreadable: If something cannot be read, or a file is there that must stay.
        """
        for number, found in self._found():
            try:
                for turn, subject in self._subjects(found):
                    name = self.output.replace(GAME, str(number)).replace(TURN, str(turn))
                    check_output(name, self.inputs, force=force)
                    yield name, self.kind.draw(subject, self.look)
            except (PonteError, Refused) as error:
                why = explained(error) if isinstance(error, PonteError) else error.message
                numbered = said("game-number", number=number, what=why)
                raise Refused(numbered if GAME in self.output else why) from error

    def _found(self) -> Iterator[tuple[int, tuple[Found, ...]]]:
        """Iterate over the contents of files: a game, or all of them, with a number."""
        if self.what is None:
            yield 1, (GameState.initial(self.rules),)
        elif GAME in self.output and self.number is None:
            for number, found in enumerate(loaded(self.what, None, self.source), 1):
                yield number, (found,)
        elif self.kind.holds_games and self.number is None:
            yield 1, tuple(loaded(self.what, None, self.source))
        else:
            number = self.number or 1
            yield number, (next(loaded(self.what, number, self.source)),)

    def _subjects(self, found: tuple[Found, ...]) -> Iterator[tuple[int, Subject]]:
        """Iterate over the subjects of pictures, with the turns that they show."""
        if self.turn is not None:
            yield self.turn, moment(found[0], self.turn)
        elif TURN in self.output:
            yield from moments(found[0])
        else:
            yield 0, subject_of(*found)
