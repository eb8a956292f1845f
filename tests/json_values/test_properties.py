"""All values survive JSON, and changed documents are accepted or refused."""

from __future__ import annotations

import json as standard
from contextlib import suppress
from enum import Enum
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import KINDS, Value
from pontedeldiavolo.testing import strategies
from support import strategies as support
from support.checks import refused, told
from support.diagrams import WHITE
from support.documents import DELETED, EXAMPLES, GAME, VALIDATOR, Keys, changed, parsed
from support.trees import annotated_games


def far_cells() -> SearchStrategy[pdd.Cell]:
    return st.builds(pdd.Cell, st.integers(0, 300_000_000), st.integers(0, 999_999_998))


def any_cells() -> SearchStrategy[pdd.Cell]:
    return strategies.boards().flatmap(support.cells) | far_cells()


def pairs() -> SearchStrategy[tuple[pdd.Cell, pdd.Cell]]:
    return strategies.boards().flatmap(support.two_cells) | st.tuples(far_cells(), far_cells())


@st.composite
def violations(draw: DrawFn) -> pdd.Violation:
    state = draw(strategies.states())
    found = (
        *state.violations(draw(support.attempts(state))),
        *draw(strategies.setups()).violations(),
    )
    return draw(st.sampled_from(found or (pdd.Violation(pdd.ViolationCode.CROSSES),)))


@st.composite
def outcomes(draw: DrawFn) -> pdd.Outcome:
    outcome = draw(strategies.states(phase=pdd.Phase.OVER)).outcome
    assert outcome is not None
    return outcome


def read_back(game: pdd.Game) -> pdd.records.Record:
    (record,) = pdd.records.iter_records(StringIO(pdd.records.dumps(game)))
    assert isinstance(record, pdd.records.Record)
    return record


VALUES: dict[str, SearchStrategy[Value]] = {
    "cell": any_cells(),
    "board": st.builds(pdd.Board, st.integers(1, 64), st.integers(1, 64)),
    "rules": strategies.rules(),
    "place-tiles": pairs().map(lambda pair: pdd.PlaceTiles(*pair)),
    "place-tile": any_cells().map(pdd.PlaceTile),
    "build-bridge": pairs().map(lambda pair: pdd.BuildBridge(*pair)),
    "choose-color": st.sampled_from(pdd.Color).map(pdd.ChooseColor),
    "pass": st.just(pdd.Pass()),
    "bridge": pairs().map(lambda pair: pdd.Bridge(*pair)),
    "setup": strategies.setups(),
    "position": strategies.positions(),
    "game-state": strategies.states(),
    "half-turn": strategies.half_turns(),
    "score": strategies.states().map(lambda state: state.score(WHITE)),
    "outcome": outcomes(),
    "violation": violations(),
    "move": annotated_games()
    .map(lambda game: [move for _, move in game.walk()])
    .filter(bool)
    .flatmap(st.sampled_from),
    "line": annotated_games().map(lambda game: game.line),
    "game": support.games() | annotated_games(),
    "record": annotated_games().map(read_back),
} | {kind.name: st.sampled_from([*kind.of]) for kind in KINDS if issubclass(kind.of, Enum)}


@pytest.mark.parametrize("kind", EXAMPLES)
@support.share(0.5)
@given(data=st.data())
def test_round_trips(kind: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    document = json.to_json(value)
    text = json.dumps(value)
    assert standard.loads(text) == document
    assert text.encode()
    VALIDATOR.validate(document)
    for back in (
        json.from_json(document),
        json.from_json(document, type(value)),
        json.loads(text),
        json.loads(json.dumps(value, indent=1), type(value)),
    ):
        assert type(back) is type(value)
        assert back == value
        assert json.dumps(back) == text


@given(annotated_games())
def test_equal_games_have_equal_documents(game: pdd.Game) -> None:
    other = game.with_tags(dict(sorted(game.tags.items(), reverse=True)))
    assert json.dumps(other) == json.dumps(game)


def test_the_cells_of_an_action_come_in_either_order() -> None:
    for kind, text in (("place-tiles", "b2,a1"), ("build-bridge", "c3-a1"), ("bridge", "b3-a1")):
        document = parsed(kind) | {"value": text}
        assert json.from_json(document) == EXAMPLES[kind]
        VALIDATOR.validate(document)


def test_a_record_knows_its_places() -> None:
    record = EXAMPLES["record"]
    assert isinstance(record, pdd.records.Record)
    back = json.loads(json.dumps(record), pdd.records.Record)
    for each in (record, back):
        assert told(refused(each.game))[1:3] == (4, 24)
    errors: list[pdd.RecordError] = []
    (wrong,) = pdd.records.iter_records(StringIO('[Result "white"]\n\n*'), errors)
    assert isinstance(wrong, pdd.records.Record)
    assert errors
    back = json.loads(json.dumps(wrong), pdd.records.Record)
    assert told(refused(back.game))[1:3] == (1, 10)


def test_a_record_that_was_not_read_from_a_text() -> None:
    record = pdd.records.Record(GAME.start, GAME.tags, GAME.line)
    back = json.loads(json.dumps(record), pdd.records.Record)
    assert back == record
    assert back.game().line == GAME.line


def plain_data() -> SearchStrategy[object]:
    words = ["a1", "a1,b2", "a1-c3", "white", "pass", "first", "play", 10**40, {}, []]
    texts = st.text(max_size=5)
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | texts | st.sampled_from(words),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=8,
    )


def places_in(data: object, keys: Keys = ()) -> list[Keys]:
    found = [keys]
    if isinstance(data, dict):
        for name, part in data.items():
            found += places_in(part, (*keys, name))
    elif isinstance(data, list):
        for place, part in enumerate(data):
            found += places_in(part, (*keys, place))
    return found


@given(st.data())
def test_documents_in_which_anything_was_changed(data: st.DataObject) -> None:
    document: object = parsed(data.draw(st.sampled_from([*EXAMPLES])))
    for _ in range(data.draw(st.integers(1, 2))):
        places = places_in(document)
        keys = data.draw(st.sampled_from(places[1:]))
        copied: Any = document
        for key in data.draw(st.sampled_from(places)):
            copied = copied[key]
        part = data.draw(st.sampled_from([copied, DELETED]) | plain_data())
        document = changed(document, keys, part)
        if not isinstance(document, dict):
            break
    # The document is refused with the right error, or valid under the schema.
    with suppress(json.JsonError):
        value = json.from_json(document)
        assert json.from_json(json.to_json(value)) == value
        VALIDATOR.validate(document)
