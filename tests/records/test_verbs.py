"""All formats have the same verbs, and read files game by game."""

from __future__ import annotations

import inspect
import io
import pickle
from collections.abc import Iterator
from itertools import islice
from types import ModuleType
from typing import Any, get_type_hints

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.records import abstract_play, boardspace, sgf
from pontedeldiavolo.records import pdd as native

READ = ("iter_games", "iter_results", "load", "loads")
WRITTEN = ("dump", "dumps", "losses")
FORMATS = (native, sgf, boardspace, abstract_play)
WRITERS = (native, sgf, abstract_play)
GAME = (
    pdd.Game.new(pdd.presets.ABSTRACT_PLAY)
    .play("d4,g7")
    .play("red")
    .play("c3,c5")
    .end(pdd.Ending.RESIGNATION, pdd.Seat.FIRST)
)
CLICKS = "(;GM[PonteDelDiavolo];P0[0 Start P0];P0[1 Dropb D 4])\n"


def name_of(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def text_of(module: ModuleType) -> str:
    """Return the text of a game in a format."""
    if module is boardspace:
        return "(;GM[PonteDelDiavolo]P0[id alice];P0[0 Start P0])\n"
    file = io.StringIO()
    module.dump(GAME, file)
    return file.getvalue()


every_format = pytest.mark.parametrize("module", FORMATS, ids=name_of)
every_writer = pytest.mark.parametrize("module", WRITERS, ids=name_of)


@every_format
def test_what_a_module_has(module: ModuleType) -> None:
    verbs = READ if module is boardspace else (*READ, *WRITTEN)
    assert {*verbs} <= {*module.__all__}
    assert dir(module) == sorted(module.__all__)
    assert {*module.__all__} - {*verbs} == (
        {"iter_headers", "iter_records"} if module is native else set()
    )
    for name in verbs:
        verb = getattr(module, name)
        assert verb.__name__ == name
        assert verb.__doc__
        assert "self" not in inspect.signature(verb).parameters
        hints = get_type_hints(verb)
        assert {*inspect.signature(verb).parameters, "return"} == {*hints}
        # Functions for other processes to run.
        assert pickle.loads(pickle.dumps(verb)).__name__ == name


def test_the_package_has_the_verbs_of_its_own_format() -> None:
    for name in native.__all__:
        if name != "losses":
            assert getattr(pdd.records, name) is getattr(native, name)
    assert native.losses(GAME) == sgf.losses(GAME) == ()


@every_format
def test_reading_one_and_many(module: ModuleType) -> None:
    text = text_of(module)
    game = module.loads(text)
    assert module.load(io.StringIO(text)) == game
    assert module.load(text.splitlines(keepends=True)) == game
    assert list(module.iter_games([text, text])) == [game, game]
    assert list(module.iter_results(io.StringIO(text + text))) == [game, game]
    for nothing in ("", "\n \n", "\ufeff"):
        assert list(module.iter_results(io.StringIO(nothing))) == []
        with pytest.raises(pdd.RecordError, match="game 1, line 1, column 1: expected a game"):
            module.loads(nothing)
    with pytest.raises(pdd.RecordError, match="expected the end: one game was asked for") as caught:
        module.loads(text + text)
    assert (caught.value.number, caught.value.line) == (2, text.count("\n") + 1)


@every_format
def test_a_stream_takes_no_more_lines_than_it_needs(module: ModuleType) -> None:
    taken: list[str] = []

    def endless() -> Iterator[str]:
        while True:
            for line in text_of(module).splitlines(keepends=True):
                taken.append(line)
                yield line

    game = module.loads(text_of(module))
    of_one = text_of(module).count("\n")
    assert list(islice(module.iter_games(endless()), 3)) == [game] * 3
    assert len(taken) <= 3 * of_one + 1
    assert list(islice(module.iter_results(endless()), 2)) == [game] * 2


BAD = {
    native: '[Event "x"]\n1. a1,b1 red 2. a1,c1 *\n\n',
    sgf: "(;FF[4];PD[a1,a1])\n",
    boardspace: CLICKS,
    abstract_play: '{"header": {}, "moves": []}\n',
}


@every_format
def test_bad_games(module: ModuleType) -> None:
    good = text_of(module)
    game = module.loads(good)
    text = good + BAD[module] + good
    one, two, three = module.iter_results(io.StringIO(text))
    assert (one, three) == (game, game)
    assert isinstance(two, pdd.RecordError)
    assert two.number == 2
    assert good.count("\n") < two.line <= (good + BAD[module]).count("\n")
    assert two.__cause__ is not None
    assert list(module.iter_games(io.StringIO(text), on_error="skip")) == [game, game]
    games = module.iter_games(io.StringIO(text))
    assert next(games) == game
    with pytest.raises(pdd.RecordError, match="game 2, "):
        next(games)
    with pytest.raises(pdd.PonteError, match="on_error must be 'raise' or 'skip', not 'never'"):
        module.iter_games([], on_error="never")


@every_format
def test_what_is_no_source(module: ModuleType) -> None:
    text = text_of(module)
    for verb in (module.load, module.iter_games, module.iter_results):
        no_sources: tuple[Any, ...] = (5, None, 1.5, GAME)
        for wrong in no_sources:
            said = f"^games are read from bytes, text, .* not {type(wrong).__name__}$"
            with pytest.raises(TypeError, match=said):
                verb(wrong)
        for no_lines in ([text.encode()], [None], memoryview(text.encode())):
            with pytest.raises(TypeError, match=r"^a line of the file must be str, not"):
                list(verb(no_lines))
    for no_text in (None, [text], io.StringIO(text), memoryview(text.encode())):
        with pytest.raises(TypeError, match=r"^text must be str or bytes, not"):
            module.loads(no_text)


@every_writer
@pytest.mark.parametrize("target", [None, 5, "games", b"", []])
def test_a_game_is_written_to_a_text_file(module: ModuleType, target: Any) -> None:
    kind = type(target).__name__
    with pytest.raises(TypeError, match=f"^a text file is needed, not {kind}$"):
        module.dump(GAME, target)


@every_writer
@pytest.mark.parametrize("game", [None, "d4,g7", GAME.state])
def test_only_games_are_written(module: ModuleType, game: Any) -> None:
    file = io.StringIO()
    for verb, more in ((module.dumps, ()), (module.dump, (file,)), (module.losses, ())):
        with pytest.raises(TypeError, match="game must be Game"):
            verb(game, *more)
    assert file.getvalue() == ""


@every_format
def test_a_game_that_is_too_long_does_not_end_the_stream(module: ModuleType) -> None:
    good = text_of(module)
    long = {
        native: '[Event "{}"]\n1. a1,b1 *\n\n',
        sgf: "(;FF[4]C[{}])\n",
        boardspace: "(;GM[PonteDelDiavolo]C[{}])\n",
        abstract_play: '{{"header": "{}"}}\n',
    }[module].format("x" * 1_000_000)
    one, two, three = module.iter_results(io.StringIO(good + long + good))
    assert one == three == module.loads(good)
    assert isinstance(two, pdd.RecordError)
    assert two.expected.endswith(" of at most 1,000,000 characters")


# Records of this library


def test_results_of_records() -> None:
    text = '1. a1,b1 *\n[Event "b"]\n1. a1,b1 red 2. a1,c1 *\n[Event "c"]\n1. a1 *\n'
    good, illegal, unread = pdd.records.iter_results(io.StringIO(text))
    assert isinstance(good, pdd.Game)
    assert isinstance(illegal, pdd.RecordError)
    assert isinstance(illegal.__cause__, pdd.IllegalActionError)
    assert isinstance(unread, pdd.RecordError)
    assert [illegal.number, unread.number] == [2, 3]
    errors: list[pdd.RecordError] = []
    results = list(pdd.records.iter_results(io.StringIO(text), errors))
    assert [type(each) for each in results] == [pdd.Game] * 3
    assert [each.number for each in errors] == [2, 3]
    # Without rules nothing can be read, even leniently.
    (hopeless,) = pdd.records.iter_results(['[Rules "1x1" x]'], errors)
    assert isinstance(hopeless, pdd.RecordError)
    with pytest.raises(TypeError, match="errors must be list"):
        pdd.records.iter_results([], errors=())  # type: ignore[arg-type]  # the point of the test


def test_a_bad_header_does_not_end_the_stream() -> None:
    lines = ['[First "Al]\n', "1. a1,b1 *\n", '[First "Bo"]\n', "*\n", "[First]\n", "*\n"]
    bad, good, worse = pdd.records.iter_headers([*lines])
    assert isinstance(bad, pdd.RecordError)
    assert isinstance(good, pdd.records.Header)
    assert isinstance(worse, pdd.RecordError)
    assert (bad.number, good.number, worse.number) == (1, 2, 3)
    assert good.tags == {"First": "Bo"}


# Foreign files


def test_what_is_no_tree_is_passed_over() -> None:
    good = sgf.dumps(GAME)
    old = "(\n;\nPD[a1,b1])"
    for text in (
        f"Dear Bo :( how are you?\n{good}(see\nbelow) {good}",
        f"((({good}{good}",
        f"a (b (c\n{good}) {good}",
    ):
        assert list(sgf.iter_games(io.StringIO(text))) == [GAME, GAME]
    (found,) = sgf.iter_games(io.StringIO(f"a :( b\n{old}"))
    assert found.actions == (pdd.parse_action("a1,b1"),)


def test_several_games_in_a_broken_piece_are_numbered_through() -> None:
    text = "(;FF[4];PD[a1,b1]\n" * 2 + sgf.dumps(GAME)
    results = list(sgf.iter_results(io.StringIO(f"(;FF[4](;FF[4];PD[a1] {text}")))
    assert [each.number for each in results if isinstance(each, pdd.RecordError)] == [1, 2, 3, 4]
    assert results[-1] == GAME


def test_reports_and_lists_are_told_by_the_first_line_that_is_not_empty() -> None:
    report = abstract_play.dumps(GAME)
    for text in (f"\n\n \n{report}", f" [\n{report},\n{report}]"):
        assert {*abstract_play.iter_games(io.StringIO(text))} == {GAME}
    (game,) = abstract_play.iter_games(io.StringIO("\n\n \nd4,g7\nc3,c5 \n\t\n"))
    assert game.actions[-1] == pdd.parse_action("c3,c5")
    one, two = abstract_play.iter_games(["d4,g7", "c3,c5", "", "", "e2,e9"])
    assert (len(one.actions), len(two.actions)) == (3, 1)
    # Where nothing but empty lines comes, it is looked for no longer than a game may be.
    assert list(abstract_play.iter_results([" " * 999 + "\n"] * 1_100)) == []
