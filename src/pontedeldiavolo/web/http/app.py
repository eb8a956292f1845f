"""The HTTP server of the browser page, on starlette."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from importlib.resources import files
from typing import Final, Protocol, final

from attrs import evolve, frozen
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from pontedeldiavolo.web.exchange import JSON_TYPE, MOST_BYTES, Answer, Asked, RefusedError

LOCAL: Final = ("localhost", "127.0.0.1", "::1")
PATIENCE: Final = 20.0
"""How many seconds a page waits for a game to go on."""
PACE: Final = 0.15
"""How many seconds lie between two looks at it."""

MEDIA: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
PAGES: Final = ("index.html", "main.js", "board.js", "transport.js", "style.css", "icon.svg")
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


class Answering(Protocol):
    """What answers, as :class:`~pontedeldiavolo.web.protocol.Site` does."""

    @abstractmethod
    def answer(self, asked: Asked, /) -> Answer:
        """Return an answer, whatever is asked."""


def create_app(
    site: Answering,
    *,
    names: Iterable[str] = (),
    any_address: bool = False,
    is_stopping: Callable[[], bool] = lambda: False,
    patience: float = PATIENCE,
) -> Starlette:
    """Return the application.

    Args:
        site: What answers.
        names: What the server is called by those who ask, besides the names of this machine for
            itself. Others are refused: a page elsewhere must not reach it under its own name.
        any_address: Whether it may be called by any number of an address, too.
        is_stopping: Tells whether the server is about to end: then nobody is kept waiting.
        patience: How many seconds a page waits for a game to go on.
    """
    known = frozenset(name.lower() for name in (*LOCAL, *names))
    door = _Door(site, known, any_address, is_stopping, patience, _static())
    return Starlette(routes=[Route("/{path:path}", door)])


def _static() -> dict[str, Answer]:
    """Return the files of the page by their paths."""
    folder = files("pontedeldiavolo.web").joinpath("static")
    found = {
        f"/{name}": Answer(200, folder.joinpath(name).read_bytes(), MEDIA[name.split(".")[1]])
        for name in PAGES
    }
    return found | {"/": found["/index.html"]}


@final
@frozen
class _Door:
    """Lets requests in, and answers out."""

    site: Answering
    names: frozenset[str]
    any_address: bool
    is_stopping: Callable[[], bool]
    patience: float
    static: Mapping[str, Answer]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            answer = await self._answer(request)
        except ClientDisconnect:
            return
        headers = {**HEADERS, **answer.headers}
        if answer.body:
            headers["Content-Type"] = answer.media
        response = Response(answer.body, answer.status, headers)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Answer:
        asked = Asked(request.method, request.scope["path"], dict(request.query_params))
        try:
            self._require_host(request)
            if request.method in ("GET", "HEAD"):
                page = self.static.get(asked.path)
                if page is not None:
                    return page
            else:
                _require_own_page(request)
            token = request.headers.get("Authorization", "").removeprefix("Bearer ")
            body = await _body(request)
        except RefusedError as error:
            # The body is not read, so nothing can follow it on this connection.
            return evolve(error.answer(asked.language), headers={"Connection": "close"})
        return await self._waited(
            request, Asked(asked.method, asked.path, asked.query, body, token)
        )

    async def _waited(self, request: Request, asked: Asked) -> Answer:
        """Return an answer, at the latest when nothing has happened for a while."""
        deadline = time.monotonic() + self.patience
        # The body has been read, so all that can come is that they are gone.
        leaving = asyncio.ensure_future(request.receive())
        try:
            while not leaving.done():
                # In a thread: who thinks about a move must not keep everybody waiting.
                answer = await run_in_threadpool(self.site.answer, asked)
                is_news = answer.status != HTTPStatus.NO_CONTENT
                if is_news or time.monotonic() >= deadline or self.is_stopping():
                    return answer
                await asyncio.wait([leaving], timeout=PACE)
        finally:
            leaving.cancel()
        raise ClientDisconnect

    def _require_host(self, request: Request) -> None:
        """Refuse what was sent to another name, which somebody made lead here."""
        hosts = request.headers.getlist("Host")
        name = _name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not (name in self.names or (self.any_address and _is_address(name))):
            raise RefusedError(421, "bad-host")


def _name(host: str) -> str | None:
    """Return the name of a host without its port, ``None`` if it has none."""
    name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    if not name:
        name, port = port, ""
    if port and not (port.isascii() and port.isdigit()):
        return None
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _require_own_page(request: Request) -> None:
    """Refuse what a page of another server sends: browsers say whose page it is."""
    headers = request.headers
    origin = headers.get("Origin")
    if origin is not None and origin != f"{request.scope['scheme']}://{headers['Host']}":
        raise RefusedError(403, "bad-origin")
    if headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise RefusedError(403, "bad-origin")
    media = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if request.method == "POST" and media != JSON_TYPE:
        # Forms of other pages cannot send this without asking first.
        raise RefusedError(415, "bad-media")


async def _body(request: Request) -> bytes:
    """Return the body, or refuse it before more than the limit is in memory."""
    refused = RefusedError(413, "too-long", most=MOST_BYTES)
    declared = request.headers.get("Content-Length", "0")
    if len(declared) > len(str(MOST_BYTES)) or int(declared) > MOST_BYTES:
        raise refused
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise refused
    return bytes(body)
