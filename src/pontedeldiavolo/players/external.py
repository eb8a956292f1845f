"""Players in other programs, which speak the engine protocol."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from math import inf
from queue import Empty, Queue, SimpleQueue
from shlex import split
from subprocess import PIPE, Popen
from threading import Event, Thread
from time import monotonic
from typing import IO, Any, Final, Self, SupportsIndex, cast, final, overload
from weakref import finalize, ref

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import (
    PonteError,
    Reason,
    real_number,
    reason,
    require_items,
    require_sequence,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.notation.actions import parse_action, parse_step
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_node
from pontedeldiavolo.rules.actions import Action, Step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .identity import Fact, checked_name
from .player import GRACE_SECONDS, AnalysisLine, Clock, EngineError, require_unfinished

GREETING: Final = "ponte 1"
"""The first message of both sides, with the version of the protocol."""
MAX_BYTES: Final = 100_000
"""The maximum length of a message, without its end of line."""
MAX_OPTIONS: Final = 1000
SHOWN_CHARACTERS: Final = 40
"""The maximum length of the value of an option in the name of a player."""
START_SECONDS: Final = 60.0
"""The time that an engine has for the handshake, and for each new game."""
THINK_SECONDS: Final = 600.0
"""The time for an action without a clock, so that an engine that hangs cannot block a match."""
CLOSE_SECONDS: Final = 0.5
"""The time that an engine has to exit."""
RANK_DIGITS: Final = 3
INFO_RANK: Final = re.compile(r"(?:^| )rank (\d+)(?= |$)")
"""The rank of a line of analysis in an ``info`` message."""
QUEUED_LINES: Final = 100
"""The maximum number of unread messages from an engine; beyond it, the engine's output blocks."""


def accepts(domain: str, value: str) -> bool:
    """Return whether an option accepts a value.

    Args:
        domain: The option's type, default and limits or choices: ``integer 4 1 20``.
        value: The text of a value.
    """
    with suppress(ValueError):
        match domain.split(" "):
            case ["integer", _, low, high]:
                return int(low) <= int(value) <= int(high)
            case ["number", _, low, high]:
                return float(low) <= float(value) <= float(high)
            case ["choice", _, *values]:
                return value in values
            case ["text", *_]:
                return "\n" not in value
    return False


def default_of(domain: str) -> str:
    """Return the default of an option, from its type, default and limits or choices."""
    kind, _, rest = domain.partition(" ")
    return rest if kind == "text" else rest.partition(" ")[0]


def _shown(value: str) -> str:
    """Return a short printable form of the value of an option, for a name."""
    text = value if value.isprintable() else ascii(value)[1:-1]
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


