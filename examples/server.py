"""A small game site: JSON over HTTP, on Starlette and SQLite.

Run from a clone, where the package, starlette and uvicorn are installed:

    python -m uvicorn --app-dir examples --factory server:create_app

The environment variable PONTE_GAMES names the database file, games.sqlite3 by default. All state is
in the database, so the server can run in several processes, as with --workers 4.

A game is a row with the text of its record and a version, which every change increments. The server
checks every action of a record that it loads. Changes use optimistic locking: a request names the
version that the client has seen, and is refused if the stored version is another one.

A game can have clocks, which run on the server from the first action on. An offer of a draw holds
for one version: every action makes it void. openapi.json beside this file describes all requests.
"""

import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from hashlib import sha256
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from time import sleep, time
from typing import TypeVar, cast

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

import pontedeldiavolo as pdd

MAX_SIDE = 26
MAX_BODY = 2_000  # bytes
MAX_UPLOAD = 65_536  # bytes
LIMITS = pdd.Limits(side=MAX_SIDE, games=100)  # for an upload, including its invalid games
MAX_VIOLATIONS = 10  # in a response
MAX_SECONDS = 1_000_000  # of a clock

SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL,
    seconds REAL, increment REAL NOT NULL, since REAL NOT NULL, offer TEXT
);
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL, seat TEXT NOT NULL, token_hash TEXT NOT NULL, PRIMARY KEY (game, seat)
);
"""

T = TypeVar("T")
E = TypeVar("E", bound=Enum)
Handler = Callable[[Request, bytes], Response]
JsonObject = Mapping[str, object]


class SiteError(pdd.PonteError):
    """An error with an HTTP status; the library has a sentence for its code in each language."""

    def __init__(self, status: int, code: str, **values: int | str) -> None:
        super().__init__(pdd.Reason(code, values))
        self.status = status


@dataclass(frozen=True)
class StoredGame:
    """A version of a game in the database.

    Attributes:
        seconds: The time of each player at the start; None without clocks.
        increment: The seconds that each action adds.
        since: The time at which the turn of the player to move began.
        offer: The seat that offers a draw.
    """

    id: str
    version: int
    game: pdd.Game
    seconds: float | None = None
    increment: float = 0.0
    since: float = 0.0
    offer: pdd.Seat | None = None

    def time_taken(self, now: float) -> float:
        """Return the seconds since the turn began.

        Workers share the time of the system, which can step back: a negative time counts as 0.
        """
        return max(0.0, now - self.since)

    def time_left(self, seat: pdd.Seat, now: float) -> float | None:
        """Return the seconds that a seat has left; None without clocks."""
        moves = zip(self.game.plies, self.game.line.moves, strict=True)
        clocks = [move.clock for ply, move in moves if ply.seat is seat]
        left = next((each for each in reversed(clocks) if each is not None), self.seconds)
        is_running = self.game.actions and self.game.state.seat_to_move is seat
        if left is None or not is_running or self.game.ending is not None:
            return left
        return max(0.0, left - self.time_taken(now))


class Store:
    """The database, shared by threads and processes; each call opens its own connection."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for tries_left in reversed(range(100)):
            try:
                with closing(self._connect()) as db:
                    db.executescript(SCHEMA)
                break
            except sqlite3.OperationalError:
                # SQLite does not wait for the change to WAL while other workers start.
                if not tries_left:
                    raise
                sleep(0.05)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=10)

    def create(
        self, games: Iterable[pdd.Game], seconds: float | None = None, increment: float = 0.0
    ) -> list[StoredGame]:
        """Store new games in one transaction; each must have a snapshot."""
        stored = [
            StoredGame(secrets.token_urlsafe(9), 1, game, seconds, increment, time())
            for game in games
        ]
        rows = [
            (each.id, 1, pdd.records.dumps(each.game), seconds, increment, each.since)
            for each in stored
        ]
        with closing(self._connect()) as db, db:
            db.executemany("INSERT INTO games VALUES(?, ?, ?, ?, ?, ?, NULL)", rows)
        return stored

    def load(self, game_id: str) -> StoredGame:
        """Load a game."""
        with closing(self._connect()) as db:
            rows = [*db.execute("SELECT * FROM games WHERE id = ?", [game_id])]
        if not rows:
            raise SiteError(404, "no-such-game")
        [(_, version, record, seconds, increment, since, offer)] = rows
        try:
            game = load_record(record)
            seat = None if offer is None else pdd.Seat(offer)
            return StoredGame(game_id, version, game, seconds, increment, since, seat)
        except pdd.RecordError as error:
            # An internal error: the database was changed by hand.
            raise SiteError(500, "game-damaged") from error

    def replace(
        self,
        old: StoredGame,
        game: pdd.Game,
        since: float | None = None,
        offer: pdd.Seat | None = None,
    ) -> StoredGame:
        """Store the next version of a game, unless another request has replaced the old version."""
        since = old.since if since is None else since
        with closing(self._connect()) as db, db:
            cursor = db.execute(
                "UPDATE games SET record = ?, version = version + 1, since = ?, offer = ?"
                " WHERE id = ? AND version = ?",
                [pdd.records.dumps(game), since, offer and offer.value, old.id, old.version],
            )
        if cursor.rowcount != 1:
            raise SiteError(409, "outdated")
        return replace(old, version=old.version + 1, game=game, since=since, offer=offer)

    def take_seat(self, game_id: str, seat: pdd.Seat) -> str:
        """Take a free seat, and return the token of its player."""
        token = secrets.token_urlsafe(24)
        try:
            with closing(self._connect()) as db, db:
                db.execute("INSERT INTO seats VALUES(?, ?, ?)", [game_id, seat.value, _hash(token)])
        except sqlite3.IntegrityError as error:
            raise SiteError(409, "seat-taken") from error
        return token

    def seat_of(self, game_id: str, token: str) -> pdd.Seat:
        """Return the seat that belongs to a token."""
        with closing(self._connect()) as db:
            rows = db.execute(
                "SELECT seat FROM seats WHERE game = ? AND token_hash = ?", [game_id, _hash(token)]
            ).fetchall()
        if not rows:
            raise SiteError(403, "no-seat")
        return pdd.Seat(rows[0][0])


