"""Players choose legal actions by their documented criteria; analyses become comments."""

from __future__ import annotations

import pickle
from math import inf
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, GameState, Phase, players
from pontedeldiavolo.testing.strategies import states
from support.diagrams import state_of
from support.games import game_of, played, random_game
from support.strategies import SMALL_RULES
from support.stub_players import PlayoutPlayer

PLAYERS: list[Any] = [players.RandomPlayer, players.GreedyPlayer]


@pytest.mark.parametrize("kind", PLAYERS)
@given(state=states(SMALL_RULES))
def test_players_choose_legal_actions(kind: type[players.GreedyPlayer], state: GameState) -> None:
    player = kind(seed=1)
    if state.is_over:
        with pytest.raises(pdd.PonteError, match="the game is over"):
            player.choose(state)
    else:
        assert state.is_legal(player.choose(state))


@pytest.mark.parametrize("kind", PLAYERS)
def test_equal_seeds_make_equal_games(kind: type[players.GreedyPlayer]) -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    games = [played(kind(seed), kind(seed + 1), rules) for seed in (1, 1, 5)]
    assert games[0] == games[1]
    assert games[0] != games[2]
    again = kind(3).for_game(1)
    assert played(again, kind(3).for_game(2), rules) == games[0]


@pytest.mark.parametrize("kind", PLAYERS)
def test_players_have_the_protocol(kind: type[players.GreedyPlayer]) -> None:
    player = kind()
    assert isinstance(player, players.Player)
    assert player.name == kind.__name__.removesuffix("Player").lower()
    state = GameState.initial()
    player.choose(state)
    copy = pickle.loads(pickle.dumps(player))
    assert [copy.choose(state) for _ in range(3)] == [player.choose(state) for _ in range(3)]


def test_random_actions_are_spread() -> None:
    state = state_of("w . r . . .\n. . . . . .")
    player = players.RandomPlayer(7)
    chosen = {player.choose(state) for _ in range(40 * len(state.legal_actions))}
    assert chosen == {*state.legal_actions}


def test_an_island_is_taken() -> None:
    state = state_of("3 . . . . . .\n2 w . . . . .\n1 w . . . . .")
    action = players.GreedyPlayer(1).choose(state)
    assert state.apply(action).score(Color.WHITE).islands == 1


def test_points_go_before_all_else() -> None:
    # A bridge joins three islands for six points, but another island would add only one point.
    state = state_of(
        "w . . . . . . .\nw . . . . . . .\n. . . . . . . .\nw w . w w . w w\nw w . w w . w w\n"
        "bridges b1-d1"
    )
    for seed in range(5):
        chosen = players.GreedyPlayer(seed).choose(state)
        assert isinstance(chosen, pdd.BuildBridge)
        assert state.apply(chosen).score(Color.WHITE).points == 6


def test_tiles_go_where_there_is_room() -> None:
    # Two tiles fit on the left, an island on the right.
    state = state_of("r . . r . . . .\nr r . r . . . .")
    for seed in range(20):
        chosen = players.GreedyPlayer(seed).choose(state)
        assert isinstance(chosen, pdd.PlaceTiles)
        assert chosen.a.column > 3


def worth(state: GameState, color: Color) -> tuple[int, int, int, int]:
    """Return the criteria of a greedy player for a colour, computed slowly with public methods."""
    score = state.score(color)
    room = {*state.position.open_cells(color)}
    growing = 0
    for group in state.position.groups(color):
        cells = {*group.cells}
        while len(cells) < 4:
            more = {each for each in room - cells if any(beside(each, other) for other in cells)}
            if not more:
                break
            cells |= more
        growing += len(group.cells) if len(group.cells) < 4 <= len(cells) else 0
    points = score.points - state.score(color.opponent).points
    islands = score.islands - state.score(color.opponent).islands
    return points, islands, growing, len(state.position.open_bridges(color))


def beside(a: pdd.Cell, b: pdd.Cell) -> bool:
    """Return whether two cells share a side."""
    return abs(a.column - b.column) + abs(a.row - b.row) == 1


@given(state=states(SMALL_RULES), seed=st.integers(0, 99))
def test_the_greedy_player_chooses_a_best_action(state: GameState, seed: int) -> None:
    color = state.to_move
    assume(color is not None and state.phase in (Phase.PLAY, Phase.LAST_TURN))
    assert color is not None
    chosen = players.GreedyPlayer(seed).choose(state)
    best = max(worth(state.apply(each), color) for each in state.legal_actions)
    assert worth(state.apply(chosen), color) == best


