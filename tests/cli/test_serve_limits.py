"""``serve``: the longest side of boards, proxies, and odd files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pontedeldiavolo.web import routes
from support.commands import invoke, usage_error
from support.http_server import server, uvicorn


@pytest.mark.parametrize(
    ("options", "side", "proxies"),
    [
        ((), 26, set()),
        (("--most-side", "64"), 64, set()),
        (("--proxy", "192.0.2.1", "--proxy", "::2"), 26, {"192.0.2.1", "::2"}),
    ],
)
def test_limits_of_the_server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    side: int,
    proxies: set[str],
) -> None:
    made: list[dict[str, Any]] = []
    for module, name in ((routes, "Site"), (server, "ConnectionLimits")):
        kept = getattr(module, name)

        def noted(*args: Any, kept: Any = kept, **given: Any) -> Any:
            made.append(given)
            return kept(*args, **given)

        monkeypatch.setattr(module, name, noted)
    monkeypatch.setattr(uvicorn.Server, "run", lambda _self, sockets: bool(sockets))
    done = invoke("serve", "--port", "0", "--no-open", "--folder", tmp_path, *options)
    assert done.exit_code == 0
    assert made == [{"max_side": side}, {"proxies": proxies}]


@pytest.mark.parametrize("side", ["0", "65"])
def test_sides_that_no_board_has(side: str) -> None:
    assert "--most-side" in usage_error(invoke("serve", "--no-open", "--most-side", side))


def test_odd_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{'a' * 32}.pdd").mkdir()
    monkeypatch.setattr(uvicorn.Server, "run", lambda _self, sockets: bool(sockets))
    done = invoke("serve", "--port", "0", "--no-open", "--folder", tmp_path)
    assert done.exit_code == 0
    [line] = done.stderr.splitlines()
    assert line.startswith(
        f"Damaged, and left as it is: {tmp_path / ('a' * 32)}.pdd: it is no file"
    )
