"""Values in pickles of every protocol, in weak references, and as keys."""

from __future__ import annotations

import copy
import pickle
import weakref
from collections.abc import Sequence
from typing import Any

import attrs
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.values import FrozenMapping
from support.public_api import has_constructor, public_classes
from support.public_values import STATE, VALUES

LEGAL = STATE.legal_actions
INNER: list[object] = [LEGAL.pairs, LEGAL.others, FrozenMapping({"a": 1})]
"""Values of private classes that users get from public values."""

MUTABLE = ("BatchedSearch", "ExternalPlayer", "GamePool", "Solver")
KEPT = [value for value in [*VALUES, *INNER] if type(value).__name__ not in MUTABLE]
"""All values that can be pickled; other tests require that mutable ones cannot."""

RANDOM_PLAYERS = (pdd.players.RandomPlayer, pdd.players.GreedyPlayer, pdd.players.MctsPlayer)


def content(value: Any) -> object:
    """Return the comparable content of a value, because not every class defines equality."""
    if isinstance(value, BaseException):
        return (value.args, str(value), sorted(vars(value)))
    if isinstance(value, RANDOM_PLAYERS):
        return value.name, value._rng.getstate()
    if isinstance(value, Sequence):
        return list(value[:300])
    if type(value).__name__ == "Tablebase":
        value = [value.rules, value._values.tolist()]
    if hasattr(value, "states"):
        return [*value.states()]
    if type(value).__name__ in ("Playouts", "Replays"):
        return [None if each is None else each.tolist() for each in attrs.astuple(value)]
    return value


def test_there_is_a_value_of_every_public_class() -> None:
    classes = {
        name: kind
        for name, kind in public_classes().items()
        if has_constructor(kind) or not getattr(kind, "_is_protocol", False)
    }
    missing = [name for name, kind in classes.items() if kind not in {*map(type, VALUES)}]
    assert not missing


@pytest.mark.parametrize("value", KEPT, ids=lambda value: type(value).__name__)
def test_every_protocol_of_pickle_keeps_a_value(value: object) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        kept = pickle.loads(pickle.dumps(value, protocol))
        assert type(kept) is type(value), protocol
        assert content(kept) == content(value), protocol


@pytest.mark.parametrize(
    "value",
    [each for each in [*VALUES, *INNER] if not isinstance(each, tuple)],
    ids=lambda value: type(value).__name__,
)
def test_weak_references_know_a_value(value: object) -> None:
    assert weakref.ref(value)() is value


def test_legal_actions_are_kept_before_and_after_counting() -> None:
    fresh = pdd.GameState.initial().legal_actions
    counted = pdd.GameState.initial().legal_actions
    assert len(counted) == 100 * 99 // 2
    for legal in (fresh, counted):
        kept = pickle.loads(pickle.dumps(legal))
        assert len(kept) == 100 * 99 // 2
        assert kept[-1] == counted[-1]
        assert list(kept.others) == list(counted.others)


def test_frozen_mappings_are_joined_like_dictionaries() -> None:
    mapping = FrozenMapping({"a": 1, "b": 2})
    joined = mapping | {"b": 3, "c": 4}
    assert isinstance(joined, FrozenMapping)
    assert list(joined.items()) == [("a", 1), ("b", 3), ("c", 4)]
    turned = {"b": 3, "c": 4} | mapping
    assert isinstance(turned, FrozenMapping)
    assert list(turned.items()) == [("b", 2), ("c", 4), ("a", 1)]
    assert list((mapping | mapping).items()) == [("a", 1), ("b", 2)]
    assert mapping == {"a": 1, "b": 2}


@pytest.mark.parametrize("other", [[("a", 1)], 3, None, {"a"}])
def test_frozen_mappings_are_joined_with_mappings_only(other: Any) -> None:
    mapping = FrozenMapping({"a": 1})
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = mapping | other
    with pytest.raises(TypeError, match="unsupported operand"):
        _ = other | mapping


def test_bools_of_numpy_are_no_numbers() -> None:
    np = pytest.importorskip("numpy")
    for value in (np.True_, np.bool_(0)):
        for make in (pdd.Board, lambda v: pdd.Cell(v, 1), pdd.ActionSpace(pdd.Board()).decode):
            with pytest.raises(TypeError, match="must be a whole number, not bool"):
                make(value)
    assert pdd.Cell(np.int8(2), np.uint64(3)) == pdd.Cell(2, 3)


@pytest.mark.parametrize("value", KEPT, ids=lambda value: type(value).__name__)
def test_a_copy_of_a_value_is_the_value_itself(value: object) -> None:
    for copied in (copy.copy(value), copy.deepcopy(value), copy.deepcopy([value])[0]):
        # Errors are mutable, the arrays of results belong to the caller, and players are random.
        can_change = isinstance(value, BaseException | pdd.players.Player)
        if can_change or type(value).__name__ in ("Playouts", "Replays"):
            assert copied is not value
            assert content(copied) == content(value)
        else:
            assert copied is value or isinstance(value, tuple)
            assert content(copied) == content(value)
