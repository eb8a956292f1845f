"""Games as trees: paths, edits and the parts that they share."""

from __future__ import annotations

import copy
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from support.games import actions_of
from support.trees import annotated_games

SMALL = pdd.Rules(pdd.Board(5, 5))


def short_game() -> pdd.Game:
    """Return a game of five actions with a variation in a variation."""
    actions = ("a1,b2", "red", "c3,d4", "a3,e5", "c1,d1")
    game = pdd.Game.from_actions(SMALL, actions, tags={"First": "Ada"})
    game = game.with_variation((2,), ["c4,d4", pdd.parse_action("a3,e5")], "or")
    return game.with_variation((2, 0, 1), ["a4,e5", "e1,d1"])


def test_a_tree_and_its_paths() -> None:
    game = short_game()
    inner = ((2, 0, 0), (2, 0, 1), (2, 0, 1, 0, 0), (2, 0, 1, 0, 1))
    assert [path for path, _ in game.walk()] == [(0,), (1,), (2,), *inner, (3,), (4,)]
    assert game.line.depth == 2
    assert game.line_at((2, 0)).comment == "or"
    assert game.move_at((2, 0, 1, 0, 1)).action == pdd.parse_action("d1,e1")
    assert actions_of(game.line_at((2, 0, 1, 0))) == ["a4,e5", "d1,e1"]
    on_the_way = list(game.states((2, 0, 1, 0)))
    assert [state.turn for state in on_the_way] == [0, 1, 1, 2, 3, 4]
    assert on_the_way[-1] == game.state_at((2, 0, 1, 0)) == game.state_at((2, 0, 1, 0, 1))
    assert game.state_before((2, 0, 1, 0, 1)) == on_the_way[-2]
    assert game.state_at((4,)) == game.state == game.state_at()
    assert game.state_before((0,)) == game.start


@given(annotated_games())
def test_every_action_of_a_tree_is_legal_where_it_stands(game: pdd.Game) -> None:
    for path, move in game.walk():
        assert game.move_at(path) is move
        assert game.state_before(path).apply(move.action) == game.state_at(path)
        for number, line in enumerate(move.variations):
            assert game.line_at((*path, number)) is line
    states = list(game.states())
    assert states[0] == game.start
    assert states[-1] == game.state
    assert len(states) == len(game.actions) + 1
    for turn, state in zip(game.turns, states, strict=False):
        assert (turn.seat, turn.color) == (state.seat_to_move, state.to_move)
        after = state.apply(turn.action)
        assert turn.number == (after.turn if turn.color else state.turn)


@given(annotated_games())
def test_games_are_values(game: pdd.Game) -> None:
    for other in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert other == game
        assert hash(other) == hash(game)
        assert other.state == game.state
        assert other.line.depth == game.line.depth


@given(annotated_games(), st.data())
def test_editing_gives_a_new_game_and_shares_the_rest(game: pdd.Game, data: st.DataObject) -> None:
    before = pickle.dumps(game)
    paths = [path for path, _ in game.walk()]
    if not paths:
        return
    path = data.draw(st.sampled_from(paths))
    edited = game.with_comment("said", path)
    assert edited.move_at(path).comment == "said"
    for place, move in enumerate(game.line.moves):
        if place != path[0]:
            assert edited.line.moves[place] is move
    assert edited.with_comment(game.move_at(path).comment, path) == game
    assert game.with_glyphs([7], path).move_at(path).glyphs == (7,)
    assert pickle.dumps(game) == before


@given(annotated_games(), st.data())
def test_promoting_twice_gives_the_old_main_line_back(game: pdd.Game, data: st.DataObject) -> None:
    lines = [
        (*path, number) for path, move in game.walk() for number in range(len(move.variations))
    ]
    if not lines:
        return
    path = data.draw(st.sampled_from(lines))
    promoted = game.promote(path)
    *outer, place, _ = path
    old, new = game.line_at(outer).actions, promoted.line_at(outer).actions
    assert new == old[:place] + game.line_at(path).actions
    assert sorted(map(str, (move.action for _, move in promoted.walk()))) == sorted(
        map(str, (move.action for _, move in game.walk()))
    )
    back = promoted.promote((*outer, place, 0))
    assert back.line_at(outer).actions == old
    removed = game.without(path)
    assert len(list(removed.walk())) < len(list(game.walk()))


def test_undoing_and_removing() -> None:
    game = short_game()
    assert game.undo(0) == game
    assert game.undo().actions == game.actions[:-1]
    assert game.undo(5).state == game.start
    assert game.end(pdd.Ending.RESIGNATION, pdd.Seat.FIRST).undo().ending is None
    assert game.without((3,)) == game.undo(2)
    assert game.without((2, 0, 1)).line_at((2, 0)).actions == game.line_at((2, 0)).actions[:1]
    assert game.without((2, 0, 0)) == game.without((2, 0))
    assert game.without((2, 0)).line.depth == 0
    assert game.without((2, 0, 1, 0)).line.depth == 1


def test_comments() -> None:
    game = short_game()
    assert game.with_comment("the end").line.moves[-1].comment == "the end"
    assert game.with_comment("the start", ()).line.comment == "the start"
    assert pdd.Game.new().with_comment("nothing yet").line.comment == "nothing yet"
    assert game.with_comment("  a \r\n b\n").move_at((4,)).comment == "a\nb"


class Liar(str):
    """A text that says something else of itself."""

    __slots__ = ()

    def replace(self, *_: object, **__: object) -> Any:
        return 5

    def __bool__(self) -> bool:
        return False


def test_a_comment_is_kept_as_plain_text() -> None:
    comment = pdd.Game.new().with_comment(Liar(" said\r\nso ")).line.comment
    assert (type(comment), comment) == (str, "said\nso")


def test_other_starts() -> None:
    start = pdd.GameState.from_position(
        pdd.parse_setup("3 . . .\n2 w . w\n1 r . r").position(), to_move=pdd.Color.RED
    )
    game = pdd.Game.new(start=start).play("a1-c1").play("a2-c2")
    assert [turn.number for turn in game.turns] == [3, 4]
    assert game.rules == start.rules


def test_playing_on_in_a_variation() -> None:
    game = short_game().end(pdd.Ending.TIME, None)
    longer = game.play("c2,c1", (2, 0))
    assert longer.line_at((2, 0)).actions[-1] == pdd.parse_action("c1,c2")
    assert longer.ending is pdd.Ending.TIME
    both = game.with_variation((2,), ["c4,e4"])
    later = both.play("c2,c1", (2, 0)).move_at((2,)).variations
    assert later == (longer.line_at((2, 0)), both.line_at((2, 1)))
