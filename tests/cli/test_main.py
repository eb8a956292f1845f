"""The command line as a whole, and its colours."""

from __future__ import annotations

import pontedeldiavolo as pdd
from pontedeldiavolo.cli.errors import printable
from support.commands import TERMINAL, invoke, lines_of
from support.diagrams import state_of

# The whole


def test_without_a_command_it_helps() -> None:
    lines = lines_of(invoke())
    assert lines[0].startswith("Usage: ")
    for name in (
        "analyse",
        "match",
        "moves",
        "perft",
        "play",
        "render",
        "replay",
        "show",
        "validate",
    ):
        assert any(line.strip().startswith(name) for line in lines)
        assert invoke(name, "--help").exit_code == 0
    assert all(any(name in line for line in lines) for name in pdd.presets.names())
    assert lines == lines_of(invoke("-h"))


def test_version() -> None:
    assert lines_of(invoke("--version"))[0].endswith(f"version {pdd.__version__}")


def test_names_from_outside_are_printed_without_harm() -> None:
    assert printable("Zoë \u202e\x1b[31m\n\udcff") == r"Zoë \u202e\x1b[31m\n\udcff"


# Colours


def test_colours_are_for_terminals() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    assert "\x1b" not in invoke("show", state).stdout
    colored = invoke("show", state, env=TERMINAL).stdout
    assert "\x1b[" in colored
    # Land has its own ground there, and no shades.
    assert "░" not in colored
    assert "□" in colored


def test_colours_can_be_switched_off() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    result = invoke("show", state, env={**TERMINAL, "NO_COLOR": "1"})
    assert "░□░░░□░░░□░░░□░" in result.stdout
    # Bold and dim may stay; no colour of ink or ground does.
    codes = {code for part in result.stdout.split("\x1b[")[1:] for code in [part.split("m")[0]]}
    assert codes <= {"0", "1", "2"}


def test_terminals_with_few_colours_get_few() -> None:
    state = pdd.format_state(state_of("w w w w . r"))
    few = invoke("show", state, env={**TERMINAL, "TERM": "xterm", "COLORTERM": ""}).stdout
    many = invoke("show", state, env=TERMINAL).stdout
    assert "38;5;" not in few
    assert "48;5;" in many
