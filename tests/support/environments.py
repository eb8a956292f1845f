"""Games for environments, and the observations that seats should get."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import planes
from support.batches import any_step

SIZES = [(1, 1), (1, 9), (2, 3), (5, 5), (6, 6)]
RULES = [
    *(pdd.Rules(pdd.Board(*size)) for size in SIZES),
    pdd.Rules(pdd.Board(5, 4), 4, 2, (pdd.Tiebreak.BRIDGES,)),
    pdd.Rules(pdd.Board(3, 3), 0, 0, ()),
]
NAMES = [pdd.format_rules(rules).replace(" ", "_") for rules in RULES]

Seen = Mapping[str, npt.NDArray[Any]]


def side_of(node: pdd.Node, seat: pdd.Seat) -> pdd.Color | None:
    """Return the colour from whose side a seat observes the board."""
    if node.phase is pdd.Phase.OPENING:
        return pdd.Color.WHITE if seat is pdd.Seat.FIRST else pdd.Color.RED
    return node.color_of(seat)


def require_seen(seen: Seen, node: pdd.Node, seat: pdd.Seat) -> None:
    """Require that a seat gets the right observation of a state or half turn."""
    assert [*seen] == ["observation", "action_mask"]
    assert np.array_equal(seen["observation"], planes(node, side_of(node, seat)))
    assert seen["observation"].dtype == np.uint8
    require_mask(seen["action_mask"], node, seat)
    for array in seen.values():
        assert array.flags.writeable


def require_mask(mask: npt.NDArray[Any], node: pdd.Node, seat: pdd.Seat) -> None:
    """Require that a mask has exactly the legal steps of a seat."""
    space = pdd.StepSpace(node.rules.board)
    legal = space.legal_mask(node) if node.seat_to_move is seat else bytes(len(space))
    assert mask.dtype == np.int8
    assert mask.tobytes() == legal


def code_of(node: pdd.Node, rng: Random) -> int:
    space = pdd.StepSpace(node.rules.board)
    return any_step(node, space.legal_mask(node), rng)


def middle(rules: pdd.Rules, steps: int, seed: int = 1) -> pdd.Node:
    """Return the state or half turn of a random game after some steps."""
    rng = Random(seed)
    space = pdd.StepSpace(rules.board)
    node: pdd.Node = pdd.GameState.initial(rules)
    for _ in range(steps):
        node = node.step(space.decode(code_of(node, rng)))
    return node


def end(rules: pdd.Rules, seed: int = 1) -> pdd.Node:
    nodes = (middle(rules, steps, seed) for steps in count())
    return next(node for node in nodes if node.is_over)
