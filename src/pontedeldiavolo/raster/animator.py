"""Animations of games in APNG and GIF; only the part of a frame that a turn changes is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from math import isqrt
from typing import Final, SupportsFloat, SupportsIndex, cast

from attrs import evolve
from PIL import Image, ImageChops, ImageColor, PngImagePlugin

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import PonteError, real_number, reason, require_type
from pontedeldiavolo.base.messages import Catalog, require_catalog, result
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.board_view import cells_of
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import action_sentence, score_sentence, state_of_play
from pontedeldiavolo.rules.actions import BuildBridge, ChooseColor
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg.document import (
    MIN_LETTER_PIXELS,
    RenderOptions,
    checked_options,
    pixels_of,
)
from pontedeldiavolo.svg.overlays import LINE_HEIGHT, TEXT_SCALE, broken_lines
from pontedeldiavolo.svg.svgpath import CAP
from pontedeldiavolo.svg.themes import COLORS, LIGHT, Theme
from pontedeldiavolo.svg.timeline import Timeline

from . import rasterizer
from .rasterizer import Box, Rasterizer, with_coordinates

FORMATS: Final = {"apng": "PNG", "gif": "GIF"}
"""The names of the formats here and in Pillow."""

SHORTEST_SECONDS = 0.02
"""The minimum time of a turn: browsers do not show less."""
LONGEST_SECONDS = 20
"""The maximum time of a turn: files cannot represent more."""
LAST_MILLISECONDS = 4000
"""The minimum time of the last frame."""
MAX_MILLISECONDS = 65_000
"""The maximum time of any frame, a limit of APNG."""

PIXELS_PER_UNIT = 1
"""The scale of an animation without a size."""
DEFAULT_MAX_PIXELS = 1000
"""The maximum side of an animation without a size."""
MAX_PIXELS: Final = 100_000_000
"""The maximum number of pixels in all frames; each takes two bytes until the file is written."""
MIN_CAPTION_PIXELS: Final = 160
"""The longer side below which even captions of a few words to a line cannot be read."""
MAX_LETTERS: Final = 4.0
"""The maximum size of the letters of captions, as a multiple of the usual one."""
LETTER_STEP: Final = 1.1
"""The factor by which letters are enlarged until they can be read."""
SLACK: Final = 4
"""The distance that frames and soft edges extend beyond their cells, in SVG units."""
SEAM: Final = 8
"""The pixels that are drawn around a part and cut off: lines look different at an edge."""

SAMPLES: Final = 3
"""The number of frames that determine the common palette."""
CLEAR: Final = 255
"""The transparent palette entry, which shows the frame before."""
NEAR: Final = 16
"""The minimum distance of further colours from the theme's; fewer colours make files smaller."""
PALETTE_BOX: Final = 4
"""The width of the boxes in which Pillow looks up colours."""
MAX_THEME_COLORS: Final = 128
"""The maximum number of palette entries for a theme, which may have any number of tints."""

Rgb = tuple[int, ...]


def animation(
    game: Game,
    format: str = "apng",  # noqa: A002 - its public name
    *,
    seconds: float = 1.0,
    coordinates: bool | None = None,
    networks: bool = False,
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | None = None,
    catalog: Catalog | str | None = "en",
) -> bytes:
    """Return the main line of a game as an animation that repeats for ever.

    >>> pdd.raster.animation(pdd.Game.new().play("d4,g7"), "gif", size=100)[:6]
    b'GIF89a'

    Args:
        game: The game. Its start and each action have a frame; those that look alike share one.
        format: ``apng``, which browsers and most viewers show, or ``gif``, which all viewers show.
        seconds: The time for an action, from 0.02 to 20; the last one takes at least 4.
        coordinates: Whether to write column letters and row numbers; by default if they are at
            least 6 pixels high.
        networks: Whether to tint networks and to write their points.
        symmetry: A symmetry to rotate or reflect the board.
        theme: The colours.
        size: The length of the longer side in pixels, at most 4,096; by default 448 for 10×10, and
            at most 1,000.
        catalog: The language of the captions, or its code; ``None`` omits them. A caption has the
            number of the turn, the action and the points of both colours, in letters of at least 6
            pixels; animations of fewer than 160 pixels have none.

    Raises:
        PonteError: If an argument is out of range, or *size* is too large for so long a game.
    """
    require_type(game, Game, "game")
    kind = _kind(format)
    options = checked_options(
        game, coordinates=coordinates, networks=networks, symmetry=symmetry, theme=theme
    )
    known = None if catalog is None else require_catalog(catalog)
    milliseconds = _milliseconds(seconds)
    return Animator(game, options, size, known).file(kind, milliseconds)


def _kind(name: str) -> str:
    """Return Pillow's name of a format."""
    require_type(name, str, "format")
    if name not in FORMATS:
        raise PonteError(f"an animation is 'apng' or 'gif', not {name[:20]!a}")
    return FORMATS[name]


def _milliseconds(seconds: SupportsFloat) -> int:
    found = real_number(seconds, "seconds")
    if not SHORTEST_SECONDS <= found <= LONGEST_SECONDS:
        bounds = f"{SHORTEST_SECONDS} to {LONGEST_SECONDS} seconds"
        raise PonteError(f"a turn is seen for {bounds}, not {found}")
    return round(found * 1000)


