"""Cells, actions, steps, rules, states, half turns and set-ups as text, and back."""

from pontedeldiavolo.notation.actions import (
    format_action,
    format_cell,
    format_step,
    parse_action,
    parse_cell,
    parse_step,
)
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.notation.setups import format_setup, parse_setup
from pontedeldiavolo.notation.states import (
    format_half_turn,
    format_state,
    parse_half_turn,
    parse_node,
    parse_state,
)

__all__ = [
    "format_action",
    "format_cell",
    "format_half_turn",
    "format_rules",
    "format_setup",
    "format_state",
    "format_step",
    "parse_action",
    "parse_cell",
    "parse_half_turn",
    "parse_node",
    "parse_rules",
    "parse_setup",
    "parse_state",
    "parse_step",
]
