"""Test that an engine follows the engine protocol: ``python check_engine.py ./engine``.

Each test starts the engine and prints one line. If a test fails, the last messages follow, ``>`` to
the engine and ``<`` from it, and the exit status is 1.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from queue import Empty, Queue
from typing import IO, TypeAlias, cast

import pontedeldiavolo as pdd

RULES = (
    "6x6 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges",
    "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges",
    "10x10 tiles=40 bridges=15 tiebreaks=islands,bridges",
    "7x9 tiles=12 bridges=0 tiebreaks=none",
)
START_SECONDS = 60.0
GRACE_SECONDS = 0.05
EXIT_SECONDS = 5.0
SHOWN_MESSAGES = 12


class CheckError(Exception):
    """The engine does not follow the protocol."""


def expect(condition: object, expected: str) -> None:
    """Raise an error unless a condition is true."""
    if not condition:
        raise CheckError(f"expected {expected}")


class Conversation(subprocess.Popen[bytes]):
    """An engine, and the messages to it and from it.

    Args:
        command: The program and its arguments.
    """

    def __init__(self, command: list[str]) -> None:
        super().__init__(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages: list[str] = []
        self.input = cast(IO[bytes], self.stdin)
        self.lines: Queue[bytes] = Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with cast(IO[bytes], self.stdout) as output:
            for line in output:
                self.lines.put(line)
        self.lines.put(b"")

    def send(self, message: str) -> None:
        """Send a message."""
        self.messages.append(f"> {message}")
        # If the engine has ended, there is no answer.
        with suppress(OSError):
            self.input.write(f"{message}\n".encode())
            self.input.flush()

    def next_line(self, end: float) -> bytes:
        """Return the next line; an empty one if the engine has ended."""
        while True:
            # Its children may keep the pipe open, so the process itself is asked.
            has_ended = self.poll() is not None
            with suppress(Empty):
                return self.lines.get(timeout=min(0.25, max(0, end - time.monotonic())))
            if has_ended:
                return b""
            expect(time.monotonic() < end, "an answer in time")

    def receive(self, seconds: float) -> str:
        """Return the next message."""
        line = self.next_line(time.monotonic() + min(max(0, seconds), 3600))
        expect(line.endswith(b"\n"), "a message, but the engine has ended")
        text = line.decode(errors="backslashreplace").rstrip("\r\n")
        self.messages.append(f"< {text}")
        return text

    def shake_hands(self) -> None:
        """Ask the engine for its name and its options."""
        self.send("ponte 1")
        expect(self.receive(START_SECONDS) == "ponte 1", "ponte 1")
        expect(self.receive(START_SECONDS).startswith("name "), "name TEXT")
        while (line := self.receive(START_SECONDS)) != "ready":
            expect(line.startswith("option "), "option NAME TYPE DEFAULT …, or ready")

    def new_game(self, rules: pdd.Rules) -> bool:
        """Begin a game; return whether the engine supports its rules."""
        self.send(f"newgame {pdd.format_rules(rules)}")
        answer = self.receive(START_SECONDS)
        expect(answer == "ready" or answer.startswith("unsupported "), "ready or unsupported")
        return answer == "ready"

    def answer(self, seconds: float) -> str:
        """Return the text of the next ``best``."""
        end = time.monotonic() + seconds
        while (line := self.receive(end - time.monotonic())).startswith("info "):
            words = line.split(" line ")[0].split(" ")[1:]
            facts = dict(zip(words[::2], words[1::2], strict=False))
            expect(len(words) % 2 == 0, "pairs of a word and a value after info")
            expect(-1 <= float(facts.get("value", 0)) <= 1, "a value from -1 to 1")
        expect(line.startswith("best "), "best and an action")
        return line.removeprefix("best ")

    def choose(
        self, state: pdd.GameState, go: str = "go nodes 1", seconds: float = inf, moves: str = ""
    ) -> pdd.Action:
        """Return the engine's action in a state, which is sent as a text or as moves."""
        self.send(moves or f"position state {pdd.format_state(state)}")
        self.send(go)
        action = pdd.parse_action(self.answer(seconds))
        wrong = state.violations(action)
        expect(not wrong, f"a legal action. {pdd.messages.explain(wrong)}")
        return action


