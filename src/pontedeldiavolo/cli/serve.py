"""``serve``: play in the browser."""

from __future__ import annotations

import ipaddress
import re
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import click

from pontedeldiavolo.base.errors import printable
from pontedeldiavolo.base.install import install_command
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.web.clients import is_this_machine
from pontedeldiavolo.web.http.hosts import is_pattern
from pontedeldiavolo.web.requests import SiteError
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.thinkers import Thinkers

from .arguments import FOLDER, whole
from .messages import Unreadable, file_errors, message
from .signals import handled_by

IPV4_NUMBERS: Final = re.compile(r"[0-9a-fx]+(\.[0-9a-fx]+){0,3}", re.IGNORECASE)
"""Up to four numbers, decimal, octal or hexadecimal, as systems read them."""

if TYPE_CHECKING:
    from pontedeldiavolo.web.folder import FolderStore
    from pontedeldiavolo.web.http.server import Server


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@whole("--port", 0, 65_535, "The port, or 0 for any that is free.", default=8000, metavar="PORT")
@click.option("--folder", **FOLDER, help="The folder of the records; by default in user data.")
# The files of this many games take some tens of megabytes. The server keeps only a few in memory:
# web.folder.CACHED_GAMES games, and the drawn parts that web.views.MAX_SHOWN_BYTES allows.
@whole(
    "--max-games",
    1,
    None,
    "The maximum number of games in DIR; no more can be started then.",
    default=10_000,
)
@whole("--max-side", 1, Board.MAX_SIDE, "The longest side of a new board.", default=26)
@click.option(
    "--proxy",
    metavar="ADDRESS",
    multiple=True,
    callback=lambda _context, _parameter, addresses: _require_addresses(addresses),
    help="A proxy: it may have any number of connections, and is believed about its clients.",
)
@click.option(
    "--allow-host",
    "names",
    metavar="NAME",
    multiple=True,
    callback=lambda _context, _parameter, names: _require_names(names),
    help="A further name of this server, or *.DOMAIN for all names below a domain.",
)
@whole(
    "--thinkers",
    1,
    64,
    "How many games the computer thinks about at once, and how many analyses run.",
    default=2,
)
@click.option("--open/--no-open", "opens", default=True, help="Open the page in a browser.")
@click.option("--expose", is_flag=True, help="Listen on an address that others can reach.")
def serve(
    *,
    host: str,
    port: int,
    folder: Path | None,
    names: tuple[str, ...],
    opens: bool,
    expose: bool,
    **limits: Any,
) -> None:
    """Serve a page for playing in the browser.

    Two people play in one window or in two, or one person plays against a player of this library.
    Games are stored, and continue after a restart. Ctrl-C ends the server. The command needs the
    extra web.

    Examples:
      pontedeldiavolo serve --folder games
      pontedeldiavolo serve --host 0.0.0.0 --expose --no-open
      pontedeldiavolo serve --host 0.0.0.0 --expose --allow-host games.example
    """
    host = _full_address(host)
    if not (expose or _is_loopback(host)):
        problem = "others could reach this address; --expose allows it"
        raise click.BadParameter(problem, param_hint="--host")
    server, folder = _server(host, folder, names, expose=expose, limits=limits)
    with file_errors(f"{printable(host)}, port {port}"):
        listening = socket.create_server((host, port), family=_family(host))
    if not _is_loopback(host):
        click.echo(message("everybody"), err=True)
    address = _announced(host, listening.getsockname()[1])
    click.echo(message("folder", name=printable(str(folder))))
    if opens:
        server.on_started = _opening(address)

    def stop(_number: int, _frame: object) -> None:
        server.should_exit = True

    # Ctrl-C is the normal way to end the server.
    with listening, handled_by(stop), suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


def _opening(address: str) -> Callable[[], None]:
    """Return a function that opens a page without waiting for the browser.

    A browser in the terminal runs until its user leaves it, and it waits for the server. So it is
    opened in a thread, once the server has started, and the thread does not outlive the server.
    """
    # The thread does not know the language of the command.
    failed = message("no-browser", address=address)

    def open_page() -> None:
        try:
            is_open = webbrowser.open(address)
        except (webbrowser.Error, OSError):
            is_open = False
        if not is_open:
            click.echo(failed, err=True)

    return Thread(target=open_page, name="browser", daemon=True).start