def test_few_candidates_overlook_the_best_action() -> None:
    state = state_of("3 . . . . . .\n2 w . . . . .\n1 w . . . . .")
    islands = {
        number: sum(
            state.apply(players.GreedyPlayer(seed, candidates=number).choose(state))
            .score(Color.WHITE)
            .islands
            for seed in range(40)
        )
        for number in (1, 10, len(state.legal_actions))
    }
    least, some, every = islands.values()
    assert least < some < every == 40


@pytest.mark.parametrize("number", [0, -1, 10**9 + 1])
def test_the_number_of_candidates_is_limited(number: int) -> None:
    with pytest.raises(pdd.PonteError, match="candidates must be from 1 to 1,000,000,000"):
        players.GreedyPlayer(candidates=number)


def test_white_is_chosen() -> None:
    state = GameState.initial().apply(pdd.parse_action("d4,e4"))
    assert state.phase is Phase.COLOR_CHOICE
    assert players.GreedyPlayer(1).choose(state) == pdd.ChooseColor(Color.WHITE)


def test_an_opening_is_any_pair() -> None:
    rules = pdd.Rules(pdd.Board(3, 3))
    state = GameState.initial(rules)
    chosen = {players.GreedyPlayer(seed).choose(state) for seed in range(300)}
    assert chosen == {*state.legal_actions}


@pytest.mark.slow
def test_the_greedy_player_beats_the_random_player() -> None:
    rules = pdd.presets.BRETTSPIELNETZ
    assert players.match(players.GreedyPlayer(), players.RandomPlayer(), 6, rules=rules).wins >= 5


def test_the_greedy_player_compares_a_part_on_large_boards() -> None:
    start = GameState.initial(pdd.Rules(pdd.Board(16, 16)))
    state = start.apply(pdd.parse_action("a1,b1")).apply(pdd.ChooseColor(Color.WHITE))
    assert len(state.legal_actions) > 20_000
    assert state.is_legal(players.GreedyPlayer(1).choose(state))


def test_boards_without_room() -> None:
    for size in ((1, 1), (1, 9), (3, 3), (2, 1)):
        for kind in PLAYERS:
            game = played(kind(1), kind(2), pdd.Rules(pdd.Board(*size)))
            assert game.ending is pdd.Ending.SCORED


PASS = pdd.Pass()


class Scripted(PlayoutPlayer):
    """A player with a given value and line for each state in turn."""

    __slots__ = ("thoughts",)

    def __init__(self, *thoughts: tuple[float, str]) -> None:
        super().__init__()
        self.thoughts = list(thoughts)

    def analyse(self, state: pdd.GameState) -> players.Analysis:
        del state
        value, line = self.thoughts.pop(0)
        best, *rest = map(pdd.parse_action, line.split())
        return players.Analysis(best, value, (), (best, *rest) if rest else ())


RULES = "abstract-play-8"
MINUS = "\N{MINUS SIGN}"
GAME = game_of("a1,b1", "red", "c5,d5", "g3,h4", rules=RULES)


def test_values_are_for_the_first_seat() -> None:
    # The seats to move are the first, the second, which takes red, then the second and the first.
    begun = ((0.5, "a1,b1"), (-0.45, "red c5,d5"), (0.4, "c5,d5 g3,h4"))
    player = Scripted(*begun, (-0.4, "g3,h4"), (0.35, "a8,b8 c8,d8"))
    numbers: list[int] = []
    said = players.annotate(GAME, player, on_move=numbers.append)
    assert numbers == [1, 2, 3, 4]
    assert [move.comment for move in said.line.moves] == [
        "Value for player 1: +0.45. Expected: red c5,d5.",
        f"Value for player 1: {MINUS}0.40. Expected: c5,d5 g3,h4.",
        f"Value for player 1: {MINUS}0.40. Expected: g3,h4.",
        f"Value for player 1: {MINUS}0.35. Expected: a8,b8 c8,d8.",
    ]
    # Programs get the same value.
    evals = [move.annotations["eval"] for move in said.line.moves]
    assert evals == ["0.45", "-0.40", "-0.40", "-0.35"]
    assert said.actions == GAME.actions
    assert pdd.records.loads(pdd.records.dumps(said)) == said