def check_whole_games(talk: Conversation, start: pdd.GameState) -> None:
    """Play a game from each seat against random actions, with positions as states and as moves."""
    for seat in pdd.Seat:
        rng = random.Random(1)
        game = pdd.Game.new(start.rules)
        moves = "position moves"
        talk.new_game(start.rules)
        while game.ending is None:
            if game.state.seat_to_move is seat:
                action = talk.choose(game.state, moves="" if len(game.actions) % 3 else moves)
            else:
                action = game.state.legal_actions.sample(rng)
            game = game.play(action)
            moves = f"{moves} {pdd.format_action(action)}"


def check_limits(talk: Conversation, start: pdd.GameState) -> None:
    """Test each limit twice, and judge the second time, because the first one may compile."""
    for go, seconds in (("go time 200", 0.2), ("go clock 300 9000 0", 0.3), ("go nodes 5", inf)):
        talk.choose(start, go)
        talk.choose(start, go, seconds + GRACE_SECONDS)


def check_stop(talk: Conversation, start: pdd.GameState) -> None:
    """Stop a search that would take an hour."""
    talk.send(f"position state {pdd.format_state(start)}")
    talk.send("go time 3600000")
    talk.send("stop")
    expect(start.is_legal(pdd.parse_action(talk.answer(START_SECONDS))), "a legal action")


def check_ponder(talk: Conversation, start: pdd.GameState) -> None:
    """Let the engine ponder until the next message."""
    talk.send(f"position state {pdd.format_state(start)}")
    talk.send("ponder")
    talk.choose(start, "go time 200", START_SECONDS)


def check_steps(talk: Conversation, start: pdd.GameState) -> None:
    """Ask for the tiles of a pair one by one; the engine chooses them or answers with an error."""
    node: pdd.Node = start
    while node is start or isinstance(node, pdd.HalfTurn):
        talk.send(f"position state {pdd.format_state(node)}")
        talk.send("go step nodes 1")
        line = talk.receive(START_SECONDS)
        while line.startswith("info "):
            line = talk.receive(START_SECONDS)
        if line.startswith("error "):
            node = node.step(node.legal_steps[0])
        else:
            step = pdd.parse_step(line.removeprefix("best "))
            expect(node.is_legal(step), "a legal step")
            node = node.step(step)


def check_unknown_messages(talk: Conversation, start: pdd.GameState) -> None:
    """Send an unknown message: the engine answers with an error and goes on."""
    talk.send("no-such-message 1")
    expect(talk.receive(START_SECONDS).startswith("error "), "error and a text")
    talk.choose(start)


def check_quit(talk: Conversation, _start: pdd.GameState) -> None:
    """Send ``quit``: the engine exits soon."""
    talk.send("quit")
    talk.wait(EXIT_SECONDS)


def check_end_of_input(talk: Conversation, _start: pdd.GameState) -> None:
    """End the input: the engine exits."""
    talk.input.close()
    talk.wait(EXIT_SECONDS)


Check: TypeAlias = Callable[[Conversation, pdd.GameState], None]
CHECKS: tuple[Check, ...] = (
    *(check_limits, check_stop, check_ponder, check_steps),
    *(check_unknown_messages, check_quit, check_end_of_input),
)


@contextmanager
def talking(command: list[str]) -> Iterator[Conversation]:
    """Start an engine, and kill it at the end."""
    talk = Conversation(command)
    try:
        yield talk
    finally:
        talk.kill()
        talk.wait()
        with suppress(OSError):
            talk.input.close()


def result(command: list[str], check: Check, all_rules: list[pdd.Rules]) -> str:
    """Return the result of a check in games with some rules: ``good``, or the fault."""
    with talking(command) as talk:
        try:
            talk.shake_hands()
            for rules in all_rules:
                if not talk.new_game(rules):
                    return "unsupported"
                check(talk, pdd.GameState.initial(rules))
        except (CheckError, ValueError, subprocess.TimeoutExpired) as error:
            return "\n    ".join([str(error), *talk.messages[-SHOWN_MESSAGES:]])
    return "good"


def failures(command: list[str]) -> int:
    """Run all checks, print their results, and return the number of failures."""
    found = 0
    supported = list[pdd.Rules]()
    for rules in map(pdd.parse_rules, RULES):
        said = result(command, check_whole_games, [rules])
        print(f"games by {pdd.format_rules(rules)}: {said}")
        found += said not in ("good", "unsupported")
        supported += [rules] if said == "good" else []
    for check in CHECKS if supported else ():
        said = result(command, check, supported[:1])
        print(f"{check.__name__.removeprefix('check_').replace('_', ' ')}: {said}")
        found += said != "good"
    return found or not supported


if __name__ == "__main__":
    sys.exit(1 if failures(sys.argv[1:]) else 0)
