"""Clients: addresses that count as one, and the server's own names and pages."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pontedeldiavolo.web.clients import Shares, client_of, is_this_machine
from pontedeldiavolo.web.requests import SiteError
from support.http_server import server

if TYPE_CHECKING:
    from pontedeldiavolo.web.http import hosts
else:
    hosts = importlib.import_module("pontedeldiavolo.web.http.hosts")


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("::FFFF:c000:207", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8:0:0:ffff::1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::1"),
        ("127.0.0.2", "127.0.0.2"),
        ("/run/socket", "/run/socket"),
        ("", ""),
    ],
)
def test_addresses_of_a_client(address: str, client: str) -> None:
    assert client_of(address) == client
    # A name of a client is used as it is.
    assert client_of(client) == client
    loopback = {"::1", "127.0.0.2"}
    assert is_this_machine(address) is is_this_machine(client) is (client in loopback)


@pytest.mark.parametrize("network", ["2001:db8:0:1::{:x}", "::ffff:192.0.2.1", "192.0.2.1"])
def test_a_network_has_the_connections_of_one_client(network: str) -> None:
    limits = server.ConnectionLimits(total=1_000)
    addresses = [network.format(number) for number in range(1, 100)]
    assert sum(map(limits.enter, addresses)) == server.MAX_CONNECTIONS
    assert limits.enter("2001:db8:0:2::1")
    assert limits.enter("192.0.2.2")
    for address in (*addresses, "2001:db8:0:2::1", "192.0.2.2"):
        limits.leave(address)
    assert not limits.open


def test_this_machine_is_not_limited_in_any_spelling() -> None:
    limits = server.ConnectionLimits()
    for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert all(limits.enter(address) for _ in range(100))


@pytest.mark.parametrize("most", [1, 2, 3, 10, 100])
def test_a_client_takes_at_most_half_of_the_places(most: int) -> None:
    shares = Shares()
    share = (most + 1) // 2
    for left in range(most, most - share, -1):
        shares.require_place("192.0.2.1", partial(int, left))
        shares.count_game("192.0.2.1")
    if most > share:
        with pytest.raises(SiteError) as caught:
            shares.require_place("192.0.2.1", partial(int, most - share))
        assert (caught.value.code, caught.value.status) == ("too-many-own-games", 403)
    shares.require_place("192.0.2.2", partial(int, most - share))


def test_shares_that_are_not_limited() -> None:
    shares = Shares(is_exempt=is_this_machine)
    for client in ("", "127.0.0.1", "::1"):
        for _ in range(9):
            shares.require_place(client, lambda: 1)
            shares.count_game(client)
    for _ in range(9):
        shares.require_place("192.0.2.1", lambda: None)
        shares.count_game("192.0.2.1")
    with pytest.raises(SiteError, match="as many games as this server takes"):
        shares.require_place("192.0.2.1", lambda: 1)


def host_of(text: str) -> hosts.Host:
    found = hosts.parse_host(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "name", "port"),
    [
        ("Example.org", "example.org", None),
        ("example.org:8000", "example.org", 8000),
        ("example.org.", "example.org", None),
        ("[::1]:80", "::1", 80),
        ("localhost:", "localhost", None),
    ],
)
def test_hosts(text: str, name: str, port: int | None) -> None:
    assert hosts.parse_host(text) == (name, port)


@pytest.mark.parametrize(
    "text", ["", ":80", ".", "a:b", "a:80:80", "::1", "a:123456", "a:" + "9" * 5_000, "a:\u0663"]
)
def test_malformed_hosts(text: str) -> None:
    assert hosts.parse_host(text) is None


def test_names_of_a_machine_in_a_home_network() -> None:
    names = hosts.names_in_network("VM.example.org")
    assert names >= {"vm", "vm.local", "vm.lan", "vm.home.arpa", "vm.example.org"}
    allowed = hosts.AllowedHosts(names, any_address=True)
    assert allowed.allow("vm.local")
    # Other people could register these names, or answer for them.
    for name in ("other.local", "vm.local.example.org", "evil.example", "vm.evil.example", "local"):
        assert not allowed.allow(name)
    assert hosts.names_in_network("") == hosts.names_in_network("192.0.2.1") == frozenset()


def test_patterns_of_names() -> None:
    allowed = hosts.AllowedHosts(["Games.example.", "*.example.net"])
    for name in ("games.example", "a.example.net", "a.b.example.net", "localhost", "::1"):
        assert allowed.allow(name)
    for name in ("a.games.example", "example.net", "badexample.net", "192.0.2.1", "net"):
        assert not allowed.allow(name)
    assert not hosts.AllowedHosts(["*.0.2.1"], any_address=False).allow("192.0.2.1")


@pytest.mark.parametrize("name", ["a", "a.example", "*.example", "192.0.2.1", "::1", "A-b.c_d"])
def test_host_names_that_can_be_allowed(name: str) -> None:
    assert hosts.is_pattern(name)


@pytest.mark.parametrize(
    "name",
    ["", "*", "*.", "**.a", "a.*", "http://a", "a:80", "a/b", "a b", "*.192.0.2.1", "[::1]", "a@b"],
)
def test_texts_that_are_no_names(name: str) -> None:
    assert not hosts.is_pattern(name)


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://a.example", "a.example", "http"),
        ("http://a.example:80", "a.example", "http"),
        ("http://a.example", "a.example:80", "http"),
        ("https://a.example:443", "a.example", "https"),
        ("https://a.example", "A.example:443", "https"),
        ("https://a.example", "a.example", "http"),
        ("https://a.example:443", "a.example", "http"),
        ("http://[::1]:8000", "[::1]:8000", "http"),
        ("HTTP://A.example:8000", "a.example:8000", "http"),
    ],
)
def test_the_page_of_the_server(origin: str, host: str, scheme: str) -> None:
    assert hosts.is_own_page(origin, host_of(host), scheme)


@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("", "a.example", "http"),
        ("null", "a.example", "http"),
        ("http://b.example", "a.example", "http"),
        ("http://a.example:8000", "a.example", "http"),
        ("http://a.example", "a.example:8000", "http"),
        ("http://a.example:443", "a.example", "https"),
        # Without encryption, anybody could have sent the page.
        ("http://a.example", "a.example", "https"),
        ("https://a.example", "a.example:80", "http"),
        ("ftp://a.example", "a.example", "ftp"),
        ("http://a.example/", "a.example", "http"),
        ("http://a.example@b.example", "b.example", "http"),
        ("http://a.example:x", "a.example", "http"),
        ("http://[::1", "[::1]", "http"),
    ],
)
def test_pages_of_others(origin: str, host: str, scheme: str) -> None:
    assert not hosts.is_own_page(origin, host_of(host), scheme)
