"""``serve``: a page to play on in a browser."""

from __future__ import annotations

import ipaddress
import socket
import webbrowser
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.cli.errors import Unreadable, file_errors, printable
from pontedeldiavolo.web import routes, thinkers
from pontedeldiavolo.web.requests import SiteError

if TYPE_CHECKING:
    import uvicorn

    from pontedeldiavolo.web.folder import FolderStore

MISSING: Final = "serve needs more: pip install 'pontedeldiavolo[web]'"
MAX_GAMES: Final = 10_000
"""The most games that are kept by default: some tens of megabytes."""
MAX_SIDE: Final = 26
"""The longest side of a board by default: views of larger ones have up to a megabyte."""
WARNING: Final = (
    "Warning: everybody in the network can reach this server, and nothing is encrypted."
)

UNKNOWN: Final = "Others in your network reach it at the IP address of this machine."


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="The port to listen at, 0 for any that is free.",
)
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder of the games, one record each; by default one for the data of the user.",
)
@click.option(
    "--most-games",
    "most",
    type=click.IntRange(1),
    metavar="N",
    default=MAX_GAMES,
    show_default=True,
    help="The most games in DIR; then no new ones can be started.",
)
@click.option(
    "--most-side",
    type=click.IntRange(1, Board.MAX_SIDE),
    metavar="N",
    default=MAX_SIDE,
    show_default=True,
    help="The longest side of the board of a new game.",
)
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="An address that may have any number of connections; others may have 32.",
)
@click.option(
    "--thinkers",
    type=click.IntRange(1, 64),
    metavar="N",
    default=1,
    show_default=True,
    help="The number of games for which players of this library think at a time.",
)
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser.")
@click.option("--expose", is_flag=True, help="Listen at an address that others can reach.")
def serve(
    *,
    host: str,
    port: int,
    folder: Path | None,
    most: int,
    most_side: int,
    proxies: tuple[str, ...],
    thinkers: int,
    opens: bool,
    expose: bool,
) -> None:
    """Serve a page to play on in a browser.

    Two people play in one window or in two, or one against a player of this library. Games are
    kept, and go on after a restart. Ctrl-C ends the server. It needs the extra web.
    """
    if not (expose or _is_loopback(host)):
        raise click.BadParameter(
            "others could reach this address; --expose allows it", param_hint="--host"
        )
    folder = folder or _default_folder()
    store = _store(folder, most)
    server = _server(store, most_side, host, frozenset(proxies), thinkers)
    listening = _listening(host, port)
    if not _is_loopback(host):
        click.echo(WARNING, err=True)
    address = _announced(host, listening.getsockname()[1])
    click.echo(f"The games are in {printable(str(folder))}. Ctrl-C ends the server.")
    if opens:
        webbrowser.open(address)
    with listening:
        try:
            server.run(sockets=[listening])
        except KeyboardInterrupt:
            # This is how it is meant to end.
            return


def _address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a host is; ``None`` for a name."""
    with suppress(ValueError):
        return ipaddress.ip_address(host)
    return None


def _is_loopback(host: str) -> bool:
    address = _address_of(host)
    return host == "localhost" if address is None else address.is_loopback


def _announced(host: str, port: int) -> str:
    """Say at which addresses the page is, and return the one to open.

    The page shows a link for the other player, to whom a loopback address is no use.
    """
    is_every = _is_unspecified(host)
    address = _url(_loopback_of(host) if is_every else host, port)
    click.echo(f"Ponte del Diavolo is at {address}")
    if not is_every:
        return address
    found = _address_in_network(host)
    if found is None:
        click.echo(UNKNOWN)
        return address
    others = _url(found, port)
    click.echo(f"Others in your network: {others}")
    return others


def _is_unspecified(host: str) -> bool:
    """Tell whether a host stands for all addresses of this machine."""
    address = _address_of(host)
    return address is not None and address.is_unspecified


def _loopback_of(host: str) -> str:
    return "::1" if ":" in host else "127.0.0.1"


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _address_in_network(host: str) -> str | None:
    """Return the address from which this machine would speak to others, without speaking.

    Connecting a datagram socket sends nothing. The other end is an address for documentation.
    """
    family, other = (
        (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    )
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((other, 9))
            found = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if _is_loopback(found) or _is_unspecified(found) else found


def _default_folder() -> Path:
    try:
        module = import_module("pontedeldiavolo.web.http.server")
    except ImportError as error:
        raise Unreadable(MISSING) from error
    return cast(Path, module.default_folder())


def _store(folder: Path, most: int) -> FolderStore:
    """Return the games of a folder; those that cannot be read are named, and left alone."""
    from pontedeldiavolo.web.folder import FolderStore  # noqa: PLC0415 - its SQLite may be missing

    name = printable(str(folder))
    try:
        with file_errors(name):
            store = FolderStore(folder, max_games=most)
    except SiteError as error:
        raise Unreadable(f"{name}: {error.values['why']}") from error
    for path, fault in store.damaged():
        click.echo(f"Damaged, and left as it is: {printable(str(path))}: {fault}", err=True)
    return store


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with file_errors(f"{printable(host)}, port {port}"):
        return socket.create_server((host, port), family=family)


def _server(
    store: FolderStore, max_side: int, host: str, proxies: frozenset[str], threads: int
) -> uvicorn.Server:
    try:
        from pontedeldiavolo.web.http.app import create_app  # noqa: PLC0415 - needs its extra
        from pontedeldiavolo.web.http.server import (  # noqa: PLC0415 - needs its extra
            ConnectionLimits,
            create_server,
        )
    except ImportError as error:
        raise Unreadable(MISSING) from error
    is_exposed = not _is_loopback(host)
    app = create_app(
        routes.Site(store, max_side=max_side, thinkers=thinkers.Thinkers(threads)),
        names=(host, socket.gethostname()) if is_exposed else (host,),
        any_address=is_exposed,
        is_stopping=lambda: server.should_exit,
    )
    server = create_server(app, ConnectionLimits(proxies=proxies))
    return server