@lru_cache(maxsize=100)
def load_record(record: str) -> pdd.Game:
    """Return the game of a stored record, which may be longer than the uploaded text."""
    return pdd.records.loads(record, limits=LIMITS.for_rereading())


def _hash(token: str) -> str:
    # The database holds only hashes, so a stolen copy has no usable tokens.
    return sha256(token.encode()).hexdigest()


class Site:
    """Request handlers; they run in threads."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def create(self, request: Request, body: bytes) -> Response:
        """Create a game; the rules are the name of a preset or a rules text."""
        data = _parse_object(body)
        rules = pdd.parse_rules(_field(data, "rules", str))
        seconds = _seconds(data, "seconds", 1) if "seconds" in data else None
        increment = _seconds(data, "increment", 0) if "increment" in data else 0
        if max(rules.board.width, rules.board.height) > MAX_SIDE:
            raise SiteError(422, "side-too-long", max=MAX_SIDE)
        game = pdd.Game.new(rules)
        # Refuse a game that has no snapshot, because no later request could show it.
        pdd.json.snapshot(game)
        [stored] = self.store.create([game], seconds, increment)
        # A proxy, or an application that this one is mounted in, may show it under a path.
        location = f"{request.scope.get('root_path', '')}/games/{stored.id}"
        return JSONResponse(game_view(stored, request), 201, {"Location": location})

    def upload(self, request: Request, body: bytes) -> Response:
        """Store the valid games of a file in any format, and report the errors of the others."""
        text = request.query_params.get("format")
        form = None if text is None else _parse_enum("format", text, pdd.records.Format)
        games: list[pdd.Game] = []
        errors: list[str] = []
        try:
            for result in pdd.records.read(body, format=form, limits=LIMITS):
                if isinstance(result, pdd.RecordError):
                    errors.append(sentence(result, request))
                    continue
                try:
                    pdd.json.snapshot(result)
                    games.append(result)
                except pdd.PonteError as error:
                    errors.append(sentence(error, request))
        except UnicodeDecodeError as error:
            expected = pdd.Reason("text-in-encoding", {"name": error.encoding})
            errors.append(sentence(pdd.RecordError(1, 1, expected), request))
        if not games and not errors:
            errors.append(sentence(pdd.RecordError(1, 1, pdd.Reason("game")), request))
        stored = self.store.create(games)
        content = {"games": [each.id for each in stored], "errors": errors}
        return JSONResponse(content, 201 if stored else 422)

    def show(self, request: Request, _body: bytes) -> Response:
        """Return a game; no token is needed."""
        return JSONResponse(game_view(self._load(request), request))

    def record(self, request: Request, _body: bytes) -> Response:
        """Return the record of a game as text."""
        return PlainTextResponse(pdd.records.dumps(self._load(request).game))

    def join(self, request: Request, body: bytes) -> Response:
        """Take a seat; the response has the player's secret token."""
        seat = _parse_enum("seat", _field(_parse_object(body), "seat", str), pdd.Seat)
        token = self.store.take_seat(self._load(request).id, seat)
        return JSONResponse({"seat": seat.value, "token": token}, 201)

    def act(self, request: Request, body: bytes) -> Response:
        """Play an action, which is given by its text or by the cells that were clicked.

        The first click of a turn plays nothing: the response has the cells for the second click.
        The server does not store it; the browser repeats it with the second click.
        """
        data = _parse_object(body)
        stored = self._authorize_turn(request, data)
        if "cells" not in data:
            action = pdd.parse_action(_field(data, "action", str))
            return self._play(request, stored, action)
        first, *others = _clicked_cells(data)
        state = stored.game.state
        if not others:
            return JSONResponse({"second": _names(targets(state, first))})
        has_tile = any(first in state.position.tiles(color) for color in pdd.Color)
        make = pdd.BuildBridge if has_tile else pdd.PlaceTiles
        return self._play(request, stored, make(first, others[0]))

    def resign(self, request: Request, body: bytes) -> Response:
        """Resign; both seats can do this at any time."""
        stored, seat = self._authorize(request, _parse_object(body))
        new = self.store.replace(stored, stored.game.resign(seat))
        return JSONResponse(game_view(new, request))

    def draw(self, request: Request, body: bytes) -> Response:
        """Offer a draw, or accept the offer of the other seat."""
        stored, seat = self._authorize(request, _parse_object(body))
        if stored.offer is seat.opponent:
            new = self.store.replace(stored, stored.game.end(pdd.Ending.AGREEMENT))
        else:
            new = self.store.replace(stored, stored.game, offer=seat)
        return JSONResponse(game_view(new, request))

    def _load(self, request: Request) -> StoredGame:
        """Load a game; it ends here if the player to move has no time left."""
        stored = self.store.load(request.path_params["id"])
        seat = stored.game.state.seat_to_move
        if seat is None or stored.game.ending is not None or stored.time_left(seat, time()) != 0:
            return stored
        try:
            return self.store.replace(stored, stored.game.lose_on_time(seat))
        except SiteError:
            # Another request has ended it at the same time.
            return self.store.load(stored.id)

    def _authorize(self, request: Request, data: JsonObject) -> tuple[StoredGame, pdd.Seat]:
        """Return the game and the seat of a request; check its token and its version."""
        stored = self._load(request)
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        seat = self.store.seat_of(stored.id, token)
        if _field(data, "version", int) != stored.version:
            raise SiteError(409, "outdated")
        if stored.game.ending is not None:
            raise SiteError(409, "game-ended")
        return stored, seat

    def _authorize_turn(self, request: Request, data: JsonObject) -> StoredGame:
        stored, seat = self._authorize(request, data)
        if seat is not stored.game.state.seat_to_move:
            raise SiteError(403, "not-your-turn")
        return stored

    def _play(self, request: Request, stored: StoredGame, action: pdd.Action) -> Response:
        now = time()
        seat = stored.game.state.seat_to_move
        left = None if seat is None else stored.time_left(seat, now)
        if left is None:
            game = stored.game.play(action)
        else:
            took = stored.time_taken(now) if stored.game.actions else None
            game = stored.game.play(action, clock=left + stored.increment, elapsed=took)
        new = self.store.replace(stored, game, since=now)
        return JSONResponse(game_view(new, request))


