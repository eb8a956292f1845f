"""Boards in PNG and games in APNG and GIF: their visible pixels and durations."""

from __future__ import annotations

import re
from fractions import Fraction
from io import BytesIO
from itertools import groupby, pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFilter, ImageStat

import pontedeldiavolo as pdd
from pontedeldiavolo import raster, svg
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.raster import animator, rasterizer
from pontedeldiavolo.svg.document import RenderOptions
from pontedeldiavolo.svg.document import draw as draw_picture
from pontedeldiavolo.svg.svgpath import CAP
from pontedeldiavolo.testing.strategies import setups, states
from support.diagrams import act, cells, draw, state_of
from support.games import random_game
from support.pictures import FAULTY, example_game, example_state, parse, parts
from support.pixels import Places, frames_of, opened, rgb
from support.strategies import Player, games, play_out, share

THEMES = (svg.LIGHT, svg.DARK, svg.PRINT)
BRIDGED = draw("""
    5 w w . w .
    4 w w . . .
    3 . . . . r
    2 . r . r .
    1 . . . . r
    bridges b5-d5
""")
SIZES = [(1, 1), (1, 9), (9, 1), (2, 64), (64, 64)]


def empty(width: int, height: int) -> pdd.Position:
    return pdd.Position.from_pieces(pdd.Board(width, height))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [None, 300, 777])
def test_every_cell_has_its_colour(theme: svg.Theme, size: int | None) -> None:
    seen = Places(opened(raster.png(BRIDGED, theme=theme, size=size)), BRIDGED.board)
    assert seen.at("a1") == rgb(theme.water)
    # White's tiles are plain, and red's have a frame.
    assert seen.at("a4") == rgb(theme.white)
    assert seen.at("b2") == seen.at("b2", -12.5) == rgb(theme.red)
    assert seen.at("b2", -10) == rgb(theme.inlay)
    assert seen.at("b2", 16.5) == rgb(theme.red_shoal)
    # The gaps between the tiles of an island have the colour of land.
    assert seen.at("a5", 20) == rgb(theme.white_land)
    # The bridge covers the blocked cell; its deck is visible between the planks.
    assert rgb(theme.bridge) in {seen.at("c5", right, -12) for right in range(-4, 4)}
    assert seen.at("c5", -9, 18) == rgb(theme.blocked)


# In the theme for paper, bridges are as white as tiles.
@given(states(), st.sampled_from([svg.LIGHT, svg.DARK]))
@share(0.1)
def test_tiles_are_read_back(state: pdd.GameState, theme: svg.Theme) -> None:
    board = state.rules.board
    size = max(board.width, board.height) * 20 + 16
    image = opened(raster.png(state, theme=theme, size=size, coordinates=True))
    assert Places(image, board).shows(state.position, theme)


def test_no_fonts_are_needed_for_coordinates() -> None:
    image = opened(raster.png(BRIDGED, size=464))
    letters = image.crop((52, 416, 452, 464))
    numbers = image.crop((0, 12, 48, 412))
    for margin in (letters, numbers):
        seen = {color for _, color in margin.getcolors(1 << 16) or []}
        assert rgb(svg.LIGHT.text) in seen
    bare = opened(raster.png(BRIDGED, coordinates=False))
    assert bare.size == (424, 424)
    assert Places(bare, BRIDGED.board, coordinates=False).at("a4") == rgb(svg.LIGHT.white)


def test_marked_cells_are_visible() -> None:
    last = rgb(svg.LIGHT.last)
    ring = rgb(svg.LIGHT.highlight)

    def colors(**options: Any) -> set[Any]:
        return {color for _, color in opened(raster.png(BRIDGED, **options)).getcolors(9999) or []}

    assert not {last, ring} & colors()
    assert last in colors(last=act("a4,b4"))
    assert ring in colors(highlights=cells("e5"))
    start, end = cells("a1 e5")
    arrow = svg.Arrow(start, end, "#00ff00")
    assert (0, 255, 0) in colors(arrows=[arrow])
    assert rgb(svg.LIGHT.heat) in colors(heat={cells("a1")[0]: 1})
    assert rgb(svg.LIGHT.white_tints[0]) in colors(networks=True)
    target = rgb(svg.LIGHT.target)
    half = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
    seen = Places(opened(raster.png(half, targets=True)), half.rules.board)
    marked = [cell for cell in half.rules.board.cells if seen.at(cell) == target]
    assert marked == [*half.second_tiles] != []


