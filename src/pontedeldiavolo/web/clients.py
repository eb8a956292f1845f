"""Clients of the server: which addresses count as one, so that each of them gets only its share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from threading import Lock
from typing import Final, final

from attrs import define, field

from .requests import SiteError

IPV6_PREFIX: Final = 64
"""The bits of an IPv6 address that name a network. One machine may have all addresses in it."""


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    """Return an IP address, as IPv4 if possible; ``None`` for any other text.

    >>> from pontedeldiavolo.web.clients import address_of
    >>> address_of("::ffff:192.0.2.1"), address_of("play.example")
    (IPv4Address('192.0.2.1'), None)
    """
    with suppress(ValueError):
        found = ip_address(text)
        return getattr(found, "ipv4_mapped", None) or found
    return None


def client_of(address: str) -> str:
    """Return the name under which all requests of a client are counted.

    An IPv6 address counts with all others of its /64 network, because a provider gives a whole
    network to each customer. An IPv4 address that is written as an IPv6 address counts as IPv4.

    >>> from pontedeldiavolo.web.clients import client_of
    >>> client_of("2001:db8::1"), client_of("2001:db8::2"), client_of("::ffff:192.0.2.1")
    ('2001:db8::/64', '2001:db8::/64', '192.0.2.1')

    Args:
        address: An IP address. Any other text, such as the path of a socket, stands for itself.
    """
    found = address_of(address)
    if isinstance(found, IPv6Address) and not found.is_loopback:
        # The zone names an interface of this machine, so it is not part of the client's network.
        return str(IPv6Network((int(found), IPV6_PREFIX), strict=False))
    return address if found is None else str(found)


def is_this_machine(address: str) -> bool:
    """Return whether an address belongs to this machine alone (loopback)."""
    found = address_of(address)
    return found is not None and found.is_loopback


@final
@define(eq=False)
class Shares:
    """The clients' shares of the games that a site can take.

    A client may start a game as long as it has started fewer than can still be started: it takes
    about half of the places that it found, never all. The counts begin with the server.

    Any thread may call the methods.

    Attributes:
        is_exempt: Returns whether the client with a name may start any number of games. Requests
            that do not come over HTTP have no client, and are always exempt.
    """

    is_exempt: Callable[[str], bool] = lambda _client: False
    _started: Counter[str] = field(factory=Counter, init=False)
    _lock: Lock = field(factory=Lock, init=False)

    def require_place(self, client: str, places_left: Callable[[], int | None]) -> None:
        """Refuse a new game if it would be more than a client's share.

        Args:
            client: The name of the client.
            places_left: Returns how many more games the store takes; ``None`` for any number.
        """
        # A first game is always within the share, and counting all games takes time.
        if not client or self._started[client] == 0 or self.is_exempt(client):
            return
        left = places_left()
        if left is not None and self._started[client] >= left > 0:
            raise SiteError("too-many-own-games", 403)

    def count_game(self, client: str) -> None:
        """Count a game that a client has started."""
        with self._lock:
            self._started[client] += 1
