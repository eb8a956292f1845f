"""Matches: seats, results, processes and errors."""

from __future__ import annotations

import pickle
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import Pipe
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest.mock import patch

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Seat, players
from pontedeldiavolo.players.match_folder import MatchFolder
from pontedeldiavolo.players.pairing import Pairing, takes_clock
from pontedeldiavolo.players.workers import work
from support.games import played
from support.paths import TESTS
from support.stub_players import Homebody, Hurried, Troublemaker

RULES = pdd.Rules(pdd.Board(4, 4))
GREEDY = players.GreedyPlayer()
CHANCE = players.RandomPlayer()
match = partial(players.match, rules=RULES)


def games_of(folder: Path) -> list[pdd.Game]:
    """Return all stored games of a match, in order."""
    paths = sorted(folder.glob("*.pdd"))
    return [game for path in paths for game in pdd.records.iter_games(path)]


def texts_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.glob("*.pdd")}


def seeds_of(pair: int, seed: int = 0) -> list[int]:
    source = Random(f"{seed}/{pair}")
    return [source.getrandbits(32) for _ in Seat]


def test_a_match_counts_its_games(tmp_path: Path) -> None:
    found = match(GREEDY, CHANCE, 20, seed=7, folder=tmp_path)
    games = games_of(tmp_path)
    winners = [
        None if game.winning_seat is None else game.tags[game.winning_seat.value.capitalize()]
        for game in games
    ]
    assert found.games == len(games) == 20
    assert (found.a, found.b) == ("greedy", "random")
    assert found.wins == winners.count("greedy") > 10
    assert found.draws == winners.count(None)
    assert found.losses == winners.count("random")
    halves = [{"greedy": 2, None: 1, "random": 0}[winner] for winner in winners]
    worth = [sum(halves[place : place + 2]) for place in range(0, 20, 2)]
    assert found.pairs == tuple(map(worth.count, range(5)))


def test_seats_are_exchanged_and_seeds_are_not(tmp_path: Path) -> None:
    match(GREEDY, CHANCE, 6, seed=7, openings=0, folder=tmp_path)
    games = games_of(tmp_path)
    assert [game.tags["Round"] for game in games] == ["1.1", "1.2", "2.1", "2.2", "3.1", "3.2"]
    assert [game.tags["First"] for game in games] == ["greedy", "random"] * 3
    assert [game.tags["Second"] for game in games] == ["random", "greedy"] * 3
    assert {game.tags["MatchSeed"] for game in games} == {"7"}
    assert {game.tags["Event"] for game in games} == {"greedy against random"}
    assert {game.rules for game in games} == {RULES}
    for pair, game in enumerate(games[::2], 1):
        first, second = seeds_of(pair, seed=7)
        again = played(GREEDY.for_game(first), CHANCE.for_game(second), RULES)
        assert again.actions == game.actions


def test_equal_players_are_exactly_equal() -> None:
    found = match(CHANCE, players.RandomPlayer(5), 12)
    assert found.pairs == (0, 0, 6, 0, 0)
    assert found.elo == 0
    low, high = found.elo_interval
    assert low == pytest.approx(-high)
    assert found.los == 0.5


def test_another_seed_makes_another_match(tmp_path: Path) -> None:
    folders = tmp_path / "1", tmp_path / "2"
    for seed, folder in enumerate(folders):
        match(CHANCE, CHANCE, 4, seed=seed, folder=folder)
    one, other = map(games_of, folders)
    assert all(a.actions != b.actions for a, b in zip(one, other, strict=True))


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    stood: list[list[players.Match]] = [[], []]
    found = []
    for processes, seen in enumerate(stood, 1):
        options: Any = {"processes": processes, "folder": tmp_path / str(processes)}
        found.append(match(GREEDY, CHANCE, 12, on_pair=seen.append, **options))
    assert found[0] == found[1]
    assert stood[0] == stood[1]
    assert [each.games for each in stood[0]] == [2, 4, 6, 8, 10, 12]
    assert stood[0][-1] == found[0]
    assert texts_of(tmp_path / "1") == texts_of(tmp_path / "2")


def test_a_match_ends_when_it_is_decided(tmp_path: Path) -> None:
    stood: list[players.Match] = []
    found = match(GREEDY, CHANCE, 400, sprt=(0, 100), folder=tmp_path, on_pair=stood.append)
    assert found.sprt is not None
    assert found.sprt.accepted == 100
    assert 2 < found.games < 400
    assert all(each.sprt and each.sprt.accepted is None for each in stood[:-1])
    assert len(games_of(tmp_path)) == found.games
    undecided = match(GREEDY, CHANCE, 2, sprt=(0, 1))
    assert undecided.sprt is not None
    assert undecided.sprt.accepted is None


