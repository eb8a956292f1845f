"""The HTTP server: uvicorn, with limits on slow clients and on connections of one address."""

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
"""The time that a client has for the headers of a request, for its body, and to take a response."""
MAX_CONNECTIONS: Final = 32
"""The most connections of an address: a browser opens six."""
_REQUEST: Final = "request"
_READING: Final = "reading"


@final
@define(eq=False)
class ConnectionLimits:
    """Limits on connections, and the connections that there are.

    Attributes:
        seconds: The time that a client has to do its part.
        connections: The most connections of an address; those of this machine do not count.
        proxies: Addresses that may have any number of connections.
        open: The number of connections of each address.
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
        """Count a connection no longer."""
        self.open[address] -= 1
        self.open += Counter()


class LimitedProtocol(H11Protocol):
    """A connection that ends when its client is too slow, or has too many of them."""

    limits: ClassVar[ConnectionLimits]
    _address: str | None = None
    _owed: object = None
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        super().connection_made(cast(asyncio.Transport, transport))
        self._watch()
        if self.client is not None:
            self._address = self.client[0]
            if not self.limits.enter(self._address):
                self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop()
        if self._address is not None:
            self.limits.leave(self._address)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Begin to wait for the client to take what is written."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """Write on."""
        super().resume_writing()
        self._watch()

    def _watch(self) -> None:
        """Give the client some time for the next thing that it has to do."""
        cycle = cast(RequestResponseCycle | None, self.cycle)
        owed: object = None
        if self.flow.write_paused:
            owed = _READING
        elif cycle is None or cycle.response_complete:
            owed = _REQUEST
        elif cycle.more_body:
            owed = cycle
        if owed is not self._owed:
            self._stop()
            self._owed = owed
            if owed is not None:
                self._timer = self.loop.call_later(self.limits.seconds, self.transport.abort)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


def default_folder() -> Path:
    """Return the folder of games where the system keeps the data of a user's programs."""
    return user_data_path("pontedeldiavolo", appauthor=False) / "games"


def create_server(app: ASGIApp, limits: ConnectionLimits) -> uvicorn.Server:
    """Return a server of an application, which runs with ``run(sockets=...)``."""

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
