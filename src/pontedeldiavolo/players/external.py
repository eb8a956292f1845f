"""Players in other programs, which speak the engine protocol."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from math import inf
from pathlib import Path
from queue import Empty, Full, Queue, SimpleQueue
from shlex import split
from subprocess import PIPE, Popen
from threading import Event, Thread
from time import monotonic, sleep
from typing import IO, Any, Final, Self, SupportsIndex, cast, final, overload
from weakref import finalize, ref

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import (
    PonteError,
    Reason,
    reason,
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

from .interrupts import held_signals
from .player import GRACE_SECONDS, AnalysisLine, Clock, EngineError, require_unfinished

GREETING: Final = "ponte 1"
"""The first message of both sides, with the version of the protocol."""
MAX_BYTES: Final = 100_000
"""The maximum length of a message, without its end of line."""
MAX_OPTIONS: Final = 1000
MAX_NAME: Final = 100
"""The maximum length of an engine's name, in characters; a longer one is cut."""
MAX_QUOTED: Final = 200
"""The maximum length of an engine's text in an error."""
START_SECONDS: Final = 60.0
"""The time that an engine has for the handshake, and for each new game."""
THINK_SECONDS: Final = 600.0
"""The time for an action without a clock, so that an engine that hangs cannot block a match."""
CLOSE_SECONDS: Final = 0.5
"""The time that an engine has to exit."""
CHECK_SECONDS: Final = 0.25
"""The time after which a thread that waits for an engine asks whether it still runs."""
FIRST_PAUSE_SECONDS: Final = 0.001
LAST_PAUSE_SECONDS: Final = 0.05
"""The pauses between questions whether a closed engine has ended; each is twice the last."""
CHUNK_BYTES: Final = 65_536
"""The maximum number of bytes that are read at once."""
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
                return "\n" not in value and _is_encodable(value)
    return False


def _is_encodable(text: str) -> bool:
    """Return whether a text has a form in UTF-8, which single surrogates have not."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _quoted(text: str) -> str:
    """Return the beginning of an engine's text, with escapes for what a terminal might obey."""
    shown = text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown)


