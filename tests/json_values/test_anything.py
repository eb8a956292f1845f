"""Documents in which anything was changed, and documents of anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from support.documents import DELETED, EXAMPLES, VALIDATOR, Keys, changed, golden, parsed


def plain_data() -> SearchStrategy[object]:
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["a1", "a1,b2", "a1-c3", "white", "pass", "first", "play", 10**40, {}, []]),
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=8,
    )


def places_in(data: object, keys: Keys = ()) -> list[Keys]:
    """Return the paths of everything in some data."""
    found = [keys]
    if isinstance(data, dict):
        for name, part in data.items():
            found += places_in(part, (*keys, name))
    elif isinstance(data, list):
        for place, part in enumerate(data):
            found += places_in(part, (*keys, place))
    return found


def check_whatever_it_is(data: object) -> None:
    """Check that data is refused with the one error, or is a document that the schema knows."""
    try:
        value = json.from_json(data)
    except json.JsonError:
        return
    assert json.from_json(json.to_json(value)) == value
    VALIDATOR.validate(data)


@given(st.data())
def test_documents_in_which_anything_was_changed(data: st.DataObject) -> None:
    document: object = parsed(data.draw(st.sampled_from([*EXAMPLES])))
    for _ in range(data.draw(st.integers(1, 2))):
        places = places_in(document)
        keys = data.draw(st.sampled_from(places[1:]))
        other = data.draw(st.sampled_from(places))
        copied = document
        for key in other:
            copied = copied[key]  # type: ignore[index]  # the path says what it is
        part = data.draw(st.sampled_from([copied, DELETED]) | plain_data())
        document = changed(document, keys, part)
        if not isinstance(document, dict):
            break
    check_whatever_it_is(document)


@given(plain_data(), st.sampled_from([*EXAMPLES]))
def test_documents_of_anything(data: object, kind: str) -> None:
    check_whatever_it_is(data)
    check_whatever_it_is(parsed(kind) | {"value": data})


@given(st.text(max_size=20) | st.text('{}[]":,\\ 1a-', max_size=20), st.integers(0, 300))
def test_any_text(text: str, place: int) -> None:
    whole = golden("move")
    for each in (text, whole[:place] + text + whole[place:], whole[:place] + text):
        try:
            value = json.loads(each)
        except json.JsonError:
            continue
        assert isinstance(value, pdd.Move)
