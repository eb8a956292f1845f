"""Players for tests: one with an analysis, and some that break the rules for players."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from attrs import define, field

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players.player import make_rng, require_unfinished


@define
class PlayoutPlayer:
    """Plays random games after every action, and chooses the action with the best results."""

    playouts: int = 4
    seed: int = 0
    rng: Random = field(init=False, eq=False)

    def __attrs_post_init__(self) -> None:
        self.rng = make_rng(self.seed)

    @property
    def name(self) -> str:
        return f"playouts {self.playouts}"

    def for_game(self, seed: int) -> PlayoutPlayer:
        return PlayoutPlayer(self.playouts, seed)

    def choose(self, state: pdd.GameState) -> pdd.Action:
        return self.analyse(state).best

    def analyse(self, state: pdd.GameState) -> players.Analysis:
        require_unfinished(state)
        found = [
            players.ActionStats(action, self.playouts, self._value(state, action))
            for action in state.legal_actions
        ]
        found.sort(key=lambda stats: -stats.value)
        best = found[0]
        return players.Analysis(best.action, best.value, tuple(found), (best.action,))

    def _value(self, start: pdd.GameState, action: pdd.Action) -> float:
        assert start.seat_to_move is not None
        total = 0
        for _ in range(self.playouts):
            state = start.apply(action)
            while state.outcome is None:
                state = state.apply(state.legal_actions.sample(self.rng))
            total += state.outcome.value(start.seat_to_move)
        return total / self.playouts


@define
class Troublemaker:
    """Plays at random, but misbehaves in games with some seeds.

    Attributes:
        deed: The misbehaviour.
        seeds: The seeds of games in which it misbehaves; no seeds mean all games.
        seed: The seed of its random numbers.
    """

    deed: str
    seeds: tuple[int, ...] = ()
    seed: int = 0
    rng: Random = field(init=False, eq=False)
    name = "trouble"

    def __attrs_post_init__(self) -> None:
        self.rng = Random(self.seed)

    def for_game(self, seed: int) -> Troublemaker:
        if self.deed == "no player":
            return None  # type: ignore[return-value]  # the wrong type is the misbehaviour
        if self.deed == "raises early":
            raise RuntimeError("too early")
        return Troublemaker(self.deed, self.seeds, seed)

    def prepare(self, rules: pdd.Rules) -> None:
        if self.deed == "unprepared":
            raise RuntimeError(f"not ready for {rules.board.width}")

    def choose(self, state: pdd.GameState) -> pdd.Action:
        if state.turn >= 2 and (not self.seeds or self.seed in self.seeds):
            return self._trouble()
        return state.legal_actions.sample(self.rng)

    def _trouble(self) -> pdd.Action:
        match self.deed:
            case "illegal":
                return pdd.parse_action("a1,a1")
            case "nonsense":
                return "a1,b1"  # type: ignore[return-value]  # the wrong type is the misbehaviour
            case "half":
                return pdd.PlaceTile(pdd.Cell(0, 0))  # type: ignore[return-value]  # the wrong type is the misbehaviour
            case "exits":
                os._exit(3)
            case "sleeps":
                time.sleep(0.3)
                return pdd.Pass()
            case waits if waits.startswith("waits for "):
                while not Path(waits.removeprefix("waits for ")).exists():
                    time.sleep(0.01)
                raise RuntimeError("it is there")
            case _:
                raise ZeroDivisionError("by\nnothing")


@define
class Homebody:
    """Plays at random, and cannot be unpickled in another process.

    Attributes:
        packs: Whether it can be pickled.
    """

    packs: bool = True
    name = "homebody"

    def for_game(self, seed: int) -> Homebody:
        del seed
        return Homebody(self.packs)

    def choose(self, state: pdd.GameState) -> pdd.Action:
        return state.legal_actions[0]

    def __reduce__(self) -> tuple[object, ...]:
        if not self.packs:
            raise TypeError("it stays at home")
        return _nobody, ()


def _nobody() -> Homebody:
    raise LookupError("nobody is there")


@define
class Hurried:
    """Plays at random, and stores the clocks that it gets."""

    clocks: list[players.Clock | None] = field(factory=list)
    name = "hurried"

    def for_game(self, seed: int) -> Hurried:
        del seed
        return self

    def choose(self, state: pdd.GameState, *, clock: players.Clock | None = None) -> pdd.Action:
        self.clocks.append(clock)
        return state.legal_actions[0]


@define
class FirstLegal:
    """Chooses the first legal action, so that its games are equal."""

    name: str = "first-legal"

    def for_game(self, seed: int) -> FirstLegal:
        del seed
        return self

    def choose(self, state: pdd.GameState) -> pdd.Action:
        return state.legal_actions[0]


@define
class LastLegal:
    """Chooses the last legal action, so that its games are equal."""

    name: str = "last-legal"

    def for_game(self, seed: int) -> LastLegal:
        del seed
        return self

    def choose(self, state: pdd.GameState) -> pdd.Action:
        return state.legal_actions[-1]
