"""Other converters, and none; values at their largest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from random import Random

import pytest
from attrs import frozen
from cattrs import Converter

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.codecs import MAX_NESTING
from support.documents import STATE, cell, parsed


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


NEEDS_CATTRS = r"^pontedeldiavolo\.json needs cattrs: pip install 'pontedeldiavolo\[json\]'$"


def test_the_room_is_there_without_cattrs() -> None:
    program = (
        "import sys; sys.modules['cattrs'] = None\n"
        "import pontedeldiavolo as pdd\n"
        "from pontedeldiavolo import json\n"
        "assert 'json' in dir(pdd)\n"
        "print(json.FORMAT, json.VERSION, json.schema()['title'], json.JsonError('', 'a text'))\n"
        "calls = (json.dumps, json.to_json, json.loads, json.from_json, json.register_hooks)\n"
        "for call, given in zip(calls, (pdd.Rules(), pdd.Rules(), '{}', {}, None)):\n"
        "    try: call(given)\n"
        "    except ImportError as error: print(error.name, error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    first, *others = done.stdout.splitlines()
    assert first == (
        "pontedeldiavolo 1 Documents of pontedeldiavolo, version 1 the document: expected a text"
    )
    assert (
        others
        == ["cattrs pontedeldiavolo.json needs cattrs: pip install 'pontedeldiavolo[json]'"] * 5
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: json.dumps(pdd.Rules()),
        lambda: json.to_json(pdd.Rules()),
        lambda: json.loads("{}"),
        lambda: json.from_json({}),
        lambda: json.register_hooks(Converter()),
    ],
)
def test_without_cattrs_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[], object]
) -> None:
    monkeypatch.delitem(sys.modules, "pontedeldiavolo.json.converter", raising=False)
    monkeypatch.setitem(sys.modules, "cattrs", None)
    with pytest.raises(ImportError, match=NEEDS_CATTRS) as caught:
        call()
    assert caught.value.name == "cattrs"


def test_random_games_on_the_largest_board() -> None:
    rng, game = Random(7), pdd.Game.new(pdd.Rules(pdd.Board(64, 64)))
    for _ in range(12):
        game = game.play(game.state.legal_actions.sample(rng))
    assert json.loads(json.dumps(game)) == game
    assert json.loads(json.dumps(game.state)) == game.state


@pytest.mark.parametrize(
    ("wrong", "cls"), [("10x10", pdd.Board), ("a1", pdd.Cell), (STATE, pdd.Position)]
)
def test_a_hook_refuses_a_value_of_another_class(wrong: object, cls: type[object]) -> None:
    converter = Converter()
    json.register_hooks(converter)
    with pytest.raises(json.JsonError) as caught:
        converter.unstructure(wrong, unstructure_as=cls)
    assert caught.value.expected == f"a value of the class {cls.__name__}"


class Odd(int):
    """A number that cannot be compared."""

    def __ge__(self, other: int) -> bool:
        raise ZeroDivisionError


def test_an_error_of_another_making_is_not_taken_for_a_refusal() -> None:
    with pytest.raises(ZeroDivisionError):
        json.from_json(parsed("board") | {"value": {"width": Odd(5), "height": 5}})
