"""Players in other programs: their messages, their failures, and the end of their processes."""

from __future__ import annotations

import gc
import math
import os
import pickle
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, players
from pontedeldiavolo.players import engine_process, external
from pontedeldiavolo.players.engine_process import EngineProcess, accepts
from pontedeldiavolo.players.workers import _leave
from support.paths import DATA, TESTS
from support.waiting import assert_soon

STORED = DATA / "compatibility"
STUB = [sys.executable, "-IS", str(TESTS / "support" / "stub_engine.py")]
RULES = pdd.Rules(pdd.Board(2, 1))
START = pdd.GameState.initial(RULES)
PLAYING = START.apply(pdd.parse_action("a1,b1")).apply(pdd.parse_action("red"))
CHANCE = players.RandomPlayer()


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """Check that threads and files of processes are closed with them."""
    before = threading.active_count(), _open_files()
    yield
    gc.collect()
    assert_soon(lambda: threading.active_count() <= before[0] and _open_files() <= before[1])


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len([*folder.iterdir()]) if folder.is_dir() else 0


def is_alive(process: int) -> bool:
    """Return whether a process runs and is not a zombie."""
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def _has_stopped(process: EngineProcess) -> bool:
    return not process.is_running


def pid_of(player: players.ExternalPlayer) -> int:
    (process,) = player._processes.running
    return process.pid


