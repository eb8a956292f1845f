"""Other converters, and none; values at their largest."""

from __future__ import annotations

import importlib
import sys
from random import Random

import pytest
from attrs import frozen
from cattrs import Converter

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.plain import MAX_NESTING
from support.documents import STATE, cell, parsed
from support.processes import run_python


@frozen
class Table:
    """A table of somebody's own, with values of the package."""

    state: pdd.GameState
    last: pdd.Action | None
    click: pdd.Step
    chairs: dict[pdd.Seat, str]
    seen: list[pdd.Cell]


@pytest.mark.parametrize("text", ["a1,b2", "a1-c3", "white", "pass", None])
@pytest.mark.parametrize("detailed", [True, False])
def test_other_converters_learn_the_values(text: str | None, *, detailed: bool) -> None:
    converter = Converter(detailed_validation=detailed)
    json.register_hooks(converter)
    last = None if text is None else pdd.parse_action(text)
    click = pdd.PlaceTile(cell("a4"))
    table = Table(STATE, last, click, {pdd.Seat.FIRST: "Ada"}, [cell("b2")])
    data = converter.unstructure(table)
    assert data == {
        "state": parsed("game-state")["value"],
        "last": text,
        "click": "a4",
        "chairs": {"first": "Ada"},
        "seen": ["b2"],
    }
    assert converter.structure(data, Table) == table


def test_what_other_converters_refuse() -> None:
    converter = Converter(detailed_validation=False)
    json.register_hooks(converter)
    data = converter.unstructure(
        Table(STATE, None, pdd.Pass(), {pdd.Seat.SECOND: "Bo"}, [cell("b2")])
    )
    for wrong in ("a1,b2", "e9-", None, 5):
        with pytest.raises(json.JsonError) as caught:
            converter.structure(data | {"click": wrong}, Table)
        assert caught.value.path == ""
        assert "'a1', 'a1-c3'" in caught.value.expected
    with pytest.raises(json.JsonError) as caught:
        converter.structure(data | {"state": data["state"] | {"red": ["x"]}}, Table)
    assert caught.value.path == "red[0]"
    deep: list[object] = []
    for _ in range(MAX_NESTING):
        deep = [deep]
    with pytest.raises(json.JsonError):
        converter.structure(deep, pdd.Line)


def test_the_package_alone_needs_no_cattrs() -> None:
    program = (
        "import sys; sys.modules['cattrs'] = None; import pontedeldiavolo\n"
        "try: import pontedeldiavolo.json\n"
        "except ImportError as error: print(error)"
    )
    done = run_python(program)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pip install 'pontedeldiavolo[json]'" in done.stdout


def test_without_cattrs_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pontedeldiavolo.json")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cattrs", None)
    with pytest.raises(ImportError, match=r"pip install 'pontedeldiavolo\[json\]'"):
        importlib.import_module("pontedeldiavolo.json")


def test_random_games_on_the_largest_board() -> None:
    rng, game = Random(7), pdd.Game.new(pdd.Rules(pdd.Board(64, 64)))
    for _ in range(12):
        game = game.play(game.state.legal_actions.sample(rng))
    assert json.loads(json.dumps(game)) == game
    assert json.loads(json.dumps(game.state)) == game.state


def test_a_hook_refuses_a_value_of_another_class() -> None:
    converter = Converter()
    json.register_hooks(converter)
    with pytest.raises(json.JsonError) as caught:
        converter.unstructure("10x10", unstructure_as=pdd.Board)
    assert "Board" in caught.value.expected
