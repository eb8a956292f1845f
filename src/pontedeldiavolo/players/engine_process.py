"""The process of an engine: its pipes, its end, and the messages of a handshake."""

from __future__ import annotations

import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue, SimpleQueue
from subprocess import PIPE, Popen
from threading import Event, Thread
from time import monotonic, sleep
from typing import IO, Final, cast, final
from weakref import ref

from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import Reason, printable, reason
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.rules.rules import Rules

from .player import EngineError, Player

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
CLOSE_SECONDS: Final = 0.5
"""The time that an engine has to exit."""
CHECK_SECONDS: Final = 0.25
"""The time after which a thread that waits for an engine asks whether it still runs."""
FIRST_PAUSE_SECONDS: Final = 0.001
LAST_PAUSE_SECONDS: Final = 0.05
"""The pauses between questions whether a closed engine has ended; each is twice the last."""
CHUNK_BYTES: Final = 65_536
"""The maximum number of bytes that are read at once."""
QUEUED_LINES: Final = 100
"""The maximum number of unread messages from an engine; beyond it, the engine's output blocks."""


def default_of(domain: str) -> str:
    """Return the default of an option, from its type, default and limits or choices."""
    kind, _, rest = domain.partition(" ")
    return rest if kind == "text" else rest.partition(" ")[0]


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
    """Return whether UTF-8 can encode a text; it cannot encode unpaired surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def quoted(text: str) -> str:
    """Return the beginning of an engine's text, with terminal control characters escaped."""
    shown = text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"
    return printable(shown)


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
        self.user: ref[Player] | None = None
        self.rules: Rules | None = None
        self.is_closed: bool = False
        self._reader = _Reader(cast(IO[bytes], self.stdout))
        self._writer = _Writer(cast(IO[bytes], self.stdin))
        try:
            self._reader.start()
            self._writer.start()
        except BaseException:
            # The system has no thread left. End the process here: nothing else would.
            self._leave_no_process()
            raise

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
            EngineError: If the engine has ended, is late, or writes a line that is not a message.
        """
        line = self._next_line(deadline)
        if not line:
            raise self.ended()
        try:
            word, _, rest = line.decode().rstrip("\r\n").partition(" ")
        except UnicodeDecodeError:
            word = ""
            rest = ""
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
        # A message of a single word has an empty rest.
        message = f"{' '.join(filter(None, words))[:40]!a}"
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

    def _leave_no_process(self) -> None:
        """End the process although its threads have not both started."""
        self.is_closed = True
        self._kill()
        # A thread that has started closes its pipe itself.
        for thread in (self._reader, self._writer):
            thread.stop()
            if thread.ident is None:
                thread.pipe.close()
            else:
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
        """Wait until the process has ended, but no longer than a number of seconds."""
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
            elif word == "option" and is_new and accepts(domain, default_of(domain)):
                self.options[name] = domain
            else:
                raise self.unexpected(*message)
        for name, value in options.items():
            domain = self.options.get(name, "missing")
            if not accepts(domain, value):
                values = {"engine": self.title, "option": name, "value": quoted(value)}
                raise EngineError(reason("engine-option", **values, domain=quoted(domain)))
            self.send(f"option {name} {value}")

    def begin(self, rules: Rules, user: Player, seed: int | None) -> None:
        """Begin a new game, with the option ``seed`` set if the engine has it."""
        self.rules = None
        match self.options.get("seed", "").split(" "):
            case ["integer", _, low, high] if seed is not None:
                self.send(f"option seed {int(low) + seed % (int(high) - int(low) + 1)}")
        self.send(f"newgame {format_rules(rules)}")
        word, why = self.receive(monotonic() + START_SECONDS)
        if word == "unsupported":
            values = {"engine": self.title, "why": quoted(why)}
            raise self.failure(reason("engine-unsupported", **values))
        if word != "ready":
            raise self.unexpected(word, why)
        self.rules = rules
        self.user = ref(user)


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
        # A pipe that is ready takes this many bytes without blocking.
        size = getattr(select, "PIPE_BUF", MAX_BYTES)
        with suppress(OSError), self.pipe:
            for message in iter(self.messages.get, None):
                for start in range(0, len(message), size):
                    if not self.wait_for_pipe():
                        return
                    os.write(self.pipe.fileno(), message[start : start + size])
