"""``render``: pictures in files, of moments and of games that move."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, svg
from support.commands import invoke, lines_of, refusal
from support.diagrams import state_of
from support.games import SMALL
from support.pictures import parse, parts
from support.pixels import Places, frames_of, opened, rgb

SUFFIXES = (".svg", ".png", ".apng", ".gif")
STATE = state_of("w w w w . r r .", Color.RED)
FAULTY = "w r w\nbridges a1-c1\n"


def rendered(path: Path, *arguments: str | Path, keys: str = "") -> bytes:
    """Render into a file that is not there yet; return what is in it."""
    lines = lines_of(invoke("render", *arguments, "-o", path, keys=keys))
    assert lines == [f"Picture written to {path}."]
    return path.read_bytes()


def game_in(path: Path) -> pdd.Game:
    return pdd.records.loads(path.read_text(encoding="utf-8"))


# Formats


def test_a_record_in_png(record: Path, tmp_path: Path) -> None:
    game = game_in(record)
    image = opened(rendered(tmp_path / "end.PNG", record))
    assert image.size == (384, 384)
    assert Places(image, game.rules.board).shows(game.state.position)


@pytest.mark.parametrize("name", ["apng", "gif"])
def test_a_record_that_moves(record: Path, tmp_path: Path, name: str) -> None:
    game = game_in(record)
    path = tmp_path / f"game.{name}"
    data = rendered(path, record, "--seconds", "0.5", "--size", "192", "--theme", "dark")
    frames = frames_of(data)
    assert data == pdd.raster.animation(game, name, seconds=0.5, size=192, theme=svg.DARK)
    assert len(frames) == len(game.actions)
    assert frames[0][1] == 500
    assert Places(frames[-1][0], game.rules.board).shows(game.state.position, svg.DARK)


@pytest.mark.parametrize("name", ["svg", "png", "apng", "gif"])
def test_standard_output_has_the_picture_alone(record: Path, tmp_path: Path, name: str) -> None:
    for output in ([], ["-o", "-"]):
        result = invoke("render", record, "--format", name, *output, "--size", "60")
        assert (result.exit_code, result.stderr) == (0, "")
        path = tmp_path / f"{name}{len(output)}.any"
        assert rendered(path, record, "--format", name, "--size", "60") == result.stdout_bytes


# What is drawn


def test_render_takes_the_same_inputs_as_show(tmp_path: Path) -> None:
    text = pdd.format_state(STATE)
    for number, arguments in enumerate(([text], ["-"])):
        image = opened(rendered(tmp_path / f"{number}.png", *arguments, keys=text))
        assert Places(image, STATE.rules.board).shows(STATE.position)
    diagram = rendered(tmp_path / "diagram.svg", "-", keys=FAULTY).decode("utf-8")
    assert diagram == f"{svg.render(pdd.parse_setup(FAULTY))}\n"
    empty = opened(rendered(tmp_path / "empty.png", "--rules", SMALL))
    assert Places(empty, pdd.Board(4, 4)).shows(pdd.Position.from_pieces(pdd.Board(4, 4)))


def test_a_turn_is_drawn_with_its_action(record: Path) -> None:
    game = game_in(record)
    first = parse(invoke("render", record, "--format", "svg", "--turn", "1").stdout)
    assert len(parts(first, "last")) == 2
    assert parts(parse(invoke("render", "*", "--format", "svg").stdout), "last") == []
    turn = game.state.turn + 1
    assert refusal(invoke("render", record, "--format", "svg", "--turn", str(turn)), 1) == (
        f"no turn {turn}, the game has 0 to {game.state.turn}"
    )


def test_how_it_looks(record: Path) -> None:
    def root_of(*options: str) -> str:
        return invoke("render", record, "--format", "svg", "--turn", "3", *options).stdout

    plain = parse(root_of())
    assert parts(plain, "labels")
    assert not parts(plain, "target")
    assert not parts(plain, "network")
    assert "width" not in plain.attrib
    bare = parse(root_of("--no-coordinates", "--networks", "--targets", "--size", "300"))
    assert not parts(bare, "labels")
    assert parts(bare, "target")
    assert max(bare.attrib["width"], bare.attrib["height"]) == "300"
    for name, theme in (("light", svg.LIGHT), ("dark", svg.DARK), ("print", svg.PRINT)):
        (paper,) = parts(parse(root_of("--theme", name)), "paper")
        assert paper.attrib["fill"] == theme.paper
    islands = "w w w w . w w w w\nbridges d1-f1"
    networks = invoke("render", "-", "--format", "svg", "--networks", keys=islands).stdout
    assert parts(parse(networks), "points")


def test_pixels_look_as_asked_for(tmp_path: Path) -> None:
    text = pdd.format_state(STATE)
    options = ("--theme", "print", "--size", "332", "--no-coordinates", "--targets")
    image = opened(rendered(tmp_path / "state.png", text, *options))
    assert image.size == (332, 52)
    seen = Places(image, STATE.rules.board, coordinates=False)
    assert seen.at("a1") == rgb(svg.PRINT.white)
    assert (
        image.tobytes()
        == opened(
            pdd.raster.png(STATE, theme=svg.PRINT, size=332, coordinates=False, targets=True)
        ).tobytes()
    )


def test_an_animation_has_a_largest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pontedeldiavolo.raster.animator.MOST_PIXELS", 20_000)
    large = invoke("render", "d4,g7", "--format", "gif", "--size", "101")
    assert refusal(large, 1) == "with 2 frames, the size of an animation is at most 100, not 101"


@pytest.mark.parametrize("name", ["png", "gif"])
def test_formats_that_need_more_say_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    for module in [each for each in sys.modules if each.startswith("pontedeldiavolo.raster")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = invoke("render", "d4,g7", "-o", tmp_path / f"picture.{name}")
    assert refusal(result, 2) == (
        "pontedeldiavolo.raster needs Pillow and resvg-py: pip install 'pontedeldiavolo[png]'"
    )
    assert [*tmp_path.iterdir()] == []
    assert rendered(tmp_path / "picture.svg", "d4,g7").startswith(b"<svg")


# Where it goes


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_force_replaces_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"old{suffix}"
    path.write_text("precious")
    assert lines_of(invoke("render", "d4,g7", "-o", path, "--force"))
    assert path.stat().st_size > 100
    assert [*tmp_path.iterdir()] == [path]
