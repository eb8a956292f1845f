"""Reports as Abstract Play has them."""

from __future__ import annotations

import json
from typing import Any, cast

from support.paths import DATA

REPORTS = DATA / "abstract_play"

Report = dict[str, Any]


def new_report(*moves: str, results: tuple[object, object] = (0, 0)) -> Report:
    """Return a report as the site writes it, of a game of Ada, who began, and Bo."""
    return {
        "header": {
            "game": {"name": "Ponte del Diavolo", "variants": ["10x10 board"]},
            "site": {"name": "Abstract Play"},
            "date-start": "2026-05-17T19:02:11.512Z",
            "date-end": "2026-05-28T07:45:00.003Z",
            "date-generated": "2026-05-28T07:45:01.120Z",
            "players": [
                {"name": "Ada", "result": results[0]},
                {"name": "Bo", "result": results[1]},
            ],
        },
        "moves": [list(moves[place : place + 2]) for place in range(0, len(moves), 2)],
    }


def finished() -> Report:
    return cast("Report", json.loads((REPORTS / "pie-8x8.json").read_text("utf-8")))
