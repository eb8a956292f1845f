"""The HTTP server: uvicorn, with limits on slow clients and on connections."""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast, final

import uvicorn
from attrs import define, field
from platformdirs import user_data_path
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from pontedeldiavolo.web.clients import client_of, is_this_machine

from .app import refuse_as_busy
from .logs import bounded_log

if TYPE_CHECKING:
    from starlette.types import ASGIApp

CLIENT_SECONDS: Final = 10.0
"""The time that a client has to send the headers, to send the body, and to read the response."""
MAX_CONNECTIONS: Final = 32
"""The maximum number of connections per client: a browser opens six."""
MAX_TOTAL: Final = 1_000
"""The maximum number of connections of all clients, where the system allows that many."""
MAX_REFUSALS: Final = 8
"""The number of connections at a time that are told why they are refused; others are closed."""
REFUSAL_SECONDS: Final = 1.0
"""The time that such a connection has for its request."""
RESERVED: Final = 64
"""The number of descriptors that are kept for files, for refusals and for the listening socket."""
BACKLOG: Final = 4
"""The number of connections that are accepted at once. Their number is checked a few turns of the
event loop later, so several times as many can be open beyond the limit."""
QUEUE: Final = 1_024
"""The number of connections that the system keeps until they are accepted. A client beyond it can
try again only after a second."""
NO_DESCRIPTORS: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""The errors of a system that can open no more connections."""


def _send_at_once(transport: asyncio.BaseTransport) -> None:
    """Let the system send the end of a response before the client has confirmed its beginning.

    Otherwise a response waits about 40 milliseconds for the confirmation. asyncio sets this option
    only for sockets that name their protocol, which those of ``socket.create_server`` do not.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def max_total_connections() -> int:
    """Return how many connections the server may have, so that descriptors for files are left."""
    with suppress(ImportError):
        # Only on systems with POSIX's limits.
        import resource  # noqa: PLC0415 - see above

        descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if descriptors != resource.RLIM_INFINITY:
            # At least half are for connections, where there are few descriptors.
            reserved = min(RESERVED, descriptors // 2)
            return max(1, min(MAX_TOTAL, descriptors - reserved))
    return MAX_TOTAL


@final
@define(eq=False)
class ConnectionLimits:
    """Limits on connections, and the open connections.

    All addresses of a /64 network of IPv6 count as one client. For a single event loop.

    Attributes:
        seconds: The time that a client has for each part of a request.
        connections: The maximum number of connections per client.
        proxies: Addresses that are exempt, as this machine is: they may have any number of
            connections, and none of these is closed to make room for others.
        total: The maximum number of connections of all clients. At this limit, a new connection of
            a client takes the place of the oldest one of the client that has the most.
        open: The number of open connections of each client.
    """

    seconds: float = CLIENT_SECONDS
    connections: int = MAX_CONNECTIONS
    proxies: frozenset[str] = frozenset()
    total: int = field(factory=max_total_connections)
    open: Counter[str] = field(factory=Counter, init=False)
    # The client of each connection that has a place; none for those that keep it.
    _places: dict[LimitedProtocol, str | None] = field(factory=dict, init=False)
    _refusals: set[LimitedProtocol] = field(factory=set, init=False)

    def is_exempt(self, address: str) -> bool:
        """Return whether an address may have any number of connections.

        Many clients share the connections of a proxy, which may run on this machine.
        """
        return address in self.proxies or is_this_machine(address)

    def enter(self, address: str) -> bool:
        """Count a connection; return whether the limit for its client allows it."""
        client = client_of(address)
        self.open[client] += 1
        if self.is_exempt(address):
            return True
        # One client never gets more than a quarter of all connections.
        return self.open[client] <= max(1, min(self.connections, self.total // 4))

    def leave(self, address: str) -> None:
        """Stop counting a connection."""
        self.open[client_of(address)] -= 1
        self.open += Counter()

    def take_place(self, connection: LimitedProtocol, address: str) -> bool:
        """Admit a connection if a place is free or can be freed; return whether it is in."""
        client = client_of(address)
        if len(self._places) >= self.total and not self._make_room(client):
            return False
        self._places[connection] = None if self.is_exempt(address) else client
        return True

    def may_refuse(self, connection: LimitedProtocol) -> bool:
        """Return whether a connection without a place gets a response that says so."""
        if len(self._refusals) >= MAX_REFUSALS:
            return False
        self._refusals.add(connection)
        return True

    def leave_place(self, connection: LimitedProtocol) -> None:
        """Free the place of a connection, if it has one."""
        self._places.pop(connection, None)
        self._refusals.discard(connection)

    def _make_room(self, client: str) -> bool:
        """End a connection of the client that has the most, unless it is this client."""
        counts = Counter(each for each in self._places.values() if each is not None)
        busiest = max(counts, key=counts.__getitem__, default=client)
        if counts[busiest] <= counts[client] + 1:
            return False
        oldest = next(each for each, owner in self._places.items() if owner == busiest)
        self.leave_place(oldest)
        oldest.transport.abort()
        return True


class LimitedProtocol(H11Protocol):
    """A connection that is closed if its client is too slow or has too many connections."""

    limits: ClassVar[ConnectionLimits]
    _address: str | None = None
    _seconds: float
    _awaited: object = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for a request."""
        super().connection_made(cast(asyncio.Transport, transport))
        _send_at_once(transport)
        self._seconds = self.limits.seconds
        if self.client is not None:
            self._address = self.client[0]
            if not self.limits.enter(self._address):
                self.transport.abort()
        if not (self.transport.is_closing() or self.limits.take_place(self, self._address or "")):
            self._refuse()
        self._watch()

    def _refuse(self) -> None:
        """Answer the first request with a refusal, or close the connection at once."""
        if self.limits.may_refuse(self):
            self.app = refuse_as_busy
            self._seconds = min(self._seconds, REFUSAL_SECONDS)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting and watching the connection."""
        super().connection_lost(exc)
        self._stop()
        self.limits.leave_place(self)
        if self._address is not None:
            self.limits.leave(self._address)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Start to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Start to wait for the client to read what has been written."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Continue to write."""
        super().resume_writing()
        self._watch()

    def _watch(self) -> None:
        """Limit the time for the next thing that the client has to do."""
        cycle = cast(RequestResponseCycle | None, self.cycle)
        awaited: object = cycle if cycle and cycle.more_body else None
        if self.flow.write_paused:
            awaited = "reading"
        elif cycle is None or cycle.response_complete:
            awaited = "request"
        if awaited is not self._awaited:
            self._stop()
            self._awaited = awaited
            if awaited is not None:
                self._timer = self.loop.call_later(self._seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def default_folder() -> Path | None:
    """Return the default folder of games; ``None`` for a user without a home folder.

    It is in the system's folder for user data.
    """
    try:
        folder = user_data_path("pontedeldiavolo", appauthor=False) / "games"
    except (RuntimeError, OSError):
        return None
    # Earlier versions of platformdirs return a path with "~" in it.
    return folder if folder.is_absolute() else None


@final
class Server(uvicorn.Server):
    """uvicorn, with a bounded log, that says when it has started and when it ends.

    Attributes:
        on_started: Called once, when the server accepts connections.
        on_stopped: Called once, when the server has ended its connections.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.on_started: Callable[[], None] = lambda: None
        self.on_stopped: Callable[[], None] = lambda: None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until the end."""
        with bounded_log():
            await super().serve(sockets=sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections."""
        asyncio.get_running_loop().set_exception_handler(_log_error)
        await super().startup(sockets=sockets)
        for listening in sockets or ():
            # asyncio has one number for both: here the system's queue becomes longer again.
            listening.listen(QUEUE)
        self.on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all connections."""
        await super().shutdown(sockets=sockets)
        # This is not done after *run*, which ends the process if a signal has stopped the server.
        self.on_stopped()


def _log_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop: in one line where the system is out of descriptors."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in NO_DESCRIPTORS:
        logging.getLogger(__name__).warning("No further connection can be opened: %s", error)
    else:
        loop.default_exception_handler(context)


def create_server(app: ASGIApp, limits: ConnectionLimits) -> Server:
    """Return a server for an application; ``run(sockets=...)`` runs it.

    Args:
        app: The application.
        limits: The limits on connections. Their proxies, and proxies on this machine, are believed
            when they say from which client a request comes (``X-Forwarded-For``) and whether it
            was encrypted (``X-Forwarded-Proto``).
    """

    class Protocol(LimitedProtocol):
        """A connection with these limits."""

    Protocol.limits = limits
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        lifespan="off",
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
        backlog=BACKLOG,
        forwarded_allow_ips=["127.0.0.1", "::1", *sorted(limits.proxies)],
    )
    return Server(config)
