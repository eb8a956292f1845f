"""The site over HTTP, on starlette: its routes, the files of the page, and access control."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import Final, cast, final

from attrs import define, field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pontedeldiavolo.web import requests, routes
from pontedeldiavolo.web.pages import page_files
from pontedeldiavolo.web.requests import MAX_BODY_BYTES, SiteError

WAIT_SECONDS: Final = 20.0
"""The maximum time that a request waits for a game to change."""
MAX_REQUESTS: Final = 200
"""The maximum number of requests at a time, including those that wait."""
LOOK_SECONDS: Final = 1.0
"""The time between two checks for a change by another process, or for the end of the server."""

JSON_TYPE: Final = "application/json"
MEDIA: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def create_app(
    site: routes.Site,
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
        names: The host names of the server, besides the local names of this machine. Requests to
            any other host are refused: a page elsewhere must not reach the server under the
            page's host name (DNS rebinding).
        any_address: Whether any IP address is allowed as a host, too.
        is_stopping: Returns whether the server is about to end: then no request waits.
        wait_seconds: The maximum time that a request waits for a game to change.
        max_requests: The maximum number of requests at a time; others are refused.
    """
    known = frozenset(name.lower() for name in ("localhost", "127.0.0.1", "::1", *names))
    server = _Endpoints(site, is_stopping, wait_seconds)
    if site.thinkers is not None:
        site.thinkers.on_done = server.wake_from_thread
    refusals = {HTTPException: _unrouted, SiteError: _refused, ClientDisconnect: _disconnected}
    app = Starlette(
        routes=[*_page_routes(), *map(server.route, routes.ROUTES)],
        middleware=[Middleware(_Guard, known, any_address, max_requests)],
        exception_handlers=refusals,
    )
    app.router.redirect_slashes = False
    return app


def _page_routes() -> list[Route]:
    """Return the routes of the page's files."""
    files = page_files()
    found = {name: Response(files[name], 200, None, MEDIA[name.split(".")[1]]) for name in files}
    paths = {"/": found["index.html"], **{f"/{name}": found[name] for name in files}}
    return [Route(path, response, methods=["GET"]) for path, response in paths.items()]


@final
@define(eq=False)
class _Endpoints:
    """The endpoints of a site: they run its handlers, and let requests wait for changes."""

    site: routes.Site
    is_stopping: Callable[[], bool]
    wait_seconds: float
    waiting: set[asyncio.Event] = field(factory=set, init=False)
    loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)

    def route(self, route: routes.Route) -> Route:
        """Return the starlette route for a route of the site."""

        async def endpoint(request: Request) -> Response:
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            query, game = dict(request.query_params), request.path_params.get("game", "")
            asked = requests.Request(query, await _body(request), token, game)
            if route.method == "GET":
                return _http(await self._changed(route.handler, asked, request))
            response = await run_in_threadpool(self.site.respond, route.handler, asked)
            self.wake()
            return _http(response)

        return Route(route.path, endpoint, methods=[route.method])

    def wake(self) -> None:
        """Let all waiting requests check again."""
        for event in self.waiting:
            event.set()

    def wake_from_thread(self) -> None:
        """Do the same from a thread other than the server's."""
        if self.loop is not None:
            # The server may have ended.
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.wake)

    async def _changed(
        self, handler: routes.Handler, asked: requests.Request, request: Request
    ) -> requests.Response:
        """Return a response as soon as the game has changed, or else when the time is over."""
        self.loop = asyncio.get_running_loop()
        deadline = time.monotonic() + self.wait_seconds
        change = asyncio.Event()
        # The body has been read, so the only further message is that the client has disconnected.
        gone = asyncio.ensure_future(request.receive())
        gone.add_done_callback(lambda _gone: change.set())
        self.waiting.add(change)
        try:
            while True:
                change.clear()
                # In a thread: a player that thinks about a move must not block all requests.
                response = await run_in_threadpool(self.site.respond, handler, asked)
                left = deadline - time.monotonic()
                is_news = response.status != HTTPStatus.NO_CONTENT
                if is_news or left <= 0 or gone.done() or self.is_stopping():
                    return response
                with suppress(TimeoutError):
                    await asyncio.wait_for(change.wait(), min(left, LOOK_SECONDS))
        finally:
            self.waiting.discard(change)
            gone.cancel()


@final
@define(eq=False)
class _Guard:
    """Middleware that refuses requests to other hosts, from other pages or at busy times.

    It also adds headers to responses.
    """

    app: ASGIApp
    names: frozenset[str]
    any_address: bool
    max_requests: int
    running: int = field(default=0, init=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        request, app = Request(scope, receive), self.app
        self.running += 1
        try:
            self._require_allowed(request)
            if request.method not in ("GET", "HEAD"):
                _require_own_page(request)
        except SiteError as error:
            app = await _refused(request, error)
        try:
            await app(scope, receive, send_with_headers)
        finally:
            self.running -= 1

    def _require_allowed(self, request: Request) -> None:
        """Refuse a request if there are too many others, or if it is to another host.

        An attacker may have made that host name resolve to this machine.
        """
        if self.running > self.max_requests:
            raise SiteError("server-busy", 503)
        hosts = request.headers.getlist("Host")
        name = _name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not (name in self.names or (self.any_address and _is_address(name))):
            raise SiteError("bad-host", 421)


def _name(host: str) -> str | None:
    """Return the name of a host without its port; ``None`` if the port is invalid."""
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, port = port, ""
    if port and not (port.isascii() and port.isdigit()):
        return None
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name.lower()


def _is_address(name: str) -> bool:
    with suppress(ValueError):
        ipaddress.ip_address(name)
        return True
    return False


def _require_own_page(request: Request) -> None:
    """Refuse a request from another server's page: browsers send the page's origin."""
    headers = request.headers
    own = f"{request.scope['scheme']}://{headers['Host']}"
    is_own = headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    if headers.get("Origin", own) != own or not is_own:
        raise SiteError("bad-origin", 403)
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and media != JSON_TYPE:
        # Forms on other pages cannot send JSON without a CORS preflight request.
        raise SiteError("bad-media", 415)


async def _body(request: Request) -> bytes:
    """Return the body; refuse it before more than the limit is in memory."""
    error = SiteError("body-too-long", 413, most=MAX_BODY_BYTES)
    declared = request.headers.get("Content-Length", "0")
    if len(declared) > len(str(MAX_BODY_BYTES)) or int(declared) > MAX_BODY_BYTES:
        raise error
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY_BYTES:
            raise error
    return bytes(body)


def _http(response: requests.Response) -> Response:
    """Return a response of the site as an HTTP response."""
    headers, content = response.headers, response.content
    if content is None:
        return Response(status_code=response.status, headers=headers)
    if isinstance(content, str):
        return PlainTextResponse(content, response.status, headers)
    return Response(json.dumps(content, separators=(",", ":")), response.status, headers, JSON_TYPE)


async def _refused(request: Request, error: Exception) -> Response:
    """Refuse a request without reading its body, so the connection is closed after it."""
    asked = requests.Request(dict(request.query_params))
    response = _http(routes.refusal(cast(SiteError, error), asked.language))
    response.headers["Connection"] = "close"
    return response


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