def test_a_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = match(GREEDY, CHANCE, 10, folder=tmp_path / "whole")
    part = tmp_path / "a" / "part"
    match(GREEDY, CHANCE, 4, folder=str(part))
    old = {path: path.stat().st_mtime_ns for path in part.glob("*.pdd")}
    with patch.object(MatchFolder, "pair", autospec=True, side_effect=MatchFolder.pair) as read:
        assert match(GREEDY, CHANCE, 10, folder=part) == whole
    assert read.call_count == 5
    assert texts_of(part) == texts_of(tmp_path / "whole")
    assert all(path.stat().st_mtime_ns == then for path, then in old.items())
    # With fewer games than stored, the first ones count.
    fewer = match(GREEDY, CHANCE, 4, folder=part)
    assert fewer == match(GREEDY, CHANCE, 4)


def test_an_interrupted_match_keeps_its_games(tmp_path: Path) -> None:
    def interrupt(found: players.Match) -> None:
        if found.games == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(GREEDY, CHANCE, 10, folder=tmp_path, on_pair=interrupt)
    assert len(games_of(tmp_path)) == 6


@pytest.mark.parametrize("left", [0, 0.3, 0.6, 0.95])
def test_a_truncated_file_is_played_again(tmp_path: Path, left: float) -> None:
    whole = match(GREEDY, CHANCE, 6, folder=tmp_path)
    texts = texts_of(tmp_path)
    last = tmp_path / "pair-000003.pdd"
    content = last.read_bytes()
    last.write_bytes(content[: int(left * len(content))] + b"\xff" * (left == 0.6))
    assert match(GREEDY, CHANCE, 6, folder=tmp_path) == whole
    assert texts_of(tmp_path) == texts


def test_other_damaged_files_are_left_alone(tmp_path: Path) -> None:
    match(GREEDY, CHANCE, 6, folder=tmp_path)
    path = tmp_path / "pair-000002.pdd"
    path.write_text(path.read_text("utf-8")[:-300], encoding="utf-8")
    with pytest.raises(pdd.PonteError, match=r"pair-000002\.pdd is damaged; without it"):
        match(GREEDY, CHANCE, 6, folder=tmp_path)


@pytest.mark.parametrize(
    ("a", "b", "rules", "seed", "said"),
    [
        (CHANCE, GREEDY, RULES, 0, "its a.name is 'greedy', and not 'random'"),
        (GREEDY, CHANCE, RULES, 1, "its seed is '0', and not '1'"),
        (GREEDY, CHANCE, pdd.Rules(), 0, "its rules is '4x4 "),
    ],
)
def test_the_folder_of_another_match_is_refused(
    tmp_path: Path, a: players.Player, b: players.Player, rules: pdd.Rules, seed: int, said: str
) -> None:
    match(GREEDY, CHANCE, 2, folder=tmp_path)
    texts = texts_of(tmp_path)
    with pytest.raises(pdd.PonteError, match=f"is of another match: {said}"):
        match(a, b, 4, rules=rules, seed=seed, folder=tmp_path)
    assert texts_of(tmp_path) == texts


def test_a_record_of_something_else_is_refused(tmp_path: Path) -> None:
    match(GREEDY, CHANCE, 2, folder=tmp_path)
    text = pdd.records.dumps(pdd.Game.new(RULES))
    (tmp_path / "pair-000001.pdd").write_text(text, encoding="utf-8")
    with pytest.raises(pdd.PonteError, match="its RandomActions is 'nothing', and not '3'"):
        match(GREEDY, CHANCE, 2, folder=tmp_path)


