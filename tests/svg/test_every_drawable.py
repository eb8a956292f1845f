"""Every drawable can be drawn, and every picture is valid."""

from __future__ import annotations

from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from pontedeldiavolo.testing.strategies import adjacent_tile_count, setups, states
from support.pictures import GOLDEN, PICTURES, different_pixels, parse, parts, position_in, titles
from support.strategies import games, share

SIDES = st.integers(1, pdd.Board.MAX_SIDE)
SWITCHES = st.fixed_dictionaries(
    dict.fromkeys(("coordinates", "networks", "targets"), st.booleans())
)
THEMES = (svg.LIGHT, svg.DARK, svg.PRINT)
ELEMENTS = {"svg", "title", "desc", "g", "path", "rect", "circle"}
ATTRIBUTES = {
    *("role", "class", "viewBox", "width", "height", "x", "y", "rx", "cx", "cy", "r", "d"),
    *("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"),
    *("stroke-linecap", "stroke-linejoin", "display", "transform"),
}
"""Attributes that every converter supports."""
DECORATION = {"pontedeldiavolo", "paper", "sea", "grid", "labels", "cells", "heats", "rims"}
DECORATION |= {"shadows", "bridges", "rails", "planks", "networks", "inlays", "targets"}


def sound(picture: svg.Svg) -> ET.Element:
    """Check a picture; return its root."""
    root = parse(picture)
    assert root.attrib["role"] == "img"
    first, second, *_ = root
    assert (first.tag.partition("}")[2], second.tag.partition("}")[2]) == ("title", "desc")
    assert first.text
    assert second.text
    told = titles(root)
    for element in root.iter():
        assert element.tag.partition("}")[2] in ELEMENTS
        for name, value in element.attrib.items():
            assert name in ATTRIBUTES or name.startswith("data-"), name
            assert "url" not in value
            assert "nan" not in value
            assert "inf" not in value
            if name in ("fill", "stroke"):
                assert value == "none" or len(value) == len("#123456")
        words = {*element.get("class", "").split()}
        if words and not words & DECORATION:
            assert told[element], element.attrib
            about = element.attrib.keys() & {"data-cell", "data-cells", "data-bridge"}
            assert about or words <= {"columns", "rows", "note"}
    return root


@given(states(), st.sampled_from(THEMES), SWITCHES)
@share(0.4)
def test_every_state_can_be_drawn(
    state: pdd.GameState, theme: svg.Theme, switches: dict[str, Any]
) -> None:
    sound(svg.render(state, theme=theme, **switches))


@given(setups(), SWITCHES)
def test_every_set_up_can_be_drawn(setup: pdd.Setup, switches: dict[str, Any]) -> None:
    root = sound(svg.render(setup, **{**switches, "targets": False}))
    faults = setup.violations()
    board = {*setup.board}
    on_board = [
        {*fault.cells} & board or any({*bridge.ends} <= board for bridge in fault.bridges)
        for fault in faults
    ]
    assert bool(parts(root, "fault")) == any(on_board)
    assert bool(parts(root, "note")) == bool(faults)
    if not faults:
        assert position_in(root) == setup.position()


@given(games(), SWITCHES)
@share(0.3)
def test_every_game_can_be_drawn(game: pdd.Game, switches: dict[str, Any]) -> None:
    sound(svg.render(game, **switches))


@given(SIDES, SIDES, st.integers(0, 2**32 - 1))
@share(0.2)
def test_boards_of_every_size_can_be_drawn(width: int, height: int, seed: int) -> None:
    board = pdd.Board(width, height)
    rng = Random(seed)
    cells = board.cells
    white, red = (rng.sample(cells, rng.randint(0, min(40, len(cells)))) for _ in range(2))
    bridges = [pdd.Bridge(rng.choice(cells), rng.choice(cells)) for _ in range(rng.randint(0, 5))]
    setup = pdd.Setup(board, white, red, bridges)
    symmetry = rng.choice(board.symmetries)
    options: dict[str, Any] = {"coordinates": rng.random() < 0.5, "networks": True}
    root = sound(svg.render(setup, symmetry=symmetry, **options))
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    assert (left, top, wide > 40 * width, high > 40 * height) == (0, 0, True, True)


@pytest.mark.parametrize("size", [(1, 1), (64, 64), (64, 1), (1, 64), (27, 3)])
def test_the_smallest_and_largest_boards(size: tuple[int, int]) -> None:
    board = pdd.Board(*size)
    full = svg.render(pdd.Setup(board, white=board.cells))
    root = sound(full)
    assert len(parts(root, "tile", "white")) == len(board)
    # One sentence names all cells of a violation; it must not be repeated at each cell.
    assert len(full.text) < 20_000 + 800 * len(board)
    state = pdd.GameState.initial(pdd.Rules(board))
    assert len(parts(sound(svg.render(state)), "cell")) == len(board)


LONGEST = 25_000
"""The maximum bytes of a picture with a last action, targets and coordinates in any theme."""
NETWORKS = 5_000
HIGHLIGHT = 155
"""The bytes that networks add, and those that each highlighted cell adds."""


def crowded(seed: int, scattered: int) -> list[pdd.GameState]:
    """Return the states of a game that ends with a very full board.

    The players build whenever they can, and prefer pairs of tiles that join few groups, because
    each sandbank and each bridge is a part of the picture.
    """
    rng = Random(seed)
    states = [pdd.GameState.initial()]
    while not (state := states[-1]).is_over:
        legal = state.legal_actions
        own = frozenset(state.position.tiles(state.to_move)) if state.to_move else frozenset()
        drawn = [legal.sample(rng) for _ in range(scattered)]
        action = min(drawn, key=lambda each: adjacent_tile_count(each, own))
        states.append(state.apply(rng.choice(legal.bridges) if legal.bridges else action))
    return states


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from((1, 8, 15)),
    st.integers(0, 3) | st.integers(0, 60),
    st.builds(
        dict,
        theme=st.sampled_from(THEMES),
        symmetry=st.sampled_from((None, *pdd.Board(10, 10).symmetries)),
        size=st.sampled_from((None, 100_000)),
    ),
    SWITCHES,
)
@share(0.3)
def test_crowded_boards_make_short_pictures(
    seed: int, scattered: int, back: int, options: dict[str, Any], switches: dict[str, Any]
) -> None:
    states = crowded(seed, scattered)
    state = states[max(0, len(states) - 1 - back)]
    last = pdd.parse_action("j10,j9")

    def length(**more: Any) -> int:
        return len(svg.render(state, last=last, **options, **switches, **more).text.encode())

    most = LONGEST + (NETWORKS if switches["networks"] else 0)
    assert length() < most
    cells = state.rules.board.cells
    assert length(highlights=cells) - length() < HIGHLIGHT * len(cells)


FEW_PIXELS = 20
"""The number of pixels that may differ, because versions of Python round differently."""


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_made_as_the_golden_ones(name: str) -> None:
    golden = (GOLDEN / f"{name}.svg").read_text("utf-8")
    made = str(PICTURES[name]())
    assert different_pixels(golden, made) <= FEW_PIXELS
    assert [*titles(parse(made)).values()] == [*titles(parse(golden)).values()]
    sound(PICTURES[name]())


def test_there_is_a_picture_for_every_golden_file() -> None:
    assert {path.stem for path in GOLDEN.glob("*.svg")} == {*PICTURES}


def test_pictures_can_stand_together_in_one_page() -> None:
    page = f"<div>{''.join(str(make()) for make in PICTURES.values())}</div>"
    root = parse(page)
    assert len(root) == len(PICTURES)
    assert not [each for each in root.iter() if "id" in each.attrib]