@final
class EngineProcess(Popen[bytes]):
    """The process of an engine. No shell reads its command.

    Threads read and write: on some systems this is the only way to wait for a pipe with a timeout.

    Args:
        command: The program and its arguments.

    Attributes:
        title: The name of the engine.
        options: Its options by name: type, default, and limits or choices.
        user: The player that uses it.
        rules: The rules of the game; ``None`` while there is no game to lose.
    """

    def __init__(self, command: Sequence[str] | str) -> None:
        # A separate session, so that Ctrl-C at the terminal does not reach the engine.
        super().__init__(command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        self.title: str = command if isinstance(command, str) else command[0]
        self.options: dict[str, str] = {}
        self.user: ref[ExternalPlayer] | None = None
        self.rules: Rules | None = None
        self._incoming: Queue[bytes] = Queue(QUEUED_LINES)
        self._outgoing: SimpleQueue[str | None] = SimpleQueue()
        self._closing = Event()
        reading = self.stdout, self._incoming, self._closing
        self._reader = Thread(target=_read, args=reading, daemon=True)
        self._writer = Thread(target=_write, args=(self.stdin, self._outgoing), daemon=True)
        self._reader.start()
        self._writer.start()

    @property
    def is_running(self) -> bool:
        """True while the engine can answer."""
        return self.returncode is None and self._reader.is_alive()

    def send(self, message: str) -> None:
        """Send a message; if the engine has ended, the message is lost."""
        self._outgoing.put(message)

    def receive(self, deadline: float) -> tuple[str, str]:
        """Return the first word of the next message, and the rest.

        Args:
            deadline: A time on the clock of ``time.monotonic``.

        Raises:
            EngineError: If the engine has ended, is late, or writes something that is no message.
        """
        left = deadline - monotonic()
        try:
            # An engine that writes without pause is late as well.
            line = self._incoming.get(left > 0, left)
        except Empty:
            raise self.failure(reason("engine-late", engine=self.title), Ending.TIME) from None
        if not line:
            self.close()
            status = str(self.returncode)
            raise self.failure(reason("engine-ended", engine=self.title, status=status))
        try:
            word, _, rest = line.decode().rstrip("\r\n").partition(" ")
        except UnicodeDecodeError:
            word, rest = "", ""
        if not word or not line.endswith(b"\n"):
            raise self.unexpected(str(line)[2:-1])
        return word, rest

    def unexpected(self, *words: str) -> EngineError:
        """Return the error for an unexpected message."""
        message = f"{' '.join(words)[:40]!a}"
        return self.failure(reason("engine-message", engine=self.title, message=message))

    def failure(self, why: Reason, ending: Ending = Ending.ADJUDICATION) -> EngineError:
        """Return an error that loses the current game, if there is one."""
        return EngineError(why, None if self.rules is None else ending)

    def close(self) -> None:
        """End the process: ask it to exit, and kill it after half a second.

        Processes that it has started are killed with it, if the system has process groups.
        """
        if self.returncode is not None:
            return
        self.send("quit")
        self._outgoing.put(None)
        self._closing.set()
        with suppress(Empty):
            # A full queue may block the reader; taking a line lets it put its last one.
            self._incoming.get_nowait()
        self._reader.join(CLOSE_SECONDS)
        # Kill before waiting: until the wait, no other process can get the same process ID.
        kill_group = getattr(os, "killpg", None)
        with suppress(OSError):
            self.kill() if kill_group is None else kill_group(self.pid, signal.SIGKILL)
        self.wait()
        self._reader.join(CLOSE_SECONDS)
        self._writer.join(CLOSE_SECONDS)

    def shake_hands(self, options: Mapping[str, str]) -> None:
        """Ask the engine for its name and its options, and set some of them."""
        deadline = monotonic() + START_SECONDS
        self.send(GREETING)
        if " ".join(message := self.receive(deadline)) != GREETING:
            raise self.unexpected(*message)
        while (message := self.receive(deadline)) != ("ready", ""):
            word, rest = message
            name, _, domain = rest.partition(" ")
            is_new = name not in self.options and len(self.options) < MAX_OPTIONS
            if word == "name" and rest and rest.isprintable():
                self.title = rest
            elif word == "option" and is_new and accepts(domain, (domain.split(" ") * 2)[1]):
                self.options[name] = domain
            else:
                raise self.unexpected(*message)
        for name, value in options.items():
            domain = self.options.get(name, "missing")
            if not accepts(domain, value):
                values = {"engine": self.title, "option": name, "value": value}
                raise EngineError(reason("engine-option", **values, domain=domain))
            self.send(f"option {name} {value}")

    def begin(self, rules: Rules, user: ExternalPlayer, seed: int | None) -> None:
        """Begin a new game, with the option ``seed`` set if the engine has it."""
        self.rules = None
        match self.options.get("seed", "").split(" "):
            case ["integer", _, low, high] if seed is not None:
                self.send(f"option seed {int(low) + seed % (int(high) - int(low) + 1)}")
        self.send(f"newgame {format_rules(rules)}")
        word, why = self.receive(monotonic() + START_SECONDS)
        if word == "unsupported":
            raise self.failure(reason("engine-unsupported", engine=self.title, why=why[:200]))
        if word != "ready":
            raise self.unexpected(word, why)
        self.rules, self.user = rules, ref(user)


def _analysis_line(facts: str, node: Node) -> AnalysisLine | None:
    """Return the legal part of the line of an ``info``; ``None`` if it has no value."""
    facts, _, line = facts.partition(" line ")
    words = facts.split(" ")
    found = {"visits": "0", "depth": "0", **dict(zip(words[::2], words[1::2], strict=False))}
    actions, state = list[Action](), node.state if isinstance(node, HalfTurn) else node
    # A single step may end the line.
    with suppress(PonteError):
        for action in map(parse_action, line.split(" ")):
            state = state.apply(action)
            actions.append(action)
    try:
        numbers = float(found["value"]), inf, int(found["visits"]), int(found["depth"])
        return AnalysisLine(tuple(actions), *numbers, proven=False)
    except (KeyError, ValueError):
        return None


def _read(output: IO[bytes], lines: Queue[bytes], closing: Event) -> None:
    """Put each line into a queue; the last one is empty or incomplete."""
    with output:
        line = b"\n"
        while line.endswith(b"\n") and not closing.is_set():
            line = output.readline(MAX_BYTES + 1)
            lines.put(line)


def _write(input_: IO[bytes], messages: SimpleQueue[str | None]) -> None:
    """Write each message as soon as it is in the queue, until the engine ends."""
    with suppress(OSError), input_:
        for message in iter(messages.get, None):
            input_.write(f"{message}\n".encode())
            input_.flush()


class _Processes:
    """The processes that a player shares with the players that it returns for games."""

    def __init__(self) -> None:
        self.running: list[EngineProcess] = []
        finalize(self, _close, self.running)


def _close(processes: list[EngineProcess]) -> None:
    while processes:
        processes.pop().close()


@final
class ExternalPlayer(FinalClass):
    """A player in another program, which speaks the engine protocol.

    The program is started at once. It ends with :meth:`close`, when the player is garbage
    collected, or with this process. No shell reads the command. Players from :meth:`for_game` use
    the same process one after another; players in other Python processes start another one.

    >>> import sys
    >>> command = [sys.executable, "-m", "pontedeldiavolo", "engine", "greedy"]
    >>> with pdd.players.ExternalPlayer(command) as player:
    ...     player.name, player.choose(pdd.GameState.initial()) is not None
    ('greedy', True)

    Args:
        command: The program and its arguments; a string is split at spaces outside quotes.
        name: The player's name in matches and records; by default the engine's own.
        options: Options of the engine by name, with ``_`` for each hyphen. An option ``name``
            cannot be set.

    Raises:
        EngineError: If the engine cannot be started, the handshake fails, or an option is wrong.
        PonteError: If the name cannot be used.
    """

    def __init__(
        self, command: str | Sequence[str], *, name: str | None = None, **options: float | str
    ) -> None:
        if not isinstance(command, str):
            require_sequence(command, "str", "command")
            require_items(command, (str, os.PathLike), "command")
        for option, value in options.items():
            if not isinstance(value, str):
                real_number(value, option)
        self._command = command
        self._given_name: str | None = checked_name(name)
        self._options = {option.replace("_", "-"): str(value) for option, value in options.items()}
        self._seed: int | None = None
        self._processes = _Processes()
        process = self._started()
        self._title = process.title
        self._changed = {
            option: value
            for option, value in self._options.items()
            if value != default_of(process.options[option])
        }
        self._lines: tuple[Callable[[], AnalysisLine | None], ...] = ()

    @property
    def name(self) -> str:
        """The name that was given, or the name that the engine reports.

        After the engine's name come the options that have other values than the engine's defaults.
        """
        if self._given_name is not None:
            return self._given_name
        words = (f"{option} {_shown(value)}" for option, value in self._changed.items())
        return " ".join((self._title, *words))

    def _facts(self) -> dict[str, Fact]:
        return {"engine": self._title, "options": {**self._options}}

    @property
    def lines(self) -> tuple[AnalysisLine, ...]:
        """The lines of the last choice, best first, if the engine sends ``info`` with values.

        The protocol has no intervals, so ``half_width`` is infinite.
        """
        return tuple(line for each in self._lines if (line := each()) is not None)

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_processes": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state, _processes=_Processes())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End all processes; the next action starts a new one."""
        _close(self._processes.running)

    def for_game(self, seed: SupportsIndex) -> ExternalPlayer:
        """Return a player for a new game; the engine's option ``seed`` is set, if it has one."""
        player = copy(self)
        player._processes, player._seed = self._processes, whole_number(seed, "seed")
        player._lines = ()
        return player

    def prepare(self, rules: Rules) -> None:
        """Begin a game with these rules, before its clocks run.

        Raises:
            EngineError: If the engine fails, or does not support the rules.
        """
        require_type(rules, Rules, "rules")
        with self._process_of_game(rules):
            pass

    def start(self, node: Node) -> None:
        """Ask the engine to ponder: to think about a node in which the opponent is to move.

        The next choice ends pondering.

        Raises:
            EngineError: If a new game begins and the engine fails.
            PonteError: If the game is over.
        """
        require_unfinished(node, (GameState, HalfTurn), "node")
        with self._process_of_game(node.rules) as process:
            process.send(f"position state {format_node(node)}")
            process.send("ponder")

    def stop(self) -> None:
        """End the pondering that :meth:`start` began."""
        for process in self._processes.running:
            if process.user is not None and process.user() is self:
                process.send("stop")

    @overload
    def choose(self, state: GameState, *, clock: Clock | None = None) -> Action: ...
    @overload
    def choose(self, state: HalfTurn, *, clock: Clock | None = None) -> Step: ...
    def choose(self, state: Node, *, clock: Clock | None = None) -> Action | Step:
        """Return the engine's action; for a half turn, its step.

        Raises:
            EngineError: If the engine fails; its process is closed.
            PonteError: If the game is over.
        """
        require_unfinished(state, (GameState, HalfTurn))
        require_type(clock, Clock | None, "clock")
        with self._process_of_game(state.rules) as process:
            return self._answer(process, state, clock)

    @contextmanager
    def _process_of_game(self, rules: Rules) -> Iterator[EngineProcess]:
        """Use a process in which a game with these rules is under way."""
        process = self._free_process()
        try:
            if process.rules != rules or process.user is None or process.user() is not self:
                process.begin(rules, self, self._seed)
            yield process
        except BaseException:
            # After an interruption, the pending answer could be taken for the next one.
            process.close()
            raise

    def _answer(self, process: EngineProcess, node: Node, clock: Clock | None) -> Action | Step:
        process.send(f"position state {format_node(node)}")
        limit, deadline = "", monotonic() + THINK_SECONDS
        if clock is not None:
            deadline = monotonic() + clock.own + GRACE_SECONDS
            times = (clock.own, clock.other, clock.increment)
            limit = f" clock {' '.join(f'{1000 * each:.0f}' for each in times)}"
        process.send(f"go{limit}")
        infos: dict[int, str] = {}
        while (message := process.receive(deadline))[0] == "info":
            rank = INFO_RANK.search(message[1])
            if rank is None or len(rank[1]) <= RANK_DIGITS:
                infos[int(rank[1]) if rank else 1] = message[1]
        if message[0] != "best":
            raise process.unexpected(*message)
        parse = parse_step if isinstance(node, HalfTurn) else parse_action
        try:
            chosen: Action | Step = parse(message[1])
            if broken := cast(Any, node).violations(chosen):
                raise IllegalActionError(broken)
        except PonteError as error:
            why = reason("player-chose-illegal", player=process.title, fault=error.reason)
            raise process.failure(why) from error
        # They are parsed when they are asked for: at this point the engine's clock still runs.
        self._lines = tuple(partial(_analysis_line, infos[rank], node) for rank in sorted(infos))
        return chosen

    def _free_process(self) -> EngineProcess:
        """Return a process that no other player uses."""
        running = self._processes.running
        for each in [*running]:
            if not each.is_running:
                each.close()
                running.remove(each)
        free = (each for each in running if each.user is None or each.user() in (None, self))
        return next(free, None) or self._started()

    def _started(self) -> EngineProcess:
        """Start a process, and return it after the handshake."""
        command = self._command
        try:
            # Windows splits a string itself.
            is_text = isinstance(command, str) and os.sep == "/"
            process = EngineProcess(split(cast(str, command)) if is_text else command)
        except (IndexError, OSError, ValueError) as error:
            values = {"command": str(command), "problem": str(error)}
            raise EngineError(reason("engine-not-started", **values)) from error
        try:
            process.shake_hands(self._options)
        except BaseException:
            process.close()
            raise
        self._processes.running.append(process)
        return process