@pytest.mark.parametrize(
    ("lost", "nags"),
    [(0.05, ()), (0.18, ()), (0.22, (6,)), (0.38, (6,)), (0.42, (2,)), (0.62, (4,)), (1.5, (4,))],
)
def test_nags_say_how_much_was_lost(lost: float, nags: tuple[int, ...]) -> None:
    game = game_of("a1,b1", rules=RULES)
    # The second seat is to move after it.
    player = Scripted((0.9, "c3,d3"), (lost - 0.7, "white"), (-0.7, "red a1,b1"))
    (move,) = players.annotate(game, player).line.moves
    assert move.nags == nags
    assert ("Better: c3,d3 (+0.70)." in move.comment) == bool(nags)
    better = ["c3,d3", "red", "a1,b1"]
    lines = [[pdd.format_action(each.action) for each in line.moves] for line in move.variations]
    assert lines == ([better] if nags else [])
    assert all(line.moves[0].annotations == {"eval": "0.70"} for line in move.variations)


def test_the_best_action_keeps_the_value() -> None:
    game = game_of("a1,b1", rules=RULES)
    (move,) = players.annotate(game, Scripted((0.7, "a1,b1"), (0.9, "white"))).line.moves
    assert (move.nags, move.comment) == ((), f"Value for player 1: {MINUS}0.90. Expected: white.")


def test_comments_stay_and_judgements_are_replaced() -> None:
    game = game_of("a1,b1", rules=RULES).with_comment("Bold.").with_nags([1, 14], (0,))
    game = game.with_variation((0,), ["a1,a2"]).with_annotations({"clk": "0:01"}, (0,))
    player = Scripted((0.9, "c3,d3"), (0, "white"), (-0.7, "red"))
    (move,) = players.annotate(game, player).line.moves
    assert move.nags == (4, 14)
    assert len(move.variations) == 2
    assert move.annotations == {"clk": "0:01", "eval": "0.00"}
    assert move.comment == (
        "Bold.\nValue for player 1: +0.00. Better: c3,d3 (+0.70). Expected: white."
    )
    player = Scripted((0.9, "c3,d3"), (0, "white"), (0.1, "red"))
    (move,) = players.annotate(game, player).line.moves
    assert move.nags == (1, 14)


def test_in_german() -> None:
    game = game_of("a1,b1", rules=RULES)
    player = Scripted((0.9, "c3,d3"), (0.001, "white"), (-0.7, "red"))
    (move,) = players.annotate(game, player, catalog="de").line.moves
    assert move.comment == ("Wert für Spieler 1: +0,00. Besser: c3,d3 (+0,70). Erwartet: Weiß.")
    with pytest.raises(pdd.PonteError, match="has no word for"):
        players.annotate(game, Scripted((0.7, "a1,b1"), (0, "white")), catalog={})


def test_a_player_that_thinks_finds_blunders_at_the_end() -> None:
    game = random_game("3x3 tiles=unlimited bridges=unlimited tiebreaks=none", seed=2)
    said = players.annotate(game, PlayoutPlayer(20))
    last = said.line.moves[-1]
    assert game.state.outcome is not None
    value = game.state.outcome.value(game.plies[-1].seat)
    # After the end there is no line, and the value is exact.
    for_first = value if game.plies[-1].seat is pdd.Seat.FIRST else -value
    shown = f"{for_first:+.2f}".replace("-", MINUS)
    assert last.comment.startswith(f"Value for player 1: {shown}.")
    assert "Expected" not in last.comment
    assert all(move.comment for move in said.line.moves)


def test_analyses_are_values() -> None:
    stats = players.ActionStats(PASS, 3, 1)
    assert stats == players.ActionStats(PASS, 3, 1.0)
    assert isinstance(stats.value, float)
    analysis = players.Analysis(PASS, 0, (stats,), (PASS,))
    assert {analysis: 1}[players.Analysis(PASS, 0.0, (stats,), (PASS,))] == 1
    for value in (1.01, -2, inf, float("nan")):
        with pytest.raises(pdd.PonteError, match="a value is from -1, lost, to 1, won"):
            players.Analysis(PASS, value)
    assert players.ActionStats(PASS, 0, 0).visits == 0
    with pytest.raises(pdd.PonteError, match="visits must not be negative"):
        players.ActionStats(PASS, -1, 0)
    with pytest.raises(pdd.PonteError, match="depth must not be negative"):
        players.AnalysisLine((PASS,), 0, 0, 1, -1, proven=False)


def test_only_some_players_are_analysts() -> None:
    assert isinstance(PlayoutPlayer(), players.Analyst)
    assert not isinstance(players.GreedyPlayer(), players.Analyst)
