"""The site over HTTP, on starlette: its routes, the files of the page, and access control."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import socket
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import Any, Final, TypeVar, cast, final

from attrs import define, evolve, field, frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pontedeldiavolo.base.messages import LANGUAGES
from pontedeldiavolo.web import requests
from pontedeldiavolo.web.clients import client_of
from pontedeldiavolo.web.pages import page_files
from pontedeldiavolo.web.requests import MAX_BODY_BYTES, SiteError, page_texts
from pontedeldiavolo.web.routes import ROUTES
from pontedeldiavolo.web.routes import Route as SiteRoute
from pontedeldiavolo.web.site import Handler, Site
from pontedeldiavolo.web.views import error_response

from .hosts import AllowedHosts, Host, is_own_page, names_in_network, parse_host
from .work_slots import WorkSlots

WAIT_SECONDS: Final = 20.0
"""The maximum time that a request waits for a game to change."""
MAX_REQUESTS: Final = 200
"""The maximum number of requests at a time, including those that wait."""
LOOK_SECONDS: Final = 1.0
"""The time between two checks for a change by another process, or for the end of the server."""
MAX_LOOKS: Final = 20
"""The number of such checks a second for each client: if more of its requests wait, each of them
checks less often."""
MAX_LOOK_SECONDS: Final = 3.0
"""The longest time between two checks for any number of waiting requests. It must be short: it
delays the end of the server, and an analysis stops if no request has asked for it for some
seconds."""
MIN_COMPRESSED_BYTES: Final = 1_400
"""The minimum size of a response that is compressed: a shorter one fits into one packet."""
QUICK_LEVEL: Final = 5
"""The level of compression for views: a higher one takes longer than it saves."""
BEST_LEVEL: Final = 9
"""The level of compression for the files of the page, which are compressed once."""

T = TypeVar("T")

PREFIX: Final = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
"""A path under which a proxy may show the site."""
JSON_TYPE: Final = "application/json"
MEDIA: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def create_app(
    site: Site,
    *,
    names: Iterable[str] = (),
    any_address: bool = False,
    is_stopping: Callable[[], bool] = lambda: False,
    wait_seconds: float = WAIT_SECONDS,
    max_requests: int = MAX_REQUESTS,
) -> Starlette:
    """Return the application.

    Args:
        site: The games.
        names: The host names of the server, besides the local names of this machine; a name such
            as ``*.example.org`` stands for all names below that domain. Requests to any other host
            are refused: a page elsewhere must not reach the server under the page's host name
            (DNS rebinding).
        any_address: Whether any IP address is allowed as a host, too, and the names that this
            machine usually has in a home network, such as ``vm.local``.
        is_stopping: Returns whether the server is about to end: then no request waits.
        wait_seconds: The maximum time that a request waits for a game to change.
        max_requests: The maximum number of requests at a time. At this limit, a new request ends
            one of the client with the most requests, first one that waits for news. A request of
            this client itself ends only one that waits for news, and only if it changes a game;
            otherwise it is refused.
    """
    own_names = names_in_network(socket.gethostname()) if any_address else ()
    hosts = AllowedHosts((*names, *own_names), any_address)
    server = _Endpoints(site, is_stopping, wait_seconds)
    site.store.on_change = server.wake_from_thread
    # The texts are read now: a busy server may be unable to open files.
    for language in LANGUAGES.values():
        page_texts(language)
    refusals = {HTTPException: _unrouted, SiteError: _refused, ClientDisconnect: _disconnected}
    app = Starlette(
        routes=[*_page_routes(), *map(server.route, ROUTES)],
        middleware=[Middleware(_Guard, hosts, max_requests, server)],
        exception_handlers=refusals,
    )
    app.router.redirect_slashes = False
    return app


def _page_routes() -> list[Route]:
    """Return the routes of the page's files."""
    files = page_files()
    named = [_file_route(f"/{name}", content) for name, content in files.items()]
    return [_file_route("/", files["index.html"], "html"), *named]