def test_a_board_is_turned() -> None:
    turn = BRIDGED.board.symmetries[3]
    image = opened(raster.png(BRIDGED, symmetry=turn, coordinates=False))
    seen = Places(image, BRIDGED.board, coordinates=False)
    there = dict(seen.tiles(svg.LIGHT))
    assert there == {
        pdd.Cell(*turn.point(cell.column, cell.row)): BRIDGED.color_at(cell)
        for cell in BRIDGED.board.cells
    }


def test_every_drawable_is_drawn() -> None:
    half = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
    for drawable in (example_state(), half, BRIDGED, BRIDGED.setup(), FAULTY, example_game()):
        data = raster.png(drawable, size=200)
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert max(opened(data).size) == 200
    seen = Places(opened(raster.png(example_game())), pdd.Board(4, 3))
    # The picture shows the end of the game, without parts that were visible only before.
    assert seen.shows(example_game().state.position)


@given(setups(), st.integers(1, 50))
@share(0.2)
def test_set_ups_with_faults_of_every_kind(setup: pdd.Setup, size: int) -> None:
    assert max(opened(raster.png(setup, size=size)).size) == size


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("size", [1, 2, 99, 640])
def test_the_longer_side_has_the_size_exactly(width: int, height: int, size: int) -> None:
    data = raster.png(empty(width, height), size=size, coordinates=False)
    image = opened(data)
    wide = 12 + 40 * width
    high = 12 + 40 * height
    longer = max(wide, high)
    assert image.size == (max(1, round(size * wide / longer)), max(1, round(size * high / longer)))
    assert max(image.size) == size
    with Image.open(BytesIO(data)) as whole:
        # If the sides are no whole pixels, the edge is not transparent.
        assert whole.getchannel("A").getextrema() == (255, 255)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_boards_of_every_shape(width: int, height: int, theme: svg.Theme) -> None:
    drawable = empty(width, height)
    image = opened(raster.png(drawable, theme=theme, size=640, coordinates=True))
    seen = Places(image, drawable.board)
    assert {seen.at(cell) for cell in drawable.board.cells} == {rgb(theme.water)}
    # The background reaches the edge.
    right = image.width - 1
    below = image.height - 1
    edges = {image.getpixel(at) for at in ((0, 0), (right, 0), (0, below), (right, below))}
    assert edges == {rgb(theme.paper)}


def test_a_usual_board_has_a_usual_size() -> None:
    assert opened(raster.png(pdd.GameState.initial())).size == (864, 864)
    assert opened(raster.png(empty(1, 1))).size == (144, 144)
    assert opened(raster.png(empty(64, 64))).size == (4096, 4096)


def test_a_picture_has_one_size_or_two() -> None:
    for size in ((100,), (100, 200, 300)):
        with pytest.raises(
            pdd.PonteError, match=f"size must be one number or two, not {len(size)}"
        ):
            raster.png(BRIDGED, size=size)  # type: ignore[arg-type]  # the point of the test


@pytest.mark.parametrize("size", [(1200, 630), (40, 900)])
@pytest.mark.parametrize("drawable", [empty(3, 2), empty(2, 9), FAULTY])
def test_a_picture_can_be_centred_on_paper(drawable: Drawable, size: tuple[int, int]) -> None:
    image = opened(raster.png(drawable, size=size, theme=svg.DARK, coordinates=True))
    assert image.size == size
    tight = opened(raster.png(drawable, size=max(size), theme=svg.DARK, coordinates=True))
    scale = min(size[0] / tight.width, size[1] / tight.height)
    left, top = ((side - scale * part) / 2 for side, part in zip(size, tight.size, strict=True))
    drawn = ImageChops.difference(image, Image.new("RGB", size, svg.DARK.paper)).getbbox()
    assert drawn is not None
    assert left - 1 <= drawn[0] < drawn[2] <= size[0] - left + 1
    assert top - 1 <= drawn[1] < drawn[3] <= size[1] - top + 1


@pytest.mark.parametrize("size", [0, -1, 4097, 100_000, 10**50, (0, 9), (9, 4097)])
def test_sizes_have_bounds(size: Any) -> None:
    with pytest.raises(pdd.PonteError, match=r"has a size of 1 to 4,096, not -?[\d,]+$"):
        raster.png(BRIDGED, size=size)


