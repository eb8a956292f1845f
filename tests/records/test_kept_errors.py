"""Errors stay small, however much is wrong and however many are kept."""

from __future__ import annotations

import gc
import pickle
import time
import tracemalloc
from collections.abc import Callable
from typing import Any, cast

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo import Limits, json, messages, records

BOARD = pdd.Board(64, 64)
BUILT = [
    pdd.Bridge(pdd.Cell(column, row), pdd.Cell(column + 2, row + 1))
    for row in range(32)
    for column in range(60)
]
START = (
    f"64x64 tiles=unlimited bridges=unlimited tiebreaks=none rows={'/'.join(['64'] * 64)} "
    f"built={','.join(map(str, BUILT))} phase=play to-move=white white=first"
)
RECORD = f'[Start "{START}"]\n*'


def test_a_set_up_tells_every_fault_and_its_sentence_ten() -> None:
    setup = pdd.Setup(BOARD, bridges=BUILT[:40])
    faults = setup.faults()
    assert len(faults) > 30
    with pytest.raises(pdd.InvalidPositionError) as caught:
        setup.position()
    error = caught.value
    assert error.faults == faults
    named = messages.explain_all(faults[:10])
    assert str(error) == f"{named} And {len(faults) - 10} more."
    assert messages.explain(error) == str(error)
    german = messages.explain(error, messages.GERMAN)
    assert german.endswith(f" Und {len(faults) - 10} weitere.")
    assert pickle.loads(pickle.dumps(error)).faults == faults


def test_ten_faults_are_all_named() -> None:
    setup = pdd.Setup(pdd.Board(3, 3), white=[pdd.Cell(5, row) for row in range(11)])
    (fault,) = setup.faults()
    for count in (1, 10):
        error = pdd.InvalidPositionError([fault] * count)
        assert str(error) == messages.explain_all([fault] * count)
    assert str(pdd.IllegalActionError([fault] * 12)).endswith(" And 2 more.")
    assert str(pdd.IllegalActionError([fault] * 12, row=3)).startswith("row 3: ")


def document() -> str:
    """Return a document with the faulty set-up as a position."""
    return json.dumps(pdd.Setup(BOARD, bridges=BUILT)).replace('"setup"', '"position"', 1)


@pytest.mark.parametrize(
    "read",
    [
        lambda: pdd.parse_state(START),
        lambda: records.loads(RECORD),
        lambda: records.sgf.loads(f"(;PDSTART[{START}])"),
        lambda: json.loads(document()),
    ],
)
def test_readers_stop_at_a_hundred_faults(read: Callable[[], object]) -> None:
    start = time.process_time()
    with pytest.raises(pdd.PonteError) as caught:
        read()
    assert time.process_time() - start < 0.5
    error: BaseException | None = caught.value
    assert "And at least 90 more." in str(error)
    assert len(str(error)) < 1_500
    while error is not None:
        assert len(getattr(error, "faults", ())) in (0, 100)
        error = error.__cause__


def test_a_kept_error_holds_ten_faults() -> None:
    start = json.dumps(pdd.Game.new(pdd.Rules(BOARD)))
    built = ", ".join(f'"{bridge}"' for bridge in BUILT)
    (error,) = records.read(start.replace('"bridges": []', f'"bridges": [{built}]'))
    assert isinstance(error, pdd.RecordError)
    assert "And at least 90 more." in str(error)
    assert error.__cause__ is not None
    cause = error.__cause__.__cause__
    assert isinstance(cause, pdd.InvalidPositionError)
    assert len(cause.faults) == 10


ONE_FAULT = {
    "action": "1. d4;g7 *",
    "comment": f"1. d4;g7 {{{'y' * 300}}} *",
    "tag": "[A]\n*",
    "rules": '[Rules "1x"]\n*',
    "result": '[Result "x"]\n*',
    "number": "2. d4,g7 *",
}


@pytest.mark.parametrize("text", ONE_FAULT.values(), ids=ONE_FAULT)
def test_an_error_of_one_fault_takes_little_memory(text: str) -> None:
    page = "\n\n".join([f'[Event "x"]\n{text}'] * 1_000)
    # What is kept for all of them is there already.
    list(records.read(page[: 20 * len(text)]))
    gc.collect()
    tracemalloc.start()
    kept = list(records.read(page, limits=Limits.NONE))
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(kept) == 1_000
    assert all(isinstance(each, pdd.RecordError) for each in kept)
    assert size / len(kept) < 600


# Supplies


MOST = 2**53 - 1


def test_every_format_holds_the_largest_supply() -> None:
    rules = pdd.Rules(tiles_per_color=MOST, bridges=MOST)
    assert pdd.parse_rules(pdd.format_rules(rules)) == rules
    game = pdd.Game.new(rules)
    assert records.loads(records.dumps(game)) == game
    assert records.sgf.loads(records.sgf.dumps(game)) == game
    assert json.loads(json.dumps(game)) == game
    assert json.snapshot(game.state)["kind"] == "snapshot"


@pytest.mark.parametrize("name", ["tiles_per_color", "bridges"])
@pytest.mark.parametrize("number", [MOST + 1, 10**25])
def test_no_supply_is_larger(name: str, number: int) -> None:
    with pytest.raises(pdd.InvalidRulesError) as caught:
        evolve(pdd.Rules(), **cast("dict[str, Any]", {name: number}))
    assert (caught.value.code, dict(caught.value.values)) == (
        "large-supply",
        {"name": name, "most": MOST},
    )
    supply = {"tiles_per_color": 1, "bridges": 1, name: number}
    text = "10x10 tiles={tiles_per_color} bridges={bridges} tiebreaks=none".format(**supply)
    for read, start in (
        (pdd.parse_rules, text),
        (records.loads, f'[Rules "{text}"]\n*'),
        (records.sgf.loads, f"(;RU[{text}])"),
    ):
        with pytest.raises(pdd.PonteError) as told:
            read(start)
        assert told.value.code == "at-most"
        assert "höchstens 9,007,199" in messages.explain(told.value, messages.GERMAN)
    data = json.dumps(pdd.Rules(tiles_per_color=7, bridges=7)).replace("7", str(number))
    with pytest.raises(json.JsonError):
        json.loads(data)
