"""``serve``: its messages, its addresses, and its end."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from click.testing import Result

from pontedeldiavolo.base.install import install_command
from pontedeldiavolo.cli import serve as module
from pontedeldiavolo.cli.messages import message
from pontedeldiavolo.web import folder
from pontedeldiavolo.web.thinkers import Thinkers
from support.commands import invoke, refusal
from support.http_client import SMALL
from support.http_server import PATIENCE, app, asked_of, connected, httpx, server, started, uvicorn
from support.waiting import assert_soon


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the addresses that the command opened in a browser."""
    addresses: list[str] = []

    def open_page(address: str) -> bool:
        addresses.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", open_page)
    return addresses


@contextmanager
def ending(monkeypatch: pytest.MonkeyPatch, how: type[BaseException] | None) -> Iterator[None]:
    """Make the next server end as soon as it has started."""

    async def main_loop(self: uvicorn.Server) -> None:
        assert self.started

    def interrupted(_self: uvicorn.Server, sockets: object = None) -> None:
        assert sockets
        assert how is not None
        raise how

    name, instead = ("main_loop", main_loop) if how is None else ("run", interrupted)
    with monkeypatch.context() as patched:
        patched.setattr(uvicorn.Server, name, instead)
        yield


def serve(monkeypatch: pytest.MonkeyPatch, *options: str | Path) -> Result:
    """Run the command, whose server ends as soon as it has started."""
    with ending(monkeypatch, None):
        done = invoke("serve", "--port", "0", "--no-open", *options)
    assert done.exit_code == 0
    return done


@pytest.mark.parametrize("how", [None, KeyboardInterrupt])
def test_serve_prints_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str], how: Any
) -> None:
    folder = tmp_path / "my games"
    with ending(monkeypatch, how):
        done = invoke("serve", "--port", "0", "--folder", folder)
    assert (done.exit_code, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first.startswith("Ponte del Diavolo is at http://127.0.0.1:")
    # A browser would show an error if the server had not started.
    address = first.removeprefix("Ponte del Diavolo is at ")
    assert_soon(lambda: opened == ([address] if how is None else []))
    assert second == f"The games are in {folder}. Ctrl-C ends the server."
    assert folder.is_dir()


def test_games_are_kept_with_data_of_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "user_data_path", lambda name, **_: tmp_path / name)
    done = serve(monkeypatch)
    folder = tmp_path / "pontedeldiavolo" / "games"
    assert done.stdout.endswith(f"The games are in {folder}. Ctrl-C ends the server.\n")
    monkeypatch.setitem(sys.modules, "pontedeldiavolo.web.http.server", None)
    assert refusal(invoke("serve", "--no-open"), 2) == message(
        "no-web", command=install_command("web")
    )


def test_a_browser_that_waits_for_the_server_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser in the terminal returns only when its user leaves it."""
    shown: list[int] = []
    is_shown = Event()

    def open_page(address: str) -> bool:
        shown.append(httpx.get(address, timeout=PATIENCE).status_code)
        is_shown.set()
        return True

    async def until_shown(_self: uvicorn.Server) -> None:
        assert await asyncio.to_thread(is_shown.wait, PATIENCE)

    monkeypatch.setattr(webbrowser, "open", open_page)
    monkeypatch.setattr(uvicorn.Server, "main_loop", until_shown)
    assert invoke("serve", "--port", "0", "--folder", tmp_path).exit_code == 0
    assert shown == [200]


@pytest.mark.parametrize("how", [False, webbrowser.Error("no browser"), OSError("no program")])
def test_without_a_browser_the_address_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: object
) -> None:
    tried = Event()

    def open_page(_address: str) -> bool:
        tried.set()
        if isinstance(how, Exception):
            raise how
        return False

    async def until_told(_self: uvicorn.Server) -> None:
        assert await asyncio.to_thread(tried.wait, PATIENCE)
        for thread in threading.enumerate():
            if thread.name == "browser":
                await asyncio.to_thread(thread.join, PATIENCE)

    monkeypatch.setattr(webbrowser, "open", open_page)
    monkeypatch.setattr(uvicorn.Server, "main_loop", until_told)
    done = invoke("serve", "--port", "0", "--folder", tmp_path)
    address = done.stdout.splitlines()[0].removeprefix("Ponte del Diavolo is at ")
    assert done.stderr == f"No browser could be opened. Open {address} yourself.\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a program with a shebang")
def test_a_browser_in_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program takes the place of w3m: it fetches the page, and runs until its user leaves it."""
    browser = tmp_path / "w3m"
    seen = tmp_path / "seen"
    browser.write_text(
        f"#!{sys.executable}\n"
        "import os, pathlib, sys, time, urllib.request\n"
        "server = os.getppid()\n"
        "with urllib.request.urlopen(sys.argv[1], timeout=60) as page:\n"
        f"    pathlib.Path({str(seen)!r}).write_bytes(page.read())\n"
        "while os.getppid() == server:\n"
        "    time.sleep(0.1)\n",
        "utf-8",
    )
    browser.chmod(0o700)
    monkeypatch.setenv("BROWSER", f"{browser} %s")
    with started(tmp_path / "games", opens=True) as (address, process):
        assert_soon(seen.exists)
        assert httpx.get(address, timeout=PATIENCE).status_code == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) in (0, -signal.SIGINT)


