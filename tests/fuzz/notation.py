"""Check parsers of notation and documents: values survive being written and read again."""

from __future__ import annotations

import json as standard
import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from click.testing import CliRunner

import pontedeldiavolo as pdd
from pontedeldiavolo import json, messages, presets, records
from pontedeldiavolo.cli.main import main

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
"""The first byte of a packed input selects the rules; never change the order."""


def check_text(parse: Callable[[str], T], write: Callable[[T], str], data: bytes) -> T | None:
    """Check a text, and return its value; ``None`` if it is refused."""
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
    """Check a text as an action, and as a step if both have the same text."""
    action = check_text(pdd.parse_action, pdd.format_action, data)
    if isinstance(action, pdd.BuildBridge | pdd.ChooseColor | pdd.Pass):
        agree("as a step", attempt(lambda: pdd.parse_step(as_text(data))), action)


def check_step(data: bytes) -> None:
    """Check a text as a step, and as a cell or an action if it is one."""
    text = as_text(data)
    step = check_text(pdd.parse_step, pdd.format_action, data)
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
    """Check a text as a state or a half turn, which is not a state."""
    node = check_text(pdd.parse_node, pdd.format_state, data)
    state = attempt(lambda: pdd.parse_state(as_text(data)))
    if isinstance(node, pdd.GameState):
        agree("as a state", state, node)
    else:
        agree("not a state", isinstance(state, pdd.PonteError), expected=True)


def check_packed(data: bytes) -> None:
    """Check bytes as a state and as a half turn, under the rules that the first byte names."""
    rules = RULES[(data[0] if data else 0) % len(RULES)]
    packed = data[1:]
    state = attempt(lambda: pdd.GameState.unpack(rules, packed))
    half = attempt(lambda: pdd.HalfTurn.unpack(rules, packed))
    nodes = [each for each in (state, half) if not isinstance(each, pdd.PonteError)]
    agree("at most one of the two", len(nodes) <= 1, expected=True)
    for node in nodes:
        # Appended zeros are allowed, and a number may end in one.
        agree("packed", node.packed().rstrip(b"\0"), packed.rstrip(b"\0"))
        check_node(node)


def check_node(node: pdd.Node) -> None:
    """Check that a state or half turn survives as text and as bytes."""
    rules = node.rules
    agree("parsed", pdd.parse_node(pdd.format_state(node)), node)
    if isinstance(node, pdd.HalfTurn):
        agree("unpacked", pdd.HalfTurn.unpack(rules, node.packed()), node)
        return
    agree("unpacked", pdd.GameState.unpack(rules, node.packed()), node)
    agree("over", node.is_over, node.outcome is not None)
    agree("nothing to do", len(node.legal_actions) == 0, node.is_over)


SMALL = pdd.Limits(side=10, characters=1_500, depth=1)


def check_document(data: bytes) -> None:
    """Check a text as a document of any kind of value."""
    text = as_text(data)
    value = attempt(lambda: json.loads(text))
    small = attempt(lambda: json.loads(text, limits=SMALL))
    if isinstance(value, pdd.PonteError):
        agree("the class of the error", type(value), json.JsonError)
        agree("refused within limits", isinstance(small, pdd.PonteError), expected=True)
        return
    if not isinstance(small, pdd.PonteError):
        agree("read within limits", small, value)
        agree("the length of the text", len(text) <= 1_500, expected=True)
    agree("as data", json.from_json(standard.loads(text)), value)
    agree("of its class", json.loads(text, type(value)), value)
    written = json.dumps(value)
    agree("written and read", json.loads(written), value)
    agree("written again", json.dumps(json.loads(written)), written)
    agree("with indents", json.loads(json.dumps(value, 2)), value)


_WIDE = re.compile(r"[0-9]{4}")
"""Wide fields of a template are the intention of its author, so they are not checked."""

BRIDGE = pdd.Bridge(pdd.Cell(0, 0), pdd.Cell(2, 0))
VIOLATIONS = (
    pdd.Violation(pdd.ViolationCode.OCCUPIED, cells=(pdd.Cell(1, 1),), bridges=(BRIDGE,)),
    pdd.Violation(pdd.ViolationCode.OFF_BOARD, values={"width": 10, "height": 10}),
    pdd.Violation(pdd.ViolationCode.GROUP_TOO_LARGE, values={"size": 5, "limit": 4}),
    pdd.Violation(pdd.ViolationCode.ISLAND_TOUCHED, values={"island": "a1", "touching": ""}),
)
MANY = pdd.Score(10, 2, 1)
FEW = pdd.Score(3, 1, 0)
BY_POINTS = pdd.DecidedBy.POINTS
OUTCOMES = (
    pdd.Outcome(pdd.Color.WHITE, pdd.Seat.FIRST, BY_POINTS, MANY, FEW),
    pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, FEW, FEW),
)


def check_catalog(data: bytes) -> None:
    """Check a text as the template of every sentence."""
    template = as_text(data)
    if _WIDE.search(template):
        return
    catalog = dict.fromkeys(messages.LANGUAGES["en"], template)
    for violation in VIOLATIONS:
        attempt(partial(messages.explain, violation, catalog))
    for outcome in OUTCOMES:
        attempt(partial(messages.result, outcome, catalog))


def check_command(data: bytes) -> None:
    """Check that the exit status of ``validate`` agrees with a reader of the same bytes."""
    run = CliRunner().invoke(main, ["validate", "-q", "-"], input=data, catch_exceptions=False)
    try:
        results = list(records.read(data, limits=pdd.Limits(errors=None)))
    except UnicodeDecodeError:
        agree("the status of other bytes than text", run.exit_code, 2)
        return
    faults = sum(isinstance(each, pdd.RecordError) for each in results) or not results
    agree("the exit status", run.exit_code, 1 if faults else 0)
    told = [line for line in run.stdout.splitlines() if line.startswith("standard input:")]
    agree("how many faults are told", len(told), int(faults))
