"""Games refuse what cannot be, each refusal with its code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, Game, Seat, messages
from pontedeldiavolo.game.line import MAX_DEPTH
from support.checks import wrong_type

SMALL = pdd.Rules(pdd.Board(5, 5))
ACTIONS = ("a1,b2", "red", "c3,d4", "a3,e5", "c1,d1")
GAME = Game.from_actions(SMALL, ACTIONS).with_variation((2,), ["c4,d4", "a3,e5"], "or")
MOVE = pdd.Move(pdd.Pass())
LONG = "x" * 1_000_001


def deepest() -> pdd.Line:
    """Return a line with variations as deep as they may be."""
    line = pdd.Line([MOVE])
    for _ in range(MAX_DEPTH):
        line = pdd.Line([pdd.Move(pdd.Pass(), variations=[line])])
    return line


REFUSED: list[tuple[str, Callable[[], object]]] = [
    *(
        ("path-to-nothing", lambda path=path: GAME.with_comment("x", path))
        for path in ((5,), (-1,), (2, 1), (2, 0, 2), (0, 0), (0, 0, 0, 0))
    ),
    ("path-to-nothing", lambda: GAME.without((9,))),
    ("path-to-nothing", lambda: GAME.with_annotations({}, (9,))),
    ("path-of-line", lambda: GAME.move_at(())),
    ("path-of-line", lambda: GAME.move_at((2, 0))),
    ("path-of-line", lambda: GAME.with_annotations({}, ())),
    ("path-of-line", lambda: Game.new().with_annotations({"clk": "0:00:01"})),
    ("path-of-move", lambda: GAME.line_at((2,))),
    ("path-of-move", lambda: GAME.promote((2,))),
    ("path-of-move", lambda: GAME.play("c2,c1", (2,))),
    ("main-line-promoted", lambda: GAME.promote(())),
    ("main-line-stays", lambda: GAME.without(())),
    ("undo-too-many", lambda: GAME.undo(-1)),
    ("undo-too-many", lambda: GAME.undo(6)),
    ("undo-too-many", Game.new().undo),
    ("start-with-other-rules", lambda: Game.new(SMALL, start=pdd.GameState.initial())),
    ("start-with-other-rules", lambda: Game.from_actions(SMALL, (), start=Game.new().state)),
    ("scored-by-declaration", lambda: Game.new().end(Ending.SCORED)),
    ("resignation-without-winner", lambda: Game.new().end(Ending.RESIGNATION)),
    ("illegal-action", lambda: GAME.play("a1,c1", (2, 0))),
    ("illegal-action", lambda: GAME.with_variation((2,), ["a1,a2"])),
    ("bad-glyph", lambda: pdd.Move(pdd.Pass(), [256])),
    ("bad-glyph", lambda: GAME.with_glyphs([-1], (0,))),
    ("empty-variation", lambda: pdd.Move(pdd.Pass(), variations=[pdd.Line()])),
    ("empty-variation", lambda: GAME.with_variation((2,), [])),
    ("deep-variations", lambda: pdd.Move(pdd.Pass(), variations=[deepest()])),
    *(
        ("derived-tag", lambda name=name: GAME.with_tags({name: "x"}))
        for name in ("Rules", "Start", "Result", "Termination")
    ),
    ("derived-tag", lambda: Game.new(tags={"Result": "white"})),
    *(
        ("tag-name", lambda name=name: Game.new(tags={name: "x"}))
        for name in ("", "1st", "a-b", "a b", "\u00dc", "A" * 256, "_x")
    ),
    *(
        ("one-line-character", lambda value=value: GAME.with_tags({"Event": value}))
        for value in ("a\nb", "a\rb", "a\x00b", "a\x85b", "a\u2028b", "a\ud800b")
    ),
    *(
        ("printable-character", lambda text=text: GAME.with_comment(text))
        for text in ("a\x00b", "line\nbe\x1bll", "\ud800", "\u2028x")
    ),
    *(
        ("annotation-name", lambda name=name: GAME.with_annotations({name: "1"}))
        for name in ("", "Clk", "a1", "a b", "é", "a\n")
    ),
    ("annotation-character", lambda: GAME.with_annotations({"clk": "a]b"})),
    ("long-tag", lambda: Game.new(tags={"First": LONG})),
    ("long-comment", lambda: GAME.with_comment(LONG)),
    ("long-annotation", lambda: GAME.with_annotations({"note": LONG})),
    ("seconds-out-of-range", lambda: GAME.play("a4,e2", clock=-1)),
    ("cell-or-word", lambda: GAME.play("?")),
]


@pytest.mark.parametrize(("code", "call"), REFUSED)
def test_refusals_have_codes_and_sentences(code: str, call: Callable[[], object]) -> None:
    with pytest.raises(pdd.PonteError) as caught:
        call()
    error = caught.value
    assert error.code == code
    assert messages.explain(error) != messages.explain(error, messages.GERMAN)
    if isinstance(error, pdd.NotationError):
        assert 0 <= error.offset <= len(error.text)
        assert code != "one-line-character" or error.offset == 1


@pytest.mark.parametrize(
    "game",
    [
        Game.from_actions(pdd.Rules(pdd.Board(1, 1)), ["pass", "red", "pass"]),
        Game.new().end(Ending.TIME),
        Game.new().resign(Seat.FIRST),
        Game.new().flag(Seat.SECOND),
        GAME.undo(1).end(Ending.AGREEMENT),
    ],
)
def test_games_that_have_ended_refuse_more(game: Game) -> None:
    calls: list[Callable[[], object]] = [
        lambda: game.play("pass"),
        lambda: game.end(Ending.TIME),
        lambda: game.resign(Seat.FIRST),
        lambda: game.flag(Seat.SECOND),
    ]
    for more in calls:
        with pytest.raises(pdd.IllegalActionError) as caught:
            more()
        assert [fault.rule for fault in caught.value.violations] == [pdd.Rule.GAME_OVER]
    assert game.undo(0).actions == game.actions


WRONG: list[tuple[str, Callable[..., object], tuple[object, ...]]] = [
    ("action", pdd.Move, ("pass",)),
    ("variation", pdd.Move, (pdd.Pass(), (), "", [MOVE])),
    ("move", pdd.Line, ([pdd.Pass()],)),
    ("comment", pdd.Line, ([MOVE], 5)),
    ("part", pdd.Line([MOVE]).replaced, ((0,), pdd.Line([MOVE]))),
    ("part", pdd.Line([MOVE]).replaced, ((), MOVE)),
    ("start", Game.new, (None, None)),
    ("path", GAME.line_at, (5,)),
    *(("path", GAME.line_at, (path,)) for path in ("main", "", "\0", b"\0", bytearray(b"\0"))),
    *(("a step of the path", GAME.line_at, (path,)) for path in ((1.5,), (True,))),
    ("count", GAME.undo, ("1",)),
    ("count", GAME.undo, (True,)),
    *(("ending", GAME.end, (wrong,)) for wrong in ("time", None)),
    ("winner", GAME.end, (Ending.TIME, pdd.Color.WHITE)),
    ("winner", GAME.flag, (pdd.Color.RED,)),
    *(("action", GAME.play, (wrong,)) for wrong in (None, 1, pdd.PlaceTile(pdd.Cell(0, 0)))),
    ("actions", lambda wrong: Game.from_actions(SMALL, wrong), (3,)),
    *(("tags", GAME.with_tags, (wrong,)) for wrong in (["Event"], "Event", 1)),
    *(("the tag Event", GAME.with_tags, ({"Event": wrong},)) for wrong in (1, None)),
    ("a tag's name", GAME.with_tags, ({1: "x"},)),
    *(
        ("annotations", GAME.with_annotations, (wrong,))
        for wrong in (None, 1, "clk", [("clk", "1")])
    ),
    ("an annotation's name", GAME.with_annotations, ({1: "1"},)),
    ("the annotation clk", GAME.with_annotations, ({"clk": 1},)),
    *(
        (name, lambda name, wrong: GAME.play("a4,e2", **{name: wrong}), (name, wrong))
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
    calls: list[tuple[Callable[[], object], str]] = [
        (lambda: GAME.with_variation((2,), "c4,d4"), "variation"),
        (lambda: Game.from_actions(SMALL, "red"), "game"),
    ]
    for call, name in calls:
        with pytest.raises(TypeError, match=f"^the actions of a {name} are several"):
            call()
