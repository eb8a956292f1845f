"""Catalogues of messages whose templates may be any text."""

from __future__ import annotations

import re
from functools import partial

import pontedeldiavolo as pdd
from pontedeldiavolo import messages

from .agreement import as_text, attempt

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