def _file_route(path: str, content: bytes, kind: str = "") -> Route:
    """Return the route of a file, which is compressed once."""
    media = MEDIA[kind or path.rpartition(".")[2]]
    packed = gzip.compress(content, BEST_LEVEL, mtime=0)

    async def endpoint(request: Request) -> Response:
        response = Response(content, 200, None, media)
        return _packed(response, request, lambda _content: packed)

    return Route(path, endpoint, methods=["GET"])


class _SentAwayError(Exception):
    """The request must make room for a request of another client."""


@final
@frozen
class _Waiting:
    """A request that waits.

    Attributes:
        client: Its client.
        is_for_news: Whether its game had no news when it looked. If it ends, its page asks again,
            and nobody misses anything.
    """

    client: str
    is_for_news: bool = False


@final
@define(eq=False)
class _Endpoints:
    """The endpoints of a site: they run its handlers, and let requests wait for changes.

    Attributes:
        changes: The events of the requests that wait for a change, by the IDs of their games.
        waits: What waiting requests wait for (a body, a slot, a change), oldest first.
    """

    site: Site
    is_stopping: Callable[[], bool]
    wait_seconds: float
    work_slots: WorkSlots = field(factory=WorkSlots, init=False)
    changes: dict[str, set[asyncio.Event]] = field(factory=dict, init=False)
    waits: dict[asyncio.Future[Any], _Waiting] = field(factory=dict, init=False)
    loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)

    def route(self, route: SiteRoute) -> Route:
        """Return the starlette route for a route of the site."""
        is_reading = route.method == "GET"

        async def endpoint(request: Request) -> Response:
            client = _client(request.scope)
            try:
                body = await self._wait(_Waiting(client), _body(request))
                site_request = requests.Request(
                    dict(request.query_params),
                    body,
                    token=request.headers.get("Authorization", "").removeprefix("Bearer "),
                    game=request.path_params.get("game", ""),
                    client=client,
                )
                if is_reading and site_request.query.get("wait") != "no":
                    return await self._wait_for_news(route.handler, site_request, request)
                return await self._responded(
                    route.handler, site_request, request, is_writing=not is_reading
                )
            except _SentAwayError:
                raise SiteError("server-busy", 503) from None

        return Route(route.path, endpoint, methods=[route.method])

    def wake(self, game: str) -> None:
        """Let the requests that wait for a change of a game check again."""
        for change in self.changes.get(game, ()):
            change.set()

    def wake_from_thread(self, game: str) -> None:
        """Let these requests check again; for a thread other than the server's."""
        if self.loop is not None:
            # The server may have ended.
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.wake, game)

    def send_away(self, client: str) -> bool:
        """End a waiting request of a client; return whether there was one.

        A request that waits for news ends before one that somebody has just sent, such as a move.
        """
        return self.send_news_away(client) or self._send_away(_Waiting(client))

    def send_news_away(self, client: str) -> bool:
        """End a request of a client that waits for news; return whether there was one."""
        return self._send_away(_Waiting(client, is_for_news=True))

    def _send_away(self, waiting: _Waiting) -> bool:
        """End the oldest request that waits like this one; return whether there was one."""
        # Skip a wait that is over: its request is about to end anyway.
        found = next(
            (wait for wait, each in self.waits.items() if each == waiting and not wait.done()), None
        )
        if found is None:
            return False
        # Removed at once, so that the next call chooses another one.
        del self.waits[found]
        found.cancel()
        return True

    async def _wait(self, waiting: _Waiting, awaited: Coroutine[Any, Any, T]) -> T:
        """Wait for something, unless the request is sent away.

        Raises:
            _SentAwayError: If it is.
        """
        wait = asyncio.ensure_future(awaited)
        self.waits[wait] = waiting
        try:
            await asyncio.wait([wait])
        finally:
            self.waits.pop(wait, None)
            wait.cancel()
        if wait.cancelled():
            raise _SentAwayError
        return wait.result()

    async def _responded(
        self,
        handler: Handler,
        site_request: requests.Request,
        request: Request,
        *,
        is_writing: bool = False,
        is_for_news: bool = False,
    ) -> Response:
        """Return the response of a handler, as soon as the client has a slot.

        A client has one slot to read and one to write, so what it reads does not wait for what it
        changes. A store may be locked by another process for seconds.
        """
        owner = f"{'write' if is_writing else 'read'} {site_request.client}"
        waiting = _Waiting(site_request.client, is_for_news)
        await self._wait(waiting, self.work_slots.begin(owner))
        try:
            # In a thread: long work must not block all other requests.
            return await run_in_threadpool(_rendered, self.site, handler, site_request, request)
        finally:
            self.work_slots.end(owner)

    async def _wait_for_news(
        self, handler: Handler, site_request: requests.Request, request: Request
    ) -> Response:
        """Return a response as soon as the game has changed, or else when the time is over."""
        self.loop = asyncio.get_running_loop()
        deadline = time.monotonic() + self.wait_seconds
        change = asyncio.Event()
        # The body has been read, so the only further message is that the client has disconnected.
        gone = asyncio.ensure_future(request.receive())
        gone.add_done_callback(lambda _gone: change.set())
        events = self.changes.setdefault(site_request.game, set())
        events.add(change)
        news_request = evolve(site_request, is_waiting=True)
        response: Response | None = None
        try:
            while True:
                change.clear()
                response = await self._responded(
                    handler, news_request, request, is_for_news=response is not None
                )
                left = deadline - time.monotonic()
                is_news = response.status_code != HTTPStatus.NO_CONTENT
                if is_news or gone.done() or self.is_stopping():
                    return response
                if left <= 0:
                    return await self._responded(handler, site_request, request, is_for_news=True)
                client = site_request.client
                others = sum(each.client == client for each in self.waits.values())
                seconds = min(left, _seconds_until_look(others))
                await self._wait(_Waiting(client, is_for_news=True), _until(change, seconds))
        except _SentAwayError:
            if response is None:
                raise
            # There was no news. The page will ask again.
            return response
        finally:
            events.discard(change)
            if not events:
                self.changes.pop(site_request.game, None)
            gone.cancel()


