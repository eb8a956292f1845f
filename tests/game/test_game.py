"""Games as trees: playing, taking back, variations, comments, and what editing shares."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.game.line import MAX_DEPTH, Path
from support.checks import wrong_type
from support.trees import annotated_games

SMALL = pdd.Rules(pdd.Board(5, 5))


def short_game() -> pdd.Game:
    """Return a game of five actions with a variation in a variation."""
    game = pdd.Game.new(SMALL, {"First": "Ada"})
    for action in ("a1,b2", "red", "c3,d4", "a3,e5", "c1,d1"):
        game = game.play(action)
    game = game.with_variation((2,), ["c4,d4", pdd.parse_action("a3,e5")], "or")
    return game.with_variation((2, 0, 1), ["a4,e5", "e1,d1"])


def test_a_tree_and_its_paths() -> None:
    game = short_game()
    assert [path for path, _ in game.walk()] == [
        (0,),
        (1,),
        (2,),
        (2, 0, 0),
        (2, 0, 1),
        (2, 0, 1, 0, 0),
        (2, 0, 1, 0, 1),
        (3,),
        (4,),
    ]
    assert game.line.depth == 2
    assert game.line_at((2, 0)).comment == "or"
    assert pdd.format_action(game.move_at((2, 0, 1, 0, 1)).action) == "d1,e1"
    texts = [pdd.format_action(action) for action in game.line_at((2, 0, 1, 0)).actions]
    assert texts == ["a4,e5", "d1,e1"]
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


def test_taking_back() -> None:
    game = short_game()
    assert game.take_back(0) == game
    assert game.take_back().actions == game.actions[:-1]
    assert game.undo(5).state == game.start
    ended = game.end(pdd.Ending.RESIGNATION, pdd.Seat.FIRST)
    assert ended.take_back().ending is None
    for wrong in (-1, 6):
        with pytest.raises(pdd.PonteError):
            game.take_back(wrong)
    with wrong_type("count"):
        game.undo("1")  # type: ignore[arg-type]  # the point of the test


def test_removing() -> None:
    game = short_game()
    assert game.without((3,)) == game.take_back(2)
    assert game.without((2, 0, 1)).line_at((2, 0)).actions == game.line_at((2, 0)).actions[:1]
    assert game.without((2, 0, 0)) == game.without((2, 0))
    assert game.without((2, 0)).line.depth == 0
    assert game.without((2, 0, 1, 0)).line.depth == 1
    with pytest.raises(pdd.PonteError):
        game.without(())


def test_comments() -> None:
    game = short_game()
    assert game.with_comment("the end").line.moves[-1].comment == "the end"
    assert game.with_comment("the start", ()).line.comment == "the start"
    assert pdd.Game.new().with_comment("nothing yet").line.comment == "nothing yet"
    assert game.with_comment("  a \r\n b\n").move_at((4,)).comment == "a\nb"
    for bad in ("a\x00b", "line\nbe\x1bll", "\ud800", "\u2028x"):
        with pytest.raises(pdd.NotationError) as caught:
            game.with_comment(bad)
        assert caught.value.text[caught.value.offset] in "\x00\x1b\ud800\u2028"


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
    with pytest.raises(pdd.PonteError):
        pdd.Game.new(SMALL, start=start)
    with wrong_type("start"):
        pdd.Game.new(start="here")  # type: ignore[arg-type]  # the point of the test


def test_playing_on_in_a_variation() -> None:
    game = short_game().end(pdd.Ending.TIME, None)
    longer = game.play("c2,c1", (2, 0))
    assert longer.line_at((2, 0)).actions[-1] == pdd.parse_action("c1,c2")
    assert longer.ending is pdd.Ending.TIME
    with pytest.raises(pdd.IllegalActionError):
        game.play("c2,c1")
    with pytest.raises(pdd.IllegalActionError):
        game.play("a1,c1", (2, 0))


def test_paths_that_lead_nowhere() -> None:
    game = short_game()
    nowhere: list[Path] = [(5,), (-1,), (2, 1), (2, 0, 2), (0, 0), (0, 0, 0, 0)]
    for path in nowhere:
        with pytest.raises(pdd.PonteError):
            game.with_comment("x", path)
    lines: list[Path] = [(), (2, 0)]
    for path in lines:
        with pytest.raises(pdd.PonteError):
            game.move_at(path)
    with pytest.raises(pdd.PonteError):
        game.line_at((2,))
    with pytest.raises(pdd.PonteError):
        game.promote(())
    with pytest.raises(pdd.PonteError):
        game.promote((2,))
    for wrong in (5, "main", (1.5,), (True,)):
        with wrong_type("path" if wrong == 5 else "a step of the path"):
            game.line_at(wrong)  # type: ignore[arg-type]  # the point of the test


def test_what_lines_and_moves_refuse() -> None:
    move = pdd.Move(pdd.Pass())
    for glyphs in ([256], [-1]):
        with pytest.raises(pdd.PonteError):
            pdd.Move(pdd.Pass(), glyphs)
    with pytest.raises(pdd.PonteError):
        pdd.Move(pdd.Pass(), variations=[pdd.Line()])
    refused: list[tuple[str, Callable[[], object]]] = [
        ("action", lambda: pdd.Move("pass")),  # type: ignore[arg-type]  # the point of the test
        ("variation", lambda: pdd.Move(pdd.Pass(), variations=[move])),  # type: ignore[list-item]  # as above
        ("move", lambda: pdd.Line([pdd.Pass()])),  # type: ignore[list-item]  # as above
        ("comment", lambda: pdd.Line([move], 5)),  # type: ignore[arg-type]  # as above
        ("part", lambda: pdd.Line([move]).replaced((0,), pdd.Line([move]))),
        ("part", lambda: pdd.Line([move]).replaced((), move)),
    ]
    for name, make in refused:
        with wrong_type(name):
            make()
    line = pdd.Line([move])
    for _ in range(MAX_DEPTH):
        line = pdd.Line([pdd.Move(pdd.Pass(), variations=[line])])
    assert line.depth == MAX_DEPTH
    assert pickle.loads(pickle.dumps(line)) == line
    with pytest.raises(pdd.PonteError):
        pdd.Move(pdd.Pass(), variations=[line])


def test_games_are_made_by_new() -> None:
    with pytest.raises(TypeError, match=r"^a game is made by Game\.new\(\)"):
        pdd.Game()
    with pytest.raises(TypeError, match=r"^the actions of a variation are several"):
        short_game().with_variation((2,), "c4,d4")


def test_texts_are_no_paths() -> None:
    game = pdd.Game.new().play("a1,b2")
    for wrong in ("", "\0", b"\0", bytearray(b"\0")):
        with pytest.raises(TypeError, match="a step of the path must be a whole number"):
            game.line_at(wrong)  # type: ignore[arg-type]