def test_an_engine_is_told_the_game(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with players.ExternalPlayer([*STUB, "log", str(log)], depth=6) as player:
        assert player.name == "stub 1 depth 6"
        one = player.for_game(12345)
        one.prepare(RULES)
        assert pdd.format_action(one.choose(START)) == "a1,b1"
        one.ponder(START.apply(pdd.parse_action("a1,b1")))
        one.stop()
        player.stop()
        clock = players.Clock(5, 60.25, 1)
        assert one.choose(PLAYING, clock=clock) == pdd.Pass()
        del one
        assert pdd.format_action(player.for_game(5).choose(START)) == "a1,b1"
    assert log.read_text("utf-8").splitlines() == [
        "ponte 1",
        "option depth 6",
        "option seed 45",
        f"newgame {pdd.format_rules(RULES)}",
        f"position state {pdd.format_state(START)}",
        "go",
        f"position state {pdd.format_state(START.apply(pdd.parse_action('a1,b1')))}",
        "ponder",
        "stop",
        f"position state {pdd.format_state(PLAYING)}",
        "go clock 5000 60250 1000",
        "option seed 5",
        f"newgame {pdd.format_rules(RULES)}",
        f"position state {pdd.format_state(START)}",
        "go",
        "quit",
    ]


@pytest.mark.parametrize("path", sorted(STORED.glob("*/protocol/host.txt")), ids=str)
def test_a_stored_engine_plays(path: Path) -> None:
    play_with_stored_engine(path)


def play_with_stored_engine(*paths: Path) -> None:
    """Play with the engine of a conversation; ``tools/stored_files.py`` names a second file."""
    command = [sys.executable, "-IS", str(TESTS / "support" / "transcripts.py"), *map(str, paths)]
    with players.ExternalPlayer(command, depth=6, noise=0.25) as player:
        one = player.for_game(25)
        game = pdd.Game.new(pdd.Rules(pdd.Board(4, 3), 6, 1))
        clocks = (None, players.Clock(9, 8.5, 1))
        while not game.state.is_over:
            if len(game.actions) == 3:
                assert [(line.visits, line.value) for line in one.lines] == [(9, 0.5), (3, -1)]
                one.ponder(game.state)
            game = game.play(one.choose(game.state, clock=clocks[len(game.actions) % 2]))
        assert [*map(pdd.format_action, game.actions)][-2:] == ["b1-b3", "pass"]
        half = pdd.GameState.initial(game.rules).step(pdd.parse_step("b1"))
        assert one.choose(half) == pdd.parse_step("a1")
        with pytest.raises(pdd.PonteError, match="boards of more than 64 cells"):
            one.prepare(pdd.Rules())


def test_half_turns_get_steps() -> None:
    half = START.step(pdd.parse_step("b1"))
    assert isinstance(half, pdd.HalfTurn)
    with players.ExternalPlayer(STUB) as player:
        # Printing lines costs the engine no time, because they are read later.
        with patch.object(external, "_analysis_line") as read:
            player.choose(half)
        assert not read.called
        assert player.choose(half) == pdd.parse_step("a1")
        best, other = player.lines
        assert best.actions == (pdd.parse_action("a1,b1"),)
        assert (best.depth, best.value, best.half_width) == (2, 0.25, math.inf)
        assert (other.actions, other.visits, other.value) == ((), 3, 0.5)
        assert player.for_game(1).lines == ()
        with pytest.raises(pdd.PonteError, match="the game is over"):
            player.choose(PLAYING.apply(pdd.Pass()))


def test_a_slow_start_delays_no_other_player(monkeypatch: pytest.MonkeyPatch) -> None:
    has_begun = threading.Event()
    has_played = threading.Event()
    waits: list[bool] = []
    shake_hands = EngineProcess.shake_hands

    def slow(process: EngineProcess, options: Any) -> None:
        has_begun.set()
        waits.append(has_played.wait(10))
        shake_hands(process, options)

    with players.ExternalPlayer(STUB) as player:
        one = player.for_game(1)
        other = player.for_game(2)
        one.prepare(RULES)
        monkeypatch.setattr(EngineProcess, "shake_hands", slow)
        thread = threading.Thread(target=other.prepare, args=(RULES,))
        thread.start()
        assert has_begun.wait(10)
        assert pdd.format_action(one.choose(START)) == "a1,b1"
        has_played.set()
        thread.join()
        users = [each.user and each.user() for each in player._processes.running]
    assert waits == [True]
    assert users == [one, other]


@pytest.mark.filterwarnings("ignore::pontedeldiavolo.players.MatchWarning")
def test_processes_are_used_again() -> None:
    with players.ExternalPlayer(STUB) as player:
        first = pid_of(player)
        match = players.match(player, CHANCE, 6, rules=RULES, openings=0)
        assert (match.games, pid_of(player)) == (6, first)
        # In a match against itself, each seat has its own process.
        assert players.match(player, player, 4, rules=RULES, openings=0).draws == 4
        assert len(player._processes.running) == 2
        # A killed process is replaced, and a game on another board needs a new message.
        for process in player._processes.running:
            process.kill()
            process._reader.join()
        assert player.for_game(1).choose(START) == pdd.parse_action("a1,b1")
        assert pid_of(player) != first
    assert not player._processes.running
    again = pickle.loads(pickle.dumps(player))
    assert again.name == "stub 1"
    assert again.choose(START) == pdd.parse_action("a1,b1")
    pid = pid_of(again)
    # Without a call of close, the process ends with the player.
    del again
    gc.collect()
    assert not is_alive(pid)


@pytest.mark.parametrize(
    ("deed", "ending", "said"),
    [
        ("garbage", Ending.ADJUDICATION, "stub 1 wrote 'hello', which does not belong there"),
        ("empty", Ending.ADJUDICATION, "stub 1 wrote '\\\\n', which"),
        ("bytes", Ending.ADJUDICATION, "stub 1 wrote 'best \\\\xff\\\\xfe\\\\n', which"),
        ("error", Ending.ADJUDICATION, "stub 1 wrote 'error unknown message', which"),
        ("illegal", Ending.ADJUDICATION, "stub 1 chose an illegal action: "),
        ("nothing", Ending.ADJUDICATION, "stub 1 answered '', which is not an action"),
        ("resign", Ending.ADJUDICATION, "stub 1 answered 'resign', which is not an action"),
        ("exit", Ending.ADJUDICATION, "stub 1 has ended, with exit code 3"),
        pytest.param(
            "orphan",
            Ending.ADJUDICATION,
            "stub 1 has ended, with exit code 3",
            marks=pytest.mark.slow,
        ),
        ("endless", Ending.ADJUDICATION, "stub 1 wrote 'info xxxxxxxxx"),
        ("child", Ending.ADJUDICATION, "stub 1 answered '"),
        ("silent", Ending.TIME, "stub 1 has not answered in time"),
        ("late", Ending.TIME, "stub 1 has not answered in time"),
        ("flood", Ending.TIME, "stub 1 has not answered in time"),
    ],
)
def test_an_engine_that_fails_loses(
    tmp_path: Path, deed: str, ending: Ending, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "CLOSE_SECONDS", 0.05)
    with players.ExternalPlayer([*STUB, "go", deed]) as player:
        options: Any = {"rules": RULES, "openings": 0, "clock": (0.2, 0)}
        match = players.match(player, CHANCE, 2, **options, folder=tmp_path)
    assert (match.wins, match.draws) == (0, 0)
    games = [*pdd.records.iter_games(tmp_path / "pair-000001.pdd")]
    for game, seat in zip(games, pdd.Seat, strict=True):
        assert (game.ending, game.winning_seat) == (ending, seat.opponent)
        assert game.line.moves[-1].comment.startswith(said)
    with pytest.raises(players.EngineError) as caught:
        player.for_game(1).choose(PLAYING, clock=players.Clock(0.2, 0))
    assert caught.value.ending is ending
    assert str(caught.value).startswith(said)
    assert pdd.messages.explain(caught.value, "de").startswith("Stub 1 ")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.reason, again.ending) == (caught.value.reason, ending)
    player.close()


