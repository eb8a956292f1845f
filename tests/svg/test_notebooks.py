"""Notebooks show drawables as pictures, failed tests as expressions; the renderer comes late."""

from __future__ import annotations

import re
from ast import literal_eval
from operator import attrgetter

import pytest
from hypothesis.vendor.pretty import pretty

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from support.checks import wrong_type
from support.pictures import EXAMPLE, FAULTY, example_game, example_state
from support.processes import run_python

HALF = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
DRAWABLES = [example_state(), HALF, EXAMPLE, FAULTY, example_game()]


@pytest.mark.parametrize("drawable", DRAWABLES, ids=lambda each: type(each).__name__)
def test_every_drawable_is_shown_as_a_picture(drawable: pdd.Drawable) -> None:
    assert drawable._repr_svg_() == svg.render(drawable).text


@pytest.mark.parametrize("drawable", DRAWABLES, ids=lambda each: type(each).__name__)
def test_every_drawable_is_printed_as_an_expression(drawable: pdd.Drawable) -> None:
    printed = re.fullmatch(r"pdd\.([\w.]+)\((.*?)\)(\.position\(\))?", pretty(drawable), re.DOTALL)
    assert printed is not None
    made = attrgetter(printed[1])(pdd)(literal_eval(printed[2]))
    assert (made.position() if printed[3] else made) == drawable


def test_a_picture_is_shown_as_itself() -> None:
    picture = svg.render(EXAMPLE)
    assert picture._repr_svg_() == str(picture) == picture.text
    assert svg.Svg(picture.text) == picture
    with wrong_type("text"):
        svg.Svg(3)  # type: ignore[arg-type]  # what is tested


def test_the_renderer_is_loaded_with_the_first_picture() -> None:
    done = run_python(
        "import sys\n"
        "from pontedeldiavolo.state.state import GameState\n"
        "print('pontedeldiavolo.svg' in sys.modules)\n"
        "print(GameState.initial()._repr_svg_()[:5], 'pontedeldiavolo.svg' in sys.modules)\n"
    )
    assert (done.stdout, done.stderr) == ("False\n<svg  True\n", "")
