"""Arguments that batches, pools and planes refuse, and the types of numbers that they accept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import PonteError
from pontedeldiavolo.batch import GameBatch, GamePool, RowError, planes, transform_planes
from support.batch_rows import SMALL
from support.batches import same_arrays
from support.pools import everything

Call = Callable[[GameBatch, GamePool, Any], object]

START = pdd.GameState.initial(SMALL)
OTHER = GameBatch.initial(pdd.Rules(SMALL.board, 9), 2)
CODES = len(pdd.StepSpace(SMALL.board))
TURNED = SMALL.board.symmetries[1]
STRANGE = pdd.Board(4, 5).symmetries[0]
SPACE = pdd.StepSpace(SMALL.board)

ENTRIES: dict[str, Call] = {
    "take": lambda games, _, wrong: games.take(wrong),
    "reset": lambda games, _, wrong: games.reset(wrong),
    "replace": lambda games, _, wrong: games.replace(wrong, games.take([0])),
    "pool.reset": lambda _, pool, wrong: pool.reset(wrong),
    "take of none": lambda games, _, wrong: games.take([]).take(wrong),
    "step": lambda games, _, wrong: games.step(wrong),
    "pool.step": lambda _, pool, wrong: pool.step(wrong),
    "step of none": lambda games, _, wrong: games.take([]).step(wrong),
    "sample_steps": lambda games, _, wrong: games.sample_steps(1, wrong),
    "pool.sample_steps": lambda _, pool, wrong: pool.sample_steps(wrong),
    "playout threads": lambda games, _, wrong: games.playout(1, wrong),
    "legal_mask threads": lambda games, _, wrong: games.legal_mask(threads=wrong),
    "packed threads": lambda games, _, wrong: games.legal_mask(packed=True, threads=wrong),
    "planes threads": lambda games, _, wrong: games.planes(threads=wrong),
    "sample threads": lambda games, _, wrong: games.sample_steps(1, threads=wrong),
    "step threads": lambda games, _, wrong: games.step([0, 1, 2], wrong),
    "pool threads": lambda _, __, wrong: GamePool(SMALL, threads=wrong),
    "playout": lambda games, _, wrong: games.playout(wrong),
    "sample seed": lambda games, _, wrong: games.sample_steps(wrong),
    "pool seed": lambda games, _, wrong: GamePool.from_games(games, seed=wrong),
    "initial": lambda _, __, wrong: GameBatch.initial(SMALL, wrong),
    "pool size": lambda _, __, wrong: GamePool(SMALL, wrong),
    "repeat": lambda games, _, wrong: games.repeat(wrong),
    "repeat none": lambda games, _, wrong: games.take([]).repeat(wrong),
    "index": lambda games, _, wrong: games[wrong],
    "index of none": lambda games, _, wrong: games.take([])[wrong],
    "packed": lambda games, _, wrong: games.legal_mask(packed=wrong),
    "actions": lambda games, _, wrong: games.children(actions=wrong),
    "details": lambda games, _, wrong: games.playout(1, details=wrong),
    "row": lambda games, _, wrong: games.children(wrong),
    "from_states": lambda _, __, wrong: GameBatch.from_states(wrong),
    "concat": lambda _, __, wrong: GameBatch.concat(wrong),
    "other": lambda games, _, wrong: games.replace([0], wrong),
    "transform": lambda games, _, wrong: games.transform(wrong),
    "planes": lambda games, _, wrong: games.planes(wrong),
    "dtype": lambda games, _, wrong: games.planes(dtype=wrong),
    "dtype of one": lambda _, __, wrong: planes(START, dtype=wrong),
    "transform_planes": lambda _, __, wrong: transform_planes(wrong, TURNED),
    "symmetry": lambda _, __, wrong: pdd.batch.permutation(SPACE, wrong),
}
ROWS = ("take", "reset", "replace", "pool.reset")
STEPS = ("step", "pool.step")
WEIGHTS = ("sample_steps", "pool.sample_steps")
THREADS = tuple(name for name in ENTRIES if name.endswith(" threads"))
SEEDS = ("playout", "sample seed", "pool seed")
SIZES = ("initial", "pool size")
NO_NUMBERS = (True, 1.0, "1", [1], b"1", np.float64(1), np.True_, np.array([1, 2]), 1j)
NO_WHOLE_NUMBERS = (
    *([0.0], [1.5], ["0"], "0", [None], None, [b"0"], [1j], {0, 1}, {0: 1}, float("nan")),
    *(np.array([0.0], object), np.array([0], "M8[s]"), np.array([0], np.float32)),
    *([3, True, 1], (True, 3, 1), np.array([0, 1, 2], "m8[s]")),
)
NOT_THREE = [0, [], [0], [0, 1], [0, 1, 2, 3], [[0, 1, 2]], [[0], [1], [2]]]
"""Arrays that do not have one number for each of three games."""
FAR = (3, -4, 2**31, 2**40, 2**62, 2**63 - 1, -(2**63))
BEYOND = (-1, CODES, -CODES, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63))
NO_DTYPES = (
    *((bool, "bool"), (np.bool_, "bool"), (np.int8, "int8"), (np.complex64, "complex64")),
    *((object, "object"), ("S1", "bytes8"), ("M8[s]", r"datetime64\[s\]"), (None, "NoneType")),
    *(("no type", "str"), ("i4,,", "str"), (("i4", -1), "tuple"), (3, "int")),
)

REFUSED: list[tuple[Sequence[str], Sequence[Any], type[Exception], str]] = [
    (ROWS, [[0, row] for row in FAR], PonteError, "there is no row {0[1]} in a batch of 3"),
    (ROWS, [[2**63], [200]], PonteError, r"there is no row {0[0]} in a batch of 3"),
    (ROWS, [np.array([-100], np.int8)], PonteError, "there is no row -100"),
    (ROWS, [[2**64], [-(2**63) - 1], [10**30]], PonteError, "rows must fit into 64 bits"),
    (ROWS, [0, np.array(0)], PonteError, "rows must have one dimension, not 0"),
    (ROWS, [[[0]], [[0, 1], [1, 2]], [[]], [[], []]], PonteError, "one dimension, not 2"),
    (ROWS, [[[0], [1, 2], [3]]], PonteError, "rows must be an array"),
    (ROWS, [[True], [True] * 4, [[True, False, True]], True], PonteError, "marks must have sh"),
    (ROWS, NO_WHOLE_NUMBERS, TypeError, "rows must be whole numbers, not"),
    (STEPS, [[0, code, code] for code in BEYOND], RowError, r"row 1: code {0[1]} is outside 0 to"),
    # An illegal step before it makes no difference.
    (STEPS, [[CODES - 1, 0, CODES]], RowError, "row 2: code"),
    (STEPS, NOT_THREE, PonteError, r"must have shape \(3,\), not"),
    (STEPS, [[0, 1, 2**63], [0, 1, 2**64]], PonteError, "must fit into 64 bits: {0[2]}"),
    (STEPS, [np.array([0, 1, 2**63], np.uint64)], PonteError, "must fit into 64 bits"),
    (STEPS, [[-(2**63) - 1, 0, 1], [10**30, 0, 1]], PonteError, "fit into 64 bits: {0[0]}"),
    (STEPS, [[[0], [1, 2], [3]]], PonteError, "must be an array"),
    (STEPS, [*NO_WHOLE_NUMBERS, [True] * 3], TypeError, "s must be whole numbers, not"),
    (
        WEIGHTS,
        [np.ones(shape) for shape in (CODES, (3, CODES - 1), (1, CODES), (), (3, CODES, 1))],
        PonteError,
        rf"weights must have shape \(3, {CODES}\), not",
    ),
    (WEIGHTS, [[[1.0], [1.0, 2.0]]], PonteError, "weights must be an array"),
    (
        WEIGHTS,
        [np.ones((3, CODES)).astype(kind) for kind in (np.complex64, "S1", object)],
        TypeError,
        "weights must be real numbers, not",
    ),
    (THREADS, [0, -1, -(10**30)], PonteError, "threads must be positive: {0}"),
    (THREADS, [*NO_NUMBERS, None], TypeError, "threads must be a whole number"),
    (SEEDS, [-1, -(10**30)], PonteError, "seed must not be negative: {0}"),
    (SEEDS, [-(10**40)], PonteError, "seed must not be negative"),
    (SEEDS, [*NO_NUMBERS, None], TypeError, "seed must be a whole number"),
    (
        SIZES,
        [-1, -(10**30), 2**31 + 1, 2**63],
        PonteError,
        "size must be from 0 to 2147483648, not {0}",
    ),
    (SIZES, [*NO_NUMBERS, None], TypeError, "size must be a whole number"),
    ([*SIZES, "playout", "playout threads"], [10**101], PonteError, "too large"),
    (
        ["repeat"],
        [-1, 2**31 // 3 + 1, 10**30],
        PonteError,
        "k must be from 0 to 715827882, not {0}",
    ),
    (["take of none"], [[0], [-1]], PonteError, "there is no row {0[0]} in a batch of 0"),
    (["index of none"], [0], IndexError, "there is no row 0 in a batch of 0"),
    (["step of none"], [[0]], PonteError, r"codes must have shape \(0,\)"),
    (["repeat none"], [2**31 + 1], PonteError, "k must be from 0 to 2147483648"),
    (["repeat"], [*NO_NUMBERS, None], TypeError, "k must be a whole number"),
    (["index"], [3, -4, 2**70], IndexError, "there is no row {0} in a batch of 3"),
    (["index"], [True, 1.0, "0", None, (0, 1), [0], np.array([0, 1])], TypeError, "index must be"),
    (["packed"], [0, 1, None, "yes", np.True_], TypeError, "packed must be"),
    (["actions", "details"], [0, 1, None, "yes", np.True_], TypeError, "must be bool"),
    (["row"], NO_NUMBERS, TypeError, "row must be a whole number"),
    (["row"], FAR, PonteError, "there is no row {0} in a batch of 3"),
    (["from_states", "concat"], [[]], PonteError, r"use GameBatch\.initial\(rules, 0\)"),
    (
        ["other"],
        [OTHER.take([0]), GameBatch.initial(pdd.Rules(pdd.Board(4, 5)))],
        PonteError,
        "other has other rules than the batch",
    ),
    (
        ["transform"],
        [[3, wrong, 0] for wrong in (4, -1, 2**63 - 1)],
        RowError,
        "row 1: symmetry {0[1]} is outside 0 to 3",
    ),
    (["transform"], NOT_THREE, PonteError, r"symmetries must have shape \(3,\), not"),
    (["transform"], [None, "0", [1.0] * 3, [True] * 3, [None] * 3], TypeError, "symmetries.? must"),
    (["transform", "symmetry"], [STRANGE], PonteError, "a symmetry of 4×5 does not fit 5×4"),
    (["planes"], NOT_THREE, PonteError, r"color must have shape \(3,\), not"),
    (
        ["planes"],
        [[0, wrong, wrong] for wrong in (-1, 2, 2**63 - 1)],
        RowError,
        "row 1: a colour is 0 or 1, not {0[1]}",
    ),
    (["planes"], [[1.0] * 3, [True] * 3, "white", [pdd.Color.RED] * 3], TypeError, "color must be"),
    *(
        (
            (["dtype", "dtype of one"]),
            [wrong],
            TypeError,
            f"dtype must be a type of real numbers that holds 0 to 255, not {name}",
        )
        for wrong, name in NO_DTYPES
    ),
    (
        ["transform_planes"],
        [np.zeros(shape) for shape in ((26, 4, 5), (27, 5, 4), (4, 5), (), (27, 4, 5, 1))],
        PonteError,
        r"planes must have shape \(\.\.\., 27, 4, 5\)",
    ),
    (["transform_planes"], [None, [[[0]]], OTHER], TypeError, "planes must be"),
]


@pytest.mark.parametrize(
    ("entries", "values", "kind", "message"),
    REFUSED,
    ids=[f"{entries[0]} {number}" for number, (entries, *_) in enumerate(REFUSED)],
)
def test_arguments_are_refused_and_nothing_changes(
    entries: Sequence[str], values: Sequence[Any], kind: type[Exception], message: str
) -> None:
    games = GameBatch.initial(SMALL, 3)
    pool = GamePool(SMALL, 3)
    pool.step([0, 1, 2])
    kept = everything(pool, pictures=False)
    for name, value in product(entries, values):
        with pytest.raises(kind, match=message.format(value)) as caught:
            ENTRIES[name](games, pool, value)
        if isinstance(caught.value, RowError):
            assert str(caught.value) == f"row {caught.value.row}: {caught.value.problem}"
    assert same_arrays(everything(pool, pictures=False), kept)
    assert games.states() == (START,) * 3


def test_arrays_in_place_of_other_arguments_are_named() -> None:
    calls: dict[str, Callable[[], object]] = {
        "own must be a number, not ndarray": lambda: pdd.players.Clock(np.zeros(2), 1),
        "owners must be bool, not numpy.bool": lambda: pdd.GameState.initial().packed(
            owners=np.True_  # type: ignore[arg-type]
        ),
        "evaluate must be callable, not ndarray": lambda: pdd.players.MctsPlayer(
            evaluate=np.zeros(2)  # type: ignore[arg-type]
        ),
    }
    for sentence, call in calls.items():
        with pytest.raises(TypeError, match=sentence):
            call()


def test_an_evaluation_has_two_parts() -> None:
    player = pdd.players.MctsPlayer(simulations=5, evaluate=lambda _: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="evaluate must return priors and values, not NoneType"):
        player.choose(pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3))))
