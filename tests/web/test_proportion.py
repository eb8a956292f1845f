"""Responses in proportion to their requests: sides of boards, and lists of faults."""

from __future__ import annotations

import json

import pytest

from pontedeldiavolo.web.routes import Site
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import Guest

SIDES = ("tiles=unlimited", "bridges=unlimited", "tiebreaks=none")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"rules": " ".join(("26x26", *SIDES))}, 201),
        ({"rules": " ".join(("27x1", *SIDES))}, 422),
        ({"rules": " ".join(("1x27", *SIDES))}, 422),
        ({"rules": "original", "start": f"{'. ' * 26}."}, 422),
        ({"rules": "original", "start": "\n".join([". ."] * 27)}, 422),
    ],
)
def test_a_site_has_a_longest_side(fields: dict[str, str], status: int) -> None:
    site = Site(MemoryStore(), max_side=26)
    said = Guest(site).begin(status, **fields)
    if status != 201:
        assert (said["code"], said["error"]) == (
            "side-too-long",
            "A side has at most 26 cells here.",
        )
        german = Guest(site, query={"lang": "de"}).begin(status, **fields)["error"]
        assert german == "Eine Seite hat hier höchstens 26 Felder."


def test_an_error_lists_ten_faults() -> None:
    """All bridges of a state are without tiles."""
    ends = (
        (f"{x}{y}", f"{z}{y}")
        for x, z in zip("abcdefgh", "cdefghij", strict=True)
        for y in range(1, 27)
    )
    start = (
        f"26x26 {' '.join(SIDES)} rows={'/'.join(['26'] * 26)}"
        f" built={','.join('-'.join(each) for each in ends)} phase=play to-move=white white=first"
    )
    body = {"rules": "original", "start": start}
    said = Guest().begin(422, **body)
    assert said["code"] == "invalid-position"
    assert len(said["violations"]) == 10
    assert said["error"].startswith(" ".join(each["text"] for each in said["violations"]))
    assert said["error"].endswith("And at least 90 more.")
    assert len(json.dumps(said)) < 4 * len(json.dumps(body))
    assert Guest(query={"lang": "de"}).begin(422, **body)["error"].endswith(" weitere.")
    few = Guest().begin(422, rules="original", start="w x w")
    assert (len(few["violations"]), few["error"]) == (1, "Already taken by a tile: b1.")