def has_ipv6() -> bool:
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="needs IPv6")
def test_no_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]) -> None:
    done = serve(monkeypatch, "--host", "::1", "--folder", tmp_path)
    assert done.stdout.startswith("Ponte del Diavolo is at http://[::1]:")
    assert opened == []


@pytest.mark.parametrize(
    ("found", "line"),
    [
        ("192.0.2.7", "Others in your network: http://192.0.2.7:"),
        ("127.0.0.1", message("others")),
        (None, message("others")),
    ],
)
def test_others_are_given_an_address_that_they_can_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str | None, line: str
) -> None:
    # A socket that reports its own address.
    probe = MagicMock(side_effect=OSError if found is None else None)
    probe.return_value.__enter__.return_value.getsockname.return_value = (found, 1)
    monkeypatch.setattr(module, "socket", SimpleNamespace(**{**vars(socket), "socket": probe}))
    done = serve(monkeypatch, "--expose", "--host", "0.0.0.0", "--folder", tmp_path)  # noqa: S104 - the server ends as it starts
    assert done.stderr == f"{message('everybody')}\n"
    first, second = done.stdout.splitlines()[:2]
    assert first.startswith("Ponte del Diavolo is at http://127.0.0.1:")
    assert second.startswith(line)


@pytest.mark.parametrize("host", ["127.1", "127.0.1", "0x7f.1", "0177.0.0.1"])
def test_loopback_in_a_short_form_is_not_exposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    done = serve(monkeypatch, "--host", host, "--folder", tmp_path)
    assert done.stdout.startswith("Ponte del Diavolo is at http://127.0.0.1:")
    assert done.stderr == ""


@pytest.mark.parametrize("host", ["0", "0.0", "127", "10.1", "128.1"])
def test_other_addresses_in_a_short_form_are_exposed(host: str) -> None:
    assert "--expose" in invoke("serve", "--no-open", "--host", host).stderr


@pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "::1", "::ffff:127.0.0.1"])
def test_this_machine_needs_no_permission_in_any_spelling(host: str) -> None:
    assert module._is_loopback(host)
    for other in ("example.org", "0.0.0.0", "::", "::ffff:192.0.2.1", "2001:db8::1"):  # noqa: S104 - nothing listens
        assert not module._is_loopback(other)


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = invoke("serve", "--port", str(port), "--no-open", "--folder", tmp_path)
    assert refusal(done, 2).startswith(f"127.0.0.1, port {port}: ")


def test_a_folder_without_a_lock_is_refused(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / ".lock").write_text("no lock at all" * 100, "utf-8")
    done = invoke("serve", "--no-open", "--folder", tmp_path / "games")
    assert "cannot be locked" in refusal(done, 2)


def no_home(_name: str, **_: object) -> Path:
    raise RuntimeError


@pytest.mark.parametrize("find", [no_home, lambda _name, **_: Path("~/.local/share")])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_user_without_a_home_names_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, find: Callable[..., Path], language: str
) -> None:
    """Services often run as users without a home folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(server, "user_data_path", find)
    done = invoke("serve", "--no-open", "--lang", language)
    assert done.exit_code == 2
    [said] = done.stderr.splitlines()
    assert "--folder" in said
    assert ("home folder" if language == "en" else "Benutzerordner") in said
    assert [*tmp_path.iterdir()] == []


def test_a_default_folder_that_cannot_be_used_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", "utf-8")
    monkeypatch.setattr(server, "user_data_path", lambda _name, **_: tmp_path / "file")
    said = refusal(invoke("serve", "--no-open"), 2)
    assert said.startswith(f"{tmp_path / 'file' / 'games'}: ")
    assert said.endswith("; name another folder with --folder")
    said = refusal(invoke("serve", "--no-open", "--folder", tmp_path / "file" / "games"), 2)
    assert "--folder" not in said


def test_a_folder_in_which_nothing_can_be_created_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock file of the folder exists and can be locked."""
    serve(monkeypatch, "--folder", tmp_path)
    opened = os.open

    def refuse(path: Any, flags: int, *more: Any, **others: Any) -> int:
        if flags & os.O_CREAT and Path(path).parent == tmp_path:
            raise OSError(30, "Read-only file system")
        return opened(path, flags, *more, **others)

    monkeypatch.setattr(os, "open", refuse)
    said = refusal(invoke("serve", "--no-open", "--folder", tmp_path), 2)
    assert said.endswith("no file can be created there: Read-only file system")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals as POSIX has them")
