"""Openings of matches: random turns that differ from pair to pair, and lists of states."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import ChooseColor, GameState, players
from pontedeldiavolo.players import openings
from pontedeldiavolo.players.openings import RandomOpenings
from support.stub_players import FirstLegal

RULES = pdd.Rules(pdd.Board(4, 4))
GREEDY = players.GreedyPlayer()
CHANCE = players.RandomPlayer()
START = GameState.initial(RULES)


def games_of(folder: Path) -> list[pdd.Game]:
    paths = sorted(folder.glob("*.pdd"))
    return [game for path in paths for game in pdd.records.iter_games(path)]


def turns_in(actions: tuple[pdd.Action, ...]) -> int:
    return sum(not isinstance(action, ChooseColor) for action in actions)


def state_after(text: str, start: GameState = START) -> GameState:
    for action in text.split():
        start = start.apply(pdd.parse_action(action))
    return start


def all_openings(rules: pdd.Rules, turns: int, seed: int = 0) -> list[tuple[pdd.Action, ...]]:
    openings = RandomOpenings(rules, seed, turns)
    found: list[tuple[pdd.Action, ...]] = []
    while (opening := openings.of_pair(len(found) + 1)) is not None:
        found.append(opening.actions)
    return found


@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_pair_shares_its_random_turns(tmp_path: Path, turns: int) -> None:
    players.match(FirstLegal(), CHANCE, 10, rules=RULES, openings=turns, folder=tmp_path)
    games = games_of(tmp_path)
    begun = []
    for first, second in zip(games[::2], games[1::2], strict=True):
        length = int(first.tags.get("RandomActions", 0))
        assert second.tags.get("RandomActions", "0") == str(length)
        assert first.actions[:length] == second.actions[:length]
        assert turns_in(first.actions[:length]) == turns
        # The choice after the first turn belongs to a player if no other random turn follows.
        assert length == turns + (turns > 1)
        assert (first.tags["First"], second.tags["First"]) == ("first-legal", "random")
        begun.append(first.actions[:length])
    assert len({*begun}) == (5 if turns else 1)


def test_two_turns_are_the_default(tmp_path: Path) -> None:
    match = players.match(FirstLegal(), FirstLegal("other"), 20, rules=RULES, folder=tmp_path)
    assert {game.tags["RandomActions"] for game in games_of(tmp_path)} == {"3"}
    assert match.distinct == 10
    again = players.match(FirstLegal(), FirstLegal("other"), 20, rules=RULES, openings=2)
    assert again == match


def test_the_seed_and_the_pair_draw_the_turns(tmp_path: Path) -> None:
    one, other = ([game.actions for game in drawn(tmp_path, seed)] for seed in (1, 2))
    assert one != other
    assert one == [game.actions for game in drawn(tmp_path / "again", 1)]


def drawn(folder: Path, seed: int) -> list[pdd.Game]:
    folder = folder / str(seed)
    players.match(FirstLegal(), FirstLegal("other"), 6, rules=RULES, seed=seed, folder=folder)
    return games_of(folder)


@pytest.mark.parametrize(
    "size", [(2, 1), (2, 2), (3, 2), pytest.param((3, 3), marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("turns", [1, 2, 3, pytest.param(50, marks=pytest.mark.slow)])
def test_no_opening_comes_twice(size: tuple[int, int], turns: int) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    if (size, turns) == ((3, 3), 50):
        # There are thousands.
        openings = RandomOpenings(rules, 0, turns)
        found = [openings.of_pair(pair) for pair in range(1, 200)]
        actions = [opening.actions for opening in found if opening is not None]
    else:
        actions = all_openings(rules, turns)
    states = []
    for each in actions:
        state = GameState.initial(rules)
        for action in each:
            state = state.apply(action)
        assert not state.is_over
        assert turns_in(each) <= turns
        states.append(state)
    assert len({*states}) == len(states)
    # Mirror images come when nothing else is left.
    classes = len({state.canonical() for state in states})
    assert len({state.canonical() for state in states[:classes]}) >= 0.9 * classes


def reachable(state: GameState, turns: int) -> set[GameState]:
    """Return the ends of all openings, slowly."""
    if not turns:
        return {state}
    found: set[GameState] = set()
    for action in state.legal_actions:
        after = state.apply(action)
        if after.is_over:
            found.add(state)
        else:
            found |= reachable(after, turns - (not isinstance(action, ChooseColor)))
    return found


@pytest.mark.parametrize(("size", "turns"), [((2, 1), 2), ((2, 2), 1), ((2, 2), 4), ((3, 2), 2)])
def test_every_opening_comes(size: tuple[int, int], turns: int) -> None:
    start = GameState.initial(pdd.Rules(pdd.Board(*size)))
    found = set()
    for actions in all_openings(start.rules, turns):
        state = start
        for action in actions:
            state = state.apply(action)
        found.add(state)
    assert found == reachable(start, turns)


def test_the_list_of_openings_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = pdd.Rules(pdd.Board(3, 2))
    there = len(all_openings(rules, 3))
    # All pairs draw the same, so that nearly all openings are listed.
    monkeypatch.setattr(RandomOpenings, "_rng", lambda *_: Random(0))
    assert len(all_openings(rules, 3)) == there
    monkeypatch.setattr(openings, "MAX_LISTED", 20)
    monkeypatch.setattr(openings, "DRAWS", 1)
    found = all_openings(rules, 3)
    assert 1 < len(found) <= 21 < there
    assert len({*found}) == len(found)


@pytest.mark.parametrize("pairs", [[12], [13, 12, 1], [7, 1, 9], [3, 3, 2, 11, 4]])
def test_openings_are_the_same_in_any_order(pairs: list[int]) -> None:
    rules = pdd.Rules(pdd.Board(2, 2))
    seed = len(pairs)
    asked = RandomOpenings(rules, seed, 2)
    listed = all_openings(rules, 2, seed)
    assert len(listed) == 12
    for pair in pairs:
        opening = asked.of_pair(pair)
        found = None if opening is None else opening.actions
        assert found == dict(enumerate(listed, 1)).get(pair)


def test_a_pair_draws_its_opening_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    of_pair = RandomOpenings.of_pair

    def note(self: RandomOpenings, pair: int) -> openings.Opening | None:
        asked.append(pair)
        return of_pair(self, pair)

    monkeypatch.setattr(RandomOpenings, "of_pair", note)
    for _ in ("played", "read from the folder"):
        players.match(FirstLegal(), CHANCE, 6, rules=RULES, folder=tmp_path)
        assert asked == [1, 2, 3]
        asked.clear()


@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_match_ends_with_its_openings(tmp_path: Path, processes: int) -> None:
    rules = pdd.Rules(pdd.Board(2, 2))
    options: dict[str, Any] = {"rules": rules, "openings": 1, "processes": processes}
    with pytest.warns(players.MatchWarning) as caught:
        match = players.match(GREEDY, CHANCE, 100, **options, folder=tmp_path)
    assert match.games == len(games_of(tmp_path)) == 12
    assert [each.message.code for each in caught] == ["openings-used-up"]  # type: ignore[union-attr]
    assert str(caught[0].message).startswith("all openings are used up, so the match ends after 6")
    assert caught[0].filename == __file__
    with pytest.warns(players.MatchWarning, match="after 6 pairs"):
        assert players.match(GREEDY, CHANCE, 100, **options, folder=tmp_path) == match
    # Exactly as many games as there are openings: nothing to warn of.
    assert players.match(GREEDY, CHANCE, 12, **options) == match


@pytest.mark.slow
@pytest.mark.parametrize("openings", [2, [state_after("a1,b1"), state_after("a1,c1 red"), START]])
def test_processes_and_interruptions_change_nothing(tmp_path: Path, openings: Any) -> None:
    def interrupt(found: players.Match) -> None:
        if found.games == 4:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"rules": RULES, "openings": openings}
    whole = players.match(GREEDY, CHANCE, 6, **options, folder=tmp_path / "1")
    two = players.match(GREEDY, CHANCE, 6, **options, processes=2, folder=tmp_path / "2")
    with pytest.raises(KeyboardInterrupt):
        players.match(GREEDY, CHANCE, 6, **options, folder=tmp_path / "3", on_pair=interrupt)
    resumed = players.match(GREEDY, CHANCE, 6, **options, folder=tmp_path / "3")
    assert whole == two == resumed
    assert games_of(tmp_path / "1") == games_of(tmp_path / "2") == games_of(tmp_path / "3")


def test_games_start_from_listed_states(tmp_path: Path) -> None:
    states = [state_after("a1,b1"), state_after("a1,b1 red c4,d4"), START]
    players.match(GREEDY, CHANCE, 6, rules=RULES, openings=states, folder=tmp_path)
    games = games_of(tmp_path)
    assert [game.start for game in games] == [state for state in states for _ in range(2)]
    assert all("RandomActions" not in game.tags for game in games)
    with pytest.warns(players.MatchWarning, match="after 3 pairs"):
        match = players.match(GREEDY, CHANCE, 20, rules=RULES, openings=tuple(states))
    assert match.games == 6


def test_a_test_that_ends_first_is_not_warned_of() -> None:
    states = [state_after(f"a1,{cell}") for cell in ("b1", "c1", "d1", "a2", "b2", "c2", "d2")]
    states += [state_after(f"b1,{cell}") for cell in ("c1", "d1", "a2", "b2", "c2", "d2", "a3")]
    match = players.match(
        GREEDY, FirstLegal(), 200, rules=RULES, openings=states * 4, sprt=(0, 400)
    )
    assert match.sprt is not None
    assert match.sprt.accepted is not None


OVER = GameState.initial(pdd.Rules(pdd.Board(1, 1)))
while not OVER.is_over:
    OVER = OVER.apply(OVER.legal_actions[0])


@pytest.mark.parametrize(
    ("openings", "code", "said"),
    [
        ([START, GameState.initial()], "opening-rules", "opening 2 has the rules 10x10 .* 4x4 "),
        ([START, OVER], "opening-rules", "opening 2 has the rules 1x1 "),
        ([START.step(pdd.PlaceTile(pdd.Cell(0, 0)))], "opening-half-turn", "opening 1 is a half"),
        ([], "no-openings", "no opening in the list"),
        (-1, "value", "openings must be from 0 to 1,000, not -1"),
        (1001, "value", "openings must be from 0 to 1,000, not 1001"),
    ],
)
def test_openings_that_cannot_be_used(tmp_path: Path, openings: Any, code: str, said: str) -> None:
    with pytest.raises(pdd.PonteError, match=said) as caught:
        players.match(GREEDY, CHANCE, 2, rules=RULES, openings=openings, folder=tmp_path / "a")
    assert caught.value.code == code
    assert not (tmp_path / "a").exists()


def test_a_game_that_is_over_is_no_opening() -> None:
    with pytest.raises(pdd.PonteError, match="opening 1 is the end of a game") as caught:
        players.match(GREEDY, CHANCE, 2, rules=OVER.rules, openings=[OVER])
    assert caught.value.code == "opening-over"


@pytest.mark.parametrize(
    ("openings", "said"),
    [
        ("4", "openings must be a whole number or a sequence of GameState, not str"),
        (2.0, "openings must be a whole number or a sequence of GameState, not float"),
        (None, "openings must be a whole number or a sequence of GameState, not NoneType"),
        (True, "openings must be a whole number, not bool"),
        (START, "openings must be a whole number or a sequence of GameState, not GameState"),
        ([START, "4x4"], "openings[1] must be GameState, not str: use parse_state"),
        ([None], "openings[0] must be GameState, not NoneType"),
    ],
)
def test_openings_of_a_wrong_type(openings: Any, said: str) -> None:
    with pytest.raises(TypeError, match=re.escape(said)):
        players.match(GREEDY, CHANCE, 2, rules=RULES, openings=openings)