def targets(state: pdd.GameState, first: pdd.Cell) -> Iterable[pdd.Cell]:
    """Return the cells for a second click: ends of bridges from a tile, or second tiles."""
    bridges = state.legal_actions.bridges_from(first)
    if bridges:
        return [bridge.b if bridge.a == first else bridge.a for bridge in bridges]
    return state.step(pdd.PlaceTile(first)).second_tiles


def game_view(stored: StoredGame, request: Request) -> dict[str, object]:
    """Return a game as JSON for the browser."""
    game = stored.game
    language = language_of(request)
    now = time()
    return {
        "id": stored.id,
        "version": stored.version,
        "result": game.result,
        "ending": game.ending.value if game.ending else None,
        "sentence": pdd.messages.result(game, language),
        "clocks": {seat.value: stored.time_left(seat, now) for seat in pdd.Seat},
        "draw_offer": stored.offer and stored.offer.value,
        "snapshot": pdd.json.snapshot(game, catalog=language)["value"],
    }


def language_of(request: Request) -> str:
    """Return the code of the language of a request: German if it asks for it, else English."""
    return "de" if request.query_params.get("lang") == "de" else "en"


def sentence(error: pdd.PonteError, request: Request) -> str:
    """Return an error message in the language of the request."""
    return pdd.messages.explain(error, language_of(request))


