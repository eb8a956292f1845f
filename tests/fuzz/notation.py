"""Parsers of notation: what they read is written, and read again the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pontedeldiavolo as pdd
from pontedeldiavolo import presets

from .agreement import agree, as_text, attempt

T = TypeVar("T")

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
"""The first byte of a packed input says which of them hold; only the order is kept for ever."""


def check_text(parse: Callable[[str], T], write: Callable[[T], str], data: bytes) -> T | None:
    """Check a text, and return what it says; ``None`` if it is refused."""
    text = as_text(data)
    value = attempt(lambda: parse(text))
    if isinstance(value, pdd.NotationError):
        agree("the text of an error", value.text, text)
        agree("its place", 0 <= value.offset <= len(text), expected=True)
        return None
    if isinstance(value, pdd.PonteError):
        return None
    written = write(value)
    agree("written and read", parse(written), value)
    agree("written again", write(parse(written)), written)
    if isinstance(value, pdd.GameState | pdd.HalfTurn):
        check_node(value)
    return value


def check_action(data: bytes) -> None:
    """Check a text as an action, and as a step if the two are alike."""
    action = check_text(pdd.parse_action, pdd.format_action, data)
    if isinstance(action, pdd.BuildBridge | pdd.ChooseColor | pdd.Pass):
        agree("as a step", attempt(lambda: pdd.parse_step(as_text(data))), action)


def check_step(data: bytes) -> None:
    """Check a text as a step, and as a cell or an action if it is one."""
    text = as_text(data)
    step = check_text(pdd.parse_step, pdd.format_step, data)
    if isinstance(step, pdd.PlaceTile):
        agree("as a cell", attempt(lambda: pdd.parse_cell(text)), step.cell)
    elif step is not None:
        agree("as an action", attempt(lambda: pdd.parse_action(text)), step)


def check_setup(data: bytes) -> None:
    """Check a text as a set-up, and its position if it has one."""
    setup = check_text(pdd.parse_setup, pdd.format_setup, data)
    if setup is None:
        return
    position = attempt(setup.position)
    if isinstance(position, pdd.Position):
        agree("a position's set-up", position.setup().position(), position)


def check_either(data: bytes) -> None:
    """Check a text as a state or a half turn: it is one of them, or neither."""
    text = as_text(data)
    node = attempt(lambda: pdd.parse_node(text))
    state = attempt(lambda: pdd.parse_state(text))
    half = attempt(lambda: pdd.parse_half_turn(text))
    if isinstance(node, pdd.PonteError):
        for other in (state, half):
            agree("a node that is refused", isinstance(other, pdd.PonteError), expected=True)
    else:
        same, other = (half, state) if isinstance(node, pdd.HalfTurn) else (state, half)
        agree("the node", node, same)
        agree("of one kind only", isinstance(other, pdd.PonteError), expected=True)
        check_node(node)


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


def check_node(node: pdd.Node) -> None:
    """Check that a state or half turn survives as text and as bytes, and its answers agree."""
    rules = node.rules
    if isinstance(node, pdd.HalfTurn):
        agree("unpacked", pdd.HalfTurn.unpack(rules, node.packed()), node)
        agree("parsed", pdd.parse_node(pdd.format_half_turn(node)), node)
        return
    agree("unpacked", pdd.GameState.unpack(rules, node.packed()), node)
    agree("parsed", pdd.parse_node(pdd.format_state(node)), node)
    agree("over", node.is_over, node.outcome is not None)
    agree("nothing to do", len(node.legal_actions) == 0, node.is_over)
