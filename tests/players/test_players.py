"""Players choose legal actions, by what they are said to look for."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, GameState, Phase, Seat, players
from support.diagrams import state_of
from support.strategies import small_states

PLAYERS: list[type[players.RandomPlayer | players.GreedyPlayer]] = [
    players.RandomPlayer,
    players.GreedyPlayer,
]


def played(first: players.Player, second: players.Player, rules: pdd.Rules) -> pdd.Game:
    """Return a game between two players."""
    game, seats = pdd.Game.new(rules), {Seat.FIRST: first, Seat.SECOND: second}
    while (seat := game.state.seat_to_move) is not None:
        game = game.play(seats[seat].choose(game.state))
    return game


@pytest.mark.parametrize("kind", PLAYERS)
@given(state=small_states())
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
    state, player = state_of("w . r . . .\n. . . . . ."), players.RandomPlayer(7)
    chosen = {player.choose(state) for _ in range(40 * len(state.legal_actions))}
    assert chosen == {*state.legal_actions}


def test_an_island_is_taken() -> None:
    state = state_of("3 . . . . . .\n2 w . . . . .\n1 w . . . . .")
    action = players.GreedyPlayer(1).choose(state)
    assert state.apply(action).score(Color.WHITE).islands == 1


def test_points_go_before_all_else() -> None:
    # A bridge makes six points of three islands, and another island would be one more only.
    state = state_of(
        "w . . . . . . .\nw . . . . . . .\n. . . . . . . .\nw w . w w . w w\nw w . w w . w w\n"
        "bridges b1-d1"
    )
    for seed in range(5):
        chosen = players.GreedyPlayer(seed).choose(state)
        assert isinstance(chosen, pdd.BuildBridge)
        assert state.apply(chosen).score(Color.WHITE).points == 6


def test_tiles_go_where_there_is_room() -> None:
    # On the left there is room for two tiles, on the right for an island.
    state = state_of("r . . r . . . .\nr r . r . . . .")
    for seed in range(20):
        chosen = players.GreedyPlayer(seed).choose(state)
        assert isinstance(chosen, pdd.PlaceTiles)
        assert chosen.a.column > 3


def worth(state: GameState, color: Color) -> tuple[int, int, int, int]:
    """Return what a colour has, as a greedy player counts it: slowly, from what is public."""
    score, room = state.score(color), {*state.position.open_cells(color)}
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
    """Tell whether two cells share a side."""
    return abs(a.column - b.column) + abs(a.row - b.row) == 1


@given(state=small_states(), seed=st.integers(0, 99))
def test_nothing_is_worth_more(state: GameState, seed: int) -> None:
    color = state.to_move
    assume(color is not None and state.phase in (Phase.PLAY, Phase.LAST_TURN))
    assert color is not None
    chosen = players.GreedyPlayer(seed).choose(state)
    best = max(worth(state.apply(each), color) for each in state.legal_actions)
    assert worth(state.apply(chosen), color) == best


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
def test_greed_beats_chance() -> None:
    won = 0
    for seed in range(3):
        for greedy_seat in Seat:
            greedy, other = players.GreedyPlayer(seed), players.RandomPlayer(seed)
            is_first = greedy_seat is Seat.FIRST
            pair = (greedy, other) if is_first else (other, greedy)
            game = played(pair[0], pair[1], pdd.presets.BRETTSPIELNETZ)
            won += game.winning_seat is greedy_seat
    assert won >= 5


def test_on_large_boards_a_part_is_looked_at() -> None:
    start = GameState.initial(pdd.Rules(pdd.Board(16, 16)))
    state = start.apply(pdd.parse_action("a1,b1")).apply(pdd.ChooseColor(Color.WHITE))
    assert len(state.legal_actions) > 20_000
    chosen = [players.GreedyPlayer(seed).choose(state) for seed in (1, 1)]
    assert state.is_legal(chosen[0])
    assert chosen[0] == chosen[1]


def test_boards_without_room() -> None:
    for size in ((1, 1), (1, 9), (3, 3), (2, 1)):
        for kind in PLAYERS:
            game = played(kind(1), kind(2), pdd.Rules(pdd.Board(*size)))
            assert game.ending is pdd.Ending.SCORED