@final
class EngineProcess(Popen[bytes]):
    """The process of an engine. No shell reads its command.

    Threads read and write: on some systems this is the only way to wait for a pipe with a timeout.
    The end of the process does not always end its pipes, because its children may hold them. So
    the process itself is asked whether it has ended.

    Args:
        command: The program and its arguments.

    Attributes:
        title: The name of the engine.
        options: Its options by name: type, default, and limits or choices.
        user: The player that uses it.
        rules: The rules of the game; ``None`` while there is no game to lose.
        is_closed: Whether :meth:`close` has been called.
    """

    def __init__(self, command: Sequence[str] | str) -> None:
        super().__init__(
            command,
            stdin=PIPE,
            stdout=PIPE,
            bufsize=0,
            # Ctrl-C at the terminal does not reach a separate session or, on Windows, group.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.title: str = command if isinstance(command, str) else command[0]
        self.options: dict[str, str] = {}
        self.user: ref[ExternalPlayer] | None = None
        self.rules: Rules | None = None
        self.is_closed = False
        self._reader = _Reader(cast(IO[bytes], self.stdout))
        self._writer = _Writer(cast(IO[bytes], self.stdin))
        self._reader.start()
        self._writer.start()

    @property
    def is_running(self) -> bool:
        """True while the engine can answer."""
        return not self.is_closed and self._reader.is_alive() and not self.has_ended

    @property
    def has_ended(self) -> bool:
        """True if the process has ended, even if its children hold its pipes."""
        wait_id = getattr(os, "waitid", None)
        if self.returncode is not None or wait_id is None:
            return self.poll() is not None
        # The process stays waitable, so that no other one can get its ID before it is closed.
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            return wait_id(os.P_PID, self.pid, flags) is not None
        except ChildProcessError:
            # Other code of this process has waited for it.
            return True

    def send(self, message: str) -> None:
        """Send a message; if the engine has ended, the message is lost."""
        self._writer.messages.put(f"{message}\n".encode())

    def receive(self, deadline: float) -> tuple[str, str]:
        """Return the first word of the next message, and the rest.

        Args:
            deadline: A time on the clock of ``time.monotonic``.

        Raises:
            EngineError: If the engine has ended, is late, or writes something that is no message.
        """
        line = self._next_line(deadline)
        if not line:
            raise self.ended()
        try:
            word, _, rest = line.decode().rstrip("\r\n").partition(" ")
        except UnicodeDecodeError:
            word, rest = "", ""
        if not word or not line.endswith(b"\n"):
            raise self.unexpected(str(line)[2:-1])
        return word, rest

    def _next_line(self, deadline: float) -> bytes:
        """Return the next line; an empty one if the engine has ended.

        Raises:
            EngineError: If the engine is late.
        """
        has_ended = False
        while True:
            left = deadline - monotonic()
            try:
                return self._reader.lines.get(timeout=max(0.0, min(left, CHECK_SECONDS)))
            except Empty:
                if has_ended:
                    # It had ended before this wait began, so all its lines have been read.
                    return b""
            has_ended = self.has_ended
            if has_ended:
                # The reader gets the time to deliver the last lines, even after the deadline.
                deadline = max(deadline, monotonic() + CHECK_SECONDS)
            elif left <= CHECK_SECONDS:
                raise self.late()

    def late(self) -> EngineError:
        """Return the error for an engine that has exceeded its time."""
        return self.failure(reason("engine-late", engine=self.title), Ending.TIME)

    def ended(self) -> EngineError:
        """Close an engine that has ended, and return the error for it."""
        self.close()
        status = str(self.returncode)
        return self.failure(reason("engine-ended", engine=self.title, status=status))

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
        if self.is_closed:
            return
        self.is_closed = True
        self.send("quit")
        self._writer.messages.put(None)
        # An engine that still writes must not block before it reads the message.
        self._reader.discard()
        try:
            self._wait_for_end(CLOSE_SECONDS)
        finally:
            self._kill()
            # Children of the engine in other sessions may hold its pipes for ever.
            for thread in (self._reader, self._writer):
                thread.stop()
        for thread in (self._reader, self._writer):
            thread.join(CLOSE_SECONDS)

    def _kill(self) -> None:
        """Kill the process and its children."""
        # Kill before waiting: until the wait, no other process can get the same process ID.
        kill_group = getattr(os, "killpg", None)
        with suppress(OSError):
            if kill_group is None:
                self.kill()
            else:
                kill_group(self.pid, signal.SIGKILL)
        self.wait()

    def _wait_for_end(self, seconds: float) -> None:
        """Wait until the process has ended, but at most for some seconds."""
        deadline = monotonic() + seconds
        pause = FIRST_PAUSE_SECONDS
        while not self.has_ended and monotonic() < deadline:
            sleep(pause)
            pause = min(2 * pause, LAST_PAUSE_SECONDS)

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
                self.title = rest if len(rest) <= MAX_NAME else f"{rest[: MAX_NAME - 1]}…"
            elif word == "option" and is_new and accepts(domain, (domain.split(" ") * 2)[1]):
                self.options[name] = domain
            else:
                raise self.unexpected(*message)
        for name, value in options.items():
            domain = self.options.get(name, "missing")
            if not accepts(domain, value):
                values = {"engine": self.title, "option": name, "value": _quoted(value)}
                raise EngineError(reason("engine-option", **values, domain=_quoted(domain)))
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
            values = {"engine": self.title, "why": _quoted(why)}
            raise self.failure(reason("engine-unsupported", **values))
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


class _PipeThread(Thread):
    """A thread that reads or writes a pipe until it is told to stop.

    Where the system has ``poll``, the thread never blocks in the pipe, so that it ends even if
    another process keeps the other end open. On Windows it ends with the last such process.
    """

    def __init__(self, pipe: IO[bytes], event: int) -> None:
        super().__init__(daemon=True)
        self.pipe = pipe
        self._event = event
        self._is_over = Event()

    def stop(self) -> None:
        """End the thread soon."""
        self._is_over.set()

    def wait_for_pipe(self) -> bool:
        """Wait until the pipe can be used; return ``False`` if the thread is to end."""
        poll = getattr(select, "poll", None)
        if poll is None:
            return not self._is_over.is_set()
        poller = poll()
        poller.register(self.pipe.fileno(), self._event)
        while not self._is_over.is_set():
            if poller.poll(1000 * CHECK_SECONDS):
                return True
        return False


class _Reader(_PipeThread):
    """The thread that reads the lines of an engine.

    Attributes:
        lines: The lines. The last one is empty or incomplete.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe, getattr(select, "POLLIN", 0))
        self.lines: Queue[bytes] = Queue(QUEUED_LINES)
        self._is_discarding = Event()

    def discard(self) -> None:
        """Read on, but keep no more lines."""
        self._is_discarding.set()

    def run(self) -> None:
        """Put each line into the queue until the engine ends."""
        with self.pipe:
            unfinished = b""
            while self.wait_for_pipe():
                chunk = os.read(self.pipe.fileno(), CHUNK_BYTES)
                *lines, unfinished = (unfinished + chunk).split(b"\n")
                for line in lines:
                    if len(line) > MAX_BYTES:
                        self._put(line[:MAX_BYTES])
                        return
                    self._put(line + b"\n")
                if not chunk or len(unfinished) > MAX_BYTES:
                    self._put(unfinished[:MAX_BYTES])
                    return

    def _put(self, line: bytes) -> None:
        while not self._is_discarding.is_set():
            with suppress(Full):
                self.lines.put(line, timeout=CHECK_SECONDS)
                return


class _Writer(_PipeThread):
    """The thread that writes messages to an engine.

    Attributes:
        messages: The messages; ``None`` is the last one.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe, getattr(select, "POLLOUT", 0))
        self.messages: SimpleQueue[bytes | None] = SimpleQueue()

    def run(self) -> None:
        """Write each message as soon as it is in the queue, until the engine ends."""
        # So much can be written without blocking to a pipe that is ready.
        size = getattr(select, "PIPE_BUF", MAX_BYTES)
        with suppress(OSError), self.pipe:
            for message in iter(self.messages.get, None):
                for start in range(0, len(message), size):
                    if not self.wait_for_pipe():
                        return
                    os.write(self.pipe.fileno(), message[start : start + size])


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
        command: The program and its arguments; a string is split at spaces outside quotes. The
            program runs for as long as the engine does: when it ends, the engine has ended.
        options: Options of the engine by name, with ``_`` for each hyphen.

    Raises:
        EngineError: If the engine cannot be started, the handshake fails, or an option is wrong.
    """

    def __init__(
        self, command: str | Sequence[str | os.PathLike[str]], **options: float | str
    ) -> None:
        self._command = _checked_command(command)
        self._options = {name.replace("_", "-"): str(value) for name, value in options.items()}
        self._seed: int | None = None
        self._processes = _Processes()
        self._name = self._started().title
        self._lines: tuple[Callable[[], AnalysisLine | None], ...] = ()

    @property
    def name(self) -> str:
        """The name that the engine reports, or the beginning of one of over 100 characters."""
        return self._name

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
        with self._process_of_game(state.rules) as process:
            return self._answer(process, state, clock)

    @contextmanager
    def _process_of_game(self, rules: Rules) -> Iterator[EngineProcess]:
        """Use a process in which a game with these rules is under way."""
        process = self._free_process(rules)
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
            if monotonic() > deadline:
                # An engine that writes without pause is late as well.
                raise process.late()
            rank = INFO_RANK.search(message[1])
            if rank is None or len(rank[1]) <= RANK_DIGITS:
                infos[int(rank[1]) if rank else 1] = message[1]
        if message[0] != "best":
            raise process.unexpected(*message)
        chosen = _parsed_choice(process, message[1], node)
        if broken := cast(Any, node).violations(chosen):
            illegal = IllegalActionError(broken)
            why = reason("player-chose-illegal", player=process.title, fault=illegal.reason)
            raise process.failure(why) from illegal
        # They are parsed when they are asked for: at this point the engine's clock still runs.
        self._lines = tuple(partial(_analysis_line, infos[rank], node) for rank in sorted(infos))
        return chosen

    def _free_process(self, rules: Rules) -> EngineProcess:
        """Return a process that no other player uses.

        Raises:
            EngineError: If the process with the game of this player has ended, or none starts.
        """
        running = self._processes.running
        failure: EngineError | None = None
        for each in [*running]:
            if not each.is_running:
                running.remove(each)
                is_own = each.user is not None and each.user() is self
                if is_own and each.rules == rules and not each.is_closed:
                    failure = each.ended()
                each.close()
        if failure is not None:
            # The game goes on in no other process without a word.
            raise failure
        free = (each for each in running if each.user is None or each.user() in (None, self))
        return next(free, None) or self._started()

    def _started(self) -> EngineProcess:
        """Start a process, and return it after the handshake."""
        process: EngineProcess | None = None
        try:
            with held_signals():
                process = _started_process(self._command)
            process.shake_hands(self._options)
        except BaseException:
            if process is not None:
                process.close()
            raise
        self._processes.running.append(process)
        return process


def _parsed_choice(process: EngineProcess, text: str, node: Node) -> Action | Step:
    """Return the action or step that an engine has chosen.

    Raises:
        EngineError: If the text is neither.
    """
    is_half = isinstance(node, HalfTurn)
    parse: Callable[[str], Action | Step] = parse_step if is_half else parse_action
    try:
        return parse(text)
    except PonteError as error:
        code = "engine-no-step" if is_half else "engine-no-action"
        why = reason(code, engine=process.title, answer=f"{text[:40]!a}")
        raise process.failure(why) from error


def _checked_command(
    command: str | Sequence[str | os.PathLike[str]],
) -> str | list[str]:
    """Return the command of an engine, if it can be one.

    Raises:
        EngineError: If it is empty, or contains a NUL character.
    """
    require_type(command, (str, Sequence), "command")
    # Bytes are sequences, too, but of numbers.
    if isinstance(command, bytes | bytearray | memoryview):
        require_type(command, str, "command")
    checked: str | list[str]
    if isinstance(command, str):
        checked = command
        words = [command.strip()]
    else:
        for word in command:
            require_type(word, (str, os.PathLike), "an item of command")
        checked = [os.fspath(word) for word in command]
        words = checked
    if not words or not words[0].strip():
        raise EngineError(reason("engine-no-command"))
    if any("\0" in word for word in words):
        raise EngineError(reason("engine-command-nul", command=f"{str(command)[:MAX_QUOTED]!a}"))
    return checked


def _started_process(command: str | list[str]) -> EngineProcess:
    """Start a program.

    Raises:
        EngineError: If it cannot be started.
    """
    shown = _quoted(str(command))
    words: str | list[str] = command
    # Windows splits a string itself.
    if isinstance(command, str) and os.sep == "/":
        try:
            words = split(command)
        except ValueError as error:
            quote = reason("engine-command-quote")
            why = reason("engine-not-started", command=shown, problem=quote)
            raise EngineError(why) from error
        # Quotes around nothing are a word, too.
        if not words or not words[0].strip():
            raise EngineError(reason("engine-no-command"))
    try:
        return EngineProcess(words)
    except (OSError, ValueError) as error:
        problem = _start_problem(words, error)
        raise EngineError(reason("engine-not-started", command=shown, problem=problem)) from error


def _start_problem(words: str | list[str], error: OSError | ValueError) -> Reason | str:
    """Return the reason why a program cannot be started."""
    if isinstance(error, PermissionError) and not isinstance(words, str):
        program = Path(words[0])
        with suppress(OSError):
            if program.is_dir():
                return reason("engine-command-folder")
            if program.is_file() and not os.access(program, os.X_OK):
                return reason("engine-command-not-executable")
    return getattr(error, "strerror", None) or str(error)
