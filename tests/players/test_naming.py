"""Players by their names, and what they are made with."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players.registry import KINDS, Kind, parse_spec
from support.checks import wrong_type
from support.stub_players import PlayoutPlayer


@pytest.fixture(autouse=True)
def named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the thinking player of the tests a name."""
    kind = Kind(PlayoutPlayer, {"playouts": int, "seed": int})
    monkeypatch.setitem(KINDS, "playouts", kind)


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_players_have_names(name: str) -> None:
    assert name in players.names()
    assert players.by_name(name).name == name
    assert players.by_name(f" {name.upper()} ").name == name


def test_players_are_made_with_options() -> None:
    assert players.by_name("mcts:simulations=5,threads=2").name == "mcts 5 2 threads"
    assert players.by_name("mcts:seconds=0.25").name == "mcts 0.25 s"
    assert players.by_name("mcts:simulations=5,rollout=uniform").name == "mcts 5 uniform"
    assert players.by_name("mcts:simulations=5,rollout=heuristic").name == "mcts 5"
    for text, name in (("mcts:seconds=5", "mcts 5 s"), ("mcts", "mcts 100")):
        spec = parse_spec(text).completed({"simulations": 100})
        assert spec.player().name == name
    assert players.by_name("playouts").name == "playouts 4"
    assert players.by_name("playouts:playouts=2, seed = 5") == PlayoutPlayer(2, 5)
    spec = parse_spec("playouts:seed=3").completed({"seed": 1, "playouts": 9, "threads": 2})
    assert spec.player() == PlayoutPlayer(9, 3)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "no player is named ''; there are random, greedy, mcts"),
        ("ada", "no player is named 'ada'"),
        ("random:", "random has no option ''; there are: none"),
        ("playouts:speed=2", "playouts has no option 'speed'; there are: playouts, seed"),
        ("mcts:rollout=wild", "rollout must be heuristic or uniform, not .wild."),
        ("playouts:seed", "seed must be a number, not ''"),
        ("playouts:seed=x", "seed must be a number, not 'x'"),
        ("playouts:seed=1,seed=1", "the option seed is given twice"),
    ],
)
def test_unknown_names_are_refused(name: str, said: str) -> None:
    with pytest.raises(pdd.PonteError, match=said):
        players.by_name(name)


def test_a_name_is_a_text() -> None:
    with wrong_type("name"):
        players.by_name(None)  # type: ignore[arg-type]