def _rendered(
    site: Site, handler: Handler, site_request: requests.Request, request: Request
) -> Response:
    """Return the response of a handler as JSON, compressed: views can be as long as a megabyte."""
    response = _http(site.respond(handler, site_request), _prefix(request))
    return _packed(response, request, lambda content: gzip.compress(content, QUICK_LEVEL))


def _packed(response: Response, request: Request, pack: Callable[[bytes], bytes]) -> Response:
    """Compress a long response, if the client accepts that."""
    body = bytes(response.body)
    if len(body) < MIN_COMPRESSED_BYTES:
        return response
    response.headers.add_vary_header("Accept-Encoding")
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        response.body = pack(body)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
    return response


def _seconds_until_look(waiting: int) -> float:
    """Return the time between two checks for a change.

    Args:
        waiting: The number of requests of the client that wait.
    """
    return max(LOOK_SECONDS, min(waiting / MAX_LOOKS, MAX_LOOK_SECONDS))


async def _until(change: asyncio.Event, seconds: float) -> None:
    """Wait for an event for some time."""
    with suppress(TimeoutError):
        await asyncio.wait_for(change.wait(), seconds)


@final
@define(eq=False)
class _Guard:
    """Middleware that refuses requests to other hosts, from other pages or at busy times.

    It also adds headers to responses.

    Attributes:
        endpoints: The endpoints, at which requests wait that can make room for others.
        running: The number of requests of each client.
    """

    app: ASGIApp
    hosts: AllowedHosts
    max_requests: int
    endpoints: _Endpoints
    running: Counter[str] = field(factory=Counter, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        request = Request(scope, receive)
        app = self.app
        client = _client(scope)
        self.running[client] += 1
        try:
            self._require_allowed(request, client)
        except SiteError as error:
            app = await _refused(request, error)
        try:
            await app(scope, receive, send_with_headers)
        finally:
            self.running[client] -= 1
            self.running += Counter()

    def _require_allowed(self, request: Request, client: str) -> None:
        """Refuse a request if there are too many others, or if it is to another host.

        An attacker may have made that host name resolve to this machine.
        """
        if self.running.total() > self.max_requests and not self._found_room(request, client):
            raise SiteError("server-busy", 503)
        headers = request.headers
        if "Content-Length" in headers and "Transfer-Encoding" in headers:
            # Two programs could disagree on where the request ends (request smuggling).
            raise SiteError("two-lengths", 400)
        hosts = headers.getlist("Host")
        host = parse_host(hosts[0]) if len(hosts) == 1 else None
        if host is None or not self.hosts.allow(host.name):
            raise SiteError("bad-host", 421)
        if request.method not in ("GET", "HEAD"):
            _require_own_page(request, host)

    def _found_room(self, request: Request, client: str) -> bool:
        """End a waiting request, so that this one can be answered; return whether there was one.

        It is a request of the client with the most requests. If this is the client itself, only a
        request for news ends, and only for a change: the client's pages ask for news again at
        once, and would send one another away.
        """
        busiest = max(self.running, key=self.running.__getitem__)
        if self.running[client] < self.running[busiest]:
            return self.endpoints.send_away(busiest)
        return request.method == "POST" and self.endpoints.send_news_away(client)


def _client(scope: Scope) -> str:
    """Return the name of the client of a request."""
    client = scope.get("client")
    return client_of(client[0]) if client else ""


def _prefix(request: Request) -> str:
    """Return the path under which the client sees the site: empty without a proxy."""
    told = request.headers.get("X-Forwarded-Prefix", "").removesuffix("/")
    mounted: str = request.scope.get("root_path", "")
    if not PREFIX.fullmatch(told) or mounted.startswith(told):
        return mounted
    return told + mounted


def _require_own_page(request: Request, host: Host) -> None:
    """Refuse a request from another server's page: browsers send the page's origin."""
    headers = request.headers
    is_own = headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    origin = headers.get("Origin")
    if origin is not None and not is_own_page(origin, host, request.scope["scheme"]):
        is_own = False
    if not is_own:
        raise SiteError("bad-origin", 403)
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and media != JSON_TYPE:
        # Forms on other pages cannot send JSON without a CORS preflight request.
        raise SiteError("bad-media", 415)


async def _body(request: Request) -> bytes:
    """Return the body; refuse it before more than the limit is in memory."""
    error = SiteError("body-too-long", 413, max=MAX_BODY_BYTES)
    declared = request.headers.get("Content-Length", "0")
    if len(declared) > len(str(MAX_BODY_BYTES)) or int(declared) > MAX_BODY_BYTES:
        raise error
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY_BYTES:
            raise error
    return bytes(body)


def _http(response: requests.Response, prefix: str = "") -> Response:
    """Return a response of the site as an HTTP response.

    Args:
        response: The response.
        prefix: The path under which the client sees the site.
    """
    headers = dict(response.headers)
    content = response.content
    if "Location" in headers:
        headers["Location"] = prefix + headers["Location"]
    if content is None:
        return Response(status_code=response.status, headers=headers)
    if isinstance(content, str):
        return PlainTextResponse(content, response.status, headers)
    if not isinstance(content, bytes):
        content = _in_json(content)
    return Response(content, response.status, headers, JSON_TYPE)


def _in_json(content: object) -> bytes:
    text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
    # No text makes a response fail: half of a surrogate pair would become an escape of JSON.
    return text.encode("utf-8", "backslashreplace")


async def _refused(request: Request, error: Exception) -> Response:
    """Refuse a request without reading its body, so the connection is closed after it."""
    site_request = requests.Request(dict(request.query_params))
    response = _http(error_response(cast(SiteError, error), site_request.language))
    response.headers["Connection"] = "close"
    return response


async def refuse_as_busy(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer any request with an error: the application of connections beyond the limit."""
    response = await _refused(Request(scope, receive), SiteError("server-busy", 503))
    response.headers.update(HEADERS)
    await response(scope, receive, send)


async def _unrouted(request: Request, error: Exception) -> Response:
    """Refuse a request for which there is no route."""
    allowed = (cast(HTTPException, error).headers or {}).get("Allow")
    if allowed is None:
        return await _refused(request, SiteError("no-such-page", 404))
    response = await _refused(request, SiteError("no-such-method", 405, method=request.method))
    response.headers["Allow"] = ", ".join(sorted(allowed.split(", ")))
    return response


async def _disconnected(_request: Request, _error: Exception) -> Response:
    """Return a dummy response: the client has disconnected."""
    return Response()