def test_players_are_told_their_clocks(tmp_path: Path) -> None:
    hurried = Hurried()
    match(hurried, CHANCE, 2, openings=0, folder=tmp_path, clock=(60, 1))
    games = games_of(tmp_path)
    told = []
    left = {}
    for game in games:
        assert game.tags["TimeControl"] == "60+1"
        left = dict.fromkeys(Seat, 60.0)
        for move, ply in zip(game.line.moves, game.plies, strict=True):
            if game.tags[ply.seat.value.capitalize()] == "hurried":
                told.append(players.Clock(left[ply.seat], left[ply.seat.opponent], 1))
            assert move.elapsed is not None
            assert move.clock is not None
            assert move.clock == pytest.approx(left[ply.seat] - move.elapsed + 1, abs=0.002)
            left[ply.seat] = move.clock
    assert hurried.clocks == told
    assert players.Clock(1, 60, 10).share == 0.8
    with pytest.raises(pdd.PonteError, match=r"its clock is '60\.0\+1\.0', and not 'null'"):
        match(hurried, CHANCE, 2, openings=0, folder=tmp_path)
    match(hurried, CHANCE, 2)
    assert hurried.clocks[len(told) :] == [None] * (len(hurried.clocks) - len(told))


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_player_loses_on_time(tmp_path: Path, processes: int) -> None:
    sleeper = Troublemaker("sleeps")
    found = match(CHANCE, sleeper, 4, folder=tmp_path, processes=processes, clock=(0.2, 0))
    assert (found.wins, found.draws) == (4, 0)
    for game in games_of(tmp_path):
        assert game.ending is pdd.Ending.TIME
        assert game.winning_seat is not None
        assert game.tags[game.winning_seat.value.capitalize()] == "random"


def test_compiled_players_are_not_told_their_clocks() -> None:
    # A function written in C may have no signature.
    class Compiled:
        choose = min

    assert not takes_clock(cast(players.Player, Compiled()))


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("illegal", r"trouble chose an illegal action: A pair needs two different cells"),
        ("nonsense", r"trouble chose no action, but str"),
        ("half", r"trouble chose no action, but PlaceTile"),
        ("raises", r"trouble raised ZeroDivisionError in choose \(by nothing\)"),
    ],
)
def test_players_that_break_the_rules_are_named(tmp_path: Path, deed: str, said: str) -> None:
    # In the third pair the troublemaker has the second seat first.
    trouble = Troublemaker(deed, (seeds_of(3)[1],))
    with pytest.raises(players.PlayerError, match=said) as caught:
        match(CHANCE, trouble, 10, folder=tmp_path)
    error = caught.value
    assert error.player == "trouble"
    assert error.game.tags["Round"] == "3.1"
    assert error.game.state.seat_to_move is Seat.SECOND
    place = f"as second seat after {len(error.game.actions)} actions of game 3.1, in 4x4 "
    assert place in str(error)
    assert str(error).endswith(pdd.format_state(error.game.state))
    assert error.values["state"] == pdd.format_state(error.game.state)
    assert error.values["player"] == "trouble"
    # A value that is not an action is a mistake of the program, which has no German sentence.
    if error.code != "value":
        assert error.code.startswith("player-")
        assert pdd.messages.explain(error, "de").startswith("Trouble hat ")
    # Stored pairs are not lost, and the match continues with a corrected player.
    assert len(games_of(tmp_path)) == 4
    mended = Troublemaker(deed, (0,))
    assert match(CHANCE, mended, 10, folder=tmp_path).games == 10


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("unprepared", r"trouble raised RuntimeError in prepare \(not ready for 4\)"),
        ("no player", "gave no player for a game, but NoneType, as first seat after 0 actions"),
        ("raises early", r"raised RuntimeError in for_game \(too early\)"),
    ],
)
def test_players_that_fail_to_start_are_named(deed: str, said: str, processes: int) -> None:
    with pytest.raises(players.PlayerError, match=said):
        match(Troublemaker(deed), CHANCE, 4, processes=processes, clock=(60, 0))


def test_player_errors_tell_the_game() -> None:
    game = pdd.Game.new(RULES)
    error = players.PlayerError("Bo", "fell asleep", game)
    assert str(error).startswith("Bo fell asleep, as first seat after 0 actions, in 4x4 ")
    assert error.code == "value"
    over = pdd.Game.new(pdd.Rules(pdd.Board(1, 1)))
    while over.ending is None:
        over = over.play(over.state.legal_actions[0])
    said = str(players.PlayerError("Bo", "went on", over))
    assert said.startswith(f"Bo went on, after {len(over.actions)} actions, in 1x1 ")


def test_errors_in_another_process_are_reported_alike(tmp_path: Path) -> None:
    trouble = Troublemaker("raises", (seeds_of(3)[1],))
    with pytest.raises(players.PlayerError, match=r"in choose .* of game 3\.1") as caught:
        match(CHANCE, trouble, 10, folder=tmp_path, processes=2)
    assert "ZeroDivisionError: by" in "".join(caught.value.__notes__)
    assert len(games_of(tmp_path)) >= 4


