"""A player of this library as an engine, for hosts that speak the engine protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import reduce
from math import inf
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO, Final, Protocol, TypeAlias, cast, final, runtime_checkable

from attrs import evolve, frozen

from pontedeldiavolo.base.errors import PonteError, printable
from pontedeldiavolo.notation.actions import format_action, parse_action
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.states import parse_node
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .engine_process import GREETING, MAX_BYTES, accepts
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
MAX_MILLISECONDS: Final = 10**12
"""The maximum time in a limit, about 31 years; the clocks of a match have the same maximum."""
MAX_NODES: Final = 10**9
NUMBER: Final = re.compile(r"[0-9]{1,13}")
"""The digits of a number that can be within these limits."""
MAX_ERROR: Final = 300
"""The maximum length of the text of an ``error`` message."""
TOO_LONG: Final = "\n"
"""A message that is too long; no other one contains a line feed."""

_Messages: TypeAlias = SimpleQueue[tuple[str, int] | Exception | None]
"""Messages with the number of ``go`` messages so far, an error, and ``None`` at the end."""


def messages_of(stream: IO[bytes]) -> Iterator[str | None]:
    """Iterate over the messages in a stream.

    A message of more than 100,000 bytes is ``None``, once: the rest of its line is skipped.

    Raises:
        OSError: If the stream cannot be read; the error names it.
    """
    try:
        while line := stream.readline(MAX_BYTES + 2):
            content = line.rstrip(b"\r\n")
            is_too_long = len(content) > MAX_BYTES
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_BYTES)
                is_too_long = is_too_long or len(line.rstrip(b"\r\n")) > 0
            yield None if is_too_long else content.decode(errors="replace")
    except OSError as error:
        error.filename = "standard input"
        raise


@frozen
class SearchLimits:
    """The limits of a ``go`` message.

    Attributes:
        is_step: Whether it asks for a step.
        seconds: The time for the choice; infinite without a limit.
        nodes: The number of simulations; ``None`` without a limit.
    """

    is_step: bool
    seconds: float
    nodes: int | None


def parse_limits(text: str) -> SearchLimits:
    """Return the limits in the words after ``go``.

    Raises:
        ValueError: If a word is not a limit, or a number is missing or out of range.
    """
    words = text.split()
    is_step = words[:1] == ["step"]
    seconds = inf
    nodes: int | None = None
    rest = iter(words[1:] if is_step else words)
    for word in rest:
        match word:
            case "time":
                seconds = min(seconds, _milliseconds(rest, word) / 1000)
            case "nodes":
                nodes = min(nodes or MAX_NODES, _number(rest, word, 1, MAX_NODES))
            case "clock":
                times = [_milliseconds(rest, word) / 1000 for _ in range(3)]
                seconds = min(seconds, Clock(*times).share)
            case _:
                raise ValueError(f"unknown limit {word[:40]!a}")
    return SearchLimits(is_step, seconds, nodes)


def _milliseconds(words: Iterator[str], limit: str) -> int:
    return _number(words, limit, 0, MAX_MILLISECONDS)


def _number(words: Iterator[str], limit: str, minimum: int, maximum: int) -> int:
    """Return the next word as a number.

    Raises:
        ValueError: If it is missing, no number, or out of range.
    """
    word = next(words, "")
    if not NUMBER.fullmatch(word) or not minimum <= int(word) <= maximum:
        wanted = f"a whole number from {minimum} to {maximum}"
        raise ValueError(f"{limit} needs {wanted}, not {word[:40]!a}")
    return int(word)


@runtime_checkable
class _Searcher(Player, Protocol):
    """A player that can search within limits and in the background: ``MctsPlayer``."""

    def ponder(self, node: Node, /) -> None: ...
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
        # Searches are numbered by their ``go`` messages: the thread that reads is ahead of the one
        # that searches, and a ``stop`` ends only the searches before it.
        self._searches_read = 0
        self._stopped_search: float = 0
        self._current_search = 0
        self._options = {
            name: domain.format(spec.options.get(name, default))
            for name, (domain, default) in OPTIONS.items()
            if spec.takes(name)
        } | {"seed": SEED}
        self._made: Player | None = None
        self._is_deaf = False
        self._start = GameState.initial()
        self._node: Node = self._start

    def run(self, lines: Iterable[str | None]) -> None:
        """Answer messages until ``quit`` or the end of input.

        A message that is wrong, or on which the player fails, is answered with ``error``.

        Args:
            lines: The messages; ``None`` is one that is too long, see :func:`messages_of`.

        Raises:
            OSError: If the messages cannot be read, or an answer cannot be sent.
        """
        # It has no limit: a host that writes everything before it reads must not have to wait.
        messages: _Messages = SimpleQueue()
        # Another thread reads messages, because some of them end a running search.
        Thread(target=self._read, args=(lines, messages), daemon=True).start()
        try:
            while (message := messages.get()) is not None:
                if isinstance(message, Exception):
                    raise message
                text, self._current_search = message
                self._handle(text)
        finally:
            # An interpreter that exits must not have a thread that searches.
            with suppress(Exception):
                if isinstance(self._made, _Searcher):
                    self._made.stop()

    def _handle(self, message: str) -> None:
        """Answer one message.

        Raises:
            OSError: If an answer cannot be sent.
        """
        try:
            if isinstance(self._made, _Searcher):
                self._made.stop()
            if message == TOO_LONG:
                self._send(f"error a message has more than {MAX_BYTES:,} bytes")
            else:
                self._answer(*message.partition(" ")[::2])
        except Exception as error:
            # A player, such as one of another package, may raise anything: the engine continues.
            if self._is_deaf:
                raise
            self._send(f"error {_one_line(error)}")

    def _send(self, message: str) -> None:
        """Send a message to the host."""
        try:
            self._write(message)
        except OSError:
            self._is_deaf = True
            raise

    def _is_stopped(self) -> bool:
        """Return whether the current search is to end."""
        return self._current_search <= self._stopped_search

    def _read(self, lines: Iterable[str | None], messages: _Messages) -> None:
        """Put each message into the queue, and ``None`` after the last."""
        try:
            for line in lines:
                message = TOO_LONG if line is None else line.rstrip("\r\n")
                if message == "quit":
                    break
                if message == "stop":
                    self._stopped_search = self._searches_read
                elif message.partition(" ")[0] == "go":
                    self._searches_read += 1
                messages.put((message, self._searches_read))
        except Exception as error:  # noqa: BLE001 - the thread that answers raises it
            messages.put(error)
        finally:
            self._stopped_search = inf
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
                    self._send(line)
            case "option", name, *_:
                self._set_option(name, rest[len(name) + 1 :])
            case "newgame", *_:
                self._begin(parse_rules(rest))
            case "position", "state", *_:
                self._node = parse_node(rest.removeprefix("state"))
            case "position", "moves", *actions:
                played = map(parse_action, filter(None, actions))
                self._node = reduce(GameState.apply, played, self._start)
            case "go", *_:
                self._send(f"best {self._chosen(parse_limits(rest))}")
            case "ponder", "":
                self._ponder()
            case _ if word != "stop":
                raise ValueError(f"unknown message {f'{word} {rest}'[:40]!a}")

    def _set_option(self, name: str, value: str) -> None:
        """Set an option of the player.

        Raises:
            ValueError: If there is no such option, or it cannot have the value.
        """
        if name not in self._options:
            known = ", ".join(self._options)
            raise ValueError(f"unknown option {name[:40]!a}; the options are {known}")
        domain = self._options[name]
        if not accepts(domain, value):
            raise ValueError(f"option {name} is {domain}, so it cannot be {value[:40]!a}")
        read = int if name == "seed" else self._spec.factory.options[name]
        options = {**self._spec.options, name: read(value)}
        self._spec = evolve(self._spec, options=options)
        self._made = None

    def _ponder(self) -> None:
        if isinstance(player := self._player(), _Searcher) and not self._node.is_over:
            player.ponder(self._node)

    def _begin(self, rules: Rules) -> None:
        self._made = None
        self._node = GameState.initial(rules)
        self._start = self._node
        try:
            prepare(self._player(), rules)
        except PonteError as error:
            self._send(f"unsupported {_one_line(error)}")
        else:
            self._send("ready")

    def _player(self) -> Player:
        """Return the player of this game."""
        if self._made is None:
            options = {**self._spec.options}
            seed = cast(int, options.pop("seed", 0))
            self._made = evolve(self._spec, options=options).player().for_game(seed)
        return self._made

    def _chosen(self, limits: SearchLimits) -> str:
        """Return the text of an action or step chosen within limits."""
        begin = monotonic()
        player = self._player()
        has_time = limits.seconds != inf
        node = self._node
        if not isinstance(player, _Searcher) or len(node.legal_steps) == 1:
            chosen: Action | PlaceTile = player.choose(cast(GameState, node))
        elif limits.nodes is None and (not has_time or "simulations" in self._spec.options):
            chosen = self._report(player.search(node, self._is_stopped))
        else:
            chosen = self._searched(player, begin + limits.seconds, limits.nodes or 0)
        if isinstance(chosen, PlaceTiles) and (limits.is_step or isinstance(node, HalfTurn)):
            is_second = isinstance(node, HalfTurn) and chosen.a == node.placed_tile
            chosen = PlaceTile(chosen.b if is_second else chosen.a)
        return format_action(chosen)

    def _searched(self, player: _Searcher, end: float, nodes: int) -> Action:
        """Return the choice of a player that searches in slices, each continuing the last."""
        seconds = FIRST_SLICE
        while True:
            begin = monotonic()
            if nodes:
                part = nodes if end == inf else min(nodes, SLICE_NODES)
                found = player.search(self._node, self._is_stopped, simulations=part)
                nodes -= part
                is_over = not nodes or found.proven
            else:
                seconds = min(seconds, max(MIN_SECONDS, end - begin))
                found = player.search(self._node, self._is_stopped, seconds=seconds)
                # A full tree ends a search early.
                is_over = found.proven or monotonic() - begin < seconds / 2
                seconds *= 2
            if is_over or self._is_stopped() or monotonic() + MIN_SECONDS >= end:
                return self._report(found)
            self._report(found)

    def _report(self, line: AnalysisLine) -> Action:
        """Send an ``info`` about a line, and return its first action."""
        text = " ".join(map(format_action, line.actions))
        facts = f"depth {line.depth} visits {line.visits} value {line.value:.3f}"
        self._send(f"info {facts} line {text}")
        return line.actions[0]


def _one_line(error: Exception) -> str:
    """Return the text of an error as a part of a message."""
    text = " ".join(str(error).split()) or type(error).__name__
    shown = text if len(text) <= MAX_ERROR else f"{text[: MAX_ERROR - 1]}…"
    return printable(shown)
