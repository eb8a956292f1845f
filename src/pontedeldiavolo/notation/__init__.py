"""Cells, actions, rules, states and set-ups as text, and back."""

from pontedeldiavolo.notation.actions import format_action, parse_action
from pontedeldiavolo.notation.cells import format_cell, parse_cell
from pontedeldiavolo.notation.rules import format_rules, parse_rules
from pontedeldiavolo.notation.setups import format_setup, parse_setup
from pontedeldiavolo.notation.states import format_state, parse_state

__all__ = [
    "format_action",
    "format_cell",
    "format_rules",
    "format_setup",
    "format_state",
    "parse_action",
    "parse_cell",
    "parse_rules",
    "parse_setup",
    "parse_state",
]
