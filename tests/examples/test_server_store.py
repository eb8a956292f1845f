"""The example of a server keeps only what it can show, and reads what it keeps."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.site import SERVER, httpx

ENDLESS = "10x10 tiles=9999999999999999999999999 bridges=1 tiebreaks=none"
DENSE = "1. d4,g7 " + "(a1,b1)" * 4_000 + " *"
"""A text that becomes half as long again when it is written."""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setenv("PONTE_GAMES", str(tmp_path / "games.sqlite3"))
    return runpy.run_path(str(SERVER))


def asked(module: dict[str, Any], method: str, path: str, **options: Any) -> httpx.Response:
    """Ask the application without a server; its errors are those of the test."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(module["create_app"]())
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


def unshowable(_state: pdd.GameState, **_options: object) -> object:
    raise pdd.PonteError(pdd.Reason("json-surrogates", {}))


@pytest.mark.parametrize("is_shown", [True, False])
def test_what_cannot_be_shown_is_not_stored(
    module: dict[str, Any], monkeypatch: pytest.MonkeyPatch, *, is_shown: bool
) -> None:
    rules = ENDLESS
    if not is_shown:
        monkeypatch.setattr(pdd.json, "snapshot", unshowable)
        rules = "original"
    begun = asked(module, "POST", "/games", json={"rules": rules})
    assert begun.status_code == 400
    text = f'[Rules "{ENDLESS}"]\n\n1. d4,g7 *\n' if is_shown else "1. d4,g7 *\n"
    sent = asked(module, "POST", "/uploads", content=text)
    assert (sent.status_code, sent.json()["games"], len(sent.json()["errors"])) == (422, [], 1)


def test_a_stored_game_is_judged_once(module: dict[str, Any]) -> None:
    sent = asked(module, "POST", "/uploads", content=DENSE)
    [name] = sent.json()["games"]
    texts = {asked(module, "GET", f"/games/{name}/record").text for _ in range(3)}
    assert len(texts) == 1
    assert len(texts.pop()) > 1.4 * len(DENSE)
    assert module["judged"].cache_info().misses == 1


def test_a_record_may_be_longer_than_an_upload(module: dict[str, Any]) -> None:
    """What is read under the limits of an upload and written is read again."""
    small = pdd.Limits(side=26, games=100, characters=2_000)
    module["judged"].__wrapped__.__globals__["LIMITS"] = small
    sent = asked(module, "POST", "/uploads", content="1. d4,g7 " + "(a1,b1)" * 270 + " *")
    [name] = sent.json()["games"]
    record = asked(module, "GET", f"/games/{name}/record")
    assert (record.status_code, len(record.text) > 2_000) == (200, True)


def test_an_answer_lists_ten_faults(module: dict[str, Any]) -> None:
    violations = pdd.parse_setup("w x w").faults() * 11
    assert len(violations) > 10
    request = type("Request", (), {"query_params": {}})()
    assert len(module["explained"](violations, request)) == 10
