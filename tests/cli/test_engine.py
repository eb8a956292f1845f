"""``engine``: a player of the library as an engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from io import BytesIO
from threading import Event
from typing import cast

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players import AnalysisLine
from pontedeldiavolo.players.engine import Engine, messages_of
from pontedeldiavolo.players.registry import FACTORIES, PlayerFactory, parse_spec
from support.commands import invoke, lines_of
from support.games import SMALL

HELLO = ["ponte 1", "name greedy", "option seed integer 0 0 4294967295", "ready"]
TOO_LONG = "error a message has more than 100,000 bytes"
OPENED = pdd.GameState.initial(pdd.parse_rules(SMALL)).apply(pdd.parse_action("a1,d4"))
PLAYING = OPENED.apply(pdd.parse_action("red"))


def said(player: str, *messages: str) -> list[str]:
    return lines_of(invoke("engine", player, keys="".join(f"{each}\n" for each in messages)))


def test_a_player_speaks_the_protocol() -> None:
    half = pdd.format_state(pdd.HalfTurn(PLAYING, pdd.parse_cell("a2")))
    lines = said(
        *("greedy", "ponte 1", f"newgame {SMALL}", "position moves", "go time 100", "stop"),
        *("position moves a1,d4", "go step", "position moves a1,d4 red", "go step nodes 3"),
        *(f"position state {pdd.format_state(PLAYING)}", "ponder", "go clock 1000 500 10"),
        *(f"position state {half}", "go", "quit", "never read"),
    )
    assert [*lines[:4], lines[4]] == [*HELLO, "ready"]
    first, choice, step, last = (line.removeprefix("best ") for line in lines[5:9])
    assert pdd.GameState.initial(OPENED.rules).is_legal(pdd.parse_action(first))
    assert choice in ("white", "red")
    assert PLAYING.is_legal(pdd.parse_step(step))
    assert PLAYING.is_legal(pdd.parse_action(last))
    # This player chooses only pairs.
    assert lines[9:] == ["error state must be GameState, not HalfTurn"]


def test_wrong_messages_are_refused() -> None:
    wrong = ("ponte 2", "hello", "option depth 3", "option seed x", "position moves a1", "newgame")
    lines = said("random", *wrong, "position there", "x" * 200_000, "ponte 1")
    assert all(line.startswith("error ") for line in lines[: len(wrong) + 2])
    assert lines[0] == "error unknown message 'ponte 2'"
    # A message that is too long is one message.
    assert lines[len(wrong) + 1 :] == [TOO_LONG, "ponte 1", "name random", HELLO[2], "ready"]


@pytest.mark.parametrize(
    ("content", "read"),
    [
        (b"", []),
        (b"go\nquit", ["go\n", "quit"]),
        (b"a" * 100_000 + b"\r\ngo\n", ["a" * 100_000, "go"]),
        (b"a" * 100_001 + b"\ngo\n", [None, "go"]),
        (b"a" * 100_001 + b"\r\ngo\n", [None, "go"]),
        (b"a" * 1_000_000 + b"\n" + b"b" * 300_000, [None, None]),
        (b"a" * 99_999 + "é".encode() + b"\ngo", [None, "go"]),
        (b"\xff\ngo", ["\ufffd", "go"]),
    ],
)
def test_the_rest_of_a_long_line_is_skipped(content: bytes, read: list[str | None]) -> None:
    found = [*messages_of(BytesIO(content))]
    assert [each and each.rstrip() for each in found] == [each and each.rstrip() for each in read]


HOSTILE = ["9" * 400, "9" * 5000, "-1", "0", "1.5", "nan", "inf", "1e400", "\u0661", "\0", "é", "x"]
HOSTILE += ["", " ", "\x1b[2J", "a1,b1 " * 20_000, "x" * 99_000, "\r", "ready", "*", "½", "٣ 3"]


def test_no_message_ends_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[object]()
    readers = {"seconds": float, "simulations": int, "threads": int}
    factory = PlayerFactory(lambda **_: Thinker(asked), readers)
    monkeypatch.setitem(FACTORIES, "thinker", factory)
    words = ["ponte", "option", "option seed", "option seconds", "option threads", "newgame"]
    words += [f"newgame {SMALL}", "newgame 6x6 tiles=", "position", "position moves"]
    words += ["position state", "go", "go step", "go time", "go nodes", "go clock"]
    words += ["go clock 1 1", "go nodes 1 time", "ponder", "stop", "", "error", "quit "]
    hostile = [f"{word} {argument}" for word in words for argument in HOSTILE]
    told = list[str]()
    lines = [line for each in hostile for line in (each, f"newgame {SMALL}", "position moves")]
    Engine(parse_spec("thinker"), told.append).run([*lines, "go nodes 1", "quit"])
    assert told[-1].startswith("best ")
    for line in told:
        assert line.isprintable()
        assert len(line) < 1000
        assert line.split(" ")[0] in {"ponte", "name", "option", "ready", "error", "info", "best"}
    # A wrong number is an error, and not replaced by another limit.
    bad = [f"go {limit} {number}" for limit in ("time", "nodes") for number in HOSTILE[:12]]
    bad.remove("go time 0")
    told.clear()
    Engine(parse_spec("thinker"), told.append).run([f"newgame {SMALL}", *bad, "go x", "go clock 1"])
    assert [line.partition(" ")[0] for line in told] == ["ready", *["error"] * (len(bad) + 2)]
    assert told[-2:] == [
        "error unknown limit 'x'",
        "error clock needs a whole number from 0 to 1000000000000, not ''",
    ]


def test_an_engine_says_which_option_is_wrong() -> None:
    lines = said("greedy", "option depth 3", "option seed -1", "option")
    assert lines == [
        "error unknown option 'depth'; the options are seed",
        "error option seed is integer 0 0 4294967295, so it cannot be '-1'",
        "error unknown option ''; the options are seed",
    ]


def test_a_player_that_fails_ends_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Thinker):
        def search(self, *_: object, **__: object) -> AnalysisLine:
            raise ZeroDivisionError("two\nlines")

    class Restless(Failing):
        def stop(self) -> None:
            raise ZeroDivisionError

    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(lambda **_: Failing([]), {}))
    assert said("thinker", f"newgame {SMALL}", "go", "go", "nonsense") == [
        *("ready", "error two lines", "error two lines", "error unknown message 'nonsense '"),
    ]
    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(lambda **_: Restless([]), {}))
    assert said("thinker", f"newgame {SMALL}", "go") == ["ready", "error ZeroDivisionError"]


def test_an_engine_does_not_support_all_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    class Narrow(Thinker):
        def prepare(self, rules: pdd.Rules) -> None:
            raise pdd.PonteError(f"no board of\n{len(rules.board)} cells")

    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(lambda **_: Narrow([0]), {}))
    assert said("thinker", f"newgame {SMALL}") == ["unsupported no board of 16 cells"]


def test_a_host_may_write_everything_before_it_reads() -> None:
    has_written = Event()
    told = list[str]()

    def lines() -> Iterator[str]:
        yield from ["nonsense"] * 20_000
        has_written.set()

    def tell(message: str) -> None:
        assert has_written.wait(60)
        told.append(message)

    Engine(parse_spec("greedy"), tell).run(lines())
    assert len(told) == 20_000


def test_an_engine_ends_with_its_streams() -> None:
    def broken() -> Iterator[str]:
        yield "ponte 1"
        raise OSError(5, "no more", "standard input")

    told = list[str]()
    with pytest.raises(OSError, match="no more"):
        Engine(parse_spec("greedy"), told.append).run(broken())
    assert told == HELLO

    def full(_message: str) -> None:
        raise OSError(28, "no space")

    for message in ("nonsense", "ponte 1"):
        with pytest.raises(OSError, match="no space"):
            Engine(parse_spec("greedy"), full).run([message])

    class Unreadable(BytesIO):
        def readline(self, _size: int | None = -1, /) -> bytes:
            raise OSError(21, "is a directory")

    with pytest.raises(OSError, match="'standard input'"):
        next(messages_of(Unreadable()))


def test_the_seed_makes_games_equal() -> None:
    rest = (f"newgame {SMALL}", "position moves", "go")
    games = [said("random", f"option seed {seed}", *rest) for seed in (1, 2, 1)]
    assert games[0] == games[2] != games[1]


def answers(player: str, *messages: str) -> list[str]:
    """Return the messages of an engine whose input stays open until it has chosen."""
    told = list[str]()
    answered = Event()

    def tell(message: str) -> None:
        told.append(message)
        if message.startswith("best "):
            answered.set()

    def lines() -> Iterator[str]:
        yield from (f"{each}\n" for each in messages)
        assert answered.wait(20)

    Engine(parse_spec(player), tell).run(lines())
    return told


class Thinker:
    """A player that stores the limits that it gets, and searches until it is stopped."""

    name = "thinker"

    def __init__(self, asked: list[object], *, is_endless: bool = False) -> None:
        self.asked = asked
        self.is_endless = is_endless
        self.begun = Event()

    def for_game(self, _seed: int) -> Thinker:
        return self

    def prepare(self, rules: pdd.Rules) -> None:
        self.asked.append(rules)

    def ponder(self, node: pdd.Node) -> None:
        self.asked.append(node)

    def stop(self) -> None:
        if isinstance(self.asked[-1], pdd.GameState):
            self.asked.append("stop")

    def choose(self, state: pdd.GameState) -> pdd.Action:
        return state.legal_actions[0]

    def search(self, node: pdd.Node, stop: Callable[[], bool], **limits: float) -> AnalysisLine:
        self.asked.append(limits)
        self.begun.set()
        time.sleep(min(0.2, limits.get("seconds", 0)))
        while self.is_endless and not stop():
            time.sleep(0.01)
        state = node.state if isinstance(node, pdd.HalfTurn) else node
        pair = pdd.PlaceTiles(pdd.parse_cell("a1"), pdd.parse_cell("d4"))
        action = pair if state.is_legal(pair) else state.legal_actions[0]
        return AnalysisLine((action,), -0.25, 0.1, 7, 3, proven=False)


@pytest.mark.parametrize(
    ("name", "go", "limits"),
    [
        ("thinker", "go time 50", [{"seconds": 0.05}]),
        ("thinker", "go time 300", [{"seconds": 0.1}, {"seconds": 0.2}]),
        ("thinker", "go nodes 1200 time 5000", [{"simulations": 1000}, {"simulations": 200}]),
        ("thinker", "go clock 0 0 0", [{"seconds": 0.001}]),
        ("thinker", "go clock 90000 0 0 time 80", [{"seconds": 0.08}]),
        ("thinker", "go nodes 7", [{"simulations": 7}]),
        ("thinker", "go", [{}]),
        ("thinker:simulations=9", "go time 50", [{}]),
        ("thinker:simulations=9", "go nodes 7", [{"simulations": 7}]),
    ],
)
def test_searches_have_limits(
    name: str, go: str, limits: list[dict[str, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[dict[str, float]]()
    asked = list[object]()

    def make(**options: float) -> pdd.players.Player:
        made.append(options)
        return Thinker(asked)

    readers = {"seconds": float, "simulations": int, "threads": int}
    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(make, readers))
    setting = ("option threads 2", f"newgame {SMALL}", "option seconds 0.05", "position moves")
    lines = answers(name, *setting, go)
    assert (lines[0], made[-1]["threads"], made[-1]["seconds"]) == ("ready", 2, 0.05)
    assert asked[0] == OPENED.rules
    for found, one in zip(cast(list[dict[str, float]], asked[1:]), limits, strict=True):
        assert found == pytest.approx(one, abs=0.04)
    assert lines[1] == "info depth 3 visits 7 value -0.250 line a1,d4"
    assert lines[-1] == "best a1,d4"


def test_an_engine_ponders(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[object]()
    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(lambda **_: Thinker(asked), {}))
    half = pdd.format_state(pdd.HalfTurn(PLAYING, pdd.parse_cell("d1")))
    lines = said(
        *("thinker", f"newgame {SMALL}", "position moves a1,d4 red", "ponder", "stop", "ponder"),
        *("position moves", "go step nodes 1", f"position state {half}", "go nodes 1"),
    )
    assert asked[1:5] == [PLAYING, "stop", PLAYING, "stop"]
    assert [line for line in lines if line.startswith("best")] == ["best a1", "best b1"]


@pytest.mark.parametrize("stop", ["stop", "quit"])
def test_a_search_is_stopped(stop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Thinker([], is_endless=True)

    def lines() -> Iterator[str]:
        yield f"newgame {SMALL}\n"
        yield "go time 3600000\n"
        player.begun.wait(20)
        yield f"{stop}\n"
        # A thread reads the input; the engine ends with its input.

    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(lambda **_: player, {"seconds": float}))
    told: list[str] = []
    Engine(parse_spec("thinker"), told.append).run(lines())
    assert (told[0], told[-1], len(told)) == ("ready", "best a1,d4", 3)


def test_a_stop_is_not_lost_to_the_next_search(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Thinker([], is_endless=True)
    told: list[str] = []
    has_chosen = Event()
    waits: list[bool] = []

    def lines() -> Iterator[str]:
        yield f"newgame {SMALL}\n"
        yield "go time 3600000\n"
        player.begun.wait(20)
        # A host may send messages before it reads the answers.
        yield "stop\n"
        yield "go time 3600000\n"
        waits.append(has_chosen.wait(5))

    def tell(message: str) -> None:
        told.append(message)
        if message.startswith("best"):
            has_chosen.set()

    monkeypatch.setitem(FACTORIES, "thinker", PlayerFactory(lambda **_: player, {"seconds": float}))
    Engine(parse_spec("thinker"), tell).run(lines())
    assert waits == [True]
    assert [each for each in told if each.startswith("best")] == ["best a1,d4"] * 2


def test_a_choice_without_a_time_is_made_once() -> None:
    told = answers("random", f"newgame {SMALL}", "go nodes 5")
    assert [each[:4] for each in told] == ["read", "best"]
