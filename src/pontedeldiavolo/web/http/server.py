"""The HTTP server: uvicorn, with limits on slow clients and on connections per address."""

from __future__ import annotations

import asyncio
from collections import Counter
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, cast, final

import uvicorn
from attrs import define, field
from platformdirs import user_data_path
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

if TYPE_CHECKING:
    from starlette.types import ASGIApp

CLIENT_SECONDS: Final = 10.0
"""The time that a client has to send the headers, to send the body, and to read the response."""
MAX_CONNECTIONS: Final = 32
"""The maximum number of connections per address: a browser opens six."""


@final
@define(eq=False)
class ConnectionLimits:
    """Limits on connections, and the number of open connections.

    Attributes:
        seconds: The time that a client has for each part of a request.
        connections: The maximum number of connections per address; this machine is exempt.
        proxies: Addresses that may have any number of connections.
        open: The number of open connections of each address.
    """

    seconds: float = CLIENT_SECONDS
    connections: int = MAX_CONNECTIONS
    proxies: frozenset[str] = frozenset()
    open: Counter[str] = field(factory=Counter, init=False)

    def enter(self, address: str) -> bool:
        """Count a connection; return whether the limit allows it."""
        self.open[address] += 1
        is_exempt = address in self.proxies or ip_address(address).is_loopback
        return is_exempt or self.open[address] <= self.connections

    def leave(self, address: str) -> None:
        """Stop counting a connection."""
        self.open[address] -= 1
        self.open += Counter()


class LimitedProtocol(H11Protocol):
    """A connection that is closed if its client is too slow or has too many connections."""

    limits: ClassVar[ConnectionLimits]
    _address: str | None = None
    _awaited: object = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to wait for a request."""
        super().connection_made(cast(asyncio.Transport, transport))
        self._watch()
        if self.client is not None:
            self._address = self.client[0]
            if not self.limits.enter(self._address):
                self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting and watching the connection."""
        super().connection_lost(exc)
        self._stop()
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
                self._timer = self.loop.call_later(self.limits.seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def default_folder() -> Path:
    """Return the default folder of games, in the system's folder for user data."""
    return user_data_path("pontedeldiavolo", appauthor=False) / "games"


def create_server(app: ASGIApp, limits: ConnectionLimits) -> uvicorn.Server:
    """Return a server for an application; ``run(sockets=...)`` runs it."""

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
    )
    return uvicorn.Server(config)
