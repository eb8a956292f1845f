"""What a player thinks, and how it is written into a game."""

from __future__ import annotations

from math import inf

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import messages, players
from support.games import game_of, random_game
from support.stub_players import PlayoutPlayer

PASS = pdd.Pass()


class Scripted(PlayoutPlayer):
    """Thinks what it is told to: a value and a line for each state, one after another."""

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
GAME = game_of("a1,b1", "red", "c5,d5", "g3,h4", rules=RULES)


def test_values_are_from_the_side_that_acted() -> None:
    # To move are the first seat, the second, which takes red; then red is second, white first.
    player = Scripted(
        (0.5, "a1,b1"),
        (-0.45, "red c5,d5"),
        (0.4, "c5,d5 g3,h4"),
        (-0.4, "g3,h4"),
        (0.35, "a8,b8 c8,d8"),
    )
    numbers: list[int] = []
    said = players.annotate(GAME, player, on_move=numbers.append)
    assert numbers == [1, 2, 3, 4]
    seats = [turn.seat for turn in GAME.turns]
    first = pdd.Seat.FIRST
    assert seats[0] is first
    expected = []
    values = [0.5, -0.45, 0.4, -0.4, 0.35]
    movers = [*seats, GAME.state.seat_to_move]
    for place, seat in enumerate(seats):
        value = values[place + 1]
        expected.append(f"Value {value if movers[place + 1] is seat else -value:+.2f}.")
    comments = [move.comment for move in said.line.moves]
    assert [comment.split(" Expected")[0] for comment in comments] == expected
    assert comments[0].endswith("Expected: red c5,d5.")
    assert comments[2].endswith("Expected: g3,h4.")
    assert comments[3].endswith("Expected: a8,b8 c8,d8.")
    assert said.actions == GAME.actions
    assert pdd.records.loads(pdd.records.dumps(said)) == said


@pytest.mark.parametrize(
    ("lost", "glyphs"),
    [(0.05, ()), (0.09, ()), (0.11, (6,)), (0.19, (6,)), (0.21, (2,)), (0.31, (4,)), (1.5, (4,))],
)
def test_glyphs_say_how_much_was_lost(lost: float, glyphs: tuple[int, ...]) -> None:
    game = game_of("a1,b1", rules=RULES)
    # The second seat is to move after it.
    player = Scripted((0.9, "c3,d3"), (lost - 0.7, "white"), (-0.7, "red a1,b1"))
    (move,) = players.annotate(game, player).line.moves
    assert move.glyphs == glyphs
    assert ("Better: c3,d3 red a1,b1 (+0.70)." in move.comment) == bool(glyphs)


def test_the_best_action_loses_nothing() -> None:
    game = game_of("a1,b1", rules=RULES)
    (move,) = players.annotate(game, Scripted((0.7, "a1,b1"), (0.9, "white"))).line.moves
    assert (move.glyphs, move.comment) == ((), "Value -0.90. Expected: white.")


def test_comments_stay_and_judgements_are_replaced() -> None:
    game = game_of("a1,b1", rules=RULES).with_comment("Bold.").with_glyphs([1, 14], (0,))
    player = Scripted((0.9, "c3,d3"), (0, "white"), (-0.7, "red"))
    (move,) = players.annotate(game, player).line.moves
    assert move.glyphs == (4, 14)
    assert move.comment == "Bold.\nValue +0.00. Better: c3,d3 red (+0.70). Expected: white."
    player = Scripted((0.9, "c3,d3"), (0, "white"), (0.1, "red"))
    (move,) = players.annotate(game, player).line.moves
    assert move.glyphs == (1, 14)


def test_in_german() -> None:
    game = game_of("a1,b1", rules=RULES)
    player = Scripted((0.9, "c3,d3"), (0.001, "white"), (-0.7, "red"))
    (move,) = players.annotate(game, player, catalog=messages.GERMAN).line.moves
    assert move.comment == "Wert +0.00. Besser: c3,d3 red (+0.70). Erwartet: white."
    with pytest.raises(pdd.PonteError, match="cannot explain analysis-value"):
        players.annotate(game, Scripted((0.7, "a1,b1"), (0, "white")), catalog={})


def test_a_player_that_thinks_finds_blunders_at_the_end() -> None:
    game = random_game("3x3 tiles=unlimited bridges=unlimited tiebreaks=none", seed=2)
    said = players.annotate(game, PlayoutPlayer(20))
    last = said.line.moves[-1]
    assert game.state.outcome is not None
    value = game.state.outcome.value(game.turns[-1].seat)
    # Nothing is expected after the end, and its value is certain.
    assert last.comment.startswith(f"Value {value:+.2f}.")
    assert "Expected" not in last.comment
    assert all(move.comment for move in said.line.moves)


def test_thinkers_win() -> None:
    rules = pdd.Rules(pdd.Board(3, 3))
    found = players.match(PlayoutPlayer(6), players.RandomPlayer(), 10, rules=rules, seed=1)
    assert found.score > 0.5


# Values


def test_analyses_are_values() -> None:
    choice = players.Choice(PASS, 3, 1)
    assert choice == players.Choice(PASS, 3, 1.0)
    assert isinstance(choice.value, float)
    analysis = players.Analysis(PASS, 0, (choice,), (PASS,))
    assert {analysis: 1}[players.Analysis(PASS, 0.0, (choice,), (PASS,))] == 1
    for value in (1.01, -2, inf, float("nan")):
        with pytest.raises(pdd.PonteError, match="a value is from -1, lost, to 1, won"):
            players.Analysis(PASS, value)
    assert players.Choice(PASS, 0, 0).visits == 0
    with pytest.raises(pdd.PonteError, match="visits must not be negative"):
        players.Choice(PASS, -1, 0)


def test_only_some_players_are_analysts() -> None:
    assert isinstance(PlayoutPlayer(), players.Analyst)
    assert not isinstance(players.GreedyPlayer(), players.Analyst)
