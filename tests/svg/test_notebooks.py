"""Notebooks show every scene as its picture, and load what draws it only then."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from support.checks import wrong_type
from support.pictures import EXAMPLE, FAULTY, example_game, example_state

HALF = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
SCENES = [example_state(), HALF, EXAMPLE, FAULTY, example_game()]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: type(scene).__name__)
def test_every_scene_is_shown_as_a_picture(scene: pdd.Drawable) -> None:
    assert scene._repr_svg_() == svg.render(scene).text


def test_a_picture_is_shown_as_itself() -> None:
    picture = svg.render(EXAMPLE)
    assert picture._repr_svg_() == str(picture) == picture.text
    assert svg.Svg(picture.text) == picture
    with wrong_type("text"):
        svg.Svg(3)  # type: ignore[arg-type]  # what is tested


def test_what_draws_is_loaded_with_the_first_picture() -> None:
    code = """
import json, sys
from pontedeldiavolo.state.state import GameState
def loaded():
    return any(name.startswith("pontedeldiavolo.svg") for name in sys.modules)
before = loaded()
text = GameState.initial()._repr_svg_()
print(json.dumps([before, text[:5], loaded()]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert json.loads(done.stdout) == [False, "<svg ", True]
