"""The overhead of game objects over the rules: playing, making and reading whole games.

All programs use the same games. The baseline only parses the text of each action, if there is text,
and applies it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from benchmarks.contest import contest
from benchmarks.figures import FIGURE, WHOLE_GAMES, Figure, note
from benchmarks.states import start

import pontedeldiavolo as pdd
from pontedeldiavolo.records import sgf
from support.paths import DATA, ROOT

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

MEASURE = "apply"
ACTIONS = 2_000
ROUNDS = 15


@lru_cache
def recorded() -> tuple[pdd.Game, ...]:
    """Return the recorded games of the tests and of the examples."""
    archive = (DATA / "games.jsonl").read_text("utf-8").splitlines()
    examples = sorted((ROOT / "examples" / "games").glob("*.pdd"))
    games = [pdd.records.loads(path.read_text("utf-8")) for path in examples]
    for each in map(json.loads, archive):
        rules = pdd.Rules(pdd.Board(*each["size"]), each["tiles"], each["bridges"])
        games.append(pdd.Game.from_actions(rules, each["moves"]))
    return tuple(games)


def apply_texts(games: list[tuple[pdd.GameState, list[str]]]) -> int:
    """Parse and apply all actions, and keep nothing."""
    for state, texts in games:
        for text in texts:
            state = state.apply(pdd.parse_action(text))  # noqa: PLW2901 - the next state
    return len(games)


def read(loads: Callable[[str], pdd.Game], texts: list[str]) -> int:
    """Read and verify all games."""
    for text in texts:
        loads(text)
    return len(texts)


def load_document(text: str) -> pdd.Game:
    """Read the document of a game."""
    return pdd.json.loads(text, pdd.Game)


def test_reading(benchmark: BenchmarkFixture) -> None:
    """Read the same games from every format that this library writes in full."""
    games = recorded()
    texts = [(game.start, [*map(pdd.format_action, game.actions)]) for game in games]
    programs = {
        MEASURE: partial(apply_texts, texts),
        "records": partial(read, pdd.records.loads, [*map(pdd.records.dumps, games)]),
        "SGF": partial(read, sgf.loads, [*map(sgf.dumps, games)]),
        "JSON": partial(read, load_document, [*map(pdd.json.dumps, games)]),
    }
    rates = contest(benchmark, programs, ROUNDS)
    for name, target in {"records": 1.5, "SGF": 2, "JSON": 2}.items():
        row = f"games read from {name} / actions parsed and applied"
        note(benchmark, Figure(WHOLE_GAMES, row, FIGURE, rates[MEASURE] / rates[name], target))


def apply_all(state: pdd.GameState, actions: list[pdd.Action]) -> int:
    """Apply all actions, and keep nothing."""
    for action in actions:
        state = state.apply(action)
    return len(actions)


def play_all(game: pdd.Game, actions: list[pdd.Action]) -> int:
    """Play all actions, one game after the other."""
    for action in actions:
        game = game.play(action)
    return len(actions)


def make(rules: pdd.Rules, actions: list[pdd.Action]) -> int:
    """Make one game of all actions."""
    return len(pdd.Game.from_actions(rules, actions).line.moves)


@pytest.mark.parametrize("side", [10, pdd.Board.MAX_SIDE])
def test_playing(benchmark: BenchmarkFixture, side: int) -> None:
    """Play a game of pairs until none is legal: on the largest board the game is long."""
    rng = Random(1)
    actions = list[pdd.Action]()
    state = start(side)
    while not state.is_over and len(actions) < ACTIONS:
        actions.append((state.legal_actions.pairs or state.legal_actions).sample(rng))
        state = state.apply(actions[-1])
    programs = {
        MEASURE: partial(apply_all, start(side), actions),
        "play": partial(play_all, pdd.Game.new(state.rules), actions),
        "from_actions": partial(make, state.rules, actions),
    }
    rates = contest(benchmark, programs, ROUNDS)
    # A short game takes too little time to be compared with a bound.
    target = 1.5 if side == pdd.Board.MAX_SIDE else None
    for name in ("play", "from_actions"):
        row = f"`{name}` / `apply`, {len(actions):,} actions on {side}×{side}"
        note(benchmark, Figure(WHOLE_GAMES, row, FIGURE, rates[MEASURE] / rates[name], target))
