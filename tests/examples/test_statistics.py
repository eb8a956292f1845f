"""Examples that tell what games look like."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.paths import example


def game(*actions: str) -> pdd.Game:
    """Return a finished game on 3×2."""
    found = pdd.Game.from_actions(pdd.Rules(pdd.Board(3, 2)), actions)
    assert found.state.is_over
    return found


WON = game("a1,a2", "white", "c1,c2", "b1,b2", "pass")
"""White has an island: the second seat, which chose it, wins by a point."""
DRAWN = game("a2,b2", "red", "b1,c2", "a1,c1", "pass")
"""Nobody has anything."""


def test_games_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each.state.turn for each in (WON, DRAWN)] == [4, 4]
    example("self_play")["show"]([WON, DRAWN, WON])
    lines = capsys.readouterr().out.splitlines()
    rows = dict([part.strip() for part in line.split("|")][1:3] for line in lines if line)
    assert rows["the first seat, which opens"] == "16.7% (3.1% to 63.5%)"
    assert rows["white"] == "83.3% (36.5% to 96.9%)"
    assert rows["white was chosen"] == "66.7% (20.8% to 93.9%)"
    assert rows["drawn games"] == "33.3% (6.1% to 79.2%)"
    assert rows["points of the better, of the other"] == "0.7 and 0.0"
    assert rows["islands of each"] == "0.33"
    assert rows["margin in points: mean, median, most"] == "0.7, 1, 1"
    assert rows["turns: least, median, most"] == "4, 4, 4"
    assert rows["bridges, passes in a game"] == "0.0 and 1.0"
    assert rows["side by side"] == "3"


def test_intervals_of_rare_and_few_games_stay_within_the_possible() -> None:
    share = example("self_play")["share"]
    assert share([0.0] * 20) == "0.0% (0.0% to 16.1%)"
    assert share([1.0]) == "100.0% (20.7% to 100.0%)"


def test_openings_are_told_apart_by_how_their_tiles_lie() -> None:
    lie = example("self_play")["lie"]
    rules = pdd.Rules(pdd.Board(5, 5))
    openings = pdd.GameState.initial(rules).legal_actions
    found = Counter(lie(pdd.Game.from_actions(rules, [action])) for action in openings)
    # Of two cells on 5×5 so many are one step apart, two, one and one, one and two.
    assert found == {
        "side by side": 40,
        "two apart in a row, one cell between them": 30,
        "diagonally next to each other": 32,
        "a knight's move apart": 48,
        "any other way": 150,
    }
    passed = pdd.Game.from_actions(pdd.Rules(pdd.Board(1, 1)), ["pass"])
    assert lie(passed) == "none"


def test_existing_games_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(games: int, simulations: int = 10) -> dict[str, bytes]:
        given = [f"--games={games}", f"--simulations={simulations}", "--board=4x4", "--processes=1"]
        monkeypatch.setattr(sys, "argv", ["self_play.py", str(tmp_path), *given])
        example("self_play")["main"]()
        assert capsys.readouterr().out.startswith(f"| of {games} games | |\n")
        return {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    found = [play(games) for games in (2, 4, 4)]
    assert found[0].items() < found[1].items()
    assert found[1] == found[2]
    # No game is another one again.
    played = [pdd.records.loads(data.decode()) for data in found[2].values()]
    assert len({game.actions for game in played}) == 4
    with pytest.raises(SystemExit, match="2"):
        play(4, simulations=11)
    said = "000001.pdd is a game of other players or by other rules"
    assert said in capsys.readouterr().err


def test_every_kind_of_opening_is_valued_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "openings.csv"
    given = [str(path), "--board=3x3", "--simulations=3000"]
    monkeypatch.setattr(sys, "argv", ["openings.py", *given])
    example("openings")["main"]()
    rows = csv.DictReader(path.read_text("utf-8").splitlines())
    values = {row["tiles"]: float(row["value"]) for row in rows}
    exact = example("solve")["solve"](pdd.Rules(pdd.Board(3, 3))).openings
    assert values.keys() == exact.keys()
    assert list(values.values()) == sorted(values.values(), reverse=True)
    # What is lost for white looks worse than all that is drawn.
    lost = [values[tiles] for tiles, value in exact.items() if value < 0]
    drawn = [values[tiles] for tiles, value in exact.items() if value == 0]
    assert lost
    assert max(lost) < -0.8
    assert min(drawn) > -0.2
    assert max(drawn) < 0.2
