"""First guesses of people who had not looked a name up, each with what it must say."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import re
from importlib.util import find_spec

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.guesses import GUESSED_NAMES, USAGES

NEEDS_BATCH = pytest.mark.skipif(find_spec("numba") is None, reason="not installed: extra batch")

GAME = pdd.Game.new(pdd.Rules(pdd.Board(4, 4)))
STATE = GAME.state
FAULT = pdd.IllegalActionError(STATE.violations(pdd.Pass()))
CLASSES: dict[str, type] = {
    name: getattr(pdd, name) for name in GUESSED_NAMES if not name.startswith("pontedeldiavolo")
}
MODULES = GUESSED_NAMES.keys() - CLASSES.keys()

ACCEPTED = [
    "Board(6).height == 6",
    "GAME.play('a1,b1').actions",
    "messages.explain(FAULT, 'de')",
    "messages.explain(FAULT, messages.LANGUAGES['de'])",
    "players.by_name('greedy').name",
    pytest.param("players.by_name('mcts 100').name", marks=NEEDS_BATCH),
    pytest.param("players.MctsPlayer(name='net-17').name == 'net-17'", marks=NEEDS_BATCH),
]
"""Guesses that are right."""

ANSWERED: list[tuple[str, type[Exception], str]] = [
    # Names of the front
    ("ParseError", AttributeError, "NotationError"),
    ("PlaceBridge", AttributeError, "BuildBridge"),
    ("IllegalMoveError", AttributeError, "IllegalActionError"),
    ("State", AttributeError, "GameState"),
    ("sgf.loads(';')", AttributeError, "records.sgf"),
    ("abstract_play.loads('')", AttributeError, "records.abstract_play"),
    ("boardspace.loads('')", AttributeError, "records.boardspace"),
    ("records.pdd.loads('')", AttributeError, "records.loads"),
    ("explain(FAULT)", AttributeError, "messages.explain"),
    ("format_cell", AttributeError, "str(cell)"),
    ("format_half_turn", AttributeError, "format_state"),
    ("format_step", AttributeError, "format_action"),
    ("parse_half_turn", AttributeError, "parse_node"),
    ("symmetries(Board(4, 4))", AttributeError, "board.symmetries"),
    ("match()", AttributeError, "players.match"),
    ("MctsPlayer()", AttributeError, "players.MctsPlayer"),
    ("GameBatch.initial()", AttributeError, "batch.GameBatch"),
    # Names of submodules
    ("json.FORMAT", AttributeError, "'pontedeldiavolo'"),
    ("json.JSON", AttributeError, "object"),
    ("json.Value", AttributeError, "object"),
    ("json.dump(STATE)", AttributeError, "dumps"),
    ("json.load('state.json')", AttributeError, "loads(text)"),
    ("messages.Catalog", AttributeError, "Mapping[Hashable, str]"),
    ("messages.ENGLISH", AttributeError, "LANGUAGES['en']"),
    ("messages.GERMAN", AttributeError, "'de'"),
    ("messages.Language('de')", AttributeError, "['language-name']"),
    ("messages.explain_all([FAULT])", AttributeError, "explain, which takes several"),
    ("players.MCTS()", AttributeError, "MctsPlayer"),
    ("players.MCTSPlayer()", AttributeError, "MctsPlayer"),
    ("players.PatternPlayer()", AttributeError, "GreedyPlayer(candidates=10)"),
    ("players.SPRT(0, 50)", AttributeError, "SequentialTest"),
    ("presets.register('mine')", AttributeError, "Rules(...)"),
    ("text.legend()", AttributeError, "render(state, legend=True)"),
    # Names of states, games and spaces
    ("STATE.legal_moves()", AttributeError, "legal_actions, a property without ()"),
    ("STATE.is_game_over()", AttributeError, "is_over, a property without ()"),
    ("STATE.push('a1,b1')", AttributeError, "apply"),
    ("STATE.winner", AttributeError, "outcome.winner"),
    ("STATE.result", AttributeError, "outcome"),
    ("GameState.from_diagram('. w')", AttributeError, "parse_setup(diagram).position()"),
    ("GAME.winner", AttributeError, "winning_seat"),
    ("GAME.offer_draw()", AttributeError, "end(Ending.AGREEMENT)"),
    ("GAME.clock", AttributeError, "play(action, clock=seconds)"),
    ("GAME.push('a1,b1')", AttributeError, "play"),
    ("GAME.pop()", AttributeError, "undo"),
    ("GAME.legal_moves", AttributeError, "state.legal_actions"),
    ("GAME.legal_actions", AttributeError, "state.legal_actions"),
    ("StepSpace(Board(4, 4)).n", AttributeError, "len(space)"),
    ("StepSpace(Board(4, 4)).size", AttributeError, "len(space)"),
    ("ActionSpace(Board(4, 4)).n", AttributeError, "len(space)"),
    ("ActionSpace(Board(4, 4)).size", AttributeError, "len(space)"),
    # Texts and other types of arguments
    ("STATE.apply('a1,b1')", TypeError, "parse_action"),
    ("STATE.is_legal('a1,b1')", TypeError, "parse_action"),
    ("STATE.violations('a1,b1')", TypeError, "parse_action"),
    ("STATE.effects('a1,b1')", TypeError, "parse_action"),
    ("STATE.step('a1')", TypeError, "parse_step"),
    ("STATE.score()", TypeError, "'color'"),
    ("STATE.legal_actions.first_tiles()", TypeError, "not callable"),
    ("GAME.resign('first')", TypeError, "Seat('first')"),
    ("GAME.resign(Color.WHITE)", TypeError, "Seat, not Color"),
    ("svg.render('a1')", TypeError, "parse_state"),
    ("svg.render(STATE, highlights=['a1'])", TypeError, "parse_cell"),
    ("messages.explain(FAULT, 'deutsch')", pdd.PonteError, "there are en, de"),
    # Names of arguments
    ("messages.explain(FAULT, language='de')", TypeError, "explain(error, 'de')"),
    ("Rules(tiles=40)", TypeError, "tiles_per_color=40"),
    ("svg.render(STATE, highlight=[])", TypeError, "highlights=[cell]"),
    ("raster.png(STATE, highlight=[])", TypeError, "highlights=[cell]"),
    ("players.match(1, 2, pairs=50)", TypeError, "games=100"),
    ("players.match(1, 2, start=STATE)", TypeError, "openings=2"),
    ("players.MctsPlayer(sims=100)", TypeError, "simulations=1000"),
    ("players.BatchedSearch(len, 100)", TypeError, "BatchedSearch(games, simulations=100)"),
]
"""Expressions, and the error that each raises with what it must say."""

NEEDS = {"raster.": "resvg_py", "players.MctsPlayer": "numba", "players.BatchedSearch": "numba"}


def value_of(text: str) -> object:
    """Return the value of an expression in which all names of the package can be used."""
    names: dict[str, object] = {"GAME": GAME, "STATE": STATE, "FAULT": FAULT}
    first = re.match(r"\w+", text)
    assert first is not None
    for name in {first[0], "Board", "Color", "messages"} - names.keys():
        names[name] = getattr(pdd, name)
    return eval(text, names)  # noqa: S307 - the texts are in this file


@pytest.mark.parametrize("text", ACCEPTED)
def test_right_guesses_are_accepted(text: str) -> None:
    assert value_of(text)


@pytest.mark.parametrize(("text", "kind", "said"), ANSWERED)
def test_wrong_guesses_are_answered(text: str, kind: type[Exception], said: str) -> None:
    for beginning, package in NEEDS.items():
        if text.startswith(beginning):
            pytest.importorskip(package, reason=f"{package} is not installed")
    with pytest.raises(kind) as raised:
        value_of(text)
    assert said in str(raised.value)


def test_every_row_of_the_tables_is_tried() -> None:
    tried = " ".join(text for text, _, _ in ANSWERED)
    for owner, names in GUESSED_NAMES.items():
        for name in names:
            assert re.search(rf"\b{name}\b", tried), f"{owner}.{name}"
    for name in USAGES:
        assert re.search(rf"\b{name}\(", tried), name


@pytest.mark.parametrize("owner", CLASSES)
def test_guessed_names_of_classes_are_no_attributes(owner: str) -> None:
    kind = CLASSES[owner]
    value = {"GameState": STATE, "Game": GAME}.get(owner) or kind(pdd.Board(4, 4))
    for name in GUESSED_NAMES[owner]:
        assert not hasattr(value, name)
        assert not hasattr(kind, name)
        assert getattr(value, name, 3) == 3
        assert name not in dir(value)
    assert {"__eq__", "__hash__"} <= {*dir(value)}
    assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


@pytest.mark.parametrize("owner", sorted(MODULES))
def test_guessed_names_of_modules_are_no_names(owner: str) -> None:
    module = importlib.import_module(owner)
    for name in GUESSED_NAMES[owner]:
        assert not hasattr(module, name)
        assert name not in dir(module)
        assert name not in module.__all__
    with pytest.raises(AttributeError, match=f"module '{owner}' has no attribute 'nothing'$"):
        _ = module.nothing
    with pytest.raises(ImportError):
        exec(f"from {owner} import nothing")  # noqa: S102 - names of this package


def test_errors_within_a_function_are_not_those_of_its_call() -> None:
    with pytest.raises(TypeError) as raised:
        value_of("svg.render(STATE, size='large')")
    assert str(raised.value) == "size must be a whole number, not str"
    assert [*inspect.signature(pdd.svg.render).parameters][:2] == ["drawable", "last"]
    assert [*inspect.signature(pdd.Rules).parameters][:2] == ["board", "tiles_per_color"]
