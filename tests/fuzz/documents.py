"""Documents of JSON, catalogues of messages, and the command that validates files."""

from __future__ import annotations

import json as standard
import re
from functools import partial

from click.testing import CliRunner

import pontedeldiavolo as pdd
from pontedeldiavolo import json, messages, records
from pontedeldiavolo.cli.main import main

from .agreement import agree, as_text, attempt

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


# Catalogues

_WIDE = re.compile(r"[0-9]{4}")
"""A template may ask for fields of any width: its author wanted it so."""

BRIDGE = pdd.Bridge(pdd.Cell(0, 0), pdd.Cell(2, 0))
VIOLATIONS = (
    pdd.Violation(pdd.Rule.OCCUPIED, cells=(pdd.Cell(1, 1),), bridges=(BRIDGE,)),
    pdd.Violation(pdd.Rule.OFF_BOARD, values={"width": 10, "height": 10}),
    pdd.Violation(pdd.Rule.GROUP_TOO_LARGE, values={"size": 5, "limit": 4}),
    pdd.Violation(pdd.Rule.ISLAND_TOUCHED, values={"island": "a1", "touching": ""}),
)
OUTCOMES = (
    pdd.Outcome(
        pdd.Color.WHITE,
        pdd.Seat.FIRST,
        pdd.DecidedBy.POINTS,
        pdd.Score(10, 2, 1),
        pdd.Score(3, 1, 0),
    ),
    pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, pdd.Score(3, 1, 0), pdd.Score(3, 1, 0)),
)


def check_catalog(data: bytes) -> None:
    """Check a text as the template of every sentence."""
    template = as_text(data)
    if _WIDE.search(template):
        return
    catalog = dict.fromkeys(messages.ENGLISH, template)
    for violation in VIOLATIONS:
        attempt(partial(messages.explain, violation, catalog))
    for outcome in OUTCOMES:
        attempt(partial(messages.result, outcome, catalog))


# The command


def check_command(data: bytes) -> None:
    """Check that the exit status of ``validate`` says what a reader of the same bytes finds."""
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
