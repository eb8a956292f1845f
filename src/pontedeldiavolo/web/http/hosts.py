"""The names to which a server answers, and the pages whose requests it accepts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, final
from urllib.parse import urlsplit

from attrs import field, frozen

from pontedeldiavolo.web.clients import address_of

LOCAL_NAMES: Final = ("localhost", "127.0.0.1", "::1")
"""The names of this machine for itself."""
NETWORK_SUFFIXES: Final = ("local", "lan", "home", "home.arpa", "internal", "localdomain")
"""The domains of home networks. Nobody can register a name in them, so no page on the internet has
such a name."""
ANY: Final = "*."
"""The beginning of a pattern that allows all names below a domain."""
DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_PORT = re.compile(r"[0-9]{1,5}")


class Host(NamedTuple):
    """The name in a ``Host`` header, in lower case, and the port; ``None`` if none is given."""

    name: str
    port: int | None


def parse_host(text: str) -> Host | None:
    """Return the name and the port of a ``Host`` header; ``None`` if it is malformed.

    >>> from pontedeldiavolo.web.http.hosts import parse_host
    >>> parse_host("Play.Example:8000"), parse_host("[::1]")
    (Host(name='play.example', port=8000), Host(name='::1', port=None))
    """
    name = text
    separator = ""
    digits = ""
    if not text.endswith("]"):
        name, separator, digits = text.rpartition(":")
        if not separator:
            name = text
            digits = ""
    if digits and not _PORT.fullmatch(digits):
        return None
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    elif ":" in name:
        return None
    # A dot at the end is the root of all names: "localhost." is "localhost".
    name = name.lower().removesuffix(".")
    return Host(name, int(digits) if digits else None) if name else None


def names_in_network(hostname: str) -> frozenset[str]:
    """Return the usual names of a machine in a home network, from the name that it has itself.

    >>> from pontedeldiavolo.web.http.hosts import names_in_network
    >>> sorted(names_in_network("attic.example.org"))[:3]
    ['attic', 'attic.example.org', 'attic.home']
    """
    whole = hostname.lower().removesuffix(".")
    if not whole or address_of(whole) is not None:
        return frozenset()
    first = whole.partition(".")[0]
    return frozenset({whole, first, *(f"{first}.{suffix}" for suffix in NETWORK_SUFFIXES)})


def is_pattern(text: str) -> bool:
    """Return whether a text can be an allowed name: ``play.example``, an address, or ``*.example``.

    A pattern for all names would let any page reach the server under its own name.
    """
    name = text.removeprefix(ANY)
    if address_of(name) is not None:
        return name == text
    host = parse_host(name)
    is_name = host is not None and host.port is None and name[-1] != ":" and ":" not in name
    return is_name and not set(name) & set("*/@[]?# \t")


def _comparable(names: Iterable[str]) -> frozenset[str]:
    """Return names as they are compared: in lower case, without the root's dot."""
    return frozenset(name.lower().removesuffix(".") for name in names)


@final
@frozen
class AllowedHosts:
    """The names to which a server answers.

    A page elsewhere could make its own host name resolve to this machine, and its requests would
    then count as requests of the server's page (DNS rebinding). So other names are refused.

    Attributes:
        names: The names and addresses; ``*.example.org`` stands for all names below that domain.
        any_address: Whether any IP address is allowed, too: no page can change what it means.
    """

    names: frozenset[str] = field(converter=_comparable)
    any_address: bool = False

    def allow(self, name: str) -> bool:
        """Return whether the server answers to a name in lower case."""
        if name in LOCAL_NAMES or name in self.names:
            return True
        if address_of(name) is not None:
            return self.any_address
        labels = name.split(".")
        domains = (".".join(labels[start:]) for start in range(1, len(labels)))
        return any(f"{ANY}{domain}" in self.names for domain in domains)


def is_own_page(origin: str, host: Host, scheme: str) -> bool:
    """Return whether an ``Origin`` header names the page of this server.

    Args:
        origin: The header: the scheme, the host and perhaps the port of the page.
        host: The host to which the request was sent.
        scheme: The scheme with which it was sent. A page may use https although the request came
            with http, because a proxy may have decrypted it.
    """
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return False
    default = DEFAULT_PORTS.get(parts.scheme)
    is_plain = origin.lower() == f"{parts.scheme}://{parts.netloc}".lower()
    page = parse_host(parts.netloc)
    if default is None or page is None or not is_plain or parts.scheme not in (scheme, "https"):
        return False
    # Browsers leave the default port out of both headers; other clients may not.
    return page.name == host.name and (port or default) == (host.port or default)