def _captions(game: Game, catalog: Catalog) -> Iterator[str]:
    """Yield the captions of the start and of the states after the actions.

    A caption has the number of the turn, the action and the points of both colours; the last one
    has the result, too.
    """
    states = [*game.states()]
    said = [state_of_play(game.start, catalog)]
    color = Color.WHITE
    for before, after, action in zip(states, states[1:], game.actions, strict=False):
        color = before.to_move or color
        parts = [action_sentence(action, color, catalog)]
        if not isinstance(action, ChooseColor):
            parts.insert(0, f"{after.turn}.")
        if not after.is_over:
            white = after.score(Color.WHITE).points
            red = after.score(Color.RED).points
            parts.append(score_sentence(white, red, catalog))
        said.append(" ".join(parts))
    if game.ending is not None:
        said[-1] += f" {result(game, catalog)}"
    return iter(said)


def _plies(
    game: Game, options: RenderOptions, pixels: int, catalog: Catalog | None
) -> Iterator[RenderOptions]:
    """Yield the pictures of the start of a game and of the states after its actions.

    Captions are left out of pictures in which they could not be read.
    """
    timeline = Timeline(game.start, networks=options.networks)
    actions = (None, *game.actions)
    lines: list[list[str]] = [[] for _ in actions]
    if catalog is not None and pixels >= MIN_CAPTION_PIXELS:
        said = [*_captions(game, catalog)]
        options, lines = _legible(options, pixels, said)
    line_count = max(map(len, lines))
    for state, action, caption in zip(game.states(), actions, lines, strict=True):
        if action is not None:
            timeline.play(action)
        tinted = [each for color in (0, 1) for each in timeline.networks.living(color)]
        # All frames have the same height, so pad the caption.
        padded = [*caption, *[""] * (line_count - len(caption))]
        yield evolve(options, drawable=state, last=action, tinted=tinted, caption=padded)


def _legible(
    options: RenderOptions, pixels: int, captions: list[str]
) -> tuple[RenderOptions, list[list[str]]]:
    """Return the size of letters that can be read, and the lines of captions in this size."""
    layout = options.layout
    letters = 1.0
    while True:
        lines = [broken_lines([caption], layout, letters) for caption in captions]
        below = round(LINE_HEIGHT * letters) * max(map(len, lines))
        # Larger letters need more lines, which make the board smaller.
        units = MIN_LETTER_PIXELS * max(layout.width, layout.height + below) / pixels
        if letters * CAP * TEXT_SCALE >= units or letters >= MAX_LETTERS:
            return evolve(options, letters=letters), lines
        letters *= LETTER_STEP


