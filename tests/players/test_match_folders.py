"""The folder of a match belongs to its players and openings, and to one match at a time."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np
import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players.match_folder import FACTS_FILE, MatchFolder
from pontedeldiavolo.players.openings import RandomOpenings
from pontedeldiavolo.players.pairing import Pairing
from support.paths import DATA, TESTS
from support.stub_players import FirstLegal, Troublemaker

RULES = pdd.Rules(pdd.Board(3, 3))
CHANCE = players.RandomPlayer()
STORED = DATA / "compatibility" / "0.1.0" / "3x3.npz"
ENGINE = [sys.executable, "-IS", str(TESTS / "support" / "stub_engine.py")]
match = partial(players.match, rules=RULES)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def network(digest: str | None = None) -> Any:
    """Return an evaluation with or without a digest."""

    def evaluate(games: pdd.batch.GameBatch) -> Any:
        steps = len(pdd.StepSpace(games.rules.board))
        return np.ones((games.size, steps)), np.zeros(games.size)

    if digest is not None:
        evaluate.digest = digest  # type: ignore[attr-defined]
    return evaluate


class Network:
    """An evaluation as a callable object and as a method."""

    def __init__(self, digest: Any) -> None:
        self.digest = digest

    def __call__(self, games: pdd.batch.GameBatch) -> Any:
        return network()(games)

    def evaluate(self, games: pdd.batch.GameBatch) -> Any:
        return network()(games)


def searcher(evaluate: Any, **options: Any) -> players.MctsPlayer:
    return players.MctsPlayer(simulations=4, evaluate=evaluate, **options)


def engine(**options: Any) -> players.ExternalPlayer:
    with players.ExternalPlayer(ENGINE, **options) as player:
        return player


def begun(folder: Path, pairing: Pairing) -> None:
    """Begin a match in a folder, with a file in place of its first pair."""
    with MatchFolder(folder, pairing).locked():
        (folder / "pair-000001.pdd").touch()


PAIRS: dict[str, Callable[[Path], tuple[players.Player, players.Player, str]]] = {
    "functions": lambda _: (searcher(network("aa")), searcher(network("bb")), "a.evaluate"),
    "objects": lambda _: (searcher(Network("aa")), searcher(Network("bb")), "a.evaluate"),
    "methods": lambda _: (
        searcher(Network("aa").evaluate),
        searcher(Network("bb").evaluate),
        "a.evaluate",
    ),
    "one name, other networks": lambda _: (
        searcher(network("aa"), name="net"),
        searcher(network("bb"), name="net"),
        "a.evaluate",
    ),
    "options under one name": lambda _: (
        players.GreedyPlayer(name="x", candidates=4),
        players.GreedyPlayer(name="x", candidates=5),
        "a.candidates",
    ),
    "kinds under one name": lambda _: (
        players.GreedyPlayer(name="x"),
        players.RandomPlayer(name="x"),
        "a.kind",
    ),
    "a foreign player under that name": lambda _: (
        players.GreedyPlayer(),
        FirstLegal("greedy"),
        "a.kind",
    ),
    "given names": lambda _: (
        searcher(network(), name="one"),
        searcher(network(), name="two"),
        "a.name",
    ),
    "foreign players": lambda _: (FirstLegal("one"), FirstLegal("two"), "a.name"),
    "derived names": lambda _: (
        players.GreedyPlayer(),
        players.GreedyPlayer(candidates=5),
        "a.name",
    ),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_a_match_with_another_player_is_refused(tmp_path: Path, pair: str) -> None:
    one, other, fact = PAIRS[pair](tmp_path)
    folder = tmp_path / "games"
    begun(folder, Pairing(one, CHANCE, RULES, 0))
    before = contents(folder)
    with pytest.raises(pdd.PonteError, match=f"match.json is of another match: its {fact} is "):
        match(other, CHANCE, 4, openings=0, folder=folder)
    with pytest.raises(pdd.PonteError, match="is of another match"):
        match(CHANCE, one, 4, openings=0, folder=folder)
    assert contents(folder) == before
    # The same players may use the folder.
    begun(folder, Pairing(PAIRS[pair](tmp_path)[0], CHANCE, RULES, 0))


def test_the_options_of_an_engine_identify_it(tmp_path: Path) -> None:
    rules = pdd.Rules(pdd.Board(2, 1))
    begun(tmp_path, Pairing(engine(name="x"), CHANCE, rules, 0))
    other = Pairing(engine(name="x", depth=7), CHANCE, rules, 0)
    said = r"its a\.options\.depth is 'nothing', and not '7'"
    with pytest.raises(pdd.PonteError, match=said), MatchFolder(tmp_path, other).locked():
        pass


@pytest.mark.slow
def test_two_networks_are_not_added_up(tmp_path: Path) -> None:
    match(searcher(network("one")), CHANCE, 4, folder=tmp_path)
    before = contents(tmp_path)
    said = r"its a\.evaluate is 'one', and not 'other'"
    with pytest.raises(pdd.PonteError, match=said):
        match(searcher(network("other")), CHANCE, 8, folder=tmp_path)
    assert contents(tmp_path) == before
    assert match(searcher(network("one")), CHANCE, 8, folder=tmp_path).games == 8


@pytest.mark.parametrize("evaluate", [network(), network(""), Network(None).evaluate, partial(max)])
def test_a_network_without_a_digest_needs_a_name(tmp_path: Path, evaluate: Any) -> None:
    folder = tmp_path / "games"
    with pytest.raises(pdd.PonteError, match="name, or the function an attribute dig"):
        match(searcher(evaluate), CHANCE, 2, folder=folder)
    assert not folder.exists()
    begun(folder, Pairing(searcher(evaluate, name="net"), CHANCE, RULES, 0))
    assert json.loads((folder / FACTS_FILE).read_text("utf-8"))["a"]["name"] == "net"


def test_a_digest_is_a_text(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="the digest of evaluate must be str, not int"):
        match(searcher(Network(5)), CHANCE, 2, folder=tmp_path)


@pytest.mark.parametrize(
    ("openings", "found"),
    [(3, "random turns: 3"), (0, "random turns: 0"), ([pdd.GameState.initial(RULES)], "states: 1")],
)
def test_a_match_with_other_openings_is_refused(tmp_path: Path, openings: Any, found: str) -> None:
    match(CHANCE, FirstLegal(), 2, folder=tmp_path)
    said = f"its openings is 'random turns: 2', and not '{found}"
    with pytest.raises(pdd.PonteError, match=said):
        match(CHANCE, FirstLegal(), 4, openings=openings, folder=tmp_path)
    start = pdd.GameState.initial(RULES)
    lists = [[start.apply(pdd.parse_action(text))] for text in ("a1,b1", "a1,c1")]
    match(CHANCE, FirstLegal(), 2, openings=lists[0], folder=tmp_path / "list")
    with pytest.raises(pdd.PonteError, match="its openings is 'states: 1, sha256: "):
        match(CHANCE, FirstLegal(), 2, openings=lists[1], folder=tmp_path / "list")


def test_games_with_another_opening_are_refused(tmp_path: Path) -> None:
    # Another version of the library may choose other random turns.
    pairing = Pairing(CHANCE, FirstLegal(), RULES, 0, openings=RandomOpenings(RULES, 0, 2))
    other = evolve(pairing, openings=RandomOpenings(RULES, 1, 2))
    with MatchFolder(tmp_path, pairing).locked():
        pass
    MatchFolder(tmp_path, other).save(1, other.play(1))
    with pytest.raises(pdd.PonteError, match=r"pair-000001\.pdd is of another .* its opening is"):
        match(CHANCE, FirstLegal(), 2, folder=tmp_path)


def test_the_file_of_another_pair_is_refused(tmp_path: Path) -> None:
    match(CHANCE, FirstLegal(), 4, folder=tmp_path)
    copyfile(tmp_path / "pair-000001.pdd", tmp_path / "pair-000002.pdd")
    with pytest.raises(pdd.PonteError, match=r"its Round is '1\.1', and not '2\.1'"):
        match(CHANCE, FirstLegal(), 4, folder=tmp_path)


def test_games_without_facts_are_refused(tmp_path: Path) -> None:
    match(CHANCE, FirstLegal(), 2, folder=tmp_path)
    (tmp_path / FACTS_FILE).unlink()
    before = contents(tmp_path)
    with pytest.raises(pdd.PonteError, match=r"but no match\.json, .* use another fol") as caught:
        match(CHANCE, FirstLegal(), 2, folder=tmp_path)
    assert caught.value.code == "match-folder-without-facts"
    assert contents(tmp_path) == before


def test_a_match_without_a_pair_leaves_the_folder_free(tmp_path: Path) -> None:
    trouble = Troublemaker("raises")
    with pytest.raises(players.PlayerError):
        match(trouble, CHANCE, 2, folder=tmp_path)
    assert json.loads((tmp_path / FACTS_FILE).read_text("utf-8"))["a"] == {"name": "trouble"}
    assert match(FirstLegal(), CHANCE, 2, folder=tmp_path).games == 2
    assert json.loads((tmp_path / FACTS_FILE).read_text("utf-8"))["a"] == {"name": "first-legal"}


def test_drafts_of_killed_processes_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = tmp_path / ".0123456789abcdef.tmp"
    others = [tmp_path / name for name in (".notes.tmp", "0123456789abcdef.tmp")]
    for path in (draft, *others):
        path.touch()
    pairing = Pairing(CHANCE, FirstLegal(), RULES, 0)
    # Without a lock, another process could write to the folder.
    monkeypatch.setattr(MatchFolder, "_lock", lambda *_: "no locks")
    with (
        pytest.warns(players.MatchWarning, match="no locks"),
        MatchFolder(tmp_path, pairing).locked(),
    ):
        assert draft.exists()
    monkeypatch.undo()
    with MatchFolder(tmp_path, pairing).locked():
        assert not draft.exists()
    assert all(path.exists() for path in others)


def test_the_facts_can_be_read_by_people(tmp_path: Path) -> None:
    ada = players.GreedyPlayer(name="Ada", candidates=5)
    match(ada, FirstLegal("Bo"), 2, folder=tmp_path, clock=(60, 1))
    facts = json.loads((tmp_path / FACTS_FILE).read_text("utf-8"))
    assert facts == {
        "format": "pontedeldiavolo match",
        "version": 1,
        "library": facts["library"],
        "rules": pdd.format_rules(RULES),
        "seed": 0,
        "clock": "60.0+1.0",
        "openings": "random turns: 2",
        "a": {"name": "Ada", "kind": "GreedyPlayer", "candidates": 5},
        "b": {"name": "Bo"},
    }


JUNK: list[object] = [None, True, 0, -1, 1.5, 10**40, "", "a text", [], {}, [[]], {"a": {}}]


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"format": "pontedeldiavolo match", "version": 2}']
)
def test_facts_that_cannot_be_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "pair-000001.pdd").touch()
    path = tmp_path / FACTS_FILE
    path.write_text(text, encoding="utf-8")
    with pytest.raises(pdd.PonteError, match=r"match\.json is damaged, or of a later") as caught:
        match(CHANCE, FirstLegal(), 2, folder=tmp_path)
    assert caught.value.code == "match-facts-damaged"
    assert path.read_text("utf-8") == text


@pytest.mark.slow
def test_no_damage_of_the_facts_is_overlooked(tmp_path: Path) -> None:
    match(CHANCE, FirstLegal(), 2, folder=tmp_path)
    path = tmp_path / FACTS_FILE
    facts = json.loads(path.read_text("utf-8"))

    def refused(text: str | bytes) -> bool:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(pdd.PonteError) as caught:
            match(CHANCE, FirstLegal(), 2, folder=tmp_path)
        return caught.value.code in ("match-facts-damaged", "match-file-of-another")

    for junk in JUNK:
        assert refused(json.dumps(junk))
        for name, value in facts.items():
            if name != "library" and junk != value:
                assert refused(json.dumps({**facts, name: junk})), (name, junk)
            if isinstance(value, dict):
                for inner in value:
                    assert refused(json.dumps({**facts, name: {**value, inner: junk}}))
    whole = json.dumps(facts)
    for text in ("", whole[:-1], "[" * 100_000, '{"a":' * 100_000, "9" * 5000, "NaN", "{}" * 2):
        assert refused(text)
    for data in (b"\xff\xfe", b"\x00", b" " * 1_000_001, "\ufeff".encode()):
        assert refused(data)
    path.write_text(whole, encoding="utf-8")
    assert match(CHANCE, FirstLegal(), 2, folder=tmp_path).games == 2


def test_one_match_at_a_time_uses_a_folder(tmp_path: Path) -> None:
    refusals = []

    def again(_: players.Match) -> None:
        with pytest.raises(pdd.PonteError, match="another match is being played") as caught:
            match(CHANCE, FirstLegal(), 4, folder=tmp_path)
        refusals.append(caught.value.code)

    match(CHANCE, FirstLegal(), 4, folder=tmp_path, on_pair=again)
    assert refusals == ["match-folder-in-use"] * 2
    # The folder is unlocked, even after an error.
    with pytest.raises(ZeroDivisionError):
        match(CHANCE, FirstLegal(), 4, folder=tmp_path, on_pair=lambda _: 1 // 0)
    assert match(CHANCE, FirstLegal(), 4, folder=tmp_path).games == 4


@pytest.mark.parametrize("kind", ["junk", "no locks", "no SQLite"])
def test_a_folder_that_cannot_be_locked_is_reported(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "junk":
        (tmp_path / ".lock").write_text("junk", encoding="utf-8")
    elif kind == "no locks":

        def refuse(*_: object, **_more: object) -> None:
            raise sqlite3.OperationalError("locking protocol")

        monkeypatch.setattr(sqlite3, "connect", refuse)
    else:
        monkeypatch.setitem(sys.modules, "sqlite3", None)
        monkeypatch.delitem(sys.modules, "pontedeldiavolo.base.folder_lock", raising=False)
    with pytest.warns(players.MatchWarning, match="do not play two matches in it") as caught:
        assert match(CHANCE, FirstLegal(), 4, folder=tmp_path).games == 4
    assert [each.message.code for each in caught] == ["match-folder-unlocked"]  # type: ignore[union-attr]
    assert caught[0].filename == __file__


PROGRAM = """
import sys, pontedeldiavolo as pdd
from pontedeldiavolo import players
def tell(match):
    print(match.games, flush=True)
    sys.stdin.readline()
players.match(players.RandomPlayer(), players.GreedyPlayer(), 8, rules=pdd.parse_rules("3x3"),
              folder=sys.argv[1], on_pair=tell)
"""


@pytest.mark.slow
def test_a_killed_process_leaves_the_folder_free(tmp_path: Path) -> None:
    options: dict[str, Any] = {"rules": pdd.parse_rules("3x3"), "folder": tmp_path}
    pair = CHANCE, players.GreedyPlayer()
    command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as program:
        try:
            assert program.stdout is not None
            assert program.stdout.readline().strip() == b"2"
            with pytest.raises(pdd.PonteError, match="another match is being played"):
                players.match(*pair, 8, **options)
        finally:
            program.kill()
    resumed = players.match(*pair, 8, **options)
    assert resumed == players.match(*pair, 8, rules=options["rules"])