def test_clocks_go_on_after_the_server_has_been_stopped(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    left = 300.0
    fields = {"rules": SMALL, "seat": "both", "time_control": "300+0"}
    with started(folder) as (address, process):
        begun = httpx.post(f"{address}/games", json=fields, timeout=PATIENCE).json()
        path = f"/games/{begun['id']}"
        headers = {"Authorization": f"Bearer {begun['token']}"}
        played = {"version": 1, "action": "a1,b1"}
        url = f"{address}{path}/actions"
        httpx.post(url, json=played, headers=headers, timeout=PATIENCE).raise_for_status()
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    for _ in range(2):
        time.sleep(1)
        with started(folder) as (address, process):
            now = httpx.get(f"{address}{path}", timeout=PATIENCE).json()["seconds_left"]["second"]
            assert left - PATIENCE < now <= left - 1
            left = now
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


@pytest.mark.parametrize(
    ("line", "most", "side", "proxies"),
    [
        ("", 10_000, 26, set()),
        ("--max-games 7 --max-side 64", 7, 64, set()),
        ("--proxy 192.0.2.1 --proxy ::0002 --thinkers 2", 10_000, 26, {"192.0.2.1", "::2"}),
    ],
)
def test_limits_of_the_server(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    most: int,
    side: int,
    proxies: set[str],
) -> None:
    made: list[dict[str, Any]] = []

    def noted(kind: Callable[..., Any], *args: Any, **given: Any) -> Any:
        made.append(given)
        return kind(*args, **given)

    for place, name in ((folder, "FolderStore"), (module, "Site"), (server, "ConnectionLimits")):
        monkeypatch.setattr(place, name, partial(noted, getattr(place, name)))
    serve(monkeypatch, "--folder", tmp_path, *line.split())
    assert isinstance(made[1].pop("thinkers"), Thinkers)
    assert made == [{"max_games": most}, {"max_side": side}, {"proxies": proxies}]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("", 421),
        ("--allow-host Games.Example", 200),
        ("--allow-host *.games.example --allow-host *.example", 200),
    ],
)
def test_names_that_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, status: int
) -> None:
    made: list[Any] = []
    create_server = server.create_server

    def noted(asgi: Any, limits: Any) -> Any:
        made.append(asgi)
        return create_server(asgi, limits)

    monkeypatch.setattr(server, "create_server", noted)
    serve(monkeypatch, "--folder", tmp_path, *line.split())
    headers = {"Host": "games.example:8000"}
    assert asked_of(made[0], "/words", headers=headers).status_code == status


@pytest.mark.parametrize("is_exposed", [False, True])
def test_only_strangers_have_a_share_of_the_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_exposed: bool
) -> None:
    """A server that only this machine can reach limits nobody."""
    made: list[Any] = []
    create_app = app.create_app

    def noted(site: Any, **options: Any) -> Any:
        made.append(create_app(site, **options))
        return made[-1]

    monkeypatch.setattr(app, "create_app", noted)
    options = ["--expose"] if is_exposed else []
    serve(monkeypatch, "--folder", tmp_path, "--max-games", "3", *options)
    begun = [
        asked_of(made[0], "/games", "POST", json={"rules": SMALL}).status_code for _ in range(3)
    ]
    assert begun == ([201, 201, 403] if is_exposed else [201] * 3)


def test_damage_and_odd_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"{'0' * 32}.pdd"
    odd = tmp_path / f"{'a' * 32}.pdd"
    path.write_text("1. a1,a1", "utf-8")
    odd.mkdir()
    done = serve(monkeypatch, "--folder", tmp_path)
    first, second = sorted(done.stderr.splitlines())
    assert first.startswith(f"Damaged, and left as it is: {path}: game 1, line 1")
    assert second.startswith(f"Damaged, and left as it is: {odd}: it is not a file")
    assert path.read_text("utf-8") == "1. a1,a1"


@pytest.mark.parametrize("missing", ["uvicorn", "starlette.applications"])
def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    for name in ("app", "server"):
        monkeypatch.delitem(sys.modules, f"pontedeldiavolo.web.http.{name}", raising=False)
    done = invoke("serve", "--port", "0", "--no-open", "--folder", tmp_path)
    assert refusal(done, 2) == f"serve needs more: {install_command('web')}"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs signals as POSIX has them")
def test_games_outlive_the_process_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    with started(folder) as (address, process):
        begun = httpx.post(f"{address}/games", json={"rules": SMALL}, timeout=PATIENCE).json()
        path = f"/games/{begun['id']}"
        with connected(address) as waiting:
            # Two requests are sent together: the server has both when it answers the first.
            targets = ("/words", f"{path}?after=1")
            asked = [f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n" for target in targets]
            waiting.sendall("".join(asked).encode())
            assert waiting.recv(65_536).startswith(b"HTTP/1.1 200 ")
            process.send_signal(signal.SIGINT)
            # The request would wait for news for twenty seconds.
            assert process.wait(10) in (0, -signal.SIGINT)
    with started(folder) as (address, process):
        headers = {"Authorization": f"Bearer {begun['token']}"}
        shown = httpx.get(f"{address}{path}", headers=headers, timeout=PATIENCE).json()
        # Nobody has the page open, and a token is told once.
        passing = ("token", "present", "people_stamp")
        for each in (shown, begun):
            for name in passing:
                each.pop(name, None)
        assert shown == begun
        process.kill()
