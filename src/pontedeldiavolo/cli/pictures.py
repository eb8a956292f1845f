"""The formats of pictures, as the command line names them, and how each is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, final

import click
from attrs import frozen

from pontedeldiavolo.cli.failures import Refused, needing_extras
from pontedeldiavolo.game.drawable import Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.html import replay
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import DARK, LIGHT, PRINT, Theme, render

THEMES: Final = {"light": LIGHT, "dark": DARK, "print": PRINT}
"""What the themes are called."""


@final
@frozen
class Subject:
    """What is to be drawn.

    Attributes:
        scene: One moment of it.
        last: The action that led there, if that is known.
        games: Whole games; without any, there is one moment alone.
    """

    scene: Drawable
    last: Action | None = None
    games: tuple[Game, ...] = ()


def subject_of(found: GameState | Setup | Game, *more: GameState | Setup | Game) -> Subject:
    """Return what was found, for a picture; of a game, the end, and of several, all of them."""
    if isinstance(found, Game):
        games = (found, *(each for each in more if isinstance(each, Game)))
        return Subject(found, found.actions[-1] if found.actions else None, games)
    return Subject(found)


def moment(found: GameState | Setup | Game, turn: int) -> Subject:
    """Return a game after a turn, and after the choice of a colour that follows it.

    Raises:
        Refused: If it is no game, or has no such turn.
    """
    game = _with_turns(found)
    subject = next((each for number, each in moments(game) if number == turn), None)
    if subject is None:
        raise Refused(f"no turn {turn}, the game has {game.start.turn} to {game.state.turn}")
    return subject


def moments(found: GameState | Setup | Game) -> Iterator[tuple[int, Subject]]:
    """Iterate over the turns of a game, each with how it left the board.

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


def _with_turns(found: GameState | Setup | Game) -> Game:
    if not isinstance(found, Game):
        raise Refused("only a recorded game has turns: a state or a diagram is drawn as it is")
    return found


@final
@frozen
class Look:
    """How it is to be drawn."""

    theme: Theme = LIGHT
    size: int | None = None
    networks: bool = False
    targets: bool = False
    coordinates: bool = True
    seconds: float = 1.0


@final
@frozen
class PictureFormat:
    """A format, what help says about it, and what draws it."""

    name: str
    suffixes: tuple[str, ...]
    about: str
    draw: Callable[[Subject, Look], str | bytes]
    holds_games: bool = False
    """Whether one file holds several games."""


def svg_of(subject: Subject, look: Look) -> str:
    """Return a picture in SVG, with a line's end."""
    picture = render(
        subject.scene,
        last=subject.last,
        targets=look.targets,
        coordinates=look.coordinates,
        networks=look.networks,
        theme=look.theme,
        size=look.size,
    )
    return f"{picture}\n"


def _png(subject: Subject, look: Look) -> bytes:
    with needing_extras():
        from pontedeldiavolo.raster import png  # noqa: PLC0415 - needs its extra
    return png(
        subject.scene,
        last=subject.last,
        targets=look.targets,
        coordinates=look.coordinates,
        networks=look.networks,
        theme=look.theme,
        size=look.size,
    )


def _apng(subject: Subject, look: Look) -> bytes:
    return _moving(subject, look, "apng")


def _gif(subject: Subject, look: Look) -> bytes:
    return _moving(subject, look, "gif")


def _moving(subject: Subject, look: Look, name: str) -> bytes:
    if look.targets:
        raise click.UsageError(f"--targets is for one moment, and {name} shows a whole game.")
    if not subject.games:
        raise Refused(f"{name} shows a whole game, and this is one moment: take png or svg")
    with needing_extras():
        from pontedeldiavolo.raster import animation  # noqa: PLC0415 - needs its extra
    return animation(
        subject.games[0],
        name,
        seconds=look.seconds,
        coordinates=look.coordinates,
        networks=look.networks,
        theme=look.theme,
        size=look.size,
    )


def _html(subject: Subject, look: Look) -> str:
    if look != Look():
        raise click.UsageError("html follows its reader: no options on how it looks go with it.")
    if not subject.games:
        raise Refused("html shows a whole game, and this is one moment: take png or svg")
    return f"{replay(subject.games)}\n"


FORMATS: Final = (
    PictureFormat("svg", (".svg",), "one moment, in SVG", svg_of),
    PictureFormat("png", (".png",), "one moment, in pixels", _png),
    PictureFormat("apng", (".apng",), "a game that moves", _apng),
    PictureFormat("gif", (".gif",), "the same, for older programs", _gif),
    PictureFormat(
        "html", (".html", ".htm"), "games as a page to go through", _html, holds_games=True
    ),
)
"""All formats that are drawn."""

EPILOG: Final = "\n".join(
    (
        "\b",
        "Formats:",
        *(f"  {each.name:<6} {', '.join(each.suffixes):<11} {each.about}" for each in FORMATS),
    )
)
"""What help says about the formats."""
