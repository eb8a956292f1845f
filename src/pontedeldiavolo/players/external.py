"""Players in other programs, which speak the engine protocol."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from functools import partial
from math import inf
from pathlib import Path
from shlex import split
from threading import Lock
from time import monotonic
from typing import Any, Final, Self, SupportsIndex, cast, final, overload
from weakref import finalize, ref

from pontedeldiavolo.base.errors import (
    PonteError,
    Reason,
    printable,
    real_number,
    reason,
    require_items,
    require_sequence,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.exclusive import Calls, exclusive
from pontedeldiavolo.notation.actions import parse_action, parse_step
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.rules.actions import Action, Step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .engine_process import MAX_QUOTED, EngineProcess, default_of, quoted
from .identity import Fact, checked_name
from .interrupts import held_signals
from .player import GRACE_SECONDS, AnalysisLine, Clock, EngineError, require_unfinished

THINK_SECONDS: Final = 600.0
"""The time for an action without a clock, so that an engine that hangs cannot block a match."""
SHOWN_CHARACTERS: Final = 40
"""The maximum length of the value of an option in the name of a player."""
RANK_DIGITS: Final = 3
INFO_RANK: Final = re.compile(r"(?:^| )rank (\d+)(?= |$)")
"""The rank of a line of analysis in an ``info`` message."""


def _shown(value: str) -> str:
    """Return a short printable form of the value of an option, for a name."""
    text = printable(value)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}…"


def _analysis_line(facts: str, node: Node) -> AnalysisLine | None:
    """Return the legal part of the line of an ``info``; ``None`` if it has no value."""
    facts, _, line = facts.partition(" line ")
    words = facts.split(" ")
    found = {"visits": "0", "depth": "0", **dict(zip(words[::2], words[1::2], strict=False))}
    actions = list[Action]()
    state = node.state if isinstance(node, HalfTurn) else node
    # A single step may end the line.
    with suppress(PonteError):
        for action in map(parse_action, line.split(" ")):
            state = state.apply(action)
            actions.append(action)
    try:
        return AnalysisLine(
            actions=tuple(actions),
            value=float(found["value"]),
            half_width=inf,
            visits=int(found["visits"]),
            depth=int(found["depth"]),
            proven=False,
        )
    except (KeyError, ValueError):
        return None


class _Processes:
    """The processes that a player shares with the players that it returns for games."""

    def __init__(self) -> None:
        self.running: list[EngineProcess] = []
        self.lock = Lock()
        finalize(self, _close, self.running)


def _close(processes: list[EngineProcess]) -> None:
    while processes:
        processes.pop().close()


@final
class ExternalPlayer:
    """A player in another program, which speaks the engine protocol.

    The program is started at once. It ends with :meth:`close`, when the player is garbage
    collected, or with this process. No shell reads the command. Players from :meth:`for_game` use
    the same process one after another; players in other Python processes start another one.

    Only one thread at a time may use a player: :meth:`choose`, :meth:`prepare` or :meth:`ponder`
    during such a call of another thread raises a :class:`~pontedeldiavolo.PonteError`. Different
    players may be used in different threads: those that :meth:`for_game` returned then use a
    process each. :meth:`stop` and :meth:`close` may be called from any thread.

    >>> import sys
    >>> command = [sys.executable, "-m", "pontedeldiavolo", "engine", "greedy"]
    >>> with pdd.players.ExternalPlayer(command) as player:
    ...     player.name, player.choose(pdd.GameState.initial()) is not None
    ('greedy', True)

    Args:
        command: The program and its arguments; a string is split at spaces outside quotes. The
            program runs for as long as the engine does: when it ends, the engine has ended.
        name: The player's name in matches and records; by default the engine's own.
        options: Options of the engine by name, with ``_`` for each hyphen. An option ``name``
            cannot be set.

    Raises:
        EngineError: If the engine cannot be started, the handshake fails, or an option is wrong.
        PonteError: If the name cannot be used.
    """

    def __init__(
        self,
        command: str | Sequence[str | os.PathLike[str]],
        *,
        name: str | None = None,
        **options: float | str,
    ) -> None:
        self._command = _checked_command(command)
        for option, value in options.items():
            if not isinstance(value, str):
                real_number(value, option)
        self._calls = Calls()
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

        A reported name of over 100 characters is cut. After it come the options that have other
        values than the engine's defaults.
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
        self.__dict__.update(state, _processes=_Processes(), _calls=Calls())

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
        player._processes = self._processes
        player._seed = whole_number(seed, "seed")
        player._lines = ()
        return player

    @exclusive
    def prepare(self, rules: Rules) -> None:
        """Begin a game with these rules, before its clocks run.

        Raises:
            EngineError: If the engine fails, or does not support the rules.
        """
        require_type(rules, Rules, "rules")
        with self._process_of_game(rules):
            pass

    @exclusive
    def ponder(self, node: Node) -> None:
        """Ask the engine to ponder: to think about a node in which the opponent is to move.

        The next choice ends pondering.

        Raises:
            EngineError: If a new game begins and the engine fails.
            PonteError: If the game is over.
        """
        require_unfinished(node, (GameState, HalfTurn), "node")
        with self._process_of_game(node.rules) as process:
            process.send(f"position state {format_state(node)}")
            process.send("ponder")

    def stop(self) -> None:
        """End the pondering that :meth:`ponder` began."""
        for process in self._processes.running:
            if process.user is not None and process.user() is self:
                process.send("stop")

    @overload
    def choose(self, state: GameState, *, clock: Clock | None = None) -> Action: ...
    @overload
    def choose(self, state: HalfTurn, *, clock: Clock | None = None) -> Step: ...
    @exclusive
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
        process = self._free_process(rules)
        try:
            if process.rules is None or process.rules != rules:
                process.begin(rules, self, self._seed)
            yield process
        except BaseException:
            # After an interruption, the pending answer could be taken for the next one.
            process.close()
            raise

    def _answer(self, process: EngineProcess, node: Node, clock: Clock | None) -> Action | Step:
        process.send(f"position state {format_state(node)}")
        limit = ""
        deadline = monotonic() + THINK_SECONDS
        if clock is not None:
            deadline = monotonic() + clock.own + GRACE_SECONDS
            times = (clock.own, clock.other, clock.increment)
            limit = f" clock {' '.join(f'{1000 * each:.0f}' for each in times)}"
        process.send(f"go{limit}")
        facts_by_rank: dict[int, str] = {}
        word, rest = process.receive(deadline)
        while word == "info":
            if monotonic() > deadline:
                # An engine that writes without pause is late as well.
                raise process.late()
            rank = INFO_RANK.search(rest)
            if rank is None:
                facts_by_rank[1] = rest
            elif len(rank[1]) <= RANK_DIGITS:
                facts_by_rank[int(rank[1])] = rest
            word, rest = process.receive(deadline)
        if word != "best":
            raise process.unexpected(word, rest)
        chosen = _parsed_choice(process, rest, node)
        if broken := cast(Any, node).violations(chosen):
            illegal = IllegalActionError(broken)
            why = reason("player-chose-illegal", player=process.title, fault=illegal.reason)
            raise process.failure(why) from illegal
        # The lines are parsed only on request: here the engine's clock is still running.
        ranked = sorted(facts_by_rank.items())
        self._lines = tuple(partial(_analysis_line, facts, node) for _, facts in ranked)
        return chosen

    def _free_process(self, rules: Rules) -> EngineProcess:
        """Return a process that no other player uses, and reserve it for this one.

        Raises:
            EngineError: If the process with the game of this player has ended, or none starts.
        """
        running = self._processes.running
        # Two players in different threads must not find the same process. The lock is held for a
        # moment only: to start or to close a process takes seconds, in which other players play.
        with self._processes.lock:
            ended = [each for each in running if not each.is_running]
            for each in ended:
                # Another thread may have closed the player.
                with suppress(ValueError):
                    running.remove(each)
            lost = next((each for each in ended if self._has_game_in(each, rules)), None)
            free = (each for each in running if each.user is None or each.user() in (None, self))
            process = next(free, None) if lost is None else None
            if process is not None and (process.user is None or process.user() is not self):
                # A game of this player has not begun in it.
                process.rules = None
                process.user = ref(self)
        # Do not silently continue the game in another process.
        failure = None if lost is None else lost.ended()
        for each in ended:
            each.close()
        if failure is not None:
            raise failure
        return self._started(self) if process is None else process

    def _has_game_in(self, process: EngineProcess, rules: Rules) -> bool:
        """Return whether a game of this player with these rules is under way in a process."""
        is_own = process.user is not None and process.user() is self
        return is_own and process.rules == rules and not process.is_closed

    def _started(self, user: ExternalPlayer | None = None) -> EngineProcess:
        """Start a process that is reserved for a user, and return it after the handshake."""
        process: EngineProcess | None = None
        try:
            with held_signals():
                process = _started_process(self._command)
            process.shake_hands(self._options)
            if user is not None:
                process.user = ref(user)
            self._processes.running.append(process)
        except BaseException:
            if process is not None:
                process.close()
            raise
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
    if not isinstance(command, str):
        require_sequence(command, "str", "command")
        require_items(command, (str, os.PathLike), "command")
    checked: str | list[str]
    if isinstance(command, str):
        checked = command
        words = [command.strip()]
    else:
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
    shown = quoted(str(command))
    words: str | list[str] = command
    # Windows splits a string itself.
    if isinstance(command, str) and os.sep == "/":
        try:
            words = split(command)
        except ValueError as error:
            quote = reason("engine-command-quote")
            why = reason("engine-not-started", command=shown, problem=quote)
            raise EngineError(why) from error
        # A pair of quotes with nothing between them is a word, too.
        if not words or not words[0].strip():
            raise EngineError(reason("engine-no-command"))
    try:
        return EngineProcess(words)
    # A RuntimeError says that the system has no thread left.
    except (OSError, RuntimeError, ValueError) as error:
        problem = _start_problem(words, error)
        raise EngineError(reason("engine-not-started", command=shown, problem=problem)) from error


def _start_problem(
    words: str | list[str], error: OSError | RuntimeError | ValueError
) -> Reason | str:
    """Return the reason why a program cannot be started."""
    if isinstance(error, PermissionError) and not isinstance(words, str):
        program = Path(words[0])
        with suppress(OSError):
            if program.is_dir():
                return reason("engine-command-folder")
            if program.is_file() and not os.access(program, os.X_OK):
                return reason("engine-command-not-executable")
    return getattr(error, "strerror", None) or str(error)