# Animations

FORMATS = ("apng", "gif")
PLAIN = svg.Theme(white_tints=svg.LIGHT.white_tints[:1], red_tints=svg.LIGHT.red_tints[:1])
"""A theme in which the tints of networks do not depend on earlier turns."""
SMALL = pdd.Rules(pdd.Board(4, 3))


def shown(game: pdd.Game) -> list[tuple[pdd.GameState, pdd.Action | None]]:
    """Return the states of all frames, each with its last action."""
    return [*zip(game.states(), (None, *game.actions), strict=True)]


def pictures_of(game: pdd.Game, **look: Any) -> list[Image.Image]:
    """Return the pictures of all states, without those that equal the previous picture."""
    found = [opened(raster.png(state, last=action, **look)) for state, action in shown(game)]
    return [next(same) for _, same in groupby(found, key=Image.Image.tobytes)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", FORMATS)
def test_every_turn_has_a_frame(name: str, theme: svg.Theme) -> None:
    game = example_game()
    frames = frames_of(raster.animation(game, name, theme=theme, size=372))
    assert len(frames) == len(shown(game)) == len(game.actions) + 1
    for (image, _), (state, action) in zip(frames, shown(game), strict=True):
        board = state.rules.board
        seen = Places(image, board)
        assert seen.shows(state.position, theme)
        cells = {action.a, action.b} if isinstance(action, pdd.PlaceTiles | pdd.BuildBridge) else {}
        # Where frames are.
        marked = {cell for cell in board.cells if seen.at(cell, -18, 2) == rgb(theme.last)}
        assert marked == {*cells}
    end = Places(frames[-1][0], game.rules.board)
    assert rgb(theme.bridge) in {end.at("c1", right, -12) for right in range(-4, 4)}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_frames_are_the_pictures_of_their_turns(name: str) -> None:
    game = random_game("6x6 tiles=unlimited bridges=unlimited tiebreaks=none", seed=2)
    for networks in (False, True):
        look: dict[str, Any] = {"size": 272, "networks": networks, "theme": PLAIN}
        frames = frames_of(raster.animation(game, name, **look, catalog=None))
        for (image, _), whole in zip(frames, pictures_of(game, **look), strict=True):
            difference = ImageChops.difference(image, whole)
            # A palette has fewer colours, but a misplaced line makes a greater difference.
            assert max(ImageStat.Stat(difference).mean) < 1.5
            assert max(high for _, high in ImageStat.Stat(difference).extrema) < 80


@given(games(), st.data())
@share(0.05)
def test_what_turns_do_not_change_need_not_be_drawn(game: pdd.Game, data: st.DataObject) -> None:
    turn = data.draw(st.sampled_from(game.rules.board.symmetries))
    options = RenderOptions(game, coordinates=data.draw(st.booleans()), symmetry=turn)
    here = animator.Animator(game, options, 200)
    image = here.whole(here.plies[0])
    for before, now in pairwise(here.plies):
        image = here.after(image, before, now)
        # The colour of a soft edge, one pixel wide, may be either of two similar ones. Missing or
        # superfluous parts are wider.
        difference = ImageChops.difference(image.convert("RGB"), here.whole(now).convert("RGB"))
        wide = difference.convert("L").filter(ImageFilter.MinFilter(3))
        assert ImageStat.Stat(wide).extrema[0][1] < 30


@pytest.mark.parametrize("board", [(1, 1), (2, 1), (1, 3), (2, 2), (3, 3)])
@pytest.mark.parametrize("size", [None, 48, 333])
def test_tiny_boards_look_the_same_in_every_frame(board: tuple[int, int], size: int | None) -> None:
    rules = f"{board[0]}x{board[1]} tiles=unlimited bridges=unlimited tiebreaks=none"
    game = random_game(rules, seed=1)
    frames = frames_of(raster.animation(game, size=size, catalog=None))
    pictures = pictures_of(game, size=max(frames[0][0].size))
    for (image, _), picture in zip(frames, pictures, strict=True):
        darker = ImageChops.subtract(picture, image)
        assert max(high for _, high in ImageStat.Stat(darker).extrema) < 45


def test_colours_do_not_flicker() -> None:
    game = random_game(seed=4)
    for name in FORMATS:
        data = raster.animation(game, name)
        frames = [image for image, _ in frames_of(data)]
        seen = {color for image in frames for _, color in image.getcolors(1 << 16) or []}
        assert len(seen) <= 256
        with Image.open(BytesIO(data)) as image:
            # The animation repeats for ever.
            assert image.info["loop"] == 0
            assert image.format == ("PNG" if name == "apng" else "GIF")
        empty = {Places(image, game.rules.board).at("a1", -19, -19) for image in frames[:3]}
        assert len(empty) == 1
    # The frames of a GIF have no palettes of their own.
    assert raster.animation(game, "gif").count(bytes(rgb(svg.LIGHT.water))) == 1


def test_networks_keep_their_tints() -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    game = play_out(rules, Player(Random(4), builder=True, settler=True))
    picture = parse(svg.render(game, networks=True))
    frames = frames_of(raster.animation(game, networks=True, size=250))
    tints = {rgb(each): each for each in (*svg.LIGHT.white_tints, *svg.LIGHT.red_tints)}
    seen = 0
    for (image, _), (state, _) in zip(frames, shown(game), strict=True):
        there = {
            each.attrib["stroke"]
            for each in parts(picture, "network")
            if int(each.attrib["data-from"]) <= state.turn < int(each.get("data-until", "99"))
        }
        found = image.convert("RGB").getcolors(image.width * image.height) or []
        assert {tints[color] for _, color in found if color in tints} == there
        seen = max(seen, len(there))
    assert seen > 1


def test_themes_with_many_tints() -> None:
    tints = tuple(f"#{number:06x}" for number in range(0, 0x1000000, 0xABCD))
    theme = svg.Theme(white_tints=tints)
    frames = frames_of(raster.animation(example_game(), "gif", theme=theme))
    assert Places(frames[-1][0], pdd.Board(4, 3)).at("a1") == rgb(theme.water)


def test_a_game_that_goes_on_from_elsewhere() -> None:
    start = state_of("3 w w . w\n2 . . . .\n1 . . r r")
    game = pdd.Game.new(start=start).play("b3-d3").play("a1,b1")
    frames = [image for image, _ in frames_of(raster.animation(game))]
    assert len(frames) == 3
    beneath = [Places(image, start.rules.board).at("c3", -9, 18) for image in frames]
    assert beneath == [rgb(svg.LIGHT.water), rgb(svg.LIGHT.blocked), rgb(svg.LIGHT.blocked)]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("seconds", [0.02, 0.5, 1, Fraction(3, 2), 20])
def test_the_last_frame_takes_longer(name: str, seconds: Any) -> None:
    game = example_game()
    frames = frames_of(raster.animation(game, name, seconds=seconds, size=50))
    turn = float(seconds) * 1000
    assert [time for _, time in frames] == [turn] * (len(frames) - 1) + [max(turn, 4000)]


@pytest.mark.parametrize("name", FORMATS)
def test_a_game_without_actions_has_one_frame(name: str) -> None:
    data = raster.animation(pdd.Game.new(SMALL), name, size=93)
    ((frame, _),) = frames_of(data)
    assert frame.width == 93
    assert Places(frame, SMALL.board).at("b2") == rgb(svg.LIGHT.water)


def test_captions_are_below_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def noted(options: RenderOptions) -> svg.Svg:
        drawn.append(" ".join(options.caption or ()).strip())
        return draw_picture(options)

    monkeypatch.setattr(rasterizer, "draw", noted)
    game = example_game()
    frames = frames_of(raster.animation(game, size=400))
    plain = frames_of(raster.animation(game, size=400, catalog=None))
    assert {image.size for image, _ in frames} == {(400, 383)}
    assert {image.size for image, _ in plain} == {(400, 317)}
    assert {*drawn} >= {
        "Player 1 opens the game with two white tiles.",
        "Player 2 chose red. White 0, red 0.",
        f"{game.state.turn}. Red built a bridge from b1 to d1. White wins by points, 1 to 0.",
        "",
    }
    drawn.clear()
    raster.animation(game, size=400, catalog="de")
    assert drawn[-1].endswith("Weiß gewinnt nach Punkten, 1 zu 0.")
    # A game that has not ended has no result; one that was resigned has points and a result.
    opened = pdd.Game.new(SMALL).play("a1,b1")
    raster.animation(opened, size=200)
    assert drawn[-1] == "1. White placed tiles on a1 and b1. White 0, red 0."
    raster.animation(opened.resign(pdd.Seat.FIRST), size=200)
    assert drawn[-1].endswith("White 0, red 0. Player 2 wins by resignation.")
    raster.animation(opened, size=159)
    assert drawn[-1] == ""


@pytest.mark.parametrize("size", [160, 200, 249, 320])
@pytest.mark.parametrize("lang", ["en", "de"])
def test_letters_of_captions_can_be_read(
    size: int, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights = set[float]()

    def noted(options: RenderOptions) -> svg.Svg:
        drawn = draw_picture(options)
        found = re.search(
            'viewBox="0 0 ([0-9]+) ([0-9]+)".*class="note".*?scale.(.*?)[)]', drawn.text
        )
        if any(options.caption or ()) and found is not None:
            wide, high, scale = map(float, found.groups())
            heights.add(CAP * scale * size / max(wide, high))
        return drawn

    monkeypatch.setattr(rasterizer, "draw", noted)
    game = pdd.Game.from_actions(None, ["d4,g7", "white", "a1,b1", "c4,c5"])
    raster.animation(game, "gif", size=size, catalog=lang)
    assert heights
    assert min(heights) >= 6


def test_many_equal_frames_have_a_time_that_files_can_say() -> None:
    game = random_game("9x9 tiles=unlimited bridges=unlimited tiebreaks=none", seed=1)
    for name in FORMATS:
        frames = frames_of(raster.animation(game, name, seconds=20, size=1))
        assert max(time for _, time in frames) <= 65_000


@pytest.mark.parametrize(
    ("width", "height"), [(2, 1), (1, 9), (9, 1), pytest.param(64, 64, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("name", FORMATS)
def test_animations_of_every_shape(width: int, height: int, name: str) -> None:
    game = play_out(pdd.Rules(pdd.Board(width, height)), Player(Random(1)), 4)
    frames = frames_of(raster.animation(game, name, catalog=None))
    around = 52 if max(width, height) > 26 else 32
    for image, _ in frames:
        assert max(image.size) == min(1000, around + 40 * max(width, height))
        assert image.getpixel((0, 0)) == rgb(svg.LIGHT.paper)


def test_many_frames_are_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    game = example_game()
    monkeypatch.setattr(animator, "MAX_PIXELS", 100_000)
    with pytest.raises(pdd.PonteError, match=r"^with 8 frames, .* is at most 111, not 120$"):
        raster.animation(game, size=120)
    # Neither coordinates nor captions could be read here.
    assert frames_of(raster.animation(game, coordinates=True))[0][0].size == (111, 88)
    assert frames_of(raster.animation(game))[0][0].size == (111, 85)


def test_coordinates_that_cannot_be_read_are_left_out() -> None:
    for drawable, least in ((pdd.GameState.initial(), 260), (empty(5, 3), 140)):
        assert raster.png(drawable, size=least) == raster.png(
            drawable, size=least, coordinates=True
        )
        small = least - 2
        bare = raster.png(drawable, size=small, coordinates=False)
        assert raster.png(drawable, size=small) == bare
        assert raster.png(drawable, size=(900, small)) == raster.png(
            drawable, size=(900, small), coordinates=False
        )
    # Also where the largest size is too small for the board.
    wide = empty(64, 2)
    game = pdd.Game.new(pdd.Rules(wide.board))
    assert raster.animation(game) == raster.animation(game, coordinates=False)


@pytest.mark.parametrize(
    "row",
    [
        (
            "format",
            r"^an animation is 'apng' or 'gif', not '.{0,40}'$",
            "mp4",
            "",
            "APNG",
            "\n" * 99,
        ),
        ("seconds", r"^a turn is seen for 0.02 to 20 seconds, not ", 0, 0.01, 20.5, -1, 10**400),
        ("seconds", r"^a turn is seen for 0.02 to 20 seconds, not ", float("nan"), float("inf")),
        ("size", "has a size of 1 to 4,096, not", 0, 4097, 100_000),
        ("symmetry", "7×7", pdd.Board(7, 7).symmetries[0]),
    ],
)
def test_bad_values(row: tuple[Any, ...]) -> None:
    name, said, *values = row
    for value in values:
        with pytest.raises(pdd.PonteError, match=said):
            raster.animation(example_game(), **{name: value})