@pytest.mark.parametrize(
    ("when", "deed", "said"),
    [
        ("ponte", "exit", "has ended, with exit code 3"),
        ("ponte", "version", "wrote 'ponte 2', which does not belong there"),
        ("ponte", "garbage", "wrote 'hello', which"),
        ("ponte", "option", "wrote 'option depth integer 4 5 20', which"),
        ("ponte", "type", "wrote 'option depth whole 4 5 20', which"),
        ("ponte", "nameless", "wrote 'name', which"),
        ("ponte", "control", r"wrote 'name \\x1b\[2J', which"),
        ("ponte", "silent", "has not answered in time"),
        ("ponte", "twice", "wrote 'option a text', which"),
        ("ponte", "flood", "wrote 'option a1000 text', which"),
        ("newgame", "garbage", "stub 1 wrote 'hello', which"),
        ("newgame", "silent", "stub 1 has not answered in time"),
        ("newgame", "unsupported", "does not play by these rules: boards of such a shape"),
    ],
)
def test_failed_starts(when: str, deed: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "START_SECONDS", 0.5 if deed == "silent" else 60)
    monkeypatch.setattr(engine_process, "CLOSE_SECONDS", 0.05)
    match = partial(players.match, rules=RULES, openings=0)
    with pytest.raises(pdd.PonteError, match=said) as caught:
        match(players.ExternalPlayer([*STUB, when, deed]), CHANCE, 2)
    kind = players.EngineError if when == "ponte" else players.PlayerError
    assert type(caught.value) is kind
    assert getattr(caught.value, "ending", None) is None
    assert caught.value.code.startswith("engine-")
    # The traceback keeps the failed player alive.
    del caught


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        ("", {}, "the command of an engine must not be empty"),
        (" \t", {}, "the command of an engine must not be empty"),
        ('""', {}, "the command of an engine must not be empty"),
        ([], {}, "the command of an engine must not be empty"),
        (["", "x"], {}, "the command of an engine must not be empty"),
        ("'a", {}, "'a cannot be started: a closing quotation mark is missing"),
        ("/no/such/engine", {}, "/no/such/engine cannot be started: No such file"),
        ("a\0b", {}, r"the command of an engine contains a NUL character: 'a\\x00b'"),
        ([sys.executable, "\0"], {}, "contains a NUL character"),
        (str(STORED), {}, "cannot be started: it is a folder"),
        ([str(STORED)], {}, "cannot be started: it is a folder"),
        ([str(Path(__file__))], {}, "cannot be started: it is not executable"),
        (STUB, {"text": "\ud800"}, r"so it cannot be \\ud800"),
        (STUB, {"width": 3}, "option width of stub 1 is missing, so it cannot be 3"),
        (STUB, {"depth": 21}, "option depth of stub 1 is integer 4 1 20, so it cannot be 21"),
    ],
)
def test_wrong_commands(command: str | list[str], options: dict[str, Any], said: str) -> None:
    with pytest.raises(pdd.PonteError, match=said):
        players.ExternalPlayer(command, **options)


def test_a_program_that_the_system_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    # The folder may forbid execution.
    monkeypatch.setattr(os, "access", lambda *_: True)
    with pytest.raises(players.EngineError, match="cannot be started: Permission denied"):
        players.ExternalPlayer([str(Path(__file__))])


