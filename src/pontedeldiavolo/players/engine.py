"""A player of this library as an engine, which a host asks for actions by the engine protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from math import inf
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Final, cast, final

from attrs import evolve

from pontedeldiavolo.notation import (
    format_action,
    format_step,
    parse_action,
    parse_node,
    parse_rules,
)
from pontedeldiavolo.players.external import GREETING, accepts
from pontedeldiavolo.players.player import Clock, Player
from pontedeldiavolo.players.registry import BUDGET, Options, Spec, Value
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, Node

SLICES: Final = (0.01, 0.1)
"""The seconds of a search until it looks for ``stop``, for short limits and long ones."""
MAX_SECONDS: Final = 3600.0
OPTIONS: Final[dict[str, tuple[str, float | str]]] = {
    "seconds": ("number {} 0.001 3600", 1.0),
    "threads": ("integer {} 1 1024", 1),
    "rollout": ("choice {} heuristic uniform", "heuristic"),
}
"""Options of players that engines have as well, with their defaults."""
SEED: Final = "integer 0 0 4294967295"
LIMITS: Final = re.compile(r"\b(?:(time|nodes) (\d+)|clock (\d+) (\d+) (\d+))")


@final
class Engine:
    """A player that speaks the engine protocol.

    Args:
        spec: The player's name and options.
        write: Sends a message.
    """

    def __init__(self, spec: Spec, write: Callable[[str], object]) -> None:
        self._spec = spec
        self._write = write
        self._stop = Event()
        self._options = {
            name: domain.format(spec.options.get(name, default))
            for name, (domain, default) in OPTIONS.items()
            if spec.takes(name)
        } | {"seed": SEED}
        self._set: dict[str, Value] = {}
        self._made: tuple[Options, Player] | None = None
        self._start = GameState.initial()
        self._node: Node = self._start

    def run(self, lines: Iterable[str]) -> None:
        """Answer messages until ``quit`` or their end."""
        messages: SimpleQueue[str | None] = SimpleQueue()
        # A thread reads them: some end a search.
        Thread(target=self._read, args=(lines, messages), daemon=True).start()
        for message in iter(messages.get, None):
            try:
                self._answer(*message.partition(" ")[::2])
            except (TypeError, ValueError) as error:
                self._write(f"error {error}")

    def _read(self, lines: Iterable[str], messages: SimpleQueue[str | None]) -> None:
        for line in lines:
            message = line.rstrip("\r\n")
            if message == "quit":
                break
            if message == "stop":
                self._stop.set()
            else:
                if message.startswith("go"):
                    self._stop.clear()
                messages.put(message)
        self._stop.set()
        messages.put(None)

    def _answer(self, word: str, rest: str) -> None:
        """Do as a message says.

        Raises:
            ValueError: If the engine does not know it.
        """
        match word, *rest.split(" "):
            case "ponte", "1":
                told = (f"option {name} {domain}" for name, domain in self._options.items())
                for line in (GREETING, f"name {self._player({}).name}", *told, "ready"):
                    self._write(line)
            case "option", name, *_ if accepts(self._options.get(name, ""), rest[len(name) + 1 :]):
                read = int if name == "seed" else self._spec.kind.options[name]
                self._set[name] = read(rest[len(name) + 1 :])
            case "newgame", *_:
                self._begin(parse_rules(rest))
            case "position", "state", *_:
                self._node = parse_node(rest.removeprefix("state"))
            case "position", "moves", *actions:
                state = self._start
                for action in filter(None, actions):
                    state = state.apply(parse_action(action))
                self._node = state
            case "go", *words:
                self._write(f"best {self._chosen(rest, is_step=words[0] == 'step')}")
            case "ponder", "":
                pass
            case _:
                raise ValueError(f"unknown message {f'{word} {rest}'[:40]!a}")

    def _begin(self, rules: Rules) -> None:
        self._made, self._node = None, GameState.initial(rules)
        self._start = self._node
        if self._spec.takes("simulations"):
            # Compile before a clock runs.
            self._player({"simulations": 1}).choose(self._start)
        self._write("ready")

    def _player(self, budget: Options) -> Player:
        """Return the player of this game, which keeps its tree while its options stay the same."""
        options = {**self._spec.options, **self._set}
        seed = cast(int, options.pop("seed", 0))
        if budget:
            options = {name: each for name, each in options.items() if name not in BUDGET}
        options.update(budget)
        if self._made is None or self._made[0] != options:
            player = evolve(self._spec, options=options).player()
            self._made = options, player.for_game(seed)
        return self._made[1]

    def _chosen(self, limits: str, *, is_step: bool) -> str:
        """Return the text of an action or step that is chosen within limits."""
        begin, seconds, nodes = monotonic(), inf, 0
        for name, number, *clock in LIMITS.findall(limits):
            times = (int(each or 0) / 1000 for each in clock)
            if name == "nodes":
                nodes = int(number)
            else:
                seconds = min(seconds, int(number) / 1000 if number else Clock(*times).share)
        given = {**self._spec.options, **self._set}
        budget: dict[str, Value] = {"simulations": nodes} if nodes else {}
        if (
            self._spec.takes("seconds")
            and "simulations" not in given
            and (seconds < inf or not nodes)
        ):
            seconds = min(seconds, MAX_SECONDS) if limits else float(given.get("seconds", 1.0))
            budget = {"seconds": SLICES[seconds > 1]}
        elif not self._spec.takes("simulations"):
            budget = {}
        chosen = self._searched(budget, begin + seconds)
        if is_step and isinstance(chosen, PlaceTiles):
            chosen = PlaceTile(chosen.a)
        return format_step(chosen) if isinstance(chosen, PlaceTile) else format_action(chosen)

    def _searched(self, budget: Options, end: float) -> Action | PlaceTile:
        """Return the choice of the player, which searches slice by slice, and goes on each time."""
        player, node = self._player(budget), cast(GameState, self._node)
        slice_seconds = cast(float, budget.get("seconds", inf))
        while True:
            begin = monotonic()
            chosen = player.choose(node)
            now = monotonic()
            is_known = now - begin < slice_seconds / 2 < inf
            if is_known or self._stop.is_set() or now + slice_seconds >= end:
                return chosen