class Animator:
    """The frames of a game.

    Raises:
        PonteError: If the symmetry belongs to another board, or all frames together are too large.
    """

    def __init__(
        self,
        game: Game,
        options: RenderOptions,
        size: SupportsIndex | None,
        catalog: Catalog | None = ENGLISH,
    ) -> None:
        pixels = None if size is None else pixels_of(size, rasterizer.MAX_PIXELS, "png-size")
        frames = 1 + len(game.actions)
        max_side = isqrt(MAX_PIXELS // frames)
        self._max_side: int = min(DEFAULT_MAX_PIXELS, max_side)
        options = with_coordinates(options, pixels, scale=PIXELS_PER_UNIT, max_side=self._max_side)
        if pixels is not None and pixels > max_side:
            raise PonteError(reason("animation-size", frames=frames, max=max_side, size=pixels))
        longer = max(options.layout.width, options.layout.height)
        known = min(self._max_side, PIXELS_PER_UNIT * longer) if pixels is None else pixels
        self.plies: list[RenderOptions] = [*_plies(game, options, known, catalog)]
        self._pixels = pixels
        colors = _palette(options.theme, self._samples())
        self._guide: Image.Image = _guide(colors)
        self.palette: bytes = bytes(part for color in colors for part in color)

    def file(self, kind: str, milliseconds: int) -> bytes:
        """Return the animation in a format of Pillow."""
        images, times = zip(*self.frames(milliseconds), strict=True)
        for image in images:
            image.putpalette(self.palette)
        file = BytesIO()
        images[0].save(
            file,
            kind,
            save_all=True,
            append_images=images[1:],
            duration=list(times),
            loop=0,
            transparency=CLEAR,
            blend=PngImagePlugin.Blend.OP_OVER,
            # Without this, every frame of a GIF would have a separate palette.
            palette=self.palette,
        )
        return file.getvalue()

    def frames(self, milliseconds: int) -> Iterator[tuple[Image.Image, int]]:
        """Yield images with their times, each to be laid over the previous one.

        Plies that look the same share one frame.
        """
        seen = self.whole(self.plies[0])
        laid = seen
        shown = milliseconds
        for before, now in pairwise(self.plies):
            after = self.after(seen, before, now)
            if after.tobytes() == seen.tobytes():
                shown = min(shown + milliseconds, MAX_MILLISECONDS)
                continue
            yield laid, shown
            laid = _difference(seen, after)
            seen = after
            shown = milliseconds
        yield laid, max(shown, LAST_MILLISECONDS)

    def whole(self, ply: RenderOptions) -> Image.Image:
        """Return the image of a state, drawn as a whole."""
        picture = self._picture(ply)
        return self._image(picture, picture.whole)

    def after(self, image: Image.Image, before: RenderOptions, now: RenderOptions) -> Image.Image:
        """Return the image that follows another image."""
        picture = self._picture(now)
        found = image.copy()
        # With networks, tints may change anywhere.
        boxes = [picture.whole] if now.networks else _changed(picture, before, now)
        for box in boxes:
            found.paste(self._image(picture, box), box)
        return found

    def _picture(self, ply: RenderOptions) -> Rasterizer:
        return Rasterizer(ply, self._pixels, scale=PIXELS_PER_UNIT, max_side=self._max_side)

    def _image(self, picture: Rasterizer, box: Box) -> Image.Image:
        return _drawn(picture, box).quantize(palette=self._guide, dither=Image.Dither.NONE)

    def _samples(self) -> Image.Image:
        """Return some frames side by side, which together have every kind of edge and shadow.

        On small boards, some kinds occur only in early frames.
        """
        last = len(self.plies) - 1
        places = dict.fromkeys(round(last * place / SAMPLES) for place in range(1, SAMPLES + 1))
        pictures = [self._picture(self.plies[place]) for place in places]
        _, _, width, height = pictures[0].whole
        found = Image.new("RGB", (width * len(pictures), height))
        for place, picture in enumerate(pictures):
            found.paste(_drawn(picture, picture.whole), (width * place, 0))
        return found


def _changed(picture: Rasterizer, before: RenderOptions, now: RenderOptions) -> Iterator[Box]:
    """Yield the parts of a frame that differ from the previous frame."""
    layout = now.layout
    for cells in dict.fromkeys((*_touched(before), *_touched(now))):
        left, top, right, bottom = layout.bounds(bits(cells))
        yield picture.box(left - SLACK, top - SLACK, right + SLACK, bottom + SLACK)
    _, _, right, bottom = picture.whole
    if now.caption:
        yield (0, picture.box(0, layout.height, 0, 0)[1], right, bottom)


def _touched(ply: RenderOptions) -> list[int]:
    """Return the cells of an action: each tile with its group, or both ends of a bridge."""
    pieces = cast(GameState, ply.drawable).pieces
    geometry = pieces.geometry
    cells = [1 << geometry.index(cell) for cell in cells_of(ply.last)]
    if isinstance(ply.last, BuildBridge):
        return [sum(cells)]
    white = pieces.tiles(0)
    red = pieces.tiles(1)
    return [geometry.group_around(white if white & cell else red, cell) for cell in cells]


def _drawn(picture: Rasterizer, box: Box) -> Image.Image:
    """Return a part of a picture, drawn with a seam around it."""
    left, top, right, bottom = box
    _, _, width, height = picture.whole
    x = max(left - SEAM, 0)
    y = max(top - SEAM, 0)
    around = (x, y, min(right + SEAM, width), min(bottom + SEAM, height))
    with Image.open(BytesIO(picture.png(around))) as image:
        return image.convert("RGB").crop((left - x, top - y, right - x, bottom - y))


def _difference(before: Image.Image, after: Image.Image) -> Image.Image:
    """Return an image that turns one into another if laid over it; equal pixels are transparent."""
    entries = (Image.frombytes("L", each.size, each.tobytes()) for each in (before, after))
    laid = after.copy()
    laid.paste(CLEAR, mask=ImageChops.difference(*entries).point([255, *[0] * 255]))
    return laid


def _palette(theme: Theme, picture: Image.Image) -> list[Rgb]:
    """Return the palette for all frames: 256 different colours, the last of which is not used.

    It contains the theme's colours unchanged, and colours for soft edges and shadows.
    """
    names = [*(getattr(theme, name) for name in COLORS), *theme.white_tints, *theme.red_tints]
    own = list(dict.fromkeys(map(ImageColor.getrgb, names)))[:MAX_THEME_COLORS]
    mixed = picture.quantize(CLEAR - len(own), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = mixed.getpalette() or []
    found = [tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)]
    colors = [*own, *(each for each in found if not any(_is_near(each, other) for other in own))]
    grey = [(level, level, level) for level in range(CLEAR + 1)]
    return list(dict.fromkeys([*colors, *grey]))[: CLEAR + 1]


def _guide(colors: list[Rgb]) -> Image.Image:
    """Return the image from whose palette Pillow picks the nearest colour.

    The last entry repeats the first colour, so it is never picked.

    Pillow treats all colours in a small box like the one in its corner. So colours are rounded to
    corners here, and each colour of the theme is found exactly.
    """
    image = Image.new("P", (1, 1))
    found = (*colors[:CLEAR], colors[0])
    image.putpalette([part & -PALETTE_BOX for color in found for part in color])
    return image


def _is_near(one: Rgb, other: Rgb) -> bool:
    return all(abs(a - b) < NEAR for a, b in zip(one, other, strict=True))
