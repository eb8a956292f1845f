"""``match`` and ``analyse``: matches between players, and analyses of games in files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import messages, players
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.players.registry import FACTORIES, PlayerFactory
from support.commands import invoke, lines_of, refusal, saved
from support.games import SMALL, random_game
from support.stub_players import FirstLegal, LastLegal, PlayoutPlayer, Troublemaker

TINY = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"
pytestmark = pytest.mark.usefixtures("thinker")


def test_a_match_is_printed_in_full(tmp_path: Path) -> None:
    options = ("--games", "20", "--seed", "4", "--rules", SMALL, "--folder", tmp_path / "kept")
    lines = lines_of(invoke("match", "greedy", "random", *options, "--ascii"))
    rules = pdd.parse_rules(SMALL)
    greedy = players.GreedyPlayer()
    chance = players.RandomPlayer()
    match = players.match(greedy, chance, 20, rules=rules, seed=4)
    low, high = match.elo_interval
    assert 0 < match.losses + match.draws < match.wins
    assert lines[0].split("|")[0].strip() == "player"
    rows = [[cell.strip() for cell in line.split("|")] for line in lines[2:4]]
    assert rows == [
        ["greedy", *map(str, (match.wins, match.draws, match.losses)), f"{match.score:.1%}"],
        ["random", *map(str, (match.losses, match.draws, match.wins)), f"{1 - match.score:.1%}"],
    ]
    assert lines[4:] == [
        "",
        f"greedy: {match.elo:+.0f} Elo, 95 % interval {low:+.0f} to {high:+.0f}",
        f"Better than random with a likelihood of {match.los:.1%}",
        f"Pairs of games worth 0, 1/2, 1, 3/2, 2: {', '.join(map(str, match.pairs))}",
        f"The games are in {tmp_path / 'kept'}.",
    ]
    *_, last = lines_of(invoke("validate", *sorted((tmp_path / "kept").glob("*.pdd"))))
    assert last.startswith("20 good games, 0 bad")
    # The second run plays nothing and prints the same.
    assert lines_of(invoke("match", "greedy", "random", *options, "--ascii")) == lines


def test_one_sided_matches_have_an_open_interval() -> None:
    options = ("--games", "12", "--rules", "6x6 " + TINY[4:])
    text = invoke("match", "random", "greedy", *options).stdout
    assert "random: -infinity Elo, 95 % interval -infinity to -" in text
    text = invoke("match", "greedy", "random", *options).stdout
    assert "greedy: +infinity Elo, 95 % interval +" in text


def test_a_test_ends_a_match() -> None:
    options = ("--rules", SMALL, "--sprt", "0,200")
    *_, verdict = lines_of(invoke("match", "greedy", "random", *options, "--games", "400"))
    assert verdict.startswith("Test of 0 against 200 Elo: 200 accepted (log-likelihood ratio +")
    assert verdict.endswith(", bounds -2.94 and +2.94)")
    *_, verdict = lines_of(invoke("match", "greedy", "random", *options, "--games", "2"))
    assert verdict.startswith("Test of 0 against 200 Elo: undecided (")


def test_options_go_to_players_that_have_them(tmp_path: Path) -> None:
    options = ("--games", "2", "--rules", TINY, "--folder", tmp_path)
    names = ("thinker", "thinker:simulations=1")
    lines_of(invoke("match", *names, "--simulations", "3", *options))
    (path,) = tmp_path.glob("*.pdd")
    assert next(pdd.records.iter_games(path)).tags["Event"] == "playouts 3 against playouts 1"


def test_a_match_has_clocks(tmp_path: Path) -> None:
    options = ("--games", "2", "--rules", TINY, "--folder", tmp_path, "--clock", "60+0.5")
    lines_of(invoke("match", "random", "random", *options))
    (path,) = tmp_path.glob("*.pdd")
    assert {game.tags["TimeControl"] for game in pdd.records.iter_games(path)} == {"60+0.5"}


def tags_in(folder: Path) -> list[str]:
    paths = sorted(folder.glob("*.pdd"))
    games = [game for path in paths for game in pdd.records.iter_games(path)]
    return [game.tags["First"] for game in games]


def test_players_have_names(tmp_path: Path) -> None:
    options = ("--games", "2", "--rules", TINY, "--ascii")
    names = ("--names", "new", "the old one", "--folder", tmp_path)
    lines = lines_of(invoke("match", "random", "random", *options, *names))
    assert [line.split("|")[0].strip() for line in lines[2:4]] == ["new", "the old one"]
    assert tags_in(tmp_path) == ["new", "the old one"]
    lines = lines_of(invoke("match", "random", "random", *options))
    assert [line.split("|")[0].strip() for line in lines[2:4]] == ["random (a)", "random (b)"]
    said = refusal(invoke("match", "random", "greedy", *options, "--names", "x", "x"), 2)
    assert said == "both players are called x: give them different names"
    result = invoke("match", "random", "greedy", *options, "--names", "x", "")
    assert result.exit_code == 2
    assert "the name of a player has 1 to 200 printable characters" in result.stderr


WARNED = "repeats pair 1 move by move, and copies are no evidence: begin with random turns or"


@pytest.fixture
def repeating(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FACTORIES, "first", PlayerFactory(FirstLegal))
    monkeypatch.setitem(FACTORIES, "last", PlayerFactory(LastLegal))


@pytest.mark.usefixtures("repeating")
def test_copies_are_reported(tmp_path: Path) -> None:
    options = ("--games", "20", "--rules", SMALL, "--sprt", "0,100", "--openings", "0")
    result = invoke("match", "first", "last", *options, "--folder", tmp_path)
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"Warning: pair 2 {WARNED}")
    lines = result.stdout.splitlines()
    assert "Different pairs: 1 of 10; the interval counts only these as evidence" in lines
    assert "Test of 0 against 100 Elo: undecided (log-likelihood ratio" in lines[-2]
    german = invoke("match", "first", "last", *options, "--folder", tmp_path, "--lang", "de")
    (line,) = german.stderr.splitlines()
    assert line.startswith("Warnung: Paar 2 wiederholt Zug für Zug das Paar 1")
    assert "Verschiedene Paare: 1 von 10; nur sie zählen" in german.stdout
    assert re.search(r"Likelihood-Verhältnis [+-]\d,\d\d, Grenzen -\d,\d\d", german.stdout)
    assert re.search(r"Wahrscheinlichkeit von \d+,\d%", german.stdout)
    result = invoke("match", "first", "last", *options, "--json")
    assert (result.exit_code, len(result.stderr.splitlines())) == (0, 1)
    assert json.loads(result.stdout)["value"]["distinct"] == 1
    # With default openings there is no message.
    assert lines_of(invoke("match", "first", "last", *options[:-2]))


def starts_in(folder: Path) -> list[str]:
    (path, *more) = sorted(folder.glob("*.pdd"))
    games = [game for each in (path, *more) for game in pdd.records.iter_games(each)]
    return [pdd.format_state(game.start) for game in games]


def test_openings_in_a_file(tmp_path: Path) -> None:
    start = pdd.GameState.initial(pdd.parse_rules(SMALL))
    states = [start.apply(pdd.parse_action(text)) for text in ("a1,b1", "a1,c1")]
    texts = [pdd.format_state(state) for state in states]
    openings = tmp_path / "openings.txt"
    openings.write_text("\n\n".join(texts) + "\n", "utf-8")
    options = ("--rules", SMALL, "--openings", openings, "--folder", tmp_path / "states")
    lines_of(invoke("match", "greedy", "random", *options, "--games", "4"))
    assert starts_in(tmp_path / "states") == [texts[0], texts[0], texts[1], texts[1]]
    result = invoke("match", "greedy", "random", *options, "--games", "40")
    assert result.exit_code == 0
    assert result.stderr == (
        "Warning: all openings are used up, so the match ends after 2 pairs: give more openings,"
        " more random turns, or none (0)\n"
    )
    games = [pdd.Game.new(start.rules).play(text) for text in ("a1,b1", "a1,c1")]
    path = saved(tmp_path / "openings.pdd", *games)
    options = ("--rules", SMALL, "--openings", path, "--folder", tmp_path / "records")
    lines_of(invoke("match", "greedy", "random", *options, "--games", "4"))
    assert starts_in(tmp_path / "records") == starts_in(tmp_path / "states")


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("4x4 rows=nonsense\n", 1, "openings.txt:1: expected"),
        ("", 1, "openings.txt: empty"),
        (pdd.format_state(pdd.GameState.initial()), 2, "opening 1 has the rules 10x10 "),
        (None, 2, "openings.txt: no such file or directory"),
    ],
)
def test_openings_that_cannot_be_used(
    tmp_path: Path, text: str | None, status: int, said: str
) -> None:
    path = tmp_path / "openings.txt"
    if text is not None:
        path.write_text(text, "utf-8")
    result = invoke("match", "greedy", "random", "--rules", SMALL, "--openings", path)
    assert said in refusal(result, status)


@pytest.mark.parametrize("number", ["1001", "9" * 5000])
def test_the_number_of_random_turns_has_a_limit(number: str) -> None:
    result = invoke("match", "greedy", "random", "--rules", SMALL, "--openings", number)
    assert refusal(result, 2).startswith("openings must be from 0 to 1,000, not ")


def test_a_player_that_fails_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FACTORIES, "trouble", PlayerFactory(lambda: Troublemaker("illegal")))
    result = invoke("match", "trouble", "random", "--rules", SMALL)
    said = refusal(result, 1)
    assert said.startswith("trouble chose an illegal action: A pair needs two different cells")
    assert " of game 1.1, in 4x4 " in said


def test_the_games_before_a_failure_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(a: players.Player, b: players.Player, _games: int, **options: Any) -> None:
        players.match(a, b, 2, **options)
        raise pdd.PonteError("a process has ended")

    monkeypatch.setattr("pontedeldiavolo.cli.match.play_match", fail)
    options = ("--rules", SMALL, "--folder", tmp_path / "kept")
    result = invoke("match", "greedy", "random", *options)
    assert (result.exit_code, result.stderr) == (2, "Error: a process has ended\n")
    assert "greedy" in result.stdout
    assert result.stdout.endswith(f"The games are in {tmp_path / 'kept'}.\n")
    result = invoke("match", "greedy", "random", *options, "--json")
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize("played", [0, 2])
def test_interrupted_matches(played: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(a: players.Player, b: players.Player, _games: int, **options: Any) -> None:
        if played:
            players.match(a, b, played, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr("pontedeldiavolo.cli.match.play_match", interrupted)
    lines = lines_of(invoke("match", "greedy", "random", "--rules", SMALL), 130)
    assert lines[-1] == "The match stops here, unfinished."
    assert len(lines) == (1 if not played else 9)
    kept = ("--rules", SMALL, "--folder", tmp_path)
    lines = lines_of(invoke("match", "greedy", "random", *kept), 130)
    assert lines[-1] == "The same command goes on with it."
    # A program that reads the output must get a complete document or nothing.
    result = invoke("match", "greedy", "random", *kept, "--json")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Interrupted.\n")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    games = [random_game(TINY, seed, Round=str(seed)) for seed in (1, 2)]
    return saved(tmp_path / "games.pdd", *games)


def analysed(path: Path, playouts: int, catalog: Catalog) -> list[pdd.Game]:
    player = PlayoutPlayer(playouts)
    games = pdd.records.iter_games(path)
    return [players.annotate(game, player, catalog=catalog) for game in games]


def test_all_games_are_analysed(games: Path, tmp_path: Path) -> None:
    result = invoke("analyse", games, "--player", "thinker")
    assert result.exit_code == 0
    wanted = analysed(games, 2, messages.LANGUAGES["en"])
    assert [*pdd.records.iter_games([result.stdout])] == wanted
    assert any(move.nags for game in wanted for move in game.line.moves)
    output = tmp_path / "out.pdd"
    options = ("--simulations", "1", "--lang", "de", "-o", output)
    lines = lines_of(invoke("analyse", games, "--player", "thinker", *options))
    assert lines == [f"2 Partien in {output} geschrieben, 0 ausgelassen."]
    assert [*pdd.records.iter_games(output)] == analysed(games, 1, messages.LANGUAGES["de"])
    assert lines_of(invoke("validate", output))[-1].startswith("2 good games, 0 bad")