def test_pairs_are_kept_before_an_earlier_one_is_over(tmp_path: Path) -> None:
    path = tmp_path / "pair-000002.pdd"
    trouble = Troublemaker(f"waits for {path}", (seeds_of(1)[1],))
    with pytest.raises(players.PlayerError, match="it is there"):
        match(CHANCE, trouble, 6, folder=tmp_path, processes=2)
    old = {each: each.stat().st_mtime_ns for each in tmp_path.iterdir()}
    assert path in old
    assert tmp_path / "pair-000001.pdd" not in old
    mended = Troublemaker("nothing", (0,))
    found = match(CHANCE, mended, 6, folder=tmp_path)
    assert all(each.stat().st_mtime_ns == then for each, then in old.items())
    assert found == match(CHANCE, mended, 6)


def test_pairs_after_the_end_of_a_test_are_removed(tmp_path: Path) -> None:
    pairing = Pairing(CHANCE, GREEDY, RULES, 0)
    earlier, stored = (MatchFolder(tmp_path, pairing) for _ in range(2))
    earlier.save(4, pairing.play(4))
    for number in (1, 3, 2, 5):
        stored.save(number, pairing.play(number))
    (tmp_path / "pair-000005.pdd").unlink()
    stored.trim(2)
    assert [path.name[-5] for path in sorted(tmp_path.iterdir())] == ["1", "2", "4"]


def test_workers_close_their_engines(tmp_path: Path) -> None:
    stub = TESTS / "support" / "stub_engine.py"
    log = tmp_path / "log"
    with players.ExternalPlayer([sys.executable, "-IS", str(stub), "log", str(log)]) as engine:
        found = match(engine, CHANCE, 4, rules=pdd.Rules(pdd.Board(2, 1)), processes=2)
        assert found.draws == 4
        # An engine writes it at its end.
        assert log.read_text("utf-8").endswith("quit\n")


def test_a_process_that_ends_is_noticed() -> None:
    with pytest.raises(pdd.PonteError, match="has ended, with exit code 3"):
        match(CHANCE, Troublemaker("exits"), 10, processes=2)


def test_players_that_cannot_travel_are_named() -> None:
    for packs, said in ((True, "nobody is there"), (False, "it stays at home")):
        with pytest.raises(pdd.PonteError, match=f"sent to another process: .*{said}"):
            match(CHANCE, Homebody(packs), 10, processes=2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"games": 3}, "games are played in pairs: 3 is not even"),
        ({"games": 0}, "games must be from 1 to 1,000,000, not 0"),
        ({"processes": 0}, "processes must be from 1 to 1,024, not 0"),
        ({"sprt": (0, 1, 2)}, "sprt has two differences in Elo, not 3"),
        ({"sprt": (2, 1)}, "elo0 is below elo1"),
        ({"clock": (1,)}, "clock has a time and an increment, not 1 numbers"),
        ({"clock": (-1, 0)}, "a time of a clock must be from 0 to 1,000,000,000 seconds, not -1.0"),
    ],
)
def test_numbers_out_of_range_are_refused(arguments: dict[str, object], said: str) -> None:
    with pytest.raises(pdd.PonteError, match=said):
        match(CHANCE, CHANCE, **arguments)  # type: ignore[arg-type]  # one argument of any type


@pytest.fixture
def quiet_signals() -> Iterator[None]:
    """Restore the handlers of Ctrl-C."""
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


def worked(pairing: object, *pairs: int) -> list[Any]:
    """Run a worker in this process; return the results that it sends."""
    ours, theirs = Pipe()

    def ask() -> list[Any]:
        with ours:
            for pair in pairs:
                ours.send(pair)
            return [ours.recv() for _ in pairs]

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        work(theirs, pickle.dumps(pairing))
    return asked.result()


@pytest.mark.usefixtures("quiet_signals")
def test_a_worker_plays_what_it_is_asked_for() -> None:
    pairing = Pairing(CHANCE, Troublemaker("raises", (seeds_of(2)[1],)), RULES, 0)
    (first, games), (second, error) = worked(pairing, 4, 2)
    assert (first, second) == (4, 2)
    assert games == pairing.play(4)
    assert isinstance(error, players.PlayerError)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.usefixtures("quiet_signals")
def test_a_worker_that_cannot_read_players_says_so() -> None:
    [answer] = worked(Homebody(), 1)
    assert "nobody is there" in str(answer[1])
