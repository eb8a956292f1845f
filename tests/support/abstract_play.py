"""Reports as Abstract Play has them, and what is read from them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.records import abstract_play
from support.paths import DATA

REPORTS = DATA / "abstract_play"
RULES = (
    pdd.presets.ABSTRACT_PLAY_8,
    pdd.presets.ABSTRACT_PLAY,
    pdd.presets.ABSTRACT_PLAY_12,
)
SCHEMA = json.loads((REPORTS / "report.schema.json").read_text("utf-8"))

Report = dict[str, Any]
Edit = Callable[[Report], object]


def new_report(*moves: str, results: tuple[object, object] = (0, 0)) -> Report:
    """Return a report as the site writes it, of a game of Ada, who began, and Bo."""
    rounds = [list(moves[place : place + 2]) for place in range(0, len(moves), 2)]
    players = [{"name": "Ada", "result": results[0]}, {"name": "Bo", "result": results[1]}]
    return {
        "header": {
            "game": {"name": "Ponte del Diavolo", "variants": ["10x10 board"]},
            "site": {"name": "Abstract Play"},
            "date-start": "2026-05-17T19:02:11.512Z",
            "date-end": "2026-05-28T07:45:00.003Z",
            "date-generated": "2026-05-28T07:45:01.120Z",
            "players": players,
        },
        "moves": rounds,
    }


def read(report: Report) -> pdd.Game:
    return abstract_play.loads(json.dumps(report))


def refused(text: str) -> pdd.RecordError:
    with pytest.raises(pdd.RecordError) as caught:
        abstract_play.loads(text)
    return caught.value


def finished() -> Report:
    return cast("Report", json.loads((REPORTS / "pie-8x8.json").read_text("utf-8")))