def _require_addresses(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Return the addresses of proxies as the server sees them.

    Raises:
        BadParameter: If one of them is not an IP address: a name would never be recognised.
    """
    found = []
    for address in addresses:
        try:
            found.append(str(ipaddress.ip_address(address)))
        except ValueError as error:
            problem = f"{printable(address)} is not an IP address"
            raise click.BadParameter(problem) from error
    return tuple(found)


def _require_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return further names of the server.

    Raises:
        BadParameter: If one of them is not a name: an address with ``http://``, or a port.
    """
    for name in names:
        if not is_pattern(name):
            wanted = "give it without http:// and without a port"
            raise click.BadParameter(f"{printable(name)} is not the name of a host: {wanted}")
    return names


def _server(
    host: str,
    folder: Path | None,
    names: tuple[str, ...],
    *,
    expose: bool,
    limits: dict[str, Any],
) -> tuple[Server, Path]:
    """Return a server, and the folder of its games."""
    try:
        import pontedeldiavolo.web.http.server as http  # noqa: PLC0415 - needs its extra
        from pontedeldiavolo.web.http.app import create_app  # noqa: PLC0415 - likewise
    except ImportError as error:
        raise Unreadable(message("no-web", command=install_command("web"))) from error
    is_default = folder is None
    if folder is None:
        folder = http.default_folder()
    if folder is None:
        raise Unreadable(message("no-home"))
    store = _store(folder, limits["max_games"], is_default=is_default)
    thinkers = Thinkers(limits["thinkers"])
    site = Site(store, max_side=limits["max_side"], thinkers=thinkers)
    if not expose:
        # Only this machine can connect, so there is nobody to share the limits with.
        site.shares.is_exempt = is_this_machine
    app = create_app(
        site,
        names=(host, *names),
        any_address=not _is_loopback(host),
        is_stopping=lambda: server.should_exit,
    )
    server = http.create_server(app, http.ConnectionLimits(proxies=frozenset(limits["proxy"])))
    # After the next start, the clocks go on from there.
    server.on_stopped = site.clocks.save_all
    return server, folder


def _full_address(host: str) -> str:
    """Return an IPv4 address with all its numbers: ``127.1`` is short for 127.0.0.1.

    Any other host is returned as it is.
    """
    if IPV4_NUMBERS.fullmatch(host):
        with suppress(OSError):
            return socket.inet_ntoa(socket.inet_aton(host))
    return host


def _is_loopback(host: str) -> bool:
    return host == "localhost" or is_this_machine(host)


def _is_unspecified(host: str) -> bool:
    """Return whether a host stands for all addresses of this machine."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return False


def _announced(host: str, port: int) -> str:
    """Print the addresses of the page, and return the one to open.

    The page shows a link for the other player, for whom a loopback address would be useless.
    """
    is_every = _is_unspecified(host)
    address = _url(("::1" if ":" in host else "127.0.0.1") if is_every else host, port)
    click.echo(message("served-at", address=address))
    if not is_every:
        return address
    found = _address_in_network(host)
    others = found and _url(found, port)
    click.echo(message("others-at", address=others) if others else message("others"))
    return others or address


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _address_in_network(host: str) -> str | None:
    """Return the address that this machine uses in its network, without sending anything.

    Connecting a datagram socket sends nothing. Its peer is an address reserved for documentation.
    """
    try:
        with socket.socket(_family(host), socket.SOCK_DGRAM) as probe:
            probe.connect(("2001:db8::1" if ":" in host else "192.0.2.1", 9))
            found = str(probe.getsockname()[0])
    except OSError:
        return None
    return None if _is_loopback(found) or _is_unspecified(found) else found


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _store(folder: Path, max_games: int, *, is_default: bool) -> FolderStore:
    """Return the store of a folder; report files that cannot be read, and leave them alone."""
    from pontedeldiavolo.web.folder import FolderStore  # noqa: PLC0415 - its SQLite may be missing

    name = printable(str(folder))
    try:
        store = FolderStore(folder, max_games=max_games)
    except (OSError, SiteError) as error:
        if isinstance(error, SiteError):
            why = str(error.values["why"])
        else:
            why = (error.strerror or type(error).__name__).lower()
        fault = message("no-default-folder", name=name, why=why)
        raise Unreadable(fault if is_default else f"{name}: {why}") from error
    for path, fault in store.damaged():
        click.echo(message("damaged", name=printable(str(path)), why=fault), err=True)
    return store
