"""Names of players: given ones, derived ones with every option, and two equal ones in a match."""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players.engine_process import default_of
from pontedeldiavolo.players.registry import parse_spec
from support.paths import DATA, TESTS

RULES = pdd.Rules(pdd.Board(3, 3))
STORED = DATA / "compatibility" / "0.1.0" / "3x3.npz"
ENGINE = [sys.executable, "-IS", str(TESTS / "support" / "stub_engine.py")]


def flat(games: pdd.batch.GameBatch) -> Any:
    raise NotImplementedError(games)


def engine(**options: Any) -> players.ExternalPlayer:
    with players.ExternalPlayer(ENGINE, **options) as player:
        return player


CHANGES: dict[type, dict[str, list[Any]]] = {
    players.RandomPlayer: {},
    players.GreedyPlayer: {"candidates": [1, 30, 20_001]},
    players.MctsPlayer: {
        "seconds": [0.5, 2, 1.0000001],
        "simulations": [1, 2, 64],
        "threads": [2, 3],
        "rollout": ["uniform"],
        "solver": [False],
        "evaluate": [flat],
        "exploration": [1, 1.2500001],
        "memory": [1 << 20, (1 << 28) + 1],
        "temperature": [0.5, 1, 1e-9],
        "book": [players.Book.bundled(pdd.Rules())],
    },
}
"""A value other than the default for each option of each player."""

MAKERS: dict[str, Callable[..., Any]] = {
    **{kind.__name__: kind for kind in CHANGES},
    "ExternalPlayer": engine,
}


@pytest.mark.parametrize("kind", CHANGES)
def test_a_derived_name_has_every_option(kind: Callable[..., players.Player]) -> None:
    options = {*inspect.signature(kind).parameters} - {"seed", "name"}
    assert options == {*CHANGES[kind]}, "add values for new options"  # type: ignore[index]
    found = [kind().name]
    for option, values in CHANGES[kind].items():  # type: ignore[index]
        needed = {"evaluate": flat} if option in ("exploration", "memory") else {}
        found += [kind(**needed, **{option: value}).name for value in values]
    assert len({*found}) == len(found)
    assert kind(seed=5).name == found[0]


def test_options_together_are_all_in_the_name() -> None:
    options: dict[str, Any] = {"simulations": 64, "evaluate": flat, "exploration": 2}
    player = players.MctsPlayer(3, **options, memory=1 << 20, temperature=0.5, solver=False)
    name = "mcts 64 3 s no solver evaluated exploration 2 memory 1048576 temperature 0.5"
    assert player.name == player.for_game(3).name == name


def test_the_options_of_an_engine_are_in_its_name() -> None:
    assert engine().name == engine(depth=4).name == "stub 1"
    player = engine(depth=7)
    assert player.name == player.for_game(1).name == "stub 1 depth 7"
    assert pickle.loads(pickle.dumps(player)).name == "stub 1 depth 7"


@pytest.mark.parametrize(
    ("domain", "default"),
    [
        ("integer 4 1 20", "4"),
        ("number 0.5 0 1", "0.5"),
        ("choice b a b", "b"),
        ("text", ""),
        ("text two words", "two words"),
    ],
)
def test_options_have_defaults(domain: str, default: str) -> None:
    assert default_of(domain) == default


def test_long_values_of_options_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    player = engine()
    monkeypatch.setattr(player, "_changed", {"book": "x" * 99_000, "style": "\x1b[2J"})
    assert player.name == f"stub 1 book {'x' * 40}… style \\x1b[2J"


@pytest.mark.parametrize("kind", MAKERS)
def test_a_given_name_is_kept(kind: str) -> None:
    player = MAKERS[kind](name="Ada 2")
    assert player.name == player.for_game(7).name == "Ada 2"
    assert player.for_game(7).for_game(1).name == "Ada 2"
    assert pickle.loads(pickle.dumps(player.for_game(3))).name == "Ada 2"


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a\nb", "\x1b[2J", "\ud800", "x" * 201])
@pytest.mark.parametrize("kind", MAKERS)
def test_unusable_names_are_refused(kind: str, name: str) -> None:
    with pytest.raises(pdd.PonteError, match="the name of a player has 1 to 200") as caught:
        MAKERS[kind](name=name)
    assert caught.value.code == "player-name"


@pytest.mark.parametrize("kind", MAKERS)
def test_a_name_is_a_text(kind: str) -> None:
    with pytest.raises(TypeError, match="name must be str or NoneType, not int"):
        MAKERS[kind](name=5)


def test_players_by_name_can_have_another_name() -> None:
    for text in ("random", "greedy", "greedy:candidates=3", "mcts:simulations=5"):
        assert parse_spec(text).player("Bo").name == "Bo"


def tags_of(folder: Path) -> set[tuple[str, str, str]]:
    paths = folder.glob("*.pdd")
    games = [game.tags for path in paths for game in pdd.records.iter_games(path)]
    return {(tags["Event"], tags["First"], tags["Second"]) for tags in games}


def test_equal_derived_names_get_letters(tmp_path: Path) -> None:
    chance = players.RandomPlayer()
    match = players.match(chance, players.RandomPlayer(), 2, rules=RULES, folder=tmp_path)
    assert (match.a, match.b) == ("random (a)", "random (b)")
    event = "random (a) against random (b)"
    assert tags_of(tmp_path) == {
        (event, "random (a)", "random (b)"),
        (event, "random (b)", "random (a)"),
    }
    match = players.match(chance, chance, 2, rules=RULES)
    assert (match.a, match.b) == ("random (a)", "random (b)")
    # A given name can happen to be equal to the derived name of the other player.
    match = players.match(chance, players.GreedyPlayer(name="random"), 2, rules=RULES)
    assert (match.a, match.b) == ("random (a)", "random (b)")


def test_equal_given_names_are_refused(tmp_path: Path) -> None:
    one = players.RandomPlayer(name="Ada")
    other = players.GreedyPlayer(name="Ada")
    with pytest.raises(pdd.PonteError, match="both players are called Ada") as caught:
        players.match(one, other, 2, rules=RULES, folder=tmp_path / "games")
    assert caught.value.code == "equal-names"
    assert not (tmp_path / "games").exists()
    match = players.match(one, players.GreedyPlayer(name="Bo"), 2, rules=RULES)
    assert (match.a, match.b) == ("Ada", "Bo")


def test_the_name_of_a_foreign_player_is_a_text() -> None:
    class Nameless:
        name = 5

        def choose(self, state: pdd.GameState) -> pdd.Action:
            return state.legal_actions[0]

        def for_game(self, seed: int) -> Nameless:
            del seed
            return self

    with pytest.raises(TypeError, match="the name of b must be str, not int"):
        players.match(players.RandomPlayer(), Nameless(), 2)  # type: ignore[arg-type]
