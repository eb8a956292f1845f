"""The published schema of the documents."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import cast

from pontedeldiavolo.json.plain import JSON


def schema() -> dict[str, JSON]:
    """Return the JSON Schema (draft 2020-12) of all documents, a new one at each call.

    It says what a schema can say. What it takes for a document can still break a rule of the game,
    which :func:`~pontedeldiavolo.json.from_json` finds out.
    """
    text = files(__package__).joinpath("schema.json").read_text("utf-8")
    return cast(dict[str, JSON], json.loads(text))
