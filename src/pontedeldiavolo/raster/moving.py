"""Games as pictures that move."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from typing import Final, NamedTuple, SupportsFloat, SupportsIndex

from PIL import Image, ImageChops, PngImagePlugin

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.raster.palette import CLEAR, packed
from pontedeldiavolo.raster.sheet import pixels_of
from pontedeldiavolo.raster.stage import Moment, Stage, Style
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.svg.themes import LIGHT, Theme

FORMATS: Final = {"apng": "PNG", "gif": "GIF"}
"""What the formats are called here, and by Pillow."""

SHORTEST, LONGEST = 0.02, 20
"""How long a turn can be seen, in seconds: browsers show no less, and files can say no more."""

LAST: Final = 3
"""How many times as long the end is seen."""

MOST_MILLISECONDS: Final = 65_000
"""How long turns that look the same are seen together; an APNG can say no more."""


class Frame(NamedTuple):
    """What is laid over the frame before, and for how many milliseconds that is seen."""

    image: Image.Image
    duration: int


def animation(
    game: Game,
    format: str = "apng",  # noqa: A002 - what formats are called everywhere
    *,
    seconds: float = 1.0,
    coordinates: bool = True,
    networks: bool = False,
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | None = None,
) -> bytes:
    """Return the main line of a game as a picture that moves, over and over.

    It has a frame for the start and one for each turn, with the cells of its action in brackets.
    The choice of a colour has none, and turns that look the same are one frame that is seen longer.

    Args:
        game: The game; without actions it has one frame.
        format: ``apng``, which browsers and most viewers show, or ``gif``, which all do.
        seconds: How long each turn is seen; the last one three times as long.
        coordinates: Whether to write column letters and row numbers.
        networks: Whether to tint networks and to write what each is worth.
        symmetry: How to turn or mirror the board.
        theme: The colours.
        size: The pixels of the longer side; by default 432 for a board of 10×10, 1,000 at most.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If there is no such format, *seconds* is not 0.02 to 20, *size* not 1 to 4,096,
            or too large for so many turns, or *symmetry* one of another board.
    """
    require_type(game, Game, "game")
    require_type(format, str, "format")
    if format not in FORMATS:
        raise PonteError(f"an animation is 'apng' or 'gif', not {format[:20]!a}")
    milliseconds = _milliseconds(seconds)
    moments = _moments(game)
    stage = Stage(moments, Style(coordinates, networks, symmetry, theme), pixels_of(size))
    frames = list(_frames(moments, stage, milliseconds))
    return _written(frames, FORMATS[format], packed(stage.colors))


def _milliseconds(seconds: SupportsFloat) -> int:
    # NumPy's booleans are numbers, too: none is known here but by its name.
    if type(seconds).__name__ in ("bool", "bool_") or not isinstance(seconds, SupportsFloat):
        raise TypeError(f"seconds must be a number, not {type(seconds).__name__}")
    try:
        found = float(seconds)
    except (OverflowError, ValueError):
        found = float("nan")
    if not SHORTEST <= found <= LONGEST:
        raise PonteError(f"a turn is seen for {SHORTEST} to {LONGEST} seconds, not {found}")
    return round(found * 1000)


def _moments(game: Game) -> list[Moment]:
    found = zip(game.states(), (None, *game.actions), strict=True)
    return [Moment(*each) for each in found if not isinstance(each[1], ChooseColor)]


def _frames(moments: list[Moment], stage: Stage, milliseconds: int) -> Iterator[Frame]:
    """Iterate over the frames; those of turns that look the same are one."""
    seen = laid = stage.first(moments[0])
    shown = milliseconds
    for before, now in pairwise(moments):
        after = stage.following(seen, before, now)
        if after is seen:
            shown += milliseconds
            continue
        yield Frame(laid, min(shown, MOST_MILLISECONDS))
        seen, laid, shown = after, _difference(seen, after), milliseconds
    yield Frame(laid, min(shown + (LAST - 1) * milliseconds, MOST_MILLISECONDS))


def _written(frames: list[Frame], kind: str, palette: bytes) -> bytes:
    for image, _ in frames:
        image.putpalette(palette)
    file = BytesIO()
    frames[0].image.save(
        file,
        kind,
        save_all=True,
        append_images=[image for image, _ in frames[1:]],
        duration=[duration for _, duration in frames],
        loop=0,
        transparency=CLEAR,
        blend=PngImagePlugin.Blend.OP_OVER,
        # Without it, every frame of a GIF has a palette of its own.
        palette=palette,
    )
    return file.getvalue()


def _difference(before: Image.Image, after: Image.Image) -> Image.Image:
    """Return what is to be laid over an image to get another one: clear where they agree."""
    entries = (Image.frombytes("L", each.size, each.tobytes()) for each in (before, after))
    laid = after.copy()
    laid.paste(CLEAR, mask=ImageChops.difference(*entries).point([255, *[0] * 255]))
    return laid