@pytest.mark.parametrize("failing", ["_Reader", "_Writer"])
def test_an_engine_without_threads_is_ended(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[EngineProcess] = []
    end = EngineProcess._leave_no_process

    def refuse(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    def note(process: EngineProcess) -> None:
        started.append(process)
        end(process)

    monkeypatch.setattr(getattr(engine_process, failing), "start", refuse)
    monkeypatch.setattr(EngineProcess, "_leave_no_process", note)
    with pytest.raises(players.EngineError, match="can't start new thread") as caught:
        players.ExternalPlayer(STUB)
    assert caught.value.code == "engine-not-started"
    (process,) = started
    assert process.returncode is not None
    assert not is_alive(process.pid)
    for pipe in (process.stdin, process.stdout):
        assert pipe is not None
        assert pipe.closed


def test_wrong_types_of_commands() -> None:
    for command in (None, 5, b"engine", {"engine"}):
        with pytest.raises(TypeError, match=r"^command must be a sequence of str, not "):
            players.ExternalPlayer(command)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^command\[1\] must be str or PathLike, not int"):
        players.ExternalPlayer([sys.executable, 1])  # type: ignore[list-item]


@pytest.mark.parametrize(
    "when",
    [
        pytest.param("ponte", marks=pytest.mark.slow),
        pytest.param("newgame", marks=pytest.mark.slow),
        "go",
    ],
)
def test_the_end_of_an_engine_is_noticed_although_its_child_holds_the_pipe(when: str) -> None:
    begin = time.monotonic()
    with (
        pytest.raises(players.EngineError, match="has ended, with exit code 3"),
        players.ExternalPlayer([*STUB, when, "orphan"]) as player,
    ):
        player.choose(PLAYING)
    # Starting Python may take a while. The child process would keep the pipe open for a minute.
    assert time.monotonic() - begin < 20


@pytest.mark.slow
def test_the_end_of_an_engine_that_ponders_is_noticed_at_the_next_call() -> None:
    with players.ExternalPlayer([*STUB, "ponder", "orphan"]) as player:
        for call in (players.ExternalPlayer.ponder, players.ExternalPlayer.choose):
            one = player.for_game(1)
            one.ponder(PLAYING)
            (process,) = player._processes.running
            assert_soon(partial(_has_stopped, process))
            # In this game it is an error at once, and the next game gets a new process.
            with pytest.raises(players.EngineError, match="has ended, with exit code 3"):
                call(one, PLAYING)
            assert player.for_game(2).choose(START) == pdd.parse_action("a1,b1")
            assert pid_of(player) != process.pid


def test_an_answer_before_the_end_of_an_engine_counts() -> None:
    with players.ExternalPlayer([*STUB, "go", "last"]) as player:
        one = player.for_game(1)
        assert one.choose(PLAYING) == pdd.Pass()


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no sessions of processes")
def test_children_in_other_sessions_cost_no_thread_and_no_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_process, "CHECK_SECONDS", 0.05)
    monkeypatch.setattr(engine_process, "CLOSE_SECONDS", 0.05)
    before = threading.active_count(), _open_files()
    with (
        pytest.raises(players.EngineError, match="answered '") as caught,
        players.ExternalPlayer([*STUB, "go", "session"]) as player,
    ):
        player.choose(PLAYING)
    child = int(str(caught.value).split("'")[1])
    del caught
    try:
        assert_soon(lambda: (threading.active_count(), _open_files()) == before)
        assert is_alive(child)
    finally:
        os.kill(child, signal.SIGKILL)


def test_long_names_are_cut() -> None:
    with players.ExternalPlayer([*STUB, "ponte", "long"]) as player:
        assert player.name == "n" * 99 + "…"


def test_an_engine_that_hangs_loses_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "THINK_SECONDS", 0.1)
    monkeypatch.setattr(engine_process, "CLOSE_SECONDS", 0.05)
    with players.ExternalPlayer([*STUB, "go", "silent"]) as player:
        assert players.match(player, CHANCE, 2, rules=RULES, openings=0).losses == 2


