"""``render``: draw positions and games into files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import click
from attrs import frozen

from pontedeldiavolo.base.errors import PonteError, printable
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.html import replay
from pontedeldiavolo.records import Format
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import DARK, LIGHT, PRINT
from pontedeldiavolo.svg import render as render_svg

from .arguments import Loaded, choice_of, format_help, loaded, named_by, options, seconds, whole
from .console import Screen, check_output, opened_output, write_all
from .messages import Refused, catalog, explained, message

THEMES: Final = {"light": LIGHT, "dark": DARK, "print": PRINT}
GAME = "{game}"
TURN = "{turn}"
"""The placeholders for the number of a game, and of a turn, in the name of a file."""

T = TypeVar("T")


PLAIN: Final[dict[str, Any]] = {
    "theme": LIGHT,
    "size": None,
    "coordinates": None,
    "seconds": 1.0,
    "networks": False,
    "targets": False,
}
"""The options of a picture by name, with their defaults."""


@frozen
class Subject:
    """The subject of a picture.

    Attributes:
        board: The board at one moment.
        last: The action that led there, if known.
        games: Whole games; empty if there is only one moment.
    """

    board: Drawable
    last: Action | None = None
    games: tuple[Game, ...] = ()


def subject_of(found: Loaded, *more: Loaded) -> Subject:
    """Return the subject of a picture, with the final board of a game, and all games."""
    games = tuple(each for each in (found, *more) if isinstance(each, Game))
    return Subject(found, next(reversed(games[0].actions), None) if games else None, games)


def moments(found: Loaded) -> dict[int, Subject]:
    """Return the turns of a game, each with the board after it.

    Raises:
        Refused: If it is not a game.
    """
    if not isinstance(found, Game):
        raise Refused(message("no-turns"))
    subjects: dict[int, Subject] = {}
    for state, action in zip(found.states(), (None, *found.actions), strict=True):
        # The colour choice belongs to the turn before it, whose action remains the last.
        last = subjects[state.turn].last if state.turn in subjects else action
        subjects[state.turn] = Subject(state, last)
    return subjects


@frozen(eq=False)
class PictureFormat:
    """A format of pictures.

    Attributes:
        suffixes: The suffixes of its files.
        about: Its description, for help.
        draw: Returns a picture, given its options and subject.
    """

    suffixes: tuple[str, ...]
    about: str
    draw: Callable[[dict[str, Any], Subject], str | bytes]


def _still(draw: Callable[..., T], look: dict[str, Any], subject: Subject) -> T:
    """Return one moment as a picture."""
    options = {name: value for name, value in look.items() if name != "seconds"}
    return draw(subject.board, last=subject.last, catalog=catalog(), **options)


def svg_of(look: dict[str, Any], subject: Subject) -> str:
    """Return a picture in SVG, ending with a line feed."""
    return f"{_still(render_svg, look, subject)}\n"


def _png(look: dict[str, Any], subject: Subject) -> bytes:
    from pontedeldiavolo.raster import png  # noqa: PLC0415 - needs its extra

    return _still(png, look, subject)


def _animation(name: str, look: dict[str, Any], subject: Subject) -> bytes:
    options = {**look}
    if options.pop("targets"):
        raise click.UsageError(f"--targets is for one moment, and {name} shows a whole game.")
    game = _games(name, subject)[0]
    from pontedeldiavolo.raster import animation  # noqa: PLC0415 - needs its extra

    return animation(game, name, **options, catalog=catalog())


def _html(look: dict[str, Any], subject: Subject) -> str:
    if look != PLAIN:
        raise click.UsageError("html follows its reader: no options on how it looks go with it.")
    return f"{replay(_games('html', subject), catalog=catalog())}\n"


def _games(name: str, subject: Subject) -> tuple[Game, ...]:
    """Return the games of a subject, for a format that shows whole games."""
    if not subject.games:
        raise Refused(message("whole-game", name=name))
    return subject.games


FORMATS: Final = {
    "svg": PictureFormat((".svg",), "one moment, in SVG", svg_of),
    "png": PictureFormat((".png",), "one moment, in pixels", _png),
    "apng": PictureFormat((".apng",), "a game as an animation", partial(_animation, "apng")),
    "gif": PictureFormat((".gif",), "the same, for older programs", partial(_animation, "gif")),
    "html": PictureFormat((".html", ".htm"), "games as a page for replaying them", _html),
}
HELP: Final = format_help((name, each.suffixes, each.about) for name, each in FORMATS.items())


@click.command(epilog=HELP)
@options("what", "output")
@click.option(
    "--format",
    "kind",
    **choice_of(FORMATS, metavar="FORMAT"),
    help="The format of the picture; by default the name of OUTPUT decides.",
)
@options("force")
@whole("--turn", 0, None, "Draw a game after this turn instead of its end; 0 is the start.")
@click.option("--theme", **choice_of(THEMES), default="light", help="The colours.")
@whole("--size", 1, 4096, "The length of the longer side.", metavar="PIXELS")
@click.option("--networks", is_flag=True, help="Tint networks, and write their points.")
@click.option("--targets", is_flag=True, help="Mark the legal actions of the player to move.")
@click.option("--no-coordinates", is_flag=True, help="Leave out the coordinates.")
@seconds("--seconds", 0.02, "The time that an animation shows each turn.", 20, default=1.0)
@options("rules")
@whole(
    "--game",
    1,
    None,
    "The number of the game in a file; by default the first, or all with html or {game}.",
    "number",
)
@options("from")
def render(
    *, what: str | None, output: str, turn: int | None, rules: Rules, force: bool, **look: Any
) -> None:
    """Draw a board, or a whole game as an animation or a page.

    STATE is the text of a state. FILE contains games in any format, a state, or a diagram in
    letters; - is standard input. Of a game, the final board or the whole game is drawn, depending
    on the format. Without an argument, an empty board is drawn.

    If the name of OUTPUT contains {turn} or {game}, there is a file for every turn or game. Files
    are written completely or not at all, and several files appear when all of them are drawn.

    Examples:
      pontedeldiavolo render game.pdd -o game.gif
      pontedeldiavolo render game.sgf --turn 12 -o diagram.svg --theme print
      pontedeldiavolo render game.pdd -o 'turn-{turn}.png'
      pontedeldiavolo render games.jsonl -o games.html
      echo 'w . w' | pontedeldiavolo render - --format png > diagram.png
    """
    kind = look.pop("kind")
    if kind is None:
        kind = FORMATS[named_by(output, FORMATS, "draw", "--format")]
    number = look.pop("number")
    source = look.pop("source")
    look["coordinates"] = False if look.pop("no_coordinates") else None
    found: Iterable[_Numbered] = [(1, (GameState.initial(rules),))]
    if what is not None:
        found = _loaded(what, number, source, has_all=kind.draw is _html, has_each=GAME in output)
    check = partial(check_output, inputs=() if what is None else (what,), force=force)
    _write(_pictures(found, output, turn, partial(kind.draw, look), check), output, force=force)


def _write(pictures: Iterator[tuple[str, str | bytes]], output: str, *, force: bool) -> None:
    screen = Screen()
    with screen.waiting(message("drawing"), beside_data=output == "-"):
        if output == "-":
            with opened_output(output, force=force) as put:
                put(next(pictures)[1])
            return
        count = write_all(pictures, force=force)
    code = "pictures-written" if GAME in output or TURN in output else "picture-written"
    screen.line(message(code, what=message("picture", count=count), name=printable(output)))


_Numbered: TypeAlias = tuple[int, tuple[Loaded, ...]]
"""The number of a game in its file, and the contents of a picture."""


def _loaded(
    what: str, number: int | None, source: Format | None, *, has_all: bool, has_each: bool
) -> Iterator[_Numbered]:
    """Iterate over the contents of pictures: one game, each game in turn, or all at once."""
    if number is None and has_each:
        for count, found in enumerate(loaded(what, None, source), 1):
            yield count, (found,)
    elif number is None and has_all:
        yield 1, tuple(loaded(what, None, source))
    else:
        yield number or 1, (next(loaded(what, number or 1, source)),)


def _pictures(
    numbered: Iterable[_Numbered],
    output: str,
    turn: int | None,
    draw: Callable[[Subject], str | bytes],
    check: Callable[[str], None],
) -> Iterator[tuple[str, str | bytes]]:
    """Iterate over the names of files, each with its content.

    Raises:
        Refused: If something cannot be drawn.
        Unreadable: If something cannot be read, or a file must not be overwritten.
    """
    for number, found in numbered:
        try:
            for shown, subject in _subjects(found, turn, is_every=TURN in output):
                name = output.replace(GAME, str(number)).replace(TURN, str(shown))
                check(name)
                yield name, draw(subject)
        except (PonteError, Refused) as error:
            why = explained(error) if isinstance(error, PonteError) else error.message
            numbered_why = message("game-number", number=number, what=why)
            raise Refused(numbered_why if GAME in output else why) from error


def _subjects(
    found: tuple[Loaded, ...], turn: int | None, *, is_every: bool
) -> Iterable[tuple[int, Subject]]:
    """Return the subjects of pictures, with their turns."""
    if turn is None and not is_every:
        return [(0, subject_of(*found))]
    subjects = moments(found[0])
    if turn is None:
        return subjects.items()
    if turn not in subjects:
        raise Refused(message("no-turn", turn=turn, first=min(subjects), last=max(subjects)))
    return [(turn, subjects[turn])]
