"""``engine``: a player of the library that answers a host."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players.engine import Engine
from pontedeldiavolo.players.registry import KINDS, Kind, parse_spec
from support.commands import invoke, lines_of
from support.games import SMALL

HELLO = ["ponte 1", "name greedy", "option seed integer 0 0 4294967295", "ready"]
OPENED = pdd.GameState.initial(pdd.parse_rules(SMALL)).apply(pdd.parse_action("a1,d4"))
PLAYING = OPENED.apply(pdd.parse_action("red"))


def said(player: str, *messages: str) -> list[str]:
    """Return the messages of a player to a host."""
    return lines_of(invoke("engine", player, keys="".join(f"{each}\n" for each in messages)))


def test_a_player_speaks_the_protocol() -> None:
    half = pdd.format_half_turn(pdd.HalfTurn(PLAYING, pdd.parse_cell("a2")))
    lines = said(
        *("greedy", "ponte 1", f"newgame {SMALL}", "position moves", "go time 100", "stop"),
        *("position moves a1,d4", "go step", "position moves a1,d4 red", "go step nodes 3"),
        *(f"position state {pdd.format_state(PLAYING)}", "ponder", "go clock 1000 500 10"),
        *(f"position state {half}", "go", "quit", "never read"),
    )
    assert [*lines[:4], lines[4]] == [*HELLO, "ready"]
    first, choice, step, last = (line.removeprefix("best ") for line in lines[5:9])
    assert pdd.GameState.initial(OPENED.rules).is_legal(pdd.parse_action(first))
    assert choice in ("white", "red")
    assert PLAYING.is_legal(pdd.parse_step(step))
    assert PLAYING.is_legal(pdd.parse_action(last))
    # It places pairs only.
    assert lines[9:] == ["error state must be GameState, not HalfTurn"]


def test_wrong_messages_are_refused() -> None:
    wrong = (
        "ponte 2",
        "hello",
        "option depth 3",
        "option seed x",
        "position moves a1",
        "newgame 0",
    )
    lines = said("random", *wrong, "position there", "x" * 200_000, "ponte 1")
    assert all(line.startswith("error ") for line in lines[: len(wrong) + 2])
    assert lines[0] == "error unknown message 'ponte 2'"
    assert lines[-4:] == ["ponte 1", "name random", HELLO[2], "ready"]


def test_the_seed_makes_games_equal() -> None:
    games = [
        said("random", f"option seed {seed}", f"newgame {SMALL}", "position moves", "go")
        for seed in (1, 2, 1)
    ]
    assert games[0] == games[2] != games[1]


@pytest.mark.parametrize(
    ("name", "go", "options"),
    [
        ("thinker", "go time 50", {"seconds": 0.01}),
        ("thinker", "go nodes 9 time 1", {"seconds": 0.01}),
        ("thinker", "go clock 0 0 0", {"seconds": 0.01}),
        ("thinker", "go clock 90000 0 0 time 3000", {"seconds": 0.1}),
        ("thinker", "go nodes 7", {"simulations": 7}),
        ("thinker", "go", {"seconds": 0.01}),
        ("thinker:simulations=9", "go time 50", {"simulations": 9}),
    ],
)
def test_limits_are_options_of_the_player(
    name: str, go: str, options: dict[str, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[dict[str, float]] = []

    def make(**options: float) -> pdd.players.Player:
        made.append(options)
        return pdd.players.RandomPlayer()

    readers = {"seconds": float, "simulations": int, "threads": int}
    monkeypatch.setitem(KINDS, "thinker", Kind(make, readers))
    setting = ("ponte 1", "option threads 2", f"newgame {SMALL}", "position moves")
    lines = said(name, *setting, "option seconds 0.05", go, go)
    assert lines[2:4] == ["option seconds number 1.0 0.001 3600", "option threads integer 1 1 1024"]
    # The first one tells its name, and the second one compiles.
    (last,) = made[2:]
    assert last.items() >= options.items()
    assert last["threads"] == 2


@pytest.mark.parametrize("stop", ["stop", "quit"])
def test_a_search_is_stopped(stop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, chosen = Event(), []

    class Thinker:
        name = "thinker"

        def for_game(self, _seed: int) -> Thinker:
            return self

        def choose(self, state: pdd.GameState) -> pdd.Action:
            time.sleep(0.06)
            chosen.append(state)
            begun.set()
            return state.legal_actions[0]

    def lines() -> Iterator[str]:
        yield f"newgame {SMALL}\n"
        yield "go time 3600000\n"
        begun.wait(20)
        yield f"{stop}\n"
        # A thread reads: with the end of its input the engine ends.

    monkeypatch.setitem(KINDS, "thinker", Kind(lambda **_: Thinker(), {"seconds": float}))
    told: list[str] = []
    Engine(parse_spec("thinker"), told.append).run(lines())
    assert told == ["ready", "best a1,b1"]
    assert 1 <= len(chosen) < 100


def test_a_choice_without_a_time_is_made_once() -> None:
    told, answered = list[str](), Event()

    def tell(message: str) -> None:
        told.append(message)
        if message.startswith("best "):
            answered.set()

    def lines() -> Iterator[str]:
        yield f"newgame {SMALL}\n"
        yield "go nodes 5\n"
        told.append("soon" if answered.wait(20) else "never")

    Engine(parse_spec("random"), tell).run(lines())
    assert [each[:4] for each in told] == ["read", "best", "soon"]


def test_unknown_players_are_refused() -> None:
    result = invoke("engine", "nobody")
    assert result.exit_code == 2
    assert "no player is named 'nobody'" in result.stderr
    result = invoke("match", "external:no-such-engine", "random")
    assert result.exit_code == 2
    assert "no-such-engine cannot be started" in result.stderr