@pytest.mark.parametrize("groups", [True, False])
def test_silent_engines_are_killed(*, groups: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_process, "CLOSE_SECONDS", 0.05)
    if not groups:
        # This is the situation on Windows.
        monkeypatch.delattr(os, "killpg", raising=False)
    player = players.ExternalPlayer([*STUB, "quit", "silent"])
    pid = pid_of(player)
    player.close()
    player.close()
    assert not is_alive(pid)


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")
def test_children_of_an_engine_are_killed() -> None:
    process = EngineProcess([*STUB, "newgame", "child"])
    process.send("newgame")
    _, child = process.receive(time.monotonic() + 60)
    process.close()
    assert_soon(lambda: not is_alive(int(child)))


def test_an_interrupted_choice_closes_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with players.ExternalPlayer(STUB) as player:
        player.choose(START)
        monkeypatch.setattr(EngineProcess, "receive", interrupt)
        for _ in range(2):
            # The second time, it interrupts the handshake.
            pid = pid_of(player)
            with pytest.raises(KeyboardInterrupt):
                player.choose(START)
            assert not is_alive(pid)


def test_names_have_commands() -> None:
    quoted = " ".join(f'"{word}"' for word in STUB)
    player = players.by_name(f" External:{quoted} # x,y=1")
    assert isinstance(player, players.ExternalPlayer)
    assert player._processes.running[0].args == [*STUB, "#", "x,y=1"]
    player.close()
    with pytest.raises(pdd.PonteError, match="no player is named 'external'"):
        players.by_name("external")


@pytest.mark.parametrize(
    ("domain", "good", "bad"),
    [
        ("integer 4 1 20", ["1", "20"], ["0", "21", "x", "1.5"]),
        ("number 0.5 0 1", ["0", "1e-3"], ["1.01", "nan", ""]),
        ("choice x x y", ["x", "y"], ["z", ""]),
        ("text some words", ["", "any words"], ["two\nlines", "\ud800"]),
        ("integer 1", [], ["1"]),
        ("integer 1 x 2", [], ["1"]),
        ("other 1", [], ["1"]),
    ],
)
def test_options_have_domains(domain: str, good: list[str], bad: list[str]) -> None:
    assert all(accepts(domain, value) for value in good)
    assert not any(accepts(domain, value) for value in bad)


def test_an_exit_closes_engines() -> None:
    """If a worker is terminated, its exit closes open engines."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit):
            _leave(signal.SIGTERM, None)
        # A second signal does not interrupt the handling of the first.
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="this system cannot look without waiting")
def test_the_end_of_a_process_that_others_have_waited_for() -> None:
    process = EngineProcess([*STUB, "ponte", "exit"])
    process.send("ponte 1")
    os.waitpid(process.pid, 0)
    assert process.has_ended
    assert not process.is_running
    process.close()


def test_systems_with_blocking_pipes_and_without_select(monkeypatch: pytest.MonkeyPatch) -> None:
    # This is the situation on Windows.
    monkeypatch.delattr(os, "waitid", raising=False)
    monkeypatch.delattr(select, "poll", raising=False)
    with players.ExternalPlayer(STUB) as player:
        assert player.choose(START) == pdd.parse_action("a1,b1")
        (process,) = player._processes.running
        process.kill()
        assert_soon(lambda: process.has_ended)


def test_lines_beyond_the_limits_end_the_reading() -> None:
    with (
        pytest.raises(players.EngineError, match="stub 1 wrote 'info xxxxxxx"),
        players.ExternalPlayer([*STUB, "go", "wide"]) as player,
    ):
        player.choose(PLAYING)
    # An engine whose output nobody reads can still be closed.
    with players.ExternalPlayer([*STUB, "ponder", "flood"]) as player:
        one = player.for_game(1)
        one.ponder(PLAYING)
        (process,) = player._processes.running
        assert_soon(process._reader.lines.full)


def test_the_end_of_an_engine_within_a_game_is_an_error_at_the_next_call() -> None:
    with players.ExternalPlayer(STUB) as player:
        one = player.for_game(1)
        one.choose(START)
        player._processes.running[0].kill()
        assert_soon(lambda: player._processes.running[0].has_ended)
        with pytest.raises(players.EngineError, match=r"stub 1 has ended, with exit code -?[0-9]+"):
            one.choose(PLAYING)
        assert one.choose(PLAYING) == pdd.Pass()
