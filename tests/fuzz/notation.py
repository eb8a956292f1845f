"""Parsers of notation: what they read is written, and read again the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pontedeldiavolo as pdd

from .agreement import agree, as_text, attempt

T = TypeVar("T")


def check_cell(data: bytes) -> None:
    """Check a text as a cell."""
    _read(pdd.parse_cell, pdd.format_cell, as_text(data))


def check_action(data: bytes) -> None:
    """Check a text as an action, and as a step if the two are alike."""
    text = as_text(data)
    action = _read(pdd.parse_action, pdd.format_action, text)
    if isinstance(action, pdd.BuildBridge | pdd.ChooseColor | pdd.Pass):
        agree("as a step", attempt(lambda: pdd.parse_step(text)), action)


def check_step(data: bytes) -> None:
    """Check a text as a step, and as a cell or an action if it is one."""
    text = as_text(data)
    step = _read(pdd.parse_step, pdd.format_step, text)
    if isinstance(step, pdd.PlaceTile):
        agree("as a cell", attempt(lambda: pdd.parse_cell(text)), step.cell)
    elif step is not None:
        agree("as an action", attempt(lambda: pdd.parse_action(text)), step)


def check_rules(data: bytes) -> None:
    """Check a text as rules."""
    _read(pdd.parse_rules, pdd.format_rules, as_text(data))


def check_setup(data: bytes) -> None:
    """Check a text as a set-up, and what is found wrong with it."""
    setup = _read(pdd.parse_setup, pdd.format_setup, as_text(data))
    if setup is None:
        return
    position = attempt(setup.position)
    if isinstance(position, pdd.Position):
        agree("a position's set-up", position.setup().position(), position)


def check_state(data: bytes) -> None:
    """Check a text as a state."""
    state = _read(pdd.parse_state, pdd.format_state, as_text(data))
    if state is not None:
        check_node(state)


def check_half_turn(data: bytes) -> None:
    """Check a text as a half turn."""
    half = _read(pdd.parse_half_turn, pdd.format_half_turn, as_text(data))
    if half is not None:
        check_node(half)


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
        agree("the node", node, half if isinstance(node, pdd.HalfTurn) else state)
        other = state if isinstance(node, pdd.HalfTurn) else half
        agree("of one kind only", isinstance(other, pdd.PonteError), expected=True)
        check_node(node)


def check_node(node: pdd.Node) -> None:
    """Check that a state or half turn survives as text and as bytes, and can be asked."""
    rules = node.rules
    if isinstance(node, pdd.HalfTurn):
        agree("unpacked", pdd.HalfTurn.unpack(rules, node.packed()), node)
        agree("parsed", pdd.parse_node(pdd.format_half_turn(node)), node)
        return
    agree("unpacked", pdd.GameState.unpack(rules, node.packed()), node)
    agree("parsed", pdd.parse_node(pdd.format_state(node)), node)
    agree("over", node.is_over, node.outcome is not None)
    agree("nothing to do", len(node.legal_actions) == 0, node.is_over)


def _read(parse: Callable[[str], T], write: Callable[[T], str], text: str) -> T | None:
    """Return what a text says, ``None`` if it is refused."""
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
    return value
