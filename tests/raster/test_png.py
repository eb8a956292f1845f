"""Boards in PNG: the pixels that are seen."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import pontedeldiavolo as pdd
from pontedeldiavolo import raster, svg
from support.diagrams import act, cells, draw
from support.pictures import FAULTY, example_game, example_state
from support.pixels import Places, opened, rgb
from support.strategies import setups, share, states

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


# What is seen


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [None, 300, 777])
def test_every_cell_has_its_colour(theme: svg.Theme, size: int | None) -> None:
    seen = Places(opened(raster.png(BRIDGED, theme=theme, size=size)), BRIDGED.board)
    assert seen.at("a1") == rgb(theme.water)
    # White's tiles are plain, and red's have a hole.
    assert seen.at("a4") == rgb(theme.white)
    assert seen.at("b2", -10, -10) == rgb(theme.red)
    assert seen.at("b2") == rgb(theme.red_shoal)
    # Between the tiles of an island there is land.
    assert seen.at("a5", 20) == rgb(theme.white_land)
    # The bridge stands above the blocked cell, and between its planks the deck is seen.
    assert seen.at("c5", 2) == rgb(theme.bridge)
    under = rgb(svg.themes.mixed(theme.water, theme.blocked, 0.2))
    assert all(abs(a - b) <= 1 for a, b in zip(seen.at("c5", -9, -16), under, strict=True))


# On paper bridges are as white as tiles are: what is seen there is not always a tile.
@given(states(), st.sampled_from([svg.LIGHT, svg.DARK]))
@share(0.1)
def test_tiles_are_read_back(state: pdd.GameState, theme: svg.Theme) -> None:
    board = state.rules.board
    image = opened(raster.png(state, theme=theme, size=max(board.width, board.height) * 20 + 20))
    assert Places(image, board).shows(state.position, theme)


def test_no_fonts_are_needed_for_coordinates() -> None:
    image = opened(raster.png(BRIDGED, size=464))
    letters, numbers = image.crop((52, 416, 452, 464)), image.crop((0, 12, 48, 412))
    for margin in (letters, numbers):
        seen = {color for _, color in margin.getcolors(1 << 16) or []}
        assert rgb(svg.LIGHT.text) in seen
    bare = opened(raster.png(BRIDGED, coordinates=False))
    assert bare.size == (424, 424)
    assert Places(bare, BRIDGED.board, coordinates=False).at("a4") == rgb(svg.LIGHT.white)


def test_what_is_marked_is_seen() -> None:
    last, ring = rgb(svg.LIGHT.last), rgb(svg.LIGHT.highlight)

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
    turn = pdd.symmetries(BRIDGED.board)[3]
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
    # The end of the game is seen, and nothing that has come and gone.
    assert seen.shows(example_game().state.position)


@given(setups(), st.integers(1, 50))
@share(0.2)
def test_set_ups_with_faults_of_every_kind(setup: pdd.Setup, size: int) -> None:
    assert max(opened(raster.png(setup, size=size)).size) == size


# How large it is


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("size", [1, 2, 99, 640])
def test_the_longer_side_has_the_size_exactly(width: int, height: int, size: int) -> None:
    data = raster.png(empty(width, height), size=size, coordinates=False)
    image = opened(data)
    wide, high = 12 + 40 * width, 12 + 40 * height
    longer = max(wide, high)
    assert image.size == (max(1, round(size * wide / longer)), max(1, round(size * high / longer)))
    assert max(image.size) == size
    with Image.open(BytesIO(data)) as whole:
        # Where the sides do not fit to the pixel, nothing shines through.
        assert whole.getchannel("A").getextrema() == (255, 255)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_boards_of_every_shape(width: int, height: int, theme: svg.Theme) -> None:
    drawable = empty(width, height)
    image = opened(raster.png(drawable, theme=theme, size=640))
    seen = Places(image, drawable.board)
    assert {seen.at(cell) for cell in drawable.board.cells} == {rgb(theme.water)}
    # Up to the edge there is paper.
    right, below = image.width - 1, image.height - 1
    edges = {image.getpixel(at) for at in ((0, 0), (right, 0), (0, below), (right, below))}
    assert edges == {rgb(theme.paper)}


def test_a_usual_board_has_a_usual_size() -> None:
    assert opened(raster.png(pdd.GameState.initial())).size == (864, 864)
    assert opened(raster.png(empty(1, 1))).size == (144, 144)
    assert opened(raster.png(empty(64, 64))).size == (4096, 4096)


@pytest.mark.parametrize("size", [0, -1, 4097, 100_000, 10**50])
def test_sizes_have_bounds(size: int) -> None:
    with pytest.raises(pdd.PonteError, match=r"has a size of 1 to 4,096, not -?[\d,]+$"):
        raster.png(BRIDGED, size=size)


def test_what_pictures_refuse_is_refused() -> None:
    with pytest.raises(pdd.PonteError, match="nobody has a turn"):
        raster.png(BRIDGED, targets=True)
