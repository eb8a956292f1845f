"""Keys, numbers and codes that others may have stored: they are the same in every version.

The values in ``tests/data/stored.json`` and ``tests/data/error_codes.txt`` never change. New ones
are added.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.language_files import tables_of
from support.paths import DATA

STORED = json.loads((DATA / "stored.json").read_text("utf-8"))


@pytest.mark.parametrize("row", STORED["nodes"], ids=lambda row: row["text"][:12])
def test_stored_keys_of_states(row: dict[str, str]) -> None:
    node = pdd.parse_node(row["text"])
    write = pdd.format_half_turn if isinstance(node, pdd.HalfTurn) else pdd.format_state
    assert write(node) == row["text"]  # type: ignore[arg-type]  # each takes its own kind
    assert node.packed().hex() == row["packed"]
    assert node.canonical_packed().hex() == row["canonical"]
    assert node.packed(owners=False).hex() == row["without_owners"]
    assert type(node).unpack(node.rules, bytes.fromhex(row["packed"])) == node


@pytest.mark.parametrize("row", STORED["spaces"], ids=lambda row: f"{row['kind']}-{row['size']}")
def test_stored_numbers_of_actions_and_steps(row: dict[str, Any]) -> None:
    board = pdd.Board(*row["board"])
    texts: list[str]
    if row["kind"] == "actions":
        actions = pdd.ActionSpace(board)
        texts = [pdd.format_action(actions.decode(code)) for code in range(len(actions))]
    else:
        steps = pdd.StepSpace(board)
        texts = [pdd.format_step(steps.decode(code)) for code in range(len(steps))]
    assert len(texts) == row["size"]
    assert hashlib.sha256("\n".join(texts).encode()).hexdigest() == row["sha256"]


def test_stored_codes_of_errors_still_exist() -> None:
    stored = (DATA / "error_codes.txt").read_text("utf-8").split()
    assert set(stored) <= {*tables_of("en")["errors"]}