def violation_list(violations: Iterable[pdd.Violation], request: Request) -> list[object]:
    """Return violations as JSON: sentences, and cells by role for highlighting."""
    return [
        {
            "code": each.code,
            "text": pdd.messages.explain(each, language_of(request)),
            "cells": {role: _names(cells) for role, cells in each.roles.items()},
            "bridges": [str(bridge) for bridge in each.bridges],
        }
        for each in islice(violations, MAX_VIOLATIONS)
    ]


def _names(cells: Iterable[pdd.Cell]) -> list[str]:
    return [str(cell) for cell in cells]


def _parse_object(body: bytes) -> JsonObject:
    try:
        data: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise SiteError(400, "not-json") from error
    if not isinstance(data, dict):
        raise SiteError(400, "not-object")
    return data


def _field(data: JsonObject, name: str, kind: type[T]) -> T:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise SiteError(400, "bad-field", name=name)
    return value


def _clicked_cells(data: JsonObject) -> list[pdd.Cell]:
    """Return the cells that were clicked: one or two."""
    names = data["cells"]
    if not isinstance(names, list) or len(names) not in (1, 2):
        raise SiteError(400, "bad-field", name="cells")
    if not all(isinstance(name, str) for name in names):
        raise SiteError(400, "bad-field", name="cells")
    return [pdd.parse_cell(name) for name in names]


def _seconds(data: JsonObject, name: str, lowest: int) -> int:
    seconds = _field(data, name, int)
    if not lowest <= seconds <= MAX_SECONDS:
        raise SiteError(400, "bad-field", name=name)
    return seconds


def _parse_enum(name: str, text: str, kind: type[E]) -> E:
    """Return the enum member that a text names."""
    try:
        return kind(text)
    except ValueError as error:
        choices = ", ".join(each.value for each in kind)
        raise SiteError(400, "bad-choice", name=name, choices=choices) from error


async def _read(request: Request, limit: int) -> bytes:
    """Return the body; refuse a longer one without reading it to the end."""
    if "Content-Length" in request.headers and "Transfer-Encoding" in request.headers:
        # A proxy and this server could disagree on where the request ends (request smuggling).
        raise SiteError(400, "two-lengths")
    too_large = SiteError(413, "body-too-long", max=limit)
    declared = request.headers.get("Content-Length", "0")
    if len(declared) > len(str(limit)) or int(declared) > limit:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise too_large
    return bytes(body)


def _route(method: str, path: str, handler: Handler, limit: int = MAX_BODY) -> Route:
    async def endpoint(request: Request) -> Response:
        body = await _read(request, limit)
        # A thread keeps a long upload from blocking the event loop.
        return await run_in_threadpool(handler, request, body)

    return Route(path, endpoint, methods=[method])


def error_response(request: Request, error: pdd.PonteError) -> Response:
    """Return the response for an error: a sentence for people and a code for programs."""
    content: dict[str, object] = {"error": sentence(error, request), "code": error.code}
    status = 400 if isinstance(error, pdd.NotationError) else 422
    headers = {}
    if isinstance(error, SiteError):
        status = error.status
    if isinstance(error, pdd.IllegalActionError):
        content["violations"] = violation_list(error.violations, request)
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE or error.code == "two-lengths":
        # The rest of the body is unread, so the connection cannot be reused.
        headers["Connection"] = "close"
    return JSONResponse(content, status, headers)


async def _on_library_error(request: Request, error: Exception) -> Response:
    return error_response(request, cast(pdd.PonteError, error))


async def _on_http_error(request: Request, error: Exception) -> Response:
    """Return the response for an unknown path or a wrong method."""
    headers = cast(HTTPException, error).headers
    if headers is None:
        return error_response(request, SiteError(404, "no-such-page"))
    response = error_response(request, SiteError(405, "no-such-method", method=request.method))
    response.headers.update(headers)
    return response


def create_app() -> Starlette:
    """Return the application; each worker process calls this function."""
    site = Site(Store(Path(os.environ.get("PONTE_GAMES", "games.sqlite3"))))
    return Starlette(
        routes=[
            _route("POST", "/games", site.create),
            _route("POST", "/uploads", site.upload, MAX_UPLOAD),
            _route("GET", "/games/{id}", site.show),
            _route("GET", "/games/{id}/record", site.record),
            _route("POST", "/games/{id}/seats", site.join),
            _route("POST", "/games/{id}/actions", site.act),
            _route("POST", "/games/{id}/resignation", site.resign),
            _route("POST", "/games/{id}/draw", site.draw),
        ],
        exception_handlers={HTTPException: _on_http_error, pdd.PonteError: _on_library_error},
    )
