"""Games: paths, edits, games from actions, tags, and refusals with their codes."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, Seat, messages
from pontedeldiavolo.game.tags import MAX_SECONDS
from pontedeldiavolo.rules.limits import MAX_DEPTH
from support.checks import error_of, wrong_type
from support.games import actions_of
from support.pages import lines_of
from support.strategies import SMALL_RULES, games
from support.trees import annotated_games

SMALL = pdd.Rules(pdd.Board(5, 5))


ACTIONS = ("a1,b2", "red", "c3,d4", "a3,e5", "c1,d1")
BRANCHED = Game.from_actions(SMALL, ACTIONS, tags={"First": "Ada"}).with_variation(
    (2,), ["c4,d4", pdd.parse_action("a3,e5")], "or"
)


def short_game() -> pdd.Game:
    """Return a game of five actions with a variation in a variation."""
    return BRANCHED.with_variation((2, 0, 1), ["a4,e5", "e1,d1"])


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
    assert [ply.action for ply in game.plies] == list(game.actions)
    for ply, (state, after) in zip(game.plies, pairwise(states), strict=True):
        assert (ply.seat, ply.color) == (state.seat_to_move, state.to_move)
        assert state.apply(ply.action) == after
        assert ply.turn == after.turn


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
    assert game.with_nags([7], path).move_at(path).nags == (7,)
    assert pickle.dumps(game) == before


@given(annotated_games(), st.data())
def test_promoting_twice_gives_the_old_main_line_back(game: pdd.Game, data: st.DataObject) -> None:
    _, *lines = lines_of(game)
    if not lines:
        return
    path = data.draw(st.sampled_from(lines))
    promoted = game.promote(path)
    *outer, place, _ = path
    old = game.line_at(outer).actions
    new = promoted.line_at(outer).actions
    assert new == old[:place] + game.line_at(path).actions
    before, after = (Counter(move.action for _, move in each.walk()) for each in (game, promoted))
    assert before == after
    back = promoted.promote((*outer, place, 0))
    assert back.line_at(outer).actions == old
    assert len([*game.without(path).walk()]) < len([*game.walk()])


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
    """A string that lies about itself."""

    __slots__ = ()

    def replace(self, *_: object, **__: object) -> Any:
        return 5

    def __bool__(self) -> bool:
        return False


def test_a_comment_is_kept_as_plain_text() -> None:
    comment = pdd.Game.new().with_comment(Liar(" said\r\nso ")).line.comment
    assert (type(comment), comment) == (str, "said\nso")


def test_playing_on_in_a_variation() -> None:
    game = short_game().end(pdd.Ending.TIME, None)
    longer = game.play("c2,c1", (2, 0))
    assert longer.line_at((2, 0)).actions[-1] == pdd.parse_action("c1,c2")
    assert longer.ending is pdd.Ending.TIME
    both = game.with_variation((2,), ["c4,e4"])
    later = both.play("c2,c1", (2, 0)).move_at((2,)).variations
    assert later == (longer.line_at((2, 0)), both.line_at((2, 1)))


TINY = pdd.Rules(pdd.Board(2, 1))
OPENING = ACTIONS[:3]


@given(games(SMALL_RULES))
def test_a_game_of_actions_is_the_game_in_which_they_were_played(game: pdd.Game) -> None:
    for actions in (game.actions, map(pdd.format_action, game.actions)):
        made = pdd.Game.from_actions(game.rules, actions, tags=game.tags)
        assert made == game.undo(0)
        assert made.state == game.state
        assert made.line.depth == 0


def test_a_game_of_actions_may_start_anywhere() -> None:
    start = pdd.Game.from_actions(SMALL, OPENING).state
    game = pdd.Game.from_actions(None, iter(["a3,e5"]), tags={"First": "Ada"}, start=start)
    assert game == pdd.Game.new(start=start, tags={"First": "Ada"}).play("a3,e5")
    assert pdd.Game.from_actions(SMALL, ()) == pdd.Game.new(SMALL)


@pytest.mark.parametrize(
    ("rules", "actions", "error"),
    [
        (SMALL, ["a1,b2", "red", "c3,d4", "a1,a2"], pdd.IllegalActionError),
        (SMALL, ["a1,b2", "red", "c3,d4", "a1;a2"], pdd.NotationError),
        (SMALL, ["a1,b2", "red", "c3,d4", "a3,e5", 7], TypeError),
        (TINY, ["a1,b1", "red", "pass", "pass"], pdd.IllegalActionError),
    ],
)
def test_an_error_has_the_number_of_the_action(
    rules: pdd.Rules, actions: list[str], error: type[Exception]
) -> None:
    before = pdd.Game.from_actions(rules, actions[:-1])
    made = error_of(error, Game.from_actions, rules, actions)
    if error is not TypeError:
        assert made.args == error_of(error, before.play, actions[-1]).args
    assert made.__notes__ == [f"This is action {len(actions)} of a game."]
    shorter = Game.from_actions(rules, actions[:3])
    varied = error_of(error, shorter.with_variation, (2,), actions[2:])
    assert varied.__notes__ == [f"This is action {len(actions) - 2} of a variation."]


@pytest.mark.parametrize("seat", pdd.Seat)
def test_the_loser_is_named(seat: pdd.Seat) -> None:
    game = pdd.Game.from_actions(SMALL, OPENING)
    assert game.resign(seat) == game.end(pdd.Ending.RESIGNATION, winner=seat.opponent)
    assert game.lose_on_time(seat) == game.end(pdd.Ending.TIME, winner=seat.opponent)
    assert game.lose_on_time(seat).winning_seat is seat.opponent


@pytest.mark.parametrize("path", [(0,), (2,), (4,), (2, 0, 0), (2, 0, 1), (2, 0, 1, 0, 0)])
def test_a_line_knows_its_depth_after_any_replacement(path: tuple[int, ...]) -> None:
    game = short_game()
    deep = pdd.Move(pdd.Pass(), variations=[game.line, game.line_at((2, 0))])
    for move in (pdd.Move(pdd.Pass()), deep, *(move for _, move in game.walk())):
        found = game.line.replace(path, move)
        # Build the game again, with all checks.
        assert found.depth == pdd.Line(found.moves).depth


GAME = pdd.Game.from_actions(SMALL, OPENING)


def test_tags_are_an_immutable_mapping() -> None:
    tags = pdd.Game.new(tags={"Event": "Cup", "Site": "Venice"}).tags
    assert tags == {"Event": "Cup", "Site": "Venice"}
    assert list(tags) == ["Event", "Site"]
    assert (len(tags), tags["Site"], tags.get("Round")) == (2, "Venice", None)
    assert hash(tags) == hash(pdd.Game.new(tags={"Site": "Venice", "Event": "Cup"}).tags)
    assert repr(tags) == "{'Event': 'Cup', 'Site': 'Venice'}"
    assert pickle.loads(pickle.dumps(tags)) == tags
    for name in ("anything", "_items"):
        with pytest.raises(AttributeError):
            setattr(tags, name, {})
        with pytest.raises(AttributeError):
            delattr(tags, name)
    with pytest.raises(TypeError, match="does not support item assignment"):
        tags["Event"] = "Other"  # type: ignore[index]


def test_playing_stores_times() -> None:
    game = GAME.play("a3,e5", clock=598.0, elapsed=4.1)
    move = game.move_at((3,))
    assert move.annotations == {"clk": "0:09:58", "emt": "0:00:04.1"}
    assert (move.clock, move.elapsed) == (598.0, 4.1)
    assert game.actions == GAME.play("a3,e5").actions
    assert game != GAME.play("a3,e5")
    varied = game.with_variation((3,), ["c1,d1"]).play("a4,e5", (3, 0), clock=1)
    assert varied.move_at((3, 0, 1)).annotations == {"clk": "0:00:01"}
    move = GAME.move_at((0,))
    assert (dict(move.annotations), move.clock, move.elapsed) == ({}, None, None)


@given(st.floats(0, MAX_SECONDS) | st.integers(0, MAX_SECONDS))
def test_times_are_kept_to_the_millisecond(seconds: float) -> None:
    move = GAME.play("a3,e5", clock=seconds).move_at((3,))
    assert move.clock == round(seconds * 1000) / 1000
    assert GAME.play("a3,e5", elapsed=move.clock).move_at((3,)).elapsed == move.clock


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0, "0:00:00"), (59.9996, "0:01:00"), (3599.9, "0:59:59.9"), (3600, "1:00:00")),
        *((360_000.05, "100:00:00.05"), (MAX_SECONDS, "277777:46:40")),
        *((Decimal("1.5"), "0:00:01.5"), (Fraction(1, 8), "0:00:00.125")),
    ],
)
def test_the_text_of_a_time(seconds: float, text: str) -> None:
    assert GAME.play("a3,e5", clock=seconds).move_at((3,)).annotations["clk"] == text


@pytest.mark.parametrize(
    "seconds",
    [
        *(-0.001, -1, float("nan"), float("inf"), 10**9 + 1, 10**400),
        *(Decimal("sNaN"), Decimal("NaN"), Decimal("1e999")),
    ],
)
@pytest.mark.parametrize("name", ["clock", "elapsed"])
def test_times_out_of_range(name: str, seconds: Any) -> None:
    with pytest.raises(pdd.PonteError, match=f"{name} must be from 0 to 1,000,000,000 seconds"):
        GAME.play("a3,e5", **{name: seconds})


@pytest.mark.parametrize(
    ("seconds", "texts"),
    [
        *((598, ["0:09:58"]), (548, ["0:9:8"]), (36_000.25, ["10:00:00.250"]), (0, ["0:00:00 "])),
        (None, ["", "9:58", "598", "0:60:00", "0:00:60", "0:00:-1", "0:00:01.", "0:00:01,5"]),
        (None, ["0:00:0\u0661", "1234567:00:00"]),
    ],
)
def test_the_seconds_of_a_clock(seconds: float | None, texts: list[str]) -> None:
    for text in texts:
        clock, elapsed = (pdd.Move(pdd.Pass(), annotations={name: text}) for name in ("clk", "emt"))
        assert clock.clock == elapsed.elapsed == seconds
        assert clock.elapsed is None


def test_annotations_are_replaced_where_they_are() -> None:
    game = GAME.with_annotations({"eval": "0.5", "clk": " 0:00:01 "})
    assert game.move_at((2,)).annotations == {"clk": "0:00:01", "eval": "0.5"}
    assert game.with_annotations({"emt": "?"}).move_at((2,)).annotations == {"emt": "?"}
    assert game.with_annotations({}) == GAME
    first = GAME.with_annotations({"x": ""}, path=(0,))
    assert [dict(move.annotations) for _, move in first.walk()] == [{"x": ""}, {}, {}]
    assert first.line.moves[1] is GAME.line.moves[1]
    assert first.with_comment("so").move_at((0,)).annotations == {"x": ""}
    other = GAME.with_annotations({"clk": "0:00:01", "eval": "0.5"})
    assert hash(game.move_at((2,))) == hash(other.move_at((2,)))


@pytest.mark.parametrize(
    ("value", "offset"),
    [("a]b", 1), ("]\n", 0), ("a\n]", 1), ("\t", 0), ("a\u2028", 1), ("\ud800", 0), ("\x85]", 0)],
)
def test_values_of_annotations(value: str, offset: int) -> None:
    error = error_of(pdd.NotationError, pdd.Move, pdd.Pass(), annotations={"clk": value})
    assert (error.reason.code, error.offset) == ("annotation-character", offset)


MOVE = pdd.Move(pdd.Pass())
LONG = "x" * 1_000_001


def test_the_longest_comment() -> None:
    assert BRANCHED.with_comment(LONG[1:], ()).line.comment == LONG[1:]


def deepest() -> pdd.Line:
    """Return a line with variations of the maximum depth."""
    line = pdd.Line([MOVE])
    for _ in range(MAX_DEPTH):
        line = pdd.Line([pdd.Move(pdd.Pass(), variations=[line])])
    return line


REFUSED: list[tuple[str, Callable[[], object]]] = [
    *(
        ("path-to-nothing", lambda path=path: BRANCHED.with_comment("x", path))
        for path in ((5,), (-1,), (2, 1), (2, 0, 2), (0, 0), (0, 0, 0, 0))
    ),
    ("path-to-nothing", lambda: BRANCHED.without((9,))),
    ("path-to-nothing", lambda: BRANCHED.with_annotations({}, (9,))),
    ("path-of-line", lambda: BRANCHED.move_at(())),
    ("path-of-line", lambda: BRANCHED.move_at((2, 0))),
    ("path-of-line", lambda: BRANCHED.with_annotations({}, ())),
    ("path-of-line", lambda: Game.new().with_annotations({"clk": "0:00:01"})),
    ("path-of-move", lambda: BRANCHED.line_at((2,))),
    ("path-of-move", lambda: BRANCHED.promote((2,))),
    ("path-of-move", lambda: BRANCHED.play("c2,c1", (2,))),
    ("main-line-promoted", lambda: BRANCHED.promote(())),
    ("main-line-stays", lambda: BRANCHED.without(())),
    ("undo-too-many", lambda: BRANCHED.undo(-1)),
    ("undo-too-many", lambda: BRANCHED.undo(6)),
    ("undo-too-many", Game.new().undo),
    ("start-with-other-rules", lambda: Game.new(SMALL, start=pdd.GameState.initial())),
    ("start-with-other-rules", lambda: Game.from_actions(SMALL, (), start=Game.new().state)),
    ("scored-by-declaration", lambda: Game.new().end(Ending.SCORED)),
    ("resignation-without-winner", lambda: Game.new().end(Ending.RESIGNATION)),
    ("illegal-action", lambda: BRANCHED.play("a1,c1", (2, 0))),
    ("illegal-action", lambda: BRANCHED.with_variation((2,), ["a1,a2"])),
    ("bad-nag", lambda: pdd.Move(pdd.Pass(), [256])),
    ("bad-nag", lambda: BRANCHED.with_nags([-1], (0,))),
    ("empty-variation", lambda: pdd.Move(pdd.Pass(), variations=[pdd.Line()])),
    ("empty-variation", lambda: BRANCHED.with_variation((2,), [])),
    ("deep-variations", lambda: pdd.Move(pdd.Pass(), variations=[deepest()])),
    *(
        ("derived-tag", lambda name=name: BRANCHED.with_tags({name: "x"}))
        for name in ("Rules", "Start", "Result", "Termination")
    ),
    ("derived-tag", lambda: Game.new(tags={"Result": "white"})),
    *(
        ("tag-name", lambda name=name: Game.new(tags={name: "x"}))
        for name in ("", "1st", "a-b", "a b", "\u00dc", "A" * 256, "_x")
    ),
    *(
        ("one-line-character", lambda value=value: BRANCHED.with_tags({"Event": value}))
        for value in ("a\nb", "a\rb", "a\x00b", "a\x85b", "a\u2028b", "a\ud800b")
    ),
    *(
        ("printable-character", lambda text=text: BRANCHED.with_comment(text))
        for text in ("a\x00b", "line\nbe\x1bll", "\ud800", "\u2028x")
    ),
    *(
        ("annotation-name", lambda name=name: BRANCHED.with_annotations({name: "1"}))
        for name in ("", "Clk", "a1", "a b", "é", "a\n")
    ),
    ("annotation-character", lambda: BRANCHED.with_annotations({"clk": "a]b"})),
    ("long-tag", lambda: Game.new(tags={"First": LONG})),
    ("long-comment", lambda: BRANCHED.with_comment(LONG)),
    ("long-annotation", lambda: BRANCHED.with_annotations({"note": LONG})),
    ("seconds-out-of-range", lambda: BRANCHED.play("a4,e2", clock=-1)),
    ("cell-or-word", lambda: BRANCHED.play("?")),
]


@pytest.mark.parametrize(("code", "call"), REFUSED)
def test_refusals_have_codes_and_sentences(code: str, call: Callable[[], object]) -> None:
    error = error_of(pdd.PonteError, call)
    assert error.code == code
    assert messages.explain(error) != messages.explain(error, "de")
    if isinstance(error, pdd.NotationError):
        assert 0 <= error.offset <= len(error.text)
        assert code != "one-line-character" or error.offset == 1


@pytest.mark.parametrize(
    "game",
    [
        Game.from_actions(pdd.Rules(pdd.Board(1, 1)), ["pass", "red", "pass"]),
        Game.new().end(Ending.TIME),
        Game.new().resign(Seat.FIRST),
        Game.new().lose_on_time(Seat.SECOND),
        BRANCHED.undo(1).end(Ending.AGREEMENT),
    ],
)
def test_games_that_have_ended_refuse_more(game: Game) -> None:
    calls: list[tuple[Callable[..., object], object]] = [
        *((game.play, "pass"), (game.end, Ending.TIME)),
        *((game.resign, Seat.FIRST), (game.lose_on_time, Seat.SECOND)),
    ]
    for more, argument in calls:
        error = error_of(pdd.IllegalActionError, more, argument)
        assert [fault.code for fault in error.violations] == [pdd.ViolationCode.GAME_OVER]
    assert game.undo(0).actions == game.actions


WRONG: list[tuple[str, Callable[..., object], tuple[object, ...]]] = [
    ("action", pdd.Move, ("pass",)),
    ("variations[0]", pdd.Move, (pdd.Pass(), (), "", [MOVE])),
    ("moves[0]", pdd.Line, ([pdd.Pass()],)),
    ("comment", pdd.Line, ([MOVE], 5)),
    ("part", pdd.Line([MOVE]).replace, ((0,), pdd.Line([MOVE]))),
    ("part", pdd.Line([MOVE]).replace, ((), MOVE)),
    ("start", Game.new, (None, None)),
    ("path", BRANCHED.line_at, (5,)),
    *(("path", BRANCHED.line_at, (path,)) for path in ("main", "", "\0", b"\0", bytearray(b"\0"))),
    *(("path[0]", BRANCHED.line_at, (path,)) for path in ((1.5,), (True,))),
    ("count", BRANCHED.undo, ("1",)),
    ("count", BRANCHED.undo, (True,)),
    *(("ending", BRANCHED.end, (wrong,)) for wrong in ("time", None)),
    ("winner", BRANCHED.end, (Ending.TIME, pdd.Color.WHITE)),
    ("seat", BRANCHED.lose_on_time, (pdd.Color.RED,)),
    *(("action", BRANCHED.play, (wrong,)) for wrong in (None, 1, pdd.PlaceTile(pdd.Cell(0, 0)))),
    ("actions", lambda wrong: Game.from_actions(SMALL, wrong), (3,)),
    *(("tags", BRANCHED.with_tags, (wrong,)) for wrong in (["Event"], "Event", 1)),
    *(("tags['Event']", BRANCHED.with_tags, ({"Event": wrong},)) for wrong in (1, None)),
    ("a key of tags", BRANCHED.with_tags, ({1: "x"},)),
    *(
        ("annotations", BRANCHED.with_annotations, (wrong,))
        for wrong in (None, 1, "clk", [("clk", "1")])
    ),
    ("a key of annotations", BRANCHED.with_annotations, ({1: "1"},)),
    ("annotations['clk']", BRANCHED.with_annotations, ({"clk": 1},)),
    *(
        (name, lambda name, wrong: BRANCHED.play("a4,e2", **{name: wrong}), (name, wrong))
        for name in ("clock", "elapsed")
        for wrong in ("598", True, [1.0], 1j)
    ),
]


@pytest.mark.parametrize(("name", "call", "arguments"), WRONG)
def test_wrong_types(name: str, call: Callable[..., object], arguments: tuple[object, ...]) -> None:
    with wrong_type(name):
        call(*arguments, **({"start": "here"} if name == "start" else {}))


def test_games_are_made_by_new() -> None:
    with pytest.raises(TypeError, match=r"^a game is made by Game\.new\(\)"):
        Game()
    calls: list[Callable[[], object]] = [
        lambda: BRANCHED.with_variation((2,), "c4,d4"),
        lambda: Game.from_actions(SMALL, "red"),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"^actions must be an iterable of actions, not str$"):
            call()
