"""Hashes and planes that others may have stored: hashes never change, planes with their version."""

from __future__ import annotations

import hashlib
import json

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from support.paths import DATA

STORED = json.loads((DATA / "stored.json").read_text("utf-8"))


@pytest.mark.parametrize("row", STORED["nodes"], ids=lambda row: row["text"][:12])
def test_stored_hashes(row: dict[str, str]) -> None:
    node = pdd.parse_node(row["text"])
    (found,) = batch.GameBatch.from_states([node]).hashes()
    assert f"{found:016x}" == row["hash"]


@pytest.mark.parametrize("row", STORED["nodes"], ids=lambda row: row["text"][:12])
def test_stored_planes_of_this_version(row: dict[str, str]) -> None:
    assert STORED["planes_version"] == batch.PLANES_VERSION
    planes = batch.planes(pdd.parse_node(row["text"]))
    assert hashlib.sha256(planes.tobytes()).hexdigest() == row["planes"]
