"""Bytes of states and half turns: at most one of the two, and written as they were read."""

from __future__ import annotations

import pontedeldiavolo as pdd
from pontedeldiavolo import presets

from .agreement import agree, attempt
from .notation import check_node

RULES = (
    presets.ORIGINAL,
    presets.ABSTRACT_PLAY_8,
    pdd.Rules(pdd.Board(3, 3)),
    pdd.Rules(pdd.Board(7, 1), tiles_per_color=3, bridges=2),
    pdd.Rules(pdd.Board(5, 4), tiles_per_color=6, bridges=0),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(16, 17)),
    pdd.Rules(pdd.Board(64, 64)),
)
"""The first byte of an input says which of them hold; only the order is kept for ever."""


def check_packed(data: bytes) -> None:
    """Check bytes as a state and as a half turn, under the rules that the first byte names."""
    rules, packed = RULES[(data[0] if data else 0) % len(RULES)], data[1:]
    state = attempt(lambda: pdd.GameState.unpack(rules, packed))
    half = attempt(lambda: pdd.HalfTurn.unpack(rules, packed))
    nodes = [each for each in (state, half) if not isinstance(each, pdd.PonteError)]
    agree("at most one of the two", len(nodes) <= 1, expected=True)
    for node in nodes:
        # Zeros may follow, and a number may end in one.
        agree("packed", node.packed().rstrip(b"\0"), packed.rstrip(b"\0"))
        check_node(node)
