"""The README and the examples work as described."""

from __future__ import annotations

import doctest
import re
import runpy
import sys
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

# Servers run until they are stopped, and a cluster needs Ray: other tests run these examples. The
# script for PyTorch is run by the tests of the adapters, without PyTorch.
APART = {
    *("check_engine", "conformance", "maskable_ppo", "match_ray", "selfplay_ray", "server"),
    "web_game",
}
EXAMPLES = {path.stem for path in (ROOT / "examples").glob("*.py")} - APART
PATHS = sorted((ROOT / "examples" / "games").glob("*.pdd"))
GAMES = [pdd.records.loads(path.read_text("utf-8")) for path in PATHS]


def test_every_python_example_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_readme_shows_the_game_that_it_loads(theme: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    with (ROOT / "examples/games/original.pdd").open(encoding="utf-8") as file:
        state = pdd.records.load(file).state
    path = f"docs/pictures/board-{theme}.svg"
    colors = {"light": pdd.svg.LIGHT, "dark": pdd.svg.DARK}[theme]
    picture = pdd.svg.render(state, networks=True, theme=colors, size=440)
    assert (ROOT / path).read_text("utf-8") == f"{picture}\n"
    assert f'"{path}"' in readme
    alt = re.search(r'alt="(.*?)"', readme)
    assert alt is not None
    assert state.outcome is not None
    for score in (state.outcome.white, state.outcome.red):
        assert f" {score.points} points" in alt[1]


# The arguments of each example, in which {} stands for a folder, and a pattern in its output.
RUNS: dict[str, tuple[list[str], str]] = {
    "advice": (
        ["{}/advice.json", "--games=1", "--simulations=2", "--search=10"],
        r"^centre: white: [\d%to ,]+, value [+-]\d\.\d\d\ncentre: red: [\s\S]+\nmean: g3,h3: ",
    ),
    "alpha_beta": (["3x2"], r"b1,b2    white wins\n6 openings, 39 positions looked at$"),
    "check_archive": ([*map(str, PATHS)], r"abstract-play-8\.pdd: 8×8 .*, 32 turns, result red"),
    "click_by_click": ([], r"d3: Die Insel a3, b3, c3, d3 würde von Steinen .* berührt: e2"),
    "example_games": (
        ["{}/games", "--simulations=2", "--analysis=2"],
        r"^original\.pdd: \d+ actions, \w+\n(.*\n){7}abstract-play-12\.pdd: ",
    ),
    "learn": (
        ["--out={}/net.npz", "--rounds=1", "--games=1", "--simulations=9", "--test-games=2"],
        r"\n\| 1 \| \d+ \| [\d|.% to]+\|$",
    ),
    "learning_curve": (
        ["--rounds=1", "--every=1", "--games=4", "--simulations=4", "--test-games=9"],
        r"^\d+ positions, a random step .*%\n\| rounds [\s\S]+\n\| 1( \| \d\d\.\d%){2} \| \d+ \|$",
    ),
    "openings": (
        ["{}/openings.csv", "--board=4x4", "--simulations=20"],
        r"^21 openings, in .*\nbest for white: .*\nbalanced: .*\nbest for red: ",
    ),
    "opening_book": ([*map(str, PATHS)], r"^50 positions of 9 games\nf5,f6   played 1, 100% for"),
    "own_player": (["2"], r"^ +(\d) won\n +(\d) drawn\n +(\d) lost$"),
    "pool": (["60"], r"^30720 steps, \d{3} games over, \d+ of them drawn(\n[+-]0\.\d{4} \w\d){5}$"),
    "random_games": (["9"], r"^9 games, \d\d\.\d turns on average\n"),
    "self_play": (
        [
            *("{}/games", "--games=4", "--simulations=20", "--board=5x5", "--processes=1"),
            "--json={}/self_play.json",
        ],
        r"^\| of 4 games \| \|\n[\s\S]*\| the first two tiles \| games \|",
    ),
    "solve": (["--table={}", "2x2", "3x2"], r"\n\| 3×2 \| 6 \| 1 \| 5 \| 0 \| \+1 \| 0 \|.* 61 \|"),
    "training_rows": (["60", "{}/rows.npz"], r"^planes +uint8  \((\d+), 27, 6, 6\)\n.*\(\1, 25\)"),
}
SLOW = {"advice", "example_games"}
"""Examples that take longer than all others together."""
NAMES = [pytest.param(each, marks=[pytest.mark.slow] if each in SLOW else []) for each in RUNS]


def test_every_example_is_run() -> None:
    assert {*RUNS} == EXAMPLES


@pytest.mark.parametrize("name", NAMES)
def test_examples_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "examples" / f"{name}.py"
    arguments, pattern = RUNS[name]
    given = [argument.replace("{}", str(tmp_path)) for argument in arguments]
    monkeypatch.setattr(sys, "argv", [str(path), *given])
    # Python finds modules beside a program that it starts.
    monkeypatch.syspath_prepend(path.parent)
    runpy.run_path(str(path), run_name="__main__")
    assert re.search(pattern, capsys.readouterr().out.rstrip("\n"))


def test_example_games_are_complete_and_in_canonical_form() -> None:
    for path, game in zip(PATHS, GAMES, strict=True):
        assert game.ending is pdd.Ending.SCORED
        assert pdd.records.dumps(game) == path.read_text("utf-8")


def test_each_preset_has_a_game_by_named_players() -> None:
    assert {path.stem for path in PATHS} == {*pdd.presets.names()}
    for path, game in zip(PATHS, GAMES, strict=True):
        assert game.rules == pdd.presets.by_name(path.stem)
        # A weaker player made this game, so that the analysis finds mistakes.
        player = "mcts 1000" if path.stem == "abstract-play-8" else "mcts 100000"
        assert {game.tags["First"], game.tags["Second"]} == {player}


FIRST = ROOT / "examples" / "first_game.pdd"


def test_the_first_game_of_the_readme_fits_a_terminal() -> None:
    pytest.importorskip("click", reason="not installed: extra cli")
    pytest.importorskip("rich", reason="not installed: extra cli")
    from support.commands import invoke  # noqa: PLC0415 - needs the extra

    game = pdd.records.loads(FIRST.read_text("utf-8"))
    assert pdd.records.dumps(game) == FIRST.read_text("utf-8")
    assert (game.tags["First"], game.tags["Second"]) == ("Anna", "Ben")
    said = invoke("replay", FIRST).stdout
    assert said.rstrip().endswith("Red (Anna) wins by points, 6 to 3.")
    turns = re.split(r"\n(?=Turn )", said.partition("\n\n□")[0])
    assert all(len(turn.splitlines()) < 20 for turn in turns)
    readme = (ROOT / "README.md").read_text("utf-8")
    [shown] = re.findall(r"```text\n(.*?)```", readme, re.DOTALL)
    assert turns[-1].rstrip() == shown.rstrip()
