"""A player of this library as an engine, for hosts that speak the engine protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import reduce
from math import inf
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic
from typing import Final, Protocol, cast, final, runtime_checkable

from attrs import evolve

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.notation.actions import format_action, format_step, parse_action
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.states import parse_node
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .external import GREETING, accepts
from .player import AnalysisLine, Clock, Player, prepare
from .registry import Spec

FIRST_SLICE: Final = 0.1
"""The seconds of a search until its first ``info``; each further slice is twice as long."""
SLICE_NODES: Final = 1000
"""The simulations between two looks at the clock, if both are limited."""
MIN_SECONDS: Final = 0.001
OPTIONS: Final[dict[str, tuple[str, float | str]]] = {
    "seconds": ("number {} 0.001 3600", 1.0),
    "threads": ("integer {} 1 1024", 1),
    "rollout": ("choice {} heuristic uniform", "heuristic"),
}
"""The options that an engine offers, each with its domain in the protocol and its default."""
SEED: Final = "integer 0 0 4294967295"
LIMITS: Final = re.compile(r"\b(?:(time|nodes) (\d+)|clock (\d+) (\d+) (\d+))")


@runtime_checkable
class _Searcher(Player, Protocol):
    """A player that can search within limits and in the background: ``MctsPlayer``."""

    def start(self, node: Node, /) -> None: ...
    def stop(self) -> None: ...
    def search(
        self, node: Node, stop: Callable[[], bool], /, **limits: float | None
    ) -> AnalysisLine: ...


@final
class Engine:
    """A player that speaks the engine protocol.

    Args:
        spec: The player's name and options.
        write: A function that sends a message.
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
        self._made: Player | None = None
        self._start = GameState.initial()
        self._node: Node = self._start

    def run(self, lines: Iterable[str]) -> None:
        """Answer messages until ``quit`` or the end of input."""
        messages: SimpleQueue[str | None] = SimpleQueue()
        # Another thread reads messages, because some of them end a running search.
        Thread(target=self._read, args=(lines, messages), daemon=True).start()
        for message in iter(messages.get, None):
            try:
                if isinstance(self._made, _Searcher):
                    self._made.stop()
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
            elif message.startswith("go"):
                self._stop.clear()
            messages.put(message)
        self._stop.set()
        messages.put(None)

    def _answer(self, word: str, rest: str) -> None:
        """Handle a message.

        Raises:
            ValueError: If the message is unknown.
        """
        match word, *rest.split(" "):
            case "ponte", "1":
                told = (f"option {name} {domain}" for name, domain in self._options.items())
                for line in (GREETING, f"name {self._player().name}", *told, "ready"):
                    self._write(line)
            case "option", name, *_ if accepts(self._options.get(name, ""), rest[len(name) + 1 :]):
                read = int if name == "seed" else self._spec.factory.options[name]
                options = {**self._spec.options, name: read(rest[len(name) + 1 :])}
                self._spec, self._made = evolve(self._spec, options=options), None
            case "newgame", *_:
                self._begin(parse_rules(rest))
            case "position", "state", *_:
                self._node = parse_node(rest.removeprefix("state"))
            case "position", "moves", *actions:
                played = map(parse_action, filter(None, actions))
                self._node = reduce(GameState.apply, played, self._start)
            case "go", *words:
                self._write(f"best {self._chosen(rest, is_step=words[0] == 'step')}")
            case "ponder", "":
                self._ponder()
            case _ if word != "stop":
                raise ValueError(f"unknown message {f'{word} {rest}'[:40]!a}")

    def _ponder(self) -> None:
        if isinstance(player := self._player(), _Searcher) and not self._node.is_over:
            player.start(self._node)

    def _begin(self, rules: Rules) -> None:
        self._made, self._node = None, GameState.initial(rules)
        self._start = self._node
        try:
            prepare(self._player(), rules)
        except PonteError as error:
            self._write(f"unsupported {error}")
        else:
            self._write("ready")

    def _player(self) -> Player:
        """Return the player of this game."""
        if self._made is None:
            options = {**self._spec.options}
            seed = cast(int, options.pop("seed", 0))
            self._made = evolve(self._spec, options=options).player().for_game(seed)
        return self._made

    def _chosen(self, limits: str, *, is_step: bool) -> str:
        """Return the text of an action or step chosen within limits."""
        begin, seconds, nodes, player = monotonic(), inf, 0, self._player()
        for name, number, *clock in LIMITS.findall(limits):
            times = (int(each or 0) / 1000 for each in clock)
            if name == "nodes":
                nodes = int(number)
            else:
                seconds = min(seconds, int(number) / 1000 if number else Clock(*times).share)
        node = self._node
        if not isinstance(player, _Searcher) or len(node.legal_steps) == 1:
            chosen: Action | PlaceTile = player.choose(cast(GameState, node))
        elif not nodes and (seconds == inf or "simulations" in self._spec.options):
            chosen = self._report(player.search(node, self._stop.is_set))
        else:
            chosen = self._searched(player, begin + seconds, nodes)
        if isinstance(chosen, PlaceTiles) and (is_step or isinstance(node, HalfTurn)):
            is_second = isinstance(node, HalfTurn) and chosen.a == node.first
            chosen = PlaceTile(chosen.b if is_second else chosen.a)
        return format_step(chosen) if isinstance(chosen, PlaceTile) else format_action(chosen)

    def _searched(self, player: _Searcher, end: float, nodes: int) -> Action:
        """Return the choice of a player that searches in slices, each continuing the last."""
        seconds = FIRST_SLICE
        while True:
            begin = monotonic()
            if nodes:
                part = nodes if end == inf else min(nodes, SLICE_NODES)
                found = player.search(self._node, self._stop.is_set, simulations=part)
                nodes -= part
                is_over = not nodes or found.proven
            else:
                seconds = min(seconds, max(MIN_SECONDS, end - begin))
                found = player.search(self._node, self._stop.is_set, seconds=seconds)
                # A proof ends a search early.
                is_over = monotonic() - begin < seconds / 2
                seconds *= 2
            if is_over or self._stop.is_set() or monotonic() + MIN_SECONDS >= end:
                return self._report(found)
            self._report(found)

    def _report(self, line: AnalysisLine) -> Action:
        """Send an ``info`` about a line, and return its first action."""
        text = " ".join(map(format_action, line.actions))
        facts = f"depth {line.depth} visits {line.visits} value {line.value:.3f}"
        self._write(f"info {facts} line {text}")
        return line.actions[0]
